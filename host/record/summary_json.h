/* The two ends of a run as members of a JSON object: what can come, and what came. */
#ifndef ES_RECORD_SUMMARY_JSON_H
#define ES_RECORD_SUMMARY_JSON_H

#include "base/json.h"
#include "record/record.h"

/* The keys of a "begin" line (docs/protocol.md). */
void es_schema_json(es_json *json, const es_schema *schema);

/* The keys of a "summary" line (earshot-watch(1)). */
void es_summary_json(es_json *json, const es_schema *schema, const es_summary *summary);

#endif
