#include "image/parts.h"

#include <string.h>

#include "image/codegen.h"
#include "image/map.h"
#include "image/parts_table.h"

enum {
    FLAGS_LANE = ES_HIT_LANES_SHIFT,
    ALL_LANES = 15,
};

/* Of a variable's second byte: what it is that its pending byte tells of. */
enum {
    TAG_RUN = 1,   /* rounds of a loop; else: stores of which another one is sure to follow */
    TAG_CUT = 2,   /* ... and something else came in between: what goes on now may not have begun with what is there */
    /* of one in one word: bits of its bytes that were written since it exists, from here on. When all are, it is known,
     * whatever else is in the word */
    TAG_WRITTEN = 4,
};

/* Registers of the routine; those that it is handed where the variable lies across words. */
enum {
    NOW = RV_T1,     /* in: bits of the variable's bytes that are written, not 0; out: not 0: an assignment ends */
    PENDING = RV_T2, /* in: address of the pending byte */
    ALL = RV_T3,     /* in: bits of all of the variable's bytes */
    TEMP = RV_T4,
    FLAGS = RV_T5,
    ENTRY = RV_T6,
    IN_WORD = RV_A0,      /* 1: the variable lies in one word, whose other bytes may never be known */
    UP = RV_A0 + 1,       /* in: bytes from the variable's first one to the word, + ES_PART_REACH */
    BEFORE = RV_A0 + 2,   /* out: bits of bytes that were written before for the same assignment */
    MORE = RV_A0 + 3,
    SHIFT = RV_A0 + 4,
    LATER = RV_A0 + 5,
    EARLIER = RV_A0 + 6,
    TAG = RV_A0 + 7,
};

static void address_ram(image_builder *b, unsigned rd, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(&b->code, &b->plan, offset, rd, &low);
    es_rv_i(&b->code, RV_ADDI, rd, base, low);
}

static void load_address(rv_code *code, unsigned rd, uint32_t address)
{
    es_rv_lui(code, rd, rv_high(address));
    es_rv_i(code, RV_ADDI, rd, rd, rv_low(address));
}

/* --- the routine -------------------------------------------------------------------------------------------------- */

typedef struct routine {
    image_builder *b;
    rv_code *code;
    const parts_map *map;
    unsigned event, torn, nothing; /* labels: an assignment ends; it does, but its value is of no use; none ends */
} routine;

static void add_one(const routine *r, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(r->code, &r->b->plan, offset, SHIFT, &low);
    es_rv_i(r->code, RV_LW, TEMP, base, low);
    es_rv_i(r->code, RV_ADDI, TEMP, TEMP, 1);
    es_rv_store(r->code, RV_SW, TEMP, base, low);
}

static void keep(const routine *r, unsigned bits)
{
    es_rv_store(r->code, RV_SB, bits, PENDING, 0);
}

static void keep_tag(const routine *r)
{
    es_rv_store(r->code, RV_SB, TAG, PENDING, (int32_t)r->b->plan.tags);
}

