#include "terminal/top.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"
#include "report/columns.h"
#include "terminal/full.h"

#define HEAD_LINES 3 /* above the statements */
#define FOOT_LINES 2
#define NAME_MAX_WIDTH 24 /* of statements; on a wide terminal a quarter of it */

/* What statements are sorted by. */
enum sort { SORT_FILE, SORT_HITS, SORT_RATE, SORT_LAST, SORT_WORST, SORTS };
static const char *const sort_names[SORTS] = {"as written", "hits", "rate", "last hit", "worst time"};

struct es_top {
    const char *title;
    bool utf8, paused, help;
    enum sort sort;
    size_t first; /* statement that stands first, of those that do not fit */
    es_top_view view;
    size_t *order;
};

es_top *es_top_new(const char *title, bool color, bool utf8)
{
    if (!es_full_open(color, utf8))
        return NULL;
    es_top *top = es_malloc(sizeof *top);
    *top = (es_top){.title = title, .utf8 = utf8};
    return top;
}

void es_top_free(es_top *top)
{
    if (!top)
        return;
    es_top_view_free(&top->view);
    free(top->order);
    free(top);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static double sort_key(const es_top *top, size_t statement)
{
    const es_top_row *row = &top->view.rows[statement];
    switch (top->sort) {
    case SORT_HITS: return (double)row->hits;
    case SORT_RATE: return row->rate;
    case SORT_LAST: return row->hits ? (double)row->last : -1;
    case SORT_WORST: return row->has_worst ? (double)row->worst : -1;
    default: return -(double)statement;
    }
}

/* The highest first; equal ones as written. There are few. */
static void arrange(es_top *top)
{
    size_t count = top->view.schema->statement_count;
    top->order = es_realloc(top->order, (count + 1) * sizeof *top->order);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && sort_key(top, top->order[at - 1]) < sort_key(top, i); at--)
            top->order[at] = top->order[at - 1];
        top->order[at] = i;
    }
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* Eight heights, between the lowest and the highest of the samples. */
static void add_spark(es_text_buffer *out, const es_top *top, const es_top_row *row, size_t width)
{
    static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const plain[] = {"_", "_", ".", ".", "-", "-", "^", "^"};
    size_t from = row->sample_count > width ? row->sample_count - width : 0;
    double low = row->samples_values && from < row->sample_count ? row->samples[from] : 0, high = low;
    for (size_t i = from; i < row->sample_count; i++) {
        low = row->samples[i] < low ? row->samples[i] : low;
        high = row->samples[i] > high ? row->samples[i] : high;
    }
    for (size_t i = from; i < row->sample_count; i++) {
        double part = high > low ? (row->samples[i] - low) / (high - low) : 0;
        size_t height = part >= 0 && part <= 1 ? (size_t)(part * 7.999) : 0; /* NaN is low */
        es_text_format(out, "%s", (top->utf8 ? blocks : plain)[height]);
    }
}

/* Where columns stand, by the terminal's width: the last ones are left out where it is narrow. */
typedef struct columns {
    int name, hits, rate, worst, spark, values;
} columns;

static columns columns_of(const es_top *top)
{
    columns c = {.name = 9, .hits = 8, .rate = 7};
    for (size_t i = 0; i < top->view.schema->statement_count; i++) {
        int width = (int)es_shown_width(top->view.schema->statements[i].name);
        c.name = width > c.name ? width : c.name;
    }
    int most = COLS / 4 > NAME_MAX_WIDTH ? COLS / 4 : NAME_MAX_WIDTH;
    c.name = c.name > most ? most : c.name;
    c.name = c.name > COLS / 3 ? COLS / 3 : c.name;
    int left = COLS - c.name - c.hits - c.rate - 2;
    c.worst = left >= 34 ? 12 : 0;
    left -= c.worst ? c.worst + 1 : 0;
    c.spark = left >= 60 ? ES_TOP_SAMPLES : left >= 24 ? 12 : 0;
    left -= c.spark ? c.spark + 1 : 0;
    c.values = left - 1;
    return c;
}

static void draw_row(const es_top *top, int line, const columns *c, size_t statement)
{
    const es_top_row *row = &top->view.rows[statement];
    es_text_buffer text = {0};
    int at = 0;
    es_full_style(ES_FULL_NAME, A_BOLD);
    es_full_put(line, at, c->name, false, top->view.schema->statements[statement].name);
    at += c->name + 1;
    es_full_style(0, 0);
    es_text_format(&text, "%llu", (unsigned long long)row->hits);
    es_full_put(line, at, c->hits, true, text.text);
    at += c->hits + 1;
    es_text_clear(&text);
    es_figures_number(&text, row->rate);
    es_full_put(line, at, c->rate, true, text.text);
    at += c->rate + 1;
    es_text_clear(&text);
    es_text_add(&text, "", 0);
    if (row->has_worst)
        es_length_text(&text, es_time_ns(row->worst, top->view.schema->clock_hz), top->utf8);
    es_full_put(line, at, c->worst, true, text.text);
    at += c->worst ? c->worst + 1 : 0;
    es_text_clear(&text);
    es_text_add(&text, "", 0);
    add_spark(&text, top, row, (size_t)c->spark);
    es_full_style(ES_FULL_GOOD, 0);
    es_full_put(line, at, c->spark, true, text.text);
    at += c->spark ? c->spark + 1 : 0;
    es_full_style(0, 0);
    es_full_put(line, at, c->values, false, row->values);
    es_text_free(&text);
}

