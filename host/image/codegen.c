#include "image/codegen.h"

#include "image/deadline.h"
#include "image/element.h"
#include "image/holds.h"
#include "image/pointers.h"
#include "image/written.h"

#include <string.h>

/* Registers for values, used as a stack. a0 holds the event bits, t6 is for addresses. The last ones are what the
 * firmware's routines for arithmetic take and what larger pieces of code need besides. */
static const uint8_t pool[CODEGEN_REGISTERS] = {11, 12, 13, 14, 15, 16, 17, 29, 30, 5, 6, 7, 28};

#define OLD_KNOWN_BYTE 1 /* of HIT_FLAGS: holds ES_HIT_OLD_KNOWN */
_Static_assert(ES_HIT_OLD_KNOWN == 0x100, "the flag is bit 0 of the flags' second byte");

unsigned es_codegen_register(generator *g, unsigned depth)
{
    if (depth >= (g->large ? CODEGEN_REGISTERS_LARGE : CODEGEN_REGISTERS)) {
        g->no_register = true;
        return pool[0];
    }
    return pool[depth];
}

unsigned es_codegen_ram(rv_code *code, const image_plan *plan, uint32_t offset, unsigned rd, int32_t *low)
{
    uint32_t from_tp = offset - ES_MI_RAM_POINTER;
    if (rv_fits(from_tp)) {
        *low = (int32_t)from_tp;
        return RV_TP;
    }
    uint32_t address = plan->ram_at + offset;
    es_rv_lui(code, rd, rv_high(address));
    *low = rv_low(address);
    return rd;
}

/* --- values of references -------------------------------------------------------------------------------- */

bool es_codegen_is_signed(const es_type *type)
{
    return (type->kind == ES_TYPE_INT || type->kind == ES_TYPE_CHAR || type->kind == ES_TYPE_ENUM) && type->is_signed;
}

static void load_scalar(generator *g, const es_reference *reference, unsigned rd, unsigned base, int32_t offset)
{
    bool sign = es_codegen_is_signed(reference->type) && reference->bit_size == 0;
    enum rv_op op = reference->size == 4 ? RV_LW : reference->size == 2 ? (sign ? RV_LH : RV_LHU) :
        (sign ? RV_LB : RV_LBU);
    es_rv_i(g->code, op, rd, base, offset);
    if (reference->bit_size) {
        int up = 32 - reference->bit_offset - reference->bit_size;
        if (up)
            es_rv_i(g->code, RV_SLLI, rd, rd, up);
        if (reference->bit_size < 32)
            es_rv_i(g->code, es_codegen_is_signed(reference->type) ? RV_SRAI : RV_SRLI, rd, rd, 32 - reference->bit_size);
    }
}

void es_codegen_cell(generator *g, const es_procedure *procedure, unsigned rd)
{
    int32_t low;
    unsigned base = es_codegen_ram(g->code, g->plan, es_plan_frame_of(g->plan, procedure)->cell, rd, &low);
    es_rv_i(g->code, RV_LW, rd, base, low);
}

/* Word number `word` of phantom memory, from the one that the value begins in. */
static void load_word(generator *g, const es_reference *reference, unsigned word, unsigned rd)
{
    uint32_t offset = plan_first_word(reference) + 4 * word;
    if (reference->subscript_count) {
        es_element_load(g, (size_t)(reference - g->statement->statement->references), rd);
        es_rv_i(g->code, RV_LW, rd, rd, (int32_t)(offset - reference->address));
        return;
    }
    if (!reference->frame && !reference->via) {
        offset += ES_PHANTOM_BASE - g->limits->window_base;
        es_rv_lui(g->code, rd, rv_high(offset));
    } else {
        es_pointers_base(g, reference, rd);
        es_written_check(g, reference, word, rd);
        if (!rv_fits(offset)) {
            es_rv_lui(g->code, RV_T6, rv_high(offset));
            es_rv_r(g->code, RV_ADD, rd, rd, RV_T6);
            offset = (uint32_t)rv_low(offset);
        }
    }
    es_rv_i(g->code, RV_LW, rd, rd, rv_low(offset));
}

