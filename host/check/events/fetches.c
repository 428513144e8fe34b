/* What fetches cost: calls, returns, jumps, interrupts, and the switch to another task. */
#include "check/events/checker.h"
#include "check/events/stacks.h"

#include <image.h>

/* Before an activation more, for which there is room. */
static uint32_t depth_below(const checker *c, uint32_t depth)
{
    depth = at_most(depth, es_checker_shadow_depth(c));
    return depth ? depth - 1 : 0;
}

static bool is_call(const checker *c, uint32_t word)
{
    return (word & evidence_of(c)->call_mask) == evidence_of(c)->call_bits;
}

size_t es_checker_procedure_at(const checker *c, uint32_t address)
{
    const es_procedure *in = es_symbols_procedure_at(c->symbols, address);
    size_t low = 0, high = c->program.symbol_count;
    while (in && low < high) {
        size_t middle = (low + high) / 2;
        if (c->program.procedures[middle].procedure == in)
            return middle;
        if (c->program.procedures[middle].procedure->low < in->low)
            low = middle + 1;
        else
            high = middle;
    }
    return CHECK_NONE;
}

/* --- start-up code ----------------------------------------------------------------------------------------- */

static bool in_start_up(const checker *c, uint32_t address)
{
    size_t p = es_checker_procedure_at(c, address);
    return p != CHECK_NONE && c->start_up[p];
}

/* The place may be come to while start-up code runs, from the instruction at `from`; 0: from anywhere. */
static bool may_be_hushed(const checker *c, uint32_t from, uint32_t address)
{
    if (from || in_start_up(c, address) || !es_check_service_hushes(c->service))
        return from ? in_start_up(c, from) : in_start_up(c, address);
    size_t p = es_checker_procedure_at(c, address);
    bool hushed =
        p != CHECK_NONE && c->program.procedures[p].interrupt && c->program.procedures[p].procedure->low == address;
    for (size_t i = 0; i < c->program.edge_count && !hushed; i++) {
        const es_check_edge *edge = &c->program.edges[i];
        hushed = (edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL) &&
                 c->program.procedures[edge->callee].procedure->low == address &&
                 c->start_up[c->program.nodes[edge->from].procedure];
    }
    return hushed;
}

/* --- task switches ------------------------------------------------------------------------------------------ */

static const uint32_t any_node[] = {0};

/* The same where the target may go on with another task. A later hit then sends all of that task's path. */
static int64_t switch_cost(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now)
{
    now.switching = true;
    if (c->slots) /* what is known of the stack's entries holds for one of the tasks only */
        now.inside = 0;
    int64_t cost = es_checker_cost_at(c, kind, address, now, CHECK_NONE, any_node);
    return cost + (c->paying == EACH_HIT_ALL ? 0 : c->frame + (int64_t)c->entry * c->depth);
}

bool es_checker_begins(const checker *c, uint32_t address)
{
    if (!c->tasks)
        return false;
    const es_check_node *hub = &c->program.nodes[c->program.procedures[c->program.hub].first_node];
    for (size_t e = hub->first_edge; e < hub->first_edge + hub->edge_count; e++)
        if (c->program.procedures[c->program.edges[e].callee].procedure->low == address)
            return true;
    return false;
}

/* Each task begins once, so when it does after an mret, nothing is kept of it. */
static int64_t begin_cost(checker *c, uint32_t word, uint32_t address)
{
    es_check_situation now = {.from = 4, .word = word, .begins = true};
    if (word == evidence_of(c)->trap_return)
        return es_checker_cost_at(c, ES_CHECK_OTHER, address, now, CHECK_NONE, any_node);
    now.depth = es_checker_depth(c, CHECK_NONE);
    return switch_cost(c, ES_CHECK_OTHER, address, now);
}

bool es_checker_switches_at(const checker *c, uint32_t address)
{
    for (size_t i = 0; i < c->program.node_count && c->tasks; i++)
        if (c->program.nodes[i].address == address && c->program.switches[i])
            return true;
    return false;
}

static bool is_called(const checker *c, size_t p)
{
    for (size_t i = 0; i < c->program.edge_count; i++)
        if (c->program.edges[i].kind == CHECK_EDGE_CALL && c->program.edges[i].callee == p)
            return true;
    return false;
}

/* An mret in procedure p that may go on with another task: of a handler, and of what is called. */
static int64_t mret_cost(checker *c, size_t p, uint32_t address, es_check_situation now)
{
    int64_t most = now.interrupt ? switch_cost(c, ES_CHECK_OTHER, address, now) : 0;
    if (now.interrupt && !is_called(c, p))
        return most;
    now.interrupt = false;
    now.no_handler = true;
    now.inside = 0;
    return larger(most, switch_cost(c, ES_CHECK_OTHER, address, now));
}

