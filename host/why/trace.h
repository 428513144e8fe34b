/* What a machine did in a part of a recording, to be read backwards. */
#ifndef ES_WHY_TRACE_H
#define ES_WHY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"
#include "replay/timeline.h"

enum es_why_event_kind {
    ES_WHY_INSN,    /* begins an instruction: its address; of one that may begin or end an activation, data: the stack
                   * pointer before it */
    ES_WHY_READ,    /* address of a word, its data, lanes */
    ES_WHY_WRITE,   /* the same */
    ES_WHY_SETS,    /* which: register, 0 to 63 */
    ES_WHY_CHANGED, /* before the instruction that comes next, which reads it: a word that others have changed; data:
                     * what it is now, unknown: bits of which nothing was known before */
    ES_WHY_TRAP,    /* after the instruction an interrupt or exception was taken; data: the stack pointer then */
};

typedef struct es_why_event {
    uint32_t address, data, unknown; /* unknown: bits of the data, as ones */
    uint8_t kind;
    uint8_t which;   /* READ, WRITE, CHANGED: lanes */
    uint8_t changed; /* CHANGED: those of them that are not as before */
} es_why_event;

typedef struct es_why_trace {
    es_why_event *events;
    size_t count, size;
    uint64_t from, to; /* moments */
    const es_isa *isa;
    es_machine *machine;
    struct es_why_known *known; /* instructions that were looked at before, by their address; private */
} es_why_trace;                 /* all zero: none yet */

/* Goes to `from` and notes all until `to`. False: the replay failed. */
bool es_why_trace_take(es_why_trace *trace, es_timeline *timeline, const es_isa *isa, uint64_t from, uint64_t to,
                       es_error *err);

/* The instruction at an address of the machine's memory. */
es_insn es_why_decode(const es_machine *machine, const es_isa *isa, uint32_t pc);
void es_why_trace_free(es_why_trace *trace);

#endif
