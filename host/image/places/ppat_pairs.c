/* Which activations' locals are meant, and whether an interrupt or a task can come to one of them. */
#include "image/places/ppat_inside.h"

#include "image/plan/writes.h"
#include "lang/statement.h"

size_t es_ppat_fixed_frames(const image_plan *plan, const plan_frame **first)
{
    size_t count = 0;
    for (size_t i = plan->frame_count; i-- > 0;) {
        if (plan->frames[i].moves)
            continue;
        *first = &plan->frames[i];
        count++;
    }
    return count;
}

const plan_frame *es_ppat_frame_in(const ppat_builder *b, size_t state, const es_procedure *procedure)
{
    const plan_frame *frame = es_plan_frame_of(b->plan, procedure);
    if (!frame || frame->moves)
        return NULL;
    if (frame->anywhere)
        return frame;
    for (size_t i = 0; i < b->plan->path_count; i++) {
        const es_path *path = b->plan->paths[i].path;
        if (es_step_means(es_path_last(path), procedure) && b->plan->paths[i].refers &&
            b->ppat->paths.tells[state * b->plan->path_count + i] & AUTOMATON_DENOTES)
            return frame;
    }
    return NULL;
}

const char *es_ppat_wanted(const ppat_builder *b)
{
    const plan_frame *first = &b->plan->frames[0];
    es_ppat_fixed_frames(b->plan, &first);
    return first->procedure->name;
}

static void reach(ppat_builder *b, size_t state, size_t procedure, bool by_interrupt)
{
    size_t pair = ppat_pair(b, state, procedure);
    if (b->pairs.reached[pair] && (b->pairs.by_interrupt[pair] || !by_interrupt))
        return;
    b->pairs.by_interrupt[pair] |= by_interrupt;
    b->pairs.reached[pair] = true;
    b->pairs.list[b->pairs.count++] = pair;
}

static bool begins_task(const ppat_builder *b, size_t procedure)
{
    const es_procedure *p = b->graph.procedures[procedure];
    return b->plan->program->task && p->address_taken && !p->is_interrupt;
}

/* Of a pair. Both are for graphs with procedures: count is not 0. */
static size_t state_of(const ppat_builder *b, size_t pair)
{
    return b->graph.count ? pair / b->graph.count : 0;
}

static size_t procedure_of(const ppat_builder *b, size_t pair)
{
    return b->graph.count ? pair % b->graph.count : 0;
}

void es_ppat_find_pairs(ppat_builder *b)
{
    size_t count = b->graph.count, total = b->ppat->paths.state_count * count;
    pair_set *p = &b->pairs;
    p->reached = es_arena_alloc(b->plan->arena, total + 1);
    p->by_interrupt = es_arena_alloc(b->plan->arena, total + 1);
    p->live = es_arena_alloc(b->plan->arena, total + 1);
    p->list =
        es_arena_alloc(b->plan->arena, (2 * total + 1) * sizeof *p->list); /* each once, and once more by interrupt */
    reach(b, 0, b->root, false);
    for (size_t i = 0; i < p->count; i++) {
        size_t state = state_of(b, p->list[i]), procedure = procedure_of(b, p->list[i]);
        bool by_interrupt = p->by_interrupt[p->list[i]];
        for (size_t k = 0; k < b->graph.edge_counts[procedure]; k++) {
            const call_edge *edge = &b->graph.edges[procedure][k];
            reach(b, ppat_next_state(b, state, edge->symbol), edge->callee,
                  by_interrupt || (procedure == b->root && begins_task(b, edge->callee)));
        }
        for (size_t k = 0; k < count; k++)
            if (b->graph.procedures[k]->is_interrupt)
                reach(b, ppat_next_state(b, state, es_automaton_symbol_of(&b->ppat->paths, b->graph.procedures[k], 0)),
                      k, true);
    }
    for (size_t i = 0; i < p->count; i++)
        p->live[p->list[i]] =
            es_ppat_frame_in(b, state_of(b, p->list[i]), b->graph.procedures[procedure_of(b, p->list[i])]) != NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = p->count; i-- > 0;) {
            size_t state = state_of(b, p->list[i]), procedure = procedure_of(b, p->list[i]);
            for (size_t k = 0; k < b->graph.edge_counts[procedure] && !p->live[p->list[i]]; k++) {
                const call_edge *edge = &b->graph.edges[procedure][k];
                if (p->live[ppat_pair(b, ppat_next_state(b, state, edge->symbol), edge->callee)])
                    p->live[p->list[i]] = changed = true;
            }
        }
    }
}

bool es_ppat_refuse_interrupts(const ppat_builder *b)
{
    for (size_t i = 0; i < b->pairs.count; i++) {
        size_t pair = b->pairs.list[i];
        const es_procedure *procedure = b->graph.procedures[pair % b->graph.count];
        bool task = begins_task(b, pair % b->graph.count);
        if ((!procedure->is_interrupt && !task) || !b->pairs.by_interrupt[pair] || !b->pairs.live[pair])
            continue;
        const plan_frame *own = es_ppat_frame_in(b, pair / b->graph.count, procedure);
        if (task)
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: a task may begin with %s%s, on a stack of its own: "
                           "copy the value to a global",
                           own ? procedure->name : es_ppat_wanted(b), procedure->name, own ? "" : ", which calls it");
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the interrupt handler %s %s, and its "
                       "frame can be anywhere",
                       own ? procedure->name : es_ppat_wanted(b), procedure->name, own ? "holds them" : "calls it");
    }
    return true;
}
