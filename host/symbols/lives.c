/* When a variable with a location list is in the stack frame.
 *
 * Compilers' lists are right about registers far more often than about the stack: GCC lets a spilled variable's
 * range begin where the variable is bound, at a loop's head for one, while its register is stored some
 * instructions later, and what is on the stack until then is an older value. So both have to say so: the list, and
 * the code, in which a fact is followed along all ways (a forward data-flow problem, greatest fixed point): "the
 * place holds the variable's value". A store of the register that the list says it is in makes it true; so does a
 * store behind which the list begins to have the variable there. Another store to the place, an instruction that
 * changes the register, and whatever the list does not explain make it false.
 */
#include "symbols/location.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { REG_SP = 2, MAX_ENTRIES = 1000, MAX_INSNS = 1 << 13, MAX_PLACES = 8, MAX_SHOWN = 4 };

enum kind { SOMEWHERE, ON_STACK, IN_REGISTER };

typedef struct entry {
    uint32_t low, high;
    enum kind kind;
    int32_t offset; /* ON_STACK: from the CFA */
    unsigned reg;   /* IN_REGISTER; 0: it is the constant 0 */
} entry;

typedef struct place {
    enum kind kind;
    unsigned reg;
} place;

typedef struct search {
    es_symbols *symbols;
    const es_procedure *procedure;
    SYMBOLS_LIST(entry) entries;
    size_t count;        /* instructions */
    symbols_insn *insns;
    uint32_t *words;
    int32_t *depth;      /* by instruction: bytes from the stack pointer to the CFA; -1: not expressed by it */
    const es_store **stores; /* by instruction: what it stores, NULL nothing */
    bool *table;         /* by instruction: a jump table leads there */
    place *listed;       /* by instruction: what the list says before it */
    bool *holds;         /* by instruction: the fact before it */
    int32_t offset;      /* the place in question, and its size */
    unsigned size;
} search;

/* --- the list ------------------------------------------------------------------------------------------ */

/* Between what row of the CFI and the next one an expression with a register means the same place. */
static bool offset_at(const search *s, Dwarf_Die *function, symbols_location *l, uint32_t low, uint32_t high)
{
    unsigned reg;
    int32_t offset;
    uint32_t end;
    if (l->reg < 0)
        return symbols_offset_from_cfa(s->symbols, function, s->procedure, l);
    if (!symbols_cfa_at(s->symbols, low, &reg, &offset, &end) || reg != (unsigned)l->reg || end < high)
        return false;
    l->offset -= offset;
    return true;
}

static void read_list(search *s, Dwarf_Die *function, Dwarf_Attribute *attribute)
{
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t count;
    ptrdiff_t at = 0;
    for (unsigned i = 0;
         i < MAX_ENTRIES && (at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &count)) > 0; i++) {
        if (start >= end || end > UINT32_MAX)
            continue;
        symbols_location l = symbols_understand(attribute, ops, count);
        entry new = { .low = (uint32_t)start, .high = (uint32_t)end };
        if (count == 2 && ops[0].atom == DW_OP_lit0 && ops[1].atom == DW_OP_stack_value) {
            new.kind = IN_REGISTER;
        } else if (l.where == SYMBOLS_IN_REGISTER && l.reg > 0 && l.reg < 32) {
            new.kind = IN_REGISTER;
            new.reg = (unsigned)l.reg;
        } else if (l.where == SYMBOLS_IN_FRAME && offset_at(s, function, &l, new.low, new.high)) {
            new.kind = ON_STACK;
            new.offset = l.offset;
        }
        SYMBOLS_PUSH(s->symbols, &s->entries, new);
    }
}

static uint32_t address_of(const search *s, size_t index)
{
    return s->procedure->low + 4 * (uint32_t)index;
}

