#include "prof/profile.h"

#include <stdlib.h>
#include <string.h>

#include "prof/tables.h"
#include "replay/pace.h"

#define NODES_MOST (1u << 22) /* paths beyond count as the last one that there was room for */

typedef struct taking {
    es_prof *profile;
    es_prof_cost counted; /* what is counted in paths so far */
    uint32_t node;        /* the path that runs */
} taking;

/* --- paths -------------------------------------------------------------------------------------------------------- */

static void count_path(taking *t)
{
    es_prof *p = t->profile;
    const es_prof_cost *total = &p->calls.total;
    if (!p->keep_paths)
        return;
    if (p->node_count) {
        p->nodes[t->node].self.instructions += total->instructions - t->counted.instructions;
        p->nodes[t->node].self.clocks += total->clocks - t->counted.clocks;
    }
    t->counted = *total;
}

static uint32_t path_with(taking *t, const es_prof_calls *calls, const es_prof_frame *frame)
{
    es_prof *p = t->profile;
    const es_prof_stack *s = &calls->stacks[calls->now];
    size_t below = (size_t)(frame - s->frames);
    bool handler = below && s->frames[below - 1].kind == ES_PROF_TRAP;
    while (below > 0 && s->frames[below - 1].kind == ES_PROF_TRAP)
        below--;
    uint32_t parent = below && !handler ? s->frames[below - 1].node : UINT32_MAX, *found;
    if (p->node_count == NODES_MOST)
        return below ? s->frames[below - 1].node : 0;
    found = es_prof_find_node(p->tables, parent, frame->procedure * 2 + handler);
    if (*found != UINT32_MAX)
        return *found;
    *found = (uint32_t)p->node_count;
    p->nodes = es_prof_grow(p->nodes, p->node_count, sizeof *p->nodes);
    p->nodes[p->node_count] = (es_prof_node){.parent = parent == UINT32_MAX ? (uint32_t)p->node_count : parent,
                                             .procedure = frame->procedure,
                                             .handler = handler};
    return (uint32_t)p->node_count++;
}

static uint32_t path_now(const es_prof_calls *calls, uint32_t other, size_t count)
{
    const es_prof_stack *s = &calls->stacks[calls->now];
    while (count > 0 && s->frames[count - 1].kind == ES_PROF_TRAP)
        count--;
    return count ? s->frames[count - 1].node : other;
}

/* --- what happens ------------------------------------------------------------------------------------------------- */

static void entered(void *context, const es_prof_calls *calls, es_prof_frame *frame)
{
    taking *t = context;
    es_prof *p = t->profile;
    count_path(t);
    if (frame->kind == ES_PROF_TRAP) {
        p->interrupts++;
    } else {
        es_prof_arc *arc = es_prof_find_arc(p->tables, frame->site, frame->procedure);
        arc->calls += frame->site != ES_PROF_BEFORE;
        if (p->keep_paths)
            t->node = frame->node = path_with(t, calls, frame);
    }
    if (p->hearer && p->hearer->entered)
        p->hearer->entered(p->hearer->context, calls, frame);
}

static void add(es_prof_cost *to, es_prof_cost cost)
{
    to->instructions += cost.instructions;
    to->clocks += cost.clocks;
}

static void left(void *context, const es_prof_calls *calls, const es_prof_frame *frame, es_prof_cost cost)
{
    taking *t = context;
    es_prof *p = t->profile;
    count_path(t);
    if (frame->kind == ES_PROF_TRAP) {
        add(&p->handled, cost);
    } else if (frame->outermost) {
        add(&p->inclusive[frame->procedure], cost);
        add(&es_prof_find_arc(p->tables, frame->site, frame->procedure)->cost, cost);
    }
    if (p->keep_paths)
        t->node = path_now(calls, t->node, calls->stacks[calls->now].count - 1);
    if (p->hearer && p->hearer->left)
        p->hearer->left(p->hearer->context, calls, frame, cost);
}

static void again(void *context, const es_prof_calls *calls, es_prof_frame *frame, uint32_t site)
{
    const es_prof *p = ((const taking *)context)->profile;
    es_prof_find_arc(p->tables, site, frame->procedure)->calls++;
    if (p->hearer && p->hearer->again)
        p->hearer->again(p->hearer->context, calls, frame, site);
}

static void switched(void *context, const es_prof_calls *calls, size_t from, bool after_trap)
{
    taking *t = context;
    es_prof *p = t->profile;
    count_path(t);
    if (p->keep_paths)
        t->node = path_now(calls, t->node, calls->stacks[calls->now].count);
    if (p->hearer && p->hearer->switched)
        p->hearer->switched(p->hearer->context, calls, from, after_trap);
}

