/* Inside of the walks: what their files share. */
#ifndef TESTS_CHECK_DRIVEN_INSIDE_H
#define TESTS_CHECK_DRIVEN_INSIDE_H

#include "driven.h"

#include <image.h>

#include "../firmware/model.h"
#include "check/firmware/service.h"
#include "check/target/pointed.h"

#define FAR UINT32_MAX

enum { STACK_MAX = 256, LOOSE = 125 }; /* LOOSE: hundredths above which a walk looks closer */

/* What a walk may do at a node. */
typedef struct place {
    uint32_t *writes, *reads;  /* armed words that its store or load may touch */
    const es_image_key **keys; /* of `writes` */
    int32_t *sub;              /* of `writes`: the first byte's place in the word; -1: any */
    size_t write_count, read_count;
} place;

typedef struct activation {
    size_t back; /* node to go on at */
    bool interrupt;
} activation;

struct driven {
    es_arena *arena;
    const es_symbols *symbols;
    const es_image *image;
    const es_probe_limits *limits;
    const es_check_program *program;
    es_check_aims *aims;
    es_check_service *service;
    uint32_t loop; /* where the firmware looks for the next hit */
    model *m;
    uint32_t random;
    uint32_t *pool; /* values worth storing */
    const es_check_pointed *pointed;
    size_t pool_count;
    place *places;
    uint32_t *leave;      /* by node: least steps to its procedure's end */
    uint32_t *tried;      /* by node: how often it was the goal */
    uint32_t **far;       /* by goal: NULL, or by node the least steps to it */
    const uint32_t *near; /* those to the goal at hand */
    size_t *goals;        /* nodes at which there may be events */
    size_t goal_count;
    size_t *dives; /* recursive calls */
    size_t dive_count;
    size_t *handlers;
    size_t handler_count;
    activation stack[STACK_MAX];
    uint32_t pass; /* the longest one of the main loop without a hit */
    uint32_t depth, nest;
    uint32_t most; /* the greater depth of this instruction and the one before */
    size_t goal, at;
    bool ending; /* on the way out of everything */
    uint32_t dive_to;
    driven_hit hits[DRIVEN_HITS];
    size_t hit_count;
    const driven_hit *said;
    size_t said_count;
    model *saved;
};

static inline uint32_t driven_next_random(driven *d)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 17;
    d->random ^= d->random << 5;
    return d->random;
}

static inline uint32_t driven_below(driven *d, size_t n)
{
    return n ? (uint32_t)(driven_next_random(d) % n) : 0;
}

static inline bool driven_chance(driven *d, unsigned percent)
{
    return driven_below(d, 100) < percent;
}

/* The fetch of an instruction there is a hit. */
static inline bool driven_armed(const driven *d, uint32_t address)
{
    return d->m->fetch_plane[address / 4 % (MODEL_WINDOW / 4)] >> (address >> 1 & 1) & 1;
}

/* driven_bus.c */

/* How many hundredths of what was seen are said; 0: nothing is. */
uint32_t driven_excess(const driven *d, uint8_t kind, bool part, uint32_t address);
/* What the last hit took is the most so far at that address. */
void driven_note(driven *d, uint8_t kind, bool part, uint32_t address);
/* Before a transaction: some time goes by. */
void driven_pass_time(driven *d);
void driven_fetch(driven *d, const es_check_node *node);
/* To some place where the node may store; from some place where it may load. */
void driven_store(driven *d, const es_check_node *node, const place *p);
void driven_load(driven *d, const es_check_node *node, const place *p);

/* driven_places.c */
void driven_fill_pool(driven *d, const es_program *statements);
void driven_find_places(driven *d);

/* driven_ways.c */

/* The procedure's first node; CHECK_NONE: its code is not known. */
size_t driven_entry_of(const driven *d, size_t procedure);
/* Least steps from an edge on: to the goal or, with leave, to the procedure's end. */
uint32_t driven_along(const driven *d, const es_check_edge *edge, const uint32_t *far, bool leave);
/* By node, the least steps to a goal. */
const uint32_t *driven_measure(driven *d, size_t goal);
void driven_find_leave(driven *d);
void driven_find_recursion(driven *d);
void driven_find_goals(driven *d);

#endif
