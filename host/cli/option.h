/* Options of commands: one table says what there is, reads the command line and prints the help. */
#ifndef ES_CLI_OPTION_H
#define ES_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

typedef struct es_option {
    const char *name;  /* --name */
    char letter;       /* -l; 0: none */
    bool may_lack;     /* its value may be left out; `take` gets NULL then */
    unsigned commands; /* bits of the commands that have it (es_option_set.command) */
    const char *value; /* what the value is called in the help: "FILE"; NULL: it has none */
    const char *help;  /* one line */
    bool (*take)(void *options, const char *value, es_error *err); /* what it does to the command's options */
} es_option;

#define ES_OPTION_TABLES 2

/* All that a command takes: from several tables, those that are marked as its own. */
typedef struct es_option_set {
    const char *command;                       /* "earshot watch": what messages begin with */
    const char *synopsis;                      /* what its help begins with */
    const char *more;                          /* what its help ends with */
    unsigned command_mask;                     /* bit of this command */
    const es_option *tables[ES_OPTION_TABLES]; /* NULL name ends a table; the first ones stand first in the help */
} es_option_set;

enum es_options_read { ES_OPTIONS_WRONG, ES_OPTIONS_READ, ES_OPTIONS_HELP };

/* Reads the options; what remains of argv are its arguments from *rest on. HELP: --help was among them. WRONG: with
 * ES_USAGE in *err. argv[0] is changed: it is what getopt's messages begin with. */
enum es_options_read es_options_read(const es_option_set *set, int argc, char **argv, void *options, int *rest,
                                     es_error *err);

/* What `--help` prints. */
void es_options_help(const es_option_set *set, FILE *out);

#endif
