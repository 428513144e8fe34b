/* Firings in the order of their times. The game tells them so. But what a mark shows at its beginning is known only at
 * its end where the game does not follow its core; so once that may be, all firings are held for as long as the longest
 * such mark takes. */
#include "net/marks/private.h"

#include <string.h>

static bool holds(const es_net_marks *g)
{
    return g->any_left && g->only_messages;
}

static void insert(es_net_marks *g, size_t at, const held *item)
{
    if (g->held_count == g->held_room) {
        g->held_room = 2 * g->held_room + 16;
        g->held = es_realloc(g->held, g->held_room * sizeof *g->held);
    }
    memmove(g->held + at + 1, g->held + at, (g->held_count - at) * sizeof *g->held);
    g->held[at] = *item;
    g->held_count++;
}

static int64_t process_of(const es_net_marks *g, const held *item)
{
    return item->is_gap ? (int64_t)item->core : g->net->transitions[item->firing.transition].process;
}

void es_net_marks_tell(es_net_marks *g, const es_net_firing *firing, size_t index)
{
    held told = {.firing = *firing, .index = index};
    const int64_t process = process_of(g, &told);
    told.firing.number += g->plain[firing->transition];
    if (process >= 0 && process < (int64_t)ES_NET_MP_CORES && !g->step_of[firing->transition])
        g->cores[process].begun = firing->time;
    if (!holds(g)) {
        es_net_marks_settle(g, firing->time);
        g->options.on_firing(g->options.context, &told.firing, index);
        return;
    }
    size_t at = g->held_count;
    while (at && g->held[at - 1].firing.time > firing->time &&
           !(g->held[at - 1].is_gap && g->held[at - 1].core == process))
        at--;
    insert(g, at, &told);
}

/* After all that is reported of the core: what comes of it from here on, may have begun earlier than others'
 * firings that are held already. */
void es_net_marks_tell_gap(es_net_marks *g, unsigned core)
{
    const int32_t process = (int32_t)core;
    if (!holds(g) || !g->held_count) {
        if (g->options.on_gap)
            g->options.on_gap(g->options.context, &process, 1);
        return;
    }
    size_t at = g->held_count;
    while (at && process_of(g, &g->held[at - 1]) != process)
        at--;
    insert(g, at, &(held){.firing.time = at ? g->held[at - 1].firing.time : g->told, .is_gap = true, .core = core});
}

void es_net_marks_measure(es_net_marks *g, const es_net_mark *mark)
{
    if ((mark->id == ES_NET_MP_SEND_END || mark->id == ES_NET_MP_RECV_END) && mark->delay > g->longest)
        g->longest = mark->delay;
}

void es_net_marks_settle(es_net_marks *g, int64_t time)
{
    if (!holds(g) && time > g->told)
        g->told = time;
}

void es_net_marks_release(es_net_marks *g, int64_t until)
{
    size_t count = 0;
    for (; count < g->held_count && g->held[count].firing.time <= until; count++) {
        const held *item = &g->held[count];
        const int32_t process = (int32_t)item->core;
        if (!item->is_gap)
            g->options.on_firing(g->options.context, &item->firing, item->index);
        else if (g->options.on_gap)
            g->options.on_gap(g->options.context, &process, 1);
    }
    g->held_count -= count;
    if (count)
        memmove(g->held, g->held + count, g->held_count * sizeof *g->held);
    if (g->told < until && holds(g))
        g->told = until;
}