/* The fetch of a place after an instruction that is neither a call nor, as far as is known, a return. */
static int64_t other_cost(checker *c, uint32_t address, es_check_situation now)
{
    const key *at = es_checker_key_of(c, c->fetches, address);
    size_t p = es_checker_procedure_at(c, address);
    const es_check_procedure *in = p == CHECK_NONE ? NULL : &c->program.procedures[p];
    bool entry = in && in->procedure->low == address;
    now.hushed = may_be_hushed(c, 0, address);
    if (in && in->interrupt && entry) { /* it comes on top of anything */
        now.depth = depth_below(c, at->depth);
        return es_checker_cost_at(c, ES_CHECK_OTHER, address, now, p, es_checker_nodes_before(c, p));
    }
    /* an activation that returns to here, or is replaced */
    now.depth = at_most(at->depth + at->back, es_checker_depth(c, CHECK_NONE));
    now.interrupt = in && in->interrupt;
    if (now.interrupt && es_checker_key_of(c, c->fetches, in->procedure->low)->armed)
        now.inside = in->procedure->low;
    if (es_checker_switches_at(c, address))
        return mret_cost(c, p, address, now);
    bool within = in && !entry && !at->back && !at->elsewhere;
    int64_t most = es_checker_cost_at(c, ES_CHECK_OTHER, address, now, within ? p : CHECK_NONE,
                                      within ? es_checker_nodes_in(c, p) : any_node);
    /* a call that is noted takes longer than one for which there is no room */
    if (entry && now.depth == ES_MI_STACK_DEPTH) {
        now.depth--;
        most = larger(most, es_checker_cost_at(c, ES_CHECK_OTHER, address, now, CHECK_NONE, any_node));
    }
    return most;
}

/* Procedures that may return in p's stead, since jumps lead from it to them; and p itself. */
static const size_t *returning(checker *c, size_t p, size_t *count)
{
    if (!c->tails)
        c->tails = es_arena_alloc(c->report->arena, (c->program.procedure_count + 1) * sizeof *c->tails);
    es_checker_list *list = &c->tails[p];
    if (!list->count) {
        list->items = es_arena_grow(c->report->arena, NULL, 0, sizeof *list->items);
        list->items[list->count++] = p;
        for (size_t i = 0; i < list->count; i++) {
            const es_check_procedure *at = &c->program.procedures[list->items[i]];
            for (size_t n = at->first_node; n < at->first_node + at->node_count; n++) {
                const es_check_node *node = &c->program.nodes[n];
                for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                    const es_check_edge *edge = &c->program.edges[e];
                    bool known = edge->kind != CHECK_EDGE_TAIL;
                    for (size_t k = 0; k < list->count && !known; k++)
                        known = list->items[k] == edge->callee;
                    if (known)
                        continue;
                    list->items = es_arena_grow(c->report->arena, list->items, list->count, sizeof *list->items);
                    list->items[list->count++] = edge->callee;
                }
            }
        }
    }
    *count = list->count;
    return list->items;
}

/* After the call at that address, the target may have come from another task. */
bool es_checker_returns_switched(checker *c, uint32_t call)
{
    for (size_t i = 0; i < c->program.edge_count && c->tasks; i++) {
        const es_check_edge *edge = &c->program.edges[i];
        if (edge->kind != CHECK_EDGE_CALL || c->program.nodes[edge->from].address != call)
            continue;
        size_t count;
        const size_t *last = returning(c, edge->callee, &count);
        for (size_t k = 0; k < count; k++)
            if (c->switches.swaps[last[k]])
                return true;
    }
    return false;
}

