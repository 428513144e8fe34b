#include "check/queues/search.h"

#include <stdlib.h>
#include <string.h>

/* What an interrupt's return to node i costs more than the node's fetch would have, which is `paid` for. */
static int64_t costlier(const search *s, size_t i, int64_t paid)
{
    return es_backlog_may_resume(s, i) ? larger(0, s->resumed[i] - paid) : 0;
}

/* The most of that over all nodes, whatever leads to them. */
static int64_t costliest_return(const search *s)
{
    const es_check_program *program = s->program;
    int64_t most = s->costs->tasks ? s->resumed_most : costlier(s, program->procedures[program->entry].first_node, 0);
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        if (!s->live[edge->from] || edge->kind == CHECK_EDGE_EXIT)
            continue;
        size_t first = edge->kind == CHECK_EDGE_NEXT ? edge->to : program->procedures[edge->callee].first_node;
        if (edge->kind == CHECK_EDGE_NEXT || program->procedures[edge->callee].node_count)
            most = larger(most, costlier(s, first, s->edge_work[i]));
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            most = larger(most, costlier(s, edge->to, s->back_work[i]));
    }
    return most;
}

/* Interrupts may come anywhere: what their handlers add must be gone when they end, and what they leave is the floor.
 * *more: it became higher. */
static bool add_interrupts(search *s, bool *more)
{
    const es_check_program *program = s->program;
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt || !program->procedures[p].node_count)
            continue;
        uint32_t low = program->procedures[p].procedure->low;
        int64_t in = scale(s, s->costs->fetch(s->costs->context, 0, 0, low));
        const summary *own = &s->summaries[p];
        if (own->through == NEVER)
            continue;
        int64_t excess = in + own->through + costliest_return(s);
        if (excess > 0 && !s->costs->interrupt_gap) {
            es_backlog_note_recursion(s, p);
            s->result->why = "interrupts that come back to back";
            return false;
        }
        s->excess = larger(s->excess, excess);
        *more |= own->from_inside > s->handler_floor;
        s->handler_floor = larger(s->handler_floor, own->from_inside);
    }
    return true;
}

/* What the handlers of all levels may leave after: the outer ones are interrupted, too, and what the inner ones left
 * waits when they go on. False: no end. */
static bool nest_interrupts(search *s)
{
    for (uint32_t level = 1; level <= s->costs->levels || level == 1; level++) {
        bool more = false;
        if (!es_backlog_settle(s, es_backlog_summarise) || !add_interrupts(s, &more))
            return false;
        if (!more)
            break;
    }
    return true;
}

static int64_t highest_of(const search *s)
{
    int64_t highest = 0;
    for (size_t i = 0; i < s->program->node_count; i++)
        highest = larger(highest, s->worst[i]);
    return highest;
}

/* Highest backlog at which an interrupt comes. */
static int64_t highest_end(const search *s)
{
    int64_t highest = larger(0, s->handler_floor); /* one may come right after another one's end */
    for (size_t i = 0; i < s->program->node_count; i++)
        highest = larger(highest, s->ended[i]);
    return highest;
}

/* While the start-up code clears memory, what that brings waits besides whatever else there is. */
static bool add_clearing(search *s)
{
    int64_t others = 0;
    if (!s->costs->clearing)
        return true;
    for (size_t i = 0; i < s->program->node_count; i++)
        if (es_backlog_clears(s, i))
            others = larger(others, s->worst[i]);
    s->cleared = others + scale(s, s->costs->clearing);
    return es_backlog_settle(s, es_backlog_descend);
}

/* Handlers are entered with whatever backlog there is. True: more than before. */
static bool enter_handlers(search *s, int64_t highest)
{
    const es_check_program *program = s->program;
    bool more = false;
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt)
            continue;
        int64_t entered =
            highest + scale(s, s->costs->fetch(s->costs->context, 0, 0, program->procedures[p].procedure->low));
        more |= entered > s->summaries[p].entered;
        s->summaries[p].entered = larger(s->summaries[p].entered, entered);
    }
    return more;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = es_malloc(count * size + 1);
    memset(memory, 0, count * size);
    return memory;
}

