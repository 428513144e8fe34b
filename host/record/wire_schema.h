/* The two ends of a run, read from their lines. */
#ifndef ES_RECORD_WIRE_SCHEMA_H
#define ES_RECORD_WIRE_SCHEMA_H

#include <jansson.h>

#include "record/record.h"

/* Of a "begin" line. NULL: it is none that makes sense. */
es_schema *es_wire_schema(const json_t *line);

/* Of a "summary" line; in the arena. NULL: it is none. */
const es_summary *es_wire_summary(es_arena *arena, const es_schema *schema, const json_t *line);

#endif
