#include "daemon/batch.h"

#include <stdlib.h>

#include "base/arena.h"

#define BATCH_BYTES 65536u /* longer ones are ended: what is sent or left out is no more at a time */

es_batch *es_batch_new(bool needed)
{
    es_batch *batch = es_malloc(sizeof *batch);
    *batch = (es_batch){.users = 1, .needed = needed};
    return batch;
}

void es_batch_keep(es_batch *batch)
{
    batch->users++;
}

void es_batch_drop(es_batch *batch)
{
    if (--batch->users)
        return;
    es_text_free(&batch->text);
    free(batch);
}

es_batch *es_batches_last(es_batches *row, bool needed)
{
    es_batch *last = row->tail;
    if (last && last->needed == needed && last->text.length < BATCH_BYTES)
        return last;
    es_batch *batch = es_batch_new(needed);
    if (last)
        last->next = batch;
    else
        row->head = batch;
    return row->tail = batch;
}

es_batch *es_batches_take(es_batches *row)
{
    es_batch *batch = row->head;
    if (!batch)
        return NULL;
    row->head = batch->next;
    if (!row->head)
        row->tail = NULL;
    batch->next = NULL;
    row->bytes -= batch->text.length;
    return batch;
}

void es_batches_free(es_batches *row)
{
    for (es_batch *batch; (batch = es_batches_take(row));)
        es_batch_drop(batch);
}
