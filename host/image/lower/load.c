/* The values of places. */
#include "image/lower/place.h"

#include "image/lower/copies.h"
#include "image/lower/generator.h"
#include "image/lower/lives.h"
#include "image/lower/turn.h"
#include "image/lower/written.h"
#include "image/places/element.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

#define OLD_KNOWN_BYTE 1 /* of HIT_FLAGS: holds ES_HIT_OLD_KNOWN */

_Static_assert(ES_HIT_OLD_KNOWN == 0x100, "the flag is bit 0 of the flags' second byte");

static const es_reference *reference_of(const generator *g, size_t index)
{
    return &g->statement->statement->references[index];
}

/* Brings a value to the right end of its register: `up` bits stand above it there. */
static void extend(generator *g, const es_reference *reference, unsigned up, unsigned bits, es_ir_reg rd)
{
    if (up)
        es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, up);
    if (bits < 32)
        es_ir_immediate(g->code, plan_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, 32 - bits);
}

/* What one load fetches. */
static void load_scalar(generator *g, const es_reference *reference, place_address at, es_ir_reg rd)
{
    bool sign = plan_is_signed(reference->type) && reference->bit_size == 0;
    bool turned = plan_is_turned(reference) && reference->size > 1;
    enum es_ir_op op = reference->size == 4   ? ES_IR_LOAD
                       : reference->size == 2 ? (sign && !turned ? ES_IR_LOAD_SHORT : ES_IR_LOAD_HALF)
                                              : (sign ? ES_IR_LOAD_CHAR : ES_IR_LOAD_BYTE);
    es_ir_load(g->code, op, rd, at.base, (int32_t)at.offset);
    if (turned)
        es_place_turn(g->code, rd, reference->size, sign);
    if (reference->bit_size)
        extend(g, reference, 32u - reference->bit_offset - reference->bit_size, reference->bit_size, rd);
}

/* Where word number `word` of a value goes: at once to its place when the value begins with a word. */
static es_ir_reg register_of(generator *g, const es_reference *reference, unsigned word, codegen_pair to)
{
    if (plan_first_bit(reference) || plan_is_turned(reference))
        return es_ir_new(g->code);
    return word ? to.high : to.low;
}

/* The same with the most significant byte first. */
static void join_turned(generator *g, const es_reference *reference, const es_ir_reg words[3], codegen_pair to)
{
    es_ir_code *code = g->code;
    unsigned start = plan_first_bit(reference), bits = plan_bits(reference), count = plan_words(reference);
    enum es_ir_op right = plan_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I;
    es_ir_reg parts[2];
    for (unsigned word = 0; word < count; word++)
        es_place_turn(code, words[word], 4, false);
    for (unsigned part = 0; part < (bits > 32 ? 2u : 1u); part++) { /* the value's upper end, then what is below */
        parts[part] = es_ir_make_immediate(code, ES_IR_SHL_I, words[part], start);
        if (start && part + 1 < count)
            es_ir_value(code, ES_IR_OR, parts[part], parts[part],
                        es_ir_make_immediate(code, ES_IR_SHR_I, words[part + 1], 32 - start));
    }
    if (bits <= 32) {
        es_ir_immediate(code, right, to.low, parts[0], 32 - bits);
    } else if (bits == 64) {
        es_ir_copy(code, to.low, parts[1]);
        es_ir_copy(code, to.high, parts[0]);
    } else {
        es_ir_immediate(code, ES_IR_SHR_I, to.low, parts[1], 64 - bits);
        es_ir_value(code, ES_IR_OR, to.low, to.low, es_ir_make_immediate(code, ES_IR_SHL_I, parts[0], bits - 32));
        es_ir_immediate(code, right, to.high, parts[0], 64 - bits);
    }
}

