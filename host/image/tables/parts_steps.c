/* What a store means that belongs to an assignment of several: it begins one, goes on with it, or ends it. */
#include "image/tables/parts_inside.h"

#include "image/tables/parts_table.h"

void es_parts_add_one(const parts_routine *r, uint32_t offset)
{
    es_ir_load(r->code, ES_IR_LOAD, TEMP, ES_IR_RAM_BASE, (int32_t)offset);
    es_ir_immediate(r->code, ES_IR_ADD_I, TEMP, TEMP, 1);
    es_ir_store(r->code, ES_IR_STORE, TEMP, ES_IR_RAM_BASE, (int32_t)offset);
}

void es_parts_keep(const parts_routine *r, unsigned bits)
{
    es_ir_store(r->code, ES_IR_STORE_BYTE, bits, PENDING, 0);
}

static void keep_tag(const parts_routine *r)
{
    es_ir_store(r->code, ES_IR_STORE_BYTE, TAG, PENDING, (int32_t)r->b->plan.tags);
}

/* A pending run that nothing goes on with is counted. BEFORE becomes 0. */
static void give_up_run(const parts_routine *r)
{
    unsigned none = es_ir_label(r->code);
    es_ir_branch(r->code, ES_IR_IF_EQ, BEFORE, ES_IR_ZERO, none);
    es_ir_immediate(r->code, ES_IR_AND_I, TEMP, TAG, TAG_RUN);
    es_ir_branch(r->code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, none);
    es_parts_add_one(r, r->b->plan.incomplete);
    if (r->b->plan.traps)
        es_ir_immediate(r->code, ES_IR_OR_I, TAG, TAG, TAG_CUT);
    es_ir_immediate(r->code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_here(r->code, none);
}

/* The assignment goes on, or it may be that it was this: that is counted, as its value is not shown. */
static void nothing_perhaps(const parts_routine *r)
{
    es_ir_immediate(r->code, ES_IR_ADD_I, TEMP, ES_IR_ZERO, PARTS_PERHAPS);
    es_ir_branch(r->code, ES_IR_IF_EQ, FLAGS, TEMP, r->torn);
    es_ir_jump(r->code, r->nothing);
}

/* The only store of an assignment: when it came in between the stores of another one, what is there is of both. */
static void alone(const parts_routine *r)
{
    es_ir_code *code = r->code;
    if (!r->b->plan.traps)
        give_up_run(r); /* else the loop may go on */
    es_ir_immediate(code, ES_IR_XOR_I, TEMP, NOW, -1);
    es_ir_value(code, ES_IR_AND, MORE, BEFORE, TEMP);
    if (r->b->plan.traps) {
        unsigned stays = es_ir_label(code);
        es_ir_immediate(code, ES_IR_ADD_I, SHIFT, MORE, 0);
        es_ir_branch(code, ES_IR_IF_EQ, BEFORE, ES_IR_ZERO, stays);
        es_ir_immediate(code, ES_IR_AND_I, TEMP, TAG, TAG_RUN);
        es_ir_branch(code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, stays);
        es_ir_immediate(code, ES_IR_ADD_I, SHIFT, ES_IR_ZERO, 0);
        es_ir_immediate(code, ES_IR_OR_I, TAG, TAG, TAG_CUT);
        es_ir_here(code, stays);
        es_parts_keep(r, SHIFT);
    } else {
        es_parts_keep(r, MORE);
    }
    keep_tag(r);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_branch(code, ES_IR_IF_NE, MORE, ES_IR_ZERO, r->torn);
    es_ir_jump(code, r->event);
}

/* A store in straight code: the first of several, one between, the last, or the only one. */
void es_parts_straight(const parts_routine *r)
{
    es_ir_code *code = r->code;
    unsigned goes_on = es_ir_label(code), first = es_ir_label(code), broken = es_ir_label(code),
             last = es_ir_label(code), counted = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_NE, EARLIER, ES_IR_ZERO, goes_on);
    es_ir_branch(code, ES_IR_IF_NE, LATER, ES_IR_ZERO, first);
    alone(r);
    es_ir_here(code, first);
    give_up_run(r);
    es_parts_keep(r, NOW);
    es_ir_immediate(code, ES_IR_AND_I, TAG, TAG, ~TAG_RUN);
    keep_tag(r);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    nothing_perhaps(r);
    es_ir_here(code, goes_on);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, TAG, TAG_RUN);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, broken);
    es_ir_immediate(code, ES_IR_XOR_I, TEMP, BEFORE, -1);
    es_ir_value(code, ES_IR_AND, TEMP, TEMP, EARLIER);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, broken);
    es_ir_branch(code, ES_IR_IF_EQ, LATER, ES_IR_ZERO, last);
    es_ir_value(code, ES_IR_OR, TEMP, BEFORE, NOW);
    es_parts_keep(r, TEMP);
    nothing_perhaps(r);
    es_ir_here(code, last);
    es_parts_keep(r, ES_IR_ZERO);
    es_ir_jump(code, r->event);
    es_ir_here(code, broken); /* what came before is not there any more */
    es_ir_immediate(code, ES_IR_XOR_I, TEMP, NOW, -1);
    es_ir_value(code, ES_IR_AND, TEMP, BEFORE, TEMP);
    es_parts_keep(r, TEMP);
    es_ir_branch(code, ES_IR_IF_EQ, LATER, ES_IR_ZERO, counted);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, counted);
    es_ir_jump(code, r->torn);
}