/* FLAGS becomes the flags of the store's entry, at ENTRY; goes on at `none` when there is no entry. */
static void look_up(const routine *r, unsigned none)
{
    rv_code *code = r->code;
    es_rv_i(code, RV_LW, MORE, RV_REGS, (int32_t)ES_REG_HIT_PC);
    load_address(code, TEMP, r->map->first);
    es_rv_r(code, RV_SUB, FLAGS, MORE, TEMP);
    load_address(code, TEMP, r->map->size);
    es_rv_branch(code, RV_BGEU, FLAGS, TEMP, none);
    es_rv_i(code, RV_SRLI, FLAGS, FLAGS, 2);
    es_rv_i(code, RV_ANDI, ENTRY, FLAGS, (int32_t)(1u << r->map->row_bits) - 1);
    es_rv_i(code, RV_SLLI, ENTRY, ENTRY, 1);
    load_address(code, TEMP, r->map->rows_at);
    es_rv_r(code, RV_ADD, ENTRY, ENTRY, TEMP);
    es_rv_i(code, RV_LHU, ENTRY, ENTRY, 0);
    es_rv_i(code, RV_SRLI, FLAGS, FLAGS, (int32_t)r->map->row_bits);
    es_rv_i(code, RV_SLLI, FLAGS, FLAGS, 1);
    es_rv_r(code, RV_ADD, ENTRY, ENTRY, FLAGS);
    es_rv_i(code, RV_LHU, ENTRY, ENTRY, 0);
    es_rv_branch(code, RV_BEQ, ENTRY, RV_ZERO, none);
    es_rv_i(code, RV_LW, FLAGS, ENTRY, 0);
    es_rv_r(code, RV_XOR, FLAGS, FLAGS, MORE);
    es_rv_li(code, TEMP, 4);
    es_rv_branch(code, RV_BGEU, FLAGS, TEMP, none);
}

/* TEMP becomes the number of the lowest one of lanes as HIT_FLAGS has them. Takes SHIFT. */
static void find_lowest(rv_code *code, unsigned lanes_at)
{
    uint32_t lowest = 0; /* by lanes: two bits for the lowest one */
    for (unsigned lanes = 1; lanes <= ALL_LANES; lanes++)
        lowest |= (uint32_t)(lanes & 1 ? 0 : lanes & 2 ? 1 : lanes & 4 ? 2 : 3) << 2 * lanes;
    es_rv_i(code, RV_SRLI, SHIFT, lanes_at, FLAGS_LANE - 1);
    es_rv_i(code, RV_ANDI, SHIFT, SHIFT, 2 * ALL_LANES);
    load_address(code, TEMP, lowest);
    es_rv_r(code, RV_SRL, TEMP, TEMP, SHIFT);
    es_rv_i(code, RV_ANDI, TEMP, TEMP, 3);
}

