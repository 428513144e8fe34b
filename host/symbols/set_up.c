/* Locals of which debug information says that they are in one register in all of the code. GCC writes that of what is
 * there from some instruction on up to the end of the procedure, and does not tell from which: before that, the
 * register has something else. Of the register that results are in this can be told where an argument is put into it
 * for a call of the same line (`int n = send(buffer, size);`): the local is there after that call. */
#include <string.h>

#include "symbols/code.h"
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

uint32_t es_symbols_set_up(const es_symbols *symbols, uint32_t low, uint32_t high, const es_value *value)
{
    uint32_t since = low, set = 0; /* where an instruction has set the register, in this straight line of code */
    bool any = false;
    if (!value->piece_count || value->pieces[0].kind != VALUE_REGISTER || value->pieces[0].reg != A0)
        return low;
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
