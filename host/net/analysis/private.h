/* What the files of the analysis share. */
#ifndef ES_NET_ANALYSIS_PRIVATE_H
#define ES_NET_ANALYSIS_PRIVATE_H

#include "net/analysis/analysis.h"

/* Some places of a net, to be looked at without the others. */
typedef struct es_net_part {
    const bool *places; /* by place: of the part */
    const bool *safe;   /* by place: proven to hold one token at most */
} es_net_part;

/* All states of the part, which can do at least what the net can: when `safe` is YES, all its places are safe in the
 * net. A NO says nothing of the net. NULL: the whole net. Deadlocks are looked for in the whole net only. */
es_net_states es_net_explore_part(const es_net *net, const es_net_part *part, size_t limit, es_arena *arena);

#endif
