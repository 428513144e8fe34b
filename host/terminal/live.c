#include "terminal/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "report/columns.h"
#include "report/parts.h"
#include "terminal/figures.h"
#include "terminal/gaps.h"
#include "terminal/screen.h"

#define HELD_MAX (16u << 20) /* bytes of lines that a pause keeps */
#define LOOK_S 0.02          /* between looks at keys */
#define DRAW_S 0.2           /* between drawings of what has not been taken away */
#define TOGGLED_MAX 9        /* statements that have a key */

struct es_live {
    es_report *report;
    es_report_config config;
    es_figures figures;
    const es_schema *schema;
    bool shows_hits;
    bool ended, over;         /* the user wants it to end; the summary has come */
    double looked, drew;      /* when */
    es_text_buffer filter;    /* hits without it are not shown; empty: all are */
    es_text_buffer typed;     /* what is being typed after / */
    bool typing, skipping;    /* ... now; in the middle of what a key that is no character sends */
    bool hidden[TOGGLED_MAX]; /* statements whose hits are not shown */
    uint64_t left_out;        /* hits that were not shown */
    es_gaps gaps;             /* that are not shown yet: others may follow */
    bool paused;
    uint64_t held_hits;
    es_text_buffer held[1]; /* lines of a pause: '0' of stderr or '1' of stdout, line, NUL */
};

