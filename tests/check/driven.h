/* What events cost on the model of the soft core when a program's graph is walked at random: histories that host/check
 * has to bound, and that one run of the program seldom comes by. Memory may hold any values, pointers that are followed
 * any of the addresses that the program stores in them, calls go with their returns, interrupts come anywhere. */
#ifndef TESTS_CHECK_DRIVEN_H
#define TESTS_CHECK_DRIVEN_H

#include "check/target/aims.h"
#include "image/image.h"

enum { DRIVEN_HITS = 4096 };

/* The costliest of all hits of one sort at one address. */
typedef struct driven_hit {
    uint8_t kind; /* ES_KIND_* */
    bool part;    /* a write of some lanes */
    uint32_t address, clocks;
} driven_hit;

typedef struct driven driven;

/* image: built for the simulated probe. All of them are only referred to. */
driven *driven_new(const es_symbols *symbols, const es_program *statements, const es_image *image,
                   const es_probe_limits *limits, const es_check_program *program, es_check_aims *aims);
void driven_free(driven *d);

/* What host/check says of each sort of hit: walks go where it is far above what has been seen so far. */
void driven_expect(driven *d, const driven_hit *said, size_t count);

/* Walks on for so many instructions, from a fresh start of the probe every now and then. Only what happens with at most
 * `nest` activations is noted. NULL, or why the model stopped. */
const char *driven_walk(driven *d, uint32_t seed, size_t steps, uint32_t nest);
size_t driven_hits(const driven *d, const driven_hit **hits);
/* The longest pass of the firmware's main loop without a hit, in soft core clocks: host's mail, or a step of a flush. */
uint32_t driven_pass(const driven *d);

#endif
