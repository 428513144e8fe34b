/* earshot watch --dump-ir: the code that statements become, instead of a run. */
#ifndef ES_CLI_COMMANDS_DUMP_H
#define ES_CLI_COMMANDS_DUMP_H

#include "session/session.h"

/* The pass of that name; `name` NULL: before all. NULL, with ES_USAGE, when there is no such pass. */
const char *es_dump_pass(const char *name, es_error *err);

/* Prints the code after the pass to stdout, as the simulated probe would get it. Needs no probe and runs nothing.
 * Returns the exit code; failures are told on stderr. */
int es_dump_run(const es_session_options *options, const char *pass);

#endif
