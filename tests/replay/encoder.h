/* A recorder, written from docs/replay.md alone: transactions in, the input stream's bytes out. */
#ifndef TESTS_REPLAY_ENCODER_H
#define TESTS_REPLAY_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim.h"
#include "symbols/symbols.h"

typedef struct encoder {
    /* set before the first transaction */
    uint32_t window_base, window_size;
    uint32_t quiet_base, quiet_size; /* 0: there is none */
    uint32_t vector[2], mask[2];     /* an odd address: none */
    unsigned period;                 /* log2 of clocks */
    bool big_endian;                 /* what a register has got is not in the order of the word's lanes */

    uint8_t *bytes; /* the stream so far */
    size_t size, room;
    size_t heartbeats;

    uint8_t *memory; /* of the window */
    bool *known;     /* of its words */
    uint64_t fetches, next_beat;
    uint32_t sum, sums, last, delta, run;
    unsigned access; /* of the instruction: reads so far */
    bool since, in_vector[2];
} encoder;

void encoder_begin(encoder *e, const es_symbols *symbols, uint64_t time);
void encoder_free(encoder *e);

void encoder_fetch(encoder *e, uint32_t pc, uint32_t insn, uint64_t time);
void encoder_read(encoder *e, uint32_t word_address, uint8_t lanes, uint32_t word, uint64_t time);
void encoder_write(encoder *e, uint32_t word_address, uint8_t lanes, uint32_t word, uint64_t time);

/* All of an instruction that has retired. */
void encoder_retired(encoder *e, const es_retired *retired);

/* The host stops it: a heartbeat and END. */
void encoder_end(encoder *e, uint64_t time);

#endif
