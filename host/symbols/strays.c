/* What code leads to that is not followed: moved parts of procedures ("f.cold"), procedures that are too large, what
 * lies between them. Nothing is known of it but where its direct jumps go. Also what procedures' stores do, which is
 * certain only where no such jump leads.
 */
#include "symbols/internal.h"

enum { CSR_MTVEC = 0x305, REG_STACK = 2, REG_FRAME = 8 };

void es_symbols_note_trap(es_symbols *symbols, symbols_insn insn)
{
    if (insn.op == SYMBOLS_OP_MRET || (insn.op == SYMBOLS_OP_CSR && insn.writes && (insn.imm & 0xFFF) == CSR_MTVEC))
        symbols->traps = true;
}

void es_symbols_note_stray(const es_symbols *symbols, uint32_t target)
{
    const es_procedure *procedure = es_symbols_procedure_at(symbols, target);
    if (procedure)
        ((symbols_procedure *)procedure)->entered_inside = true;
}

/* One instruction of code that is not followed; `before` is the one at pc - 4. */
static void note_insn(es_symbols *symbols, uint32_t pc, symbols_insn insn, symbols_insn before, bool is_word_load)
{
    es_symbols_note_trap(symbols, insn);
    bool moved = insn.op == SYMBOLS_OP_ADDI && insn.rs1 && insn.rs1 != insn.rd && insn.rs1 != REG_FRAME && !insn.imm;
    if (insn.rd == REG_STACK && insn.length == 4 && (moved || is_word_load))
        SYMBOLS_PUSH(symbols, &symbols->switches, (symbols_switch){.address = pc});
    if (insn.op == SYMBOLS_OP_JAL || insn.op == SYMBOLS_OP_BRANCH)
        es_symbols_note_stray(symbols, pc + (uint32_t)insn.imm);
    bool far = before.op == SYMBOLS_OP_AUIPC || before.op == SYMBOLS_OP_LUI;
    if (insn.op == SYMBOLS_OP_JALR && far && insn.rs1 == before.rd)
        es_symbols_note_stray(symbols,
                              (uint32_t)before.imm + (uint32_t)insn.imm + (before.op == SYMBOLS_OP_AUIPC ? pc - 4 : 0));
}

void es_symbols_find_strays(es_symbols *symbols)
{
    if (symbols->compressed)
        return; /* nothing is followed there */
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        symbols_insn before = {.op = SYMBOLS_OP_ILLEGAL};
        uint32_t word;
        if (!load->executable)
            continue;
        for (uint32_t at = -load->address & 3; load->size >= 4 && at <= load->size - 4; at += 4) {
            uint32_t pc = load->address + at;
            const es_procedure *own = es_symbols_procedure_at(symbols, pc);
            if (own && pc >= own->low && pc < own->high && ((const symbols_procedure *)own)->looked_at) {
                before.op = SYMBOLS_OP_ILLEGAL;
                continue;
            }
            if (!es_symbols_read_word(symbols, pc, &word))
                continue;
            symbols_insn insn = es_symbols_decode(word);
            note_insn(symbols, pc, insn, before, (word & 0x707F) == 0x2003);
            before = insn;
        }
    }
}

bool es_symbols_stores(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores, size_t *count)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    *stores = own->store_count ? symbols->stores.items + own->first_store : NULL;
    *count = own->store_count;
    return own->followed && !own->entered_inside;
}

bool es_symbols_traps(const es_symbols *symbols)
{
    return symbols->traps;
}
