#include "image/lower/element.h"
#include "image/image.h"

#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/multiply.h"
#include "image/lower/times.h"
#include "image/lower/written.h"
#include "image/places/element.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* The address of the element, in phantom memory; past: not NULL: becomes where its old value is kept. */
static es_ir_reg find(generator *g, const es_reference *reference, es_ir_reg *past, unsigned no)
{
    es_ir_code *code = g->code;
    es_ir_reg sum = ES_IR_ZERO;
    uint32_t weight = PLAN_ELEMENT_PAST;
    if (past) {
        *past = es_ir_new(code);
        es_ir_ram(code, *past, es_element_past(g->plan, reference));
    }
    for (size_t i = 0; i < reference->subscript_count; i++) {
        const es_subscript *subscript = &reference->subscripts[i];
        es_ir_reg index = es_codegen_value(g, subscript->index).low;
        es_ir_branch(code, ES_IR_IF_NOT_BELOW, index, es_ir_make_const(code, subscript->count), no);
        es_ir_reg distance = es_multiply_constant(g, index, subscript->stride);
        sum = i ? es_ir_make(code, ES_IR_ADD, sum, distance) : distance;
        if (past)
            es_ir_value(code, ES_IR_ADD, *past, *past, es_multiply_constant(g, index, weight));
        weight *= subscript->count;
    }
    if (reference->frame) {
        es_ir_reg cell = es_ir_new(code);
        es_codegen_cell(g, reference->frame, cell);
        sum = es_ir_make(code, ES_IR_ADD, sum, cell);
    }
    return es_ir_make_immediate(code, ES_IR_ADD_I, sum,
                                reference->address + (reference->frame ? 0 : ES_PHANTOM_BASE - g->limits->window_base));
}

/* HIT_FLAGS of the read, or of the store. */
static es_ir_reg flags_of_event(generator *g)
{
    es_ir_code *code = g->code;
    es_ir_reg flags = es_ir_make_load(code, ES_IR_LOAD, ES_IR_HIT, ES_REG_HIT_FLAGS);
    if (!g->plan->store)
        return flags;
    unsigned done = es_ir_label(code);
    codegen_store store = es_codegen_store(g->plan);
    es_ir_reg kind = es_ir_make_immediate(code, ES_IR_AND_I, flags, ES_HIT_KIND_MASK);
    kind = es_ir_make_immediate(code, ES_IR_ADD_I, kind, (uint32_t)-ES_KIND_WRITE);
    es_ir_branch(code, ES_IR_IF_NE, kind, ES_IR_ZERO, done);
    es_ir_load(code, ES_IR_LOAD, flags, store.base, store.flags);
    es_ir_here(code, done);
    return flags;
}

/* Clears bits in a0 when the hit's word, or for what is narrower its lanes, is not in the element. */
static void match(generator *g, const es_reference *reference, es_ir_reg at, uint32_t bits)
{
    es_ir_code *code = g->code;
    unsigned other = es_ir_label(code), done = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_EQ, es_ir_make_immediate(code, ES_IR_AND_I, ES_IR_A0, bits), ES_IR_ZERO, done);
    es_ir_reg word = es_ir_make_load(code, ES_IR_LOAD, ES_IR_HIT, ES_REG_HIT_ADDR);
    word = es_ir_make_immediate(code, ES_IR_ADD_I, word, ES_PHANTOM_BASE - g->limits->window_base + 3);
    word = es_ir_make(code, ES_IR_SUB, word, at); /* from -3 to size - 1 when the word has bytes of it, plus 3 */
    word = es_ir_make_immediate(code, ES_IR_BELOW_I, word, reference->size + 3);
    es_ir_branch(code, ES_IR_IF_EQ, word, ES_IR_ZERO, other);
    if (reference->size < 4) {
        es_ir_reg lanes = flags_of_event(g);
        lanes = es_ir_make_immediate(code, ES_IR_SHR_I, lanes, ES_HIT_LANES_SHIFT);
        lanes = es_ir_make(code, ES_IR_SHR, lanes, es_ir_make_immediate(code, ES_IR_AND_I, at, 3));
        lanes = es_ir_make_immediate(code, ES_IR_AND_I, lanes, (1u << reference->size) - 1);
        es_ir_branch(code, ES_IR_IF_NE, lanes, ES_IR_ZERO, done);
    } else {
        es_ir_jump(code, done);
    }
    es_ir_here(code, other);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_A0, ES_IR_A0, ~bits);
    es_ir_here(code, done);
}

static uint32_t bit_of(const int8_t *bits, size_t reference)
{
    return bits[reference] >= 0 ? 1u << bits[reference] : 0;
}

/* Event bits of writes to it, and of reads. */
static uint32_t told_by(const generator *g, size_t reference)
{
    const plan_statement *of = g->statement;
    if (g->note)
        return g->note->held[reference].element ? 1u << g->note->held[reference].element_bit : 0;
    return (reference < of->statement->predicate_count ? bit_of(of->write_bit, reference) : 0) |
           bit_of(of->read_bit, reference);
}

bool es_element_find(generator *g, const uint8_t *used, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    bool some = false;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (!reference->subscript_count || (used && !used[i]))
            continue;
        int32_t kept = (int32_t)(g->plan->elements + 4 * (uint32_t)i);
        bool keeps = es_element_past(g->plan, reference) != 0;
        es_ir_reg past = ES_IR_ZERO, at = find(g, reference, keeps ? &past : NULL, no);
        if (keeps)
            es_times_store(g, past, g->plan->element_pasts + 4 * (uint32_t)i);
        es_ir_store(g->code, ES_IR_STORE, at, ES_IR_RAM_BASE, kept);
        uint32_t told = told_by(g, i), old = g->note ? 0 : bit_of(g->statement->old_bit, i);
        if (told | old)
            match(g, reference, at, told | old);
        some |= told != 0;
        if (reference->frame) {
            es_written_check_element(g, reference, at, es_ir_new(g->code));
            es_ir_store(g->code, ES_IR_STORE, at, ES_IR_RAM_BASE, kept);
        }
    }
    return some;
}
