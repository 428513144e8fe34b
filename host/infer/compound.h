/* Statements' compound events as machines: which parts of `A then B within 5ms` were seen. */
#ifndef ES_INFER_COMPOUND_H
#define ES_INFER_COMPOUND_H

#include "infer/machine.h"

/* Adds a machine for each compound event of the statements in `path` about the program at `program` (an ELF): its
 * states are what the probe's monitor would have seen of it, found by running the monitor's own code, and one more,
 * "NAME occurs"; its events are NAME_1, NAME_2, ...: hits of its parts, in the order in which they are written.
 * Fails with ES_USAGE: the statements are wrong, none is a compound event, or one cannot be followed. */
bool es_infer_compound_add(es_infer_model *model, const char *path, const char *program, es_error *err);

/* Writes the statements whose hits these machines look at. Fails likewise. */
bool es_infer_compound_statements(const char *path, const char *program, es_text_buffer *out, es_error *err);

#endif
