#include "predict/flowgraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"

void es_predict_flow_begin(es_predict_flow *flow, const es_symbols *symbols, const es_predict_trace *trace)
{
    es_error none;
    *flow = (es_predict_flow){.symbols = symbols, .trace = trace};
    es_predict_code_read(&flow->code, symbols);
    if (!es_predict_library_find(symbols, &flow->library, &none))
        flow->library = (es_predict_library){0};
    flow->passed = es_malloc((trace->block_count + 1) * sizeof *flow->passed);
    memset(flow->passed, 0, (trace->block_count + 1) * sizeof *flow->passed);
    for (size_t t = 0; t < trace->thread_count; t++)
        for (size_t i = 0; i < trace->threads[t].count; i++)
            if (!(trace->threads[t].items[i] & ES_PREDICT_IS_EVENT))
                flow->passed[trace->threads[t].items[i]]++;
}

void es_predict_flow_end(es_predict_flow *flow)
{
    es_predict_code_free(&flow->code);
    free(flow->passed);
}

static bool same_file(const es_procedure *a, const es_procedure *b)
{
    return a && b && a->file && b->file && strcmp(a->file, b->file) == 0;
}

bool es_predict_flow_is_looked_at(const es_predict_flow *flow, const es_procedure *p)
{
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        if (flow->library.functions[kind] == p || same_file(flow->library.functions[kind], p))
            return false;
    if (strcmp(p->name, "thread_switch") == 0)
        return false;
    for (size_t b = 0; b < flow->trace->block_count; b++) {
        uint32_t a = flow->trace->blocks[b].address;
        if (flow->passed[b] && a >= p->low && a < p->high)
            return true;
    }
    return false;
}

uint32_t es_predict_flowgraph_block(const es_predict_flowgraph *graph, uint32_t address)
{
    size_t low = 0, high = graph->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (graph->blocks[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->count && graph->blocks[low].address == address ? (uint32_t)low : UINT32_MAX;
}

static void add_way(es_predict_flowblock *from, uint32_t to)
{
    for (size_t i = 0; i < from->way_count; i++)
        if (from->ways[i] == to)
            return;
    from->ways = es_realloc(from->ways, (from->way_count + 1) * sizeof *from->ways);
    from->ways[from->way_count++] = to;
}

/* To an address: a block, or out of the procedure. */
static void add_way_to(es_predict_flowgraph *graph, es_predict_flowblock *from, uint32_t address)
{
    uint32_t to = es_predict_flowgraph_block(graph, address);
    add_way(from, to == UINT32_MAX ? (uint32_t)graph->count : to);
}

static void add_blocks(const es_predict_flow *flow, const es_procedure *p, es_predict_flowgraph *graph)
{
    const es_predict_insn *insn;
    for (uint32_t a = p->low; a < p->high && (insn = es_predict_insn_at(&flow->code, a)) != NULL; a += insn->size) {
        if (a != p->low && !insn->leads)
            continue;
        if ((graph->count & (graph->count - 1)) == 0)
            graph->blocks = es_realloc(graph->blocks, (graph->count ? 2 * graph->count : 1) * sizeof *graph->blocks);
        graph->blocks[graph->count++] = (es_predict_flowblock){.address = a};
    }
}

/* Where the last instruction of each block leads. */
static void add_ways(const es_predict_flow *flow, const es_procedure *p, es_predict_flowgraph *graph)
{
    uint32_t block = 0;
    const es_predict_insn *insn;
    for (uint32_t a = p->low; a < p->high && (insn = es_predict_insn_at(&flow->code, a)) != NULL; a += insn->size) {
        uint32_t at = es_predict_flowgraph_block(graph, a), next = a + insn->size;
        block = at == UINT32_MAX ? block : at;
        if (!insn->ends && es_predict_flowgraph_block(graph, next) == UINT32_MAX && next < p->high)
            continue;
        es_insn what;
        if (!es_symbols_insn(flow->symbols, a, &what))
            continue;
        es_ways ways = es_insn_ways(what, a);
        if (ways.jumps)
            add_way_to(graph, &graph->blocks[block], ways.target);
        if (ways.next)
            add_way_to(graph, &graph->blocks[block], next);
        if (!ways.jumps && !ways.next && what.kind != ES_INSN_JUMP_REGISTER)
            add_way(&graph->blocks[block], (uint32_t)graph->count);
    }
}

/* Ways that the trace has gone within the procedure, from blocks whose end does not say where it leads. */
static void add_trace(const es_predict_flow *flow, const es_procedure *p, es_predict_flowgraph *graph)
{
    const es_predict_trace *trace = flow->trace;
    for (size_t b = 0; b < trace->block_count; b++) {
        uint32_t at = es_predict_flowgraph_block(graph, trace->blocks[b].address);
        if (at != UINT32_MAX)
            graph->blocks[at].passed += flow->passed[b];
    }
    for (size_t t = 0; t < trace->thread_count; t++) {
        uint32_t before = UINT32_MAX; /* block that has ended with such a jump */
        for (size_t i = 0; i < trace->threads[t].count; i++) {
            uint32_t item = trace->threads[t].items[i];
            es_insn what;
            if (item & ES_PREDICT_IS_EVENT)
                continue;
            const es_predict_block *b = &trace->blocks[item];
            if (before != UINT32_MAX)
                add_way_to(graph, &graph->blocks[before], b->address);
            before = UINT32_MAX;
            if (b->end >= p->low && b->end < p->high && es_symbols_insn(flow->symbols, b->end, &what) &&
                what.kind == ES_INSN_JUMP_REGISTER)
                before = es_predict_flowgraph_block(graph, b->address);
        }
    }
}

bool es_predict_flowgraph_of(const es_predict_flow *flow, const es_procedure *procedure, es_predict_flowgraph *graph)
{
    *graph = (es_predict_flowgraph){0};
    add_blocks(flow, procedure, graph);
    if (!graph->count)
        return false;
    add_ways(flow, procedure, graph);
    add_trace(flow, procedure, graph);
    return true;
}

void es_predict_flowgraph_free(es_predict_flowgraph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        free(graph->blocks[i].ways);
    free(graph->blocks);
    graph->blocks = NULL;
}
