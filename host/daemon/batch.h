/* Lines on their way to clients. Many clients share one batch. */
#ifndef ES_DAEMON_BATCH_H
#define ES_DAEMON_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct es_batch {
    struct es_batch *next; /* in a list of who has it alone */
    es_text_buffer text;   /* whole lines */
    unsigned users;
    bool needed;          /* what follows makes no sense without it: it is never left out */
    uint64_t hits;        /* in it */
    uint64_t first, last; /* their times */
} es_batch;

/* With one user, and no text yet. */
es_batch *es_batch_new(bool needed);
void es_batch_keep(es_batch *batch);
void es_batch_drop(es_batch *batch);

/* Batches in a row. */
typedef struct es_batches {
    es_batch *head, *tail;
    size_t bytes;
} es_batches;

/* The batch at the end of the row that lines of this sort are to be added to. */
es_batch *es_batches_last(es_batches *row, bool needed);
es_batch *es_batches_take(es_batches *row); /* the first; NULL: none */
void es_batches_free(es_batches *row);

#endif
