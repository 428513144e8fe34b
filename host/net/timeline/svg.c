/* Drawing. All positions are tenths of a pixel in whole numbers, so that the bytes depend on nothing else. */
#include <inttypes.h>
#include <string.h>

#include "net/timeline/private.h"

#define LEFT 132 /* pixels for the lanes' labels */
#define RIGHT 24
#define TOP 84     /* title, legend, axis */
#define BAR 24     /* height of a track */
#define BETWEEN 22 /* between the tracks of a lane: the lines that connect */
#define LANE_GAP 26
#define LANE (2 * BAR + BETWEEN + LANE_GAP)
#define WIDTH_MIN 900
#define WIDTH_MAX 12000
#define WIDTH_PER_BAR 30
#define LETTER 62 /* tenths of a pixel a letter of 10.5 px takes, at most on average */
#define FLAG_LINE 19
#define KEY_LINE 17

struct drawing {
    const es_net_timeline *t;
    es_text_buffer *out;
    es_arena *arena;
    es_net_bar *observed, *recovered; /* sorted */
    int64_t begin, end;               /* ticks at the edges */
    int64_t width, height;            /* pixels; width of the time axis */
};

/* Fills that are told apart in print too; the label says what it is. */
static const char *const fills[] = {"#a6c8e4", "#f6c99f", "#b5d8ad", "#e6b3c0",
                                    "#c9c0e2", "#f1dc92", "#a9d9d4", "#d9c4b1"};

static const char *fill_of(uint32_t transition)
{
    return fills[transition % (sizeof fills / sizeof *fills)];
}

