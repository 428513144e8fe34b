/* earshot read of several traces: their records on one time axis. */
#ifndef ES_CLI_COMMANDS_READ_SEVERAL_H
#define ES_CLI_COMMANDS_READ_SEVERAL_H

#include <stddef.h>

#include "report/report.h"

/* Shows them as the configuration says, whose color and utf8 are filled in. Returns the exit code; failures are told on
 * stderr. */
int es_read_several(char **directories, size_t count, es_report_config *config, bool no_color);

#endif
