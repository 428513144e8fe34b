#include "check/queues/waiting.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000000 }; /* nodes that are looked at; what comes later is counted by the program's density */

typedef struct counting {
    const es_check_program *program;
    size_t kept; /* times that are kept: as many as an instruction takes clocks, and one more */
    /* by time % kept, then node: transactions in so many clocks from the node's fetch on, itself included */
    uint32_t *from;
    uint32_t *returned;        /* the same by procedure, from its return on */
    uint32_t *anywhere;        /* by time % kept: the most of all nodes, and ... */
    uint32_t *handled;         /* ... of handlers' entries */
    size_t *calls, call_count; /* edges of calls that come back */
    size_t *tails, tail_count;
} counting;

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* From the end of a node on, in the clocks that are left: `time` % kept. */
static uint32_t after(const counting *c, size_t i, int64_t time)
{
    const es_check_program *program = c->program;
    const es_check_node *node = &program->nodes[i];
    uint32_t best = 0;
    if (time < 0)
        return 0;
    size_t row = (size_t)time % c->kept;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &program->edges[e];
        if (edge->kind == CHECK_EDGE_NEXT)
            best = most(best, c->from[row * program->node_count + edge->to]);
        else if (edge->kind != CHECK_EDGE_EXIT)
            best = most(best, program->procedures[edge->callee].node_count
                                  ? c->from[row * program->node_count + program->procedures[edge->callee].first_node]
                                  : c->anywhere[row]);
        else
            best = most(best, program->procedures[node->procedure].interrupt
                                  ? c->anywhere[row]
                                  : c->returned[row * program->procedure_count + node->procedure]);
    }
    return node->uninterrupted ? best : most(best, c->handled[row]);
}

/* Counts for one clock more. */
static void count_time(counting *c, int64_t time)
{
    const es_check_program *program = c->program;
    size_t row = (size_t)time % c->kept;
    uint32_t *from = &c->from[row * program->node_count], *returned = &c->returned[row * program->procedure_count];
    c->anywhere[row] = c->handled[row] = 0;
    for (size_t i = 0; i < program->node_count; i++) {
        const es_check_node *node = &program->nodes[i];
        uint32_t own = time < node->transactions ? (uint32_t)time + 1 : most(1, node->transactions); /* one a clock */
        from[i] = own + after(c, i, time - node->clocks);
        if (program->procedures[node->procedure].reached)
            c->anywhere[row] = most(c->anywhere[row], from[i]);
    }
    memset(returned, 0, program->procedure_count * sizeof *returned);
    for (size_t k = 0; k < c->call_count; k++) {
        const es_check_edge *edge = &program->edges[c->calls[k]];
        returned[edge->callee] = most(returned[edge->callee], from[edge->to]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < c->tail_count; k++) {
            const es_check_edge *edge = &program->edges[c->tails[k]];
            uint32_t own = returned[program->nodes[edge->from].procedure];
            changed |= own > returned[edge->callee];
            returned[edge->callee] = most(returned[edge->callee], own);
        }
    }
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt && program->procedures[p].node_count)
            c->handled[row] = most(c->handled[row], from[program->procedures[p].first_node]);
}

static void take_edges(counting *c)
{
    const es_check_program *program = c->program;
    c->calls = es_malloc((program->edge_count + 1) * sizeof *c->calls);
    c->tails = es_malloc((program->edge_count + 1) * sizeof *c->tails);
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            c->calls[c->call_count++] = i;
        else if (edge->kind == CHECK_EDGE_TAIL)
            c->tails[c->tail_count++] = i;
    }
}

/* Clocks that the work takes; -1: there is none. */
static int64_t window(double work, double more, es_check_ratio ratio, int64_t limit)
{
    double clocks = (work + more) * (double)ratio.bus / (double)ratio.core;
    return work < 0 ? -1 : clocks < (double)limit ? (int64_t)clocks : limit;
}

uint32_t es_check_waiting_find(const es_check_program *program, const es_check_backlog *backlog, double more,
                               es_check_ratio ratio)
{
    size_t nodes = program->node_count;
    counting c = {.program = program, .kept = 1};
    int64_t longest = 0, limit = STEPS_MAX / (int64_t)(nodes + program->edge_count + 1) + 1;
    double most_work = 0;
    for (size_t i = 0; i < nodes; i++) {
        most_work = backlog->fetched[i] > most_work ? backlog->fetched[i] : most_work;
        most_work = backlog->stored[i] > most_work ? backlog->stored[i] : most_work;
        c.kept = program->nodes[i].clocks >= c.kept ? program->nodes[i].clocks + (size_t)1 : c.kept;
    }
    longest = window(most_work, more, ratio, limit);
    c.from = es_malloc(c.kept * (nodes + 1) * sizeof *c.from);
    c.returned = es_malloc(c.kept * (program->procedure_count + 1) * sizeof *c.returned);
    c.anywhere = es_malloc(c.kept * sizeof *c.anywhere);
    c.handled = es_malloc(c.kept * sizeof *c.handled);
    take_edges(&c);
    uint32_t best = 1;
    for (int64_t time = 0; time <= longest; time++) {
        count_time(&c, time);
        for (size_t i = 0; i < nodes; i++) {
            if (window(backlog->fetched[i], more, ratio, limit) == time)
                best = most(best, c.from[(size_t)time % c.kept * nodes + i]);
            if (window(backlog->stored[i], more, ratio, limit) == time)
                best = most(best, program->nodes[i].accesses + after(&c, i, time - 1));
        }
    }
    double clocks = (most_work + more) * (double)ratio.bus / (double)ratio.core;
    double all = longest < limit ? best : best + (clocks - (double)limit) * program->density + 1;
    free(c.from);
    free(c.returned);
    free(c.anywhere);
    free(c.handled);
    free(c.calls);
    free(c.tails);
    return all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
}