static void put_escaped(es_text_buffer *out, const char *text)
{
    for (size_t room = strlen(text); room;) {
        size_t length = es_utf8_length(text, room);
        if (length == 0 || ((unsigned char)*text < ' ' || *text == 0x7F)) {
            es_text_add(out, "\xEF\xBF\xBD", 3);
            length = 1;
        } else if (*text == '<' || *text == '&' || *text == '>') {
            es_text_format(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        } else {
            es_text_add(out, text, length);
        }
        text += length;
        room -= length;
    }
}

/* Tenths of a pixel as a number. */
static void put_tenths(es_text_buffer *out, const char *before, int64_t tenths)
{
    es_text_format(out, "%s%s%" PRId64 ".%" PRId64, before, tenths < 0 ? "-" : "", (tenths < 0 ? -tenths : tenths) / 10,
                   (tenths < 0 ? -tenths : tenths) % 10);
}

static int64_t x_of(const struct drawing *d, int64_t time)
{
    if (time < d->begin)
        time = d->begin;
    if (time > d->end)
        time = d->end;
    return INT64_C(10) * LEFT + (int64_t)((__int128)(time - d->begin) * d->width * 10 / (d->end - d->begin));
}

static int64_t observed_y(uint32_t lane)
{
    return TOP + (int64_t)lane * LANE;
}

static int64_t recovered_y(uint32_t lane)
{
    return observed_y(lane) + BAR + BETWEEN;
}

static int64_t letters(const char *text)
{
    int64_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* 1, 2 or 5 times a power of ten, so that steps are at least 70 pixels wide. */
static int64_t axis_step(const struct drawing *d)
{
    int64_t step = 1;
    for (int i = 0; (__int128)step * d->width < (__int128)70 * (d->end - d->begin); i++)
        step = step / (i % 3 == 1 ? 2 : 1) * (i % 3 == 1 ? 5 : 2);
    return step;
}

static void put_axis(struct drawing *d)
{
    int64_t step = axis_step(d), bottom = observed_y(d->t->lane_count) - LANE_GAP + 8;
    int64_t first = d->begin / step * step;
    if (first < d->begin)
        first += step;
    for (int64_t time = first; time <= d->end; time += step) {
        put_tenths(d->out, "<path class=\"grid\" d=\"M", x_of(d, time));
        es_text_format(d->out, " %dV%" PRId64 "\"/>", TOP - 10, bottom);
        put_tenths(d->out, "<text class=\"axis\" x=\"", x_of(d, time));
        es_text_format(d->out, "\" y=\"%d\">%" PRId64 "</text>\n", TOP - 15, time);
    }
    if (d->t->net->tick) {
        int64_t half = 4; /* the width of the first number's left half; it may stand where the axis begins */
        for (int64_t rest = first / 10; rest; rest /= 10)
            half += 4;
        es_text_format(d->out, "<text class=\"unit\" x=\"%" PRId64 "\" y=\"%d\">", LEFT - 6 - half, TOP - 15);
        put_escaped(d->out, d->t->net->tick);
        es_text_format(d->out, "</text>\n");
    }
}

static void put_legend(struct drawing *d)
{
    static const struct {
        const char *style, *text;
        int64_t width;
    } entries[] = {
        {"fill=\"#a6c8e4\" stroke=\"#44525e\"", "totally recovered", 122},
        {"fill=\"#fff\" stroke=\"#44525e\" stroke-dasharray=\"3 2\"", "possibly recovered", 128},
        {"fill=\"url(#pasted)\" stroke=\"#6a3d9a\"", "pasted", 66},
        {"fill=\"url(#lost)\" stroke=\"#888\"", "after lost marks", 122},
        {"fill=\"#d9480f\" stroke=\"none\"", "time that a mark took", 146},
    };
    int64_t x = LEFT;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        es_text_format(d->out,
                       "<rect x=\"%" PRId64
                       "\" y=\"36\" width=\"14\" height=\"11\" rx=\"2\" %s/><text class=\"legend\" x=\"%" PRId64
                       "\" y=\"46\">%s</text>\n",
                       x, entries[i].style, x + 19, entries[i].text);
        x += 19 + entries[i].width;
    }
    es_text_format(d->out,
                   "<circle cx=\"%" PRId64 "\" cy=\"41.5\" r=\"6\" class=\"dot\"/><text class=\"legend\" x=\"%" PRId64
                   "\" y=\"46\">change of behaviour</text>\n",
                   x + 6, x + 17);
}

static void put_head(struct drawing *d)
{
    int64_t full = LEFT + d->width + RIGHT;
    es_text_format(d->out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64 "\" height=\"%" PRId64
                   "\" viewBox=\"0 0 %" PRId64 " %" PRId64
                   "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
                   full, d->height, full, d->height);
    es_text_format(
        d->out,
        "<style>\n"
        ".title{font-size:16px;font-weight:bold;fill:#1b2733}.legend,.flag{font-size:12px;fill:#1b2733}\n"
        ".axis{font-size:11px;fill:#55626e;text-anchor:middle}.unit{font-size:11px;fill:#55626e;text-anchor:end}\n"
        ".lane{font-size:13px;font-weight:bold;fill:#1b2733;text-anchor:end}\n"
        ".track{font-size:10.5px;fill:#55626e;text-anchor:end}\n"
        ".key{font-size:10.5px;fill:#1b2733}.swatch{stroke:#44525e;stroke-width:.7}\n"
        ".name{font-size:10.5px;fill:#1b2733;text-anchor:middle}\n"
        ".number{font-size:9.5px;font-weight:bold;fill:#fff;text-anchor:middle}\n"
        ".grid{stroke:#d5dade;stroke-width:1;fill:none}.link{stroke:#8d99a5;stroke-width:.8;fill:none}\n"
        ".bar{stroke:#44525e;stroke-width:.7}.mark{fill:#d9480f}.tip{fill:#44525e}\n"
        ".dot{fill:#c2185b}.change{stroke:#c2185b;stroke-width:1.6;fill:none}\n"
        "</style>\n"
        "<defs>\n<pattern id=\"pasted\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\">"
        "<rect width=\"6\" height=\"6\" fill=\"#efe6f7\"/><rect width=\"2\" height=\"6\" fill=\"#c7aee0\"/></pattern>"
        "<pattern id=\"lost\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"5\" height=\"5\" fill=\"#f3f3f3\"/>"
        "<circle cx=\"1.5\" cy=\"1.5\" r=\"1\" fill=\"#a5a5a5\"/></pattern></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    es_text_format(d->out, "<text class=\"title\" x=\"14\" y=\"23\">");
    put_escaped(d->out, d->t->net->name);
    es_text_format(d->out, ": as observed, and without monitoring</text>\n");
}

static void put_title(struct drawing *d, const es_net_bar *bar, bool recovered)
{
    const es_net_transition *transition = &d->t->net->transitions[bar->transition];
    es_text_format(d->out, "<title>");
    put_escaped(d->out, transition->name);
    if (recovered && bar->observed == INT64_MIN) {
        es_text_format(d->out, " %" PRIu64 "\nat %" PRId64 "\n%s recovered, not measured", bar->number, bar->time,
                       es_net_class_name(bar->certainty));
    } else if (recovered) {
        es_text_format(d->out, " %" PRIu64 "\nat %" PRId64 ", observed at %" PRId64 "\n%s recovered, line %" PRIu64,
                       bar->number, bar->time, bar->observed, es_net_class_name(bar->certainty), bar->line);
    } else {
        es_text_format(d->out, "\nobserved at %" PRId64 ", mark %" PRId64 "\nline %" PRIu64, bar->time, bar->mark,
                       bar->line);
    }
    if (transition->source) {
        es_text_format(d->out, "\n");
        put_escaped(d->out, transition->source);
    }
    es_text_format(d->out, "</title>");
}

/* The stretch from `start` to the event, its name in it where there is room. */
static void put_bar(struct drawing *d, const es_net_bar *bar, int64_t start, bool recovered)
{
    static const char *const styles[] = {"", " stroke-dasharray=\"3 2\" fill-opacity=\".35\"", "", ""};
    const char *fill = fill_of(bar->transition);
    if (recovered && bar->certainty == ES_NET_PASTED)
        fill = "url(#pasted)";
    if (recovered && bar->certainty == ES_NET_LOST)
        fill = "url(#lost)";
    int64_t left = x_of(d, start), right = x_of(d, bar->time),
            y = recovered ? recovered_y(bar->lane) : observed_y(bar->lane);
    es_text_format(d->out, "<g>");
    put_title(d, bar, recovered);
    put_tenths(d->out, "<rect class=\"bar\" x=\"", left);
    put_tenths(d->out, "\" width=\"", right - left);
    es_text_format(d->out, "\" y=\"%" PRId64 "\" height=\"%d\" rx=\"2\" fill=\"%s\"%s/>", y, BAR, fill,
                   recovered ? styles[bar->certainty] : "");
    if (bar->mark > 0) {
        int64_t mark = x_of(d, bar->time - bar->mark < start ? start : bar->time - bar->mark);
        put_tenths(d->out, "<rect class=\"mark\" x=\"", mark);
        put_tenths(d->out, "\" width=\"", right - mark);
        es_text_format(d->out, "\" y=\"%" PRId64 "\" height=\"5\"/>", y + BAR - 5);
    }
    if (right - left < 20) { /* too narrow to be seen: a small triangle points at it */
        put_tenths(d->out, "<path class=\"tip\" d=\"M", right);
        es_text_format(d->out, " %" PRId64 "l-3 -5h6z\"/>", y);
    }
    const char *name = d->t->net->transitions[bar->transition].name;
    if (letters(name) * LETTER + 40 < right - left) {
        put_tenths(d->out, "<text class=\"name\" x=\"", (left + right) / 2);
        es_text_format(d->out, "\" y=\"%" PRId64 "\">", y + 14);
        put_escaped(d->out, name);
        es_text_format(d->out, "</text>");
    }
    es_text_format(d->out, "</g>\n");
}

static void put_bars(struct drawing *d, const es_net_bar *bars, size_t count, bool recovered)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t *before = recovered ? d->t->recovered_before : d->t->observed_before;
        int64_t start = i && bars[i - 1].lane == bars[i].lane ? bars[i - 1].time : before[bars[i].lane];
        put_bar(d, &bars[i], start < d->begin ? d->begin : start, recovered);
    }
}

