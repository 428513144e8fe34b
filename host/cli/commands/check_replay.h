/* earshot check --replay: can the recorder of a probe keep up with this program? */
#ifndef ES_CLI_COMMANDS_CHECK_REPLAY_H
#define ES_CLI_COMMANDS_CHECK_REPLAY_H

#include "base/error.h"
#include "base/json.h"
#include "check/boards.h"
#include "check/recorder.h"

/* Prints the verdict, as text or JSON. False: the program cannot be read. */
bool es_check_replay(const char *program, const es_probe_limits *limits, const es_check_options *options, bool json,
                     bool *guaranteed, es_error *err);

/* The verdict as an object. */
void es_check_replay_json(es_json *json, const es_check_recorder_report *r, const es_check_recorder_options *o);

#endif
