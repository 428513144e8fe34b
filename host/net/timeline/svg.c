/* Drawing: axis, lanes, bars, and the lines between them. */
#include <inttypes.h>
#include <string.h>

#include "net/timeline/drawing.h"

#define NARROW 20 /* tenths of a pixel */

static int64_t x_of(const struct drawing *d, int64_t time)
{
    if (time < d->begin)
        time = d->begin;
    if (time > d->end)
        time = d->end;
    return INT64_C(10) * LEFT + (int64_t)((__int128)(time - d->begin) * d->width * 10 / (d->end - d->begin));
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
    int64_t step = axis_step(d), bottom = drawing_observed_y(d, d->t->lane_count) - LANE_GAP + 8;
    int64_t first = d->begin / step * step;
    if (first < d->begin)
        first += step;
    for (int64_t time = first; time <= d->end; time += step) {
        es_drawing_tenths(d->out, "<path class=\"grid\" d=\"M", x_of(d, time));
        es_text_format(d->out, " %dV%" PRId64 "\"/>", (int)d->top - 10, bottom);
        es_drawing_tenths(d->out, "<text class=\"axis\" x=\"", x_of(d, time));
        es_text_format(d->out, "\" y=\"%d\">%" PRId64 "</text>\n", (int)d->top - 15, time);
    }
    if (d->t->net->tick) {
        int64_t half = 4; /* the width of the first number's left half; it may stand where the axis begins */
        for (int64_t rest = first / 10; rest; rest /= 10)
            half += 4;
        es_text_format(d->out, "<text class=\"unit\" x=\"%" PRId64 "\" y=\"%d\">", LEFT - 6 - half, (int)d->top - 15);
        es_text_xml_string(d->out, d->t->net->tick);
        es_text_format(d->out, "</text>\n");
    }
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
        ".window{fill:none;stroke:#1b2733;stroke-width:1.4}\n"
        ".dot{fill:#c2185b}.change{stroke:#c2185b;stroke-width:1.6;fill:none}\n"
        "</style>\n"
        "<defs>\n<pattern id=\"pasted\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\">"
        "<rect width=\"6\" height=\"6\" fill=\"#efe6f7\"/><rect width=\"2\" height=\"6\" fill=\"#c7aee0\"/></pattern>"
        "<pattern id=\"reused\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\">"
        "<rect width=\"6\" height=\"6\" fill=\"#efe6f7\"/><path d=\"M0 1h6M1 0v6\" stroke=\"#9b72c6\" "
        "stroke-width=\"1\"/></pattern>"
        "<pattern id=\"nominal\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"6\" height=\"6\" fill=\"#fff\"/><path d=\"M0 3h6\" stroke=\"#9b72c6\" "
        "stroke-width=\"1\"/></pattern>"
        "<pattern id=\"lost\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"5\" height=\"5\" fill=\"#f3f3f3\"/>"
        "<circle cx=\"1.5\" cy=\"1.5\" r=\"1\" fill=\"#a5a5a5\"/></pattern></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    es_text_format(d->out, "<text class=\"title\" x=\"14\" y=\"23\">");
    es_text_xml_string(d->out, d->t->net->name);
    es_text_format(d->out, ": as observed, and without monitoring</text>\n");
}

static void put_title(struct drawing *d, const es_net_bar *bar, bool recovered)
{
    const es_net_transition *transition = &d->t->net->transitions[bar->transition];
    es_text_format(d->out, "<title>");
    es_text_xml_string(d->out, transition->name);
    if (recovered && bar->observed == INT64_MIN) {
        es_text_format(d->out, " %" PRIu64 "\nat %" PRId64 "\n%s recovered, not measured", bar->number, bar->time,
                       es_net_class_name(bar->certainty));
    } else if (recovered) {
        es_text_format(d->out,
                       " %" PRIu64 "\nat %" PRId64 ", observed at %" PRId64 "\n%s recovered, line %" PRIu64 "%s",
                       bar->number, bar->time, bar->observed, es_net_class_name(bar->certainty), bar->line,
                       bar->flags & ES_NET_NOMINAL  ? ", never observed: the net's delay"
                       : bar->flags & ES_NET_REUSED ? ", used again"
                                                    : "");
    } else {
        es_text_format(d->out, "\nobserved at %" PRId64 ", mark %" PRId64 "\nline %" PRIu64, bar->time, bar->mark,
                       bar->line);
    }
    if (transition->source) {
        es_text_format(d->out, "\n");
        es_text_xml_string(d->out, transition->source);
    }
    es_text_format(d->out, "</title>");
}