/* SHIFT becomes what moves an entry's bits, which count from the store's first byte, to the variable's. */
static void find_shift(const routine *r)
{
    es_rv_i(r->code, RV_LW, TEMP, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    find_lowest(r->code, TEMP);
    es_rv_r(r->code, RV_ADD, SHIFT, UP, TEMP);
}

/* LATER, EARLIER: of the variable's bytes, as one of the entry's words has them. */
static void load_masks(const routine *r, size_t offset)
{
    rv_code *code = r->code;
    es_rv_i(code, RV_LHU, LATER, ENTRY, (int32_t)offset);
    es_rv_i(code, RV_LHU, EARLIER, ENTRY, (int32_t)offset + 2);
    const unsigned both[] = {LATER, EARLIER};
    for (size_t i = 0; i < 2; i++) {
        es_rv_r(code, RV_SLL, both[i], both[i], SHIFT);
        es_rv_i(code, RV_SRLI, both[i], both[i], 2 * ES_PART_REACH);
        es_rv_r(code, RV_AND, both[i], both[i], ALL);
    }
}

/* Where variables in one word begin: in t3 their lanes as HIT_FLAGS has them, and in t2 the pending byte. */
static void begin_in_word(rv_code *code, int32_t tags, unsigned common)
{
    unsigned some = es_rv_label(code);
    es_rv_i(code, RV_LW, NOW, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_r(code, RV_AND, NOW, NOW, ALL);
    es_rv_branch(code, RV_BNE, NOW, RV_ZERO, some);
    es_rv_return(code, RV_T0); /* another variable's bytes */
    es_rv_place(code, some);
    find_lowest(code, ALL);
    es_rv_i(code, RV_ADDI, UP, RV_ZERO, ES_PART_REACH);
    es_rv_r(code, RV_SUB, UP, UP, TEMP);
    es_rv_i(code, RV_ADDI, TEMP, TEMP, FLAGS_LANE);
    es_rv_r(code, RV_SRL, NOW, NOW, TEMP);
    es_rv_r(code, RV_SRL, ALL, ALL, TEMP);
    es_rv_i(code, RV_LBU, TEMP, PENDING, tags);
    es_rv_i(code, RV_SLLI, SHIFT, NOW, TAG_WRITTEN);
    es_rv_r(code, RV_OR, TEMP, TEMP, SHIFT);
    es_rv_store(code, RV_SB, TEMP, PENDING, tags);
    es_rv_i(code, RV_ADDI, IN_WORD, RV_ZERO, 1);
    es_rv_jump(code, common);
}

/* A pending run that nothing goes on with is counted. BEFORE becomes 0. */
static void give_up_run(const routine *r)
{
    unsigned none = es_rv_label(r->code);
    es_rv_branch(r->code, RV_BEQ, BEFORE, RV_ZERO, none);
    es_rv_i(r->code, RV_ANDI, TEMP, TAG, TAG_RUN);
    es_rv_branch(r->code, RV_BEQ, TEMP, RV_ZERO, none);
    add_one(r, r->b->plan.incomplete);
    if (r->b->plan.traps)
        es_rv_i(r->code, RV_ORI, TAG, TAG, TAG_CUT);
    es_rv_i(r->code, RV_ADDI, BEFORE, RV_ZERO, 0);
    es_rv_place(r->code, none);
}

/* The assignment goes on, or it may be that it was this: that is counted, as its value is not shown. */
static void nothing_perhaps(const routine *r)
{
    es_rv_i(r->code, RV_ADDI, TEMP, RV_ZERO, PARTS_PERHAPS);
    es_rv_branch(r->code, RV_BEQ, FLAGS, TEMP, r->torn);
    es_rv_jump(r->code, r->nothing);
}

/* A store in straight code: the first of several, one between, the last, or the only one. */
static void straight(const routine *r)
{
    rv_code *code = r->code;
    unsigned goes_on = es_rv_label(code), first = es_rv_label(code), broken = es_rv_label(code), last = es_rv_label(code),
             counted = es_rv_label(code);
    es_rv_branch(code, RV_BNE, EARLIER, RV_ZERO, goes_on);
    es_rv_branch(code, RV_BNE, LATER, RV_ZERO, first);
    /* the only one: when it came in between the stores of another assignment, what is there is of both */
    if (!r->b->plan.traps)
        give_up_run(r); /* else the loop may go on */
    es_rv_i(code, RV_XORI, TEMP, NOW, -1);
    es_rv_r(code, RV_AND, MORE, BEFORE, TEMP);
    if (r->b->plan.traps) {
        unsigned stays = es_rv_label(code);
        es_rv_i(code, RV_ADDI, SHIFT, MORE, 0);
        es_rv_branch(code, RV_BEQ, BEFORE, RV_ZERO, stays);
        es_rv_i(code, RV_ANDI, TEMP, TAG, TAG_RUN);
        es_rv_branch(code, RV_BEQ, TEMP, RV_ZERO, stays);
        es_rv_i(code, RV_ADDI, SHIFT, RV_ZERO, 0);
        es_rv_i(code, RV_ORI, TAG, TAG, TAG_CUT);
        es_rv_place(code, stays);
        keep(r, SHIFT);
    } else {
        keep(r, MORE);
    }
    keep_tag(r);
    es_rv_i(code, RV_ADDI, BEFORE, RV_ZERO, 0);
    es_rv_branch(code, RV_BNE, MORE, RV_ZERO, r->torn);
    es_rv_jump(code, r->event);
    es_rv_place(code, first);
    give_up_run(r);
    keep(r, NOW);
    es_rv_i(code, RV_ANDI, TAG, TAG, ~TAG_RUN);
    keep_tag(r);
    es_rv_i(code, RV_ADDI, BEFORE, RV_ZERO, 0);
    nothing_perhaps(r);
    es_rv_place(code, goes_on);
    es_rv_i(code, RV_ANDI, TEMP, TAG, TAG_RUN);
    es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, broken);
    es_rv_i(code, RV_XORI, TEMP, BEFORE, -1);
    es_rv_r(code, RV_AND, TEMP, TEMP, EARLIER);
    es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, broken);
    es_rv_branch(code, RV_BEQ, LATER, RV_ZERO, last);
    es_rv_r(code, RV_OR, TEMP, BEFORE, NOW);
    keep(r, TEMP);
    nothing_perhaps(r);
    es_rv_place(code, last);
    keep(r, RV_ZERO);
    es_rv_jump(code, r->event);
    es_rv_place(code, broken); /* what came before is not there any more */
    es_rv_i(code, RV_XORI, TEMP, NOW, -1);
    es_rv_r(code, RV_AND, TEMP, BEFORE, TEMP);
    keep(r, TEMP);
    es_rv_branch(code, RV_BEQ, LATER, RV_ZERO, counted);
    es_rv_jump(code, r->nothing);
    es_rv_place(code, counted);
    es_rv_jump(code, r->torn);
}

