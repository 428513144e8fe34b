/* Tables that grow while a profile is taken: arcs by where they lead from and to, paths by the one before. */
#ifndef ES_PROF_TABLES_H
#define ES_PROF_TABLES_H

#include "prof/profile.h"

/* Numbers by pairs of numbers. All zero: there are none. */
typedef struct es_prof_numbers {
    struct es_prof_slot *slots;
    size_t size, used;
} es_prof_numbers;

/* Where the number of a pair stands; UINT32_MAX: it is new, to be set at once. Until the next call. */
uint32_t *es_prof_number(es_prof_numbers *numbers, uint32_t a, uint32_t b);
void es_prof_numbers_free(es_prof_numbers *numbers);

typedef struct es_prof_tables es_prof_tables;

es_prof_tables *es_prof_tables_new(void);
void es_prof_tables_free(es_prof_tables *tables); /* NULL is fine */

/* The arc, all zero when it is new; until the next call. */
es_prof_arc *es_prof_find_arc(es_prof_tables *tables, uint32_t site, uint32_t procedure);
/* Where the number of a node stands; UINT32_MAX: it is new, to be set at once. Until the next call. */
uint32_t *es_prof_find_node(es_prof_tables *tables, uint32_t parent, uint32_t part);

/* All arcs, which are the caller's. Returns how many. */
size_t es_prof_take_arcs(es_prof_tables *tables, es_prof_arc **arcs);

/* Room for one more in a list that grows by doubling, of `count` items. */
void *es_prof_grow(void *items, size_t count, size_t size);

#endif
