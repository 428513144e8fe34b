/* When: the part of a question after "at". */
#ifndef ES_WHY_MOMENT_H
#define ES_WHY_MOMENT_H

#include "isa/isa.h"
#include "replay/timeline.h"

/* Goes to the moment that a text means: as es_replay_moment_parse has it, or before the execution of a line,
 * "control.c:42", the last one, or that with a number: "control.c:42 3rd time". False: with why in *err. */
bool es_why_go(es_timeline *timeline, const es_symbols *symbols, const es_isa *isa, const char *when, es_error *err);

#endif
