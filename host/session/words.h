/* From an event of the probe to a hit in the words of the source. */
#ifndef ES_SESSION_WORDS_H
#define ES_SESSION_WORDS_H

#include "session/schema.h"
#include "stream/event.h"

typedef struct es_words es_words;

/* All three must outlive it; names that come up are added to the schema's. */
es_words *es_words_new(const es_symbols *symbols, const es_program *program, const es_schema *schema,
                       const es_leaves *leaves);
void es_words_free(es_words *words);

/* Times of events were moved by so much: the probe's own, which their words hold the low halves of, begin there. */
void es_words_set_base(es_words *words, uint64_t time_base);

/* Fetches on the probe's bus prove nothing: places and paths of events are not told. */
void es_words_set_blind(es_words *words, bool blind);

/* Of a HIT event of a statement that there is. Valid until the next call. */
const es_hit *es_words_hit(es_words *words, const es_event *event);

#endif