/* A round of a loop that goes from the variable's first byte to its last, or to where nobody knows. */
static void run(const routine *r)
{
    rv_code *code = r->code;
    unsigned begins = es_rv_label(code), follows = es_rv_label(code), have = es_rv_label(code), end = es_rv_label(code);
    es_rv_i(code, RV_ANDI, TEMP, NOW, 1);
    es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, begins);
    es_rv_i(code, RV_ANDI, TEMP, TAG, TAG_RUN);
    es_rv_branch(code, RV_BEQ, TEMP, RV_ZERO, follows);
    es_rv_i(code, RV_SLLI, TEMP, BEFORE, 1);
    es_rv_r(code, RV_AND, TEMP, TEMP, NOW);
    es_rv_branch(code, RV_BEQ, TEMP, RV_ZERO, follows);
    es_rv_r(code, RV_AND, TEMP, BEFORE, NOW);
    es_rv_branch(code, RV_BEQ, TEMP, RV_ZERO, have);
    es_rv_place(code, follows); /* in the middle: what it goes on with is not this */
    give_up_run(r);
    es_rv_i(code, RV_ADDI, BEFORE, RV_ZERO, 0);
    es_rv_i(code, RV_ORI, TAG, TAG, TAG_RUN);
    es_rv_jump(code, have);
    es_rv_place(code, begins);
    give_up_run(r);
    es_rv_i(code, RV_ADDI, BEFORE, RV_ZERO, 0);
    es_rv_i(code, RV_ORI, TAG, TAG, TAG_RUN);
    es_rv_place(code, have);
    es_rv_r(code, RV_OR, MORE, BEFORE, NOW);
    es_rv_i(code, RV_ADDI, SHIFT, ALL, 1);
    es_rv_i(code, RV_SRLI, SHIFT, SHIFT, 1);
    es_rv_r(code, RV_AND, SHIFT, SHIFT, MORE);
    es_rv_branch(code, RV_BNE, SHIFT, RV_ZERO, end);
    keep(r, MORE);
    keep_tag(r);
    es_rv_jump(code, r->nothing);
    es_rv_place(code, end);
    keep(r, RV_ZERO);
    es_rv_i(code, RV_ANDI, TAG, TAG, ~TAG_RUN);
    keep_tag(r);
    es_rv_branch(code, RV_BEQ, MORE, ALL, r->event);
    es_rv_i(code, RV_ANDI, SHIFT, TAG, TAG_CUT); /* in the middle begins what goes on after that, or something new */
    es_rv_i(code, RV_ANDI, TAG, TAG, ~TAG_CUT);
    keep_tag(r);
    es_rv_branch(code, RV_BNE, SHIFT, RV_ZERO, r->torn);
    es_rv_i(code, RV_ANDI, FLAGS, FLAGS, PARTS_RISING);
    es_rv_branch(code, RV_BEQ, FLAGS, RV_ZERO, r->torn);
    es_rv_jump(code, r->event);
}

