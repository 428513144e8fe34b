#include "check/target/program.h"

#include "check/target/builder.h"
#include "check/target/edges.h"
#include "check/target/quiet.h"

/* --- tasks --------------------------------------------------------------------------------------------------- */

/* What ends in mret and is only called, as what starts the first task, is no handler. */
static bool is_handler(const es_check_builder *b, const es_procedure *p)
{
    bool called = false;
    for (size_t i = 0; i < b->call_count && !called; i++)
        called = b->calls[i].callee == p && !b->calls[i].is_tail;
    return p->is_interrupt && (p->address_taken || !called);
}

static bool may_begin(const es_check_program *program, size_t number)
{
    const es_check_procedure *p = &program->procedures[number];
    return number < program->symbol_count && p->procedure->address_taken && !p->procedure->is_interrupt &&
           p->node_count;
}

static void add_hub(es_check_builder *b)
{
    es_check_program *program = b->program;
    const uint32_t a_return = program->isa->evidence.a_return;
    es_procedure *hub = es_arena_alloc(program->arena, sizeof *hub);
    *hub = (es_procedure){.name = "the kernel", .low = CHECK_HUB_ADDRESS, .high = CHECK_HUB_ADDRESS + 12};
    size_t first = program->node_count;
    program->hub = program->procedure_count++;
    program->procedures[program->hub] =
        (es_check_procedure){.procedure = hub, .first_node = first, .node_count = 3, .reached = true};
    for (uint32_t i = 0; i < 3; i++) {
        program->nodes = es_arena_grow(program->arena, program->nodes, program->node_count, sizeof *program->nodes);
        program->nodes[program->node_count++] = (es_check_node){.address = CHECK_HUB_ADDRESS + 4 * i,
                                                                .word = a_return,
                                                                .insn = es_isa_decode(program->isa, a_return),
                                                                .procedure = program->hub};
    }
    for (size_t i = first; i < first + 2; i++) {
        program->nodes[i].first_edge = program->edge_count;
        for (size_t p = 0; p < program->symbol_count; p++)
            if (may_begin(program, p))
                es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = i, .to = i + 1, .callee = p});
    }
}

static void build(es_check_program *program, es_arena *arena, const es_symbols *symbols, const es_check_timing *timing,
                  bool tasks)
{
    *program = (es_check_program){
        .symbols = symbols, .isa = es_symbols_isa(symbols), .arena = arena, .entry = CHECK_NONE, .hub = CHECK_NONE};
    es_check_builder b = {.program = program, .timing = timing};
    const es_procedure *const *procedures;
    program->procedure_count = es_symbols_procedures(symbols, &procedures);
    program->symbol_count = program->procedure_count;
    program->procedures =
        es_arena_alloc(arena, (program->procedure_count + CHECK_RESTS_MAX + 1) * sizeof *program->procedures);
    b.worklist = es_arena_alloc(arena, (program->procedure_count + CHECK_RESTS_MAX + 1) * sizeof *b.worklist);
    b.call_count = es_symbols_calls(symbols, &b.calls);
    b.code_word_count = es_symbols_code_words(symbols, &b.code_words);
    for (size_t i = 0; i < program->procedure_count; i++) {
        program->procedures[i].procedure = procedures[i];
        program->procedures[i].interrupt = tasks ? is_handler(&b, procedures[i]) : procedures[i]->is_interrupt;
        es_check_add_nodes(&b, i);
    }
    const es_procedure *entry = es_symbols_procedure_at(symbols, es_symbols_entry(symbols));
    if (!entry) {
        program->flaw = "no procedure's symbol covers the program's entry";
        return;
    }
    program->entry = es_check_procedure_starting_at(program, entry->low);
    es_check_reach(&b, program->entry);
    for (size_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].interrupt)
            es_check_reach(&b, i);
    if (tasks)
        add_hub(&b);
    while (b.work)
        es_check_add_edges(&b, b.worklist[--b.work]);
    if (tasks)
        return;
    es_check_find_quiet(program);
}

void es_check_program_build(es_check_program *program, es_arena *arena, const es_symbols *symbols,
                            const es_check_timing *timing)
{
    build(program, arena, symbols, timing, false);
}

void es_check_program_build_tasks(es_check_program *program, es_arena *arena, const es_symbols *symbols,
                                  const es_check_timing *timing)
{
    build(program, arena, symbols, timing, true);
}
