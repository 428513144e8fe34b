/* Which tests for messages are loops that only ask: proven from the code. */
#ifndef ES_NET_ASKING_H
#define ES_NET_ASKING_H

#include "base/arena.h"
#include "net/program/table.h"
#include "symbols/symbols.h"

/* A test: its mark, and those that follow it where there is a message and where there is none. */
typedef struct es_net_asking_test {
    size_t mark, recv, none;
} es_net_asking_test;

typedef struct es_net_asking {
    bool *idle; /* by mark: a step of asking again (es_net_transition.idle) */
    /* By test: NULL, or what keeps `none` from being one, in words. A test whose message is never waited for in this
     * way, as what follows asks for nothing, has no words and is no loop. */
    const char **why;
    bool *asks; /* by test: its `none` is idle */
} es_net_asking;

/* `none` is a step of asking again when the code from there leads straight back to a test with the same marks, over
 * nothing but marks of the program, without a branch, load or store, and all registers that are changed on the way
 * round are written before they are read where the receive begins. Then how often the program asked makes no
 * difference to anything it does later; and each way between two marks takes as long as its instructions, which are
 * always the same. All in the arena. */
es_net_asking es_net_asking_find(es_arena *arena, const es_symbols *symbols, const es_net_mark_place *marks,
                                 size_t count, const es_net_asking_test *tests, size_t test_count);

#endif
