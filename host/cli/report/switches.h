/* What is said of a program that switches stacks by hand. */
#ifndef ES_CLI_SWITCHES_H
#define ES_CLI_SWITCHES_H

#include "base/json.h"
#include "base/text.h"
#include "symbols/symbols.h"

/* "stacks were switched 4 times, in swap (co.c:12): paths and locals are unknown from the first on; ..." and which
 * variable to name. */
void es_switches_text(es_text_buffer *out, const es_symbols *symbols, uint64_t count);

/* The keys stack_switches, switched_in (places) and task_candidates (variables). */
void es_switches_json(es_json *json, const es_symbols *symbols, uint64_t count);

#endif
