#include "check/target/quiet.h"

static bool sets_interrupts(es_insn insn)
{
    return insn.kind == ES_INSN_CONTROL && insn.control == ES_CONTROL_INTERRUPTS;
}

/* Whether interrupts may be on after a node, though they were off before it. */
static bool may_enable(const es_check_program *program, const es_check_node *node)
{
    bool call = false;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
        call |= program->edges[e].kind == CHECK_EDGE_CALL;
    return call || node->insn.kind == ES_INSN_TRAP_RETURN || sets_interrupts(node->insn);
}

/* Marks what those procedures call that are marked. */
static void mark_callees(const es_check_program *program, bool *marked)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || marked[edge->callee] ||
                !marked[program->nodes[edge->from].procedure])
                continue;
            marked[edge->callee] = changed = true;
        }
    }
}

/* A trap clears mstatus.MIE: where no handler writes mstatus, nor what it calls, they do not nest. */
static void find_handlers(es_check_program *program)
{
    bool *handling = es_arena_alloc(program->arena, program->procedure_count + 1);
    bool *others = es_arena_alloc(program->arena, program->procedure_count + 1), nest = false;
    others[program->entry] = true;
    for (size_t p = 0; p < program->procedure_count; p++)
        handling[p] = program->procedures[p].interrupt;
    mark_callees(program, handling);
    mark_callees(program, others);
    for (size_t i = 0; i < program->node_count; i++)
        nest |= handling[program->nodes[i].procedure] && sets_interrupts(program->nodes[i].insn);
    for (size_t i = 0; i < program->node_count && !nest; i++)
        if (handling[program->nodes[i].procedure] && !others[program->nodes[i].procedure])
            program->nodes[i].uninterrupted = true;
}

/* A reset clears mstatus.MIE: up to the first write to mstatus no interrupt comes. Procedures that are called are not
 * looked into. */
static void find_start(es_check_program *program)
{
    const es_check_procedure *start = &program->procedures[program->entry];
    size_t end = start->first_node + start->node_count;
    for (size_t i = start->first_node; i < end; i++)
        program->nodes[i].uninterrupted = true;
    for (size_t i = 0; i < program->edge_count; i++) { /* as somebody's callee it may run again */
        const es_check_edge *edge = &program->edges[i];
        if ((edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL) && edge->callee == program->entry)
            program->nodes[start->first_node].uninterrupted = false;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = start->first_node; i < end; i++) {
            const es_check_node *node = &program->nodes[i];
            bool on = !node->uninterrupted || may_enable(program, node);
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && on; e++) {
                const es_check_edge *edge = &program->edges[e];
                if ((edge->kind != CHECK_EDGE_NEXT && edge->kind != CHECK_EDGE_CALL) || edge->to == CHECK_NONE)
                    continue;
                changed |= program->nodes[edge->to].uninterrupted;
                program->nodes[edge->to].uninterrupted = false;
            }
        }
    }
}

void es_check_find_quiet(es_check_program *program)
{
    find_start(program);
    find_handlers(program);
}
