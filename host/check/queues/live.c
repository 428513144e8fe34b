/* What the events of each node and edge cost, and which of them can come at all. */
#include "check/queues/search.h"

static uint32_t address_of(const search *s, size_t node)
{
    return s->program->nodes[node].address;
}

static int64_t fetch_work(const search *s, const es_check_node *from, uint32_t to)
{
    return scale(s, s->costs->fetch(s->costs->context, from->address, from->word, to));
}

/* Work that was paid for beforehand may come later: then no more waits than if it had come when it was paid for, and
 * what is still to come. */
static void pay_for_sweeps(search *s)
{
    const es_check_program *program = s->program;
    for (size_t k = 0; k < s->costs->sweep_count; k++) {
        const es_check_sweep *sweep = &s->costs->sweeps[k];
        const es_check_node *node = &program->nodes[sweep->node];
        size_t first = program->procedures[node->procedure].first_node;
        int64_t work = s->costs->store(s->costs->context, node), together = 0;
        s->node_work[sweep->node] -= scale(s, work);
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            if ((edge->kind == CHECK_EDGE_NEXT || edge->kind == CHECK_EDGE_CALL) && edge->to == sweep->head &&
                !sweep->inside[edge->from - first])
                s->swept[i] += scale(s, work * sweep->times);
        }
        for (size_t i = 0; i < s->costs->sweep_count; i++) {
            const es_check_sweep *other = &s->costs->sweeps[i];
            if (other->head == sweep->head)
                together += other->times * s->costs->store(s->costs->context, &program->nodes[other->node]);
        }
        s->result->outstanding = (double)larger((int64_t)s->result->outstanding, together);
    }
}

void es_backlog_find_costs(search *s)
{
    const es_check_program *program = s->program;
    const es_check_node returning = {.word = program->isa->evidence.trap_return};
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        const es_check_node *from = &program->nodes[edge->from];
        if (edge->kind == CHECK_EDGE_NEXT)
            s->edge_work[i] = fetch_work(s, from, address_of(s, edge->to));
        else if (edge->kind != CHECK_EDGE_EXIT)
            s->edge_work[i] = fetch_work(s, from, program->procedures[edge->callee].procedure->low);
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            s->back_work[i] = scale(s, s->costs->back(s->costs->context, from, edge->callee, address_of(s, edge->to)));
    }
    for (size_t i = 0; i < program->node_count; i++) {
        const es_check_node *node = &program->nodes[i];
        int64_t work = node->store || node->load ? s->costs->store(s->costs->context, node) : 0;
        s->node_work[i] = scale(s, work + s->costs->per_transaction * node->transactions);
        s->resumed[i] = fetch_work(s, &returning, node->address);
        s->resumed_most = larger(s->resumed_most, s->resumed[i]);
    }
    pay_for_sweeps(s);
}

static bool mark(bool *flag)
{
    bool changed = !*flag;
    *flag = true;
    return changed;
}

/* What follows a node that can run. True: something new. */
static bool pass(search *s, size_t i)
{
    const es_check_node *node = &s->program->nodes[i];
    bool changed = false;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &s->program->edges[e];
        bool *returns = &s->returns[node->procedure];
        if (edge->kind == CHECK_EDGE_EXIT) {
            changed |= mark(returns);
        } else if (edge->kind == CHECK_EDGE_NEXT) {
            changed |= mark(&s->live[edge->to]);
        } else {
            changed |= mark(&s->enters[edge->callee]);
            if (s->returns[edge->callee] && edge->kind == CHECK_EDGE_TAIL)
                changed |= mark(returns);
            else if (s->returns[edge->callee] && edge->to != CHECK_NONE)
                changed |= mark(&s->live[edge->to]);
        }
    }
    return changed;
}

void es_backlog_find_live(search *s)
{
    const es_check_program *program = s->program;
    for (size_t p = 0; p < program->procedure_count; p++)
        s->enters[p] =
            p == program->entry || program->procedures[p].interrupt || (s->costs->tasks && p == program->hub);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t p = 0; p < program->procedure_count; p++)
            if (s->enters[p] && program->procedures[p].node_count)
                changed |= mark(&s->live[program->procedures[p].first_node]);
        for (size_t i = 0; i < program->node_count; i++)
            if (s->live[i])
                changed |= pass(s, i);
    }
}
