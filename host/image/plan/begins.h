/* Where debuggers stop at a procedure, as an event: there a statement's enter(f) happens when it names locals of f, as
 * f's first instructions have put the arguments on the stack by then. */
#ifndef ES_IMAGE_PLAN_BEGINS_H
#define ES_IMAGE_PLAN_BEGINS_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Settles where one of a statement's control events happens: control->begin. */
void es_begins_settle(const image_plan *plan, const es_statement *statement, plan_control *control);

/* Whether the event is told at an address to which execution has come from the instruction before. */
static inline bool begins_at(const plan_control *control, uint32_t address)
{
    return control->begin && control->begin == address;
}

#endif
