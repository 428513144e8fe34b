#include "check/target/program.h"

#include <stdlib.h>
#include <string.h>

#include "check/target/quiet.h"
#include "check/target/table.h"
#include "isa/flow.h"

enum { RESTS_MAX = 256 }; /* jumps into the middle of procedures that are followed */

typedef struct builder {
    es_check_program *program;
    const es_check_timing *timing;
    const es_call_site *calls;
    size_t call_count;
    const uint32_t *code_words;
    size_t code_word_count;
    size_t *worklist;
    size_t work;
} builder;

/* --- places ------------------------------------------------------------------------------------------------- */

static const char *place(const builder *b, uint32_t address)
{
    const char *file;
    unsigned line;
    const es_procedure *in = es_symbols_procedure_at(b->program->symbols, address);
    if (es_symbols_line(b->program->symbols, address, &file, &line))
        return es_arena_format(b->program->arena, "%s:%u (%s)", file, line, in ? in->name : "?");
    return es_arena_format(b->program->arena, "0x%08x (%s)", (unsigned)address, in ? in->name : "?");
}

static void flaw(builder *b, uint32_t address, const char *why)
{
    if (!b->program->flaw)
        b->program->flaw = es_arena_format(b->program->arena, "%s: %s", place(b, address), why);
}

static size_t procedure_starting_at(const es_check_program *program, uint32_t address)
{
    size_t low = 0, high = program->symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program->procedures[middle].procedure->low < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < program->symbol_count && program->procedures[low].procedure->low == address)
        return low;
    for (size_t i = program->symbol_count; i < program->procedure_count; i++)
        if (program->procedures[i].procedure->low == address)
            return i;
    return CHECK_NONE;
}

static size_t index_of(const es_check_program *program, const es_procedure *procedure)
{
    return procedure_starting_at(program, procedure->low);
}

