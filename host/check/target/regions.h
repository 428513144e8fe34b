/* What addresses of the target can be made from, and sets of these: objects, procedures, frames. */
#ifndef ES_CHECK_REGIONS_H
#define ES_CHECK_REGIONS_H

#include "check/target/program.h"

/* The target's addresses, cut at the ends of its objects and procedures; and its procedures' frames. */
typedef struct region {
    uint32_t low, last; /* static: first and last address */
    bool object;        /* an object of the symbol table */
    bool aggregate;     /* it has parts that an index can choose */
    bool address;       /* a number in it may be an address of data */
} region;

typedef struct regions {
    const es_check_program *program;
    region *items; /* static ones, by address, without gaps */
    size_t count;
    size_t frames;     /* the number of procedure 0's frame; others follow */
    size_t all_frames; /* the number that stands for any frame */
    size_t words;      /* of a set */
    uint64_t **sets;   /* by number; 0 is the empty one */
    size_t set_count, set_room;
    uint32_t *table; /* hash table of them: number + 1 */
    size_t table_room;
    es_arena *arena;
} regions;

void es_regions_make(regions *r, es_arena *arena, const es_check_program *program);
/* The static region with that address. */
size_t es_regions_at(const regions *r, uint32_t address);
bool es_regions_has(const regions *r, uint32_t set, size_t number);
uint32_t es_regions_one(regions *r, size_t number);
uint32_t es_regions_union(regions *r, uint32_t a, uint32_t b);

#endif
