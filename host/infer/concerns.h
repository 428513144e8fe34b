/* Which machines an event concerns, and in which roles. */
#ifndef ES_INFER_CONCERNS_H
#define ES_INFER_CONCERNS_H

#include "infer/machine.h"

typedef struct es_infer_concern {
    uint32_t machine, role;
} es_infer_concern;

typedef struct es_infer_concerns {
    es_infer_concern *list;
    uint32_t *first; /* [event]: its first one, and one more */
    uint32_t event_count;
} es_infer_concerns;

/* Those of all events that the model knows; in the arena. */
void es_infer_concerns_find(es_infer_concerns *concerns, const es_infer_model *model, es_arena *arena);

#endif
