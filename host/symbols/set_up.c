/* Locals of which debug information says that they are in registers in all of the code of their block. GCC writes that
 * of what is there from some instruction on up to the end, and does not tell from which: before that, the registers
 * have something else. So much can be told:
 * - where the first instruction of the block, or of a piece of it, that touches a register sets it, whatever it was,
 *   the local is not there before;
 * - nor is it in the register that results are in where an argument is put into that for a call of the same line
 *   (`int n = send(buffer, size);`): then it is there after the call. */
#include <dwarf.h>
#include <string.h>

#include "symbols/code.h"
#include "symbols/location.h"
#include "symbols/values_private.h"

enum { A0 = 10 }; /* results, or their first word */

static const symbols_line *line_at(const es_symbols *symbols, uint32_t address)
{
    size_t row = SYMBOLS_LAST_AT(&symbols->lines, address);
    return row < symbols->lines.count ? &symbols->lines.items[row] : NULL;
}

static bool same_line(const es_symbols *symbols, uint32_t a, uint32_t b)
{
    const symbols_line *x = line_at(symbols, a), *y = line_at(symbols, b);
    return x && y && x->line == y->line && x->file && y->file && strcmp(x->file, y->file) == 0;
}

/* The end of the first instruction that touches the register, if that does not read it. */
static uint32_t first_set(const es_symbols *symbols, unsigned reg, uint32_t low, uint32_t high)
{
    es_insn insn;
    for (uint32_t at = low; at < high && es_symbols_insn(symbols, at, &insn) && insn.size; at += insn.size) {
        es_ways on = es_insn_ways(insn, at);
        bool plain = insn.kind == ES_INSN_COMPUTE || insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE;
        if (!plain || on.jumps || !on.next || insn.rs1 == reg || insn.rs2 == reg)
            return low;
        if (insn.rd == reg)
            return at + insn.size;
    }
    return low;
}

/* The end of the last call before which an argument is put into the register of results by the same line. */
static uint32_t last_call(const es_symbols *symbols, uint32_t low, uint32_t high)
{
    uint32_t since = low, set = 0; /* where an instruction has set it, in this straight line of code */
    bool any = false;
    es_insn insn;
    for (uint32_t at = low; at < high && es_symbols_insn(symbols, at, &insn) && insn.size; at += insn.size) {
        es_ways on = es_insn_ways(insn, at);
        if (es_insn_is_call(insn)) {
            since = any && same_line(symbols, set, at) ? at + insn.size : since;
            any = false;
        } else if (on.jumps || !on.next) {
            any = false;
        } else if (insn.rd == A0) {
            any = true;
            set = at;
        }
    }
    return since;
}

/* The address from which on it is there. */
static uint32_t is_there(const es_symbols *symbols, const es_value *value, es_code_range code, es_code_range block)
{
    uint32_t from = block.low;
    for (size_t i = 0; i < value->piece_count; i++) {
        if (value->pieces[i].kind != VALUE_REGISTER || value->pieces[i].reg >= 32)
            return block.low;
        uint32_t set = first_set(symbols, value->pieces[i].reg, block.low, block.high);
        from = set > from ? set : from;
    }
    uint32_t called = value->piece_count && value->pieces[0].reg == A0 ? last_call(symbols, code.low, code.high) : 0;
    return called > from ? called : from;
}

bool es_symbols_drop_unset(es_symbols *symbols, const es_procedure *procedure, Dwarf_Die *die, es_value_range *ranges,
                           size_t count)
{
    Dwarf_Attribute attribute;
    bool any = false;
    es_code_range code = {procedure->low, procedure->high};
    if (!dwarf_attr(die, DW_AT_location, &attribute) || !es_symbols_is_expression(&attribute))
        return false;
    for (size_t i = 0; i < count; i++) {
        es_value_range *range = &ranges[i];
        if (range->low < code.low || range->high > code.high) /* "f.cold" */
            continue;
        uint32_t from = is_there(symbols, range->value, code, (es_code_range){range->low, range->high});
        any |= from > range->low;
        range->low = from <= range->low ? range->low : from < range->high ? from : range->high;
    }
    return any;
}
