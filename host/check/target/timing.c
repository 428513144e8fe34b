#include "check/target/timing.h"

#include "cpu_cycles.h"

es_check_timing es_check_timing_of_target(uint32_t wait)
{
    return (es_check_timing){.alu = CYCLES_alu,
                             .shift = CYCLES_shift,
                             .multiply = CYCLES_mul,
                             .divide = CYCLES_div,
                             .auipc = CYCLES_auipc,
                             .load = CYCLES_load,
                             .store = CYCLES_store,
                             .branch = CYCLES_branch,
                             .jump = CYCLES_jal,
                             .jump_register = CYCLES_jalr,
                             .csr = CYCLES_csr,
                             .mret = CYCLES_mret,
                             .wait = wait};
}

es_check_timing es_check_timing_of_any(uint32_t clocks, uint32_t wait)
{
    return (es_check_timing){.alu = clocks,
                             .shift = clocks,
                             .multiply = clocks,
                             .divide = clocks,
                             .auipc = clocks,
                             .load = clocks,
                             .store = clocks,
                             .branch = clocks,
                             .jump = clocks,
                             .jump_register = clocks,
                             .csr = clocks,
                             .mret = clocks,
                             .wait = wait};
}

uint32_t es_check_timing_clocks(const es_check_timing *timing, es_insn insn)
{
    switch (insn.kind) {
    case ES_INSN_BRANCH: return timing->branch;
    case ES_INSN_JUMP:
    case ES_INSN_CALL: return timing->jump;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: return timing->jump_register;
    case ES_INSN_ADDRESS: return timing->auipc;
    case ES_INSN_CONTROL: return timing->csr;
    case ES_INSN_TRAP_RETURN: return timing->mret;
    default:
        return es_insn_stores(insn)       ? timing->store
               : es_insn_loads(insn)      ? timing->load
               : es_insn_shifts(insn)     ? timing->shift
               : es_insn_multiplies(insn) ? timing->multiply
               : es_insn_divides(insn)    ? timing->divide
                                          : timing->alu;
    }
}