/* A value across words, or of 64 bits: its words as of before the event (from where their first parts were kept) or
 * now. */
static void load_large(generator *g, const es_reference *reference, bool old, unsigned rd, unsigned high)
{
    size_t pointer = reference->via ? g->statement->pointers[reference - g->statement->statement->references] : 0;
    const plan_write *first = old ? es_plan_first_part(g->plan, reference, pointer) : NULL;
    unsigned start = plan_first_bit(reference), bits = plan_bits(reference), last = (start + bits - 1) / 32;
    bool sign = es_codegen_is_signed(reference->type);
    g->reads = g->reads || !old;
    for (unsigned word = 0; word <= last; word++) {
        unsigned to = word == 0 ? rd : word == 1 && bits > 32 ? high : RV_T3;
        if (old) {
            int32_t low;
            unsigned base = es_codegen_ram(g->code, g->plan, first->first + 8 * word, RV_T6, &low);
            if (g->checks_old) {
                es_rv_i(g->code, RV_LBU, RV_T0, base, low + OLD_KNOWN_BYTE);
                es_rv_i(g->code, RV_ANDI, RV_T0, RV_T0, 1);
                es_rv_branch(g->code, RV_BEQ, RV_T0, RV_ZERO, g->unknown);
            }
            es_rv_i(g->code, RV_LW, to, base, low + 4);
        } else {
            load_word(g, reference, word, to);
        }
        if (start && word) { /* the lower word takes the upper one's lowest bits */
            es_rv_i(g->code, RV_SLLI, RV_T6, to, (int32_t)(32 - start));
            es_rv_r(g->code, RV_OR, word == 1 ? rd : high, word == 1 ? rd : high, RV_T6);
        }
        if (start && (word == 0 || (word == 1 && bits > 32)))
            es_rv_i(g->code, RV_SRLI, to, to, (int32_t)start);
    }
    unsigned top = bits > 32 ? high : rd, up = (32 - bits % 32) % 32;
    if (up) {
        es_rv_i(g->code, RV_SLLI, top, top, (int32_t)up);
        es_rv_i(g->code, sign ? RV_SRAI : RV_SRLI, top, top, (int32_t)up);
    }
}

/* The scalar at its offset from what rd holds. */
static void load_from(generator *g, const es_reference *reference, unsigned rd)
{
    g->reads = true;
    if (rv_fits(reference->address)) {
        load_scalar(g, reference, rd, rd, (int32_t)reference->address);
        return;
    }
    es_rv_lui(g->code, RV_T6, rv_high(reference->address));
    es_rv_r(g->code, RV_ADD, rd, rd, RV_T6);
    load_scalar(g, reference, rd, rd, rv_low(reference->address));
}

static void load_phantom(generator *g, const es_reference *reference, unsigned rd)
{
    g->reads = true;
    if (reference->subscript_count) {
        es_element_load(g, (size_t)(reference - g->statement->statement->references), rd);
        load_scalar(g, reference, rd, rd, 0);
        return;
    }
    if (!reference->frame && !reference->via) {
        uint32_t address = ES_PHANTOM_BASE + (reference->address - g->limits->window_base);
        es_rv_lui(g->code, rd, rv_high(address));
        load_scalar(g, reference, rd, rd, rv_low(address));
        return;
    }
    es_pointers_base(g, reference, rd);
    es_written_check(g, reference, 0, rd);
    load_from(g, reference, rd);
}

static void load_new(generator *g, const es_reference *reference, unsigned rd)
{
    load_scalar(g, reference, rd, RV_REGS, (int32_t)(ES_REG_HIT_NEW + (reference->address & 3)));
}

/* The word before the event is at low(base), the hit's flags of then at flags(base). */
static void load_before(generator *g, const es_reference *reference, unsigned rd, unsigned base, int32_t flags,
                        int32_t low)
{
    if (g->checks_old) {
        es_rv_i(g->code, RV_LBU, RV_T6, base, flags + OLD_KNOWN_BYTE);
        es_rv_i(g->code, RV_ANDI, RV_T6, RV_T6, 1);
        es_rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, g->unknown);
    }
    load_scalar(g, reference, rd, base, low + (int32_t)(reference->address & 3));
}

