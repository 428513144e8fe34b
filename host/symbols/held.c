/* When a variable with a location list is in the stack frame.
 *
 * Compilers' lists are right about registers far more often than about the stack: GCC lets a spilled variable's
 * range begin where the variable is bound, at a loop's head for one, while its register is stored some
 * instructions later, and what is on the stack until then is an older value. So both have to say so: the list, and
 * the code, in which a fact is followed along all paths (a forward data-flow problem, greatest fixed point): "the
 * place holds the variable's value". A store of the register that the list says it is in makes it true; so does a
 * store after which the list begins to have the variable there. Another store to the place, an instruction that
 * changes the register, and whatever the list does not explain make it false.
 */
#include "symbols/held.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 1000, MAX_PLACES = 8, MAX_SHOWN = 4 };

/* --- the list ------------------------------------------------------------------------------------------ */

/* Between what row of the CFI and the next one an expression with a register means the same place. */
static bool offset_at(const search *s, Dwarf_Die *function, symbols_location *l, uint32_t low, uint32_t high)
{
    unsigned reg;
    int32_t offset;
    uint32_t end;
    if (l->reg < 0)
        return es_symbols_offset_from_cfa(s->symbols, function, s->procedure, l);
    if (!es_symbols_cfa_at(s->symbols, low, &reg, &offset, &end) || reg != (unsigned)l->reg || end < high)
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
    uint32_t described = ((const symbols_procedure *)s->procedure)->described;
    for (unsigned i = 0;
         i < MAX_ENTRIES && (at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &count)) > 0; i++) {
        if (start >= end || end > UINT32_MAX)
            continue;
        symbols_location l = es_symbols_understand(s->symbols, attribute, ops, count);
        entry new = {.low = (uint32_t)start, .high = (uint32_t)end};
        if (count == 2 && ops[0].atom == DW_OP_lit0 && ops[1].atom == DW_OP_stack_value) {
            new.kind = IN_REGISTER;
        } else if (l.where == SYMBOLS_IN_REGISTER && es_isa_any_register(s->symbols->isa, (unsigned)l.reg) > 0) {
            new.kind = IN_REGISTER;
            new.reg = (unsigned)es_isa_any_register(s->symbols->isa, (unsigned)l.reg);
        } else if (l.where == SYMBOLS_IN_FRAME && offset_at(s, function, &l, new.low, new.high)) {
            new.kind = ON_STACK;
            new.offset = l.offset;
        }
        if (described && new.low == described) /* what does nothing before it leaves all where it is */
            new.low = s->procedure->low;
        SYMBOLS_PUSH(s->symbols, &s->entries, new);
    }
}

