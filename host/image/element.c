#include "image/element.h"

#include "image/written.h"

size_t element_count(const es_reference *reference)
{
    size_t count = 1;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        count *= reference->subscripts[i].count;
        if (count > ELEMENTS_MAX)
            return ELEMENTS_MAX + 1;
    }
    return count;
}

es_reference element_at(const es_reference *reference, size_t n)
{
    es_reference element = *reference;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        element.address += (uint32_t)(n % reference->subscripts[i].count) * reference->subscripts[i].stride;
        n /= reference->subscripts[i].count;
    }
    element.subscript_count = 0;
    return element;
}

bool element_check(const image_plan *plan, const es_statement *statement, size_t index, bool old, bool compound,
                   es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (!reference->subscript_count)
        return true;
    if (compound)
        return plan_refuse(plan, statement, index, err,
                           "a statement about one event may have it; here, name an element: a[2]",
                           "a variable index in a compound event is not available in this version");
    if (old && (reference->size > 4 || reference->bit_size))
        return plan_refuse(
            plan, statement, index, err, "name an element: old(a[2])",
            "old() of a bit-field or of 64 bits in an element with a variable index is not available in this version");
    if (element_count(reference) > ELEMENTS_MAX)
        return plan_refuse(plan, statement, index, err, "watch those that matter: a[2]",
                           "this may be one of more than %u elements", ELEMENTS_MAX);
    uint32_t unit = reference->size < 4 ? reference->size : 4, odd = reference->address % unit;
    for (size_t i = 0; i < reference->subscript_count; i++)
        odd |= reference->subscripts[i].stride % unit;
    if (odd)
        return plan_refuse(plan, statement, index, err, "name an element: a[2]",
                           "elements that are not aligned cannot have a variable index");
    return true;
}

uint32_t element_place(image_plan *plan, uint32_t at)
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
    rv_code *code = g->code;
    unsigned sum = codegen_register(g, 0), index = codegen_register(g, 1);
    for (size_t i = 0; i < reference->subscript_count; i++) {
        const es_subscript *subscript = &reference->subscripts[i];
        unsigned rd = i ? index : sum;
        codegen_value(g, subscript->index, i ? 1 : 0);
        rv_li(code, RV_T6, subscript->count);
        rv_branch(code, RV_BGEU, rd, RV_T6, no);
        multiply_constant(g, rd, subscript->stride);
        if (i)
            rv_r(code, RV_ADD, sum, sum, index);
    }
    if (reference->frame) {
        codegen_cell(g, reference->frame, index);
        rv_r(code, RV_ADD, sum, sum, index);
    }
    rv_li(code, index, reference->address + (reference->frame ? 0 : ES_PHANTOM_BASE - g->limits->window_base));
    rv_r(code, RV_ADD, sum, sum, index);
}

/* Clears bits in a0 when the hit's word, or for what is narrower its lanes, is not in the element, whose address is in
 * register 0. */
static void match(generator *g, const es_reference *reference, uint32_t bits)
{
    rv_code *code = g->code;
    unsigned at = codegen_register(g, 0), word = codegen_register(g, 1), other = rv_label(code), done = rv_label(code);
    rv_li(code, RV_T6, bits);
    rv_r(code, RV_AND, RV_T6, RV_T6, RV_A0);
    rv_branch(code, RV_BEQ, RV_T6, RV_ZERO, done);
    rv_i(code, RV_LW, word, RV_REGS, (int32_t)ES_REG_HIT_ADDR);
    rv_li(code, RV_T6, ES_PHANTOM_BASE - g->limits->window_base + 3);
    rv_r(code, RV_ADD, word, word, RV_T6);
    rv_r(code, RV_SUB, word, word, at); /* from -3 to size - 1 when the word has bytes of it, plus 3 */
    rv_i(code, RV_SLTIU, word, word, reference->size + 3);
    rv_branch(code, RV_BEQ, word, RV_ZERO, other);
    if (reference->size < 4) {
        rv_i(code, RV_LW, word, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
        rv_i(code, RV_SRLI, word, word, ES_HIT_LANES_SHIFT);
        rv_i(code, RV_ANDI, RV_T6, at, 3);
        rv_r(code, RV_SRL, word, word, RV_T6);
        rv_i(code, RV_ANDI, word, word, (1 << reference->size) - 1);
        rv_branch(code, RV_BNE, word, RV_ZERO, done);
    } else {
        rv_jump(code, done);
    }
    rv_place(code, other);
    rv_li(code, RV_T6, ~bits);
    rv_r(code, RV_AND, RV_A0, RV_A0, RV_T6);
    rv_place(code, done);
}

void element_find(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    bool some = false;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (!reference->subscript_count)
            continue;
        int32_t low;
        find(g, reference, no);
        unsigned base = codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)i, RV_T6, &low);
        rv_store(g->code, RV_SW, codegen_register(g, 0), base, low);
        bool written = i < statement->predicate_count && g->statement->write_bit[i] >= 0,
             old = g->statement->old_bit[i] >= 0;
        bool read = g->statement->read_bit[i] >= 0;
        if (written || old || read)
            match(g, reference,
                  (written ? 1u << g->statement->write_bit[i] : 0) | (old ? 1u << g->statement->old_bit[i] : 0) |
                      (read ? 1u << g->statement->read_bit[i] : 0));
        some |= written || read;
        if (reference->frame) {
            written_check_element(g, reference, codegen_register(g, 0), codegen_register(g, 1));
            base = codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)i, RV_T6, &low);
            rv_store(g->code, RV_SW, codegen_register(g, 0), base, low);
        }
    }
    if (some)
        rv_branch(g->code, RV_BEQ, RV_A0, RV_ZERO, no);
}

void element_load(generator *g, size_t index, unsigned rd)
{
    int32_t low;
    unsigned base = codegen_ram(g->code, g->plan, g->plan->elements + 4 * (uint32_t)index, rd, &low);
    rv_i(g->code, RV_LW, rd, base, low);
}

void element_load_old(generator *g, size_t index, unsigned rd)
{
    const es_reference *reference = &g->statement->statement->references[index];
    rv_code *code = g->code;
    unsigned lanes = (1u << reference->size) - 1;
    element_load(g, index, rd);
    rv_i(code, RV_ANDI, rd, rd, 3);
    written_check_before(g, reference, rd);
    if (g->checks_old) {
        rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
        rv_i(code, RV_ANDI, RV_T6, RV_T6, ES_HIT_OLD_KNOWN);
        rv_branch(code, RV_BEQ, RV_T6, RV_ZERO, g->unknown);
        if (reference->size > 1) { /* written in parts: what it was before the first of them has not been kept */
            rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
            rv_i(code, RV_SRLI, RV_T6, RV_T6, ES_HIT_LANES_SHIFT);
            rv_r(code, RV_SRL, RV_T6, RV_T6, rd);
            rv_i(code, RV_ANDI, RV_T6, RV_T6, (int32_t)lanes);
            rv_i(code, RV_ADDI, RV_T6, RV_T6, -(int32_t)lanes);
            rv_branch(code, RV_BNE, RV_T6, RV_ZERO, g->unknown);
        }
    }
    rv_i(code, RV_SLLI, rd, rd, 3);
    rv_i(code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_OLD);
    rv_r(code, RV_SRL, rd, RV_T6, rd);
    if (reference->size == 4)
        return;
    int32_t up = 32 - 8 * (int32_t)reference->size;
    rv_i(code, RV_SLLI, rd, rd, up);
    rv_i(code, codegen_is_signed(reference->type) ? RV_SRAI : RV_SRLI, rd, rd, up);
}
