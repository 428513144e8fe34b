/* The fewest places whose hits tell which way a program has gone (Knuth 1973; Ball and Larus 1994), and the statements
 * to hear them by: for a trace of a target that has no recorder.
 *
 * Places tell the way when, wherever it may part, the next hit says which part is taken: among the ways through all
 * procedures, calls and returns included. Whether they do is a question about grammars (routes.h). */
#ifndef ES_PREDICT_POINTS_H
#define ES_PREDICT_POINTS_H

#include "base/text.h"
#include "predict/rehearse.h"
#include "predict/routes.h"

/* Names of statements: what is hit, and its address in hexadecimal digits after it. */
#define ES_PREDICT_HIT_AT "at_"         /* a place */
#define ES_PREDICT_HIT_OBJECT "object_" /* something that threads share */
#define ES_PREDICT_HIT_RUNS "runs_"     /* `running` */
#define ES_PREDICT_HIT_READY "ready_"   /* the list of ready threads */
#define ES_PREDICT_HIT_JOINS "joins_"   /* `threads` */
#define ES_PREDICT_HIT_BODY "body_"     /* ... */
#define ES_PREDICT_HIT_PRIORITY "priority_"

/* Leaves those blocks as points that are passed least often and tell the way. Always among them: main, the program's
 * end, switches between threads, and the functions that are abstract events. */
void es_predict_points_choose(es_predict_routes *routes, const es_predict_rehearsal *rehearsal);

/* What the statements would be about: objects of static storage that threads share. */
typedef struct es_predict_shared {
    uint32_t address;
    enum es_predict_kind kind; /* ES_PREDICT_LOCK, _WAIT, _BARRIER, _ACQUIRE, _PUT */
    char *name;                /* as statements name it */
} es_predict_shared;

typedef struct es_predict_shareds {
    es_predict_shared *items; /* by address */
    size_t count;
} es_predict_shareds;

void es_predict_shareds_find(const es_symbols *symbols, es_predict_shareds *shareds);
void es_predict_shareds_free(es_predict_shareds *shareds);

/* Statements for `earshot watch`: places, who runs, what is asked of whom. */
void es_predict_points_write(const es_predict_routes *routes, const es_predict_library *library, es_text_buffer *out);

#endif
