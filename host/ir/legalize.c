/* What no instruction can do at once: constants and offsets of more than 12 bits, places in RAM that tp does not
 * reach. */
#include <image.h>

#include "ir/passes.h"

static enum es_ir_op without_immediate(enum es_ir_op op)
{
    switch (op) {
    case ES_IR_ADD_I: return ES_IR_ADD;
    case ES_IR_LESS_I: return ES_IR_LESS;
    case ES_IR_BELOW_I: return ES_IR_BELOW;
    case ES_IR_XOR_I: return ES_IR_XOR;
    case ES_IR_OR_I: return ES_IR_OR;
    default: return ES_IR_AND;
    }
}

static bool is_shift(enum es_ir_op op)
{
    return op == ES_IR_SHL_I || op == ES_IR_SHR_I || op == ES_IR_SAR_I;
}

/* A load or store at an offset that is too far from its base. A load's result can hold the address meanwhile. */
static void far_access(es_ir_code *code, es_ir_insn insn)
{
    bool load = es_ir_form(insn.op) == ES_IR_LOADED;
    uint32_t offset = (uint32_t)insn.imm;
    es_ir_reg at = load && insn.rd != ES_IR_ZERO && insn.rd != insn.a ? insn.rd : es_ir_new(code);
    es_ir_const(code, at, es_ir_high(offset));
    if (insn.a != ES_IR_ZERO)
        es_ir_value(code, ES_IR_ADD, at, at, insn.a);
    insn.a = at;
    insn.imm = es_ir_low(offset);
    es_ir_keep(code, &insn);
}

static void access(es_ir_code *code, es_ir_insn insn)
{
    if (insn.a == ES_IR_RAM_BASE) {
        uint32_t from_tp = (uint32_t)insn.imm - ES_MI_RAM_POINTER;
        bool near = es_ir_fits(from_tp);
        insn.a = near ? ES_IR_TP : ES_IR_ZERO;
        insn.imm = (int32_t)(near ? from_tp : code->ram_at + (uint32_t)insn.imm);
    }
    if (es_ir_fits((uint32_t)insn.imm))
        es_ir_keep(code, &insn);
    else
        far_access(code, insn);
}

static void place(es_ir_code *code, const es_ir_insn *insn)
{
    uint32_t from_tp = (uint32_t)insn->imm - ES_MI_RAM_POINTER;
    if (es_ir_fits(from_tp))
        es_ir_immediate(code, ES_IR_ADD_I, insn->rd, ES_IR_TP, from_tp);
    else
        es_ir_const(code, insn->rd, code->ram_at + (uint32_t)insn->imm);
}

static void immediate(es_ir_code *code, const es_ir_insn *insn)
{
    if (is_shift(insn->op) || es_ir_fits((uint32_t)insn->imm)) {
        es_ir_keep(code, insn);
        return;
    }
    es_ir_reg value = insn->rd != insn->a ? insn->rd : es_ir_new(code);
    es_ir_const(code, value, (uint32_t)insn->imm);
    es_ir_value(code, without_immediate(insn->op), insn->rd, insn->a, value);
}

void es_ir_legalize(es_ir_code *code)
{
    es_ir_rewrite rewrite;
    if (code->next < ES_IR_VIRTUAL)
        code->next = ES_IR_VIRTUAL;
    es_ir_rewrite_begin(&rewrite, code);
    for (size_t i = 0; i < rewrite.count; i++) {
        const es_ir_insn *insn = &rewrite.old[i];
        switch (es_ir_form(insn->op)) {
        case ES_IR_LOADED:
        case ES_IR_STORED: access(code, *insn); break;
        case ES_IR_PLACE: place(code, insn); break;
        case ES_IR_IMMEDIATE: immediate(code, insn); break;
        default: es_ir_keep(code, insn); break;
        }
    }
    es_ir_rewrite_end(&rewrite);
}
