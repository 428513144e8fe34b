#include "check/target/switches.h"

#include <string.h>

/* Marks what handlers call, too. */
static void find_handled(es_check_switches *s, const es_check_program *program)
{
    for (size_t p = 0; p < program->procedure_count; p++)
        s->handles[p] = program->procedures[p].interrupt;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            bool call = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL;
            if (!call || !s->handles[program->nodes[edge->from].procedure] || s->handles[edge->callee])
                continue;
            s->handles[edge->callee] = changed = true;
        }
    }
}

void es_check_switches_find(es_check_switches *s, es_check_program *program, const es_check_aims *aims)
{
    *s = (es_check_switches){.longjmp = CHECK_NONE};
    s->handles = es_arena_alloc(program->arena, (program->procedure_count + 1) * sizeof *s->handles);
    s->swaps = es_arena_alloc(program->arena, (program->procedure_count + 1) * sizeof *s->swaps);
    find_handled(s, program);
    program->switches = aims->swaps;
    for (size_t i = 0; i < program->node_count; i++) {
        const es_check_node *node = &program->nodes[i];
        const es_check_procedure *in = &program->procedures[node->procedure];
        if (!aims->swaps[i])
            continue;
        s->any = true;
        if (strstr(in->procedure->name, "longjmp"))
            s->longjmp = i;
        if (node->insn.kind == ES_INSN_TRAP_RETURN) {
            s->by_mret = true;
            continue;
        }
        s->swaps[node->procedure] = true;
        s->cuts_handlers |= s->handles[node->procedure];
    }
}
