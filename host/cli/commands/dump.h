/* earshot watch --dump-ir: the code that statements become, instead of a run. */
#ifndef ES_CLI_COMMANDS_DUMP_H
#define ES_CLI_COMMANDS_DUMP_H

#include "cli/session/session.h"

/* Sets options->dump_ir from the option's argument, the name of a pass; NULL: before all. Fails with ES_USAGE when
 * there is no such pass. */
bool es_dump_option(es_session_options *options, const char *pass, es_error *err);

/* Prints it to stdout, as the simulated probe would get it. Needs no probe and runs nothing. Returns the exit code;
 * failures are told on stderr. */
int es_dump_run(const es_session_options *options);

#endif