/* Too narrow to be seen: a small triangle points at it. */
static bool is_narrow(const struct drawing *d, const es_net_bar *bar, int64_t start)
{
    return !bar->beyond && x_of(d, bar->time) - x_of(d, start) < NARROW;
}

/* The stretch from `start` to the event, its name in it where there is room. */
static void put_bar(struct drawing *d, const es_net_bar *bar, int64_t start, bool recovered)
{
    static const char *const styles[] = {"", " stroke-dasharray=\"3 2\" fill-opacity=\".35\"", "", ""};
    const char *fill = es_drawing_fill(d->t->kind_of[bar->transition]);
    if (recovered && bar->certainty == ES_NET_PASTED)
        fill = bar->flags & ES_NET_NOMINAL  ? "url(#nominal)"
               : bar->flags & ES_NET_REUSED ? "url(#reused)"
                                            : "url(#pasted)";
    if (recovered && bar->certainty == ES_NET_LOST)
        fill = "url(#lost)";
    int64_t left = x_of(d, start), right = x_of(d, bar->time),
            y = recovered ? drawing_recovered_y(d, bar->lane) : drawing_observed_y(d, bar->lane);
    es_text_format(d->out, "<g>");
    put_title(d, bar, recovered);
    es_drawing_tenths(d->out, "<rect class=\"bar\" x=\"", left);
    es_drawing_tenths(d->out, "\" width=\"", right - left);
    es_text_format(d->out, "\" y=\"%" PRId64 "\" height=\"%d\" rx=\"2\" fill=\"%s\"%s/>", y, BAR, fill,
                   recovered ? styles[bar->certainty] : "");
    if (bar->mark > 0 && !bar->beyond) {
        int64_t mark = x_of(d, bar->time - bar->mark < start ? start : bar->time - bar->mark);
        es_drawing_tenths(d->out, "<rect class=\"mark\" x=\"", mark);
        es_drawing_tenths(d->out, "\" width=\"", right - mark);
        es_text_format(d->out, "\" y=\"%" PRId64 "\" height=\"5\"/>", y + BAR - 5);
    }
    if (is_narrow(d, bar, start)) {
        es_drawing_tenths(d->out, "<path class=\"tip\" d=\"M", right);
        es_text_format(d->out, " %" PRId64 "l-3 -5h6z\"/>", y);
    }
    const char *name = d->t->net->transitions[bar->transition].name;
    if (es_drawing_letters(name) * LETTER + 40 < right - left) {
        es_drawing_tenths(d->out, "<text class=\"name\" x=\"", (left + right) / 2);
        es_text_format(d->out, "\" y=\"%" PRId64 "\">", y + 14);
        es_text_xml_string(d->out, name);
        es_text_format(d->out, "</text>");
    }
    es_text_format(d->out, "</g>\n");
}

/* Where the bar begins: of the sorted ones, each begins where the one before it ends. */
static int64_t start_of(const struct drawing *d, const es_net_bar *bars, size_t i, bool recovered)
{
    const int64_t *before = recovered ? d->t->recovered_before : d->t->observed_before;
    int64_t start = i && bars[i - 1].lane == bars[i].lane ? bars[i - 1].time : before[bars[i].lane];
    return start < d->begin ? d->begin : start;
}

static void put_bars(struct drawing *d, const es_net_bar *bars, size_t count, bool recovered)
{
    for (size_t i = 0; i < count; i++)
        put_bar(d, &bars[i], start_of(d, bars, i, recovered), recovered);
}

static bool any_narrow(const struct drawing *d, const es_net_bar *bars, size_t count, bool recovered)
{
    for (size_t i = 0; i < count; i++)
        if (is_narrow(d, &bars[i], start_of(d, bars, i, recovered)))
            return true;
    return false;
}

/* From where an event was observed to where it is recovered. */
static void put_links(struct drawing *d)
{
    for (size_t i = 0; i < d->t->recovered_count; i++) {
        const es_net_bar *bar = &d->recovered[i];
        if (bar->beyond || bar->observed < d->begin || bar->observed > d->end)
            continue;
        es_drawing_tenths(d->out, "<path class=\"link\" d=\"M", x_of(d, bar->observed));
        es_text_format(d->out, " %" PRId64, drawing_observed_y(d, bar->lane) + BAR);
        es_drawing_tenths(d->out, "L", x_of(d, bar->time));
        es_text_format(d->out, " %" PRId64 "\"/>\n", drawing_recovered_y(d, bar->lane));
    }
}

