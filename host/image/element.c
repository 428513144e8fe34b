#include "image/element.h"

#include "image/written.h"

size_t es_element_count(const es_reference *reference)
{
    size_t count = 1;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        count *= reference->subscripts[i].count;
        if (count > ELEMENTS_MAX)
            return ELEMENTS_MAX + 1;
    }
    return count;
}

es_reference es_element_at(const es_reference *reference, size_t n)
{
    es_reference element = *reference;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        element.address += (uint32_t)(n % reference->subscripts[i].count) * reference->subscripts[i].stride;
        n /= reference->subscripts[i].count;
    }
    element.subscript_count = 0;
    return element;
}

bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, bool old, bool compound,
                      es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (!reference->subscript_count)
        return true;
    if (compound)
        return es_plan_refuse(plan, statement, index, err,
                              "a statement about one event may have it; here, name an element: a[2]",
                              "a variable index in a compound event is not available in this version");
    if (old && (reference->size > 4 || reference->bit_size))
        return es_plan_refuse(
            plan, statement, index, err, "name an element: old(a[2])",
            "old() of a bit-field or of 64 bits in an element with a variable index is not available in this version");
    if (es_element_count(reference) > ELEMENTS_MAX)
        return es_plan_refuse(plan, statement, index, err, "watch those that matter: a[2]",
                              "this may be one of more than %u elements", ELEMENTS_MAX);
    uint32_t unit = reference->size < 4 ? reference->size : 4, odd = reference->address % unit;
    for (size_t i = 0; i < reference->subscript_count; i++)
        odd |= reference->subscripts[i].stride % unit;
    if (odd)
        return es_plan_refuse(plan, statement, index, err, "name an element: a[2]",
                              "elements that are not aligned cannot have a variable index");
    return true;
}

uint32_t es_element_place(image_plan *plan, uint32_t at)
{
    uint32_t most = 0;
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++)
            if (statement->references[i].subscript_count && i + 1 > most)
                most = (uint32_t)i + 1;
    }
    plan->elements = at;
    return at + 4 * most;
}

/* The address of the element, in phantom memory, into register 0 of the stack. */
static void find(generator *g, const es_reference *reference, unsigned no)
{
    es_ir_code *code = g->code;
    unsigned sum = es_codegen_register(g, 0), index = es_codegen_register(g, 1);
    for (size_t i = 0; i < reference->subscript_count; i++) {
        const es_subscript *subscript = &reference->subscripts[i];
        unsigned rd = i ? index : sum;
        es_codegen_value(g, subscript->index, i ? 1 : 0);
        es_ir_const(code, ES_IR_T6, subscript->count);
        es_ir_branch(code, ES_IR_IF_NOT_BELOW, rd, ES_IR_T6, no);
        es_multiply_constant(g, rd, subscript->stride);
        if (i)
            es_ir_value(code, ES_IR_ADD, sum, sum, index);
    }
    if (reference->frame) {
        es_codegen_cell(g, reference->frame, index);
        es_ir_value(code, ES_IR_ADD, sum, sum, index);
    }
    es_ir_const(code, index, reference->address + (reference->frame ? 0 : ES_PHANTOM_BASE - g->limits->window_base));
    es_ir_value(code, ES_IR_ADD, sum, sum, index);
}

/* Clears bits in a0 when the hit's word, or for what is narrower its lanes, is not in the element, whose address is in
 * register 0. */
