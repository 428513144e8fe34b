/* The helper by which procedures end that a compiler has made smaller (-msave-restore): __riscv_restore_0 and such. */
#include "symbols/code.h"

enum { LONGEST = 40 }; /* instructions: more registers than any instruction set has to be kept */

bool es_symbols_only_restores(const es_symbols *symbols, uint32_t address)
{
    const es_isa *isa = es_symbols_isa(symbols);
    es_insn insn;
    for (int i = 0; i < LONGEST && es_symbols_insn(symbols, address, &insn); i++, address += insn.size) {
        if (insn.kind == ES_INSN_RETURN)
            return insn.rs1 == isa->link;
        bool loads = insn.kind == ES_INSN_LOAD && insn.rs1 == isa->stack && !insn.foreign_rd &&
                     (es_isa_keeps(isa, insn.rd) || insn.rd == isa->link);
        bool moves = insn.kind == ES_INSN_COMPUTE && insn.rd == isa->stack && insn.rs1 == isa->stack;
        bool goes = insn.kind == ES_INSN_JUMP; /* to another one's code */
        if (!loads && !moves && !goes)
            return false;
        if (goes)
            address += (uint32_t)insn.imm - insn.size;
    }
    return false;
}
