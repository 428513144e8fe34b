/* earshot watch of several runs of the daemon: their records on one time axis, as they come. */
#ifndef ES_CLI_COMMANDS_WATCH_SEVERAL_H
#define ES_CLI_COMMANDS_WATCH_SEVERAL_H

#include "cli/commands/run.h"

/* Looks at the runs that the options name, or at all. Returns the exit code; failures are told on stderr. */
int es_watch_several(const es_run_options *options);

#endif
