/* A profile for people, in the manner of gprof. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "prof/graph.h"
#include "prof/write.h"
#include "replay/pace.h"

typedef struct writer {
    es_text_buffer *out;
    const es_prof *profile;
    es_prof_graph graph;
    uint32_t *order;  /* functions that ran, by total; then by self */
    uint32_t *number; /* by function: its place in the order, from 1; 0: it did not run */
    size_t count;
} writer;

static uint64_t clocks_of(es_prof_cost cost)
{
    return cost.clocks >> ES_REPLAY_PACE_BITS;
}

static double percent(const writer *w, uint64_t instructions)
{
    uint64_t all = w->profile->calls.total.instructions;
    return all ? 100.0 * (double)instructions / (double)all : 0;
}

static void put_name(writer *w, uint32_t function)
{
    const es_prof_function *f = &w->graph.functions[function];
    es_text_format(w->out, "%s%s", f->name, f->inlined ? " (inlined)" : "");
}

static void put_calls(writer *w, const es_prof_function *f)
{
    if (f->calls_unknown)
        es_text_format(w->out, "%10s", "?");
    else
        es_text_format(w->out, "%10" PRIu64, f->calls);
}

/* --- which, in which order ---------------------------------------------------------------------------------------- */

static int by_self(const void *left, const void *right, void *functions)
{
    const es_prof_function *all = functions;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (all[a].self.instructions != all[b].self.instructions)
        return all[a].self.instructions > all[b].self.instructions ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int by_total(const void *left, const void *right, void *functions)
{
    const es_prof_function *all = functions;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (all[a].total.instructions != all[b].total.instructions)
        return all[a].total.instructions > all[b].total.instructions ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void sort(writer *w, int (*order)(const void *left, const void *right, void *functions))
{
    if (w->count)
        qsort_r(w->order, w->count, sizeof *w->order, order, w->graph.functions);
}

static void choose(writer *w)
{
    w->order = es_malloc((w->graph.function_count + 1) * sizeof *w->order);
    w->number = calloc(w->graph.function_count + 1, sizeof *w->number);
    if (!w->number)
        abort();
    for (size_t i = 0; i < w->graph.function_count; i++)
        if (w->graph.functions[i].calls || w->graph.functions[i].total.instructions)
            w->order[w->count++] = (uint32_t)i;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static void put_head(writer *w, const char *program)
{
    const es_prof *p = w->profile;
    es_text_format(w->out, "Profile of %s: %" PRIu64 " instructions, from %" PRIu64 " to %" PRIu64, program,
                   p->calls.total.instructions, p->from, p->to);
    if (p->hz)
        es_text_format(w->out, "; %.4f ms", (double)(p->last - p->first) * 1e3 / (double)p->hz);
    es_text_format(w->out, "; %" PRIu64 " clocks\n", p->last - p->first);
    es_text_format(w->out,
                   "Instructions and calls are exact. Clocks are known at heartbeats and interrupts; in between, "
                   "each\ninstruction is taken to last as long as the others there.\n");
}

static void put_flat(writer *w)
{
    sort(w, by_self);
    es_text_format(w->out, "\nFlat profile\n\n%7s %12s %12s %10s %12s %12s  %s\n", "self %", "self", "clocks", "calls",
                   "self/call", "total/call", "function");
    for (size_t i = 0; i < w->count; i++) {
        const es_prof_function *f = &w->graph.functions[w->order[i]];
        es_text_format(w->out, "%7.2f %12" PRIu64 " %12" PRIu64 " ", percent(w, f->self.instructions),
                       f->self.instructions, clocks_of(f->self));
        put_calls(w, f);
        if (f->calls && !f->calls_unknown)
            es_text_format(w->out, " %12.1f %12.1f  ", (double)f->self.instructions / (double)f->calls,
                           (double)f->total.instructions / (double)f->calls);
        else
            es_text_format(w->out, " %12s %12s  ", "", "");
        put_name(w, w->order[i]);
        es_text_format(w->out, "\n");
    }
}

static void put_other(writer *w, uint32_t function)
{
    static const char *const others[] = {"(stack began)", "(interrupt)", "(before)"};
    if (function >= ES_PROF_EARLIER) {
        es_text_format(w->out, "    %s\n", others[UINT32_MAX - function]);
        return;
    }
    es_text_format(w->out, "    ");
    put_name(w, function);
    es_text_format(w->out, " [%u]\n", w->number[function]);
}

/* `other` is who is shown: the caller or the callee. */
static void put_edge(writer *w, const es_prof_edge *edge, uint32_t other)
{
    const es_prof_function *callee = &w->graph.functions[edge->callee];
    char times[24] = "?", all[24] = "?";
    if (!edge->calls_unknown)
        snprintf(times, sizeof times, "%" PRIu64, edge->calls);
    if (!callee->calls_unknown)
        snprintf(all, sizeof all, "%" PRIu64, callee->calls);
    es_text_format(w->out, "%6s %7.2f %12s %12" PRIu64 " %12" PRIu64 " %10s/%-10s", "",
                   percent(w, edge->cost.instructions), "", edge->cost.instructions, clocks_of(edge->cost), times, all);
    put_other(w, other);
}

static void put_function(writer *w, uint32_t function)
{
    const es_prof_function *f = &w->graph.functions[function];
    for (size_t i = 0; i < w->graph.edge_count; i++)
        if (w->graph.edges[i].callee == function)
            put_edge(w, &w->graph.edges[i], w->graph.edges[i].caller);
    char number[24];
    snprintf(number, sizeof number, "[%u]", w->number[function]);
    es_text_format(w->out, "%-6s %7.2f %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " ", number,
                   percent(w, f->total.instructions), f->self.instructions, f->total.instructions, clocks_of(f->total));
    put_calls(w, f);
    es_text_format(w->out, "%-11s", "");
    put_name(w, function);
    es_text_format(w->out, "\n");
    for (size_t i = 0; i < w->graph.edge_count; i++)
        if (w->graph.edges[i].caller == function)
            put_edge(w, &w->graph.edges[i], w->graph.edges[i].callee);
    es_text_format(w->out, "\n");
}

static void put_graph(writer *w)
{
    sort(w, by_total);
    for (size_t i = 0; i < w->count; i++)
        w->number[w->order[i]] = (uint32_t)i + 1;
    es_text_format(w->out,
                   "\nCallers and callees: above each function who called it, below it whom it called; what of its or "
                   "their\ncost that was, how many of all its calls\n\n%-6s %7s %12s %12s %12s %10s %-10s %s\n",
                   "", "total %", "self", "total", "clocks", "calls", "", "function");
    for (size_t i = 0; i < w->count; i++)
        put_function(w, w->order[i]);
}

static void put_stacks(writer *w)
{
    const es_prof *p = w->profile;
    es_text_format(w->out, "Tasks and interrupts\n\n%7s %12s %12s %10s  %s\n", "%", "instructions", "clocks", "times",
                   "what");
    for (size_t i = 0; i < p->calls.stack_count; i++) {
        const es_prof_stack *s = &p->calls.stacks[i];
        if (!s->self.instructions)
            continue;
        es_text_format(w->out, "%7.2f %12" PRIu64 " %12" PRIu64 " %10" PRIu64 "  stack of %s",
                       percent(w, s->self.instructions), s->self.instructions, clocks_of(s->self), s->times,
                       p->code.names[s->root]);
        es_text_format(w->out, s->same ? " (%zu)\n" : "\n", s->same + 1);
    }
    if (p->interrupts)
        es_text_format(w->out, "%7.2f %12" PRIu64 " %12" PRIu64 " %10" PRIu64 "  interrupts and exceptions\n",
                       percent(w, p->handled.instructions), p->handled.instructions, clocks_of(p->handled),
                       p->interrupts);
}

void es_prof_text(es_text_buffer *out, const es_prof *profile, const char *program)
{
    writer w = {.out = out, .profile = profile};
    es_prof_graph_make(&w.graph, profile);
    choose(&w);
    put_head(&w, program);
    put_flat(&w);
    put_graph(&w);
    put_stacks(&w);
    es_prof_graph_free(&w.graph);
    free(w.order);
    free(w.number);
}