/* Puts together what lies across words, or has 64 bits; its words are in register_of. */
static void join(generator *g, const es_reference *reference, const es_ir_reg words[3], codegen_pair to)
{
    if (plan_is_turned(reference)) {
        join_turned(g, reference, words, to);
        return;
    }
    es_ir_code *code = g->code;
    unsigned start = plan_first_bit(reference), bits = plan_bits(reference), count = plan_words(reference);
    const es_ir_reg parts[] = {to.low, to.high};
    for (unsigned part = 0; start && part < (bits > 32 ? 2u : 1u); part++) {
        es_ir_reg rd = parts[part];
        es_ir_immediate(code, ES_IR_SHR_I, rd, words[part], start);
        if (part + 1 < count)
            es_ir_value(code, ES_IR_OR, rd, rd, es_ir_make_immediate(code, ES_IR_SHL_I, words[part + 1], 32 - start));
    }
    extend(g, reference, (32 - bits % 32) % 32, bits % 32 ? bits % 32 : 32, bits > 32 ? to.high : to.low);
}

/* What phantom memory holds; before: where the pointer to it led before the event. */
static void load_memory(generator *g, size_t index, bool before, codegen_pair to)
{
    const es_reference *reference = reference_of(g, index);
    es_ir_reg words[3] = {0};
    g->reads = true;
    if (!plan_is_large(reference)) {
        load_scalar(g, reference, es_place_address(g, index, before, 0), to.low);
        return;
    }
    for (unsigned word = 0; word < plan_words(reference); word++) {
        place_address at = es_place_address(g, index, before, word);
        uint32_t offset = at.offset - reference->address + plan_first_word(reference) + 4 * word;
        words[word] = register_of(g, reference, word, to);
        es_ir_load(g->code, ES_IR_LOAD, words[word], at.base, (int32_t)offset);
    }
    join(g, reference, words, to);
}

/* A word as of before the event, and the hit's flags of then: as the probe tells them (on a narrow bus: as they were
 * with the store's first write), or kept in RAM before the first of several writes. */
typedef struct past {
    es_ir_reg base;
    int32_t flags, word;
} past;

static past past_of_hit(const generator *g)
{
    codegen_store store = es_codegen_store(g->plan);
    return (past){store.base, store.flags, store.old};
}

static past past_of_first(const plan_write *first)
{
    int32_t at = (int32_t)first->first;
    return (past){ES_IR_RAM_BASE, at, at + 4};
}

static void check_past(generator *g, past from)
{
    if (!g->checks_old)
        return;
    es_ir_reg known = es_ir_make_load(g->code, ES_IR_LOAD_BYTE, from.base, (uint32_t)from.flags + OLD_KNOWN_BYTE);
    es_ir_branch(g->code, ES_IR_IF_EQ, es_ir_make_immediate(g->code, ES_IR_AND_I, known, 1), ES_IR_ZERO, g->unknown);
}

/* lane: a register with the first of its bytes in the word; 0: the reference tells. */
static void load_past(generator *g, const es_reference *reference, past from, es_ir_reg lane, es_ir_reg rd)
{
    check_past(g, from);
    place_address at = {from.base, (uint32_t)from.word + (reference->address & 3)};
    if (lane) {
        if (from.base == ES_IR_RAM_BASE) {
            at.base = es_ir_new(g->code);
            es_ir_ram(g->code, at.base, (uint32_t)from.word);
            from.word = 0;
        }
        at = (place_address){es_ir_make(g->code, ES_IR_ADD, lane, at.base), (uint32_t)from.word};
    }
    load_scalar(g, reference, at, rd);
}

static es_ir_reg lane_of(generator *g, place_address at)
{
    es_ir_reg low = at.offset % 4 ? es_ir_make_immediate(g->code, ES_IR_ADD_I, at.base, at.offset % 4) : at.base;
    return es_ir_make_immediate(g->code, ES_IR_AND_I, low, 3);
}

/* What an element's word held; unknown when the event has written only some of its bytes, as what it was before the
 * first of several writes is not kept. */
