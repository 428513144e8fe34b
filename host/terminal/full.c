#include "terminal/full.h"

#include <string.h>

#include "report/columns.h"

static bool has_color, has_utf8;

bool es_full_open(bool color, bool utf8)
{
    if (!newterm(NULL, stdout, stdin))
        return false;
    has_color = color && has_colors();
    has_utf8 = utf8;
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    if (has_color) {
        start_color();
        use_default_colors();
        init_pair(ES_FULL_NAME, COLOR_CYAN, -1);
        init_pair(ES_FULL_GOOD, COLOR_GREEN, -1);
        init_pair(ES_FULL_LOUD, COLOR_RED, -1);
    }
    return true;
}

void es_full_close(void)
{
    endwin();
}

void es_full_style(int color, attr_t attributes)
{
    attrset(attributes | (has_color ? COLOR_PAIR(color) : 0));
}

void es_full_put(int line, int column, int width, bool right, const char *text)
{
    es_text_buffer shown = {0};
    if (width <= 0 || line < 0 || line >= LINES || column + width > COLS)
        return;
    es_text_add(&shown, text, strlen(text));
    if (es_shown_width(shown.text) > (size_t)width)
        es_text_shorten(&shown, (size_t)width, has_utf8);
    int blanks = width - (int)es_shown_width(shown.text);
    mvprintw(line, column + (right ? blanks : 0), "%s", shown.text);
    es_text_free(&shown);
}
