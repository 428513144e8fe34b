/* Building: one function for each form of instruction. */
#include <stdlib.h>

#include "ir/ir.h"

#define FORM_VALUE ES_IR_VALUE
#define FORM_IMMEDIATE ES_IR_IMMEDIATE
#define FORM_CONSTANT ES_IR_CONSTANT
#define FORM_COPY ES_IR_COPIED
#define FORM_PLACE ES_IR_PLACE
#define FORM_LOAD ES_IR_LOADED
#define FORM_STORE ES_IR_STORED
#define FORM_BRANCH ES_IR_BRANCH
#define FORM_JUMP ES_IR_JUMPED
#define FORM_LABEL ES_IR_LABELLED
#define FORM_LINK ES_IR_LINKED
#define FORM_CALL ES_IR_CALLED
#define FORM_RETURN ES_IR_RETURNED

static const struct {
    const char *text;
    enum es_ir_form form;
} ops[] = {
#define ROW(name, text, form, encoding) {text, FORM_##form},
    ES_IR_OPS(ROW)
#undef ROW
};

enum es_ir_form es_ir_form(enum es_ir_op op)
{
    return ops[op].form;
}

const char *es_ir_text(enum es_ir_op op)
{
    return ops[op].text;
}

void es_ir_begin(es_ir_code *code, uint32_t base)
{
    code->count = code->word_count = 0;
    code->label_count = 0;
    code->next = ES_IR_VIRTUAL;
    code->base = base;
    code->spilled = 0;
    code->allowed = ES_IR_FREE;
}

void es_ir_free(es_ir_code *code)
{
    free(code->insns);
    free(code->words);
    free(code->label_at);
    *code = (es_ir_code){0};
}

es_ir_reg es_ir_new(es_ir_code *code)
{
    if (code->next < ES_IR_VIRTUAL)
        code->next = ES_IR_VIRTUAL;
    return code->next++;
}

static es_ir_insn *add(es_ir_code *code, enum es_ir_op op)
{
    if (code->count == code->room) {
        code->room = code->room ? 2 * code->room : 128;
        code->insns = es_realloc(code->insns, code->room * sizeof *code->insns);
    }
    code->insns[code->count] = (es_ir_insn){.op = (uint8_t)op};
    return &code->insns[code->count++];
}

void es_ir_value(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg a, es_ir_reg b)
{
    es_ir_insn *insn = add(code, op);
    insn->rd = rd, insn->a = a, insn->b = b;
}

void es_ir_immediate(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg a, uint32_t imm)
{
    if (op == ES_IR_ADD_I && imm == 0) {
        es_ir_copy(code, rd, a);
        return;
    }
    es_ir_insn *insn = add(code, op);
    insn->rd = rd, insn->a = a, insn->imm = (int32_t)imm;
}

es_ir_reg es_ir_make(es_ir_code *code, enum es_ir_op op, es_ir_reg a, es_ir_reg b)
{
    es_ir_reg rd = es_ir_new(code);
    es_ir_value(code, op, rd, a, b);
    return rd;
}

es_ir_reg es_ir_make_immediate(es_ir_code *code, enum es_ir_op op, es_ir_reg a, uint32_t imm)
{
    es_ir_reg rd = es_ir_new(code);
    es_ir_immediate(code, op, rd, a, imm);
    return rd;
}

es_ir_reg es_ir_make_const(es_ir_code *code, uint32_t value)
{
    es_ir_reg rd = es_ir_new(code);
    es_ir_const(code, rd, value);
    return rd;
}

es_ir_reg es_ir_make_load(es_ir_code *code, enum es_ir_op op, es_ir_reg base, uint32_t offset)
{
    es_ir_reg rd = es_ir_new(code);
    es_ir_load(code, op, rd, base, (int32_t)offset);
    return rd;
}

void es_ir_const(es_ir_code *code, es_ir_reg rd, uint32_t value)
{
    es_ir_insn *insn = add(code, ES_IR_CONST);
    insn->rd = rd, insn->imm = (int32_t)value;
}

void es_ir_copy(es_ir_code *code, es_ir_reg rd, es_ir_reg a)
{
    if (rd == a)
        return;
    es_ir_insn *insn = add(code, ES_IR_COPY);
    insn->rd = rd, insn->a = a;
}

void es_ir_load(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg base, int32_t offset)
{
    es_ir_insn *insn = add(code, op);
    insn->rd = rd, insn->a = base, insn->imm = offset;
}

void es_ir_store(es_ir_code *code, enum es_ir_op op, es_ir_reg value, es_ir_reg base, int32_t offset)
{
    es_ir_insn *insn = add(code, op);
    insn->a = base, insn->b = value, insn->imm = offset;
}

void es_ir_ram(es_ir_code *code, es_ir_reg rd, uint32_t offset)
{
    es_ir_insn *insn = add(code, ES_IR_RAM);
    insn->rd = rd, insn->imm = (int32_t)offset;
}

uint32_t es_ir_label(es_ir_code *code)
{
    return code->label_count++;
}

void es_ir_here(es_ir_code *code, uint32_t label)
{
    add(code, ES_IR_LABEL)->imm = (int32_t)label;
}

void es_ir_entry(es_ir_code *code, uint32_t label)
{
    es_ir_here(code, label);
    code->insns[code->count - 1].far = true;
}

void es_ir_branch(es_ir_code *code, enum es_ir_op op, es_ir_reg a, es_ir_reg b, uint32_t label)
{
    es_ir_insn *insn = add(code, op);
    insn->a = a, insn->b = b, insn->imm = (int32_t)label;
}

void es_ir_jump(es_ir_code *code, uint32_t label)
{
    add(code, ES_IR_JUMP)->imm = (int32_t)label;
}

static void leave(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, uint32_t where, uint32_t takes, uint32_t gives,
                  uint32_t spoils)
{
    es_ir_insn *insn = add(code, op);
    insn->rd = rd, insn->imm = (int32_t)where;
    insn->takes = takes, insn->gives = gives, insn->spoils = spoils;
}

void es_ir_link(es_ir_code *code, es_ir_reg rd, uint32_t label, uint32_t takes, uint32_t gives, uint32_t spoils)
{
    leave(code, ES_IR_LINK, rd, label, takes, gives, spoils);
}

void es_ir_call(es_ir_code *code, es_ir_reg rd, uint32_t address, uint32_t takes, uint32_t gives, uint32_t spoils)
{
    leave(code, ES_IR_CALL, rd, address, takes, gives, spoils);
}

void es_ir_return(es_ir_code *code, es_ir_reg a, uint32_t takes)
{
    es_ir_insn *insn = add(code, ES_IR_RETURN);
    insn->a = a, insn->takes = takes;
}
