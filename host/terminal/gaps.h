/* Losses that follow each other without anything between them, as one: on a terminal, where a run that loses much
 * would show little else. */
#ifndef ES_TERMINAL_GAPS_H
#define ES_TERMINAL_GAPS_H

#include "record/record.h"

typedef struct es_gaps {
    es_lost lost[ES_LOST_KINDS]; /* by kind: all together; count 0: none */
    unsigned order[ES_LOST_KINDS], kinds;
    uint64_t count; /* of gaps */
} es_gaps;

void es_gaps_add(es_gaps *gaps, const es_lost *lost);

/* Gives a record for each kind, that of the first one first, and begins anew. */
void es_gaps_give(es_gaps *gaps, const es_schema *schema, const es_sink *sink);

#endif
