#include "image/lower/load.h"

#include <string.h>

#include "image/lower/copies.h"
#include "image/lower/element_load.h"
#include "image/lower/generator.h"
#include "image/lower/pointers_load.h"
#include "image/lower/written.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

#define OLD_KNOWN_BYTE 1 /* of HIT_FLAGS: holds ES_HIT_OLD_KNOWN */

_Static_assert(ES_HIT_OLD_KNOWN == 0x100, "the flag is bit 0 of the flags' second byte");

static void load_scalar(generator *g, const es_reference *reference, es_ir_reg rd, unsigned base, int32_t offset)
{
    bool sign = es_codegen_is_signed(reference->type) && reference->bit_size == 0;
    enum es_ir_op op = reference->size == 4   ? ES_IR_LOAD
                       : reference->size == 2 ? (sign ? ES_IR_LOAD_SHORT : ES_IR_LOAD_HALF)
                                              : (sign ? ES_IR_LOAD_CHAR : ES_IR_LOAD_BYTE);
    es_ir_immediate(g->code, op, rd, base, offset);
    if (reference->bit_size) {
        int up = 32 - reference->bit_offset - reference->bit_size;
        if (up)
            es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, up);
        if (reference->bit_size < 32)
            es_ir_immediate(g->code, es_codegen_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd,
                            32 - reference->bit_size);
    }
}

/* Word number `word` of phantom memory, from the one that the value begins in. */
static void load_word(generator *g, const es_reference *reference, unsigned word, es_ir_reg rd)
{
    uint32_t offset = plan_first_word(reference) + 4 * word;
    if (reference->subscript_count) {
        es_element_load(g, (size_t)(reference - g->statement->statement->references), rd);
        es_ir_load(g->code, ES_IR_LOAD, rd, rd, (int32_t)(offset - reference->address));
        return;
    }
    if (!reference->frame && !reference->via) {
        offset += ES_PHANTOM_BASE - g->limits->window_base;
        es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_ZERO, (int32_t)offset);
        return;
    }
    es_pointers_base(g, reference, rd);
    es_written_check(g, reference, word, rd);
    es_ir_load(g->code, ES_IR_LOAD, rd, rd, (int32_t)offset);
}

/* A value across words, or of 64 bits: its words as of before the event (from where their first parts were kept) or
 * now. */
static void load_large(generator *g, const es_reference *reference, bool old, es_ir_reg rd, es_ir_reg high)
{
    size_t pointer = reference->via ? g->statement->pointers[reference - g->statement->statement->references] : 0;
    const plan_write *first = old ? es_plan_first_part(g->plan, reference, pointer) : NULL;
    unsigned start = plan_first_bit(reference), bits = plan_bits(reference), last = (start + bits - 1) / 32;
    bool sign = es_codegen_is_signed(reference->type);
    g->reads = g->reads || !old;
    for (unsigned word = 0; word <= last; word++) {
        unsigned to = word == 0 ? rd : word == 1 && bits > 32 ? high : ES_IR_T3;
        if (old) {
            if (g->checks_old) {
                es_ir_load(g->code, ES_IR_LOAD_BYTE, ES_IR_T0, ES_IR_RAM_BASE,
                           (int32_t)(first->first + 8 * word) + OLD_KNOWN_BYTE);
                es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T0, ES_IR_T0, 1);
                es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T0, ES_IR_ZERO, g->unknown);
            }
            es_ir_load(g->code, ES_IR_LOAD, to, ES_IR_RAM_BASE, (int32_t)(first->first + 8 * word) + 4);
        } else {
            load_word(g, reference, word, to);
        }
        if (start && word) { /* the lower word takes the upper one's lowest bits */
            es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T6, to, (int32_t)(32 - start));
            es_ir_value(g->code, ES_IR_OR, word == 1 ? rd : high, word == 1 ? rd : high, ES_IR_T6);
        }
        if (start && (word == 0 || (word == 1 && bits > 32)))
            es_ir_immediate(g->code, ES_IR_SHR_I, to, to, (int32_t)start);
    }
    unsigned top = bits > 32 ? high : rd, up = (32 - bits % 32) % 32;
    if (up) {
        es_ir_immediate(g->code, ES_IR_SHL_I, top, top, (int32_t)up);
        es_ir_immediate(g->code, sign ? ES_IR_SAR_I : ES_IR_SHR_I, top, top, (int32_t)up);
    }
}

/* The scalar at its offset from what rd holds. */
static void load_from(generator *g, const es_reference *reference, es_ir_reg rd)
{
    g->reads = true;
    load_scalar(g, reference, rd, rd, (int32_t)reference->address);
}

