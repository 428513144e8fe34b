/* What statements about some time wait for, where it takes more than one word of static storage: `x > 80 && y < 3
 * for 10ms`, and `x unchanged for 10ms` of any variable, with conditions and prints of others.
 *
 * At each write to a variable of the condition (an event of it) a note evaluates it, or x, and begins the time
 * anew unless it goes on: it was so at the event before, and nothing that it needs has ceased to exist since.
 * Values that will be shown are copied at these writes and at those to themselves.
 *
 * A local ends with its activation, and also while another one is meant; what a pointer points to when the pointer
 * moves, an element with a variable index when that changes. The first two are noted when they happen (es_holds_end):
 * the deadline may have passed before, but that is asked for later, as without them. */
#ifndef ES_IMAGE_TIMES_HOLDS_H
#define ES_IMAGE_TIMES_HOLDS_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Where copies begin in those that are shared by the parts of a compound event. */
#define HOLDS_COPY 4u

/* Event bits of the note: a write to a variable of the condition (or to one that may be the element that is meant:
 * others); to what is only shown. */
#define HOLDS_EVENT 1u

#define HOLDS_SHOWN 2u

/* Whether a statement is a single condition with `for`. */
bool es_holds_is(const es_statement *statement);

/* Makes the plan of a deadline that is evaluated. Fails with ES_USAGE when it has too many parts. */
bool es_holds_plan(image_plan *plan, plan_deadline *deadline, es_error *err);

/* Adds the writes that matter to it as those of the routine of this number. */
void es_holds_add_notes(image_plan *plan, const plan_deadline *deadline, size_t handler);

/* RAM offset of the copy of a reference's value with which the condition is evaluated, or which is shown; 0: there is
 * none. */
static inline uint32_t holds_copy(const plan_deadline *deadline, size_t index)
{
    return deadline->held[index].copy ? deadline->record + deadline->held[index].copy : 0;
}

static inline uint32_t holds_shown(const plan_deadline *deadline, size_t index)
{
    if (!deadline->part)
        return holds_copy(deadline, index);
    return deadline->held[index].shown ? deadline->copies + deadline->held[index].shown : 0;
}

/* Whether something is shown that the condition does not name; whether the note has to know what was written. */
bool es_holds_shows(const plan_deadline *deadline, const es_statement *statement);

bool es_holds_has_events(const plan_deadline *deadline, const es_statement *statement);

/* Which reference x of `unchanged for` is. */
size_t es_holds_index(const plan_deadline *deadline, const es_statement *statement);

/* What es_place_value would load of a variable, from the words that it lies in. */
void es_holds_initial(const es_reference *reference, const uint32_t words[3], uint32_t value[2]);

#endif
