/* Hits of the statements that `earshot predict --points` writes (points.h), as `earshot watch --json` and `earshot read
 * --json` tell them: JSON Lines. */
#ifndef ES_PREDICT_HITS_H
#define ES_PREDICT_HITS_H

#include "base/error.h"
#include "predict/library.h"

enum es_predict_hit_kind {
    ES_PREDICT_HITS_PLACE,    /* address: of the place */
    ES_PREDICT_HITS_OBJECT,   /* address: of the object; value: how many it has, is worth, or has room for */
    ES_PREDICT_HITS_RUNS,     /* value: what runs now */
    ES_PREDICT_HITS_READY,    /* value: a thread that is ready */
    ES_PREDICT_HITS_JOINS,    /* value: a thread whose end is asked for */
    ES_PREDICT_HITS_BODY,     /* value: where a thread begins */
    ES_PREDICT_HITS_PRIORITY, /* value: of the thread at address */
};

typedef struct es_predict_hit {
    uint8_t kind;
    bool known; /* the value */
    uint32_t address, value;
    uint64_t cycle;
} es_predict_hit;

typedef struct es_predict_hits {
    es_predict_hit *items; /* in their order */
    size_t count;
} es_predict_hits;

/* The file is one of hits. */
bool es_predict_hits_are(const char *path);

/* ES_USAGE: it cannot be read, or something was lost on the way: then no way can be told. */
bool es_predict_hits_read(es_predict_hits *hits, const char *path, const es_predict_library *library, es_error *err);
/* The same from text that is in memory. */
bool es_predict_hits_parse(es_predict_hits *hits, const char *text, size_t length, const es_predict_library *library,
                           es_error *err);
void es_predict_hits_free(es_predict_hits *hits);

#endif
