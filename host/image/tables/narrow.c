#include "image/tables/narrow.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "ir/ir.h"

enum {
    LANES = 15 << ES_HIT_LANES_SHIFT,
    LOWER = 3 << ES_HIT_LANES_SHIFT, /* lanes of a half-word */
    UPPER = 12 << ES_HIT_LANES_SHIFT,
};

/* What tells how many bytes an instruction of RISC-V stores. */
enum {
    INSN_MASK = 0x707B,
    INSN_WORD = 0x2023, /* sw, fsw */
    INSN_HALF = 0x1023, /* sh, fsh */
    INSN_BYTE = 0x0023, /* sb */
    INSN_AMO = 0x202B,  /* sc.w, amo...w */
};

enum {
    ENDS = ES_IR_T1,   /* out: this is the store's last write */
    BEGINS = ES_IR_T2, /* out: ... its first */
    FLAGS = ES_IR_T1,
    OWN = ES_IR_T3,   /* lanes of this write */
    STORE = ES_IR_T4, /* ... of all writes of the store */
    TEMP = ES_IR_T5,
    MORE = ES_IR_T6,
};

static void load_cell(image_builder *b, es_ir_reg rd, uint32_t cell)
{
    es_ir_load(&b->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)(b->plan.store + cell));
}

static void store_cell(image_builder *b, es_ir_reg rs, uint32_t cell)
{
    es_ir_store(&b->code, ES_IR_STORE, rs, ES_IR_RAM_BASE, (int32_t)(b->plan.store + cell));
}

static void count(image_builder *b, uint32_t at)
{
    es_ir_load(&b->code, ES_IR_LOAD, TEMP, ES_IR_RAM_BASE, (int32_t)at);
    es_ir_immediate(&b->code, ES_IR_ADD_I, TEMP, TEMP, 1);
    es_ir_store(&b->code, ES_IR_STORE, TEMP, ES_IR_RAM_BASE, (int32_t)at);
}

/* STORE becomes the lanes that the instruction stores, OWN being some of them. It was fetched just before; goes on at
 * `unknown` where phantom memory does not have it, or another one that stores nothing. */
static void find_store(image_builder *b, unsigned unknown)
{
    es_ir_code *code = &b->code;
    unsigned half = es_ir_label(code), word = es_ir_label(code), found = es_ir_label(code);
    es_ir_load(code, ES_IR_LOAD, MORE, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN); /* from here on */
    es_ir_load(code, ES_IR_LOAD, MORE, ES_IR_HIT, (int32_t)ES_REG_HIT_PC);
    es_ir_const(code, TEMP, b->limits->window_base);
    es_ir_value(code, ES_IR_SUB, MORE, MORE, TEMP);
    es_ir_const(code, TEMP, b->limits->window_size);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, MORE, TEMP, unknown);
    es_ir_const(code, TEMP, ES_PHANTOM_BASE);
    es_ir_value(code, ES_IR_ADD, MORE, MORE, TEMP);
    es_ir_load(code, ES_IR_LOAD, MORE, MORE, 0);
    es_ir_load(code, ES_IR_LOAD, TEMP, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, unknown);
    es_ir_const(code, TEMP, INSN_MASK);
    es_ir_value(code, ES_IR_AND, MORE, MORE, TEMP);
    es_ir_const(code, TEMP, INSN_WORD);
    es_ir_branch(code, ES_IR_IF_EQ, MORE, TEMP, word);
    es_ir_immediate(code, ES_IR_ADD_I, STORE, OWN, 0);
    es_ir_immediate(code, ES_IR_ADD_I, TEMP, ES_IR_ZERO, INSN_BYTE);
    es_ir_branch(code, ES_IR_IF_EQ, MORE, TEMP, found);
    es_ir_const(code, TEMP, INSN_HALF);
    es_ir_branch(code, ES_IR_IF_EQ, MORE, TEMP, half);
    es_ir_const(code, TEMP, INSN_AMO);
    es_ir_branch(code, ES_IR_IF_NE, MORE, TEMP, unknown);
    es_ir_here(code, word);
    es_ir_const(code, STORE, LANES);
    es_ir_jump(code, found);
    es_ir_here(code, half);
    es_ir_const(code, STORE, UPPER);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, OWN, LOWER);
    es_ir_branch(code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, found);
    es_ir_const(code, STORE, LOWER);
    es_ir_here(code, found);
}

/* Where several words lie over each other their code asks several times about one write. The low half of its time tells
 * it from others: two writes exactly 2^32 clocks apart, with none looked at in between, would be taken for one. */
