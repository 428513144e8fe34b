#include "net/marks.h"

#include <inttypes.h>
#include <stdlib.h>

/* Marks of one core, in order. */
typedef struct core_marks {
    size_t *marks; /* places in the trace */
    size_t count, next;
} core_marks;

typedef struct game {
    const es_net *net;
    const es_net_mark *marks;
    const es_net_marks_options *options;
    es_net_engine *engine; /* NULL while it is being made: time 0 */
    const es_net_mp_step **step_of; /* by transition; NULL for what no mark shows at its end */
    size_t *claimed;       /* by transition: the mark of the firing that is due, SIZE_MAX none */
    core_marks cores[ES_NET_MP_CORES];
    int64_t last; /* time of the last mark */
    es_error *err;
    bool failed;
} game;

/* True when the mark is the one of that transition. */
static bool shows(const es_net_mark *mark, const es_net_mp_step *step)
{
    if (mark->core != step->core || mark->id != step->id || mark->site != step->site)
        return false;
    bool peer = step->id >= ES_NET_MP_SEND_BEGIN && step->id <= ES_NET_MP_ANY_FOUND && step->id != ES_NET_MP_ANY_BEGIN;
    return !peer || mark->value == step->peer;
}

static size_t next_of(const game *g, unsigned core)
{
    const core_marks *c = &g->cores[core];
    return c->next < c->count ? c->marks[c->next] : SIZE_MAX;
}

static void fail(game *g, const es_net_mark *mark, uint32_t transition, const char *what)
{
    if (!g->failed)
        es_fail(g->err, ES_USAGE, "the mark %u of core %u at %" PRId64 " (site %u, value %u) %s %s: the net does not belong to this trace",
                (unsigned)mark->id, mark->core, mark->time, (unsigned)mark->site, (unsigned)mark->value, what, g->net->transitions[transition].id);
    g->failed = true;
}

static int64_t on_delay(void *context, uint32_t transition, uint64_t number)
{
    game *g = context;
    (void)number;
    const es_net_mp_step *step = g->step_of[transition];
    if (!step)
        return g->net->transitions[transition].delay;
    g->claimed[transition] = SIZE_MAX;
    size_t index = next_of(g, step->core);
    int64_t now = g->engine ? es_net_engine_time(g->engine) : 0;
    if (g->failed || index == SIZE_MAX)
        return g->last - now + 1; /* after the trace's end */
    const es_net_mark *mark = &g->marks[index];
    if (!shows(mark, step)) {
        fail(g, mark, transition, "comes where the net expects");
        return g->last - now + 1;
    }
    g->cores[step->core].next++;
    g->claimed[transition] = index;
    if (mark->time - mark->delay < now)
        fail(g, mark, transition, "comes earlier than the net lets");
    return mark->time - mark->delay - now;
}

static int64_t on_mark(void *context, uint32_t transition, uint64_t number)
{
    const game *g = context;
    (void)number;
    return g->claimed[transition] == SIZE_MAX ? 0 : g->marks[g->claimed[transition]].delay;
}

static uint32_t on_choose(void *context, uint32_t place, uint64_t number)
{
    const game *g = context;
    const es_net_place *at = &g->net->places[place];
    (void)number;
    for (uint32_t i = 0; i < at->output_count; i++) {
        const es_net_mp_step *step = g->step_of[at->outputs[i]];
        size_t index = step ? next_of(g, step->core) : SIZE_MAX;
        if (index != SIZE_MAX && shows(&g->marks[index], step))
            return at->outputs[i];
    }
    return at->outputs[0];
}

static void on_firing(void *context, const es_net_firing *firing)
{
    game *g = context;
    if (!g->failed && g->net->transitions[firing->transition].monitor)
        g->options->on_firing(g->options->context, firing, g->step_of[firing->transition] ? g->claimed[firing->transition] : SIZE_MAX);
}

static bool sort_marks(game *g, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const es_net_mark *m = &g->marks[i];
        if (m->core >= ES_NET_MP_CORES)
            return es_fail(g->err, ES_USAGE, "a mark of core %u: there are at most %u", m->core, ES_NET_MP_CORES);
        if (m->delay < 0 || m->delay > m->time || m->time > ES_NET_TICKS_MAX || (i && m->time < m[-1].time))
            return es_fail(g->err, ES_USAGE, "mark %zu of the trace, at %" PRId64 ", is out of order or takes impossibly long", i, m->time);
        g->cores[m->core].count++;
        g->last = m->time;
    }
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++) {
        g->cores[c].marks = es_malloc((g->cores[c].count + 1) * sizeof *g->cores[c].marks);
        g->cores[c].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        core_marks *c = &g->cores[g->marks[i].core];
        c->marks[c->count++] = i;
    }
    return true;
}

static bool play(game *g)
{
    es_net_engine_options options = {
        .marks = true, .delay = on_delay, .mark = on_mark, .choose = on_choose, .on_firing = on_firing, .context = g};
    g->engine = es_net_engine_new(g->net, &options, g->err);
    bool ran = g->engine && !g->failed && es_net_engine_run(g->engine, g->last, UINT64_MAX, g->failed ? NULL : g->err);
    es_net_engine_free(g->engine);
    for (unsigned c = 0; ran && !g->failed && c < ES_NET_MP_CORES; c++)
        if (next_of(g, c) != SIZE_MAX) {
            const es_net_mark *mark = &g->marks[next_of(g, c)];
            g->failed = true;
            es_fail(g->err, ES_USAGE, "the net does not come to the mark %u of core %u at %" PRId64 " (site %u)", (unsigned)mark->id, c, mark->time,
                    (unsigned)mark->site);
        }
    return ran && !g->failed;
}

bool es_net_marks_fire(const es_net *net, const es_net_mark *marks, size_t count, const es_net_marks_options *options, es_error *err)
{
    game g = {.net = net, .marks = marks, .options = options, .err = err};
    g.step_of = es_malloc((net->transition_count + 1) * sizeof *g.step_of);
    g.claimed = es_malloc((net->transition_count + 1) * sizeof *g.claimed);
    for (uint32_t t = 0; t < net->transition_count; t++) {
        g.step_of[t] = NULL;
        g.claimed[t] = SIZE_MAX;
    }
    for (size_t i = 0; i < options->step_count; i++) {
        const es_net_mp_step *step = &options->steps[i];
        if (step->seen == ES_NET_SEEN_END && step->transition < net->transition_count && step->core < ES_NET_MP_CORES)
            g.step_of[step->transition] = step;
    }
    bool ok = sort_marks(&g, count) && play(&g);
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        free(g.cores[c].marks);
    free(g.step_of);
    free(g.claimed);
    return ok;
}
