#include "image/places/indexed.h"

#include <string.h>

#include "image/image.h"
#include "image/plan/named.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/triggers.h"
#include "lang/statement.h"

/* --- which references --------------------------------------------------------------------------------------------- */

/* Visitors; context: bool by reference. */
static bool mark_reference(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_REFERENCE)
        ((bool *)context)[expr->index] = true;
    return false;
}

/* The age of what is found by an index is that of the element which is meant. */
static bool mark_aged(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_AGE)
        ((bool *)context)[expr->index] = true;
    return false;
}

static void mark_aged_of(const es_statement *statement, bool *marks)
{
    es_statement_find(statement, mark_aged, marks);
    for (size_t k = 0, items = es_image_value_count(statement); k < items; k++)
        if (es_image_value(statement, k)->kind == ES_ITEM_AGE)
            marks[es_image_value(statement, k)->index] = true;
}

/* What an index is made of has to be known, and to change, at writes to variables and in actions alone. */
static bool is_not_followed(void *context, const es_expr *expr)
{
    (void)context;
    return !es_named_value(expr);
}

static bool waits(const es_statement *statement)
{
    return (statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR))) != 0;
}

/* When a counter in an index changes, the place moves once the statement that changes it is done. An event that is at
 * hand then is one of the place before: nobody may ask for the place any more. */
static bool check_counters(const image_plan *plan, size_t number, const es_expr *index, es_error *err)
{
    const es_statement *of = &plan->program->statements[number];
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        const es_expr *counter = es_named_changed_by(statement, index);
        es_source source = counter && counter->source.file ? counter->source : of->source;
        if (!counter)
            continue;
        if (waits(statement) || waits(of))
            return es_plan_refuse_at(plan, source, 1, err, "an index made of variables, or a counter without `for`",
                                     "with `for` or `unchanged for`, where something is cannot follow from a counter: "
                                     "deadlines are noticed later, and counters have changed by then");
        if (s < number)
            return es_plan_refuse_at(
                plan, source, 1, err, "put this statement before that one",
                "statement '%s', which comes before this one, changes this counter: at an event of "
                "both, where this is would change before it is asked for",
                statement->name);
    }
    return true;
}

static bool check_found_by(const image_plan *plan, const es_statement *statement, size_t index, bool leads,
                           es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (reference->frame)
        return es_plan_refuse(plan, statement, index, err,
                              leads ? "name an element: f\\a[2]->x" : "copy the element to a variable",
                              "%s: an element of a local array with a variable index has no age, and cannot lead to "
                              "others: which ones this activation has written is not known",
                              reference->text);
    for (size_t i = 0; i < reference->subscript_count; i++) {
        const es_expr *other = es_expr_find(reference->subscripts[i].index, is_not_followed, NULL);
        if (other)
            return es_plan_refuse_at(
                plan, other->source.file ? other->source : statement->source, 1, err,
                "an index made of variables and constants",
                "%s: where this is has to follow from variables and counters alone, without events, paths and old()",
                reference->text);
        if (!check_counters(plan, (size_t)(statement - plan->program->statements), reference->subscripts[i].index, err))
            return false;
    }
    return true;
}

/* By reference: whether its place is followed. */
static bool *find_marks(const image_plan *plan, const es_statement *statement, bool *some, es_error *err)
{
    size_t count = statement->reference_count;
    bool *leads = es_arena_alloc(plan->arena, count + 1), *marks = es_arena_alloc(plan->arena, count + 1);
    bool *aged = es_arena_alloc(plan->arena, count + 1);
    mark_aged_of(statement, aged);
    *some = false;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        if (es_image_snapshot(statement, k)->place.via)
            leads[es_image_snapshot(statement, k)->place.base] = true;
    for (size_t i = count; i-- > 0;) { /* what leads to a reference stands before it */
        const es_reference *reference = &statement->references[i];
        if (reference->via)
            leads[reference->base] = true;
        marks[i] = reference->subscript_count && (reference->via || leads[i] || aged[i]);
        if (!marks[i])
            continue;
        if (!check_found_by(plan, statement, i, leads[i], err))
            return NULL;
        *some = true;
        for (size_t k = 0; k < reference->subscript_count; k++)
            es_expr_find(reference->subscripts[k].index, mark_reference, leads);
    }
    return marks;
}

bool es_indexed_counts(const image_plan *plan, size_t statement)
{
    const es_program *program = plan->program;
    for (size_t s = 0; s < program->statement_count && plan->indices; s++)
        for (size_t i = 0; i < program->statements[s].reference_count; i++) {
            const plan_index *index = es_indexed_of(plan, s, i);
            for (size_t k = 0; index && k < index->count; k++)
                if (es_named_changed_by(&program->statements[statement], index->subscripts[k].index))
                    return true;
        }
    return false;
}

