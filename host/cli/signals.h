/* SIGINT, SIGTERM and SIGHUP (its terminal has gone) end what a command does, with its summary. */
#ifndef ES_CLI_SIGNALS_H
#define ES_CLI_SIGNALS_H

#include <stdbool.h>

/* From now on; the third, or one that comes 3 s after the first, ends the process. */
void es_cli_catch_signals(void);
bool es_cli_stop_asked(void); /* one has come */

/* What is to be called before a signal ends the process: safe in a handler. */
void es_cli_before_exit(void (*function)(void));

#endif
