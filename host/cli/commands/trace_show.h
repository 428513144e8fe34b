/* A trace, or a part of it, as a report. */
#ifndef ES_CLI_COMMANDS_TRACE_SHOW_H
#define ES_CLI_COMMANDS_TRACE_SHOW_H

#include "cli/commands/trace_part.h"
#include "report/report.h"

/* Shows it as the configuration says, whose color, utf8, part, from and to are filled in. Returns the exit code;
 * failures are told on stderr. */
int es_trace_show(const char *directory, es_trace_part *part, es_report_config *config, bool no_color);

#endif
