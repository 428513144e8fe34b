/* What is said of a program that switches stacks by hand. */
#ifndef ES_SESSION_SWITCHES_H
#define ES_SESSION_SWITCHES_H

#include "record/record.h"
#include "symbols/symbols.h"

/* Fills in switched_in ("swap (co.c:12)") and switched_by, the variables that may say whose stack it is; in the
 * arena. */
void es_switches_tell(const es_symbols *symbols, es_arena *arena, es_summary *summary);

#endif
