/* Which marks of a program can follow which: reachability in its code without passing another mark. */
#ifndef ES_NET_MARK_FLOW_H
#define ES_NET_MARK_FLOW_H

#include "base/arena.h"
#include "net/program/table.h"
#include "symbols/symbols.h"

#define ES_NET_NEVER UINT32_MAX

typedef struct es_net_mark_flow {
    const es_net_mark_place *marks;
    size_t count;
    /* [from * count + to]: the fewest clocks on the reference target from the end of one mark to the beginning of the
     * next, or ES_NET_NEVER when no way leads there. from = count: the program's start, so there are count + 1 rows. */
    const uint32_t *clocks;
} es_net_mark_flow;

/* Follows branches, jumps, calls and returns; a return goes after every call that may lead there, an indirect call to
 * every procedure whose address is taken. A jump through a register may go anywhere in its procedure and to every
 * procedure whose address is taken. So it errs towards more marks. Fails with ES_USAGE at such a jump in a procedure
 * with marks. All in the arena. */
bool es_net_mark_flow_make(es_net_mark_flow *flow, es_arena *arena, const es_symbols *symbols,
                           const es_net_mark_place *marks, size_t count, es_error *err);

#endif