/* From where an event was observed to where it is recovered. */
static void put_links(struct drawing *d)
{
    for (size_t i = 0; i < d->t->recovered_count; i++) {
        const es_net_bar *bar = &d->recovered[i];
        if (bar->observed < d->begin || bar->observed > d->end)
            continue;
        put_tenths(d->out, "<path class=\"link\" d=\"M", x_of(d, bar->observed));
        es_text_format(d->out, " %" PRId64, observed_y(bar->lane) + BAR);
        put_tenths(d->out, "L", x_of(d, bar->time));
        es_text_format(d->out, " %" PRId64 "\"/>\n", recovered_y(bar->lane));
    }
}

static void put_number(struct drawing *d, int64_t x, int64_t y, size_t number)
{
    put_tenths(d->out, "<circle class=\"dot\" r=\"7\" cx=\"", x);
    es_text_format(d->out, "\" cy=\"%" PRId64 "\"/>", y);
    put_tenths(d->out, "<text class=\"number\" x=\"", x);
    es_text_format(d->out, "\" y=\"%" PRId64 ".4\">%zu</text>\n", y + 3, number);
}

static void put_flags(struct drawing *d)
{
    for (size_t i = 0; i < d->t->flag_count; i++) {
        const es_net_flag *flag = &d->t->flags[i];
        uint32_t lane = flag->lane == ES_NET_NONE ? 0 : flag->lane;
        int64_t x = x_of(d, flag->recovered), y = recovered_y(lane);
        if (d->t->lane_count == 0)
            continue;
        if (flag->has_observed && flag->observed >= d->begin && flag->observed <= d->end) {
            put_tenths(d->out, "<path class=\"change\" d=\"M", x_of(d, flag->observed));
            es_text_format(d->out, " %" PRId64 "V%" PRId64 "\"/>", observed_y(lane) - 3, observed_y(lane) + BAR + 2);
        }
        put_tenths(d->out, "<path class=\"change\" d=\"M", x);
        es_text_format(d->out, " %" PRId64 "V%" PRId64 "\"/>", y - 2, y + BAR + 3);
        put_number(d, x, y + BAR + 9, i + 1);
    }
}

