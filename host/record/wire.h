/* Records as they are, as JSON Lines: what the daemon sends to clients that show records by themselves
 * (docs/protocol.md, "The record form"). What is read is what was written. */
#ifndef ES_RECORD_WIRE_H
#define ES_RECORD_WIRE_H

#include "base/error.h"
#include "base/text.h"
#include "record/record.h"

/* --- writing --------------------------------------------------------------------------------------------------- */

/* Adds a line for each name that is new since *told, which moves on: before the record that may use them. probe: whose
 * it is, or NULL. */
void es_wire_names(es_text_buffer *out, uint32_t *told, const es_schema *schema, const char *probe);

/* Adds the record's line. */
void es_wire_record(es_text_buffer *out, const es_record *record, const char *probe);

/* --- reading --------------------------------------------------------------------------------------------------- */

typedef struct es_wire_reader es_wire_reader;

/* Schemas that it gives are valid as long as it is. */
es_wire_reader *es_wire_reader_new(const es_sink *sink);
void es_wire_reader_free(es_wire_reader *reader);

/* Takes one line and gives its record. *record: false where it is none (a reply, a hello). Fails with ES_PROBE when the
 * line is no JSON or not what it says it is; what was given before stays good. */
bool es_wire_read(es_wire_reader *reader, const char *line, size_t length, bool *record, es_error *err);

struct json_t;

/* The same of a line that has been read as JSON (jansson's). */
bool es_wire_take(es_wire_reader *reader, const struct json_t *line, bool *record, es_error *err);

/* What is to be known of such a line before its turn: whether it has a time, of a hit or a loss; what it tells of a
 * clock (its texts are the line's). False: it does not. */
bool es_wire_time(const struct json_t *line, uint64_t *time);
bool es_wire_clock(const struct json_t *line, es_clock_told *clock);

#endif