/* What the list says at an address in an instruction. What lies below the stack pointer any interrupt may overwrite. */
static place place_at(const search *s, size_t in, uint32_t address)
{
    int32_t depth = s->depth[in];
    place found = {SOMEWHERE, 0};
    for (size_t i = 0; i < s->entries.count; i++) {
        const entry *e = &s->entries.items[i];
        if (address < e->low || address >= e->high)
            continue;
        if (e->kind == ON_STACK && e->offset == s->offset && (depth < 0 || e->offset >= -depth))
            return (place){ON_STACK, 0};
        if (e->kind == IN_REGISTER && found.kind == SOMEWHERE)
            found = (place){IN_REGISTER, e->reg};
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

/* --- the fixed point -------------------------------------------------------------------------------------- */

/* The fact after instruction `from` when execution goes on at `to`. */
static bool holds_behind(const search *s, size_t from, size_t to)
{
    es_insn insn = s->insns[from];
    place before = s->listed[from], after = s->listed[to];
    bool from_register = before.kind == IN_REGISTER, to_register = after.kind == IN_REGISTER;
    if (after.kind == SOMEWHERE)
        return false;
    int stored = es_lives_stores_place(s, from);
    if (stored) {
        if (stored == 1)
            return false;
        unsigned reg = es_insn_stored(insn);
        bool from_it = from_register && before.reg == reg, of_it = to_register && after.reg == reg;
        if (insn.kind == ES_INSN_STORE && (from_it || of_it))
            return true;
        if (after.kind == ON_STACK && before.kind != ON_STACK)
            return begins_at(s, s->at[to]);
        return after.kind == ON_STACK && s->holds[from];
    }
    if (!s->holds[from])
        return false;
    if (es_insn_is_call(insn)) /* no callee changes a variable in a register, or the place */
        return after.kind == ON_STACK ||
               (from_register && to_register && before.reg == after.reg && lives_is_kept(s, after.reg));
    if (after.kind == ON_STACK)
        return before.kind == ON_STACK || !es_insn_changes(insn, before.reg) || !es_lives_is_stored_later(s, from);
    if (from_register && before.reg == after.reg)
        return !es_insn_changes(insn, after.reg);
    if (from_register)
        return es_insn_adds(insn) && insn.imm == 0 && insn.rd == after.reg && insn.rs1 == before.reg;
    return es_lives_loads_place(s, from, after.reg);
}

/* The facts as they become less: along ways. */
typedef struct weakening {
    search *s;
    es_flow flow;
    size_t from; /* whose ways are looked at */
} weakening;

static bool weaken(void *context, size_t to, void *into, const void *from, bool first)
{
    const weakening *w = context;
    (void)into, (void)from, (void)first;
    if (!w->s->holds[to] || holds_behind(w->s, w->from, to))
        return false;
    w->s->holds[to] = false;
    return true;
}

static void weaken_at(void *context, size_t to)
{
    weakening *w = context;
    es_flow_reach(&w->flow, to, NULL);
}

static void weaken_after(void *context, size_t from)
{
    weakening *w = context;
    w->from = from;
    es_lives_each_way(w->s, from, weaken_at, w);
}

static void follow(search *s)
{
    weakening w = {.s = s};
    w.flow = (es_flow){.count = s->count, .context = &w, .join = weaken, .follow = weaken_after, .in_order = true};
    es_flow_begin(&w.flow);
    for (size_t i = 0; i < s->count; i++) {
        s->listed[i] = place_at(s, i, s->at[i]);
        s->holds[i] = s->listed[i].kind != SOMEWHERE;
        es_flow_wait(&w.flow, i);
    }
    s->holds[0] = s->listed[0].kind == ON_STACK && s->offset >= 0; /* the caller has put it there */
    es_flow_run(&w.flow);
    es_flow_end(&w.flow);
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
    return s->holds[i] && (!es_insn_is_call(s->insns[i]) || place_at(s, i, s->at[i + 1] - 1).kind != SOMEWHERE);
}

/* After instruction i: on all paths, or on some. */
static bool after(const search *s, size_t i, bool all)
{
    es_insn insn = s->insns[i];
    if (es_insn_is_call(insn))
        return during(s, i);
    if (es_insn_by_register(insn))
        return false;
    es_ways ways = es_insn_ways(insn, s->at[i]);
    size_t target = es_lives_number_of(s, ways.target);
    bool next = i + 1 < s->count && s->holds[i + 1], other = target < s->count && s->holds[target];
    if (ways.jumps && ways.next)
        return all ? next && other : next || other;
    return ways.jumps ? other : next;
}

typedef SYMBOLS_LIST(es_life_span) span_list;

/* The moments one after the other; those that nobody asks for are as the one before. */
typedef struct spans {
    const search *s;
    span_list list;
    bool held; /* at the last moment */
} spans;

static void add_moment(spans *to, bool held, uint32_t address, enum es_moment which)
{
    uint32_t moment = es_moment_at(to->s->procedure, address, which);
    if (held && to->held)
        to->list.items[to->list.count - 1].high = moment + 1;
    else if (held)
        SYMBOLS_PUSH(to->s->symbols, &to->list, (es_life_span){moment, moment + 1});
    to->held = held;
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
        es_symbols_describe_lines(s->symbols, s->at[i], s->at[end], lines, sizeof lines);
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
    spans to = {.s = s};
    variable->place = ES_PLACE_FRAME;
    variable->cfa_offset = s->offset;
    if (holds_always(s))
        return;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t at = s->at[i];
        bool call = es_insn_is_call(s->insns[i]);
        add_moment(&to, s->holds[i], at, ES_MOMENT_BEFORE);
        add_moment(&to, s->holds[i] || after(s, i, false), at, ES_MOMENT_PERHAPS);
        add_moment(&to, s->holds[i] && after(s, i, true), at, ES_MOMENT_SURELY);
        if (call)
            add_moment(&to, during(s, i), s->at[i + 1], ES_MOMENT_DURING);
        else
            add_moment(&to, i + 1 < s->count && s->holds[i + 1], at, ES_MOMENT_AFTER);
    }
    es_life *life = es_arena_alloc(s->symbols->arena, sizeof *life);
    *life = (es_life){.spans = to.list.items, .count = to.list.count, .observed = lines_of(s)};
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

bool es_symbols_find_life(es_symbols *symbols, Dwarf_Die *function, Dwarf_Attribute *attribute, es_variable *variable)
{
    const es_type *type = variable->type;
    search s = {.symbols = symbols, .procedure = variable->procedure, .size = type->size};
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
    if (any && es_lives_read_code(&s)) {
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
    free(s.at);
    free(s.numbers);
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
