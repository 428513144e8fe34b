/* Writes of a variable's bytes one after the other: which of them are the program's assignments. A table tells of each
 * store instruction that is one of several what comes before and after it (es_symbols_parts); all other stores are
 * assignments by themselves. */
#ifndef ES_IMAGE_TABLES_PARTS_H
#define ES_IMAGE_TABLES_PARTS_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the table and the routine that looks into it, where the plan has variables of several bytes. Fails with
 * ES_USAGE when these are too many. */
bool es_parts_reserve(image_builder *b);

/* Code: t1 becomes not 0 when the hit is the end of an assignment to the variable that `write` is to, or to bytes of
 * it; else 0. Keeps what the bytes were before, where it is asked for. Takes t0 to t6, a0 to a7. */
void es_parts_complete(image_builder *b, const plan_write *write);

#endif
