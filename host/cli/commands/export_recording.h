/* earshot export of a recording of inputs: what every program did, without statements and without instrumentation. */
#ifndef ES_CLI_COMMANDS_EXPORT_RECORDING_H
#define ES_CLI_COMMANDS_EXPORT_RECORDING_H

#include <stdbool.h>

#define ES_EXPORT_RECORDING_FORMATS "profile, callgrind, folded, lcov, perfetto, ctf, instructions or spike"

/* The recording among the arguments; 0: there is none. */
int es_export_find_recording(int argc, char **argv);

bool es_export_is_of_recordings(const char *format);

/* The command, of which some argument is a recording. Returns the exit code. */
int es_export_recording(int argc, char **argv);

#endif
