/* A session whose figures are on the whole screen, or are lines from time to time. The session runs in a thread of its
 * own, so that drawing never delays it; what it has to say in lines waits until the screen is gone. */
#ifndef ES_CLI_COMMANDS_SCREEN_RUN_H
#define ES_CLI_COMMANDS_SCREEN_RUN_H

#include "cli/commands/options.h"
#include "report/report.h"

/* What is shown. */
typedef struct es_screen_view {
    /* Takes a record, before the report does. */
    void (*take)(void *context, const es_record *record);
    /* No more records come, or only the summary. The schema is valid until the screen is gone. */
    void (*end)(void *context);
    /* Before each step, and not while a record is taken: the report as it is; NULL: nobody looks. */
    void (*look)(void *context, es_report *report);
    /* Shows what there is, and waits for at most that long. False: it is over, or the user wants it to be. */
    bool (*step)(void *context, int ms);
    /* Gives the terminal back; NULL: none was taken. From signal handlers, too. */
    void (*close)(void);
    void *context;
} es_screen_view;

/* Runs the session until it ends, step says so, or a signal comes. lines: the report's lines need not wait. Returns the
 * exit code; failures are told on stderr. */
int es_screen_run(es_common_options *o, const es_report_config *config, const es_screen_view *view, bool lines);

/* Whether stdin and stdout are a terminal. */
bool es_screen_run_possible(void);

#endif
