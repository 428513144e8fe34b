/* Cuts the program's code where the places of variables change. */
#include <stdlib.h>
#include <string.h>

#include "replay/shadow_private.h"
#include "symbols/code.h"

typedef struct borders {
    es_arena *arena;
    uint32_t *items;
    size_t count;
} borders;

static void add_border(borders *b, uint32_t address)
{
    b->items = es_arena_grow(b->arena, b->items, b->count, sizeof *b->items);
    b->items[b->count++] = address;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* --- cells, procedures ------------------------------------------------------------------------------------- */

static procedure *procedure_of(plan *p, const es_procedure *wanted)
{
    for (size_t i = 0; i < p->procedure_count; i++)
        if (p->procedures[i].procedure == wanted)
            return &p->procedures[i];
    p->procedures = es_arena_grow(p->arena, p->procedures, p->procedure_count, sizeof *p->procedures);
    p->procedures[p->procedure_count] = (procedure){.procedure = wanted};
    return &p->procedures[p->procedure_count++];
}

static bool is_scalar(const es_type *type)
{
    return type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_ARRAY;
}

static void add_result(plan *p, const es_shadow *shadow, const es_shadow_source *source)
{
    procedure *of = procedure_of(p, source->procedure);
    of->results = es_arena_grow(p->arena, of->results, of->result_count, sizeof *of->results);
    of->results[of->result_count++] = (returned){shadow, !source->why};
    of->entry |= shadow->in_memory ? UINT64_C(1) << shadow->reg : 0;
}

/* Each after those that it is in. */
static void add_copy(procedure *of, es_arena *arena, const es_inlined_copy *copy, const es_copy_ends *ends)
{
    size_t at = 0;
    for (size_t i = 0; i < of->copy_count; i++) {
        if (of->copies[i].copy == copy)
            return;
        if (es_symbols_copy_depth(of->copies[i].copy) <= es_symbols_copy_depth(copy))
            at = i + 1;
    }
    of->copies = es_arena_grow(arena, of->copies, of->copy_count, sizeof *of->copies);
    memmove(&of->copies[at + 1], &of->copies[at], (of->copy_count++ - at) * sizeof *of->copies);
    of->copies[at] = (inlined){copy, ends};
}

/* Of a cell's own. */
static uint64_t registers_of(const es_shadow *shadow)
{
    if (shadow->kind != ES_SHADOW_REGISTER && shadow->kind != ES_SHADOW_RESULT)
        return 0;
    uint64_t first = UINT64_C(1) << shadow->reg;
    return shadow->reg < 31 && shadow->size > 4 ? first | first << 1 : first;
}

static void add_cell(plan *p, const es_symbols *symbols, const es_shadow *shadow)
{
    uint32_t room = (shadow->size + 3) & ~3u;
    p->cells = es_arena_grow(p->arena, p->cells, p->cell_count, sizeof *p->cells);
    p->cells[p->cell_count] = (cell){.shadow = shadow,
                                     .scalar = is_scalar(shadow->variable->type),
                                     .bytes = es_arena_alloc(p->arena, room),
                                     .unknown = es_arena_alloc(p->arena, room),
                                     .freed = es_arena_alloc(p->arena, room)};
    size_t number = p->cell_count++;
    if (shadow->kind == ES_SHADOW_REGISTER)
        p->shown |= UINT64_C(1) << shadow->reg;
    p->needed |= registers_of(shadow);
    p->memory |= shadow->in_memory;
    p->depths |= shadow->kind == ES_SHADOW_STACK;
    p->copies |= shadow->kind == ES_SHADOW_COPIES;
    for (size_t i = 0; i < shadow->copy_count && shadow->kind != ES_SHADOW_VARIABLE; i++)
        add_copy(procedure_of(p, shadow->copies[i]->caller), p->arena, shadow->copies[i], shadow->ends[i]);
    for (size_t i = 0; i < shadow->source_count; i++)
        add_result(p, shadow, &shadow->sources[i]);
    if (shadow->kind != ES_SHADOW_VARIABLE)
        return;
    const es_value_copy *copies;
    size_t count = es_symbols_value_copies(symbols, shadow->variable, &copies);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < copies[i].count; k++)
            p->memory |= es_value_reads_memory(copies[i].ranges[k].value);
        if (!copies[i].procedure)
            continue;
        procedure *of = procedure_of(p, copies[i].procedure);
        of->instances = es_arena_grow(p->arena, of->instances, of->count, sizeof *of->instances);
        of->instances[of->count++] = (instance){number, &copies[i], of->bytes};
        of->bytes += shadow->size;
        if (copies[i].entry) {
            p->needed |= es_value_registers(copies[i].entry, NULL);
            p->memory |= es_value_reads_memory(copies[i].entry);
        }
        for (size_t k = 0; k < copies[i].count; k++) {
            uint64_t entry;
            es_value_registers(copies[i].ranges[k].value, &entry);
            of->entry |= entry;
        }
    }
}

