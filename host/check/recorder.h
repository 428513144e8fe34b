/* The proof that a probe's recorder keeps up with a program: that its buffer has room for all that the program reads
 * from devices, for its interrupts and for the heartbeats, at the rate of the link, so that the replay never ends
 * before the program does. Statements cost nothing there: the replay is evaluated on the host (docs/replay.md,
 * docs/check.md). */
#ifndef ES_CHECK_RECORDER_H
#define ES_CHECK_RECORDER_H

#include "base/arena.h"
#include "check/terms.h"
#include "symbols/symbols.h"

typedef struct es_check_recorder_options {
    uint32_t memory_base,
        memory_size;        /* what the recorder takes as memory: the phantom window. Other reads are inputs */
    es_check_ratio ratio;   /* probe clocks per bus clock */
    double bytes_per_clock; /* that the link takes, per probe clock, framing included */
    /* ... and it covers devices, too: what no object of the program is may be one, and changes without a write */
    bool devices_inside;
    uint32_t buffer;       /* bytes that the recorder's buffer holds */
    uint32_t fifo;         /* records that the FIFO before it holds */
    unsigned period;       /* log2 of the bus clocks between heartbeats */
    int64_t interrupt_gap; /* bus clocks between two interrupts, at least; 0: not known */
    uint32_t levels;       /* interrupt handlers that are active at once, at most; 0: 1 */
    uint32_t nest;         /* activations that nest, at most; 0: not known */
    uint32_t wait;         /* states that each access of the target waits, at least */
    uint32_t instruction;  /* bus clocks for an instruction, at least; 0: the reference target's */
} es_check_recorder_options;

typedef struct es_check_recorder_report {
    bool guaranteed;
    const char *condition; /* guaranteed: while this holds, in words */
    const char *why;       /* not guaranteed: in a sentence */
    const char *place;     /* not guaranteed: lines at fault; NULL: none */
    const char *advice;    /* not guaranteed: what would make it fit */
    double bytes;          /* that wait in the buffer at most; below 0: without bound */
    const char *bytes_place;
    uint32_t records;  /* in the FIFO at most */
    size_t inputs;     /* instructions that may read an input */
    size_t clocks;     /* ... that read a control register that changes by itself */
    double least_rate; /* bytes per bus clock that the link must take for the bytes to be bounded; 0: none is enough */
    es_arena *arena;
} es_check_recorder_report;

void es_check_recorder(const es_symbols *symbols, const es_check_recorder_options *options,
                       es_check_recorder_report *report);
void es_check_recorder_report_free(es_check_recorder_report *report);

#endif