/* What the list says at an address. What lies below the stack pointer any interrupt may overwrite. */
static place place_at(const search *s, uint32_t address)
{
    place found = { SOMEWHERE, 0 };
    for (size_t i = 0; i < s->entries.count; i++) {
        const entry *e = &s->entries.items[i];
        if (address < e->low || address >= e->high)
            continue;
        int32_t depth = s->depth[(address - s->procedure->low) / 4];
        if (e->kind == ON_STACK && e->offset == s->offset && (depth < 0 || e->offset >= -depth))
            return (place){ ON_STACK, 0 };
        if (e->kind == IN_REGISTER && found.kind == SOMEWHERE)
            found = (place){ IN_REGISTER, e->reg };
    }
    return found;
}

/* Whether the list begins to have the variable on the stack at an address. */
static bool begins_at(const search *s, uint32_t address)
{
    for (size_t i = 0; i < s->entries.count; i++) {
        const entry *e = &s->entries.items[i];
        if (e->kind == ON_STACK && e->offset == s->offset && e->low == address)
            return true;
    }
    return false;
}

/* --- the code ------------------------------------------------------------------------------------------ */

static bool is_link(unsigned reg)
{
    return reg == 1 || reg == 5;
}

static bool is_call(const symbols_insn *insn)
{
    return (insn->op == SYMBOLS_OP_JAL || insn->op == SYMBOLS_OP_JALR) && is_link(insn->rd);
}

static bool is_jump(const symbols_insn *insn)
{
    return (insn->op == SYMBOLS_OP_JAL || insn->op == SYMBOLS_OP_JALR) && !is_link(insn->rd);
}

static bool is_kept(unsigned reg) /* by calls */
{
    return reg == 0 || reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
}

/* Of no call. */
static bool writes(const symbols_insn *insn, unsigned reg)
{
    return reg && insn->rd == reg;
}

/* A call that returns twice, the second time with what has happened to the stack since. */
static bool calls_setjmp(const search *s)
{
    static const char *const names[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "vfork" };
    for (size_t i = 0; i < s->symbols->calls.count; i++) {
        const es_call_site *site = &s->symbols->calls.items[i];
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (site->caller == s->procedure && site->callee && strcmp(site->callee->name, names[k]) == 0)
                return true;
    }
    return false;
}

/* False: the procedure's code cannot be followed. */
static bool read_code(search *s)
{
    const es_store *stores;
    size_t count, at = 0;
    uint32_t cfa_end = 0, bytes = s->procedure->high - s->procedure->low;
    if (!es_symbols_stores(s->symbols, s->procedure, &stores, &count) || bytes / 4 > MAX_INSNS || bytes % 4 ||
        calls_setjmp(s))
        return false;
    for (size_t i = 0; i < s->symbols->ranges.count; i++) { /* a part of it lies elsewhere */
        const symbols_range *range = &s->symbols->ranges.items[i];
        if (&range->procedure->public == s->procedure && range->low != s->procedure->low)
            return false;
    }
    s->count = bytes / 4;
    s->insns = es_malloc((s->count + 1) * sizeof *s->insns);
    s->words = es_malloc((s->count + 1) * sizeof *s->words);
    s->depth = es_malloc((s->count + 1) * sizeof *s->depth);
    s->stores = es_malloc((s->count + 1) * sizeof(const es_store *));
    s->table = es_malloc(s->count + 1);
    s->holds = es_malloc(s->count + 1);
    s->listed = es_malloc((s->count + 1) * sizeof *s->listed);
    memset(s->table, 0, s->count + 1);
    for (size_t i = 0; i < s->symbols->code_words.count; i++) {
        uint32_t word = s->symbols->code_words.items[i];
        if (word > s->procedure->low && word < s->procedure->high)
            s->table[(word - s->procedure->low) / 4] = true;
    }
    for (size_t i = 0; i < s->count; i++) {
        uint32_t pc = address_of(s, i);
        unsigned reg = 0;
        if (!symbols_read_word(s->symbols, pc, &s->words[i]))
            return false;
        s->insns[i] = symbols_decode(s->words[i]);
        s->stores[i] = NULL;
        for (; at < count && stores[at].site <= pc; at++)
            if (stores[at].site == pc)
                s->stores[i] = &stores[at];
        s->depth[i] = i ? s->depth[i - 1] : -1;
        if (pc >= cfa_end && (!symbols_cfa_at(s->symbols, pc, &reg, &s->depth[i], &cfa_end) || reg != REG_SP))
            s->depth[i] = -1;
    }
    return true;
}

