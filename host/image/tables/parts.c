#include "image/tables/parts.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/tables/parts_inside.h"
#include "image/tables/parts_table.h"
#include "ir/ir.h"

bool es_parts_reserve(image_builder *b)
{
    bool any = false;
    for (size_t i = 0; i < b->plan.write_count; i++)
        any |= plan_in_parts(&b->plan.writes[i]) && !b->plan.writes[i].cover;
    if (!any)
        return true;
    if (!es_ir_fits(b->plan.tags))
        return es_fail(b->err, ES_USAGE,
                       "the statements are about %u variables of several bytes, 2,044 are possible: "
                       "watch fewer of them",
                       (unsigned)b->plan.tags);
    parts_map map = es_parts_table_write(b);
    es_code_begin(b);
    parts_routine r = {.b = b,
                       .code = &b->code,
                       .map = &map,
                       .event = es_ir_label(&b->code),
                       .torn = es_ir_label(&b->code),
                       .nothing = es_ir_label(&b->code)};
    uint32_t across = es_parts_write_routine(&r);
    es_dump_title(b, "writes in parts");
    b->plan.parts_at = es_code_put(b);
    b->plan.parts_across_at = es_ir_address(&b->code, across);
    es_code_begin(b);
    b->code.allowed = ES_IR_SET(ES_IR_T6);
    es_parts_write_keep(&b->code, es_codegen_store(&b->plan));
    es_dump_title(b, "writes in parts: what was there before the first");
    b->plan.parts_keep_at = es_code_put(b);
    return true;
}

/* --- its calls ---------------------------------------------------------------------------------------------------- */

/* Bits of a variable's bytes in one of its words. */
static uint32_t bits_of(const plan_write *write, unsigned word)
{
    int64_t from = (int64_t)(int32_t)((write->start & ~3u) - write->start) + 4 * (int64_t)word;
    uint32_t lanes = PARTS_ALL_LANES, all = (1u << write->bytes) - 1;
    return (from < 0 ? lanes >> -from : lanes << from) & all;
}

/* Keeps a word as it was before its first part; at the end of an assignment also those that it leaves as they were. */
static void keep_words(image_builder *b, const plan_write *write)
{
    es_ir_code *code = &b->code;
    unsigned here = (write->word - (write->start & ~3u)) / 4, done = es_ir_label(code), kept = es_ir_label(code);
    unsigned words = (write->start % 4 + write->bytes + 3) / 4;
    codegen_store store = es_codegen_store(&b->plan);
    es_ir_ram(&b->code, ES_IR_T5, write->first);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, BEFORE, (int32_t)bits_of(write, here));
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, kept);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, store.base, store.flags);
    es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, (int32_t)(8 * here));
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, store.base, store.old);
    es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, (int32_t)(8 * here + 4));
    es_ir_here(code, kept);
    es_ir_branch(code, ES_IR_IF_EQ, NOW, ES_IR_ZERO, done);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T4, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(code, ES_IR_T6, ES_PHANTOM_BASE - b->limits->window_base);
    es_ir_value(code, ES_IR_ADD, ES_IR_T4, ES_IR_T4, ES_IR_T6);
    for (unsigned word = 0; word < words; word++) {
        unsigned written = es_ir_label(code);
        if (word == here)
            continue;
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, BEFORE, (int32_t)bits_of(write, word));
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, written);
        es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_T4, 4 * ((int32_t)word - (int32_t)here));
        es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, (int32_t)(8 * word + 4));
        es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
        es_ir_immediate(code, ES_IR_XOR_I, ES_IR_T6, ES_IR_T6, 1);
        es_ir_immediate(code, ES_IR_SHL_I, ES_IR_T6, ES_IR_T6, 8);
        es_ir_store(code, ES_IR_STORE, ES_IR_T6, ES_IR_T5, (int32_t)(8 * word));
        es_ir_here(code, written);
    }
    es_ir_here(code, done);
}

_Static_assert(ES_HIT_OLD_KNOWN == 1u << 8, "what the words above become");

void es_parts_complete(image_builder *b, const plan_write *write)
{
    es_ir_code *code = &b->code;
    if (!write->bytes) {
        es_ir_const(code, ALL, (uint32_t)write->lanes << PARTS_FLAGS_LANE);
        es_ir_ram(&b->code, PENDING, write->pending);
        es_routine_call_at(code, ROUTINE_parts, b->plan.parts_at);
        if (write->first) {
            es_ir_ram(&b->code, ES_IR_T5, write->first);
            es_ir_const(code, ES_IR_T6, write->bit);
            es_routine_call_at(code, ROUTINE_parts_keep, b->plan.parts_keep_at);
        }
        return;
    }
    int32_t from = (int32_t)(write->word - write->start); /* the word's first byte, counted from the variable's */
    int up = from - PARTS_FLAGS_LANE;                     /* from lanes in HIT_FLAGS to the variable's bits */
    unsigned done = es_ir_label(code);
    codegen_store store = es_codegen_store(&b->plan);
    es_ir_load(code, ES_IR_LOAD, NOW, store.base, store.flags);
    es_ir_immediate(code, ES_IR_AND_I, NOW, NOW, write->lanes << PARTS_FLAGS_LANE);
    es_ir_branch(code, ES_IR_IF_EQ, NOW, ES_IR_ZERO, done); /* another variable's bytes */
    if (up)
        es_ir_immediate(code, up < 0 ? ES_IR_SHR_I : ES_IR_SHL_I, NOW, NOW, up < 0 ? -up : up);
    es_ir_ram(&b->code, PENDING, write->pending);
    es_ir_const(code, ALL, (1u << write->bytes) - 1);
    es_ir_const(code, UP, (uint32_t)(from + ES_PART_REACH));
    es_routine_call_at(code, ROUTINE_parts_across, b->plan.parts_across_at);
    if (write->first)
        keep_words(b, write);
    es_ir_here(code, done);
}
