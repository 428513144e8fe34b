/* Records as JSON Lines, with the keys that earshot-watch(1) lists: what `--json` prints, and the daemon sends. */
#ifndef ES_RECORD_JSON_H
#define ES_RECORD_JSON_H

#include "base/text.h"
#include "record/record.h"

/* Adds the record as one line with its end. probe: whose it is, where that is to be told; else NULL. */
void es_record_json(es_text_buffer *out, const es_record *record, const char *probe);

/* What a loss is of: "bus", "events", "link", "host", "disk". */
const char *es_lost_name(enum es_lost_what what);

#endif
