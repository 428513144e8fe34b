/* earshot record --index: keyframes for a recording that has none. */
#ifndef ES_CLI_COMMANDS_RECORD_INDEX_H
#define ES_CLI_COMMANDS_RECORD_INDEX_H

/* Replays the recording once and writes it anew, with keyframes. Returns the exit code. */
int es_record_index(const char *program, const char *recording);

#endif
