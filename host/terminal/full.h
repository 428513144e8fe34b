/* The whole screen of a terminal (ncurses). There is one. */
#ifndef ES_TERMINAL_FULL_H
#define ES_TERMINAL_FULL_H

#include <ncurses.h>
#include <stdbool.h>

enum { ES_FULL_PLAIN, ES_FULL_NAME, ES_FULL_GOOD, ES_FULL_LOUD }; /* colours */

/* Takes over the terminal, until es_full_close. False: it cannot be used so (no such TERM). */
bool es_full_open(bool color, bool utf8);
void es_full_close(void);

/* How what is put from now on looks; the colour only where there are any. */
void es_full_style(int color, attr_t attributes);

/* A text in so many columns, shortened or filled; `right`: at their end. Nothing where it is beyond the screen. */
void es_full_put(int line, int column, int width, bool right, const char *text);

#endif