static void draw_head(const es_top *top, const columns *c)
{
    es_text_buffer text = {0};
    int at = 0;
    es_full_style(top->view.figures.lost ? ES_FULL_LOUD : 0, A_BOLD);
    es_text_add(&text, "", 0);
    es_figures_text(&text, &top->view.figures, top->view.schema, (size_t)COLS);
    es_full_put(0, 0, COLS, false, text.text);
    es_text_free(&text);
    es_full_style(0, A_DIM);
    es_full_put(1, 0, COLS, false, top->title);
    es_full_style(0, A_REVERSE);
    mvhline(2, 0, ' ', COLS);
    es_full_put(2, at, c->name, false, "statement");
    at += c->name + 1;
    es_full_put(2, at, c->hits, true, "hits");
    at += c->hits + 1;
    es_full_put(2, at, c->rate, true, "/s");
    at += c->rate + 1;
    es_full_put(2, at, c->worst, true, "worst");
    at += c->worst ? c->worst + 1 : 0;
    es_full_put(2, at, c->spark, true, "of late");
    at += c->spark ? c->spark + 1 : 0;
    es_full_put(2, at, c->values, false, "last values");
}

static void draw_help(void)
{
    static const char *const lines[] = {
        "keys",
        "  space   holds the screen, and lets it go on; the run goes on all the time",
        "  s       sorts by the next of: as written, hits, rate, last hit, worst time",
        "  w h r l t  sorts by one of them",
        "  up, down   other statements, where not all fit",
        "  q, ^C   ends the run, with its summary",
        "  ?       this, and back",
        "",
        "worst: the longest elapsed or age that was told; with --times, from an event to the end of its actions.",
        "of late: the first number of each hit, or else hits in each fifth of a second.",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        es_full_put(HEAD_LINES + (int)i, 0, COLS, false, lines[i]);
}

static void draw(es_top *top)
{
    es_text_buffer foot = {0};
    erase();
    if (top->view.schema) {
        columns c = columns_of(top);
        size_t count = top->view.schema->statement_count,
               shown = LINES > HEAD_LINES + FOOT_LINES ? (size_t)(LINES - HEAD_LINES - FOOT_LINES) : 0;
        top->first = count > shown && top->first > count - shown ? count - shown : count > shown ? top->first : 0;
        arrange(top);
        draw_head(top, &c);
        es_full_style(0, 0);
        for (size_t i = 0; i < shown && top->first + i < count && !top->help; i++)
            draw_row(top, HEAD_LINES + (int)i, &c, top->order[top->first + i]);
        es_full_style(0, 0);
        if (top->help)
            draw_help();
    }
    es_full_style(0, A_DIM);
    es_full_put(LINES - 2, 0, COLS, false, top->view.note);
    es_full_style(top->paused ? ES_FULL_LOUD : 0, top->paused ? A_BOLD : A_DIM);
    es_text_format(&foot, "%sspace pause  s sort: %s  ? help  q end", top->paused ? "PAUSED  " : "",
                   sort_names[top->sort]);
    es_full_put(LINES - 1, 0, COLS - 1, false, foot.text);
    es_text_free(&foot);
    refresh();
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static bool take_key(es_top *top, int key)
{
    static const char sorts[] = "whrlt";
    const char *sort = key > 0 && key < 128 ? strchr(sorts, key) : NULL;
    if (sort && *sort)
        top->sort = (enum sort)(sort - sorts);
    switch (key) {
    case 'q':
    case 'Q': return false;
    case ' ': top->paused = !top->paused; break;
    case '?': top->help = !top->help; break;
    case 's': top->sort = (enum sort)((top->sort + 1) % SORTS); break;
    case KEY_UP: top->first -= top->first > 0; break;
    case KEY_DOWN: top->first++; break;
    default: break; /* KEY_RESIZE: it is drawn again */
    }
    return true;
}

bool es_top_step(es_top *top, es_model *model, int ms)
{
    if (!top->paused)
        es_model_look(model, &top->view);
    draw(top);
    timeout(ms);
    bool goes_on = true;
    for (int key; (key = getch()) != ERR && goes_on; timeout(0))
        goes_on = take_key(top, key);
    return goes_on;
}
