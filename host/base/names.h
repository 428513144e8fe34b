/* Names and the number of each, found in constant time. */
#ifndef ES_BASE_NAMES_H
#define ES_BASE_NAMES_H

#include "base/arena.h"

#define ES_NO_NAME ((size_t)-1)

/* Zeros: none. Its memory is the arena's; names have to stay. */
typedef struct es_names {
    const char **names; /* by place; NULL: free */
    size_t *numbers;
    size_t count, room; /* room: a power of two */
} es_names;

/* The number of a name; ES_NO_NAME: there is no such name. */
size_t es_names_find(const es_names *names, const char *name);

/* A name that was there gets the new number. */
void es_names_put(es_names *names, es_arena *arena, const char *name, size_t number);

#endif
