/* The routine that is run at each write of some of a variable's bytes: it finds the store's entry in the table, and
 * goes the way that this says. */
#include "image/tables/parts_inside.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/tables/layout.h"
#include "image/tables/parts_table.h"

/* FLAGS becomes the flags of the store's entry, at ENTRY; goes on at `none` when there is no entry. */
static void look_up(const parts_routine *r, unsigned none)
{
    es_ir_code *code = r->code;
    es_ir_load(code, ES_IR_LOAD, MORE, ES_IR_HIT, (int32_t)ES_REG_HIT_PC);
    es_ir_const(code, TEMP, r->map->first);
    es_ir_value(code, ES_IR_SUB, FLAGS, MORE, TEMP);
    es_ir_const(code, TEMP, r->map->size);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, FLAGS, TEMP, none);
    es_ir_immediate(code, ES_IR_SHR_I, FLAGS, FLAGS, (int32_t)r->map->step_bits);
    es_ir_immediate(code, ES_IR_AND_I, ENTRY, FLAGS, (int32_t)(1u << r->map->row_bits) - 1);
    es_ir_immediate(code, ES_IR_SHL_I, ENTRY, ENTRY, 1);
    es_ir_const(code, TEMP, r->map->rows_at);
    es_ir_value(code, ES_IR_ADD, ENTRY, ENTRY, TEMP);
    es_ir_load(code, ES_IR_LOAD_HALF, ENTRY, ENTRY, 0);
    es_ir_immediate(code, ES_IR_SHR_I, FLAGS, FLAGS, (int32_t)r->map->row_bits);
    es_ir_immediate(code, ES_IR_SHL_I, FLAGS, FLAGS, 1);
    es_ir_value(code, ES_IR_ADD, ENTRY, ENTRY, FLAGS);
    es_ir_load(code, ES_IR_LOAD_HALF, ENTRY, ENTRY, 0);
    es_ir_branch(code, ES_IR_IF_EQ, ENTRY, ES_IR_ZERO, none);
    es_ir_load(code, ES_IR_LOAD, FLAGS, ENTRY, 0);
    if (parts_shift(r->map))
        es_ir_immediate(code, ES_IR_SHL_I, MORE, MORE, (int32_t)parts_shift(r->map));
    es_ir_value(code, ES_IR_XOR, FLAGS, FLAGS, MORE);
    es_ir_const(code, TEMP, 1 << PARTS_FLAG_BITS);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, FLAGS, TEMP, none);
}

/* TEMP becomes the number of the lowest one of lanes as HIT_FLAGS has them. Takes SHIFT. */
static void find_lowest(es_ir_code *code, unsigned lanes_at)
{
    uint32_t lowest = 0; /* by lanes: two bits for the lowest one */
    for (unsigned lanes = 1; lanes <= PARTS_ALL_LANES; lanes++)
        lowest |= (uint32_t)(lanes & 1 ? 0 : lanes & 2 ? 1 : lanes & 4 ? 2 : 3) << 2 * lanes;
    es_ir_immediate(code, ES_IR_SHR_I, SHIFT, lanes_at, PARTS_FLAGS_LANE - 1);
    es_ir_immediate(code, ES_IR_AND_I, SHIFT, SHIFT, 2 * PARTS_ALL_LANES);
    es_ir_const(code, TEMP, lowest);
    es_ir_value(code, ES_IR_SHR, TEMP, TEMP, SHIFT);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, TEMP, 3);
}

/* SHIFT becomes what moves an entry's bits, which count from the store's first byte, to the variable's. */
static void find_shift(const parts_routine *r)
{
    codegen_store store = es_codegen_store(&r->b->plan);
    es_ir_load(r->code, ES_IR_LOAD, TEMP, store.base, store.flags);
    find_lowest(r->code, TEMP);
    es_ir_value(r->code, ES_IR_ADD, SHIFT, UP, TEMP);
}

/* LATER, EARLIER: of the variable's bytes, as one of the entry's words has them. */
static void load_masks(const parts_routine *r, size_t offset)
{
    es_ir_code *code = r->code;
    es_ir_load(code, ES_IR_LOAD_HALF, LATER, ENTRY, (int32_t)offset);
    es_ir_load(code, ES_IR_LOAD_HALF, EARLIER, ENTRY, (int32_t)offset + 2);
    const unsigned both[] = {LATER, EARLIER};
    for (size_t i = 0; i < 2; i++) {
        es_ir_value(code, ES_IR_SHL, both[i], both[i], SHIFT);
        es_ir_immediate(code, ES_IR_SHR_I, both[i], both[i], 2 * ES_PART_REACH);
        es_ir_value(code, ES_IR_AND, both[i], both[i], ALL);
    }
}

/* Where variables in one word begin: in t3 their lanes as HIT_FLAGS has them, and in t2 the pending byte. */
static void begin_in_word(const parts_routine *r, unsigned common)
{
    es_ir_code *code = r->code;
    int32_t tags = (int32_t)r->b->plan.tags;
    unsigned some = es_ir_label(code);
    codegen_store store = es_codegen_store(&r->b->plan);
    es_ir_load(code, ES_IR_LOAD, NOW, store.base, store.flags);
    es_ir_value(code, ES_IR_AND, NOW, NOW, ALL);
    es_ir_branch(code, ES_IR_IF_NE, NOW, ES_IR_ZERO, some);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 1); /* another variable's bytes: nothing is to be kept */
    es_ir_return(code, ES_IR_T0, RESULTS);
    es_ir_here(code, some);
    find_lowest(code, ALL);
    es_ir_immediate(code, ES_IR_ADD_I, UP, ES_IR_ZERO, ES_PART_REACH);
    es_ir_value(code, ES_IR_SUB, UP, UP, TEMP);
    es_ir_immediate(code, ES_IR_ADD_I, TEMP, TEMP, PARTS_FLAGS_LANE);
    es_ir_value(code, ES_IR_SHR, NOW, NOW, TEMP);
    es_ir_value(code, ES_IR_SHR, ALL, ALL, TEMP);
    es_ir_load(code, ES_IR_LOAD_BYTE, TEMP, PENDING, tags);
    es_ir_immediate(code, ES_IR_SHL_I, SHIFT, NOW, TAG_WRITTEN);
    es_ir_value(code, ES_IR_OR, TEMP, TEMP, SHIFT);
    es_ir_store(code, ES_IR_STORE_BYTE, TEMP, PENDING, tags);
    es_ir_immediate(code, ES_IR_ADD_I, IN_WORD, ES_IR_ZERO, 1);
    es_ir_jump(code, common);
}

