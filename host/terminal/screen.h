/* The user's terminal while a run goes on: keys one by one, the line at the bottom, and all as it was when the process
 * is stopped, continued, or ends. There is one. */
#ifndef ES_TERMINAL_SCREEN_H
#define ES_TERMINAL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether stdout is a terminal on which a line can be drawn again. */
bool es_screen_usable(void);

/* Keys come without a line's end and are not shown, where stdin is the terminal, too. Signals keep their keys. Until
 * es_screen_close, which also exit() calls. */
void es_screen_open(void);
void es_screen_close(void);

/* As es_screen_close, for signal handlers that end the process. */
void es_screen_restore(void);

/* A byte that was typed; -1: none. */
int es_screen_key(void);

/* Whether this process may draw: it is not in the background. After it was continued there, keys come again. */
bool es_screen_in_front(void);

/* Shows a text of less than the terminal's width as the line below all else; the cursor stays at its beginning, so that
 * it is found again whatever the terminal's width becomes. */
void es_screen_draw(const char *line);
/* Takes it away: before anything else is written. */
void es_screen_erase(void);
bool es_screen_drawn(void);

#endif