static void put_flags(struct drawing *d)
{
    for (size_t i = 0; i < d->t->flag_count; i++) {
        const es_net_flag *flag = &d->t->flags[i];
        uint32_t lane = flag->lane == ES_NET_NONE ? 0 : flag->lane;
        int64_t x = x_of(d, flag->recovered), y = drawing_recovered_y(d, lane);
        if (d->t->lane_count == 0)
            continue;
        if (flag->has_observed && flag->observed >= d->begin && flag->observed <= d->end) {
            es_drawing_tenths(d->out, "<path class=\"change\" d=\"M", x_of(d, flag->observed));
            es_text_format(d->out, " %" PRId64 "V%" PRId64 "\"/>", drawing_observed_y(d, lane) - 3,
                           drawing_observed_y(d, lane) + BAR + 2);
        }
        es_drawing_tenths(d->out, "<path class=\"change\" d=\"M", x);
        es_text_format(d->out, " %" PRId64 "V%" PRId64 "\"/>", y - 2, y + BAR + 3);
        es_drawing_number(d, x, y + BAR + 9, i + 1);
    }
}

static void widen(struct drawing *d, const es_net_bar *bar)
{
    if (bar->beyond)
        return;
    d->begin = bar->time < d->begin ? bar->time : d->begin;
    d->end = bar->time > d->end ? bar->time : d->end;
}

/* The span of time that is drawn: the window as far as there is something in it. */
static void measure(struct drawing *d)
{
    const es_net_timeline *t = d->t;
    size_t most = 0, run = 0;
    d->begin = t->from > 0 ? t->from : 0;
    d->end = d->begin;
    for (size_t i = 0; i < t->observed_count; i++) {
        widen(d, &d->observed[i]);
        run = d->observed[i].beyond ? run : i && d->observed[i - 1].lane == d->observed[i].lane ? run + 1 : 1;
        most = run > most ? run : most;
    }
    for (size_t i = 0; i < t->recovered_count; i++)
        widen(d, &d->recovered[i]);
    if (d->end == d->begin)
        d->end++;
    d->width = (int64_t)most * WIDTH_PER_BAR;
    d->width = d->width < WIDTH_MIN ? WIDTH_MIN : d->width > WIDTH_MAX ? WIDTH_MAX : d->width;
    d->narrow =
        any_narrow(d, d->observed, t->observed_count, false) || any_narrow(d, d->recovered, t->recovered_count, true);
    int64_t legend = es_drawing_legend(d, false);
    d->width = d->width < legend ? legend : d->width;
    d->top = TOP + es_drawing_overview_height(d);
    d->height = drawing_observed_y(d, t->lane_count) - 6 + es_drawing_notes_height(d) + 16;
}

void es_net_timeline_svg(const es_net_timeline *timeline, es_text_buffer *out)
{
    struct drawing d = {.out = out, .arena = es_arena_new()};
    const es_net_timeline *t = d.t = es_net_timeline_seen(es_net_timeline_excerpt(timeline, d.arena), d.arena);
    d.observed = es_net_timeline_sorted(t->observed, t->observed_count, d.arena);
    d.recovered = es_net_timeline_sorted(t->recovered, t->recovered_count, d.arena);
    measure(&d);
    put_head(&d);
    es_drawing_legend(&d, true);
    es_drawing_overview(&d);
    put_axis(&d);
    for (uint32_t lane = 0; lane < t->lane_count; lane++) {
        es_text_format(out, "<text class=\"lane\" x=\"%d\" y=\"%" PRId64 "\">", LEFT - 10,
                       drawing_observed_y(&d, lane) + BAR + BETWEEN / 2 + 5);
        es_text_xml_string(out, t->lanes[lane]);
        es_text_format(out,
                       "</text>\n<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">observed</text>"
                       "<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">recovered</text>\n",
                       LEFT - 10, drawing_observed_y(&d, lane) + 15, LEFT - 10, drawing_recovered_y(&d, lane) + 16);
    }
    put_links(&d);
    put_bars(&d, d.observed, t->observed_count, false);
    put_bars(&d, d.recovered, t->recovered_count, true);
    put_flags(&d);
    es_drawing_notes(&d);
    es_text_format(out, "</svg>\n");
    es_arena_free(d.arena);
}

void es_net_timeline_html(const es_net_timeline *t, es_text_buffer *out)
{
    es_text_format(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    es_text_xml_string(out, t->net->name);
    es_text_format(out, "</title><style>body{margin:0;overflow-x:auto;background:#fff}</style></head><body>\n");
    es_net_timeline_svg(t, out);
    es_text_format(out, "</body></html>\n");
}
