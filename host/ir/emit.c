/* The last pass: words of RV32 code. */
#include <stdlib.h>

#include "ir/passes.h"

static const uint32_t encodings[] = {
#define ENCODING(name, text, form, encoding) encoding,
    ES_IR_OPS(ENCODING)
#undef ENCODING
};

enum { LUI = 0x37, INVERT = 1 << 12 /* of a branch's condition */ };

static void put(es_ir_code *code, uint32_t word)
{
    if (code->word_count == code->word_room) {
        code->word_room = code->word_room ? 2 * code->word_room : 128;
        code->words = es_realloc(code->words, code->word_room * sizeof *code->words);
    }
    code->words[code->word_count++] = word;
}

static uint32_t here(const es_ir_code *code)
{
    return code->base + 4 * (uint32_t)code->word_count;
}

static void put_jump(es_ir_code *code, es_ir_reg rd, uint32_t target)
{
    uint32_t d = target - here(code);
    put(code, encodings[ES_IR_JUMP] | (uint32_t)rd << 7 | (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 |
                  (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12);
}

static void put_branch(es_ir_code *code, const es_ir_insn *insn)
{
    uint32_t operands = (uint32_t)insn->a << 15 | (uint32_t)insn->b << 20;
    uint32_t target = code->label_at[insn->imm];
    if (insn->far) { /* around a jump, which reaches any place: distance 8 */
        put(code, (encodings[insn->op] ^ INVERT) | 8u << 7 | operands);
        put_jump(code, ES_IR_ZERO, target);
        return;
    }
    uint32_t d = target - here(code);
    put(code, encodings[insn->op] | operands | (d >> 12 & 1) << 31 | (d >> 5 & 0x3F) << 25 | (d >> 1 & 0xF) << 8 |
                  (d >> 11 & 1) << 7);
}

static void put_immediate(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg a, int32_t imm)
{
    put(code, encodings[op] | (uint32_t)rd << 7 | (uint32_t)a << 15 | (uint32_t)imm << 20);
}

static void put_constant(es_ir_code *code, es_ir_reg rd, uint32_t value)
{
    if (es_ir_fits(value)) {
        put_immediate(code, ES_IR_ADD_I, rd, ES_IR_ZERO, (int32_t)value);
        return;
    }
    put(code, (uint32_t)LUI | (uint32_t)rd << 7 | es_ir_high(value));
    if (es_ir_low(value))
        put_immediate(code, ES_IR_ADD_I, rd, rd, es_ir_low(value));
}

static void put_store(es_ir_code *code, const es_ir_insn *insn)
{
    uint32_t bits = (uint32_t)insn->imm;
    put(code, encodings[insn->op] | (bits & 0x1F) << 7 | (uint32_t)insn->a << 15 | (uint32_t)insn->b << 20 |
                  (bits >> 5 & 0x7F) << 25);
}

static void put_insn(es_ir_code *code, size_t at)
{
    const es_ir_insn *insn = &code->insns[at];
    switch (es_ir_form(insn->op)) {
    case ES_IR_VALUE:
        put(code, encodings[insn->op] | (uint32_t)insn->rd << 7 | (uint32_t)insn->a << 15 | (uint32_t)insn->b << 20);
        break;
    case ES_IR_IMMEDIATE:
    case ES_IR_LOADED: put_immediate(code, insn->op, insn->rd, insn->a, insn->imm); break;
    case ES_IR_COPIED: put_immediate(code, ES_IR_ADD_I, insn->rd, insn->a, 0); break;
    case ES_IR_CONSTANT: put_constant(code, insn->rd, (uint32_t)insn->imm); break;
    case ES_IR_STORED: put_store(code, insn); break;
    case ES_IR_BRANCH: put_branch(code, insn); break;
    case ES_IR_JUMPED:
        if (!es_ir_is_useless(code, at))
            put_jump(code, ES_IR_ZERO, code->label_at[insn->imm]);
        break;
    case ES_IR_LINKED: put_jump(code, insn->rd, code->label_at[insn->imm]); break;
    case ES_IR_CALLED: put_jump(code, insn->rd, (uint32_t)insn->imm); break;
    case ES_IR_RETURNED: put(code, encodings[insn->op] | (uint32_t)insn->a << 15); break;
    default: break; /* labels take no room; places were legalized */
    }
}

void es_ir_emit(es_ir_code *code)
{
    code->word_count = 0;
    for (size_t i = 0; i < code->count; i++)
        put_insn(code, i);
}
