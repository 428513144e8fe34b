/* Locals of which debug information says that they are in registers in all of the code of their block. GCC writes that
 * of what is there from one assignment on up to the end, and does not tell from which: before that, the registers
 * have something else. But what it means ends where something else comes into the register. So much can be told, with
 * the ways through the procedure's code:
 * - Before a call whose callee need not keep the register the local is not there, as it would end with the call. (GCC
 *   does not end the place of a pair of registers.)
 * - It is there where an instruction has set the register on all ways from the beginning of the block. Of several in a
 *   straight line of code that are of one line of the source it is the last one that counts: what the others make is a
 *   part of the sum. Nor does a constant count that is set again in such a line, whatever the line of the source: a
 *   local that is a constant has one in debug information. Lines of the procedure before the declaration do not count.
 * - What the register has at the block's beginning may be the local only where something reads it before it is set. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/code.h"
#include "symbols/location.h"
#include "symbols/values_private.h"

/* The procedure's code, by two bytes of it. */
typedef struct walk {
    const es_symbols *symbols;
    const es_value_range *ranges; /* the block's */
    size_t range_count;
    uint32_t low, count;
    unsigned reg;
    bool kept;    /* callees keep it */
    bool alone;   /* it has all of the local */
    bool earlier; /* it is set before the declaration only */
    bool saves;   /* the procedure keeps what the caller has in it, on the stack: */
    int32_t slot;
    const char *file;               /* of the declaration; NULL: not known */
    unsigned procedure_line, line;  /* where the procedure begins; the declaration */
    uint8_t *size, *inside, *joins; /* instructions, 0: none begins there; of the block; where a jump leads to */
    uint8_t *sets;                  /* they set the register to what may be the local */
    uint8_t *reads;                 /* it is read before it is set */
    uint8_t *calls; /* a call that does not keep it comes in the block, or what sets it for something else */
    uint8_t *there; /* it was set on all ways */
} walk;

static es_insn insn_at(const walk *w, uint32_t at)
{
    es_insn insn = {0};
    es_symbols_insn(w->symbols, w->low + 2 * at, &insn);
    return insn;
}

static const symbols_line *line_at(const walk *w, uint32_t at)
{
    size_t row = SYMBOLS_LAST_AT(&w->symbols->lines, w->low + 2 * at);
    return row < w->symbols->lines.count && w->symbols->lines.items[row].file ? &w->symbols->lines.items[row] : NULL;
}

/* It is of the procedure's source before the local is declared. */
static bool is_earlier(const walk *w, uint32_t at)
{
    const symbols_line *line = line_at(w, at);
    return line && w->file && line->line >= w->procedure_line && line->line < w->line &&
           strcmp(line->file, w->file) == 0;
}

static bool takes(const walk *w, es_insn insn) /* a call whose callee need not keep the register */
{
    return es_insn_is_call(insn) && !w->kept && !es_isa_calls_helper(w->symbols->isa, insn);
}

static bool is_saved(const walk *w, es_insn insn, es_insn_kind kind) /* for the caller, or given back to it */
{
    return w->kept && insn.kind == kind && insn.rs1 == w->symbols->isa->stack &&
           (kind == ES_INSN_STORE ? insn.rs2 == w->reg && !insn.foreign : insn.rd == w->reg && insn.imm == w->slot);
}

/* It has something of the caller's, or nobody knows what, afterwards. */
static bool gives_back(const walk *w, es_insn insn)
{
    return insn.kind == ES_INSN_SEVERAL || (w->saves && is_saved(w, insn, ES_INSN_LOAD));
}

static bool changes(const walk *w, es_insn insn)
{
    if (gives_back(w, insn))
        return false;
    return takes(w, insn) ? w->reg == w->symbols->isa->argument || w->reg == w->symbols->isa->argument + 1U
                          : es_insn_changes(insn, w->reg);
}

static bool is_read(const walk *w, es_insn insn)
{
    if (es_insn_is_jump(insn) && es_isa_is_argument(w->symbols->isa, w->reg))
        return true; /* a result, or an argument of what is jumped to */
    return insn.kind == ES_INSN_SEVERAL || insn.kind == ES_INSN_UNKNOWN || insn.rs1 == w->reg ||
           (insn.rs2 == w->reg && !insn.foreign);
}