bool es_live_possible(void)
{
    return es_screen_usable();
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* --- output ------------------------------------------------------------------------------------------------------- */

static bool put(bool result, const char *bytes, size_t size)
{
    FILE *out = result ? stdout : stderr;
    es_screen_erase();
    errno = 0;
    return fwrite(bytes, 1, size, out) == size && fflush(out) == 0;
}

static void say(es_live *live, const char *text)
{
    es_text_buffer line = {0};
    if (live->config.quiet)
        return;
    es_text_format(&line, "earshot: %s\n", text);
    put(false, line.text, line.length);
    es_text_free(&line);
}

static bool resume(es_live *live)
{
    bool good = true;
    const char *at = live->held->text, *end = at + live->held->length;
    live->paused = false;
    live->held_hits = 0;
    while (at && at < end) {
        size_t length = strlen(at + 1);
        good = put(*at == '1', at + 1, length) && good;
        at += length + 2;
    }
    es_text_free(live->held);
    return good;
}

static bool hold(es_live *live, bool result, const char *bytes, size_t size)
{
    if (live->held->length + size > HELD_MAX) {
        bool good = resume(live);
        say(live, "the pause is over: more lines than it can keep, 16 MiB, have come");
        return put(result, bytes, size) && good;
    }
    es_text_add(live->held, result ? "1" : "0", 1);
    es_text_add(live->held, bytes, size);
    es_text_add(live->held, "", 1);
    return true;
}

static bool write_out(void *context, bool result, const char *bytes, size_t size)
{
    es_live *live = context;
    return live->paused ? hold(live, result, bytes, size) : put(result, bytes, size);
}

/* --- the line below ----------------------------------------------------------------------------------------------- */

static void add_state(es_text_buffer *out, const es_live *live)
{
    unsigned hidden = 0;
    for (size_t i = 0; i < TOGGLED_MAX; i++)
        hidden += live->hidden[i];
    if (live->typing)
        es_text_format(out, "/%s_", live->typed.text ? live->typed.text : "");
    else if (live->paused)
        es_text_format(out, "PAUSED: %" PRIu64 " held", live->held_hits);
    if (live->filter.length && !live->typing)
        es_text_format(out, "%s/%s", out->length ? "  " : "", live->filter.text);
    if (hidden)
        es_text_format(out, "%s%u hidden", out->length ? "  " : "", hidden);
    if (live->gaps.count > 1)
        es_text_format(out, "%s%" PRIu64 " gaps", out->length ? "  " : "", live->gaps.count);
    if (live->left_out)
        es_text_format(out, "%s%" PRIu64 " not shown", out->length ? "  " : "", live->left_out);
}

static void draw(es_live *live)
{
    size_t width = es_terminal_width(), room = width > 1 ? width - 1 : 0;
    es_text_buffer state = {0}, line = {0}, shown = {0};
    const char *keys = live->typing ? "Enter: only hits with it" : "space pause  / filter  q end  ? more";
    es_text_add(&line, "", 0);
    es_text_add(&state, "", 0);
    add_state(&state, live);
    if (es_shown_width(state.text) > room)
        es_text_shorten(&state, room, live->config.utf8);
    size_t taken = es_shown_width(state.text);
    if (taken + 2 < room)
        es_figures_text(&line, &live->figures, live->schema, room - taken - (taken ? 2 : 0));
    taken += line.length ? es_shown_width(line.text) + (taken ? 2 : 0) : 0;
    if (taken + 4 + es_shown_width(keys) > room && !live->typing)
        keys = "space / q ?";
    bool told = taken + 4 + es_shown_width(keys) <= room;
    if (live->config.color)
        es_text_format(&shown, "%s%s\033[0m%s\033[2m%s%s%s\033[0m",
                       live->paused || live->typing ? "\033[1;33m" : "\033[1m", state.text,
                       state.length && line.length ? "  " : "", line.text, told ? "    " : "", told ? keys : "");
    else
        es_text_format(&shown, "%s%s%s%s%s", state.text, state.length && line.length ? "  " : "", line.text,
                       told ? "    " : "", told ? keys : "");
    es_screen_draw(shown.text);
    live->drew = now();
    es_text_free(&state);
    es_text_free(&line);
    es_text_free(&shown);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static void tell_keys(es_live *live)
{
    es_text_buffer text = {0};
    say(live, "space pauses and goes on, / shows only hits with a text, 1 to 9 hide a statement or show it again, 0 "
              "shows all, q ends the run");
    for (size_t i = 0; live->schema && i < live->schema->statement_count && i < TOGGLED_MAX; i++) {
        es_text_clear(&text);
        es_text_format(&text, "  %zu %s%s", i + 1, live->schema->statements[i].name,
                       live->hidden[i] ? " (hidden)" : "");
        say(live, text.text);
    }
    es_text_free(&text);
}

/* The last character goes, all of its bytes. */
static void take_back(es_text_buffer *text)
{
    while (text->length && ((unsigned char)text->text[--text->length] & 0xC0) == 0x80)
        ;
    if (text->text)
        text->text[text->length] = 0;
}

static void type(es_live *live, int key)
{
    char byte = (char)key;
    if (key == '\n' || key == '\r' || key == 27) {
        if (key != 27) {
            es_text_clear(&live->filter);
            es_text_add(&live->filter, live->typed.text ? live->typed.text : "", live->typed.length);
        }
        live->typing = false;
        live->skipping = key == 27;
    } else if (key == 127 || key == 8) {
        take_back(&live->typed);
    } else if (key >= ' ') {
        es_text_add(&live->typed, &byte, 1);
    }
}

static void take_key(es_live *live, int key)
{
    if (live->skipping) { /* "\033[A": up to its letter */
        live->skipping = key == '[' || key == 'O' || key == ';' || (key >= '0' && key <= '9');
        return;
    }
    if (live->typing) {
        type(live, key);
        return;
    }
    switch (key) {
    case 27: live->skipping = true; break;
    case 'q':
    case 'Q': live->ended = true; break;
    case ' ':
        if (live->paused)
            resume(live);
        else
            live->paused = true;
        break;
    case '/':
        live->typing = true;
        es_text_clear(&live->typed);
        break;
    case '0': memset(live->hidden, 0, sizeof live->hidden); break;
    case '?':
    case 'h': tell_keys(live); break;
    default:
        if (key >= '1' && key <= '9' && live->schema && (size_t)(key - '1') < live->schema->statement_count)
            live->hidden[key - '1'] = !live->hidden[key - '1'];
    }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static bool is_shown(const es_live *live, const es_schema *schema, const es_hit *hit)
{
    if (hit->statement < TOGGLED_MAX && live->hidden[hit->statement])
        return false;
    if (!live->filter.length)
        return true;
    es_text_buffer text = {0};
    es_text_format(&text, "%s  ", schema->statements[hit->statement].name);
    es_part_line(&text, schema, hit, live->config.utf8);
    bool found = strstr(text.text, live->filter.text);
    es_text_free(&text);
    return found;
}

static bool hides(void *context, const es_schema *schema, const es_hit *hit)
{
    es_live *live = context;
    bool shown = is_shown(live, schema, hit);
    live->left_out += !shown;
    live->held_hits += shown && live->paused;
    return !shown;
}

/* What is inferred of a hit is shown where the hit was. */
static bool is_inferred_shown(const es_live *live, const es_record *record)
{
    const es_inferred *inferred = record->inferred;
    const es_hit hit = {.time = inferred->time,
                        .statement = inferred->statement,
                        .path = inferred->path_count ? inferred->paths[0].path : 0};
    return record->schema && live->shows_hits && !live->paused && is_shown(live, record->schema, &hit);
}

/* Whether something is about to be shown below the gaps before it. */
static bool ends_gaps(const es_live *live, const es_record *record)
{
    if (record->kind == ES_RECORD_HIT)
        return live->shows_hits && is_shown(live, record->schema, record->hit);
    if (record->kind == ES_RECORD_INFERRED)
        return is_inferred_shown(live, record);
    return record->kind != ES_RECORD_PROGRESS && record->kind != ES_RECORD_CLOCK;
}

static void take(void *context, const es_record *record)
{
    es_live *live = context;
    const es_sink sink = es_report_sink(live->report);
    es_figures_take(&live->figures, record);
    if (record->kind == ES_RECORD_LOST) {
        live->schema = record->schema;
        es_gaps_add(&live->gaps, record->lost);
        return;
    }
    if (ends_gaps(live, record))
        es_gaps_give(&live->gaps, live->schema, &sink);
    if (record->schema)
        live->schema = record->schema;
    if (record->kind == ES_RECORD_SUMMARY) {
        live->over = true;
        resume(live);
        es_screen_close();
    }
    if (record->kind == ES_RECORD_INFERRED ? is_inferred_shown(live, record)
                                           : record->kind != ES_RECORD_HIT || live->shows_hits)
        es_sink_give(&sink, record);
}

bool es_live_poll(es_live *live)
{
    double at = now();
    if (live->over || at - live->looked < LOOK_S)
        return !live->ended;
    live->looked = at;
    if (!es_screen_in_front())
        return !live->ended;
    bool typed = false;
    for (int key; (key = es_screen_key()) >= 0; typed = true)
        take_key(live, key);
    live->skipping = live->skipping && !typed ? false : live->skipping; /* Escape alone */
    if (!live->config.quiet && (typed || !es_screen_drawn() || at - live->drew >= DRAW_S))
        draw(live);
    return !live->ended;
}

es_live *es_live_new(const es_report_config *config, bool hits)
{
    es_live *live = es_malloc(sizeof *live);
    memset(live, 0, sizeof *live);
    live->config = *config;
    live->shows_hits = hits;
    live->config.out = (es_report_out){write_out, hides, live};
    live->report = es_report_new(&live->config);
    es_screen_open();
    return live;
}

void es_live_finish(es_live *live)
{
    const es_sink sink = es_report_sink(live->report);
    es_gaps_give(&live->gaps, live->schema, &sink);
    es_report_finish(live->report);
}

void es_live_free(es_live *live)
{
    if (!live)
        return;
    resume(live);
    es_screen_close();
    es_report_free(live->report);
    es_text_free(&live->filter);
    es_text_free(&live->typed);
    free(live);
}

es_sink es_live_sink(es_live *live)
{
    return (es_sink){take, live};
}

es_report *es_live_report(es_live *live)
{
    return live->report;
}
