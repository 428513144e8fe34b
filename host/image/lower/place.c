#include "image/lower/place.h"

#include <stddef.h>

#include "image/image.h"
#include "image/lower/lives.h"
#include "image/lower/paths.h"
#include "image/lower/pointers.h"
#include "image/lower/times.h"
#include "image/lower/written.h"
#include "image/paths/automaton.h"
#include "image/places/found.h"
#include "image/plan/named.h"
#include "image/plan/paths.h"
#include "image/plan/writes.h"

typedef struct user {
    const generator *g;
    uint8_t *used;
} user;

static void use(const user *by, size_t index, bool old)
{
    es_found_mark(by->g->plan, (size_t)(by->g->statement - by->g->plan->statements), index, PLACE_VALUE, by->used);
    by->used[index] |= old ? PLACE_OLD : 0;
}

static bool use_named(void *context, const es_expr *expr)
{
    if (es_named_reference(expr))
        use(context, expr->index, expr->kind == ES_EXPR_OLD);
    return false;
}

const uint8_t *es_place_used(generator *g, const es_expr *expr, bool shown)
{
    const es_statement *statement = g->statement->statement;
    user by = {g, es_arena_alloc(g->plan->arena, statement->reference_count + 1)};
    es_expr_find(expr, use_named, &by);
    for (size_t k = 0, count = es_image_value_count(statement); shown && k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE || item->kind == ES_ITEM_AGE)
            use(&by, item->index, item->kind == ES_ITEM_VALUE && item->old);
    }
    for (size_t k = 0, count = es_image_snapshot_count(statement); shown && k < count; k++) {
        const es_reference *place = &es_image_snapshot(statement, k)->place;
        if (place->via)
            use(&by, place->base, false);
        for (size_t i = 0; i < place->subscript_count; i++)
            es_expr_find(place->subscripts[i].index, use_named, &by);
    }
    return by.used;
}

static bool is_used(const uint8_t *used, size_t index)
{
    return !used || used[index];
}

/* Activations: each path is asked for, not only the innermost, as where frames move that of an outer one may be known
 * while the inner one's is not, and the other way round. */
static void check_paths(generator *g, const uint8_t *used, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_path *path = statement->references[i].path;
        const es_procedure *frame = statement->references[i].frame; /* NULL: static storage */
        bool asked = !path || !is_used(used, i) || (frame && es_plan_frame_of(g->plan, frame)->path);
        for (size_t k = 0; k < i && !asked; k++) /* where the frame has one path, its cell tells */
            asked = is_used(used, k) && es_paths_same(statement->references[k].path, path);
        if (!asked)
            es_ir_branch(g->code, ES_IR_IF_NOT_LESS, es_paths_test(g->code, g->plan, path, AUTOMATON_EXISTS),
                         ES_IR_ZERO, no);
    }
}

/* Nothing but LATER is asked of the locals of a procedure, whose frame has no fixed place. */
static bool may_be_learned(const generator *g, const uint8_t *used, const es_procedure *frame)
{
    const es_statement *statement = g->statement->statement;
    bool later = used && es_plan_frame_of(g->plan, frame)->moves;
    for (size_t i = 0; i < statement->reference_count && later; i++)
        later = statement->references[i].frame != frame || !used[i] || used[i] == PLACE_LATER;
    return later;
}

/* The frame is known, or the activation, whose frame is not yet. */
static void check_activation(generator *g, const plan_frame *frame, unsigned no)
{
    unsigned known = es_ir_label(g->code);
    es_codegen_cell(g, frame->procedure, ES_IR_T6);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, known);
    es_ir_load(g->code, ES_IR_LOAD_BYTE, ES_IR_T6, ES_IR_RAM_BASE,
               (int32_t)(frame->meant + offsetof(struct es_mi_meant, depth)));
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
    es_ir_load(g->code, ES_IR_LOAD_HALF, ES_IR_T6, ES_IR_RAM_BASE,
               (int32_t)(frame->meant + offsetof(struct es_mi_meant, beyond)));
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, no);
    es_ir_here(g->code, known);
}

static void check_frames(generator *g, const uint8_t *used, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_procedure *frame = statement->references[i].frame;
        bool asked = !frame || !is_used(used, i);
        for (size_t k = 0; k < i && !asked; k++)
            asked = is_used(used, k) && statement->references[k].frame == frame;
        if (asked)
            continue;
        if (may_be_learned(g, used, frame)) {
            check_activation(g, es_plan_frame_of(g->plan, frame), no);
            continue;
        }
        es_codegen_cell(g, frame, ES_IR_T6);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
    }
}

static void check_pointers(generator *g, const uint8_t *used, unsigned no)
{
    const plan_statement *of = g->statement;
    size_t count = of->pointers ? of->statement->reference_count : 0;
    for (size_t i = 0; i < count; i++) {
        bool asked = !of->pointers[i] || !is_used(used, i);
        for (size_t k = 0; k < i && !asked; k++)
            asked = is_used(used, k) && of->pointers[k] == of->pointers[i];
        if (!asked)
            es_pointers_check(g, i, no);
    }
    for (size_t i = 0; i < count; i++)
        if (!used || used[i] & PLACE_OLD)
            es_pointers_check_old(g, i, no);
}

void es_place_check(generator *g, const uint8_t *used, unsigned no)
{
    check_paths(g, used, no);
    for (size_t i = 0; i < g->statement->statement->reference_count; i++)
        if (is_used(used, i))
            es_lives_check(g, i, no);
    if (g->statement->direct || g->statement->own_frame)
        return; /* evaluated at writes to its frame only */
    check_frames(g, used, no);
    check_pointers(g, used, no);
}

place_address es_place_address(generator *g, size_t index, bool before, unsigned word)
{
    const es_reference *reference = &g->statement->statement->references[index];
    if (!reference->subscript_count && !reference->via && !reference->frame)
        return (place_address){ES_IR_ZERO, ES_PHANTOM_BASE + (reference->address - g->limits->window_base)};
    es_ir_reg base = es_ir_new(g->code);
    if (reference->subscript_count) { /* es_element_find has made sure of the rest */
        es_times_load(g, base, g->plan->elements + 4 * (uint32_t)index);
        return (place_address){base, 0};
    }
    if (reference->via) {
        es_pointers_load(g, index, before, base);
    } else {
        es_codegen_cell(g, reference->frame, base);
        es_written_check(g, reference, word, base);
    }
    return (place_address){base, reference->address};
}
