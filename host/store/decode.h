/* The bytes of events as records: encode.h the other way. */
#ifndef ES_STORE_DECODE_H
#define ES_STORE_DECODE_H

#include "record/record.h"
#include "store/layout.h"

#define ES_DECODE_SLACK 8u /* bytes after the events that may be read, whatever they are */

typedef struct es_decoder {
    const es_schema *schema;
    es_hit_layout *layouts;
    es_arena *arena;       /* of what lives as long as the decoder */
    const uint32_t *names; /* the schema's names by number in the chunk, from 0 to name_count */
    uint32_t name_count;
    uint64_t format; /* of the chunk; ES_TRACE_FORMAT at first */
    bool bad;

    bool has_exact; /* about the next event */
    uint64_t exact_time;
    uint32_t exact_values, exact_objects;

    /* What records point to. */
    es_hit hit;
    es_value *values;
    es_composite_state *objects;
    es_lost lost;
    es_inferred inferred;
    es_inferred_path inferred_paths[ES_INFERRED_MAX];
    es_progress progress;
    es_clock_told clock;
    es_summary summary;
    uint64_t *numbers;       /* by statement */
    es_arena *summary_arena; /* NULL: none yet */
} es_decoder;

void es_decoder_begin(es_decoder *decoder, const es_schema *schema);
void es_decoder_end(es_decoder *decoder);

/* Takes the event at *at, which moves on. *time: of the record, or that of its event where it has none. kind is
 * ES_RECORD_BEGIN when the event is no record. False: it is damaged. What the record points to is valid until the next
 * call. */
bool es_decode(es_decoder *decoder, const uint8_t **at, const uint8_t *end, es_record *record, uint64_t *time);

#endif
