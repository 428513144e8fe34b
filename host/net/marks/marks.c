#include "net/marks/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The net's game has ended before the mark. */
static bool not_reached(const es_net_marks *g, const es_net_mark *mark)
{
    for (size_t i = 0; i < g->by_site_count; i++)
        if (g->by_site[i]->core == mark->core)
            return es_fail(g->err, ES_USAGE, "the net does not come to the mark %u of core %u at %" PRId64 " (site %u)",
                           (unsigned)mark->id, mark->core, mark->time, (unsigned)mark->site);
    return es_fail(g->err, ES_USAGE,
                   "a mark of core %u at %" PRId64 ": the net has no such core; --cores takes as many "
                   "as the marks were recorded on",
                   mark->core, mark->time);
}

static void fail(es_net_marks *g, const es_net_mark *mark, uint32_t transition, const char *what)
{
    if (!g->failed)
        es_fail(g->err, ES_USAGE,
                "the mark %u of core %u at %" PRId64
                " (site %u, value %u) %s %s: the net does not belong to this trace",
                (unsigned)mark->id, mark->core, mark->time, (unsigned)mark->site, (unsigned)mark->value, what,
                g->net->transitions[transition].id);
    g->failed = true;
}

/* Takes the core's next mark as that of the transition, which is enabled since then. */
static bool claim(es_net_marks *g, uint32_t transition, int64_t since)
{
    const es_net_mp_step *step = g->step_of[transition];
    core_marks *core = &g->cores[step->core];
    queued first = core->items[0];
    bool fits = marks_shows(&first.mark, step) && first.mark.time - first.mark.delay >= since;
    if (!fits && g->any_left) {
        es_net_marks_leave(g, step->core, false);
        return false;
    }
    if (!marks_shows(&first.mark, step))
        fail(g, &first.mark, transition, "comes where the net expects");
    else if (first.mark.time - first.mark.delay < since)
        fail(g, &first.mark, transition, "comes earlier than the net lets");
    if (g->failed)
        return false;
    core->count--;
    memmove(core->items, core->items + 1, core->count * sizeof *core->items);
    g->claimed[transition] = first;
    return true;
}

static int64_t on_delay(void *context, uint32_t transition, uint64_t number)
{
    es_net_marks *g = context;
    (void)number;
    const es_net_mp_step *step = g->step_of[transition];
    if (!step)
        return g->net->transitions[transition].delay;
    core_marks *core = &g->cores[step->core];
    int64_t now = g->engine ? es_net_engine_time(g->engine) : 0;
    g->claimed[transition].index = SIZE_MAX;
    if (g->failed || core->left || g->serving || !core->count || !claim(g, transition, now)) {
        core->transition = transition;
        return ES_NET_LATER;
    }
    const es_net_mark *mark = &g->claimed[transition].mark;
    return mark->time - mark->delay - now;
}

static int64_t on_mark(void *context, uint32_t transition, uint64_t number)
{
    const es_net_marks *g = context;
    (void)number;
    return g->claimed[transition].index == SIZE_MAX ? 0 : g->claimed[transition].mark.delay;
}

/* The output that the core's next mark shows; the first when none does. ES_NET_CHOSEN_LATER while there is no such
 * mark. */
static uint32_t choice(es_net_marks *g, uint32_t place)
{
    const es_net_place *at = &g->net->places[place];
    bool waits = false;
    for (uint32_t i = 0; i < at->output_count; i++) {
        const es_net_mp_step *step = g->step_of[at->outputs[i]];
        core_marks *core = step ? &g->cores[step->core] : NULL;
        if (core && core->count && !core->left && marks_shows(&core->items[0].mark, step))
            return at->outputs[i];
        if (core && (!core->count || core->left)) {
            core->place = place;
            waits = true;
        }
    }
    return waits ? ES_NET_CHOSEN_LATER : at->outputs[0];
}

