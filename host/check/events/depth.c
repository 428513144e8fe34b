/* How many activations may nest, by procedure and by armed address. */
#include "check/events/checker.h"
#include "check/events/stacks.h"

#include <image.h>

uint32_t es_checker_depth(const checker *c, size_t p)
{
    return at_most(p == CHECK_NONE ? c->depth : c->depth_of[p], ES_MI_STACK_DEPTH);
}

/* An interrupt may come when a procedure has returned and that has not been seen: its activation still counts then. */
uint32_t es_checker_shadow_depth(const checker *c)
{
    return c->nest + c->handlers;
}

/* Follows the chains of calls from the procedures that `from` marks. Not noted are calls of procedures whose entry is
 * not armed; a tail call replaces an activation, unless there is none. */
static void nest_calls(checker *c, const bool *from)
{
    const es_check_program *program = &c->program;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            size_t caller = program->nodes[edge->from].procedure;
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || !from[caller])
                continue;
            const es_check_procedure *callee = &program->procedures[edge->callee];
            bool noted = callee->procedure && es_checker_key_of(c, c->fetches, callee->procedure->low)->armed;
            uint32_t own = c->depth_of[caller];
            if (edge->kind == CHECK_EDGE_CALL || !own)
                own += noted;
            c->nests |= own > c->nest;
            own = at_most(own, es_checker_shadow_depth(c));
            if (own <= c->depth_of[edge->callee])
                continue;
            c->depth_of[edge->callee] = own;
            changed = true;
        }
    }
}

/* An instruction that may let interrupts come again in a handler. */
static bool allows_interrupts(es_insn insn)
{
    return insn.kind == ES_INSN_CONTROL && insn.control == ES_CONTROL_INTERRUPTS && insn.writes;
}

/* By procedure, whether it may run outside of handlers; or, when `handlers`, in one. */
static bool *runs_in(const checker *c, bool handlers)
{
    const es_check_program *program = &c->program;
    bool *in = es_arena_alloc(c->report->arena, (program->procedure_count + 1) * sizeof *in);
    for (size_t p = 0; p < program->procedure_count; p++)
        in[p] = handlers ? program->procedures[p].interrupt : p == program->entry || (c->tasks && p == program->hub);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || in[edge->callee] ||
                !in[program->nodes[edge->from].procedure])
                continue;
            in[edge->callee] = changed = true;
        }
    }
    return in;
}

/* Whether interrupts may nest: a core holds them back in a handler until that lets them come. */
static bool find_nesting(const checker *c)
{
    const es_check_program *program = &c->program;
    const bool *in = runs_in(c, true);
    for (size_t i = 0; i < program->node_count; i++)
        if (in[program->nodes[i].procedure] && allows_interrupts(program->nodes[i].insn))
            return true;
    return false;
}

/* Longest chains of calls to each procedure; what is recursive counts as deep as calls nest at most. An interrupt comes
 * on top of whatever it interrupts: of the deepest procedure or, where interrupts nest, of any depth. */
void es_checker_find_depth(checker *c)
{
    const es_check_program *program = &c->program;
    size_t count = program->procedure_count;
    bool *first = es_arena_alloc(c->report->arena, (count + 1) * sizeof *first),
         *all = es_arena_alloc(c->report->arena, (count + 1) * sizeof *all);
    uint32_t most = ES_MI_STACK_DEPTH - c->handlers;
    c->nest = c->options->nest && c->options->nest < most ? c->options->nest : most;
    c->depth_of = es_arena_alloc(c->report->arena, (count + 1) * sizeof *c->depth_of);
    for (size_t p = 0; p < count; p++) {
        c->depth_of[p] = 0;
        all[p] = true;
        first[p] = !program->procedures[p].interrupt;
    }
    c->nested = find_nesting(c);
    c->levels = !c->nested ? 1 : c->options->levels && c->options->levels < c->nest ? c->options->levels : c->nest;
    c->nests |= c->nested;
    nest_calls(c, first);
    for (size_t p = 0; p < count; p++)
        c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
    uint32_t below = c->depth;
    for (size_t p = 0; p < count && c->handlers; p++)
        if (program->procedures[p].interrupt)
            c->depth_of[p] = c->nested ? es_checker_shadow_depth(c) : at_most(below + 1, es_checker_shadow_depth(c));
    nest_calls(c, all);
    for (size_t p = 0; p < count; p++)
        c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
    const bool *outside = runs_in(c, false);
    for (size_t i = 0; i < program->node_count; i++) {
        key *at = es_checker_key_of(c, c->fetches, program->nodes[i].address);
        uint32_t own = c->depth_of[program->nodes[i].procedure];
        at->depth = at->armed && own > at->depth ? own : at->depth;
        at->outside |= at->armed && outside[program->nodes[i].procedure];
        at->handler = at->armed && program->procedures[program->nodes[i].procedure].interrupt;
        at->elsewhere |= program->nodes[i].procedure >= program->symbol_count;
    }
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            es_checker_key_of(c, c->fetches, program->nodes[edge->to].address)->back =
                true; /* of a place that is not armed: unused */
    }
    es_checker_find_stacks(c);
}
