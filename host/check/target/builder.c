#include "check/target/builder.h"

static const char *place(const es_check_builder *b, uint32_t address)
{
    const char *file;
    unsigned line;
    const es_procedure *in = es_symbols_procedure_at(b->program->symbols, address);
    if (es_symbols_line(b->program->symbols, address, &file, &line))
        return es_arena_format(b->program->arena, "%s:%u (%s)", file, line, in ? in->name : "?");
    return es_arena_format(b->program->arena, "0x%08x (%s)", (unsigned)address, in ? in->name : "?");
}

void es_check_flaw(es_check_builder *b, uint32_t address, const char *why)
{
    if (!b->program->flaw)
        b->program->flaw = es_arena_format(b->program->arena, "%s: %s", place(b, address), why);
}

size_t es_check_procedure_starting_at(const es_check_program *program, uint32_t address)
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

size_t es_check_node_at(const es_check_program *program, const es_check_procedure *procedure, uint32_t address)
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

static void time_node(const es_check_builder *b, es_check_node *node)
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

void es_check_add_nodes(es_check_builder *b, size_t number)
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
