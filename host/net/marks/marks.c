#include "net/marks/marks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A mark that has been pushed, with its place in the trace. */
typedef struct queued {
    es_net_mark mark;
    size_t index;
} queued;

/* A core: marks that the net has not come to yet, in order, and what of the net waits for the next one. Only marks of
 * one time are ever queued. */
typedef struct core_marks {
    queued *items;
    size_t count, room;
    uint32_t transition, place; /* ES_NET_NONE: none */
    bool lost;                  /* marks were lost: the net's tokens of it stay where they are */
    bool losing;                /* it is lost once the marks that are queued have been played */
} core_marks;

struct es_net_marks {
    const es_net *net;
    es_net_marks_options options;
    es_net_engine *engine;          /* NULL while it is being made: time 0 */
    const es_net_mp_step **step_of; /* by transition; NULL for what no mark shows at its end */
    queued *claimed;                /* by transition: the mark of the firing that is due; index SIZE_MAX none */
    core_marks cores[ES_NET_MP_CORES];
    size_t pushed;
    int64_t last;  /* time of the marks that are queued, or all before this time have been pushed */
    es_error *err; /* of the call at hand */
    /* Once marks were lost: */
    bool any_lost;
    bool *hidden;                   /* by place: its token would be another one, or none, if no mark had been lost */
    const es_net_mp_step **by_site; /* steps that marks show, by core and site */
    size_t by_site_count;
    uint64_t *plain; /* by transition: firings told without the net */
    bool serving;    /* what becomes enabled waits until the choice that enables it has been made */
    bool failed;
};

/* True when the mark is the one of that transition. */
static bool shows(const es_net_mark *mark, const es_net_mp_step *step)
{
    if (mark->core != step->core || mark->id != step->id || mark->site != step->site)
        return false;
    bool peer = step->id >= ES_NET_MP_SEND_BEGIN && step->id <= ES_NET_MP_ANY_FOUND && step->id != ES_NET_MP_ANY_BEGIN;
    return !peer || mark->value == step->peer;
}

/* --- lost marks ------------------------------------------------------------------------------------------- */

static void lose(es_net_marks *g, unsigned core)
{
    int32_t process = (int32_t)core;
    g->cores[core].losing = false;
    if (g->cores[core].lost)
        return;
    g->cores[core].lost = g->any_lost = true;
    if (g->options.on_gap)
        g->options.on_gap(g->options.context, &process, 1);
}

static bool is_lost(const es_net_marks *g, uint32_t transition)
{
    int32_t process = g->net->transitions[transition].process;
    return process >= 0 && process < (int32_t)ES_NET_MP_CORES && g->cores[process].lost;
}

/* Does the routing of a token that comes to the place hang on a core that is lost? As recovery judges it. */
static bool routed_by_lost(const es_net_marks *g, uint32_t place)
{
    const es_net_place *at = &g->net->places[place];
    for (uint32_t i = 0; i < at->control_count; i++) {
        const es_net_place *control = &g->net->places[at->controls[i]];
        for (uint32_t k = 0; k < control->input_count; k++)
            if (is_lost(g, control->inputs[k]))
                return true;
        for (uint32_t k = 0; k < control->output_count; k++)
            if (is_lost(g, control->outputs[k]))
                return true;
    }
    return false;
}

/* Notes where tokens go that nobody knows of for certain. True when the firing is such a one itself. A core that makes
 * it is lost by that; so is one whose next step hangs on a lost core. */
static bool follow_loss(es_net_marks *g, uint32_t transition)
{
    const es_net_transition *t = &g->net->transitions[transition];
    bool routed = false, computed = t->process < 0, hidden = is_lost(g, transition);
    for (uint32_t i = 0; i < t->input_count; i++)
        hidden = hidden || g->hidden[t->inputs[i]];
    for (uint32_t i = 0; i < t->output_count; i++)
        routed = routed || routed_by_lost(g, t->outputs[i]);
    hidden = hidden || (routed && computed);
    for (uint32_t i = 0; i < t->input_count; i++)
        g->hidden[t->inputs[i]] = false;
    for (uint32_t i = 0; i < t->output_count; i++)
        g->hidden[t->outputs[i]] = hidden || (routed && routed_by_lost(g, t->outputs[i]));
    return hidden;
}

static void tell(es_net_marks *g, const es_net_firing *firing, size_t index)
{
    es_net_firing told = *firing;
    told.number += g->plain[firing->transition];
    g->options.on_firing(g->options.context, &told, index);
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
        if (shows(mark, g->by_site[low]))
            return g->by_site[low]->transition;
    return ES_NET_NONE;
}

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

