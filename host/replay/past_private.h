/* What the files of es_past share. */
#ifndef ES_REPLAY_PAST_PRIVATE_H
#define ES_REPLAY_PAST_PRIVATE_H

#include "replay/past.h"

/* Runs with what is wanted of it: stops at points, and notes of traps; its end is one of an es_timeline_run. */
enum es_machine_stop es_past_run(es_past *past, uint64_t moment, bool points, bool traps);

/* Whether there is a breakpoint. */
bool es_past_breaks_at(const es_past *past, uint32_t address);
/* Marks for all breakpoints, or none. */
void es_past_mark_all(es_past *past, bool marked);
bool es_past_is_asked(const es_past *past);

uint32_t es_past_stack_pointer(const es_past *past);
/* The instruction there; UNKNOWN: there is none. */
es_insn es_past_insn_at(const es_past *past, uint32_t address);

static inline uint64_t es_past_lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
