/* Start-up code: where it may run, whose writes are no events. */
#include "image/tables/start_up.h"
#include "check/events/checker.h"

/* Whether it is start-up code, or copies and clears for it. */
static bool is_start_up(const checker *c, size_t p)
{
    return p != CHECK_NONE && (p == c->program.entry || es_start_up_copies(c->program.procedures[p].procedure));
}

/* A call of it puts an activation on the shadow stack with which start-up code is over, until it returns. */
static bool ends_start_up(const checker *c, size_t p)
{
    const es_check_procedure *procedure = &c->program.procedures[p];
    return p < c->program.symbol_count && !is_start_up(c, p) &&
           es_checker_key_of(c, c->fetches, procedure->procedure->low)->armed;
}

/* The firmware takes it for start-up code as long as all activations are of procedures that copy and clear for it
 * (firmware/restart.c). So it goes on in whatever these call, save in what ends it. Handlers come on top of it. */
void es_checker_find_start_up(checker *c)
{
    const es_check_program *program = &c->program;
    bool *in = es_arena_alloc(c->report->arena, (program->procedure_count + 1) * sizeof *in);
    bool hushes = es_check_service_hushes(c->service);
    c->start_up = in;
    for (size_t p = 0; p < program->procedure_count; p++)
        in[p] =
            hushes && (c->tasks ? is_start_up(c, p)
                                : p == program->entry || (program->procedures[p].interrupt && !ends_start_up(c, p)));
    for (bool changed = hushes && !c->tasks; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            bool call = edge->kind == CHECK_EDGE_CALL;
            if ((!call && edge->kind != CHECK_EDGE_TAIL) || !in[program->nodes[edge->from].procedure] ||
                in[edge->callee] || (call && ends_start_up(c, edge->callee)))
                continue;
            in[edge->callee] = changed = true;
        }
    }
    /* what is jumped into lies in a procedure's code */
    for (size_t i = 0; i < program->node_count; i++) {
        size_t p = es_checker_procedure_at(c, program->nodes[i].address);
        if (p != CHECK_NONE && in[program->nodes[i].procedure])
            in[p] = true;
    }
}
