#include "report/columns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define USUAL_WIDTH 80

size_t es_terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    return width > 0 && width < 10000 ? (size_t)width : USUAL_WIDTH;
}

/* Bytes of the next character, and the columns that it takes. */
static size_t next_character(const char *text, size_t *width)
{
    size_t length = es_utf8_length(text, strlen(text));
    wchar_t wide;
    mbstate_t state = {0};
    *width = 1;
    if (length > 1 && mbrtowc(&wide, text, length, &state) == length) {
        int columns = wcwidth(wide);
        *width = columns < 0 ? 1 : (size_t)columns;
    }
    return length ? length : 1;
}

size_t es_shown_width(const char *text)
{
    size_t sum = 0, width;
    for (; *text; sum += width)
        text += next_character(text, &width);
    return sum;
}

static size_t cell_width(const es_cell *cell)
{
    size_t shown = cell->text.text ? es_shown_width(cell->text.text) : 0;
    return shown > cell->fill ? shown : cell->fill;
}

static size_t total(const es_cell *cells)
{
    size_t sum = 0;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        if (!cells[i].absent)
            sum += cell_width(&cells[i]) + (i ? 2 : 0);
    return sum;
}

void es_text_shorten(es_text_buffer *text, size_t most, bool utf8)
{
    const char *dots = utf8 && most ? "\u2026" : most > 4 ? "..." : "";
    size_t left = most - es_shown_width(dots), head = (left + 1) / 2, taken = 0, width;
    const char *at = text->text, *tail;
    while (*at) {
        size_t length = next_character(at, &width);
        if (taken + width > head)
            break;
        taken += width;
        at += length;
    }
    for (tail = at; es_shown_width(tail) > left - taken;)
        tail += next_character(tail, &width);
    es_text_buffer made = {0};
    es_text_add(&made, text->text, (size_t)(at - text->text));
    es_text_format(&made, "%s%s", dots, tail);
    es_text_free(text);
    *text = made;
}

/* Takes from a cell what does not fit, down to `least` columns. */
static void take_from(es_cell *cells, enum es_column which, size_t least, size_t room, bool utf8)
{
    es_cell *cell = &cells[which];
    size_t all = total(cells), width = cell_width(cell);
    if (cell->absent || all <= room || width <= least)
        return;
    size_t over = all - room;
    es_text_shorten(&cell->text, width - least < over ? least : width - over, utf8);
}

void es_cells_fit(es_cell cells[ES_COLUMN_COUNT], size_t room, bool utf8)
{
    static const enum es_column leave_out[] = {ES_COLUMN_TIMES, ES_COLUMN_PLACE, ES_COLUMN_PATH, ES_COLUMN_TASK};
    if (total(cells) <= room)
        return;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        cells[i].fill = 0;
    take_from(cells, ES_COLUMN_PATH, 12, room, utf8);
    take_from(cells, ES_COLUMN_NAME, 12, room, utf8);
    take_from(cells, ES_COLUMN_VALUES, 16, room, utf8);
    take_from(cells, ES_COLUMN_NAME, 8, room, utf8);
    take_from(cells, ES_COLUMN_TASK, 8, room, utf8);
    take_from(cells, ES_COLUMN_PLACE, 10, room, utf8);
    for (size_t i = 0; i < sizeof leave_out / sizeof *leave_out && total(cells) > room; i++)
        cells[leave_out[i]].absent = true;
    take_from(cells, ES_COLUMN_VALUES, 1, room, utf8);
    take_from(cells, ES_COLUMN_NAME, 1, room, utf8);
}
