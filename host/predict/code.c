#include "predict/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cpu_cycles.h"
#include "isa/flow.h"

static void time_insn(es_predict_insn *to, es_insn insn)
{
    to->size = insn.size;
    to->data = 0;
    to->kind = (uint8_t)insn.kind;
    to->rd = insn.rd;
    to->rs1 = insn.rs1;
    to->rs2 = insn.rs2;
    switch (insn.kind) {
    case ES_INSN_BRANCH: to->fetch = CYCLES_branch; return;
    case ES_INSN_JUMP:
    case ES_INSN_CALL: to->fetch = CYCLES_jal; return;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: to->fetch = CYCLES_jalr; return;
    case ES_INSN_ADDRESS: to->fetch = CYCLES_auipc; return;
    case ES_INSN_CONTROL: to->fetch = CYCLES_csr; return;
    case ES_INSN_TRAP_RETURN: to->fetch = CYCLES_mret; return;
    case ES_INSN_WAIT: to->fetch = CYCLES_wfi; return;
    default: break;
    }
    if (es_insn_stores(insn) || es_insn_loads(insn)) { /* the last clock is the data's */
        to->fetch = (es_insn_stores(insn) ? CYCLES_store : CYCLES_load) - 1;
        to->data = 1;
        return;
    }
    to->fetch = es_insn_shifts(insn)       ? CYCLES_shift
                : es_insn_multiplies(insn) ? CYCLES_mul
                : es_insn_divides(insn)    ? CYCLES_div
                                           : CYCLES_alu;
}

static void lead(es_predict_code *code, uint32_t address)
{
    uint32_t i = (address - code->low) / 2;
    if (i < code->count)
        code->insns[i].leads = true;
}

/* What an instruction says of where blocks begin. */
static void cut_blocks(es_predict_code *code, es_predict_insn *at, es_insn insn, uint32_t address)
{
    es_ways ways = es_insn_ways(insn, address);
    at->ends = es_insn_is_transfer(insn) || insn.kind == ES_INSN_TRAP_RETURN || insn.kind == ES_INSN_WAIT;
    if (ways.jumps || ways.calls)
        lead(code, ways.target);
    if (at->ends)
        lead(code, address + insn.size);
}

void es_predict_code_read(es_predict_code *code, const es_symbols *symbols)
{
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures);
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < count; i++)
        if (procedures[i]->low < procedures[i]->high) {
            low = procedures[i]->low < low ? procedures[i]->low : low;
            high = procedures[i]->high > high ? procedures[i]->high : high;
        }
    *code = (es_predict_code){.symbols = symbols, .low = low, .count = high > low ? (high - low) / 2 : 0};
    code->insns = es_malloc((code->count + 1) * sizeof *code->insns);
    memset(code->insns, 0, (code->count + 1) * sizeof *code->insns);
    for (size_t i = 0; i < count; i++) {
        const es_procedure *p = procedures[i];
        es_insn insn;
        if (p->low < p->high)
            lead(code, p->low);
        for (uint32_t a = p->low; a < p->high && es_symbols_insn(symbols, a, &insn) && insn.size; a += insn.size) {
            es_predict_insn *at = &code->insns[(a - low) / 2];
            time_insn(at, insn);
            cut_blocks(code, at, insn, a);
        }
    }
}

void es_predict_code_free(es_predict_code *code)
{
    free(code->insns);
    code->insns = NULL;
}
