/* Where instructions stand, and which branches do not reach. */
#include <stdlib.h>

#include "ir/passes.h"

bool es_ir_is_useless(const es_ir_code *code, size_t at)
{
    const es_ir_insn *insn = &code->insns[at];
    if (insn->op != ES_IR_JUMP)
        return false;
    for (size_t i = at + 1; i < code->count && code->insns[i].op == ES_IR_LABEL; i++)
        if (code->insns[i].imm == insn->imm)
            return true;
    return false;
}

static uint32_t words_of(const es_ir_code *code, size_t at)
{
    const es_ir_insn *insn = &code->insns[at];
    switch (es_ir_form(insn->op)) {
    case ES_IR_LABELLED: return 0;
    case ES_IR_JUMPED: return es_ir_is_useless(code, at) ? 0 : 1;
    case ES_IR_BRANCH: return insn->far ? 2 : 1;
    case ES_IR_CONSTANT: return es_ir_fits((uint32_t)insn->imm) || es_ir_low((uint32_t)insn->imm) == 0 ? 1 : 2;
    default: return 1;
    }
}

static uint32_t place_labels(es_ir_code *code)
{
    uint32_t at = code->base;
    for (size_t i = 0; i < code->count; i++) {
        if (code->insns[i].op == ES_IR_LABEL)
            code->label_at[code->insns[i].imm] = at;
        at += 4 * words_of(code, i);
    }
    return at;
}

void es_ir_layout(es_ir_code *code)
{
    if (code->label_room < code->label_count) {
        code->label_room = code->label_count;
        code->label_at = es_realloc(code->label_at, code->label_room * sizeof *code->label_at);
    }
    for (bool changed = true; changed;) { /* branches only ever become far */
        uint32_t at = code->base;
        changed = false;
        place_labels(code);
        for (size_t i = 0; i < code->count; i++) {
            es_ir_insn *insn = &code->insns[i];
            if (es_ir_form(insn->op) == ES_IR_BRANCH && !insn->far) {
                int32_t distance = (int32_t)(code->label_at[insn->imm] - at);
                changed |= insn->far = distance < -4096 || distance > 4094;
            }
            at += 4 * words_of(code, i);
        }
    }
}

uint32_t es_ir_address(const es_ir_code *code, uint32_t label)
{
    return code->label_at[label];
}