/* A variable in one word is known when the word is, or when all of its own bytes were written. */
static void end_of_assignment(const routine *r, unsigned whole)
{
    rv_code *code = r->code;
    unsigned done = es_rv_label(code);
    es_rv_place(code, r->event);
    es_rv_branch(code, RV_BEQ, IN_WORD, RV_ZERO, done);
    es_rv_i(code, RV_LW, TEMP, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_i(code, RV_ANDI, TEMP, TEMP, ES_HIT_OLD_KNOWN);
    es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, done);
    es_rv_i(code, RV_LBU, TEMP, PENDING, (int32_t)r->b->plan.tags);
    es_rv_i(code, RV_SRLI, TEMP, TEMP, TAG_WRITTEN);
    es_rv_branch(code, RV_BEQ, TEMP, ALL, done);
    add_one(r, r->b->plan.unknown);
    es_rv_jump(code, r->nothing);
    es_rv_place(code, whole);
    keep(r, RV_ZERO);
    es_rv_i(code, RV_ADDI, BEFORE, RV_ZERO, 0);
    es_rv_place(code, done);
    es_rv_return(code, RV_T0);
}

/* What a variable in one word was before its first part: s11 tells whether it is to be looked for at t5. t6: its bit. */
static void write_keep_word(rv_code *code)
{
    unsigned first = es_rv_label(code), done = es_rv_label(code);
    es_rv_branch(code, RV_BEQ, BEFORE, RV_ZERO, first);
    es_rv_branch(code, RV_BEQ, NOW, RV_ZERO, done);
    es_rv_r(code, RV_OR, RV_PARTS, RV_PARTS, RV_T6);
    es_rv_place(code, done);
    es_rv_return(code, RV_T0);
    es_rv_place(code, first);
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_store(code, RV_SW, RV_T6, RV_T5, 0);
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_OLD);
    es_rv_store(code, RV_SW, RV_T6, RV_T5, 4);
    es_rv_return(code, RV_T0);
}

/* On a bus narrower than the store it is several writes, which go upwards: goes on at `narrow` with FLAGS 0. What the
 * instruction is was fetched just before, where phantom memory has the program's code. */
static void find_narrow(const routine *r, unsigned narrow)
{
    const es_probe_limits *limits = r->b->limits;
    rv_code *code = r->code;
    unsigned no = es_rv_label(code);
    es_rv_i(code, RV_LW, SHIFT, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_i(code, RV_ANDI, SHIFT, SHIFT, ALL_LANES << FLAGS_LANE);
    es_rv_i(code, RV_ADDI, TEMP, RV_ZERO, ALL_LANES << FLAGS_LANE);
    es_rv_branch(code, RV_BEQ, SHIFT, TEMP, no);
    es_rv_i(code, RV_LW, MORE, RV_REGS, (int32_t)ES_REG_HIT_PC);
    es_rv_i(code, RV_ANDI, MORE, MORE, -4);
    load_address(code, TEMP, limits->window_base);
    es_rv_r(code, RV_SUB, MORE, MORE, TEMP);
    load_address(code, TEMP, limits->window_size);
    es_rv_branch(code, RV_BGEU, MORE, TEMP, no);
    load_address(code, TEMP, ES_PHANTOM_BASE);
    es_rv_r(code, RV_ADD, MORE, MORE, TEMP);
    es_rv_i(code, RV_LW, MORE, MORE, 0);
    es_rv_i(code, RV_LW, TEMP, RV_REGS, (int32_t)ES_REG_UNKNOWN);
    es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, no);
    load_address(code, TEMP, 0x707F);
    es_rv_r(code, RV_AND, MORE, MORE, TEMP);
    es_rv_i(code, RV_ADDI, FLAGS, RV_ZERO, 0);
    load_address(code, TEMP, 0x2023); /* sw */
    es_rv_branch(code, RV_BEQ, MORE, TEMP, narrow);
    load_address(code, TEMP, 0x1023); /* sh */
    es_rv_branch(code, RV_BNE, MORE, TEMP, no);
    es_rv_i(code, RV_ADDI, TEMP, SHIFT, -(1 << FLAGS_LANE));
    es_rv_r(code, RV_AND, TEMP, TEMP, SHIFT);
    es_rv_branch(code, RV_BEQ, TEMP, RV_ZERO, narrow); /* one lane */
    es_rv_place(code, no);
}

