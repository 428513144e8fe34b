/* The basic blocks that a program may go through from main on, with the ways between them, calls and returns among
 * them: what is needed to find a run's way from hits at some of them. */
#ifndef ES_PREDICT_ROUTES_H
#define ES_PREDICT_ROUTES_H

#include "predict/code.h"
#include "predict/library.h"

enum es_predict_leaving {
    ES_PREDICT_GOES_ON, /* to `next`, or where that is not known, nowhere */
    ES_PREDICT_BRANCHES,
    ES_PREDICT_CALLS,          /* `target`, and comes back to `next` */
    ES_PREDICT_CALLS_ANY,      /* one of `entries` */
    ES_PREDICT_RETURNS,        /* to who has called */
    ES_PREDICT_JUMPS_ANYWHERE, /* to a block of its procedure that nothing else leads to, or to one of `entries` */
};

typedef struct es_predict_route {
    uint32_t address, end; /* of the first and of the last instruction */
    enum es_predict_leaving leaves;
    uint32_t next, target; /* blocks; ES_PREDICT_NONE: none */
    uint32_t procedure;    /* number of it */
    uint32_t return_to;    /* address after a call */
    uint64_t passed;       /* how often, as far as known */
    bool point;            /* the way is told by hits here */
    bool kept;             /* ... in any case */
    bool bare;             /* no block leads here, but it is no procedure's first one */
} es_predict_route;

typedef struct es_predict_routes {
    const es_predict_code *code;
    es_predict_route *blocks; /* by address */
    size_t count;
    uint32_t *entries; /* blocks that begin procedures whose address is taken */
    size_t entry_count;
    size_t procedure_count;
    uint64_t *looks; /* private: what may be hit next from each block on, when nothing was since */
    size_t words;
} es_predict_routes;

/* All blocks that main and what it may call lead to, all of them points. ES_USAGE: the program has no main. */
bool es_predict_routes_find(es_predict_routes *routes, const es_predict_code *code, es_error *err);
void es_predict_routes_free(es_predict_routes *routes);

/* The block that begins at an address; ES_PREDICT_NONE: none does. */
uint32_t es_predict_route_at(const es_predict_routes *routes, uint32_t address);

/* Takes points for what they are now, for es_predict_routes_tell and _may. */
void es_predict_routes_look(es_predict_routes *routes);
/* The next hit always tells which way is taken: a grammar of the program's hits is LL(1). After a look. */
bool es_predict_routes_tell(const es_predict_routes *routes);
/* From the block's beginning on, `hit` (a block) may be the next one that is hit; where the procedure may end before,
 * also by one of those that called it. After a look. */
bool es_predict_routes_may(const es_predict_routes *routes, uint32_t block, uint32_t hit);

/* Where a block may lead, by itself or calling: calls `each` with every one of these blocks. */
void es_predict_routes_each(const es_predict_routes *routes, uint32_t block, void (*each)(void *context, uint32_t to),
                            void *context);

#endif