static void load_old(generator *g, const es_reference *reference, unsigned rd)
{
    const plan_write *first = es_plan_first_part(g->plan, reference, 0);
    unsigned at_once = es_rv_label(g->code), done = es_rv_label(g->code);
    if (first) { /* before the first of several writes */
        int32_t low;
        es_rv_i(g->code, RV_ANDI, RV_T6, RV_PARTS, first->bit);
        es_rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, at_once);
        unsigned base = es_codegen_ram(g->code, g->plan, first->first, rd, &low);
        es_rv_i(g->code, RV_ADDI, rd, base, low);
        load_before(g, reference, rd, rd, 0, 4);
        es_rv_jump(g->code, done);
    }
    es_rv_place(g->code, at_once);
    load_before(g, reference, rd, RV_REGS, ES_REG_HIT_FLAGS, ES_REG_HIT_OLD);
    es_rv_place(g->code, done);
}

/* A word of a value of 64 bits. */
static es_reference half_of(const es_reference *reference, unsigned word)
{
    static const es_type type = {.kind = ES_TYPE_INT, .name = "unsigned", .size = 4};
    es_reference half = *reference;
    half.type = &type;
    half.size = 4;
    half.address += 4 * word;
    return half;
}

/* Through a pointer: as of before the first of the writes that made this event; else as it is where the pointer led to
 * before. */
static void load_old_through(generator *g, const es_reference *reference, size_t index, unsigned rd, unsigned high)
{
    const plan_write *first = es_plan_first_part(g->plan, reference, g->statement->pointers[index]);
    unsigned other = es_rv_label(g->code), done = es_rv_label(g->code);
    es_codegen_event(g, g->statement->old_bit[index]);
    es_rv_branch(g->code, RV_BGE, RV_T6, RV_ZERO, other);
    if (plan_is_large(reference)) {
        load_large(g, reference, true, rd, high);
    } else if (first) {
        int32_t low;
        unsigned base = es_codegen_ram(g->code, g->plan, first->first, rd, &low);
        load_before(g, reference, rd, base, low, low + 4);
    } else {
        load_before(g, reference, rd, RV_REGS, ES_REG_HIT_FLAGS, ES_REG_HIT_OLD);
    }
    es_rv_jump(g->code, done);
    es_rv_place(g->code, other);
    es_pointers_base_before(g, index, rd);
    if (plan_is_large(reference)) {
        es_reference half = half_of(reference, 1);
        es_rv_i(g->code, RV_ADDI, high, rd, 0);
        load_from(g, &half, high);
        half = half_of(reference, 0);
        load_from(g, &half, rd);
    } else {
        load_from(g, reference, rd);
    }
    es_rv_place(g->code, done);
}

/* What is only printed, beside pointers, through any of which the event may have been a write to it: the word before
 * the event where that is where the value lay, else what is there. `of`: all of it. In rd: where it lay; temporary: a register. */
