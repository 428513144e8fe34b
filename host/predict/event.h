/* Abstract events of threads (Nutt 1991): what a thread asks of the library of threads, apart from how long that takes
 * on a certain machine. A spin is one request, whatever it was in the run that was recorded. */
#ifndef ES_PREDICT_EVENT_H
#define ES_PREDICT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum es_predict_kind {
    ES_PREDICT_END,       /* the thread ends */
    ES_PREDICT_FORK,      /* arg: the thread that begins */
    ES_PREDICT_JOIN,      /* arg: the thread that has to have ended */
    ES_PREDICT_LOCK,      /* object: a mutex */
    ES_PREDICT_UNLOCK,    /* the same */
    ES_PREDICT_WAIT,      /* object: a condition; arg: the mutex that is given up meanwhile */
    ES_PREDICT_SIGNAL,    /* object: a condition, of whose waiting threads one goes on */
    ES_PREDICT_BROADCAST, /* ... all go on */
    ES_PREDICT_BARRIER,   /* object; arg: so many threads meet there */
    ES_PREDICT_ACQUIRE,   /* object: a semaphore, counted down; waits at 0 */
    ES_PREDICT_RELEASE,   /* counted up */
    ES_PREDICT_PUT,       /* object: a queue; waits while it is full */
    ES_PREDICT_GET,       /* waits while it is empty */
    ES_PREDICT_YIELD,     /* others go first */
    ES_PREDICT_KINDS
};

typedef struct es_predict_event {
    uint8_t kind;
    uint32_t object; /* number of it; ES_PREDICT_NONE: none */
    uint32_t arg;
} es_predict_event;

#define ES_PREDICT_NONE UINT32_MAX

/* "lock", "get" ... */
const char *es_predict_kind_name(enum es_predict_kind kind);
/* The kind of that name; ES_PREDICT_KINDS: there is none. */
enum es_predict_kind es_predict_kind_of(const char *name);
/* It is about a thing that threads share: `object` is used. */
bool es_predict_kind_has_object(enum es_predict_kind kind);

#endif