/* resumed: an interrupt came right after the return. */
static int64_t back_cost(checker *c, const es_check_node *call, size_t callee, uint32_t address, bool resumed)
{
    if (!es_checker_key_of(c, c->fetches, address)->armed)
        return 0;
    size_t count;
    int64_t most = 0;
    const size_t *last = returning(c, callee, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t entry = c->program.procedures[last[i]].procedure->low;
        es_check_situation now = {.depth = at_most(es_checker_depth(c, last[i]), c->depth_of[call->procedure] + 1),
                                  .site = es_isa_site(call->address, call->insn.size)};
        now.hushed = in_start_up(c, address);
        now.inside = es_checker_key_of(c, c->fetches, entry)->armed ? entry : 0;
        now.to_do = now.inside && es_check_service_leaves(c->service, entry);
        if (resumed) {
            now.from = 4;
            now.word = evidence_of(c)->trap_return;
            now.resume_word = evidence_of(c)->a_return;
            now.resume_known = es_isa_return_mask(c->program.isa);
        }
        enum es_check_event_kind kind = resumed ? ES_CHECK_OTHER : ES_CHECK_RETURN;
        if (c->tasks && c->switches.swaps[last[i]]) { /* to the task that goes on, from whichever one was left */
            now.depth = es_checker_depth(c, last[i]);
            now.site = 0;
            now.to_do = false;
            most = larger(most, switch_cost(c, kind, address, now));
            continue;
        }
        most =
            larger(most, es_checker_cost_at(c, kind, address, now, last[i], es_checker_nodes_behind(c, call, last[i])));
    }
    return most;
}

int64_t es_checker_back_cost(void *context, const es_check_node *call, size_t callee, uint32_t address)
{
    checker *c = context;
    uint64_t what = es_checker_what_for(c, 2, address), where = (uint64_t)callee << 32 | call->address;
    const es_checker_known *known = es_checker_known_cost(c, what, where);
    return known->what ? known->cost : es_checker_keep_cost(c, what, where, back_cost(c, call, callee, address, false));
}

/* Right after an mret. What had been fetched before the interrupt is what can lead to the place; or, where a core
 * fetches ahead, the instruction there. */
static int64_t resumed_cost(checker *c, uint32_t address)
{
    const es_check_program *program = &c->program;
    const key *at = es_checker_key_of(c, c->fetches, address);
    es_check_situation now = {.from = 4, .word = evidence_of(c)->trap_return};
    uint32_t word;
    bool called = false;
    if (at->handler && c->nested) /* of what an interrupted handler was about to do, nothing is known */
        return other_cost(c, address, now);
    int64_t most = es_checker_begins(c, address)
                       ? larger(begin_cost(c, evidence_of(c)->trap_return, address), other_cost(c, address, now))
                       : 0;
    if (!(c->handlers || c->switches.by_mret) || (!at->outside && !c->nested) ||
        !es_symbols_word(c->symbols, address, &word))
        return most;
    now.resume_from = address;
    now.resume_word = es_isa_told(program->isa, word);
    now.resume_known = 0xFFFFFFFFu;
    most = larger(most, other_cost(c, address, now));
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        const es_check_node *from = &program->nodes[edge->from];
        bool call = edge->kind == CHECK_EDGE_CALL;
        if (call && edge->to != CHECK_NONE && program->nodes[edge->to].address == address)
            most = larger(most, back_cost(c, from, edge->callee, address, true));
        if (edge->kind == CHECK_EDGE_NEXT
                ? program->nodes[edge->to].address != address
                : edge->kind == CHECK_EDGE_EXIT || program->procedures[edge->callee].procedure->low != address ||
                      (call && called))
            continue;
        called |= call;
        now.resume_from = call ? 0 : from->address;
        now.resume_word = call ? evidence_of(c)->call_bits : from->word;
        now.resume_known = call ? evidence_of(c)->call_mask : 0xFFFFFFFFu;
        most = larger(most, other_cost(c, address, now));
    }
    return most;
}

int64_t es_checker_fetch_cost(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    checker *c = context;
    const key *at = es_checker_key_of(c, c->fetches, address);
    if (!at->armed)
        return 0;
    bool hushed = is_call(c, word) && may_be_hushed(c, from, address);
    uint64_t what = es_checker_what_for(c, 1, address),
             where = is_call(c, word) ? word | (uint64_t)hushed << 32 : (uint64_t)from << 32 | word;
    const es_checker_known *known = es_checker_known_cost(c, what, where);
    if (known->what)
        return known->cost;
    int64_t most;
    if (from >= CHECK_HUB_ADDRESS) {
        most = begin_cost(c, word, address);
    } else if (is_call(c, word)) {
        size_t p = es_checker_procedure_at(c, address);
        es_check_situation now = {.depth = depth_below(c, at->depth), .hushed = hushed};
        most = es_checker_cost_at(c, ES_CHECK_CALL, address, now, p, es_checker_nodes_before(c, p));
    } else if (word == evidence_of(c)->trap_return && !from) {
        most = resumed_cost(c, address);
    } else {
        most = other_cost(c, address, (es_check_situation){.from = word ? (from ? from : 4) : 0, .word = word});
    }
    return es_checker_keep_cost(c, what, where, most);
}