static void load_phantom(generator *g, const es_reference *reference, es_ir_reg rd)
{
    g->reads = true;
    if (reference->subscript_count) {
        es_element_load(g, (size_t)(reference - g->statement->statement->references), rd);
        load_scalar(g, reference, rd, rd, 0);
        return;
    }
    if (!reference->frame && !reference->via) {
        uint32_t address = ES_PHANTOM_BASE + (reference->address - g->limits->window_base);
        load_scalar(g, reference, rd, ES_IR_ZERO, (int32_t)address);
        return;
    }
    es_pointers_base(g, reference, rd);
    es_written_check(g, reference, 0, rd);
    load_from(g, reference, rd);
}

static void load_new(generator *g, const es_reference *reference, es_ir_reg rd)
{
    load_scalar(g, reference, rd, ES_IR_HIT, (int32_t)(ES_REG_HIT_NEW + (reference->address & 3)));
}

/* The word before the event is at low(base), the hit's flags of then at flags(base). */
static void load_before(generator *g, const es_reference *reference, es_ir_reg rd, unsigned base, int32_t flags,
                        int32_t low)
{
    if (g->checks_old) {
        es_ir_load(g->code, ES_IR_LOAD_BYTE, ES_IR_T6, base, flags + OLD_KNOWN_BYTE);
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, 1);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
    }
    load_scalar(g, reference, rd, base, low + (int32_t)(reference->address & 3));
}

static void load_old(generator *g, const es_reference *reference, es_ir_reg rd)
{
    const plan_write *first = es_plan_first_part(g->plan, reference, 0);
    unsigned at_once = es_ir_label(g->code), done = es_ir_label(g->code);
    if (first) { /* before the first of several writes */
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T6, ES_IR_PARTS, first->bit);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, at_once);
        es_ir_ram(g->code, rd, first->first);
        load_before(g, reference, rd, rd, 0, 4);
        es_ir_jump(g->code, done);
    }
    es_ir_here(g->code, at_once);
    load_before(g, reference, rd, ES_IR_HIT, ES_REG_HIT_FLAGS, ES_REG_HIT_OLD);
    es_ir_here(g->code, done);
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

/* The same of what is narrower than a word, in whichever lanes it lies now. first: where what was there before its first part
 * is kept; NULL: it is written at once. */
static void load_old_narrow(generator *g, const es_reference *reference, const plan_write *first, es_ir_reg rd)
{
    es_ir_code *code = g->code;
    es_ir_reg base = first ? es_ir_new(code) : ES_IR_HIT, lane = es_ir_new(code);
    int32_t flags = first ? 0 : (int32_t)ES_REG_HIT_FLAGS, word = first ? 4 : (int32_t)ES_REG_HIT_OLD;
    if (first)
        es_ir_ram(code, base, first->first);
    if (g->checks_old) {
        es_ir_reg known = es_ir_make_load(code, ES_IR_LOAD_BYTE, base, (uint32_t)flags + OLD_KNOWN_BYTE);
        es_ir_branch(code, ES_IR_IF_EQ, es_ir_make_immediate(code, ES_IR_AND_I, known, 1), ES_IR_ZERO, g->unknown);
    }
    es_pointers_base(g, reference, lane);
    es_ir_immediate(code, ES_IR_ADD_I, lane, lane, reference->address);
    es_ir_immediate(code, ES_IR_AND_I, lane, lane, 3);
    load_scalar(g, reference, rd, es_ir_make(code, ES_IR_ADD, lane, base), word);
}

/* Through a pointer: as of before the first of the writes that made this event; else as it is where the pointer led to
 * before. */
static void load_old_through(generator *g, const es_reference *reference, size_t index, es_ir_reg rd, es_ir_reg high)
{
    const plan_write *first = es_plan_first_part(g->plan, reference, g->statement->pointers[index]);
    unsigned other = es_ir_label(g->code), done = es_ir_label(g->code);
    es_codegen_event(g, g->statement->old_bit[index]);
    es_ir_branch(g->code, ES_IR_IF_NOT_LESS, ES_IR_T6, ES_IR_ZERO, other);
    if (g->plan->pointers[g->statement->pointers[index] - 1].align < 4) {
        load_old_narrow(g, reference, first, rd);
    } else if (plan_is_large(reference)) {
        load_large(g, reference, true, rd, high);
    } else if (first) {
        load_before(g, reference, rd, ES_IR_RAM_BASE, (int32_t)first->first, (int32_t)first->first + 4);
    } else {
        load_before(g, reference, rd, ES_IR_HIT, ES_REG_HIT_FLAGS, ES_REG_HIT_OLD);
    }
    es_ir_jump(g->code, done);
    es_ir_here(g->code, other);
    es_pointers_base_before(g, index, rd);
    if (plan_is_large(reference)) {
        es_reference half = half_of(reference, 1);
        es_ir_immediate(g->code, ES_IR_ADD_I, high, rd, 0);
        load_from(g, &half, high);
        half = half_of(reference, 0);
        load_from(g, &half, rd);
    } else {
        load_from(g, reference, rd);
    }
    es_ir_here(g->code, done);
}