static void put_key(struct drawing *d, uint32_t transition, int64_t x, int64_t y)
{
    es_text_format(d->out,
                   "<rect class=\"swatch\" x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"12\" height=\"9\" rx=\"2\" "
                   "fill=\"%s\"/><text class=\"key\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">",
                   x, y - 8, fill_of(transition), x + 16, y);
    put_escaped(d->out, d->t->net->transitions[transition].name);
    es_text_format(d->out, "</text>\n");
}

/* The keys of one lane from `y` on: those transitions that are in the picture. Returns the number of lines. */
static int64_t put_lane_keys(struct drawing *d, uint32_t lane, const bool *seen, int64_t y, bool draw)
{
    int64_t lines = 0, x = LEFT;
    for (uint32_t i = 0; i < d->t->net->transition_count; i++) {
        if (!seen[i] || d->t->lane_of[i] != lane)
            continue;
        int64_t width = 30 + letters(d->t->net->transitions[i].name) * LETTER / 10;
        if (lines == 0 || x + width > LEFT + d->width) {
            x = LEFT;
            lines++;
        }
        if (draw)
            put_key(d, i, x, y + lines * KEY_LINE);
        x += width;
    }
    if (draw && lines) {
        es_text_format(d->out, "<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">", LEFT - 10, y + KEY_LINE);
        put_escaped(d->out, d->t->lanes[lane]);
        es_text_format(d->out, "</text>\n");
    }
    return lines;
}

/* Which fill is which transition, for each lane with events.
 * Returns the number of lines; draws them only when told so. */
static int64_t put_keys(struct drawing *d, int64_t y, bool draw)
{
    const es_net_timeline *t = d->t;
    bool *seen = es_arena_alloc(d->arena, t->net->transition_count + 1),
         *used = es_arena_alloc(d->arena, t->lane_count + 1);
    int64_t lines = 0;
    for (size_t i = 0; i < t->observed_count; i++)
        seen[t->observed[i].transition] = used[t->observed[i].lane] = true;
    for (size_t i = 0; i < t->recovered_count; i++)
        seen[t->recovered[i].transition] = used[t->recovered[i].lane] = true;
    for (uint32_t lane = 0; lane < t->lane_count; lane++)
        if (used[lane])
            lines += put_lane_keys(d, lane, seen, y + lines * KEY_LINE, draw);
    return lines;
}

/* What the numbers mean, below the lanes. */
static void put_list(struct drawing *d)
{
    int64_t y = observed_y(d->t->lane_count) - 6;
    y += put_keys(d, y, true) * KEY_LINE + 26;
    for (size_t i = 0; i < d->t->flag_count; i++, y += FLAG_LINE) {
        put_number(d, 300, y - 4, i + 1);
        es_text_format(d->out, "<text class=\"flag\" x=\"46\" y=\"%" PRId64 "\">", y);
        put_escaped(d->out, d->t->flags[i].text);
        es_text_format(d->out, "</text>\n");
    }
    if (d->t->left_out)
        es_text_format(d->out,
                       "<text class=\"flag\" x=\"24\" y=\"%" PRId64 "\">%zu %s left out; choose a shorter span of time."
                       "</text>\n",
                       y, d->t->left_out, es_plural(d->t->left_out, "event or change was", "events or changes were"));
}

static void widen(struct drawing *d, int64_t time)
{
    d->begin = time < d->begin ? time : d->begin;
    d->end = time > d->end ? time : d->end;
}

/* The span of time that is drawn: the window as far as there is something in it. */
static void measure(struct drawing *d)
{
    const es_net_timeline *t = d->t;
    size_t most = 0, run = 0;
    d->begin = t->from > 0 ? t->from : 0;
    d->end = d->begin;
    for (size_t i = 0; i < t->observed_count; i++) {
        widen(d, d->observed[i].time);
        run = i && d->observed[i - 1].lane == d->observed[i].lane ? run + 1 : 1;
        most = run > most ? run : most;
    }
    for (size_t i = 0; i < t->recovered_count; i++)
        widen(d, d->recovered[i].time);
    if (d->end == d->begin)
        d->end++;
    d->width = (int64_t)most * WIDTH_PER_BAR;
    d->width = d->width < WIDTH_MIN ? WIDTH_MIN : d->width > WIDTH_MAX ? WIDTH_MAX : d->width;
    d->height = observed_y(t->lane_count) - 6 + put_keys(d, 0, false) * KEY_LINE +
                (int64_t)(t->flag_count + (t->left_out ? 1 : 0)) * FLAG_LINE + 16;
}

void es_net_timeline_svg(const es_net_timeline *timeline, es_text_buffer *out)
{
    struct drawing d = {.out = out, .arena = es_arena_new()};
    const es_net_timeline *t = d.t = es_net_timeline_seen(timeline, d.arena);
    d.observed = es_net_timeline_sorted(t, t->observed, t->observed_count, d.arena);
    d.recovered = es_net_timeline_sorted(t, t->recovered, t->recovered_count, d.arena);
    measure(&d);
    put_head(&d);
    put_legend(&d);
    put_axis(&d);
    for (uint32_t lane = 0; lane < t->lane_count; lane++) {
        es_text_format(out, "<text class=\"lane\" x=\"%d\" y=\"%" PRId64 "\">", LEFT - 10,
                       observed_y(lane) + BAR + BETWEEN / 2 + 5);
        put_escaped(out, t->lanes[lane]);
        es_text_format(out,
                       "</text>\n<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">observed</text>"
                       "<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">recovered</text>\n",
                       LEFT - 10, observed_y(lane) + 15, LEFT - 10, recovered_y(lane) + 16);
    }
    put_links(&d);
    put_bars(&d, d.observed, t->observed_count, false);
    put_bars(&d, d.recovered, t->recovered_count, true);
    put_flags(&d);
    put_list(&d);
    es_text_format(out, "</svg>\n");
    es_arena_free(d.arena);
}

void es_net_timeline_html(const es_net_timeline *t, es_text_buffer *out)
{
    es_text_format(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    put_escaped(out, t->net->name);
    es_text_format(out, "</title><style>body{margin:0;overflow-x:auto;background:#fff}</style></head><body>\n");
    es_net_timeline_svg(t, out);
    es_text_format(out, "</body></html>\n");
}