/* A mark of a core that is lost: nothing but itself. */
static bool tell_plain(es_net_marks *g, const queued *item)
{
    uint32_t transition = transition_of(g, &item->mark);
    if (transition == ES_NET_NONE)
        return es_fail(g->err, ES_USAGE, "the net has no mark %u of core %u at site %u, value %u (time %" PRId64 ")",
                       (unsigned)item->mark.id, item->mark.core, (unsigned)item->mark.site, (unsigned)item->mark.value,
                       item->mark.time);
    es_net_firing firing = {transition, es_net_engine_fired(g->engine, transition) + 1, item->mark.time, 0,
                            item->mark.delay};
    tell(g, &firing, item->index);
    g->plain[transition]++;
    return true;
}

/* --- the net's game ------------------------------------------------------------------------------------------- */

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
    bool fits = shows(&first.mark, step) && first.mark.time - first.mark.delay >= since;
    if (!fits && g->any_lost) {
        lose(g, step->core);
        return false;
    }
    if (!shows(&first.mark, step))
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
    if (g->failed || core->lost || g->serving || !core->count || !claim(g, transition, now)) {
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
        if (core && core->count && !core->lost && shows(&core->items[0].mark, step))
            return at->outputs[i];
        if (core && (!core->count || core->lost)) {
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
    bool hidden = g->any_lost && follow_loss(g, firing->transition), mine = step && !g->cores[step->core].lost;
    if (hidden && mine)
        lose(g, step->core); /* it has got something that hangs on lost marks */
    if (g->net->transitions[firing->transition].monitor && (!hidden || mine))
        tell(g, firing, step ? g->claimed[firing->transition].index : SIZE_MAX);
    for (uint32_t i = 0; g->any_lost && process >= 0 && i < g->net->transitions[firing->transition].output_count; i++)
        if (g->hidden[g->net->transitions[firing->transition].outputs[i]] && process < (int32_t)ES_NET_MP_CORES)
            lose(g, (unsigned)process);
}

/* Gives the core's next mark to what waits for it. */
static bool serve(es_net_marks *g, core_marks *core)
{
    if (core->lost)
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
        return !g->failed; /* it is lost now */
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
        if (g->cores[c].count && g->any_lost)
            lose(g, c);
        for (size_t i = 0; ran && g->cores[c].lost && i < g->cores[c].count; i++)
            ran = tell_plain(g, &g->cores[c].items[i]);
        if (g->cores[c].lost)
            g->cores[c].count = 0;
        if (ran && g->cores[c].count) {
            ran = not_reached(g, &g->cores[c].items[0].mark);
        }
        if (g->cores[c].losing)
            lose(g, c);
    }
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
        marks->cores[c].losing = marks->cores[c].losing || (cores >> c & 1 && !marks->cores[c].lost);
        waiting = waiting || marks->cores[c].count;
    }
    for (unsigned c = 0; !waiting && c < ES_NET_MP_CORES; c++)
        if (marks->cores[c].losing)
            lose(marks, c);
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
    g->hidden = es_malloc((net->place_count + 1) * sizeof *g->hidden);
    g->plain = es_malloc((net->transition_count + 1) * sizeof *g->plain);
    g->by_site = es_malloc((options->step_count + 1) * sizeof *g->by_site);
    memset(g->hidden, 0, (net->place_count + 1) * sizeof *g->hidden);
    memset(g->plain, 0, (net->transition_count + 1) * sizeof *g->plain);
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        g->cores[c].transition = g->cores[c].place = ES_NET_NONE;
    for (uint32_t t = 0; t < net->transition_count; t++) {
        g->step_of[t] = NULL;
        g->claimed[t] = (queued){.index = SIZE_MAX};
    }
    for (size_t i = 0; i < options->step_count; i++) {
        const es_net_mp_step *step = &options->steps[i];
        if (step->seen == ES_NET_SEEN_END && step->transition < net->transition_count && step->core < ES_NET_MP_CORES)
            g->step_of[step->transition] = g->by_site[g->by_site_count++] = step;
    }
    if (g->by_site_count)
        qsort(g->by_site, g->by_site_count, sizeof *g->by_site, by_site);
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
    free(marks);
}

bool es_net_marks_fire(const es_net *net, const es_net_mark *marks, size_t count, const es_net_marks_options *options,
                       es_error *err)
{
    es_net_marks *g = es_net_marks_new(net, options, err);
    bool good = g != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = es_net_marks_push(g, &marks[i], err);
    good = good && (!count || es_net_marks_advance(g, g->last + 1, err));
    es_net_marks_free(g);
    return good;
}