static size_t node_at(const es_check_program *program, const es_check_procedure *procedure, uint32_t address)
{
    size_t low = procedure->first_node, end = low + procedure->node_count, high = end;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program->nodes[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && program->nodes[low].address == address ? low : CHECK_NONE;
}

/* --- nodes -------------------------------------------------------------------------------------------------- */

static void time_node(const builder *b, es_check_node *node)
{
    node->clocks = es_check_timing_clocks(b->timing, node->insn);
    bool accesses = es_insn_loads(node->insn) || es_insn_stores(node->insn);
    uint32_t fewest = 1u + accesses; /* transactions */
    bool two = accesses && (node->insn.kind == ES_INSN_ATOMIC || node->insn.bytes > 4);
    node->accesses = accesses + two;
    node->transactions = 1u + node->accesses;
    if (b->timing->narrow) { /* at most with 8 bits; each of them takes a clock, at least with 16 bits */
        uint32_t bytes = node->insn.bytes ? node->insn.bytes : 8, size = node->insn.size;
        node->accesses = accesses ? bytes * (node->insn.kind == ES_INSN_ATOMIC ? 2 : 1) : 0;
        node->transactions = size + node->accesses;
        fewest = (size + 1) / 2 + (accesses ? ((node->insn.bytes ? node->insn.bytes : 1u) + 1) / 2 : 0);
        node->clocks += fewest - (1u + accesses);
    }
    node->load = es_insn_loads(node->insn);
    node->clocks += fewest * b->timing->wait;
    if (!node->clocks)
        node->clocks = 1;
}

/* The instruction as the probe tells it. */
static uint32_t word_at(const es_check_program *program, uint32_t address)
{
    uint32_t word = 0;
    es_symbols_word(program->symbols, address, &word);
    return es_isa_told(program->isa, word);
}

static void add_nodes(builder *b, size_t number)
{
    es_check_program *program = b->program;
    es_check_procedure *p = &program->procedures[number];
    const es_store *stores = NULL;
    size_t store_count = 0, next_store = 0;
    bool followed =
        number < program->symbol_count && es_symbols_stores(program->symbols, p->procedure, &stores, &store_count);
    static const es_store anywhere = {.kind = ES_STORE_UNKNOWN};
    p->first_node = program->node_count;
    es_insn insn;
    for (uint32_t at = p->procedure->low; at < p->procedure->high; at += insn.size) {
        if (!es_symbols_insn(program->symbols, at, &insn))
            break;
        program->nodes = es_arena_grow(program->arena, program->nodes, program->node_count, sizeof *program->nodes);
        es_check_node *node = &program->nodes[program->node_count++];
        *node = (es_check_node){.address = at, .word = word_at(program, at), .insn = insn, .procedure = number};
        time_node(b, node);
        if (es_insn_stores(insn)) {
            while (next_store < store_count && stores[next_store].site < at)
                next_store++;
            node->store =
                followed && next_store < store_count && stores[next_store].site == at ? &stores[next_store] : &anywhere;
        }
        double density = (double)node->transactions / node->clocks;
        if (density > program->density)
            program->density = density;
    }
    p->node_count = program->node_count - p->first_node;
}

/* --- edges -------------------------------------------------------------------------------------------------- */

static void reach(builder *b, size_t procedure)
{
    if (!b->program->procedures[procedure].reached) {
        b->program->procedures[procedure].reached = true;
        b->worklist[b->work++] = procedure;
    }
}

static void add_edge(builder *b, es_check_edge edge)
{
    es_check_program *program = b->program;
    program->edges = es_arena_grow(program->arena, program->edges, program->edge_count, sizeof *program->edges);
    program->edges[program->edge_count++] = edge;
    program->nodes[edge.from].edge_count++;
    if (edge.kind == CHECK_EDGE_CALL || edge.kind == CHECK_EDGE_TAIL)
        reach(b, edge.callee);
}

static void add_next(builder *b, size_t from, uint32_t to)
{
    const es_check_procedure *p = &b->program->procedures[b->program->nodes[from].procedure];
    size_t node = node_at(b->program, p, to), after = procedure_starting_at(b->program, to);
    if (node != CHECK_NONE)
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_NEXT, .from = from, .to = node});
    else if (after != CHECK_NONE) /* execution falls into the next procedure */
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = after});
    else if (to >= p->procedure->low && to < p->procedure->high) /* data may lie between instructions */
        flaw(b, b->program->nodes[from].address,
             "jumps to where, read from the procedure's begin, no instruction begins");
}

/* The code from an address on that is in the middle of a procedure, or that no symbol covers, as a procedure of its
 * own: hand-written code jumps there (libgcc's divisions). CHECK_NONE: there is no instruction. */
static size_t add_rest(builder *b, uint32_t address, const char *name)
{
    es_check_program *program = b->program;
    const es_procedure *around = es_symbols_procedure_at(program->symbols, address);
    uint32_t high = UINT32_MAX, word;
    for (size_t i = program->symbol_count; i-- > 0 && program->procedures[i].procedure->low > address;)
        high = program->procedures[i].procedure->low;
    if (!es_symbols_word(program->symbols, address, &word) ||
        program->procedure_count - program->symbol_count == RESTS_MAX)
        return CHECK_NONE;
    es_procedure *rest = es_arena_alloc(program->arena, sizeof *rest);
    *rest = around ? *around : (es_procedure){.name = name, .high = high};
    rest->low = address;
    size_t number = program->procedure_count++;
    program->procedures[number].procedure = rest;
    add_nodes(b, number);
    return number;
}