/* Whether execution may go on at instruction `to` behind `from`. */
static bool goes_on_at(const search *s, size_t from, size_t to)
{
    const symbols_insn *insn = &s->insns[from];
    bool direct = (insn->op == SYMBOLS_OP_BRANCH || insn->op == SYMBOLS_OP_JAL) && !is_call(insn) &&
                  address_of(s, from) + (uint32_t)insn->imm == address_of(s, to);
    if (insn->op == SYMBOLS_OP_JALR && is_jump(insn))
        return !is_link(insn->rs1) && s->table[to];
    return direct || (!is_jump(insn) && to == from + 1);
}

/* Whether the instruction, which is no call, loads register reg from the place. */
static bool loads_place(const search *s, size_t i, unsigned reg)
{
    unsigned width = s->words[i] >> 12 & 3;
    return (s->words[i] & 0x7F) == 0x03 && s->insns[i].rd == reg && s->insns[i].rs1 == REG_SP && s->depth[i] >= 0 &&
           s->insns[i].imm - s->depth[i] == s->offset && 1u << width >= s->size;
}

/* Bytes that a store writes of the place: 0 none, 1 some, 2 all from its first one on. */
static int stores_place(const search *s, size_t i)
{
    const es_store *store = s->stores[i];
    if (!store || (store->kind != ES_STORE_FRAME && !store->above))
        return 0;
    int64_t low = store->cfa_offset, high = low + s->insns[i].size, first = s->offset, end = first + s->size;
    if (low >= end || high <= first)
        return 0;
    return low == first && high >= end ? 2 : 1;
}

/* Adds where execution may go on behind instruction i to a list of what is to be looked at. */
static size_t add_ways(const search *s, size_t i, bool *seen, size_t *list, size_t count)
{
    const symbols_insn *insn = &s->insns[i];
    bool through_register = insn->op == SYMBOLS_OP_JALR && is_jump(insn);
    size_t target = (address_of(s, i) + (uint32_t)insn->imm - s->procedure->low) / 4;
    for (size_t to = through_register ? 0 : i + 1; to < s->count;) {
        if (!seen[to] && goes_on_at(s, i, to)) {
            seen[to] = true;
            list[count++] = to;
        }
        to = through_register ? to + 1 : to == target ? s->count : target;
    }
    return count;
}

/* Whether the register that an instruction writes reaches the place, itself or a copy, on any way. Then it is the variable's new
 * value, and a list that has it on the stack at once means a store that is still to come. */
static bool is_stored_later(const search *s, size_t from)
{
    unsigned reg = s->insns[from].rd;
    bool *seen = es_malloc(s->count + 1), found = false;
    size_t *list = es_malloc((s->count + 1) * sizeof *list);
    memset(seen, 0, s->count + 1);
    size_t count = add_ways(s, from, seen, list, 0);
    while (count && !found) {
        size_t i = list[--count];
        const symbols_insn *insn = &s->insns[i];
        bool stored = stores_place(s, i) != 0;
        found = stored ? insn->rs2 == reg : insn->op == SYMBOLS_OP_ADDI && insn->rs1 == reg && insn->imm == 0 && insn->rd != reg;
        if (!stored && insn->rd != reg && (!is_call(insn) || is_kept(reg)))
            count = add_ways(s, i, seen, list, count);
    }
    free(seen);
    free(list);
    return found;
}

