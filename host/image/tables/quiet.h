/* Which procedures cannot matter to a program of statements: their calls and returns need not be seen. */
#ifndef ES_IMAGE_TABLES_QUIET_H
#define ES_IMAGE_TABLES_QUIET_H

#include "image/places/ppat.h"
#include "image/plan/plan.h"

/* A procedure is quiet when nothing that a statement could tell happens while an activation of it exists: no statement
 * names its enter or leave or a local of it, it and all that it calls store to nothing but their own frames and
 * constant addresses that no statement refers to, none of it has variables in registers that a statement names, and no
 * interrupt can come. Where statements follow pointers, it
 * stores nothing at all; where they read(), it loads nothing either. It is reached by nothing but known direct calls,
 * and jumps from other quiet procedures, and returns in the ordinary way. Procedures that call each other are quiet
 * when nothing but these calls speaks against any of them (the greatest fixed point).
 *
 * Returns a flag for each procedure in the order of es_symbols_procedures; the memory is the plan's arena's. */
const bool *es_quiet_procedures(const es_symbols *symbols, const image_plan *plan, const image_ppat *ppat);

#endif
