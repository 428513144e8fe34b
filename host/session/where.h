/* Where a hit was, in the words of the source: place, path, task. What was said of the last hit at a place is said
 * again as long as nothing has changed. */
#ifndef ES_SESSION_WHERE_H
#define ES_SESSION_WHERE_H

#include "lang/statement.h"
#include "record/record.h"
#include "stream/event.h"

typedef struct es_where es_where;

/* All three must outlive it; names that come up are added to the schema's. */
es_where *es_where_new(const es_symbols *symbols, const es_program *program, const es_schema *schema);
void es_where_free(es_where *where);

/* Fetches on the probe's bus prove nothing: neither place nor path is known of any hit. */
void es_where_set_blind(es_where *where, bool blind);

/* Sets all that ES_HIT_WHERE covers of the hit. `is_cover`: its statement follows no calls, and has neither path nor
 * task. */
void es_where_add(es_where *where, bool is_cover, const es_event *event, es_hit *hit);

/* The call path of a hit with the place in each activation, and the inlined copies that it is in there, as `print
 * backtrace` shows it. False: the path is not known, or there is none, and *why says so. Replaces what `out` has. */
bool es_where_backtrace(const es_where *where, const es_event *event, es_text_buffer *out, const char **why);

#endif
