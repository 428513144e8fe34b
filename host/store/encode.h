/* Records as the bytes of events. */
#ifndef ES_STORE_ENCODE_H
#define ES_STORE_ENCODE_H

#include "base/text.h"
#include "record/record.h"
#include "store/layout.h"

/* How a statement's hits are written. What they begin with is as the one before it had it: they are mostly all from a
 * few places. */
typedef struct es_hit_plan {
    es_hit_layout layout;
    uint8_t where[ES_HIT_WHERE_SIZE]; /* whose `head` it is */
    uint32_t head_size;               /* 0: none yet */
    uint8_t head[40];                 /* with the event's own; its time is not that of the next one */
} es_hit_plan;

typedef struct es_encoder {
    const es_schema *schema;
    es_hit_plan *hits;    /* by statement */
    es_arena *arena;      /* of these */
    uint32_t *numbers;    /* by the schema's names: their numbers in this chunk, 0: none yet */
    size_t numbers_room;  /* of `numbers` */
    uint32_t names;       /* that have numbers */
    es_text_buffer fresh; /* metadata of names that are new since who uses the encoder has taken them */
    uint64_t time;        /* of the last event */
} es_encoder;

void es_encoder_begin(es_encoder *encoder, const es_schema *schema);
void es_encoder_end(es_encoder *encoder);

/* Names have no numbers any more: a new chunk begins. */
void es_encoder_forget(es_encoder *encoder);

/* Of any event: heads of two, what is said before one, and what may be written after its end: numbers are written as 8
 * bytes, of which the next one takes back what is not its own. */
#define ES_ENCODE_ROOM (2u * ES_TRACE_EVENT_HEAD + 16 + 8)

size_t es_encode_texts_room(const es_hit_layout *layout, const es_hit *hit);
size_t es_encode_other_room(const es_encoder *encoder, const es_record *record);

/* The most bytes that a record can take, with some that may be written after its end. */
static inline size_t es_encode_room(const es_encoder *encoder, const es_record *record)
{
    if (record->kind != ES_RECORD_HIT)
        return es_encode_other_room(encoder, record);
    const es_hit_layout *layout = &encoder->hits[record->hit->statement].layout;
    return ES_ENCODE_ROOM + layout->least + 1 + layout->reasons * ES_TRACE_REASON_SIZE +
           (layout->only_slots ? 0 : es_encode_texts_room(layout, record->hit));
}

uint8_t *es_encode_hit(es_encoder *encoder, uint8_t *out, const es_hit *hit);
uint8_t *es_encode_other(es_encoder *encoder, uint8_t *out, const es_record *record);

/* Any record but BEGIN. Returns the place after it; encoder->time is its event's, which never goes back. */
static inline uint8_t *es_encode(es_encoder *encoder, uint8_t *out, const es_record *record)
{
    return record->kind == ES_RECORD_HIT ? es_encode_hit(encoder, out, record->hit)
                                         : es_encode_other(encoder, out, record);
}

#endif