/* The fact behind instruction `from` when execution goes on at `to`. */
static bool holds_behind(const search *s, size_t from, size_t to)
{
    const symbols_insn *insn = &s->insns[from];
    place before = s->listed[from], after = s->listed[to];
    bool from_register = before.kind == IN_REGISTER, to_register = after.kind == IN_REGISTER;
    if (after.kind == SOMEWHERE)
        return false;
    int stored = stores_place(s, from);
    if (stored) {
        if (stored == 1)
            return false;
        if ((from_register && before.reg == insn->rs2) || (to_register && after.reg == insn->rs2))
            return true;
        if (after.kind == ON_STACK && before.kind != ON_STACK)
            return begins_at(s, address_of(s, to));
        return after.kind == ON_STACK && s->holds[from];
    }
    if (!s->holds[from])
        return false;
    if (is_call(insn)) /* no callee changes a variable in a register, or the place */
        return after.kind == ON_STACK || (from_register && to_register && before.reg == after.reg && is_kept(after.reg));
    if (after.kind == ON_STACK)
        return before.kind == ON_STACK || !writes(insn, before.reg) || !is_stored_later(s, from);
    if (from_register && before.reg == after.reg)
        return !writes(insn, after.reg);
    if (from_register)
        return insn->op == SYMBOLS_OP_ADDI && insn->rd == after.reg && insn->rs1 == before.reg && insn->imm == 0;
    return loads_place(s, from, after.reg);
}

/* --- the fixed point -------------------------------------------------------------------------------------- */

static bool weaken(search *s, size_t from, size_t to)
{
    if (to >= s->count || !s->holds[to] || !goes_on_at(s, from, to) || holds_behind(s, from, to))
        return false;
    s->holds[to] = false;
    return true;
}

static void follow(search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->listed[i] = place_at(s, address_of(s, i));
        s->holds[i] = s->listed[i].kind != SOMEWHERE;
    }
    s->holds[0] = s->listed[0].kind == ON_STACK && s->offset >= 0; /* the caller has put it there */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t from = 0; from < s->count; from++) {
            const symbols_insn *insn = &s->insns[from];
            bool through_register = insn->op == SYMBOLS_OP_JALR && is_jump(insn);
            for (size_t to = 0; through_register && to < s->count; to++)
                changed |= s->table[to] && weaken(s, from, to);
            changed |= weaken(s, from, from + 1);
            changed |= weaken(s, from, (address_of(s, from) + (uint32_t)insn->imm - s->procedure->low) / 4);
        }
    }
}

static size_t points(const search *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += s->holds[i];
    return count;
}

/* --- results ---------------------------------------------------------------------------------------------- */

static bool during(const search *s, size_t i)
{
    return s->holds[i] && (!is_call(&s->insns[i]) || place_at(s, address_of(s, i) + 3).kind != SOMEWHERE);
}

/* Behind instruction i: on all ways, or on some. */
static bool behind(const search *s, size_t i, bool all)
{
    const symbols_insn *insn = &s->insns[i];
    if (is_call(insn))
        return during(s, i);
    if (insn->op == SYMBOLS_OP_JALR)
        return false;
    size_t target = (address_of(s, i) + (uint32_t)insn->imm - s->procedure->low) / 4;
    bool next = i + 1 < s->count && s->holds[i + 1], other = target < s->count && s->holds[target];
    if (insn->op == SYMBOLS_OP_BRANCH)
        return all ? next && other : next || other;
    return insn->op == SYMBOLS_OP_JAL ? other : next;
}

typedef SYMBOLS_LIST(es_life_span) span_list;

static void add_moment(const search *s, span_list *spans, uint32_t moment)
{
    if (spans->count && spans->items[spans->count - 1].high == moment)
        spans->items[spans->count - 1].high++;
    else
        SYMBOLS_PUSH(s->symbols, spans, (es_life_span){ moment, moment + 1 });
}