/* The most that each task can add by itself, in s->each: what the others leave after is no part of it. A new task goes
 * on from where the kernel has come to it. */
static bool find_each(search *s)
{
    const es_check_program *program = s->program;
    int64_t floor = s->handler_floor, begins = 0;
    s->handler_floor = NEVER;
    s->summaries[program->hub].entered = 0;
    bool fine = es_backlog_settle(s, es_backlog_descend);
    for (uint32_t level = 1; fine && s->costs->cuts_handlers && (level <= s->costs->levels || level == 1); level++)
        fine = !enter_handlers(s, highest_of(s)) || es_backlog_settle(s, es_backlog_descend);
    for (size_t i = 0; i < program->node_count; i++)
        if (program->switches[i] && program->nodes[i].insn.kind != ES_INSN_TRAP_RETURN)
            begins = larger(begins, s->worst[i]);
    s->summaries[program->hub].entered = begins;
    fine = fine && es_backlog_settle(s, es_backlog_descend);
    s->each = highest_of(s);
    s->handler_floor = floor;
    return fine;
}

/* All tasks but the one that runs, where their interrupts are handled at once. */
static int64_t of_others(const search *s)
{
    return s->costs->tasks > 1 && !s->costs->cuts_handlers ? times(s->costs->tasks - 1, s->each) : 0;
}

static void find_worst(search *s)
{
    int64_t highest = 0;
    es_arena *arena = s->program->arena;
    s->result->worst = CHECK_NONE;
    s->result->fetched = es_arena_alloc(arena, (s->program->node_count + 1) * sizeof *s->result->fetched);
    s->result->stored = es_arena_alloc(arena, (s->program->node_count + 1) * sizeof *s->result->stored);
    for (size_t i = 0; i < s->program->node_count; i++) {
        s->result->fetched[i] = s->fetched[i] < 0 ? -1 : (double)s->fetched[i] / (double)s->ratio.bus;
        s->result->stored[i] = s->stored[i] < 0 ? -1 : (double)s->stored[i] / (double)s->ratio.bus;
        if (s->worst[i] > highest) {
            highest = s->worst[i];
            s->result->worst = i;
        }
    }
    for (size_t p = 0; p < s->program->procedure_count; p++) {
        if (s->summaries[p].entered > highest && s->program->procedures[p].node_count) {
            highest = s->summaries[p].entered;
            s->result->worst = s->program->procedures[p].first_node;
        }
    }
    highest = larger(highest, s->before_handlers);
    if (s->costs->tasks > 1 && s->costs->cuts_handlers)
        highest = times(s->costs->tasks, highest);
    s->result->besides = (double)s->excess / (double)s->ratio.bus + (s->costs->epoch_gap ? (double)s->costs->epoch : 0);
    s->result->work = (double)highest / (double)s->ratio.bus + s->result->besides;
}

/* Interrupts that are too dear to come back to back: the first one's excess is added to the backlog, and that of the
 * others is paid by a soft core that is slower all the time. False: not even that keeps up. */
static bool slow_down(search *s)
{
    if (!s->excess)
        return true;
    s->ratio.core -= (s->excess + s->costs->interrupt_gap - 1) / s->costs->interrupt_gap;
    /* of handlers that are interrupted, what they leave is paid for, too */
    if (s->ratio.core > 0 && s->costs->levels > 1) {
        int64_t excess = s->excess;
        s->handler_floor = NEVER;
        bool fine = nest_interrupts(s);
        s->excess = excess;
        return fine;
    }
    if (s->ratio.core > 0)
        return true;
    for (size_t p = 0; p < s->program->procedure_count; p++)
        if (s->program->procedures[p].interrupt)
            es_backlog_note_recursion(s, p);
    s->result->why = "interrupts that come so often";
    return false;
}