/* A procedure's parameter, not an inlined copy's: what it is given in. */
static void add_given(procedure *of, const es_value_copy *copy, uint64_t others)
{
    const es_value *value = es_value_at_entry(copy);
    uint64_t entry = 0;
    bool known = value && !es_value_reason(value);
    uint64_t registers = known ? es_value_registers(value, &entry) : 0;
    of->given |= known ? registers | entry : others;
}

/* What lies in registers when a procedure begins is a local's only where a parameter is given in these: debug
 * information that says else is too early. Where it does not have a parameter there, the compiler has changed what the
 * procedure is given, and it may be in any register but those that callees have to keep. */
static void find_given(plan *p, const es_symbols *symbols)
{
    const es_variable *const *variables;
    const es_isa *isa = es_symbols_isa(symbols);
    uint64_t others = 0, fixed = UINT64_C(1) << isa->stack | UINT64_C(1) << isa->link | 3 << 3; /* 3, 4: nobody's */
    for (unsigned reg = 0; reg < 64; reg++)
        others |= (uint64_t)!es_isa_keeps(isa, reg) << reg;
    for (size_t i = 0; i < p->procedure_count; i++)
        p->procedures[i].given |= fixed;
    for (size_t n = es_symbols_variables(symbols, &variables); n-- > 0;) {
        const es_value_copy *copies;
        size_t count = variables[n]->procedure ? es_symbols_value_copies(symbols, variables[n], &copies) : 0;
        for (size_t k = 0; k < count; k++)
            for (size_t i = 0; i < p->procedure_count && copies[k].parameter && !copies[k].inlined; i++)
                if (p->procedures[i].procedure == copies[k].procedure)
                    add_given(&p->procedures[i], &copies[k], others);
    }
}

/* --- borders ------------------------------------------------------------------------------------------------ */

static void add_ranges(borders *b, const es_code_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_border(b, ranges[i].low);
        add_border(b, ranges[i].high);
    }
}

static void add_copy_borders(borders *b, const es_symbols *symbols, const inlined *of)
{
    for (size_t i = 0; i < of->copy->entry_count; i++) { /* it is alone */
        es_insn insn;
        add_border(b, of->copy->entries[i]);
        if (es_symbols_insn(symbols, of->copy->entries[i], &insn))
            add_border(b, of->copy->entries[i] + insn.size);
    }
    const es_code_range *code;
    size_t count = es_symbols_copy_code(of->copy, &code);
    if (!of->copy->entry_count)
        add_ranges(b, code, count);
    add_ranges(b, of->ends->places, of->ends->count);
    add_ranges(b, of->ends->caller, of->ends->caller_count);
}

static void add_procedure_borders(borders *b, const es_symbols *symbols, const procedure *of)
{
    add_border(b, of->procedure->low);
    add_border(b, of->procedure->low + 2); /* its first instruction is alone */
    add_border(b, of->procedure->high);
    const es_call_site *calls;
    size_t count = es_symbols_calls(symbols, &calls);
    for (size_t i = 0; i < count; i++)
        if (calls[i].caller == of->procedure && !calls[i].is_tail) {
            add_border(b, calls[i].site + calls[i].size);
            add_border(b, calls[i].site + calls[i].size + 2);
        }
    for (size_t i = 0; i < of->copy_count; i++)
        add_copy_borders(b, symbols, &of->copies[i]);
    for (size_t i = 0; i < of->count; i++) {
        const es_value_copy *copy = of->instances[i].copy;
        for (size_t k = 0; k < copy->count; k++) {
            add_border(b, copy->ranges[k].low);
            add_border(b, copy->ranges[k].high);
        }
        add_ranges(b, copy->code, copy->code_count);
    }
}

typedef struct single {
    uint32_t *items;
    size_t count;
} single; /* instructions that are segments of their own */

static void add_trap_returns(borders *b, single *list, es_arena *arena, const es_symbols *symbols, const es_isa *isa)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(symbols, &all);
    for (size_t i = 0; i < count; i++) {
        es_insn insn;
        for (uint32_t at = all[i]->low; all[i]->is_interrupt && at < all[i]->high;) {
            if (!es_symbols_insn(symbols, at, &insn))
                break;
            if (insn.kind == ES_INSN_TRAP_RETURN) {
                list->items = es_arena_grow(arena, list->items, list->count, sizeof *list->items);
                list->items[list->count++] = at;
                add_border(b, at);
                add_border(b, at + 2);
            }
            at += insn.size ? insn.size : isa->smallest;
        }
    }
}

static bool has_address(const single *list, uint32_t address)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == address)
            return true;
    return false;
}

/* --- segments ----------------------------------------------------------------------------------------------- */

static bool is_active(const es_value_copy *copy, uint32_t address)
{
    for (size_t i = 0; i < copy->code_count; i++)
        if (address >= copy->code[i].low && address < copy->code[i].high)
            return true;
    return !copy->inlined;
}

