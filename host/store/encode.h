/* Records as the bytes of events. */
#ifndef ES_STORE_ENCODE_H
#define ES_STORE_ENCODE_H

#include "base/text.h"
#include "record/record.h"
#include "store/layout.h"

typedef struct es_encoder {
    const es_schema *schema;
    es_hit_layout *layouts;
    es_arena *arena;      /* of the layouts */
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

/* The most bytes that a record can take, with some that may be written after its end. */
size_t es_encode_room(const es_encoder *encoder, const es_record *record);

/* Any record but BEGIN. Returns the place after it; encoder->time is its event's, which never goes back. */
uint8_t *es_encode(es_encoder *encoder, uint8_t *out, const es_record *record);

#endif