static void match(generator *g, const es_reference *reference, uint32_t bits)
{
    es_ir_code *code = g->code;
    unsigned at = es_codegen_register(g, 0), word = es_codegen_register(g, 1), other = es_ir_label(code),
             done = es_ir_label(code);
    es_ir_const(code, ES_IR_T6, bits);
    es_ir_value(code, ES_IR_AND, ES_IR_T6, ES_IR_T6, ES_IR_A0);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, done);
    es_ir_load(code, ES_IR_LOAD, word, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(code, ES_IR_T6, ES_PHANTOM_BASE - g->limits->window_base + 3);
    es_ir_value(code, ES_IR_ADD, word, word, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, word, word, at); /* from -3 to size - 1 when the word has bytes of it, plus 3 */
    es_ir_immediate(code, ES_IR_BELOW_I, word, word, reference->size + 3);
    es_ir_branch(code, ES_IR_IF_EQ, word, ES_IR_ZERO, other);
    if (reference->size < 4) {
        es_ir_load(code, ES_IR_LOAD, word, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
        es_ir_immediate(code, ES_IR_SHR_I, word, word, ES_HIT_LANES_SHIFT);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, at, 3);
        es_ir_value(code, ES_IR_SHR, word, word, ES_IR_T6);
        es_ir_immediate(code, ES_IR_AND_I, word, word, (1 << reference->size) - 1);
        es_ir_branch(code, ES_IR_IF_NE, word, ES_IR_ZERO, done);
    } else {
        es_ir_jump(code, done);
    }
    es_ir_here(code, other);
    es_ir_const(code, ES_IR_T6, ~bits);
    es_ir_value(code, ES_IR_AND, ES_IR_A0, ES_IR_A0, ES_IR_T6);
    es_ir_here(code, done);
}

void es_element_find(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    bool some = false;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (!reference->subscript_count)
            continue;
        int32_t low;
        find(g, reference, no);
        unsigned base = es_codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)i, ES_IR_T6, &low);
        es_ir_store(g->code, ES_IR_STORE, es_codegen_register(g, 0), base, low);
        bool written = i < statement->predicate_count && g->statement->write_bit[i] >= 0,
             old = g->statement->old_bit[i] >= 0;
        bool read = g->statement->read_bit[i] >= 0;
        if (written || old || read)
            match(g, reference,
                  (written ? 1u << g->statement->write_bit[i] : 0) | (old ? 1u << g->statement->old_bit[i] : 0) |
                      (read ? 1u << g->statement->read_bit[i] : 0));
        some |= written || read;
        if (reference->frame) {
            es_written_check_element(g, reference, es_codegen_register(g, 0), es_codegen_register(g, 1));
            base = es_codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)i, ES_IR_T6, &low);
            es_ir_store(g->code, ES_IR_STORE, es_codegen_register(g, 0), base, low);
        }
    }
    if (some)
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, no);
}

void es_element_load(generator *g, size_t index, unsigned rd)
{
    int32_t low;
    unsigned base = es_codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)index, rd, &low);
    es_ir_load(g->code, ES_IR_LOAD, rd, base, low);
}

void es_element_load_old(generator *g, size_t index, unsigned rd)
{
    const es_reference *reference = &g->statement->statement->references[index];
    es_ir_code *code = g->code;
    unsigned lanes = (1u << reference->size) - 1;
    es_element_load(g, index, rd);
    es_ir_immediate(code, ES_IR_AND_I, rd, rd, 3);
    es_written_check_before(g, reference, rd);
    if (g->checks_old) {
        es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_HIT_OLD_KNOWN);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
        if (reference->size > 1) { /* written in parts: what it was before the first of them has not been kept */
            es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
            es_ir_immediate(code, ES_IR_SHR_I, ES_IR_T6, ES_IR_T6, ES_HIT_LANES_SHIFT);
            es_ir_value(code, ES_IR_SHR, ES_IR_T6, ES_IR_T6, rd);
            es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, (int32_t)lanes);
            es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_T6, -(int32_t)lanes);
            es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
        }
    }
    es_ir_immediate(code, ES_IR_SHL_I, rd, rd, 3);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_OLD);
    es_ir_value(code, ES_IR_SHR, rd, ES_IR_T6, rd);
    if (reference->size == 4)
        return;
    int32_t up = 32 - 8 * (int32_t)reference->size;
    es_ir_immediate(code, ES_IR_SHL_I, rd, rd, up);
    es_ir_immediate(code, es_codegen_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, up);
}
