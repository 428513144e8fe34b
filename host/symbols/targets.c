/* A first, coarse look at the whole program: which addresses of code do calls, address arithmetic and data words name?
 * It decides which assembler labels are procedures, and which procedures may be called through pointers. */
#include "symbols/decode.h"
#include "symbols/internal.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool is_code(const es_symbols *symbols, uint32_t address)
{
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        if (load->executable && address - load->address < load->size)
            return address % 2 == 0;
    }
    return false;
}

static void find_code_words(es_symbols *symbols)
{
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        uint32_t word;
        for (uint32_t at = -load->address & 3; at + 4 <= load->size; at += 4)
            /* a null pointer does not count as the address of code at 0 */
            if (es_symbols_read_word(symbols, load->address + at, &word) && word && is_code(symbols, word))
                SYMBOLS_PUSH(symbols, &symbols->code_words, word);
    }
    SYMBOLS_SORT(&symbols->code_words, ascending);
}

const uint32_t *es_symbols_code_targets(es_symbols *symbols, size_t *count)
{
    SYMBOLS_LIST(uint32_t) targets = {0};
    find_code_words(symbols);
    for (size_t i = 0; i < symbols->code_words.count; i++)
        SYMBOLS_PUSH(symbols, &targets, symbols->code_words.items[i]);
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        uint32_t upper[32] = {0};
        bool known[32] = {true};
        if (!load->executable)
            continue;
        for (uint32_t at = load->address & 1; at + 2 <= load->size;) {
            uint32_t pc = load->address + at, word = 0, made = 0;
            uint16_t half = 0;
            if (!es_symbols_read_word(symbols, pc, &word) && es_symbols_read_half(symbols, pc, &half))
                word = half;
            symbols_insn insn = es_symbols_decode(word);
            if (!symbols->compressed)
                insn.length = 4;
            bool link = insn.rd == 1 || insn.rd == 5, makes = false;
            if (insn.op == SYMBOLS_OP_JAL && link)
                SYMBOLS_PUSH(symbols, &targets, pc + (uint32_t)insn.imm);
            if (insn.op == SYMBOLS_OP_LUI || insn.op == SYMBOLS_OP_AUIPC) {
                made = (uint32_t)insn.imm + (insn.op == SYMBOLS_OP_AUIPC ? pc : 0);
                makes = true;
            } else if ((insn.op == SYMBOLS_OP_ADDI || insn.op == SYMBOLS_OP_JALR) && known[insn.rs1]) {
                made = upper[insn.rs1] + (uint32_t)insn.imm;
                makes = insn.op == SYMBOLS_OP_ADDI;
                if (insn.rs1 && is_code(symbols, made))
                    SYMBOLS_PUSH(symbols, &targets, made);
            }
            if (insn.rd) {
                known[insn.rd] = makes;
                upper[insn.rd] = made;
            }
            at += insn.length;
        }
    }
    SYMBOLS_SORT(&targets, ascending);
    *count = targets.count;
    return targets.items;
}
