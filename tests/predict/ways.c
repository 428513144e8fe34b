/* The way back from hits alone: of every activation of every procedure in a trace, the blocks are told by the hits at the
 * points that were chosen, and by nothing else.
 *
 *   ways PROGRAM.elf RECORDING... (program and recording in turn) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/from_recording.h"
#include "predict/points.h"

enum { DEPTH = 200, BLOCKS = 200000 };

typedef struct activation {
    const es_procedure *procedure;
    uint32_t *blocks;
    size_t count;
} activation;

static es_predict_flow flow;
static es_predict_points points;
static uint64_t told, untold, hits_in_all, blocks_in_all;

static bool is_point(uint32_t address)
{
    for (size_t i = 0; i < points.count; i++)
        if (points.addresses[i] == address)
            return true;
    return false;
}

static void is_over(activation *a, bool whole)
{
    es_predict_flowgraph graph;
    if (whole && es_predict_flow_is_looked_at(&flow, a->procedure) &&
        es_predict_flowgraph_of(&flow, a->procedure, &graph)) {
        uint32_t *hits = malloc((a->count + 1) * sizeof *hits), *way = malloc((a->count + 1) * sizeof *way);
        size_t hit_count = 0;
        for (size_t i = 0; i < a->count; i++)
            if (is_point(a->blocks[i]))
                hits[hit_count++] = a->blocks[i];
        size_t count = es_predict_points_way(&graph, &points, hits, hit_count, way, a->count);
        bool good = count == a->count && memcmp(way, a->blocks, count * sizeof *way) == 0;
        told += good;
        untold += !good;
        if (!good && untold < 10)
            printf("%s: %zu blocks, %zu hits, %zd told\n", a->procedure->name, a->count, hit_count, (ssize_t)count);
        hits_in_all += hit_count;
        blocks_in_all += a->count;
        free(hits);
        free(way);
        es_predict_flowgraph_free(&graph);
    }
    free(a->blocks);
}

/* Blocks by activation: a call's block is followed by the callee's entry; what comes back is of an outer one. */
static void thread(const es_predict_trace *trace, const es_predict_thread *t)
{
    activation stack[DEPTH];
    size_t depth = 0;
    es_insn last = {0};
    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i] & ES_PREDICT_IS_EVENT)
            continue;
        const es_predict_block *b = &trace->blocks[t->items[i]];
        const es_procedure *p = es_symbols_procedure_at(flow.symbols, b->address);
        if (!p)
            continue;
        bool enters = b->address == p->low && (!depth || es_insn_is_call(last) || stack[depth - 1].procedure != p);
        if (enters && !es_insn_is_call(last) && depth) /* a tail call */
            is_over(&stack[--depth], last.kind == ES_INSN_JUMP);
        while (!enters && depth && stack[depth - 1].procedure != p) {
            depth--;
            is_over(&stack[depth], last.kind == ES_INSN_RETURN);
        }
        if (enters && depth < DEPTH)
            stack[depth++] = (activation){p, NULL, 0};
        if (depth && stack[depth - 1].procedure == p && es_predict_insn_at(&flow.code, b->address)->leads) {
            activation *a = &stack[depth - 1];
            if ((a->count & (a->count - 1)) == 0)
                a->blocks = realloc(a->blocks, (a->count ? 2 * a->count : 1) * sizeof *a->blocks);
            a->blocks[a->count++] = b->address;
        }
        if (!es_symbols_insn(flow.symbols, b->end, &last))
            last = (es_insn){0};
        if (last.kind == ES_INSN_RETURN && depth && stack[depth - 1].procedure == p)
            is_over(&stack[--depth], true);
    }
    while (depth)
        is_over(&stack[--depth], false);
}

int main(int argc, char **argv)
{
    unsigned failed = 0, passed = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        es_error err;
        es_symbols *symbols = es_symbols_open(argv[i], &err);
        es_predict_trace *trace = symbols ? es_predict_from_recording(argv[i + 1], symbols, NULL, &err) : NULL;
        if (!trace) {
            printf("%s\n", err.text);
            return 1;
        }
        es_predict_flow_begin(&flow, symbols, trace);
        es_predict_points_find(symbols, trace, &points);
        told = untold = hits_in_all = blocks_in_all = 0;
        for (size_t t = 0; t < trace->thread_count; t++)
            thread(trace, &trace->threads[t]);
        printf("%s: %zu points, %" PRIu64 " hits tell %" PRIu64 " blocks of %" PRIu64 " activations; %" PRIu64
               " not told\n",
               argv[i], points.count, hits_in_all, blocks_in_all, told, untold);
        bool good = told && !untold && hits_in_all < blocks_in_all;
        passed += good;
        failed += !good;
        es_predict_points_free(&points);
        es_predict_flow_end(&flow);
        es_predict_trace_free(trace);
        es_symbols_close(symbols);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
