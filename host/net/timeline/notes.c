/* What stands around the lanes: legend, which fill is which transition, and what the numbers mean. */
#include <inttypes.h>
#include <string.h>

#include "net/timeline/drawing.h"

#define BOX "<rect y=\"36\" width=\"14\" height=\"11\" rx=\"2\" "

/* Fills that are told apart in print too; the label says what it is. */
static const char *const fills[] = {"#a6c8e4", "#f6c99f", "#b5d8ad", "#e6b3c0",
                                    "#c9c0e2", "#f1dc92", "#a9d9d4", "#d9c4b1"};

const char *es_drawing_fill(uint32_t kind)
{
    return fills[kind % (sizeof fills / sizeof *fills)];
}

/* Tenths of a pixel as a number. */
void es_drawing_tenths(es_text_buffer *out, const char *before, int64_t tenths)
{
    es_text_format(out, "%s%s%" PRId64 ".%" PRId64, before, tenths < 0 ? "-" : "", (tenths < 0 ? -tenths : tenths) / 10,
                   (tenths < 0 ? -tenths : tenths) % 10);
}

int64_t es_drawing_letters(const char *text)
{
    int64_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* Is anything of the kind drawn? */
static bool has(const es_net_timeline *t, enum es_net_class certainty, unsigned flags, unsigned without)
{
    for (size_t i = 0; i < t->recovered_count; i++)
        if (t->recovered[i].certainty == certainty && (t->recovered[i].flags & flags) == flags &&
            !(t->recovered[i].flags & without))
            return true;
    return false;
}

/* What is in the picture, and no more. */
int64_t es_drawing_legend(struct drawing *d, bool draw)
{
    const es_net_timeline *t = d->t;
    const struct {
        bool shown;
        const char *shape, *text;
        int64_t width;
    } entries[] = {
        {true, BOX "fill=\"#a6c8e4\" stroke=\"#44525e\"/>", "totally recovered", 122},
        {has(t, ES_NET_POSSIBLY, 0, 0), BOX "fill=\"#fff\" stroke=\"#44525e\" stroke-dasharray=\"3 2\"/>",
         "possibly recovered", 128},
        {has(t, ES_NET_PASTED, 0, ES_NET_REUSED | ES_NET_NOMINAL), BOX "fill=\"url(#pasted)\" stroke=\"#6a3d9a\"/>",
         "pasted", 60},
        {has(t, ES_NET_PASTED, ES_NET_REUSED, 0), BOX "fill=\"url(#reused)\" stroke=\"#6a3d9a\"/>", "used again", 84},
        {has(t, ES_NET_PASTED, ES_NET_NOMINAL, 0), BOX "fill=\"url(#nominal)\" stroke=\"#6a3d9a\"/>", "never observed",
         110},
        {has(t, ES_NET_LOST, 0, 0), BOX "fill=\"url(#lost)\" stroke=\"#888\"/>", "after lost marks", 116},
        {true, BOX "fill=\"#d9480f\" stroke=\"none\"/>", "time that a mark took", 146},
        {t->flag_count > 0, "<circle cx=\"6\" cy=\"41.5\" r=\"6\" class=\"dot\"/>", "change of behaviour", 132},
        {true, "<path class=\"link\" d=\"M0 36l12 11\"/>", "from where an event was observed", 222},
        {has(t, ES_NET_PASTED, ES_NET_REUSED, 0), "<path class=\"link\" d=\"M6 36l-6 11M6 36v11M6 36l7 11\"/>",
         "a fan: one event, used again", 168},
        {d->narrow, "<path class=\"tip\" d=\"M6 46l-3 -5h6z\"/>", "too short to be seen", 124},
    };
    int64_t x = LEFT;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!entries[i].shown)
            continue;
        if (draw)
            es_text_format(d->out,
                           "<g transform=\"translate(%" PRId64
                           ")\">%s<text class=\"legend\" x=\"19\" y=\"46\">%s</text></g>\n",
                           x, entries[i].shape, entries[i].text);
        x += 19 + entries[i].width;
    }
    return x - LEFT;
}

void es_drawing_number(struct drawing *d, int64_t x, int64_t y, size_t number)
{
    es_drawing_tenths(d->out, "<circle class=\"dot\" r=\"7\" cx=\"", x);
    es_text_format(d->out, "\" cy=\"%" PRId64 "\"/>", y);
    es_drawing_tenths(d->out, "<text class=\"number\" x=\"", x);
    es_text_format(d->out, "\" y=\"%" PRId64 ".4\">%zu</text>\n", y + 3, number);
}

static void put_key(struct drawing *d, uint32_t transition, int64_t x, int64_t y)
{
    es_text_format(d->out,
                   "<rect class=\"swatch\" x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"12\" height=\"9\" rx=\"2\" "
                   "fill=\"%s\"/><text class=\"key\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">",
                   x, y - 8, es_drawing_fill(d->t->kind_of[transition]), x + 16, y);
    es_text_xml_string(d->out, d->t->net->transitions[transition].name);
    es_text_format(d->out, "</text>\n");
}

/* The keys of one lane from `y` on: those transitions that are in the picture. Returns the number of lines. */
static int64_t put_lane_keys(struct drawing *d, uint32_t lane, const bool *seen, int64_t y, bool draw)
{
    int64_t lines = 0, x = LEFT;
    bool *told = es_arena_alloc(d->arena, d->t->net->transition_count + 1); /* by kind */
    for (uint32_t i = 0; i < d->t->net->transition_count; i++) {
        if (!seen[i] || d->t->lane_of[i] != lane || told[d->t->kind_of[i]])
            continue;
        told[d->t->kind_of[i]] = true;
        int64_t width = 30 + es_drawing_letters(d->t->net->transitions[i].name) * LETTER / 10;
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
        es_text_xml_string(d->out, d->t->lanes[lane]);
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

static size_t lines_below(const es_net_timeline *t)
{
    return t->flag_count + (t->excerpt || t->left_out ? 1 : 0);
}

int64_t es_drawing_notes_height(struct drawing *d)
{
    return put_keys(d, 0, false) * KEY_LINE + (int64_t)lines_below(d->t) * FLAG_LINE;
}

/* What the numbers mean. */
void es_drawing_notes(struct drawing *d)
{
    int64_t y = drawing_observed_y(d, d->t->lane_count) - 6;
    y += put_keys(d, y, true) * KEY_LINE + 26;
    for (size_t i = 0; i < d->t->flag_count; i++, y += FLAG_LINE) {
        es_drawing_number(d, 300, y - 4, i + 1);
        es_text_format(d->out, "<text class=\"flag\" x=\"46\" y=\"%" PRId64 "\">", y);
        es_text_xml_string(d->out, d->t->flags[i].text);
        es_text_format(d->out, "</text>\n");
    }
    if (d->t->excerpt)
        es_text_format(d->out,
                       "<text class=\"flag\" x=\"24\" y=\"%" PRId64
                       "\">This is an excerpt; --from and --to choose another one.</text>\n",
                       y);
    else if (d->t->left_out)
        es_text_format(d->out,
                       "<text class=\"flag\" x=\"24\" y=\"%" PRId64 "\">%zu %s left out; choose a shorter span of time."
                       "</text>\n",
                       y, d->t->left_out, es_plural(d->t->left_out, "event or change was", "events or changes were"));
}