bool es_indexed_find(image_plan *plan, es_error *err)
{
    const es_program *program = plan->program;
    es_program *copy = NULL;
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        bool some, *marks = find_marks(plan, statement, &some, err);
        if (!marks)
            return false;
        if (!some)
            continue;
        if (!copy) {
            copy = es_arena_alloc(plan->arena, sizeof *copy);
            *copy = *program;
            copy->statements = es_arena_alloc(plan->arena, program->statement_count * sizeof *copy->statements);
            memcpy(copy->statements, program->statements, program->statement_count * sizeof *copy->statements);
            plan->indices = es_arena_alloc(plan->arena, program->statement_count * sizeof *plan->indices);
        }
        plan_index *indices = es_arena_alloc(plan->arena, statement->reference_count * sizeof *indices);
        es_reference *references = es_arena_alloc(plan->arena, statement->reference_count * sizeof *references);
        for (size_t i = 0; i < statement->reference_count; i++) {
            es_reference *reference = &references[i];
            *reference = statement->references[i];
            if (!marks[i])
                continue;
            indices[i] =
                (plan_index){reference->subscripts, reference->subscript_count, !reference->via, reference->address};
            reference->subscript_count = 0;
            if (!reference->via) {
                reference->via = true;
                reference->base = i;
                reference->address = 0;
            }
        }
        copy->statements[s].references = references;
        plan->indices[s] = indices;
    }
    if (copy)
        plan->program = copy;
    for (size_t s = 0; s < program->statement_count; s++)
        plan->counts |= es_indexed_counts(plan, s);
    return true;
}

const plan_index *es_indexed_of(const image_plan *plan, size_t statement, size_t reference)
{
    const plan_index *of = plan->indices ? plan->indices[statement] : NULL;
    return of && of[reference].count ? &of[reference] : NULL;
}

void es_indexed_uses(image_plan *plan, size_t statement, size_t reference, plan_uses *uses)
{
    const plan_index *index = es_indexed_of(plan, statement, reference);
    for (size_t k = 0; index && k < index->count; k++)
        es_plan_find_uses(index->subscripts[k].index, plan->arena, uses);
}

uint32_t es_indexed_moved_by(const image_plan *plan, size_t statement)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_index *index = plan->pointers[i].index;
        for (size_t k = 0; index && k < index->count; k++)
            if (es_named_changed_by(&plan->program->statements[statement], index->subscripts[k].index))
                bits |= 1u << i;
    }
    return bits;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

unsigned es_indexed_align(const plan_index *index, unsigned align)
{
    uint32_t odd = align | (index->fixed ? index->address : 0);
    for (size_t i = 0; i < index->count; i++)
        odd |= index->subscripts[i].stride;
    return odd & 1 ? 1 : odd & 2 ? 2 : 4;
}

static bool same_reference(const es_reference *a, const es_reference *b)
{
    return a->frame == b->frame && a->address == b->address && a->size == b->size && a->bit_offset == b->bit_offset &&
           a->bit_size == b->bit_size && a->via == b->via && plan_is_signed(a->type) == plan_is_signed(b->type) &&
           es_paths_same(a->path, b->path);
}

typedef struct sides {
    const es_statement *a, *b;
    const uint16_t *a_pointers, *b_pointers;
} sides;

static bool same_expr(const sides *of, const es_expr *a, const es_expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op || a->type != b->type || a->is_signed != b->is_signed ||
        a->operand_signed != b->operand_signed)
        return false;
    if (a->kind == ES_EXPR_CONST)
        return a->type == ES_VALUE_32 && a->value == b->value;
    if (a->kind == ES_EXPR_COUNTER)
        return a->index == b->index;
    if (a->kind == ES_EXPR_REFERENCE)
        return same_reference(&of->a->references[a->index], &of->b->references[b->index]) &&
               (!of->a->references[a->index].via || of->a_pointers[a->index] == of->b_pointers[b->index]);
    return same_expr(of, a->condition, b->condition) && same_expr(of, a->lhs, b->lhs) && same_expr(of, a->rhs, b->rhs);
}

bool es_indexed_same(const image_plan *plan, const plan_pointer *pointer, size_t statement, const plan_index *index,
                     const uint16_t *pointers)
{
    const plan_index *other = pointer->index;
    sides of = {plan->statements[pointer->statement].statement, plan->statements[statement].statement,
                plan->statements[pointer->statement].pointers, pointers};
    if (other->count != index->count || other->fixed != index->fixed ||
        (index->fixed && other->address != index->address))
        return false;
    for (size_t i = 0; i < index->count; i++)
        if (other->subscripts[i].stride != index->subscripts[i].stride ||
            other->subscripts[i].count != index->subscripts[i].count ||
            !same_expr(&of, other->subscripts[i].index, index->subscripts[i].index))
            return false;
    return true;
}

typedef struct visit {
    void (*with)(void *, size_t);
    void *context;
} visit;

static bool visit_reference(void *context, const es_expr *expr)
{
    const visit *of = context;
    if (expr->kind == ES_EXPR_REFERENCE)
        of->with(of->context, expr->index);
    return false;
}

void es_indexed_references(const image_plan *plan, const plan_pointer *pointer, void (*with)(void *, size_t reference),
                           void *context)
{
    (void)plan;
    for (size_t i = 0; pointer->index && i < pointer->index->count; i++)
        es_expr_find(pointer->index->subscripts[i].index, visit_reference, &(visit){with, context});
}