static uint32_t on_choose(void *context, uint32_t place, uint64_t number)
{
    (void)number;
    return choice(context, place);
}

static void on_firing(void *context, const es_net_firing *firing)
{
    es_net_marks *g = context;
    if (g->failed)
        return;
    const es_net_mp_step *step = g->step_of[firing->transition];
    int32_t process = g->net->transitions[firing->transition].process;
    bool hidden = g->any_left && es_net_marks_follow(g, firing->transition), mine = step && !g->cores[step->core].left;
    if (hidden && mine)
        es_net_marks_leave(g, step->core, false); /* it has got something that hangs on lost marks */
    if (g->net->transitions[firing->transition].monitor && (!hidden || mine))
        es_net_marks_tell(g, firing, step ? g->claimed[firing->transition].index : SIZE_MAX);
    for (uint32_t i = 0; g->any_left && process >= 0 && i < g->net->transitions[firing->transition].output_count; i++)
        if (g->hidden[g->net->transitions[firing->transition].outputs[i]] && process < (int32_t)ES_NET_MP_CORES)
            es_net_marks_leave(g, (unsigned)process, false);
}

/* Gives the core's next mark to what waits for it. */
static bool serve(es_net_marks *g, core_marks *core)
{
    if (core->left)
        return true;
    uint32_t place = core->place;
    core->place = ES_NET_NONE;
    if (place != ES_NET_NONE) {
        g->serving = true;
        bool chosen = es_net_engine_chooses(g->engine, place, choice(g, place), g->err);
        g->serving = false;
        if (!chosen)
            return false;
    }
    uint32_t transition = core->transition;
    core->transition = ES_NET_NONE;
    if (transition == ES_NET_NONE)
        return true;
    if (!claim(g, transition, es_net_engine_enabled(g->engine, transition)))
        return !g->failed; /* it has left now */
    const es_net_mark *mark = &g->claimed[transition].mark;
    return es_net_engine_fires(g->engine, transition, mark->time, mark->delay, g->err);
}

/* Plays up to and including `until`, with all marks that are queued; by their time, it must have come to them. */
static bool play(es_net_marks *g, int64_t until)
{
    bool good = !g->failed;
    for (unsigned c = 0; good && c < ES_NET_MP_CORES; c++)
        if (g->cores[c].count)
            good = serve(g, &g->cores[c]);
    /* A callback's message counts, not what the engine says of it. */
    es_error own = {0};
    bool ran = good && es_net_engine_run(g->engine, until, UINT64_MAX, &own);
    if (good && !ran && !g->failed)
        es_fail(g->err, own.code, "%s", own.text);
    for (unsigned c = 0; ran && !g->failed && until >= g->last && c < ES_NET_MP_CORES; c++) {
        if (g->cores[c].count && g->any_left)
            es_net_marks_leave(g, c, false);
        for (size_t i = 0; ran && g->cores[c].left && i < g->cores[c].count; i++)
            ran = es_net_marks_plain(g, &g->cores[c].items[i]);
        if (g->cores[c].left)
            g->cores[c].count = 0;
        if (ran && g->cores[c].count)
            ran = not_reached(g, &g->cores[c].items[0].mark);
        if (g->cores[c].losing)
            es_net_marks_leave(g, c, true);
    }
    es_net_marks_release(g, until - g->longest);
    g->failed |= !ran;
    return ran && !g->failed;
}

bool es_net_marks_push(es_net_marks *marks, const es_net_mark *mark, es_error *err)
{
    marks->err = err;
    if (mark->core >= ES_NET_MP_CORES)
        return es_fail(err, ES_USAGE, "a mark of core %u: there are at most %u", mark->core, ES_NET_MP_CORES);
    if (mark->delay < 0 || mark->delay > mark->time || mark->time > ES_NET_TICKS_MAX || mark->time < marks->last)
        return es_fail(err, ES_USAGE, "mark %zu of the trace, at %" PRId64 ", is out of order or takes impossibly long",
                       marks->pushed, mark->time);
    if (mark->time > marks->last && !play(marks, marks->last))
        return false;
    es_net_marks_measure(marks, mark);
    marks->last = mark->time;
    core_marks *core = &marks->cores[mark->core];
    if (core->count == core->room) {
        core->room = 2 * core->room + 2;
        core->items = es_realloc(core->items, core->room * sizeof *core->items);
    }
    core->items[core->count++] = (queued){*mark, marks->pushed++};
    return true;
}