static void load_before_at(generator *g, const es_reference *of, const es_reference *reference, unsigned rd,
                           unsigned temporary)
{
    rv_code *code = g->code;
    unsigned memory = es_rv_label(code), done = es_rv_label(code);
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_i(code, RV_ANDI, RV_T6, RV_T6, ES_HIT_KIND_MASK);
    es_rv_i(code, RV_ADDI, RV_T6, RV_T6, -ES_KIND_WRITE);
    es_rv_branch(code, RV_BNE, RV_T6, RV_ZERO, memory);
    es_rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_ADDR);
    es_rv_li(code, temporary, ES_PHANTOM_BASE - g->limits->window_base);
    es_rv_r(code, RV_ADD, RV_T6, RV_T6, temporary);
    es_rv_r(code, RV_XOR, RV_T6, RV_T6, rd);
    es_rv_i(code, RV_SRLI, RV_T6, RV_T6, 2);
    es_rv_branch(code, RV_BNE, RV_T6, RV_ZERO, memory);
    es_written_check_before(g, of, 0);
    if (g->checks_old) {
        es_rv_i(code, RV_LBU, RV_T6, RV_REGS, ES_REG_HIT_FLAGS + OLD_KNOWN_BYTE);
        es_rv_i(code, RV_ANDI, RV_T6, RV_T6, 1);
        es_rv_branch(code, RV_BEQ, RV_T6, RV_ZERO, g->unknown);
    }
    es_rv_i(code, RV_ANDI, rd, rd, 3);
    es_rv_r(code, RV_ADD, rd, rd, RV_REGS);
    load_scalar(g, reference, rd, rd, ES_REG_HIT_OLD);
    es_rv_jump(code, done);
    es_rv_place(code, memory);
    es_written_check(g, of, plan_is_large(of) ? (reference->address - of->address) / 4 : 0, rd);
    load_scalar(g, reference, rd, rd, 0);
    es_rv_place(code, done);
    g->reads = true;
}

static void load_old_shown(generator *g, const es_reference *reference, size_t index, unsigned rd, unsigned high)
{
    bool large = plan_is_large(reference);
    for (unsigned word = large ? 2 : 1; word-- > 0;) {
        es_reference part = large ? half_of(reference, word) : *reference;
        unsigned to = word ? high : rd, temporary = large ? RV_T3 : high;
        uint32_t offset = part.address +
                          (reference->frame || reference->via ? 0 : ES_PHANTOM_BASE - g->limits->window_base);
        if (reference->via)
            es_pointers_base_before(g, index, to);
        else if (reference->frame)
            es_codegen_cell(g, reference->frame, to);
        es_rv_li(g->code, RV_T6, offset);
        if (reference->via || reference->frame)
            es_rv_r(g->code, RV_ADD, to, to, RV_T6);
        else
            es_rv_i(g->code, RV_ADDI, to, RV_T6, 0);
        load_before_at(g, reference, &part, to, temporary);
    }
}

void es_codegen_event(generator *g, int bit)
{
    es_rv_i(g->code, RV_SLLI, RV_T6, RV_A0, 31 - bit);
}

void es_codegen_reference(generator *g, size_t index, bool old, unsigned rd, unsigned high)
{
    const es_reference *reference = &g->statement->statement->references[index];
    bool large = plan_is_large(reference);
    if (large && plan_bits(reference) <= 32)
        high = RV_T3;
    if (g->late) {
        if (g->late->evaluated)
            es_holds_load(g, g->late, index, rd, high);
        else
            es_deadline_load(g, reference, rd);
    } else if (g->statement->direct) {
        if (old) {
            es_written_check_before(g, reference, 0);
            load_old(g, reference, rd);
        } else {
            load_new(g, reference, rd);
        }
    } else if (old && g->statement->pointers && index >= g->statement->statement->predicate_count) {
        load_old_shown(g, reference, index, rd, high);
    } else if (old && reference->via && g->statement->pointers && g->statement->old_bit[index] >= 0) {
        load_old_through(g, reference, index, rd, high);
    } else if (!old || g->statement->old_bit[index] < 0 || (large && !es_plan_first_part(g->plan, reference, 0))) {
        if (large)
            load_large(g, reference, false, rd, high);
        else
            load_phantom(g, reference, rd);
    } else {
        unsigned current = es_rv_label(g->code), done = es_rv_label(g->code);
        es_codegen_event(g, g->statement->old_bit[index]);
        es_rv_branch(g->code, RV_BGE, RV_T6, RV_ZERO, current);
        if (!reference->subscript_count)
            es_written_check_before(g, reference, 0);
        if (large)
            load_large(g, reference, true, rd, high);
        else if (reference->subscript_count)
            es_element_load_old(g, index, rd);
        else
            load_old(g, reference, rd);
        es_rv_jump(g->code, done);
        es_rv_place(g->code, current);
        if (large)
            load_large(g, reference, false, rd, high);
        else
            load_phantom(g, reference, rd);
        es_rv_place(g->code, done);
    }
}
