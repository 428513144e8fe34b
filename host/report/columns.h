/* A line of columns on a terminal: never wider than it. */
#ifndef ES_REPORT_COLUMNS_H
#define ES_REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The parts of a hit's line after its time, in this order, with two blanks between them. */
enum es_column {
    ES_COLUMN_NAME,
    ES_COLUMN_VALUES,
    ES_COLUMN_TASK,
    ES_COLUMN_PATH,
    ES_COLUMN_PLACE,
    ES_COLUMN_TIMES,
    ES_COLUMN_COUNT
};

typedef struct es_cell {
    es_text_buffer text;
    size_t fill; /* columns that it takes at least: blanks fill them */
    bool absent; /* it is not shown */
} es_cell;

/* The width of the terminal that stdout is, now; 0: it is none. */
size_t es_terminal_width(void);

/* Columns that a text takes on a terminal. */
size_t es_shown_width(const char *text);

/* Puts dots for the middle of a text, so that it takes `most` columns at most. */
void es_text_shorten(es_text_buffer *text, size_t most, bool utf8);

/* Makes the cells fit `room` columns: the path, the names, the values shortened in their middle, as far as needed; in
 * less room without times, place, path and task. What is done depends on the columns' widths, their `fill`, so that
 * lines stand below each other; only the last one of a line has all the room that is left. */
void es_cells_fit(es_cell cells[ES_COLUMN_COUNT], size_t room, bool utf8);

#endif