/* Returns how many bytes from its beginning variables across words begin. */
static uint32_t write_routine(const routine *r)
{
    rv_code *code = r->code;
    unsigned whole = es_rv_label(code), none = es_rv_label(code), decide = es_rv_label(code), in_run = es_rv_label(code);
    unsigned common = es_rv_label(code);
    begin_in_word(code, (int32_t)r->b->plan.tags, common);
    uint32_t across = 4 * (uint32_t)code->count;
    es_rv_i(code, RV_ADDI, IN_WORD, RV_ZERO, 0);
    es_rv_place(code, common);
    es_rv_branch(code, RV_BEQ, NOW, ALL, whole);
    if (r->map->blind) {
        es_rv_i(code, RV_ADDI, FLAGS, RV_ZERO, 0);
    } else {
        find_narrow(r, in_run);
        look_up(r, none);
        find_shift(r);
        load_masks(r, PARTS_PRIMARY);
        es_rv_r(code, RV_OR, TEMP, LATER, EARLIER);
        es_rv_r(code, RV_OR, TEMP, TEMP, NOW);
        es_rv_branch(code, RV_BEQ, TEMP, ALL, decide);
        es_rv_i(code, RV_ANDI, TEMP, FLAGS, PARTS_RUN);
        es_rv_branch(code, RV_BNE, TEMP, RV_ZERO, in_run);
        load_masks(r, PARTS_SECONDARY);
        es_rv_jump(code, decide);
        es_rv_place(code, none);
        es_rv_i(code, RV_ADDI, LATER, RV_ZERO, 0);
        es_rv_i(code, RV_ADDI, EARLIER, RV_ZERO, 0);
        es_rv_place(code, decide);
        es_rv_i(code, RV_LBU, BEFORE, PENDING, 0);
        es_rv_i(code, RV_LBU, TAG, PENDING, (int32_t)r->b->plan.tags);
        straight(r);
        es_rv_place(code, in_run);
    }
    es_rv_i(code, RV_LBU, BEFORE, PENDING, 0);
    es_rv_i(code, RV_LBU, TAG, PENDING, (int32_t)r->b->plan.tags);
    run(r);
    es_rv_place(code, r->torn);
    add_one(r, r->b->plan.incomplete);
    es_rv_place(code, r->nothing);
    es_rv_i(code, RV_ADDI, NOW, RV_ZERO, 0);
    es_rv_return(code, RV_T0);
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
    if (!rv_fits(b->plan.tags))
        return es_fail(b->err, ES_USAGE, "the statements are about %u variables of several bytes, 2,044 are possible: "
                       "watch fewer of them", (unsigned)b->plan.tags);
    parts_map map = es_parts_table_write(b);
    b->code.base = ES_IMAGE_BASE + (uint32_t)b->size;
    es_rv_reset(&b->code);
    routine r = {.b = b, .code = &b->code, .map = &map, .event = es_rv_label(&b->code), .torn = es_rv_label(&b->code),
                 .nothing = es_rv_label(&b->code)};
    uint32_t across = write_routine(&r);
    uint32_t keep_word = 4 * (uint32_t)b->code.count;
    write_keep_word(&b->code);
    es_rv_finish(&b->code);
    b->plan.parts_at = es_layout_put(b, b->code.words, b->code.count * 4);
    b->plan.parts_across_at = b->plan.parts_at + across;
    b->plan.parts_keep_at = b->plan.parts_at + keep_word;
    return true;
}

