#include "report/columns.h"

#include <stdint.h>
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

/* --- a line of columns ------------------------------------------------------------------------------------------- */

/* How wide each column is to be; 0: it is not shown. */
typedef struct widths {
    size_t of[ES_COLUMN_COUNT];
} widths;

static size_t total(const widths *w)
{
    size_t sum = 0;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        sum += w->of[i] ? w->of[i] + (i ? 2 : 0) : 0;
    return sum;
}

static size_t shown_width(const es_cell *cell)
{
    return cell->text.text ? es_shown_width(cell->text.text) : 0;
}

/* Takes from a column what does not fit, down to `least`. */
static void take_from(widths *w, enum es_column which, size_t least, size_t room)
{
    size_t all = total(w), width = w->of[which];
    if (all <= room || width <= least)
        return;
    w->of[which] = width - least < all - room ? least : width - (all - room);
}

/* Gives a column room that is left, as far as its text needs it. */
static void give_to(widths *w, const es_cell *cells, enum es_column which, size_t room)
{
    size_t all = total(w), shown = shown_width(&cells[which]);
    if (all >= room || shown <= w->of[which] || !w->of[which])
        return;
    size_t more = shown - w->of[which];
    w->of[which] += more < room - all ? more : room - all;
}

/* As narrow as columns get before whole ones are left out. */
static size_t least_total(const widths *w)
{
    static const size_t least[ES_COLUMN_COUNT] = {
        [ES_COLUMN_NAME] = 8,  [ES_COLUMN_VALUES] = 16, [ES_COLUMN_TASK] = 8,
        [ES_COLUMN_PATH] = 12, [ES_COLUMN_PLACE] = 10,  [ES_COLUMN_TIMES] = SIZE_MAX};
    widths narrow = *w;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        narrow.of[i] = narrow.of[i] < least[i] ? narrow.of[i] : least[i];
    return total(&narrow);
}

/* Widths that depend on the columns' widths so far, and not on this line: so lines stand below each other. */
static widths lay_out(const es_cell cells[ES_COLUMN_COUNT], size_t room)
{
    static const enum es_column leave_out[] = {ES_COLUMN_TIMES, ES_COLUMN_PLACE, ES_COLUMN_PATH, ES_COLUMN_TASK};
    widths w;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        w.of[i] = cells[i].fill || cells[i].absent ? cells[i].fill : shown_width(&cells[i]);
    for (size_t i = 0; i < sizeof leave_out / sizeof *leave_out && least_total(&w) > room; i++)
        w.of[leave_out[i]] = 0;
    take_from(&w, ES_COLUMN_PATH, 12, room);
    take_from(&w, ES_COLUMN_NAME, 12, room);
    take_from(&w, ES_COLUMN_VALUES, 16, room);
    take_from(&w, ES_COLUMN_NAME, 8, room);
    take_from(&w, ES_COLUMN_TASK, 8, room);
    take_from(&w, ES_COLUMN_PLACE, 10, room);
    take_from(&w, ES_COLUMN_VALUES, 1, room);
    take_from(&w, ES_COLUMN_NAME, 1, room);
    give_to(&w, cells, ES_COLUMN_VALUES, room);
    give_to(&w, cells, ES_COLUMN_NAME, room);
    give_to(&w, cells, ES_COLUMN_PATH, room);
    return w;
}

static bool fits(const es_cell cells[ES_COLUMN_COUNT], size_t room)
{
    size_t sum = 0;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++) {
        size_t shown = shown_width(&cells[i]), width = shown > cells[i].fill ? shown : cells[i].fill;
        sum += cells[i].absent && !cells[i].fill ? 0 : width + (i ? 2 : 0);
    }
    return sum <= room;
}

void es_cells_fit(es_cell cells[ES_COLUMN_COUNT], size_t room, bool utf8)
{
    if (fits(cells, room))
        return;
    const widths w = lay_out(cells, room);
    size_t last = 0, taken = 0;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++) {
        cells[i].absent |= !w.of[i];
        last = cells[i].absent ? last : i;
    }
    for (size_t i = 0; i <= last; i++) {
        if (cells[i].absent)
            continue;
        taken += i ? 2 : 0;
        size_t most = i == last && room > taken + w.of[i] ? room - taken : w.of[i];
        if (shown_width(&cells[i]) > most)
            es_text_shorten(&cells[i].text, most, utf8);
        cells[i].fill = w.of[i];
        taken += w.of[i];
    }
}