/* To another procedure's start, into the middle of one, or nowhere known. */
static void add_transfer(builder *b, size_t from, uint32_t target, bool call, size_t back)
{
    const es_check_program *program = b->program;
    const es_check_procedure *own = &program->procedures[program->nodes[from].procedure];
    size_t callee = procedure_starting_at(program, target);
    bool within = target >= own->procedure->low && target < own->procedure->high;
    if (!call && !within && callee == CHECK_NONE)
        callee = add_rest(b, target, own->procedure->name);
    if (call && callee == CHECK_NONE)
        flaw(b, program->nodes[from].address, "calls code that no symbol describes");
    else if (call)
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = callee});
    else if (within)
        add_next(b, from, target);
    else if (callee != CHECK_NONE)
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = callee});
    else
        flaw(b, program->nodes[from].address, "jumps to where no procedure is");
}

static const es_call_site *site_at(const builder *b, uint32_t address)
{
    size_t low = 0, high = b->call_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->calls[middle].site < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->call_count && b->calls[low].site == address ? &b->calls[low] : NULL;
}

/* The start-up code's call through a register: of the constructors that the linker has listed, and of nothing else. */
static bool add_constructors(builder *b, size_t from, size_t back)
{
    const es_check_program *program = b->program;
    uint32_t at, end, word;
    if (program->nodes[from].procedure != program->entry ||
        !es_symbols_value(program->symbols, "__init_array_start", &at) ||
        !es_symbols_value(program->symbols, "__init_array_end", &end))
        return false;
    for (; at < end && es_symbols_data_word(program->symbols, at, &word); at += 4) {
        size_t callee = procedure_starting_at(program, word);
        if (callee == CHECK_NONE)
            flaw(b, program->nodes[from].address, "calls a constructor that no symbol describes");
        else
            add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = callee});
    }
    return true;
}

static void add_indirect(builder *b, size_t from, bool call, size_t back)
{
    const es_check_program *program = b->program;
    if (call && add_constructors(b, from, back))
        return;
    for (size_t i = 0; i < program->symbol_count; i++) {
        const es_procedure *p = program->procedures[i].procedure;
        if (!p->address_taken || p->is_interrupt)
            continue;
        add_edge(b, call ? (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = i}
                         : (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = i});
    }
}

static void add_table(builder *b, size_t from)
{
    const es_check_procedure *own = &b->program->procedures[b->program->nodes[from].procedure];
    uint32_t *targets;
    size_t count = es_check_table_targets(b->program, from, &targets);
    bool any = count;
    for (size_t i = 0; i < count; i++)
        add_next(b, from, targets[i]);
    if (any)
        return;
    for (size_t i = 0; i < b->code_word_count; i++) {
        uint32_t word = b->code_words[i];
        if (word > own->procedure->low && word < own->procedure->high) {
            add_next(b, from, word);
            any = true;
        }
    }
    if (!any)
        flaw(b, b->program->nodes[from].address, "jumps through a register to a place that is not known beforehand");
}

/* Of a jump, call or return to where a register says. */
static void add_computed(builder *b, size_t from, size_t back)
{
    const es_check_node *node = &b->program->nodes[from];
    es_insn insn = node->insn;
    const es_call_site *site = site_at(b, node->address);
    bool call = es_insn_is_call(insn);
    if (insn.kind == ES_INSN_RETURN && insn.imm == 0 && !(site && site->callee))
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_EXIT, .from = from});
    else if (site && site->callee)
        add_transfer(b, from, site->callee->low, call, back);
    else if (call || site)
        add_indirect(b, from, call, back);
    else
        add_table(b, from);
}

/* What an instruction does has to be told, or its accesses and clocks are not known. */
static void refuse_untold(builder *b, const es_check_node *node)
{
    es_insn insn = node->insn;
    if (insn.kind == ES_INSN_SEVERAL)
        flaw(b, node->address,
             "has an instruction that does what several do (a push or pop of Zcmp, a jump of Zcmt, a pair of "
             "registers)");
    else if ((insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE) && !insn.bytes)
        flaw(b, node->address, "loads or stores a vector, of as many bytes as the program says when it runs");
}

