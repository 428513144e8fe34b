/* A profile in callgrind's format. Lines and calls are those of each instruction. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "prof/graph.h"
#include "prof/write.h"
#include "replay/pace.h"

/* What of an instruction is written: sorted by function, then by address. */
typedef struct place {
    uint32_t function, pc;
    const es_prof_cell *cell; /* NULL: a copy that was inlined there */
    const es_prof_copy *copy;
} place;

typedef struct writer {
    es_text_buffer *out;
    const es_prof *profile;
    es_prof_graph graph;
    place *places;
    size_t count;
    bool *named; /* by function: its name was written before */
} writer;

static uint64_t clocks_of(es_prof_cost cost)
{
    return cost.clocks >> ES_REPLAY_PACE_BITS;
}

static void add_place(writer *w, place it)
{
    w->places = es_prof_grow(w->places, w->count, sizeof *w->places);
    w->places[w->count++] = it;
}

static void take_cell(void *context, uint32_t pc, const es_prof_cell *cell)
{
    writer *w = context;
    add_place(w, (place){es_prof_function_at(&w->graph, pc, cell), pc, cell, NULL});
}

static int by_function(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static const char *file_at(const writer *w, uint32_t pc, unsigned *line)
{
    const char *file = NULL;
    *line = 0;
    return es_symbols_line(w->profile->code.symbols, pc, &file, line) && file ? file : "???";
}

/* Where a function stands, the same wherever it is named: readers take file and name together for its name. */
static const char *function_file(const writer *w, uint32_t function)
{
    const es_prof_function *f = &w->graph.functions[function];
    unsigned line;
    if (f->inlined)
        return f->file ? f->file : "???";
    return file_at(w, w->profile->code.starts[function], &line);
}

static void put_function(writer *w, const char *what, uint32_t function)
{
    es_text_format(w->out, "%s=(%" PRIu32 ")", what, function + 1);
    if (!w->named[function])
        es_text_format(w->out, " %s", w->graph.functions[function].name);
    w->named[function] = true;
    es_text_format(w->out, "\n");
}

static void put_call(writer *w, uint32_t pc, unsigned line, uint32_t callee, uint32_t target, uint64_t calls,
                     es_prof_cost cost)
{
    unsigned target_line;
    file_at(w, target, &target_line);
    es_text_format(w->out, "cfi=%s\n", function_file(w, callee));
    put_function(w, "cfn", callee);
    es_text_format(w->out, "calls=%" PRIu64 " 0x%x %u\n0x%x %u %" PRIu64 " %" PRIu64 "\n", calls, (unsigned)target,
                   target_line, (unsigned)pc, line, cost.instructions, clocks_of(cost));
}

static void put_place(writer *w, const place *it)
{
    unsigned line;
    size_t arcs;
    file_at(w, it->pc, &line);
    if (it->copy) {
        line = it->copy->copy->call_line ? it->copy->copy->call_line : line;
        put_call(w, it->pc, line, it->copy->function, it->copy->first,
                 it->copy->calls ? it->copy->calls : it->copy->begun, it->copy->cost);
        return;
    }
    es_text_format(w->out, "0x%x %u %" PRIu64 " %" PRIu64 "\n", (unsigned)it->pc, line, it->cell->count,
                   it->cell->clocks >> ES_REPLAY_PACE_BITS);
    const es_prof_arc *arc = es_prof_arcs_from(w->profile, it->pc, &arcs);
    for (size_t i = 0; i < arcs; i++)
        put_call(w, it->pc, line, arc[i].procedure, w->profile->code.starts[arc[i].procedure], arc[i].calls,
                 arc[i].cost);
}

static const char *file_of(const writer *w, const place *it)
{
    unsigned line;
    if (it->copy && it->copy->copy->call_file)
        return it->copy->copy->call_file;
    return file_at(w, it->pc, &line);
}

static void put_all(writer *w)
{
    const char *file = NULL;
    for (size_t i = 0; i < w->count; i++) {
        const place *it = &w->places[i];
        const char *here = file_of(w, it);
        if (!i || it->function != w->places[i - 1].function) {
            file = function_file(w, it->function);
            es_text_format(w->out, "\nfl=%s\n", file);
            put_function(w, "fn", it->function);
        }
        if (strcmp(here, file) != 0)
            es_text_format(w->out, "fi=%s\n", here);
        file = here;
        put_place(w, it);
    }
}

void es_prof_callgrind(es_text_buffer *out, const es_prof *profile, const char *program)
{
    writer w = {.out = out, .profile = profile};
    es_prof_graph_make(&w.graph, profile);
    w.named = calloc(w.graph.function_count, sizeof *w.named);
    if (!w.named)
        abort();
    es_prof_each_cell(&profile->code, take_cell, &w);
    for (size_t i = 0; i < w.graph.copy_count; i++) {
        const es_prof_copy *copy = &w.graph.copies[i];
        add_place(&w, (place){copy->caller, copy->first, NULL, copy});
    }
    if (w.count)
        qsort(w.places, w.count, sizeof *w.places, by_function);
    es_text_format(out,
                   "# callgrind format\nversion: 1\ncreator: earshot\ncmd: %s\npart: 1\npositions: instr line\n"
                   "event: Ir : Instructions\nevent: Clk : Clocks of the target\nevents: Ir Clk\n"
                   "summary: %" PRIu64 " %" PRIu64 "\n\nob=%s\n",
                   program, profile->calls.total.instructions, clocks_of(profile->calls.total), program);
    put_all(&w);
    es_prof_graph_free(&w.graph);
    free(w.places);
    free(w.named);
}
