/* Where scenarios certainly were, of states that are exclusive (machine.h), and when: what others' paths must not
 * cross. */
#ifndef ES_INFER_FACTS_H
#define ES_INFER_FACTS_H

#include "infer/check.h"

typedef struct es_infer_facts es_infer_facts;

/* NULL: the model has no exclusive states. `hidden` as in es_infer_check_options. */
es_infer_facts *es_infer_facts_new(const es_infer_model *model, bool hidden);
void es_infer_facts_free(es_infer_facts *facts); /* NULL is fine */

/* A loss that is told; each step of a scenario, before the scenario is moved. */
void es_infer_facts_loss(es_infer_facts *facts, const es_infer_loss *loss);
void es_infer_facts_step(es_infer_facts *facts, const es_infer_step *step, const es_infer_scenario *scenario);

/* When another scenario was in the states of an exclusive. */
typedef struct es_infer_exclusion {
    uint32_t exclusive;
    bool all; /* every value has a scenario; otherwise: */
    es_infer_value value;
    int64_t begin, end; /* ns; the same: at that time */
} es_infer_exclusion;

typedef struct es_infer_excluded {
    es_infer_exclusion *list;
    uint32_t count;
    uint32_t own; /* the exclusive in which the scenario itself is at the beginning; ES_INFER_NONE: not known, ... */
    es_infer_value own_value; /* ... and by which value */
} es_infer_excluded;

/* All between two times that is not the scenario's own with that key; lives in the arena. */
void es_infer_facts_exclude(const es_infer_facts *facts, uint32_t machine, es_infer_value key, int64_t begin,
                            int64_t end, es_arena *arena, es_infer_excluded *to);

/* Until when a scenario that is in the exclusive from a time on may stay there: another one comes. INT64_MAX: none.
 * Earlier than `from`: it cannot be there at all. value NULL: it is not known. */
int64_t es_infer_excluded_until(const es_infer_excluded *excluded, uint32_t exclusive, const es_infer_value *value,
                                int64_t from);

#endif