static void load_element_past(generator *g, size_t index, es_ir_reg rd)
{
    const es_reference *reference = reference_of(g, index);
    es_ir_code *code = g->code;
    es_ir_reg lane = lane_of(g, es_place_address(g, index, true, 0));
    es_written_check_before(g, reference, reference->size < 4 ? lane : 0);
    if (g->checks_old && reference->size > 1) {
        uint32_t lanes = ((1u << plan_byte_count(reference)) - 1) << (plan_first_byte(reference) - reference->address);
        past hit = past_of_hit(g);
        es_ir_reg written = es_ir_make_load(code, ES_IR_LOAD, hit.base, (uint32_t)hit.flags);
        written = es_ir_make_immediate(code, ES_IR_SHR_I, written, ES_HIT_LANES_SHIFT);
        written = es_ir_make(code, ES_IR_SHR, written, lane);
        written = es_ir_make_immediate(code, ES_IR_AND_I, written, lanes);
        es_ir_branch(code, ES_IR_IF_NE, es_ir_make_immediate(code, ES_IR_ADD_I, written, 0u - lanes), ES_IR_ZERO,
                     g->unknown);
    }
    load_past(g, reference, past_of_hit(g), reference->size < 4 ? lane : 0, rd);
}

/* Whether its lane in a word follows from where the pointer leads. */
static bool has_lane(const generator *g, size_t index)
{
    size_t pointer = plan_pointer_of(g->statement, index);
    return pointer && g->plan->pointers[pointer - 1].align < 4;
}

/* from: its first word; the others follow. */
static void load_large_past(generator *g, const es_reference *reference, past from, codegen_pair to)
{
    es_ir_reg words[3] = {0};
    for (unsigned word = 0; word < plan_words(reference); word++, from.flags += 8, from.word += 8) {
        check_past(g, from);
        words[word] = register_of(g, reference, word, to);
        es_ir_load(g->code, ES_IR_LOAD, words[word], from.base, from.word);
    }
    join(g, reference, words, to);
}

/* The value before the event, which has written it. */
static void load_written(generator *g, size_t index, const plan_write *first, codegen_pair to)
{
    const es_reference *reference = reference_of(g, index);
    past from = first ? past_of_first(first) : past_of_hit(g);
    if (reference->subscript_count && !es_element_keeps(reference)) {
        load_element_past(g, index, to.low);
        return;
    }
    if (reference->frame)
        es_written_check_before(g, reference, 0);
    es_lives_check_old(g, index);
    if (es_element_keeps(reference)) {
        es_ir_reg kept =
            es_ir_make_load(g->code, ES_IR_LOAD, ES_IR_RAM_BASE, g->plan->element_pasts + 4 * (uint32_t)index);
        load_large_past(g, reference, (past){kept, 0, 4}, to);
    } else if (plan_is_large(reference)) {
        load_large_past(g, reference, from, to);
    } else if (reference->via) {
        es_ir_reg lane = has_lane(g, index) ? lane_of(g, es_place_address(g, index, false, 0)) : 0;
        load_past(g, reference, from, lane, to.low);
    } else if (first) { /* maybe in parts */
        unsigned at_once = es_ir_label(g->code), done = es_ir_label(g->code);
        es_ir_reg parts = es_ir_make_immediate(g->code, ES_IR_AND_I, ES_IR_PARTS, first->bit);
        es_ir_branch(g->code, ES_IR_IF_EQ, parts, ES_IR_ZERO, at_once);
        load_past(g, reference, from, 0, to.low);
        es_ir_jump(g->code, done);
        es_ir_here(g->code, at_once);
        load_past(g, reference, past_of_hit(g), 0, to.low);
        es_ir_here(g->code, done);
    } else {
        load_past(g, reference, past_of_hit(g), 0, to.low);
    }
}

/* A word, or what is narrower, that the event may have written through any pointer: as it was where the hit's word is
 * that in which it lies, else what is there. */