static void answer_again(image_builder *b)
{
    es_ir_code *code = &b->code;
    unsigned other = es_ir_label(code);
    es_ir_load(code, ES_IR_LOAD, TEMP, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    load_cell(b, MORE, PLAN_STORE_TIME);
    store_cell(b, TEMP, PLAN_STORE_TIME);
    load_cell(b, ENDS, PLAN_STORE_ENDS);
    load_cell(b, BEGINS, PLAN_STORE_BEGINS);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, MORE, other);
    es_ir_return(code, ES_IR_T0, ES_IR_SET(ENDS) | ES_IR_SET(BEGINS));
    es_ir_here(code, other);
}

static void give_back(image_builder *b)
{
    if (b->plan.slot_count) {
        store_cell(b, ENDS, PLAN_STORE_ENDS);
        store_cell(b, BEGINS, PLAN_STORE_BEGINS);
    }
    es_ir_return(&b->code, ES_IR_T0, ES_IR_SET(ENDS) | ES_IR_SET(BEGINS));
}

static void write_routine(image_builder *b)
{
    es_ir_code *code = &b->code;
    unsigned unknown = es_ir_label(code), torn = es_ir_label(code), nothing = es_ir_label(code),
             further = es_ir_label(code), came = es_ir_label(code), alone = es_ir_label(code);
    if (b->plan.slot_count)
        answer_again(b);
    es_ir_load(code, ES_IR_LOAD, FLAGS, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
    es_ir_immediate(code, ES_IR_AND_I, OWN, FLAGS, LANES);
    find_store(b, unknown);
    /* MORE: lanes of the store below this write's */
    es_ir_value(code, ES_IR_SUB, MORE, ES_IR_ZERO, OWN);
    es_ir_value(code, ES_IR_AND, MORE, MORE, OWN);
    es_ir_immediate(code, ES_IR_ADD_I, MORE, MORE, -1);
    es_ir_value(code, ES_IR_AND, MORE, MORE, STORE);
    es_ir_branch(code, ES_IR_IF_NE, MORE, ES_IR_ZERO, further);
    es_ir_immediate(code, ES_IR_AND_I, FLAGS, FLAGS, ~LANES);
    es_ir_value(code, ES_IR_OR, FLAGS, FLAGS, STORE);
    store_cell(b, FLAGS, PLAN_STORE_FLAGS);
    es_ir_load(code, ES_IR_LOAD, MORE, ES_IR_HIT, (int32_t)ES_REG_HIT_OLD);
    store_cell(b, MORE, PLAN_STORE_OLD);
    load_cell(b, MORE, PLAN_STORE_CAME);
    es_ir_const(code, BEGINS, 1);
    es_ir_branch(code, ES_IR_IF_EQ, MORE, ES_IR_ZERO, alone);
    count(b, b->plan.incomplete); /* the store before has not ended */
    es_ir_here(code, alone);
    es_ir_const(code, MORE, 0);
    es_ir_jump(code, came);
    es_ir_here(code, further);
    load_cell(b, TEMP, PLAN_STORE_CAME);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, MORE, torn);
    es_ir_const(code, BEGINS, 0);
    es_ir_here(code, came);
    es_ir_value(code, ES_IR_OR, MORE, MORE, OWN);
    es_ir_value(code, ES_IR_XOR, STORE, STORE, MORE); /* what is still to come */
    es_ir_immediate(code, ES_IR_BELOW_I, ENDS, STORE, 1);
    unsigned goes_on = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_NE, STORE, ES_IR_ZERO, goes_on);
    es_ir_const(code, MORE, 0);
    es_ir_here(code, goes_on);
    store_cell(b, MORE, PLAN_STORE_CAME);
    give_back(b);
    es_ir_here(code, torn); /* no store of this instruction begins in the middle of its lanes */
    count(b, b->plan.incomplete);
    es_ir_jump(code, nothing);
    es_ir_here(code, unknown);
    count(b, b->plan.unknown);
    es_ir_here(code, nothing);
    es_ir_const(code, ENDS, 0);
    es_ir_const(code, BEGINS, 0);
    store_cell(b, ES_IR_ZERO, PLAN_STORE_CAME);
    give_back(b);
}

void es_narrow_reserve(image_builder *b)
{
    if (!b->plan.store)
        return;
    es_code_begin(b);
    write_routine(b);
    es_dump_title(b, "writes of a store on a narrow bus");
    b->plan.narrow_at = es_code_put(b);
}

void es_narrow_look(image_builder *b)
{
    es_routine_call_at(&b->code, ROUTINE_narrow, b->plan.narrow_at);
}
