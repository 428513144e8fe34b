/* A run on one core, walked again from hits: instruction by instruction, with a stack of calls for each thread. */
#ifndef ES_PREDICT_WALK_H
#define ES_PREDICT_WALK_H

#include "predict/follow.h"
#include "predict/hits.h"
#include "predict/points.h"

typedef struct es_predict_walk {
    const es_predict_routes *routes;
    const es_predict_rehearsal *rehearsal;
    const es_predict_library *library;
    const es_predict_hits *hits;
    const es_predict_shareds *shareds;
    es_predict_follower *follower;
    uint64_t blocks, told;  /* that were walked; hits at places that told them */
    bool ended;             /* it has come to the program's end */
    uint64_t heard, walked; /* clocks from main to the last hit at a place: by the hits, and by the way */
    size_t apart;           /* the first hit whose time is not that of the way; SIZE_MAX: there is none */

    /* private */
    bool over; /* hits end within a call of the library */
    struct es_predict_walk_thread *threads;
    size_t thread_count, now; /* now: the one that runs */
    size_t next;              /* hit */
    uint32_t block, pc;
    uint32_t made, priority; /* the thread that was created last */
    uint32_t switches;       /* procedure that switches between threads; ES_PREDICT_NONE: there is none */
    uint32_t runs;           /* what was written to `running` last */
    uint64_t alone;          /* blocks since the last hit at a place */
    uint64_t begun_heard, begun_walked;
    es_error *err;
} es_predict_walk;

/* Before main's first instruction: it returns to `ra`, and is run by the thread `self`. ES_USAGE: hits and program do
 * not fit. */
bool es_predict_walk_run(es_predict_walk *walk, uint32_t self, uint32_t ra, es_error *err);

#endif
