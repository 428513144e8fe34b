/* What the plan's files share: what is assumed of an event, what a predicate uses, a reference's bytes and words. */
#ifndef ES_IMAGE_PLAN_PLAN_PRIVATE_H
#define ES_IMAGE_PLAN_PLAN_PRIVATE_H

#include "image/plan/plan.h"
#include "lang/statement.h"

#define PLAN_DEPTH_MAX 2000 /* of an expression tree: host recursion stays bounded */

/* The event assumed: a write to a reference, or a control event. */
typedef struct plan_assumption {
    const es_statement *statement;
    const es_reference *written; /* or: */
    const es_reference *read;    /* both NULL: control event */
    plan_control control;
} plan_assumption;

/* What the expressions of a statement name. */
typedef struct plan_uses {
    const es_statement *statement;
    bool *write, *old, *age, *read; /* by reference */
    bool *write_any, *read_any;     /* by area: the event is a write to one of its members, a read of one */
    bool *read_member;              /* by reference: of such an area */
    bool *named;                    /* its writes are events, as it stands not just in read() */
    bool reads;
    plan_control *controls;
    size_t control_count;
    bool too_deep;
    bool unchanged; /* `unchanged for` */
    bool substates; /* conditions on paths */
} plan_uses;

static inline bool plan_in_same_word(const es_reference *a, const es_reference *b)
{
    return a->frame == b->frame && !a->via && !b->via && plan_first_word(a) == plan_first_word(b) &&
           !plan_is_large(a) && !plan_is_large(b) && !a->subscript_count && !b->subscript_count;
}

#endif
