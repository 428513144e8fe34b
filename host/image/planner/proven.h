/* What the tap can prove. Where a processor fetches ahead (or guesses, or fills lines of a cache), a fetch on its bus
 * says nothing about what is executed: neither which instruction wrote, nor what was called. What rests on that is
 * refused; writes to variables are as true as ever. docs/attach-core.md, "What a fetch proves". */
#ifndef ES_IMAGE_PLANNER_PROVEN_H
#define ES_IMAGE_PLANNER_PROVEN_H

#include "image/plan/plan.h"
#include "image/plan/plan_private.h"

/* Whether a statement rests on nothing but accesses to data, where fetches prove nothing (plan->blind). Else fails with
 * ES_USAGE at what does. */
bool es_proven_check(const image_plan *plan, const es_statement *statement, const plan_uses *uses, es_error *err);

/* What fetches would have to tell of a program as a whole. Fails with ES_USAGE. */
bool es_proven_program(const es_program *program, const es_blindness *blind, es_error *err);

#endif