/* --- its calls ------------------------------------------------------------------------------------------------------ */

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
    rv_code *code = &b->code;
    unsigned here = (write->word - (write->start & ~3u)) / 4, done = es_rv_label(code), kept = es_rv_label(code);
    unsigned words = (write->start % 4 + write->bytes + 3) / 4;
    address_ram(b, RV_T5, write->first);
    es_rv_i(code, RV_ANDI, RV_T6, BEFORE, (int32_t)bits_of(write, here));
    es_rv_branch(code, RV_BNE, RV_T6, RV_ZERO, kept);
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_store(code, RV_SW, RV_T6, RV_T5, (int32_t)(8 * here));
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_OLD);
    es_rv_store(code, RV_SW, RV_T6, RV_T5, (int32_t)(8 * here + 4));
    es_rv_place(code, kept);
    es_rv_branch(code, RV_BEQ, NOW, RV_ZERO, done);
    es_rv_i(code, RV_LW, RV_T4, RV_REGS, (int32_t)ES_REG_HIT_ADDR);
    es_rv_li(code, RV_T6, ES_PHANTOM_BASE - b->limits->window_base);
    es_rv_r(code, RV_ADD, RV_T4, RV_T4, RV_T6);
    for (unsigned word = 0; word < words; word++) {
        unsigned written = es_rv_label(code);
        if (word == here)
            continue;
        es_rv_i(code, RV_ANDI, RV_T6, BEFORE, (int32_t)bits_of(write, word));
        es_rv_branch(code, RV_BNE, RV_T6, RV_ZERO, written);
        es_rv_i(code, RV_LW, RV_T6, RV_T4, 4 * ((int32_t)word - (int32_t)here));
        es_rv_store(code, RV_SW, RV_T6, RV_T5, (int32_t)(8 * word + 4));
        es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_UNKNOWN);
        es_rv_i(code, RV_XORI, RV_T6, RV_T6, 1);
        es_rv_i(code, RV_SLLI, RV_T6, RV_T6, 8);
        es_rv_store(code, RV_SW, RV_T6, RV_T5, (int32_t)(8 * word));
        es_rv_place(code, written);
    }
    es_rv_place(code, done);
}
_Static_assert(ES_HIT_OLD_KNOWN == 1u << 8, "what the words above become");

void es_parts_complete(image_builder *b, const plan_write *write)
{
    rv_code *code = &b->code;
    if (!write->bytes) {
        es_rv_li(code, ALL, (uint32_t)write->lanes << FLAGS_LANE);
        address_ram(b, PENDING, write->pending);
        es_rv_call(code, RV_T0, b->plan.parts_at);
        if (write->first) {
            address_ram(b, RV_T5, write->first);
            es_rv_li(code, RV_T6, write->bit);
            es_rv_call(code, RV_T0, b->plan.parts_keep_at);
        }
        return;
    }
    int32_t from = (int32_t)(write->word - write->start); /* the word's first byte, counted from the variable's */
    int up = from - FLAGS_LANE;                           /* from lanes in HIT_FLAGS to the variable's bits */
    unsigned done = es_rv_label(code);
    es_rv_i(code, RV_LW, NOW, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_i(code, RV_ANDI, NOW, NOW, write->lanes << FLAGS_LANE);
    es_rv_branch(code, RV_BEQ, NOW, RV_ZERO, done); /* another variable's bytes */
    if (up)
        es_rv_i(code, up < 0 ? RV_SRLI : RV_SLLI, NOW, NOW, up < 0 ? -up : up);
    address_ram(b, PENDING, write->pending);
    es_rv_li(code, ALL, (1u << write->bytes) - 1);
    es_rv_li(code, UP, (uint32_t)(from + ES_PART_REACH));
    es_rv_call(code, RV_T0, b->plan.parts_across_at);
    if (write->first)
        keep_words(b, write);
    es_rv_place(code, done);
}
