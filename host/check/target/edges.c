#include "check/target/edges.h"

#include "check/target/table.h"
#include "isa/flow.h"

void es_check_reach(es_check_builder *b, size_t procedure)
{
    if (!b->program->procedures[procedure].reached) {
        b->program->procedures[procedure].reached = true;
        b->worklist[b->work++] = procedure;
    }
}

void es_check_add_edge(es_check_builder *b, es_check_edge edge)
{
    es_check_program *program = b->program;
    program->edges = es_arena_grow(program->arena, program->edges, program->edge_count, sizeof *program->edges);
    program->edges[program->edge_count++] = edge;
    program->nodes[edge.from].edge_count++;
    if (edge.kind == CHECK_EDGE_CALL || edge.kind == CHECK_EDGE_TAIL)
        es_check_reach(b, edge.callee);
}

static void add_next(es_check_builder *b, size_t from, uint32_t to)
{
    const es_check_procedure *p = &b->program->procedures[b->program->nodes[from].procedure];
    size_t node = es_check_node_at(b->program, p, to), after = es_check_procedure_starting_at(b->program, to);
    if (node != CHECK_NONE)
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_NEXT, .from = from, .to = node});
    else if (after != CHECK_NONE) /* execution falls into the next procedure */
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = after});
    else if (to >= p->procedure->low && to < p->procedure->high) /* data may lie between instructions */
        es_check_flaw(b, b->program->nodes[from].address,
                      "jumps to where, read from the procedure's begin, no instruction begins");
}

/* The code from an address on that is in the middle of a procedure, or that no symbol covers, as a procedure of its
 * own: hand-written code jumps there (libgcc's divisions). CHECK_NONE: there is no instruction. */
static size_t add_rest(es_check_builder *b, uint32_t address, const char *name)
{
    es_check_program *program = b->program;
    const es_procedure *around = es_symbols_procedure_at(program->symbols, address);
    uint32_t high = UINT32_MAX, word;
    for (size_t i = program->symbol_count; i-- > 0 && program->procedures[i].procedure->low > address;)
        high = program->procedures[i].procedure->low;
    if (!es_symbols_word(program->symbols, address, &word) ||
        program->procedure_count - program->symbol_count == CHECK_RESTS_MAX)
        return CHECK_NONE;
    es_procedure *rest = es_arena_alloc(program->arena, sizeof *rest);
    *rest = around ? *around : (es_procedure){.name = name, .high = high};
    rest->low = address;
    size_t number = program->procedure_count++;
    program->procedures[number].procedure = rest;
    es_check_add_nodes(b, number);
    return number;
}

/* To another procedure's start, into the middle of one, or nowhere known. */
static void add_transfer(es_check_builder *b, size_t from, uint32_t target, bool call, size_t back)
{
    const es_check_program *program = b->program;
    const es_check_procedure *own = &program->procedures[program->nodes[from].procedure];
    size_t callee = es_check_procedure_starting_at(program, target);
    bool within = target >= own->procedure->low && target < own->procedure->high;
    if (!call && !within && callee == CHECK_NONE)
        callee = add_rest(b, target, own->procedure->name);
    if (call && callee == CHECK_NONE)
        es_check_flaw(b, program->nodes[from].address, "calls code that no symbol describes");
    else if (call)
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = callee});
    else if (within)
        add_next(b, from, target);
    else if (callee != CHECK_NONE)
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = callee});
    else
        es_check_flaw(b, program->nodes[from].address, "jumps to where no procedure is");
}

static const es_call_site *site_at(const es_check_builder *b, uint32_t address)
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
static bool add_constructors(es_check_builder *b, size_t from, size_t back)
{
    const es_check_program *program = b->program;
    uint32_t at, end, word;
    if (program->nodes[from].procedure != program->entry ||
        !es_symbols_value(program->symbols, "__init_array_start", &at) ||
        !es_symbols_value(program->symbols, "__init_array_end", &end))
        return false;
    for (; at < end && es_symbols_data_word(program->symbols, at, &word); at += 4) {
        size_t callee = es_check_procedure_starting_at(program, word);
        if (callee == CHECK_NONE)
            es_check_flaw(b, program->nodes[from].address, "calls a constructor that no symbol describes");
        else
            es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = callee});
    }
    return true;
}

static void add_indirect(es_check_builder *b, size_t from, bool call, size_t back)
{
    const es_check_program *program = b->program;
    if (call && add_constructors(b, from, back))
        return;
    for (size_t i = 0; i < program->symbol_count; i++) {
        const es_procedure *p = program->procedures[i].procedure;
        if (!p->address_taken || p->is_interrupt)
            continue;
        es_check_add_edge(b, call ? (es_check_edge){.kind = CHECK_EDGE_CALL, .from = from, .to = back, .callee = i}
                                  : (es_check_edge){.kind = CHECK_EDGE_TAIL, .from = from, .callee = i});
    }
}

static void add_table(es_check_builder *b, size_t from)
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
        es_check_flaw(b, b->program->nodes[from].address,
                      "jumps through a register to a place that is not known beforehand");
}

/* Of a jump, call or return to where a register says. */
static void add_computed(es_check_builder *b, size_t from, size_t back)
{
    const es_check_node *node = &b->program->nodes[from];
    es_insn insn = node->insn;
    const es_call_site *site = site_at(b, node->address);
    bool call = es_insn_is_call(insn);
    if (insn.kind == ES_INSN_RETURN && insn.imm == 0 && !(site && site->callee))
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_EXIT, .from = from});
    else if (site && site->callee)
        add_transfer(b, from, site->callee->low, call, back);
    else if (call || site)
        add_indirect(b, from, call, back);
    else
        add_table(b, from);
}

/* What an instruction does has to be told, or its accesses and clocks are not known. */
static void refuse_untold(es_check_builder *b, const es_check_node *node)
{
    es_insn insn = node->insn;
    if (insn.kind == ES_INSN_SEVERAL)
        es_check_flaw(b, node->address,
                      "has an instruction that does what several do (a push or pop of Zcmp, a jump of Zcmt, a pair of "
                      "registers)");
    else if ((insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE) && !insn.bytes)
        es_check_flaw(b, node->address, "loads or stores a vector, of as many bytes as the program says when it runs");
}

static void add_edges_of(es_check_builder *b, size_t from)
{
    es_check_node *node = &b->program->nodes[from];
    es_insn insn = node->insn;
    refuse_untold(b, node);
    uint32_t next = node->address + insn.size;
    es_ways ways = es_insn_ways(insn, node->address);
    const es_check_procedure *own = &b->program->procedures[node->procedure];
    size_t back = es_check_node_at(b->program, own, next);
    node->first_edge = b->program->edge_count;
    if (ways.computed)
        add_computed(b, from, back);
    else if (ways.next && !ways.calls)
        add_next(b, from, next);
    if (ways.jumps || ways.calls)
        add_transfer(b, from, ways.target, ways.calls, back);
    if (insn.kind == ES_INSN_TRAP_RETURN)
        es_check_add_edge(b, (es_check_edge){.kind = CHECK_EDGE_EXIT, .from = from});
}

/* What no path from the procedure's entry leads to, as the nop after a naked procedure's mret, leads nowhere. */
typedef struct reaching {
    es_check_builder *builder;
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

void es_check_add_edges(es_check_builder *b, size_t number)
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