static void on_access(void *context, const es_machine_access *access)
{
    taking *t = context;
    es_prof *p = t->profile;
    es_prof_calls *calls = &p->calls;
    if (access->kind != ES_KIND_FETCH)
        return;
    uint32_t pc = access->address;
    es_prof_cell *cell = es_prof_cell_at(&p->code, pc);
    if (!cell || !cell->size || cell->word != access->data)
        cell = es_prof_cell_make(&p->code, pc, access->data);
    if (es_prof_may_leave(calls, cell))
        es_prof_arrive(calls, pc, cell);
    cell->count++;
    cell->clocks += p->step;
    calls->total.instructions++;
    calls->total.clocks += p->step;
    calls->last = cell;
    calls->last_pc = pc;
    if (cell->switches)
        calls->switching = calls->stacks[calls->now].count;
}

static void on_trap(void *context, uint32_t cause)
{
    es_prof_trap(&((taking *)context)->profile->calls, cause);
}

static void on_restart(void *context)
{
    es_prof_end_all(&((taking *)context)->profile->calls);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int by_site(const void *left_arc, const void *right_arc)
{
    const es_prof_arc *a = left_arc, *b = right_arc;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return a->procedure < b->procedure ? -1 : a->procedure > b->procedure;
}

static bool run(taking *t, es_timeline *timeline, uint64_t to, bool (*asked)(void), es_error *err)
{
    es_prof *p = t->profile;
    const es_replay_anchor *anchors;
    size_t count;
    uint64_t now;
    while ((now = es_timeline_now(timeline)) < to && !(asked && asked())) {
        es_replay_pace pace;
        if (!es_timeline_anchors(timeline, now, &anchors, &count, err))
            return false;
        es_replay_pace_between(anchors, count, now, &pace);
        uint64_t border = es_timeline_border(timeline, now), end = pace.end < border ? pace.end : border;
        p->step = pace.step;
        p->step_time = es_replay_pace_time(&pace, now);
        p->step_at = p->calls.total.instructions;
        if (now == p->from)
            p->first = es_replay_pace_time(&pace, now);
        p->last = es_replay_pace_time(&pace, end < to ? end : to);
        enum es_machine_stop stop = es_timeline_run(timeline, end < to ? end : to, err);
        if (stop != ES_MACHINE_UNTIL && stop != ES_MACHINE_MARK)
            return false;
    }
    return true;
}

bool es_prof_take(es_prof *profile, es_timeline *timeline, const es_symbols *symbols, uint64_t from, uint64_t to,
                  bool (*asked)(void), es_error *err)
{
    es_prof *p = profile;
    taking t = {.profile = p};
    es_machine *machine = es_timeline_machine(timeline);
    es_prof_hearer hearer = {entered, left, again, switched, &t};
    es_machine_listener listener = {.access = on_access, .trap = on_trap, .context = &t};
    p->hz = es_timeline_hz(timeline);
    p->from = from;
    es_prof_code_init(&p->code, symbols);
    p->inclusive = calloc(p->code.procedure_count, sizeof *p->inclusive);
    if (!p->inclusive)
        abort();
    p->tables = es_prof_tables_new();
    es_prof_calls_init(&p->calls, &p->code, machine, &hearer);
    p->calls.begun = from == 0;
    if (!es_timeline_seek(timeline, from, err))
        return false;
    es_machine_listen(machine, &listener);
    es_timeline_hear_restarts(timeline, on_restart, &t);
    bool good = run(&t, timeline, to, asked, err);
    es_machine_listen(machine, NULL);
    es_timeline_hear_restarts(timeline, NULL, NULL);
    es_prof_end_all(&p->calls);
    p->to = es_timeline_now(timeline);
    p->arc_count = es_prof_take_arcs(p->tables, &p->arcs);
    if (p->arc_count)
        qsort(p->arcs, p->arc_count, sizeof *p->arcs, by_site);
    p->calls.hearer = (es_prof_hearer){0};
    return good;
}

uint64_t es_prof_clock(const es_prof *profile)
{
    return profile->step_time +
           ((profile->calls.total.instructions - profile->step_at) * profile->step >> ES_REPLAY_PACE_BITS);
}

void es_prof_free(es_prof *profile)
{
    es_prof_calls_free(&profile->calls);
    if (profile->code.symbols)
        es_prof_code_free(&profile->code);
    es_prof_tables_free(profile->tables);
    free(profile->inclusive);
    free(profile->arcs);
    free(profile->nodes);
    memset(profile, 0, sizeof *profile);
}
