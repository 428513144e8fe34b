#include "image/places/reads.h"

#include <stdlib.h>

#include "image/image.h"
#include "image/places/element.h"
#include "image/places/slots.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

typedef struct search {
    const es_statement *statement;
    uint32_t low;
} search;

static bool is_read_of_local(void *context, const es_expr *expr)
{
    const search *of = context;
    const es_procedure *frame = expr->kind == ES_EXPR_READ ? of->statement->references[expr->index].frame : NULL;
    return frame && frame->low == of->low;
}

bool es_reads_locals(const es_program *program, const es_procedure *procedure)
{
    for (size_t s = 0; s < program->statement_count; s++) {
        search of = {&program->statements[s], procedure->low};
        if (es_statement_find(of.statement, is_read_of_local, &of))
            return true;
    }
    return false;
}

static void add(image_plan *plan, plan_read read, const es_reference *reference)
{
    for (unsigned word = 0; word < plan_words(reference); word++) {
        read.word = plan_first_word(reference) + 4 * word;
        read.lanes = es_plan_lanes_in(reference, word);
        plan->reads = es_arena_grow(plan->arena, plan->reads, plan->read_count, sizeof *plan->reads);
        plan->reads[plan->read_count++] = read;
    }
}

bool es_reads_add(image_plan *plan, size_t statement, size_t index, uint16_t events, es_error *err)
{
    const es_statement *of = plan->statements[statement].statement;
    const es_reference *reference = &of->references[index];
    plan_read read = {.handler = statement, .events = events};
    if (reference->via) {
        const plan_pointer *pointer = &plan->pointers[plan->statements[statement].pointers[index] - 1];
        for (unsigned phase = 0; phase < 4; phase += pointer->align) {
            es_reference here = *reference; /* from the slot's base */
            here.address += phase;
            read.slot = (uint16_t)(es_slots_for_reads(plan, pointer->slot + phase / pointer->align) + 1);
            add(plan, read, &here);
        }
    } else {
        uint16_t slot = reference->frame ? es_plan_slot_of(plan, reference->frame) : 0;
        read.slot = (uint16_t)(slot ? es_slots_for_reads(plan, slot - 1u) + 1 : 0);
        for (size_t n = es_element_count(reference); n-- > 0;) {
            es_reference element = es_element_at(reference, n);
            add(plan, read, &element);
        }
    }
    return plan->slot_count <= ES_MI_SLOTS_MAX ||
           es_plan_refuse(plan, of, index, err, "watch fewer in one run",
                          "read(%s): with it there are more than %u places that move", reference->text,
                          ES_MI_SLOTS_MAX);
}

static int compare(const void *left, const void *right)
{
    const plan_read *a = left, *b = right;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    if (a->handler != b->handler)
        return a->handler < b->handler ? -1 : 1;
    return a->events == b->events ? (int)a->lanes - (int)b->lanes : (int)a->events - (int)b->events;
}

void es_reads_settle(image_plan *plan)
{
    if (plan->read_count)
        qsort(plan->reads, plan->read_count, sizeof *plan->reads, compare);
}

const plan_read *es_reads_end(const image_plan *plan, const plan_read *read)
{
    const plan_read *next = read, *end = plan->reads + plan->read_count;
    while (next < end && next->slot == read->slot && next->word == read->word)
        next++;
    return next;
}