/* What the instruction sets the register to is a constant, by itself or with the upper half that one before has set. */
static bool is_constant(const walk *w, uint32_t at)
{
    es_insn insn = insn_at(w, at);
    if (insn.kind == ES_INSN_CONSTANT || !es_insn_adds(insn) || !insn.rs1)
        return insn.kind == ES_INSN_CONSTANT || es_insn_adds(insn);
    unsigned upper = insn.rs1;
    for (uint32_t before = at; before-- > 0 && !w->joins[before + 1];) {
        if (!w->size[before])
            continue;
        insn = insn_at(w, before);
        if (es_insn_is_transfer(insn) || es_insn_changes(insn, upper))
            return insn.kind == ES_INSN_CONSTANT;
    }
    return false;
}

/* In the straight line of code that follows, an instruction of the same line of the source sets it again, or, where
 * this one has made a constant, of any line. */
static bool is_part(const walk *w, uint32_t at)
{
    const symbols_line *line = line_at(w, at), *next;
    bool constant = is_constant(w, at);
    for (uint32_t on = at + w->size[at]; on < w->count && w->size[on] && !w->joins[on]; on += w->size[on]) {
        es_insn insn = insn_at(w, on);
        if (es_insn_is_transfer(insn))
            return false;
        next = line_at(w, on);
        if (es_insn_changes(insn, w->reg) &&
            (constant || (line && next && line->line == next->line && strcmp(line->file, next->file) == 0)))
            return true;
    }
    return false;
}

/* Where execution goes on in the procedure; count: nowhere. */
static void ways_from(const walk *w, uint32_t at, uint32_t to[2])
{
    es_ways ways = es_insn_ways(insn_at(w, at), w->low + 2 * at);
    uint32_t next = at + w->size[at], target = (ways.target - w->low) / 2;
    to[0] = ways.next && next < w->count ? next : w->count;
    to[1] = ways.jumps && ways.target >= w->low && target < w->count ? target : w->count;
}

/* Where the register is stored before anything sets it. */
static void find_slot(walk *w)
{
    for (uint32_t at = 0; at < w->count && w->size[at]; at += w->size[at]) {
        es_insn insn = insn_at(w, at);
        if (es_insn_changes(insn, w->reg))
            return;
        if (is_saved(w, insn, ES_INSN_STORE)) {
            w->saves = true;
            w->slot = (int32_t)insn.imm;
            return;
        }
    }
}

static bool find_sets(walk *w, bool earlier)
{
    bool any = false;
    for (uint32_t at = 0; at < w->count; at++) {
        w->sets[at] = w->size[at] && w->inside[at] && changes(w, insn_at(w, at)) && (earlier || !is_earlier(w, at)) &&
                      !is_part(w, at);
        any |= w->sets[at];
    }
    return any;
}

static void read_code(walk *w)
{
    uint32_t to[2];
    for (uint32_t at = 0; at < w->count; at += w->size[at] ? w->size[at] : 1) {
        es_insn insn = insn_at(w, at);
        w->size[at] = insn.size / 2;
        for (size_t i = 0; i < w->range_count; i++)
            w->inside[at] |= w->low + 2 * at >= w->ranges[i].low && w->low + 2 * at < w->ranges[i].high;
        ways_from(w, at, to);
        if (w->size[at] && to[1] < w->count)
            w->joins[to[1]] = 1;
    }
    find_slot(w);
    /* what the register has from before the declaration on may be the local, where nothing sets it any more */
    w->earlier = !find_sets(w, false);
    if (w->earlier)
        find_sets(w, true);
}

/* What comes after: whether it is read, and whether there are calls. */
static bool look_back(walk *w, uint32_t at)
{
    es_insn insn = insn_at(w, at);
    uint32_t to[2];
    ways_from(w, at, to);
    bool reads = insn.kind == ES_INSN_JUMP_REGISTER, calls = takes(w, insn) && to[0] < w->count && w->inside[to[0]];
    calls |= w->earlier && w->sets[at];
    for (int i = 0; i < 2; i++) {
        reads |= to[i] < w->count && w->reads[to[i]];
        calls |= to[i] < w->count && w->calls[to[i]];
    }
    reads = (is_read(w, insn) && !is_earlier(w, at)) || (reads && !changes(w, insn) && !takes(w, insn));
    calls &= w->inside[at];
    if (w->reads[at] == reads && w->calls[at] == calls)
        return false;
    w->reads[at] = reads;
    w->calls[at] = calls;
    return true;
}

