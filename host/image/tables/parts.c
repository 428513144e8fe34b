#include "image/tables/parts.h"

#include <string.h>

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/tables/parts_table.h"
#include "ir/ir.h"

enum {
    FLAGS_LANE = ES_HIT_LANES_SHIFT,
    ALL_LANES = 15,
};

/* Of a variable's second byte: what it is that its pending byte tells of. */
enum {
    TAG_RUN = 1, /* rounds of a loop; else: stores of which another one is sure to follow */
    TAG_CUT = 2, /* ... and something else came in between: what goes on now may not have begun with what is there */
    /* of one in one word: bits of its bytes that were written since it exists, from here on. When all are, it is known,
     * whatever else is in the word */
    TAG_WRITTEN = 4,
};

/* What it gives back. */
#define RESULTS (ES_IR_SET(NOW) | ES_IR_SET(BEFORE))

/* Registers of the routine; those that it is handed where the variable lies across words. */
enum {
    NOW = ES_IR_T1,     /* in: bits of the variable's bytes that are written, not 0; out: not 0: an assignment ends */
    PENDING = ES_IR_T2, /* in: address of the pending byte */
    ALL = ES_IR_T3,     /* in: bits of all of the variable's bytes */
    TEMP = ES_IR_T4,
    FLAGS = ES_IR_T5,
    ENTRY = ES_IR_T6,
    IN_WORD = ES_IR_A0,    /* 1: the variable lies in one word, whose other bytes may never be known */
    UP = ES_IR_A0 + 1,     /* in: bytes from the variable's first one to the word, + ES_PART_REACH */
    BEFORE = ES_IR_A0 + 2, /* out: bits of bytes that were written before for the same assignment */
    MORE = ES_IR_A0 + 3,
    SHIFT = ES_IR_A0 + 4,
    LATER = ES_IR_A0 + 5,
    EARLIER = ES_IR_A0 + 6,
    TAG = ES_IR_A0 + 7,
};

/* --- the routine -------------------------------------------------------------------------------------------------- */

typedef struct routine {
    image_builder *b;
    es_ir_code *code;
    const parts_map *map;
    unsigned event, torn, nothing; /* labels: an assignment ends; it does, but its value is of no use; none ends */
} routine;

static void add_one(const routine *r, uint32_t offset)
{
    es_ir_load(r->code, ES_IR_LOAD, TEMP, ES_IR_RAM_BASE, (int32_t)offset);
    es_ir_immediate(r->code, ES_IR_ADD_I, TEMP, TEMP, 1);
    es_ir_store(r->code, ES_IR_STORE, TEMP, ES_IR_RAM_BASE, (int32_t)offset);
}

static void keep(const routine *r, unsigned bits)
{
    es_ir_store(r->code, ES_IR_STORE_BYTE, bits, PENDING, 0);
}

static void keep_tag(const routine *r)
{
    es_ir_store(r->code, ES_IR_STORE_BYTE, TAG, PENDING, (int32_t)r->b->plan.tags);
}

/* FLAGS becomes the flags of the store's entry, at ENTRY; goes on at `none` when there is no entry. */
static void look_up(const routine *r, unsigned none)
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
    for (unsigned lanes = 1; lanes <= ALL_LANES; lanes++)
        lowest |= (uint32_t)(lanes & 1 ? 0 : lanes & 2 ? 1 : lanes & 4 ? 2 : 3) << 2 * lanes;
    es_ir_immediate(code, ES_IR_SHR_I, SHIFT, lanes_at, FLAGS_LANE - 1);
    es_ir_immediate(code, ES_IR_AND_I, SHIFT, SHIFT, 2 * ALL_LANES);
    es_ir_const(code, TEMP, lowest);
    es_ir_value(code, ES_IR_SHR, TEMP, TEMP, SHIFT);
    es_ir_immediate(code, ES_IR_AND_I, TEMP, TEMP, 3);
}

/* SHIFT becomes what moves an entry's bits, which count from the store's first byte, to the variable's. */
static void find_shift(const routine *r)
{
    codegen_store store = es_codegen_store(&r->b->plan);
    es_ir_load(r->code, ES_IR_LOAD, TEMP, store.base, store.flags);
    find_lowest(r->code, TEMP);
    es_ir_value(r->code, ES_IR_ADD, SHIFT, UP, TEMP);
}

/* LATER, EARLIER: of the variable's bytes, as one of the entry's words has them. */
static void load_masks(const routine *r, size_t offset)
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
static void begin_in_word(const routine *r, unsigned common)
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
    es_ir_immediate(code, ES_IR_ADD_I, TEMP, TEMP, FLAGS_LANE);
    es_ir_value(code, ES_IR_SHR, NOW, NOW, TEMP);
    es_ir_value(code, ES_IR_SHR, ALL, ALL, TEMP);
    es_ir_load(code, ES_IR_LOAD_BYTE, TEMP, PENDING, tags);
    es_ir_immediate(code, ES_IR_SHL_I, SHIFT, NOW, TAG_WRITTEN);
    es_ir_value(code, ES_IR_OR, TEMP, TEMP, SHIFT);
    es_ir_store(code, ES_IR_STORE_BYTE, TEMP, PENDING, tags);
    es_ir_immediate(code, ES_IR_ADD_I, IN_WORD, ES_IR_ZERO, 1);
    es_ir_jump(code, common);
}

