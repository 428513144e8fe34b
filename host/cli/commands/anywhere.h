/* A session, here or in the daemon, with or without a trace: whoever shows its records need not know. */
#ifndef ES_CLI_COMMANDS_ANYWHERE_H
#define ES_CLI_COMMANDS_ANYWHERE_H

#include "access/open.h"
#include "cli/commands/run.h"

/* es_session_run, where the options say. session->open, stop and context are the caller's; open is es_access_open or
 * leads to it. report: is told where `earshot record` keeps its trace; NULL: nobody. */
bool es_run_anywhere(const es_session_options *session, es_access *access, const es_run_options *options,
                     es_report *report, const es_sink *sink, es_session_result *result, es_error *err);

#endif