static bool look_on(walk *w, uint32_t at)
{
    es_insn insn = insn_at(w, at);
    bool there = w->sets[at] || (w->there[at] && !takes(w, insn) && !gives_back(w, insn));
    bool any = false;
    uint32_t to[2];
    ways_from(w, at, to);
    for (int i = 0; i < 2; i++)
        if (to[i] < w->count && w->inside[to[i]] && w->there[to[i]] && !(w->inside[at] ? there : w->reads[to[i]])) {
            w->there[to[i]] = 0;
            any = true;
        }
    return any;
}

static void follow(walk *w)
{
    bool any = true, set = false; /* in the block */
    while (any) {
        any = false;
        for (uint32_t at = w->count; at-- > 0;)
            any |= w->size[at] && look_back(w, at);
    }
    memset(w->there, 1, w->count);
    for (uint32_t at = 0; at < w->count; at++)
        set |= w->size[at] && w->inside[at] && changes(w, insn_at(w, at));
    if (!set) /* it is what was there before the block */
        return;
    w->there[0] = w->inside[0] && w->reads[0] && !w->kept;
    for (any = true; any;) {
        any = false;
        for (uint32_t at = 0; at < w->count; at++)
            any |= w->size[at] && look_on(w, at);
    }
}

/* Clears in `known` where the register does not have the local. */
static void look_through(walk *w, uint8_t *known)
{
    uint8_t *all = es_malloc(7 * (size_t)w->count);
    memset(all, 0, 7 * (size_t)w->count);
    uint8_t **parts[] = {&w->size, &w->inside, &w->joins, &w->sets, &w->reads, &w->calls, &w->there};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = all + i * w->count;
    read_code(w);
    follow(w);
    for (uint32_t at = 0; at < w->count; at++)
        for (uint32_t i = at; w->size[at] && i < at + w->size[at] && i < w->count; i++)
            known[i] &= w->there[at] && !(w->calls[at] && w->alone);
    free(all);
}

/* Whether all of it is in registers. */
static bool in_registers(const es_value *value)
{
    for (size_t i = 0; i < value->piece_count; i++)
        if (value->pieces[i].kind != VALUE_REGISTER || value->pieces[i].reg >= 32)
            return false;
    return !value->reason && value->piece_count > 0;
}

bool es_symbols_drop_unset(es_symbols *symbols, const es_procedure *procedure, Dwarf_Die *die, Dwarf_Die *function,
                           es_value_range **ranges, size_t *count)
{
    SYMBOLS_LIST(es_value_range) left = {0};
    Dwarf_Attribute attribute;
    walk w = {.symbols = symbols, .ranges = *ranges, .range_count = *count, .low = procedure->low};
    size_t before = *count;
    if (!before || !dwarf_attr(die, DW_AT_location, &attribute) || !es_symbols_is_expression(&attribute) ||
        !in_registers(w.ranges[0].value))
        return false;
    w.count = (procedure->high - procedure->low) / 2;
    es_symbols_die_file(symbols, function, &w.procedure_line);
    w.file = es_symbols_die_file(symbols, die, &w.line);
    uint8_t *known = es_malloc(w.count);
    memset(known, 1, w.count);
    for (size_t i = 0; i < w.ranges[0].value->piece_count; i++) {
        w.reg = w.ranges[0].value->pieces[i].reg;
        w.alone = w.ranges[0].value->piece_count == 1;
        w.kept = es_isa_keeps(symbols->isa, w.reg);
        w.saves = false;
        look_through(&w, known);
    }
    bool any = false;
    for (size_t i = 0; i < before; i++) {
        es_value_range range = w.ranges[i];
        if (range.low < procedure->low || range.high > procedure->high) { /* "f.cold" */
            SYMBOLS_PUSH(symbols, &left, range);
            continue;
        }
        for (uint32_t low = range.low, high; low < range.high; low = high) {
            bool there = known[(low - w.low) / 2];
            for (high = low + 2; high < range.high && known[(high - w.low) / 2] == there;)
                high += 2;
            high = high < range.high ? high : range.high;
            any |= !there;
            if (there)
                SYMBOLS_PUSH(symbols, &left, (es_value_range){low, high, range.value});
        }
    }
    free(known);
    *ranges = left.items;
    *count = left.count;
    return any;
}