void es_check_backlog_find(const es_check_program *program, const es_check_costs *costs, es_check_ratio ratio,
                           es_check_backlog *result)
{
    size_t nodes = program->node_count;
    *result = (es_check_backlog){.bounded = true, .worst = CHECK_NONE};
    if (costs->interrupt_gap || costs->epoch_gap) { /* finer steps, for slow_down */
        ratio.core *= 256;
        ratio.bus *= 256;
    }
    search s = {.program = program, .costs = costs, .ratio = ratio, .result = result};
    /* Marks come at any time: one of them is added to the backlog, and the others are paid by a slower soft core. */
    if (costs->epoch_gap)
        s.ratio.core -= (scale(&s, costs->epoch) + costs->epoch_gap - 1) / costs->epoch_gap;
    if (s.ratio.core <= 0) {
        *result = (es_check_backlog){.why = "the clock's epochs, which come so often", .worst = CHECK_NONE};
        return;
    }
    s.summaries = zeroed(program->procedure_count, sizeof *s.summaries);
    s.edge_work = zeroed(program->edge_count, sizeof *s.edge_work);
    s.back_work = zeroed(program->edge_count, sizeof *s.back_work);
    s.swept = zeroed(program->edge_count, sizeof *s.swept);
    s.node_work = zeroed(nodes, sizeof *s.node_work);
    s.ways = zeroed(nodes, sizeof *s.ways);
    s.cause = zeroed(nodes, sizeof *s.cause);
    s.rounds = zeroed(nodes, sizeof *s.rounds);
    s.waiting = zeroed(nodes, sizeof *s.waiting);
    s.live = zeroed(nodes, sizeof *s.live);
    s.enters = zeroed(program->procedure_count, sizeof *s.enters);
    s.returns = zeroed(program->procedure_count, sizeof *s.returns);
    s.counted = zeroed(program->counted_count, sizeof *s.counted);
    s.headed = zeroed(nodes, sizeof *s.headed);
    for (size_t i = 0; i < nodes; i++)
        s.headed[i] = CHECK_NONE;
    for (size_t i = 0; i < program->counted_count; i++)
        s.headed[program->counted[i].head] = i;
    s.stale = zeroed(program->procedure_count, sizeof *s.stale);
    s.queue = zeroed(nodes, sizeof *s.queue);
    s.worst = zeroed(nodes, sizeof *s.worst);
    s.ended = zeroed(nodes, sizeof *s.ended);
    s.fetched = zeroed(nodes, sizeof *s.fetched);
    s.stored = zeroed(nodes, sizeof *s.stored);
    for (size_t i = 0; i < nodes; i++)
        s.fetched[i] = s.stored[i] = NEVER;
    s.resumed = zeroed(nodes, sizeof *s.resumed);
    s.handler_floor = s.cleared = NEVER;
    for (size_t p = 0; p < program->procedure_count; p++)
        s.summaries[p] = (summary){.through = NEVER, .from_inside = NEVER, .entered = NEVER};
    s.summaries[program->entry].entered = 0;
    es_backlog_find_costs(&s);
    es_backlog_find_live(&s);
    bool fine = nest_interrupts(&s) && slow_down(&s) && es_backlog_settle(&s, es_backlog_summarise) &&
                (!costs->tasks || find_each(&s)) && es_backlog_settle(&s, es_backlog_descend) && add_clearing(&s);
    s.before_handlers = highest_of(&s) + of_others(&s);
    for (uint32_t level = 1; fine && (level <= costs->levels || level == 1); level++) {
        int64_t highest = costs->tasks ? larger(s.before_handlers, highest_of(&s)) : highest_end(&s);
        fine = !enter_handlers(&s, highest) || es_backlog_settle(&s, es_backlog_descend);
    }
    if (fine)
        find_worst(&s);
    free(s.summaries);
    free(s.edge_work);
    free(s.back_work);
    free(s.swept);
    free(s.node_work);
    free(s.ways);
    free(s.cause);
    free(s.rounds);
    free(s.waiting);
    free(s.live);
    free(s.enters);
    free(s.returns);
    free(s.counted);
    free(s.headed);
    free(s.stale);
    free(s.queue);
    free(s.worst);
    free(s.ended);
    free(s.fetched);
    free(s.stored);
    free(s.resumed);
}
