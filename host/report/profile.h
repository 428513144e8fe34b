/* Times of procedures from hits at their beginnings and ends, which the call path joins. */
#ifndef ES_REPORT_PROFILE_H
#define ES_REPORT_PROFILE_H

#include "record/record.h"

typedef struct es_profile es_profile;

/* What has been learned of one call when it ends. */
typedef struct es_profiled {
    uint64_t inclusive_ns; /* from its beginning to its end */
    uint64_t self_ns;      /* the same without calls that are profiled, too */
    bool outermost;        /* it is not inside another call of the same procedure */
} es_profiled;

es_profile *es_profile_new(const es_schema *schema);
void es_profile_free(es_profile *profile);

/* Takes a hit of a procedure's statement. *begins: it is a beginning. Returns true when it ends a call whose beginning
 * was seen. */
bool es_profile_take(es_profile *profile, const es_aggregate *aggregate, const es_hit *hit, bool *begins,
                     es_profiled *call);

#endif
