/* Marks that were lost. The game cannot go on with a core whose marks are missing, nor with what it gives to others: it
 * leaves it, and from then on each mark of it tells of itself alone. Where a program only sends and receives, that is
 * enough: a mark shows by itself what happened at its beginning, and recovery finds the rest (net/recovery/again.c). So
 * a core that the game leaves because it hears of such a one has lost nothing. Where time decides, it has: its next
 * decision hangs on what nobody knows, and recovery is informed of it as of a gap of its own. */
#include "net/marks/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Is it a step of a core that the game does not follow? */
static bool has_left(const es_net_marks *g, uint32_t transition)
{
    int32_t process = g->net->transitions[transition].process;
    return process >= 0 && process < (int32_t)ES_NET_MP_CORES && g->cores[process].left;
}

/* Does the routing of a token that comes to the place hang on a core that has left? As recovery judges it. */
static bool routed_by_left(const es_net_marks *g, uint32_t place)
{
    const es_net_place *at = &g->net->places[place];
    for (uint32_t i = 0; i < at->control_count; i++) {
        const es_net_place *control = &g->net->places[at->controls[i]];
        for (uint32_t k = 0; k < control->input_count; k++)
            if (has_left(g, control->inputs[k]))
                return true;
        for (uint32_t k = 0; k < control->output_count; k++)
            if (has_left(g, control->outputs[k]))
                return true;
    }
    return false;
}

/* A core that makes such a firing leaves by that; so does one whose next step hangs on a core that has left. */
bool es_net_marks_follow(es_net_marks *g, uint32_t transition)
{
    const es_net_transition *t = &g->net->transitions[transition];
    bool routed = false, computed = t->process < 0, hidden = has_left(g, transition);
    for (uint32_t i = 0; i < t->input_count; i++)
        hidden = hidden || g->hidden[t->inputs[i]];
    for (uint32_t i = 0; i < t->output_count; i++)
        routed = routed || routed_by_left(g, t->outputs[i]);
    hidden = hidden || (routed && computed);
    for (uint32_t i = 0; i < t->input_count; i++)
        g->hidden[t->inputs[i]] = false;
    for (uint32_t i = 0; i < t->output_count; i++)
        g->hidden[t->outputs[i]] = hidden || (routed && routed_by_left(g, t->outputs[i]));
    return hidden;
}

static int by_site(const void *left, const void *right)
{
    const es_net_mp_step *a = *(const es_net_mp_step *const *)left, *b = *(const es_net_mp_step *const *)right;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return (a->transition > b->transition) - (a->transition < b->transition);
}

/* The transition of a mark, wherever the net may be; ES_NET_NONE when the net has none. */
static uint32_t transition_of(const es_net_marks *g, const es_net_mark *mark)
{
    es_net_mp_step key = {.core = mark->core, .site = mark->site};
    const es_net_mp_step *wanted = &key;
    size_t low = 0, high = g->by_site_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_site(&g->by_site[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < g->by_site_count && g->by_site[low]->core == mark->core && g->by_site[low]->site == mark->site; low++)
        if (marks_shows(mark, g->by_site[low]))
            return g->by_site[low]->transition;
    return ES_NET_NONE;
}

static void tell_plain(es_net_marks *g, uint32_t transition, int64_t time, int64_t mark, size_t index)
{
    const es_net_firing firing = {transition, es_net_engine_fired(g->engine, transition) + 1, time, 0, mark};
    es_net_marks_tell(g, &firing, index);
    g->plain[transition]++;
}

/* What the mark shows at its beginning. What the game had reported of it before it left is told once. Where later
 * firings have been told, it counts as lost, and so the core does. */
static void tell_begin(es_net_marks *g, const es_net_mark *mark)
{
    const bool receives = mark->id == ES_NET_MP_RECV_END;
    const int64_t begin = mark->time - mark->delay;
    if (!g->only_messages || (!receives && mark->id != ES_NET_MP_SEND_END) || mark->value >= ES_NET_MP_CORES)
        return;
    const uint32_t transition = g->begins[mark->core][receives][mark->value];
    if (transition == ES_NET_NONE || begin <= g->cores[mark->core].begun)
        return;
    if (begin < g->told)
        es_net_marks_tell_gap(g, mark->core);
    else
        tell_plain(g, transition, begin, 0, SIZE_MAX);
}

bool es_net_marks_plain(es_net_marks *g, const queued *item)
{
    const es_net_mark *mark = &item->mark;
    const uint32_t transition = transition_of(g, mark);
    if (transition == ES_NET_NONE)
        return es_fail(g->err, ES_USAGE, "the net has no mark %u of core %u at site %u, value %u (time %" PRId64 ")",
                       (unsigned)mark->id, mark->core, (unsigned)mark->site, (unsigned)mark->value, mark->time);
    tell_begin(g, mark);
    tell_plain(g, transition, mark->time, mark->delay, item->index);
    return true;
}

void es_net_marks_leave(es_net_marks *g, unsigned core, bool lost)
{
    const bool left = g->cores[core].left;
    if (lost)
        g->cores[core].losing = false;
    g->cores[core].left = g->any_left = true;
    /* One that only sends and receives is seen as before, by its marks. */
    if (g->only_messages ? lost : !left)
        es_net_marks_tell_gap(g, core);
}

/* --- before any mark is lost ------------------------------------------------------------------------------------ */

static bool is_message(const es_net_mp_step *step)
{
    const bool library = step->id >= ES_NET_MP_SEND_BEGIN && step->id <= ES_NET_MP_ANY_FOUND;
    return step->seen == ES_NET_SEEN_COMPUTED || !library || step->id == ES_NET_MP_SEND_BEGIN ||
           step->id == ES_NET_MP_SEND_END || step->id == ES_NET_MP_RECV_BEGIN || step->id == ES_NET_MP_RECV_END;
}

static void prepare_step(es_net_marks *g, const es_net_mp_step *step)
{
    const bool receives = step->id == ES_NET_MP_RECV_END;
    g->only_messages = g->only_messages && is_message(step);
    if (step->seen == ES_NET_SEEN_COMPUTED || step->transition >= g->net->transition_count ||
        step->core >= ES_NET_MP_CORES)
        return;
    const es_net_transition *t = &g->net->transitions[step->transition];
    if (step->seen == ES_NET_SEEN_END) {
        g->by_site[g->by_site_count++] = step;
        const int64_t takes = t->mark_max == ES_NET_UNKNOWN ? t->mark : t->mark_max;
        if ((receives || step->id == ES_NET_MP_SEND_END) && takes > g->longest)
            g->longest = takes;
    } else if (step->peer < ES_NET_MP_CORES) {
        g->begins[step->core][receives][step->peer] = step->transition;
    }
}

void es_net_marks_prepare(es_net_marks *g)
{
    const es_net *net = g->net;
    g->hidden = es_malloc((net->place_count + 1) * sizeof *g->hidden);
    g->plain = es_malloc((net->transition_count + 1) * sizeof *g->plain);
    g->by_site = es_malloc((g->options.step_count + 1) * sizeof *g->by_site);
    memset(g->hidden, 0, (net->place_count + 1) * sizeof *g->hidden);
    memset(g->plain, 0, (net->transition_count + 1) * sizeof *g->plain);
    memset(g->begins, 0xFF, sizeof g->begins); /* ES_NET_NONE */
    g->told = INT64_MIN;
    g->only_messages = true;
    for (size_t i = 0; i < g->options.step_count; i++)
        prepare_step(g, &g->options.steps[i]);
    if (g->by_site_count)
        qsort(g->by_site, g->by_site_count, sizeof *g->by_site, by_site);
}