bool es_net_marks_gap(es_net_marks *marks, unsigned cores, es_error *err)
{
    marks->err = err;
    bool waiting = false;
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++) {
        marks->cores[c].losing =
            marks->cores[c].losing || (cores >> c & 1 && (marks->only_messages || !marks->cores[c].left));
        waiting = waiting || marks->cores[c].count;
    }
    for (unsigned c = 0; !waiting && c < ES_NET_MP_CORES; c++)
        if (marks->cores[c].losing)
            es_net_marks_leave(marks, c, true);
    return true;
}

bool es_net_marks_advance(es_net_marks *marks, int64_t time, es_error *err)
{
    marks->err = err;
    if (time < marks->last)
        return true;
    if ((time > marks->last && !play(marks, marks->last)) || !play(marks, time - 1))
        return false;
    marks->last = time;
    es_net_marks_settle(marks, time);
    return true;
}

int64_t es_net_marks_settled(const es_net_marks *marks)
{
    return marks->told;
}

bool es_net_marks_finish(es_net_marks *marks, es_error *err)
{
    if (!es_net_marks_advance(marks, marks->last + 1, err))
        return false;
    es_net_marks_release(marks, INT64_MAX);
    return true;
}

es_net_marks *es_net_marks_new(const es_net *net, const es_net_marks_options *options, es_error *err)
{
    es_net_marks *g = es_malloc(sizeof *g);
    memset(g, 0, sizeof *g);
    g->net = net;
    g->options = *options;
    g->err = err;
    g->step_of = es_malloc((net->transition_count + 1) * sizeof *g->step_of);
    g->claimed = es_malloc((net->transition_count + 1) * sizeof *g->claimed);
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        g->cores[c] = (core_marks){.transition = ES_NET_NONE, .place = ES_NET_NONE, .begun = INT64_MIN};
    for (uint32_t t = 0; t < net->transition_count; t++) {
        g->step_of[t] = NULL;
        g->claimed[t] = (queued){.index = SIZE_MAX};
    }
    for (size_t i = 0; i < options->step_count; i++) {
        const es_net_mp_step *step = &options->steps[i];
        if (step->seen == ES_NET_SEEN_END && step->transition < net->transition_count && step->core < ES_NET_MP_CORES)
            g->step_of[step->transition] = step;
    }
    es_net_marks_prepare(g);
    es_net_engine_options engine = {
        .marks = true, .delay = on_delay, .mark = on_mark, .choose = on_choose, .on_firing = on_firing, .context = g};
    g->engine = es_net_engine_new(net, &engine, err);
    if (g->engine)
        return g;
    es_net_marks_free(g);
    return NULL;
}

void es_net_marks_free(es_net_marks *marks)
{
    if (!marks)
        return;
    es_net_engine_free(marks->engine);
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        free(marks->cores[c].items);
    free(marks->step_of);
    free(marks->claimed);
    free(marks->hidden);
    free(marks->plain);
    free(marks->by_site);
    free(marks->held);
    free(marks);
}

bool es_net_marks_fire(const es_net *net, const es_net_mark *marks, size_t count, const es_net_marks_options *options,
                       es_error *err)
{
    es_net_marks *g = es_net_marks_new(net, options, err);
    bool good = g != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = es_net_marks_push(g, &marks[i], err);
    good = good && (!count || es_net_marks_finish(g, err));
    es_net_marks_free(g);
    return good;
}
