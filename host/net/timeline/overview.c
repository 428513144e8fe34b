/* The whole run in a few lines, above an excerpt: how certain each piece of it is in each lane, and where changes
 * are. */
#include <inttypes.h>
#include <string.h>

#include "net/timeline/drawing.h"

#define LINE 7  /* pixels for a lane, */
#define THIN 3  /* where there are many */
#define MANY 12 /* lanes */
#define CAPTION 18

void es_net_overview_start(es_net_overview *o, uint32_t lanes, es_arena *arena)
{
    o->unit = 1;
    o->classes = es_arena_alloc(arena, (lanes + 1) * sizeof *o->classes);
}

static void join(uint8_t *pieces)
{
    for (size_t i = 0; i < ES_NET_OVERVIEW_PIECES / 2; i++)
        pieces[i] = pieces[2 * i] | pieces[2 * i + 1];
    memset(pieces + ES_NET_OVERVIEW_PIECES / 2, 0, ES_NET_OVERVIEW_PIECES / 2);
}

/* The piece of the time; what is before 0 belongs to the first one. */
static uint32_t piece_of(es_net_overview *o, uint32_t lanes, int64_t time)
{
    time = time < 0 ? 0 : time;
    while (time / o->unit >= ES_NET_OVERVIEW_PIECES) {
        for (uint32_t lane = 0; lane < lanes; lane++)
            join(o->classes[lane]);
        join(o->changes);
        o->unit *= 2;
    }
    o->end = time > o->end ? time : o->end;
    return (uint32_t)(time / o->unit);
}

void es_net_overview_event(es_net_overview *o, uint32_t lane, uint32_t lanes, int64_t time, enum es_net_class certainty)
{
    uint32_t piece = piece_of(o, lanes, time);
    o->classes[lane][piece] |= (uint8_t)(1u << certainty);
    o->events++;
}

void es_net_overview_change(es_net_overview *o, uint32_t lanes, int64_t time)
{
    uint32_t piece = piece_of(o, lanes, time);
    o->changes[piece] = 1;
    o->change_count++;
}

static int64_t line_height(const struct drawing *d)
{
    return d->t->lane_count > MANY ? THIN : LINE;
}

int64_t es_drawing_overview_height(const struct drawing *d)
{
    return d->t->excerpt ? CAPTION + (int64_t)d->t->lane_count * line_height(d) + 20 : 0;
}

static int64_t x_of(const struct drawing *d, int64_t time)
{
    const es_net_overview *o = &d->t->overview;
    int64_t whole = o->end + 1;
    time = time < 0 ? 0 : time > whole ? whole : time;
    return LEFT + (int64_t)((__int128)time * d->width / whole);
}

/* Fill of the least certain class of a piece. */
static const char *fill_of_piece(uint8_t classes)
{
    static const char *const fills[] = {"#a6c8e4", "#dbe6ee", "#c7aee0", "#b5b5b5"};
    for (int i = 3; i > 0; i--)
        if (classes & 1 << i)
            return fills[i];
    return fills[0];
}

/* A stretch is as certain as the event at its end: pieces without an event are as the next one with any. */
static void put_lane(struct drawing *d, const uint8_t *pieces, int64_t y)
{
    const es_net_overview *o = &d->t->overview;
    for (uint32_t begin = 0, end; begin < ES_NET_OVERVIEW_PIECES; begin = end) {
        const char *fill = NULL;
        uint32_t next = begin; /* the piece with the next event */
        for (end = begin; next < ES_NET_OVERVIEW_PIECES; next++) {
            if (!pieces[next])
                continue;
            if (fill && fill != fill_of_piece(pieces[next]))
                break;
            fill = fill_of_piece(pieces[next]);
            end = next + 1;
        }
        if (!fill)
            return;
        int64_t left = x_of(d, (int64_t)begin * o->unit), right = x_of(d, (int64_t)end * o->unit);
        es_text_format(d->out,
                       "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64 "\" height=\"%" PRId64
                       "\" fill=\"%s\"/>",
                       left, y, right > left ? right - left : 1, line_height(d) - 1, fill);
    }
}

void es_drawing_overview(struct drawing *d)
{
    const es_net_overview *o = &d->t->overview;
    if (!d->t->excerpt)
        return;
    int64_t top = 58 + CAPTION, height = (int64_t)d->t->lane_count * line_height(d);
    es_text_format(d->out,
                   "<text class=\"legend\" x=\"%d\" y=\"%d\">the whole run, 0 to %" PRId64 ": %" PRIu64
                   " events, %" PRIu64 " %s of behaviour; drawn below: %" PRId64 " to %" PRId64 "</text>\n",
                   LEFT, 58 + 10, o->end, o->events, o->change_count, es_plural(o->change_count, "change", "changes"),
                   d->begin, d->end);
    for (uint32_t lane = 0; lane < d->t->lane_count; lane++)
        put_lane(d, o->classes[d->t->origins[lane]], top + (int64_t)lane * line_height(d));
    es_text_format(d->out, "\n");
    for (uint32_t i = 0; i < ES_NET_OVERVIEW_PIECES; i++)
        if (o->changes[i])
            es_text_format(d->out, "<path class=\"change\" d=\"M%" PRId64 " %" PRId64 "v6\"/>",
                           x_of(d, (int64_t)i * o->unit), top + height);
    int64_t left = x_of(d, d->begin), right = x_of(d, d->end);
    es_text_format(d->out,
                   "<rect class=\"window\" x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64 "\" height=\"%" PRId64
                   "\"/>\n",
                   left - 1, top - 3, right - left + 2, height + 5);
}
