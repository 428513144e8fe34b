/* Options of the commands that run a session, each defined once: what it is called, what it does, who has it. */
#ifndef ES_CLI_COMMANDS_OPTIONS_H
#define ES_CLI_COMMANDS_OPTIONS_H

#include "access/open.h"
#include "cli/commands/run.h"
#include "cli/commands/texts.h"
#include "cli/option.h"
#include "session/session.h"

/* Who has an option: bits of es_option.commands. */
#define ES_OF_WATCH 1u
#define ES_OF_TEST 2u
#define ES_OF_RECORD 4u
#define ES_OF_TOP 8u
#define ES_OF_STATS 16u
#define ES_OF_ALL (ES_OF_WATCH | ES_OF_TEST | ES_OF_RECORD | ES_OF_TOP | ES_OF_STATS)

/* What they set. A command with options of its own begins its structure with this one. */
typedef struct es_common_options {
    es_session_options session;
    es_access access;
    es_run_options run;
    es_texts texts;
    bool guaranteed;     /* statements are evaluated where it is proven that nothing is missed */
    const char *board;   /* ... of this board's probe; NULL: not said */
    const char *dump_ir; /* no run: prints the monitor IR after this pass; NULL: a run */
} es_common_options;

/* The table, for es_option_set.tables. */
extern const es_option es_common_option_table[];

/* Before any option. */
void es_common_options_begin(es_common_options *options);

/* After all of them, with the program's path: fills in what follows from others, and says what is missing or cannot be
 * combined, with ES_USAGE. `command`: "earshot watch". */
bool es_common_options_finish(es_common_options *options, const char *command, const char *program, es_error *err);

void es_common_options_free(es_common_options *options);

#endif