static uint8_t comes_of(const inlined *of, uint32_t address)
{
    unsigned comes = 0;
    for (size_t i = 0; i < of->copy->entry_count; i++)
        comes |= of->copy->entries[i] == address ? COPY_BEGINS : 0u;
    for (size_t i = 0; i < of->ends->count; i++)
        comes |= address >= of->ends->places[i].low && address < of->ends->places[i].high ? COPY_ENDS : 0u;
    const es_code_range *code;
    size_t count = es_symbols_copy_code(of->copy, &code);
    for (size_t i = 0; i < count && !of->copy->entry_count; i++)
        comes |= address >= code[i].low && address < code[i].high ? COPY_LIES : 0u;
    return (uint8_t)comes;
}

static void fill_copies(plan *p, segment *s)
{
    const procedure *of = &p->procedures[s->procedure];
    s->copies = es_arena_alloc(p->arena, of->copy_count + 1);
    for (size_t i = 0; i < of->copy_count; i++) {
        s->copies[i] = comes_of(&of->copies[i], s->low);
        s->begins |= s->copies[i] & COPY_BEGINS;
        s->ends |= s->copies[i] & COPY_ENDS;
        s->lies |= s->copies[i] & COPY_LIES;
    }
}

static void fill_places(plan *p, segment *s)
{
    const procedure *of = &p->procedures[s->procedure];
    s->places = es_arena_alloc(p->arena, (of->count + 1) * sizeof *s->places);
    s->entry = s->low == of->procedure->low;
    for (size_t i = 0; i < of->count; i++) {
        const es_value_copy *copy = of->instances[i].copy;
        const es_value_range *range = es_value_at(copy, s->low);
        s->places[i].active = is_active(copy, s->low);
        if (!range || es_value_reason(range->value))
            continue;
        if (!s->places[i].active) { /* after a copy's last instruction, what that has changed may be told by it */
            p->needed |= es_value_registers(range->value, NULL);
            p->memory |= es_value_reads_memory(range->value);
            continue;
        }
        s->places[i].value = range->value;
        s->places[i].registers = es_value_registers(range->value, NULL);
        s->places[i].memory = es_value_reads_memory(range->value);
        s->registers |= s->places[i].registers;
        s->memory |= s->places[i].memory;
    }
}

static void make_segments(plan *p, const es_symbols *symbols, borders *b, const single *trap_returns,
                          const es_switch *switches, size_t switch_count)
{
    const es_call_site *calls;
    size_t call_count = es_symbols_calls(symbols, &calls);
    qsort(b->items, b->count, sizeof *b->items, ascending);
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++)
        if (i == 0 || b->items[i] != b->items[count - 1])
            b->items[count++] = b->items[i];
    p->segments = es_arena_alloc(p->arena, count * sizeof *p->segments);
    for (size_t i = 0; i < count; i++) {
        segment *s = &p->segments[p->segment_count++];
        *s = (segment){.low = b->items[i], .last = i + 1 < count ? b->items[i + 1] - 1 : UINT32_MAX};
        s->procedure = NOBODY;
        const es_procedure *in = es_symbols_procedure_at(symbols, s->low);
        for (size_t k = 0; k < p->procedure_count && in; k++)
            if (p->procedures[k].procedure == in)
                s->procedure = (uint32_t)k;
        s->trap_return = has_address(trap_returns, s->low);
        for (size_t k = 0; k < switch_count; k++)
            s->switches |= switches[k].address == s->low;
        if (s->procedure != NOBODY) {
            fill_places(p, s);
            fill_copies(p, s);
        }
        p->needed |= s->registers;
    }
    for (size_t i = 0; i < call_count; i++) {
        segment *s = (segment *)es_shadow_segment(p, calls[i].site + calls[i].size);
        if (!calls[i].is_tail && s->low == calls[i].site + calls[i].size)
            s->after_call = true;
    }
}

void es_shadow_plan(plan *p, const es_symbols *symbols)
{
    const es_shadow *const *shadows;
    size_t count = es_symbols_shadows(symbols, &shadows);
    p->arena = es_arena_new();
    for (size_t i = 0; i < count; i++)
        add_cell(p, symbols, shadows[i]);
    find_given(p, symbols);
    es_shadow_find_lines(p, symbols);
    p->allocator_count = es_symbols_allocator(symbols, p->arena, &p->allocator);
    borders b = {.arena = p->arena};
    single trap_returns = {0};
    es_switch *switches;
    size_t switch_count = es_symbols_switches(symbols, p->arena, &switches);
    add_border(&b, 0);
    for (size_t i = 0; i < p->procedure_count; i++)
        add_procedure_borders(&b, symbols, &p->procedures[i]);
    add_trap_returns(&b, &trap_returns, p->arena, symbols, es_symbols_isa(symbols));
    size_t kept = 0;
    for (size_t i = 0; i < switch_count; i++)
        if (!switches[i].longjmp)
            switches[kept++] = switches[i];
    switch_count = kept;
    for (size_t i = 0; i < switch_count; i++) {
        add_border(&b, switches[i].address);
        add_border(&b, switches[i].address + 2);
    }
    make_segments(p, symbols, &b, &trap_returns, switches, switch_count);
    const es_isa *isa = es_symbols_isa(symbols);
    p->needed |= UINT64_C(1) << isa->stack | UINT64_C(1) << isa->link;
    for (size_t i = 0; i < p->procedure_count; i++)
        p->needed |= p->procedures[i].entry;
}