/* What is only printed, beside pointers, through any of which the event may have been a write to it: the word before
 * the event where that is where the value lay, else what is there. `of`: all of it. In rd: where it lay; temporary: a register. */
static void load_before_at(generator *g, const es_reference *of, const es_reference *reference, es_ir_reg rd,
                           unsigned temporary)
{
    es_ir_code *code = g->code;
    unsigned memory = es_ir_label(code), done = es_ir_label(code);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_HIT_KIND_MASK);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_T6, -ES_KIND_WRITE);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, memory);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(code, temporary, ES_PHANTOM_BASE - g->limits->window_base);
    es_ir_value(code, ES_IR_ADD, ES_IR_T6, ES_IR_T6, temporary);
    es_ir_value(code, ES_IR_XOR, ES_IR_T6, ES_IR_T6, rd);
    es_ir_immediate(code, ES_IR_SHR_I, ES_IR_T6, ES_IR_T6, 2);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, memory);
    es_written_check_before(g, of, 0);
    if (g->checks_old) {
        es_ir_load(code, ES_IR_LOAD_BYTE, ES_IR_T6, ES_IR_HIT, ES_REG_HIT_FLAGS + OLD_KNOWN_BYTE);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, 1);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
    }
    es_ir_immediate(code, ES_IR_AND_I, rd, rd, 3);
    es_ir_value(code, ES_IR_ADD, rd, rd, ES_IR_HIT);
    load_scalar(g, reference, rd, rd, ES_REG_HIT_OLD);
    es_ir_jump(code, done);
    es_ir_here(code, memory);
    es_written_check(g, of, plan_is_large(of) ? (reference->address - of->address) / 4 : 0, rd);
    load_scalar(g, reference, rd, rd, 0);
    es_ir_here(code, done);
    g->reads = true;
}

static void load_old_shown(generator *g, const es_reference *reference, size_t index, es_ir_reg rd, es_ir_reg high)
{
    bool large = plan_is_large(reference);
    for (unsigned word = large ? 2 : 1; word-- > 0;) {
        es_reference part = large ? half_of(reference, word) : *reference;
        unsigned to = word ? high : rd, temporary = large ? ES_IR_T3 : high;
        uint32_t offset =
            part.address + (reference->frame || reference->via ? 0 : ES_PHANTOM_BASE - g->limits->window_base);
        if (reference->via)
            es_pointers_base_before(g, index, to);
        else if (reference->frame)
            es_codegen_cell(g, reference->frame, to);
        es_ir_const(g->code, ES_IR_T6, offset);
        if (reference->via || reference->frame)
            es_ir_value(g->code, ES_IR_ADD, to, to, ES_IR_T6);
        else
            es_ir_immediate(g->code, ES_IR_ADD_I, to, ES_IR_T6, 0);
        load_before_at(g, reference, &part, to, temporary);
    }
}

void es_codegen_reference(generator *g, size_t index, bool old, es_ir_reg rd, es_ir_reg high)
{
    const es_reference *reference = &g->statement->statement->references[index];
    bool large = plan_is_large(reference);
    if (large && plan_bits(reference) <= 32)
        high = ES_IR_T3;
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
        unsigned current = es_ir_label(g->code), done = es_ir_label(g->code);
        es_codegen_event(g, g->statement->old_bit[index]);
        es_ir_branch(g->code, ES_IR_IF_NOT_LESS, ES_IR_T6, ES_IR_ZERO, current);
        if (!reference->subscript_count)
            es_written_check_before(g, reference, 0);
        if (large)
            load_large(g, reference, true, rd, high);
        else if (reference->subscript_count)
            es_element_load_old(g, index, rd);
        else
            load_old(g, reference, rd);
        es_ir_jump(g->code, done);
        es_ir_here(g->code, current);
        if (large)
            load_large(g, reference, false, rd, high);
        else
            load_phantom(g, reference, rd);
        es_ir_here(g->code, done);
    }
}
