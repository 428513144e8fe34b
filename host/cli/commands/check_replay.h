/* earshot check --replay: can the recorder of a probe keep up with this program? */
#ifndef ES_CLI_COMMANDS_CHECK_REPLAY_H
#define ES_CLI_COMMANDS_CHECK_REPLAY_H

#include "base/error.h"
#include "check/boards.h"

/* Prints the verdict, as text or JSON. False: the program cannot be read. */
bool es_check_replay(const char *program, const es_probe_limits *limits, const es_check_options *options, bool json,
                     bool *guaranteed, es_error *err);

#endif
