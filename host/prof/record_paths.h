/* Paths of activations as names of a schema. Each is made once. */
#ifndef ES_PROF_RECORD_PATHS_H
#define ES_PROF_RECORD_PATHS_H

#include "prof/tables.h"
#include "record/names.h"

#define ES_PROF_NO_PATH 0u /* of start-up code, and of nothing */

typedef struct es_prof_path {
    uint32_t parent, name; /* parent: a number of the list */
    uint16_t depth;
    bool cut;     /* activations before its last one are left out */
    bool partial; /* which activations were before it is not known */
} es_prof_path;

typedef struct es_prof_paths {
    es_names *names;
    es_prof_path *paths; /* the first one is ES_PROF_NO_PATH */
    size_t count;
    es_prof_numbers numbers;
} es_prof_paths;

void es_prof_paths_begin(es_prof_paths *paths, es_names *names);
void es_prof_paths_end(es_prof_paths *paths);

typedef struct es_prof_step {
    uint32_t procedure; /* a number of its own */
    const char *name;
    bool interrupt; /* an interrupt or exception has led there */
    bool partial;   /* of the first one: activations before it are not known */
} es_prof_step;

/* The path that goes on by one activation. Where it would be too deep, or there are too many of them, activations
 * before this one are left out. */
uint32_t es_prof_path_with(es_prof_paths *paths, uint32_t parent, const es_prof_step *step);

#endif
