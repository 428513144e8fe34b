/* What the files of the plan share: plan.c (one statement after another), plan_triggers.c (which events concern it),
 * plan_place.c (all writes together, and RAM). */
#ifndef ES_IMAGE_PLAN_PRIVATE_H
#define ES_IMAGE_PLAN_PRIVATE_H

#include "image/plan.h"

#define PLAN_DEPTH_MAX 2000 /* of an expression tree: host recursion stays bounded */

/* The event assumed: a write to a reference, or a control event. */
typedef struct plan_assumption {
    const es_statement *statement;
    const es_reference *written; /* or: */
    const es_reference *read;    /* both NULL: control event */
    plan_control control;
} plan_assumption;

/* Whether the event can make the predicate true, as far as it alone tells. */
bool es_plan_can_be_true(const es_expr *predicate, const plan_assumption *event);

/* What the expressions of a statement name. */
typedef struct plan_uses {
    bool *write, *old, *age, *read; /* by reference */
    bool *named;                    /* its writes are events, as it stands not just in read() */
    bool reads;
    plan_control *controls;
    size_t control_count;
    bool too_deep;
    bool unchanged; /* `unchanged for` */
    bool substates; /* conditions on paths */
} plan_uses;

void es_plan_find_uses(const es_expr *expr, es_arena *arena, plan_uses *uses);
/* Of all conditions. */
void es_plan_find_event_uses(const es_event_tree *event, es_arena *arena, plan_uses *uses);
/* Events that expressions do not name: where a path begins, when a condition consists of paths. */
void es_plan_find_triggers(const es_event_tree *event, es_arena *arena, plan_uses *uses);

/* Lanes of word number `word` that hold a reference's value. */
uint8_t es_plan_lanes_in(const es_reference *reference, unsigned word);

/* The address of the first byte with bits of it, and how many bytes have. */
static inline uint32_t plan_first_byte(const es_reference *reference)
{
    return reference->address + reference->bit_offset / 8u;
}

static inline unsigned plan_byte_count(const es_reference *reference)
{
    return (reference->bit_offset % 8u + plan_bits(reference) + 7) / 8;
}

static inline bool plan_in_same_word(const es_reference *a, const es_reference *b)
{
    return a->frame == b->frame && !a->via && !b->via && plan_first_word(a) == plan_first_word(b) &&
           !plan_is_large(a) && !plan_is_large(b) && !a->subscript_count && !b->subscript_count;
}

/* What plan_write.slot is for a procedure's locals. */
uint16_t es_plan_slot_of(const image_plan *plan, const es_procedure *procedure);

void es_plan_add_write(image_plan *plan, const plan_write *write);

/* Sorts writes by place, joins those that always fire together, and gives them RAM. Fails with ES_USAGE when a word holds parts of
 * too many variables. */
bool es_plan_settle_writes(image_plan *plan, es_error *err);

#endif