/* A pending run that nothing goes on with is counted. BEFORE becomes 0. */
static void give_up_run(const routine *r)
{
    unsigned none = es_ir_label(r->code);
    es_ir_branch(r->code, ES_IR_IF_EQ, BEFORE, ES_IR_ZERO, none);
    es_ir_immediate(r->code, ES_IR_AND_I, TEMP, TAG, TAG_RUN);
    es_ir_branch(r->code, ES_IR_IF_EQ, TEMP, ES_IR_ZERO, none);
    add_one(r, r->b->plan.incomplete);
    if (r->b->plan.traps)
        es_ir_immediate(r->code, ES_IR_OR_I, TAG, TAG, TAG_CUT);
    es_ir_immediate(r->code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_here(r->code, none);
}

/* The assignment goes on, or it may be that it was this: that is counted, as its value is not shown. */
static void nothing_perhaps(const routine *r)
{
    es_ir_immediate(r->code, ES_IR_ADD_I, TEMP, ES_IR_ZERO, PARTS_PERHAPS);
    es_ir_branch(r->code, ES_IR_IF_EQ, FLAGS, TEMP, r->torn);
    es_ir_jump(r->code, r->nothing);
}

/* A store in straight code: the first of several, one between, the last, or the only one. */
static void straight(const routine *r)
{
    es_ir_code *code = r->code;
    unsigned goes_on = es_ir_label(code), first = es_ir_label(code), broken = es_ir_label(code),
             last = es_ir_label(code), counted = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_NE, EARLIER, ES_IR_ZERO, goes_on);
    es_ir_branch(code, ES_IR_IF_NE, LATER, ES_IR_ZERO, first);
    /* the only one: when it came in between the stores of another assignment, what is there is of both */
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
        keep(r, SHIFT);
    } else {
        keep(r, MORE);
    }
    keep_tag(r);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_branch(code, ES_IR_IF_NE, MORE, ES_IR_ZERO, r->torn);
    es_ir_jump(code, r->event);
    es_ir_here(code, first);
    give_up_run(r);
    keep(r, NOW);
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
    keep(r, TEMP);
    nothing_perhaps(r);
    es_ir_here(code, last);
    keep(r, ES_IR_ZERO);
    es_ir_jump(code, r->event);
    es_ir_here(code, broken); /* what came before is not there any more */
    es_ir_immediate(code, ES_IR_XOR_I, TEMP, NOW, -1);
    es_ir_value(code, ES_IR_AND, TEMP, BEFORE, TEMP);
    keep(r, TEMP);
    es_ir_branch(code, ES_IR_IF_EQ, LATER, ES_IR_ZERO, counted);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, counted);
    es_ir_jump(code, r->torn);
}

/* A round of a loop that goes from the variable's first byte to its last, or to where nobody knows. */
static void run(const routine *r)
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
    keep(r, MORE);
    keep_tag(r);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, end);
    keep(r, ES_IR_ZERO);
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

/* A variable in one word is known when the word is, or when all of its own bytes were written. */
static void end_of_assignment(const routine *r, unsigned whole)
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
    add_one(r, r->b->plan.unknown);
    es_ir_jump(code, r->nothing);
    es_ir_here(code, whole);
    keep(r, ES_IR_ZERO);
    es_ir_immediate(code, ES_IR_ADD_I, BEFORE, ES_IR_ZERO, 0);
    es_ir_here(code, done);
    es_ir_return(code, ES_IR_T0, RESULTS);
}

/* What a variable in one word was before its first part: s11 tells whether it is to be looked for at t5. t6: its
 * bit. */
static void write_keep_word(es_ir_code *code, codegen_store store)
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

/* Returns the label where variables across words begin. */
static uint32_t write_routine(const routine *r)
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
        straight(r);
        es_ir_here(code, in_run);
    }
    es_ir_load(code, ES_IR_LOAD_BYTE, BEFORE, PENDING, 0);
    es_ir_load(code, ES_IR_LOAD_BYTE, TAG, PENDING, (int32_t)r->b->plan.tags);
    run(r);
    es_ir_here(code, r->torn);
    add_one(r, r->b->plan.incomplete);
    es_ir_here(code, r->nothing);
    es_ir_immediate(code, ES_IR_ADD_I, NOW, ES_IR_ZERO, 0);
    es_ir_return(code, ES_IR_T0, RESULTS);
    end_of_assignment(r, whole);
    return across;
}

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
    routine r = {.b = b,
                 .code = &b->code,
                 .map = &map,
                 .event = es_ir_label(&b->code),
                 .torn = es_ir_label(&b->code),
                 .nothing = es_ir_label(&b->code)};
    uint32_t across = write_routine(&r);
    es_dump_title(b, "writes in parts");
    b->plan.parts_at = es_code_put(b);
    b->plan.parts_across_at = es_ir_address(&b->code, across);
    es_code_begin(b);
    b->code.allowed = ES_IR_SET(ES_IR_T6);
    write_keep_word(&b->code, es_codegen_store(&b->plan));
    es_dump_title(b, "writes in parts: what was there before the first");
    b->plan.parts_keep_at = es_code_put(b);
    return true;
}

/* --- its calls ---------------------------------------------------------------------------------------------------- */

/* Bits of a variable's bytes in one of its words. */
static uint32_t bits_of(const plan_write *write, unsigned word)
{
    int64_t from = (int64_t)(int32_t)((write->start & ~3u) - write->start) + 4 * (int64_t)word;
    uint32_t lanes = ALL_LANES, all = (1u << write->bytes) - 1;
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
        es_ir_const(code, ALL, (uint32_t)write->lanes << FLAGS_LANE);
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
    int up = from - FLAGS_LANE;                           /* from lanes in HIT_FLAGS to the variable's bits */
    unsigned done = es_ir_label(code);
    codegen_store store = es_codegen_store(&b->plan);
    es_ir_load(code, ES_IR_LOAD, NOW, store.base, store.flags);
    es_ir_immediate(code, ES_IR_AND_I, NOW, NOW, write->lanes << FLAGS_LANE);
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