/* Lines of the parts, at most MAX_SHOWN of them. */
static const char *lines_of(const search *s)
{
    const char *text = NULL;
    char lines[256], last[256] = "";
    unsigned shown = 0;
    for (size_t i = 0, end; i < s->count; i = end + 1) {
        for (end = i; end < s->count && s->holds[end];)
            end++;
        if (end == i)
            continue;
        symbols_describe_lines(s->symbols, address_of(s, i), address_of(s, end), lines, sizeof lines);
        if (!lines[0] || strcmp(lines, last) == 0)
            continue;
        if (shown++ == MAX_SHOWN)
            return es_arena_format(s->symbols->arena, "%s, ...", text);
        memcpy(last, lines, sizeof last);
        text = es_arena_format(s->symbols->arena, "%s%s%s", text ? text : "", text ? ", " : "", lines);
    }
    return text ? text : "a part of it";
}

/* Of an argument on the stack, which nothing else is put over. */
static bool holds_always(const search *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!during(s, i))
            return false;
    return true;
}

static void fill_in(search *s, es_variable *variable)
{
    span_list spans = { 0 };
    variable->place = ES_PLACE_FRAME;
    variable->cfa_offset = s->offset;
    if (holds_always(s))
        return;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t at = address_of(s, i);
        if (s->holds[i])
            add_moment(s, &spans, at + ES_MOMENT_BEFORE);
        if (s->holds[i] || behind(s, i, false))
            add_moment(s, &spans, at + ES_MOMENT_PERHAPS);
        if (s->holds[i] && behind(s, i, true))
            add_moment(s, &spans, at + ES_MOMENT_SURELY);
        if (during(s, i))
            add_moment(s, &spans, at + ES_MOMENT_DURING);
    }
    es_life *life = es_arena_alloc(s->symbols->arena, sizeof *life);
    *life = (es_life){ .spans = spans.items, .count = spans.count, .observed = lines_of(s) };
    variable->life = life;
}

static bool is_place(const search *s, size_t e)
{
    if (s->entries.items[e].kind != ON_STACK)
        return false;
    for (size_t i = 0; i < e; i++)
        if (s->entries.items[i].kind == ON_STACK && s->entries.items[i].offset == s->entries.items[e].offset)
            return false;
    return true;
}

static bool is_aligned(const search *s, int32_t offset)
{
    return offset % (int32_t)s->size == 0;
}

bool symbols_find_life(es_symbols *symbols, Dwarf_Die *function, Dwarf_Attribute *attribute, es_variable *variable)
{
    const es_type *type = variable->type;
    search s = { .symbols = symbols, .procedure = variable->procedure, .size = type->size };
    bool scalar = type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_ARRAY && type->kind != ES_TYPE_OTHER &&
                  (type->size == 1 || type->size == 2 || type->size == 4);
    if (!function || !s.procedure || s.procedure->low >= s.procedure->high || !scalar)
        return false;
    read_list(&s, function, attribute);
    bool any = false;
    for (size_t e = 0; e < s.entries.count; e++)
        any |= s.entries.items[e].kind == ON_STACK;
    size_t best = 0, tried = 0;
    int32_t where = 0;
    if (any && read_code(&s)) {
        for (size_t e = 0; e < s.entries.count && tried < MAX_PLACES; e++) {
            if (!is_place(&s, e) || !is_aligned(&s, s.entries.items[e].offset))
                continue;
            tried++;
            s.offset = s.entries.items[e].offset;
            follow(&s);
            if (points(&s) > best) {
                best = points(&s);
                where = s.offset;
            }
        }
        if (best) {
            s.offset = where;
            follow(&s);
            fill_in(&s, variable);
        }
    }
    free(s.insns);
    free(s.words);
    free(s.depth);
    free(s.stores);
    free(s.table);
    free(s.holds);
    free(s.listed);
    return best;
}

bool es_life_has(const es_life *life, uint32_t moment)
{
    for (size_t i = 0; i < life->count; i++)
        if (moment >= life->spans[i].low && moment < life->spans[i].high)
            return true;
    return false;
}