static void load_past_at(generator *g, const es_reference *of, const es_reference *part, place_address at, es_ir_reg rd)
{
    es_ir_code *code = g->code;
    unsigned memory = es_ir_label(code), done = es_ir_label(code);
    es_ir_reg kind = es_ir_make_load(code, ES_IR_LOAD, ES_IR_HIT, ES_REG_HIT_FLAGS);
    kind = es_ir_make_immediate(code, ES_IR_AND_I, kind, ES_HIT_KIND_MASK);
    kind = es_ir_make_immediate(code, ES_IR_ADD_I, kind, 0u - ES_KIND_WRITE);
    es_ir_branch(code, ES_IR_IF_NE, kind, ES_IR_ZERO, memory);
    es_ir_reg address = es_ir_make_immediate(code, ES_IR_ADD_I, at.base, at.offset);
    es_ir_reg hit = es_ir_make_load(code, ES_IR_LOAD, ES_IR_HIT, ES_REG_HIT_ADDR);
    hit = es_ir_make_immediate(code, ES_IR_ADD_I, hit, ES_PHANTOM_BASE - g->limits->window_base);
    hit = es_ir_make(code, ES_IR_XOR, hit, address);
    es_ir_branch(code, ES_IR_IF_NE, es_ir_make_immediate(code, ES_IR_SHR_I, hit, 2), ES_IR_ZERO, memory);
    es_written_check_before(g, of, 0);
    es_lives_check_old(g, (size_t)(of - g->statement->statement->references));
    load_past(g, part, past_of_hit(g), es_ir_make_immediate(code, ES_IR_AND_I, address, 3), rd);
    es_ir_jump(code, done);
    es_ir_here(code, memory);
    load_scalar(g, part, at, rd);
    es_ir_here(code, done);
    g->reads = true;
}

/* What is only printed, beside pointers: any of the statement's events may have been a write to it. */
static void load_shown_past(generator *g, size_t index, codegen_pair to)
{
    static const es_type word_type = {.kind = ES_TYPE_INT, .name = "unsigned", .size = 4};
    const es_reference *reference = reference_of(g, index);
    es_reference part = *reference;
    if (!plan_is_large(reference)) {
        load_past_at(g, reference, &part, es_place_address(g, index, true, 0), to.low);
        return;
    }
    part.type = &word_type;
    part.size = 4;
    es_ir_reg words[3] = {0};
    for (unsigned word = 2; word-- > 0;) {
        place_address at = es_place_address(g, index, true, word);
        at.offset += 4 * word;
        words[word] = register_of(g, reference, word, to);
        load_past_at(g, reference, &part, at, words[word]);
    }
    join(g, reference, words, to);
}

static void load_old(generator *g, size_t index, codegen_pair to)
{
    const plan_statement *of = g->statement;
    const es_reference *reference = reference_of(g, index);
    const plan_write *first = es_plan_first_part(g->plan, reference, plan_pointer_of(of, index));
    unsigned memory = es_ir_label(g->code), done = es_ir_label(g->code);
    if (of->direct) {
        load_written(g, index, first, to);
    } else if (of->pointers && index >= of->statement->predicate_count) {
        load_shown_past(g, index, to);
    } else if (of->old_bit[index] < 0 || (plan_is_large(reference) && !first && !es_element_past(g->plan, reference))) {
        load_memory(g, index, false, to);
    } else {
        es_codegen_event(g, of->old_bit[index]);
        es_ir_branch(g->code, ES_IR_IF_NOT_LESS, ES_IR_T6, ES_IR_ZERO, memory);
        load_written(g, index, first, to);
        es_ir_jump(g->code, done);
        es_ir_here(g->code, memory);
        load_memory(g, index, true, to);
        es_ir_here(g->code, done);
    }
}

codegen_pair es_place_value(generator *g, size_t index, bool old)
{
    const es_reference *reference = reference_of(g, index);
    codegen_pair to = {es_ir_new(g->code), plan_is_wide(reference) ? es_ir_new(g->code) : ES_IR_ZERO};
    if (g->late && g->late->evaluated)
        es_holds_load(g, g->late, index, to.low, to.high);
    else if (g->late)
        es_deadline_load(g, reference, to.low);
    else if (old)
        load_old(g, index, to);
    else if (g->statement->direct)
        load_scalar(g, reference, (place_address){ES_IR_HIT, ES_REG_HIT_NEW + (reference->address & 3)}, to.low);
    else
        load_memory(g, index, false, to);
    return to;
}
