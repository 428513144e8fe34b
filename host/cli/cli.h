/* The command line: what subcommands have in common. */
#ifndef ES_CLI_H
#define ES_CLI_H

#include <stdbool.h>

#include "base/text.h"
#include "version.h" /* ES_VERSION, of the file VERSION */

/* One subcommand. */
typedef struct es_command {
    const char *name;
    const char *summary;               /* one line for `earshot help` */
    const char *usage;                 /* what `--help` prints; NULL: only `run` knows */
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand; returns the exit code */
} es_command;

extern const es_command es_command_watch;
extern const es_command es_command_test;
extern const es_command es_command_top;
extern const es_command es_command_stats;
extern const es_command es_command_list;
extern const es_command es_command_record;
extern const es_command es_command_runs;
extern const es_command es_command_read;
extern const es_command es_command_probes;
extern const es_command es_command_check;
extern const es_command es_command_net;
extern const es_command es_command_infer;
extern const es_command es_command_predict;
extern const es_command es_command_export;
extern const es_command es_command_report;
extern const es_command es_command_gdb;
extern const es_command es_command_why;

/* Whether stdout is a pipe whose reader has gone, which is no error of ours. */
bool es_cli_has_reader_left(void);

/* Prints "earshot: message" to stderr (messages about statements as they are) and returns the exit code that goes with
 * it. */
int es_cli_fail(const es_error *err);

/* Writes the text to stdout, or to a file when path is not NULL; a file is complete or not there. Else ES_OUTPUT. */
bool es_cli_write_out(const es_text_buffer *text, const char *path, es_error *err);

#endif