static void add_edges_of(builder *b, size_t from)
{
    es_check_node *node = &b->program->nodes[from];
    es_insn insn = node->insn;
    refuse_untold(b, node);
    uint32_t next = node->address + insn.size;
    es_ways ways = es_insn_ways(insn, node->address);
    const es_check_procedure *own = &b->program->procedures[node->procedure];
    size_t back = node_at(b->program, own, next);
    node->first_edge = b->program->edge_count;
    if (ways.computed)
        add_computed(b, from, back);
    else if (ways.next && !ways.calls)
        add_next(b, from, next);
    if (ways.jumps || ways.calls)
        add_transfer(b, from, ways.target, ways.calls, back);
    if (insn.kind == ES_INSN_TRAP_RETURN)
        add_edge(b, (es_check_edge){.kind = CHECK_EDGE_EXIT, .from = from});
}

/* What no path from the procedure's entry leads to, as the nop after a naked procedure's mret, leads nowhere. */
typedef struct reaching {
    builder *builder;
    es_flow flow;
    size_t first; /* node of the procedure */
} reaching;

static void add_edges_at(void *context, size_t at)
{
    reaching *r = context;
    const es_check_program *program = r->builder->program;
    add_edges_of(r->builder, r->first + at);
    const es_check_node *node = &program->nodes[r->first + at];
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &program->edges[e];
        if ((edge->kind == CHECK_EDGE_NEXT || edge->kind == CHECK_EDGE_CALL) && edge->to != CHECK_NONE)
            es_flow_reach(&r->flow, edge->to - r->first, NULL);
    }
}

static void add_edges(builder *b, size_t number)
{
    const es_check_procedure *p = &b->program->procedures[number];
    reaching r = {.builder = b, .first = p->first_node};
    r.flow = (es_flow){.count = p->node_count, .context = &r, .follow = add_edges_at};
    if (!p->node_count)
        return;
    es_flow_begin(&r.flow);
    es_flow_reach(&r.flow, 0, NULL);
    es_flow_run(&r.flow);
    es_flow_end(&r.flow);
}

/* --- tasks --------------------------------------------------------------------------------------------------- */

/* What ends in mret and is only called, as what starts the first task, is no handler. */
static bool is_handler(const builder *b, const es_procedure *p)
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

static void add_hub(builder *b)
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
                add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = i, .to = i + 1, .callee = p});
    }
}

static void build(es_check_program *program, es_arena *arena, const es_symbols *symbols, const es_check_timing *timing,
                  bool tasks)
{
    *program = (es_check_program){
        .symbols = symbols, .isa = es_symbols_isa(symbols), .arena = arena, .entry = CHECK_NONE, .hub = CHECK_NONE};
    builder b = {.program = program, .timing = timing};
    const es_procedure *const *procedures;
    program->procedure_count = es_symbols_procedures(symbols, &procedures);
    program->symbol_count = program->procedure_count;
    program->procedures =
        es_arena_alloc(arena, (program->procedure_count + RESTS_MAX + 1) * sizeof *program->procedures);
    b.worklist = es_arena_alloc(arena, (program->procedure_count + RESTS_MAX + 1) * sizeof *b.worklist);
    b.call_count = es_symbols_calls(symbols, &b.calls);
    b.code_word_count = es_symbols_code_words(symbols, &b.code_words);
    for (size_t i = 0; i < program->procedure_count; i++) {
        program->procedures[i].procedure = procedures[i];
        program->procedures[i].interrupt = tasks ? is_handler(&b, procedures[i]) : procedures[i]->is_interrupt;
        add_nodes(&b, i);
    }
    const es_procedure *entry = es_symbols_procedure_at(symbols, es_symbols_entry(symbols));
    if (!entry) {
        program->flaw = "no procedure's symbol covers the program's entry";
        return;
    }
    program->entry = index_of(program, entry);
    reach(&b, program->entry);
    for (size_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].interrupt)
            reach(&b, i);
    if (tasks)
        add_hub(&b);
    while (b.work)
        add_edges(&b, b.worklist[--b.work]);
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
