/* A first, coarse look at the whole program: which addresses of code do calls, address arithmetic and data words name?
 * It decides which assembler labels are procedures, and which procedures may be called through pointers. */
#include "symbols/internal.h"

#include <stdlib.h>

typedef SYMBOLS_LIST(uint32_t) target_list;

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
            if (es_symbols_data_word(symbols, load->address + at, &word) && word && is_code(symbols, word))
                SYMBOLS_PUSH(symbols, &symbols->code_words, word);
    }
    SYMBOLS_SORT(&symbols->code_words, ascending);
}

/* Registers along the code, in the order of its addresses. */
static void add_made(es_symbols *symbols, const symbols_load *load, target_list *targets)
{
    const es_isa *isa = symbols->isa;
    uint32_t upper[32] = {0};
    bool known[32] = {true};
    for (uint32_t at = load->address & 1, size; at + 2 <= load->size; at += size) {
        uint32_t pc = load->address + at, made = 0;
        bool makes = false;
        es_insn insn;
        size = isa->smallest;
        if (!es_symbols_insn(symbols, pc, &insn))
            continue;
        size = insn.size;
        if (insn.kind == ES_INSN_CALL)
            SYMBOLS_PUSH(symbols, targets, pc + (uint32_t)insn.imm);
        if (insn.kind == ES_INSN_CONSTANT || insn.kind == ES_INSN_ADDRESS) {
            made = (uint32_t)insn.imm + (insn.kind == ES_INSN_ADDRESS ? pc : 0);
            makes = true;
        } else if ((es_insn_adds(insn) || es_insn_by_register(insn)) && known[insn.rs1]) {
            made = upper[insn.rs1] + (uint32_t)insn.imm;
            makes = es_insn_adds(insn);
            if (insn.rs1 && is_code(symbols, made))
                SYMBOLS_PUSH(symbols, targets, made);
        }
        if (insn.rd) {
            known[insn.rd] = makes;
            upper[insn.rd] = made;
        }
    }
}

const uint32_t *es_symbols_code_targets(es_symbols *symbols, size_t *count)
{
    target_list targets = {0};
    find_code_words(symbols);
    for (size_t i = 0; i < symbols->code_words.count; i++)
        SYMBOLS_PUSH(symbols, &targets, symbols->code_words.items[i]);
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        if (load->executable)
            add_made(symbols, load, &targets);
    }
    SYMBOLS_SORT(&targets, ascending);
    *count = targets.count;
    return targets.items;
}