/* A variable in one word is known when the word is, or when all of its own bytes were written. */
static void end_of_assignment(const parts_routine *r, unsigned whole)
{
    es_ir_code *code = r->code;
    unsigned done = es_ir_label(code);
    codegen_store store = es_codegen_store(&r->b->plan);
    es_ir_here(code, r->event);
    es_ir_branch(code, ES_IR_IF_EQ, IN_WORD, ES_IR_ZERO, done);
    es_ir_load(code, ES_IR_LOAD, TEMP, store.base, store.flags);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, TEMP, ES_HIT_OLD_KNOWN);
    es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, done);
    es_ir_load(code, ES_IR_LOAD_BYTE, TEMP, PENDING, (int32_t)r->b->plan.tags);
    es_ir_immediate(code, ES_IR_SHR_I, TEMP, TEMP, TAG_WRITTEN);
    es_ir_branch(code, ES_IR_IF_EQ, TEMP, ALL, done);
    es_parts_add_one(r, r->b->plan.unknown);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, whole);
    es_parts_keep(r, ES_IR_ZERO);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_here(code, done);
    es_ir_return(code, ES_IR_T0, RESULTS);
}

/* Returns the label where variables across words begin. */
uint32_t es_parts_write_routine(const parts_routine *r)
{
    es_ir_code *code = r->code;
    unsigned whole = es_ir_label(code), none = es_ir_label(code), decide = es_ir_label(code),
             in_run = es_ir_label(code);
    unsigned common = es_ir_label(code);
    begin_in_word(r, common);
    uint32_t across = es_ir_label(code);
    es_ir_entry(code, across);
    es_ir_immediate(code, ES_IR_ADD_I, IN_WORD, ES_IR_ZERO, 0);
    es_ir_here(code, common);
    es_ir_branch(code, ES_IR_IF_EQ, NOW, ALL, whole);
    if (r->map->blind) {
        es_ir_immediate(code, ES_IR_ADD_I, FLAGS, ES_IR_ZERO, 0);
    } else {
        look_up(r, none);
        find_shift(r);
        load_masks(r, PARTS_PRIMARY);
        es_ir_value(code, ES_IR_OR, TEMP, LATER, EARLIER);
        es_ir_value(code, ES_IR_OR, TEMP, TEMP, NOW);
        es_ir_branch(code, ES_IR_IF_EQ, TEMP, ALL, decide);
        es_ir_immediate(code, ES_IR_AND_I, TEMP, FLAGS, PARTS_RUN);
        es_ir_branch(code, ES_IR_IF_NE, TEMP, ES_IR_ZERO, in_run);
        load_masks(r, PARTS_SECONDARY);
        es_ir_jump(code, decide);
        es_ir_here(code, none);
        es_ir_immediate(code, ES_IR_ADD_I, LATER, ES_IR_ZERO, 0);
        es_ir_immediate(code, ES_IR_ADD_I, EARLIER, ES_IR_ZERO, 0);
        es_ir_here(code, decide);
        es_ir_load(code, ES_IR_LOAD_BYTE, BEFORE, PENDING, 0);
        es_ir_load(code, ES_IR_LOAD_BYTE, TAG, PENDING, (int32_t)r->b->plan.tags);
        es_parts_straight(r);
        es_ir_here(code, in_run);
    }
    es_ir_load(code, ES_IR_LOAD_BYTE, BEFORE, PENDING, 0);
    es_ir_load(code, ES_IR_LOAD_BYTE, TAG, PENDING, (int32_t)r->b->plan.tags);
    es_parts_run(r);
    es_ir_here(code, r->torn);
    es_parts_add_one(r, r->b->plan.incomplete);
    es_ir_here(code, r->nothing);
    es_ir_immediate(code, ES_IR_ADD_I, NOW, ES_IR_ZERO, 0);
    es_ir_return(code, ES_IR_T0, RESULTS);
    end_of_assignment(r, whole);
    return across;
}

/* What a variable in one word was before its first part: s11 tells whether it is to be looked for at t5. t6: its
 * bit. */
void es_parts_write_keep(es_ir_code *code, codegen_store store)
{
    unsigned first = es_ir_label(code), done = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_EQ, BEFORE, ES_IR_ZERO, first);
    es_ir_branch(code, ES_IR_IF_EQ, NOW, ES_IR_ZERO, done);
    es_ir_value(code, ES_IR_OR, ES_IR_PARTS, ES_IR_PARTS, ES_IR_T6);
    es_ir_here(code, done);
    es_ir_return(code, ES_IR_T0, RESULTS);
    es_ir_here(code, first);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, store.base, store.flags);
    es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, 0);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, store.base, store.old);
    es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, 4);
    es_ir_return(code, ES_IR_T0, RESULTS);
}