/* A round of a loop that goes from the variable's first byte to its last, or to where nobody knows. */
void es_parts_run(const parts_routine *r)
{
    es_ir_code *code = r->code;
    unsigned begins = es_ir_label(code), follows = es_ir_label(code), have = es_ir_label(code), end = es_ir_label(code);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, NOW, 1);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, begins);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, TAG, TAG_RUN);
    es_ir_branch(code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, follows);
    es_ir_immediate(code, ES_IR_SHL_I, TEMP, BEFORE, 1);
    es_ir_value(code, ES_IR_AND, TEMP, TEMP, NOW);
    es_ir_branch(code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, follows);
    es_ir_value(code, ES_IR_AND, TEMP, BEFORE, NOW);
    es_ir_branch(code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, have);
    es_ir_here(code, follows); /* in the middle: what it goes on with is not this */
    give_up_run(r);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_immediate(code, ES_IR_OR_I, TAG, TAG, TAG_RUN);
    es_ir_jump(code, have);
    es_ir_here(code, begins);
    give_up_run(r);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_immediate(code, ES_IR_OR_I, TAG, TAG, TAG_RUN);
    es_ir_here(code, have);
    es_ir_value(code, ES_IR_OR, MORE, BEFORE, NOW);
    es_ir_immediate(code, ES_IR_ADD_I, SHIFT, ALL, 1);
    es_ir_immediate(code, ES_IR_SHR_I, SHIFT, SHIFT, 1);
    es_ir_value(code, ES_IR_AND, SHIFT, SHIFT, MORE);
    es_ir_branch(code, ES_IR_IF_NE, SHIFT, ES_IR_ZERO, end);
    es_parts_keep(r, MORE);
    keep_tag(r);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, end);
    es_parts_keep(r, ES_IR_ZERO);
    es_ir_immediate(code, ES_IR_AND_I, TAG, TAG, ~TAG_RUN);
    keep_tag(r);
    es_ir_branch(code, ES_IR_IF_EQ, MORE, ALL, r->event);
    es_ir_immediate(code, ES_IR_AND_I, SHIFT, TAG,
                    TAG_CUT); /* in the middle begins what goes on after that, or something new */
    es_ir_immediate(code, ES_IR_AND_I, TAG, TAG, ~TAG_CUT);
    keep_tag(r);
    es_ir_branch(code, ES_IR_IF_NE, SHIFT, ES_IR_ZERO, r->torn);
    es_ir_immediate(code, ES_IR_AND_I, FLAGS, FLAGS, PARTS_RISING);
    es_ir_branch(code, ES_IR_IF_EQ, FLAGS, ES_IR_ZERO, r->torn);
    es_ir_jump(code, r->event);
}
