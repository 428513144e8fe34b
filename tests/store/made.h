/* Runs that were never made: a schema with everything that one can have, and random records of it. */
#ifndef TESTS_STORE_MADE_H
#define TESTS_STORE_MADE_H

#include "base/text.h"
#include "record/record.h"

/* With values of all kinds, objects in objects, tasks, counters, expectations. */
es_schema *made_schema(void);

/* A schema with one statement that prints one int: `plain: when temp > 80 { print temp }`. */
es_schema *made_plain_schema(void);

/* The next record: of any kind but BEGIN and SUMMARY, mostly hits, in the order of time but for some. `schema` gets new
 * names now and then. Valid until the next call. */
const es_record *made_record(const es_schema *schema);

const es_record *made_summary(const es_schema *schema);

/* Hits of the plain schema: temp and time are `number`. */
const es_record *made_plain_hit(const es_schema *schema, uint32_t number);

/* Adds records as JSON Lines, BEGIN without what only this process knows. */
es_sink made_lines(es_text_buffer *lines);

#endif
