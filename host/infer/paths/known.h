/* Call paths by numbers, and what was seen of them: where they were, and how they followed each other. */
#ifndef ES_INFER_PATHS_KNOWN_H
#define ES_INFER_PATHS_KNOWN_H

#include "base/arena.h"
#include "record/names.h"
#include "symbols/symbols.h"

#define ES_PATH_NONE UINT32_MAX
#define ES_KNOWN_OVER 3u   /* steps over 0, 1, ... hits are learned: after a loss the probe may miss returns */
#define ES_KNOWN_CALLED 6u /* activations by which the caller of the outermost one is learned */
#define ES_PATH_DEPTH 64u  /* deeper ones have no number */

/* An activation: twice the procedure's index among es_symbols_procedures, and 1 where an interrupt entered it. */
typedef uint32_t es_active;

typedef struct es_known_path {
    es_active *parts;     /* outermost first */
    uint32_t count, name; /* name: 0, not asked for yet */
    uint32_t next;        /* with the same hash */
} es_known_path;

/* How often a path was seen somewhere. */
typedef struct es_path_count {
    uint32_t path, count, next;
} es_path_count;

/* How one path became the next: so many activations left, others entered. */
typedef struct es_path_step {
    uint32_t left, entered; /* the latter as a path */
    uint32_t count, next;
} es_path_step;

/* Lists of counts, by key. */
typedef struct es_count_list {
    uint64_t key;
    uint32_t first, total, distinct; /* first: index + 1 */
} es_count_list;

typedef struct es_count_table {
    es_count_list *slots; /* a power of two of them; total 0: free */
    uint32_t room, used;
} es_count_table;

/* How right predictions of an activation's callers were by 1, 2, ... activations: the logarithm of what they said. */
typedef struct es_called_score {
    double right[ES_KNOWN_CALLED];
} es_called_score;

typedef struct es_known {
    es_arena *arena;
    const es_procedure *const *procedures;
    size_t procedure_count;
    es_names *names;
    es_known_path *paths;
    uint32_t path_count;
    uint32_t *buckets;  /* of paths, by hash: index + 1 */
    uint32_t *of_names; /* by name: path + 1; 0: not looked up */
    size_t names_room;
    es_count_table places, steps;
    es_path_count *counts;
    es_path_step *step_counts;
    uint32_t count_count, step_count;
    es_called_score *called; /* by activation */
} es_known;

void es_known_begin(es_known *known, const es_symbols *symbols, es_names *names);
void es_known_end(es_known *known);

/* The path's number; ES_PATH_NONE: it is too deep, or there are too many. */
uint32_t es_known_path_of(es_known *known, const es_active *parts, uint32_t count);
/* The same of a name; ES_PATH_NONE, too, where a procedure of it is not known. */
uint32_t es_known_named(es_known *known, uint32_t name);
uint32_t es_known_name(es_known *known, uint32_t number);

/* A place in the program, for counts: where a statement was true, or where an activation begins. */
uint64_t es_known_place(uint32_t pc, uint32_t statement);
uint64_t es_known_entered(es_active active);
/* Who called the first of these, of which there are ES_KNOWN_CALLED at most, of each the next one. */
uint64_t es_known_callers(const es_active *parts, uint32_t count);

void es_known_learn(es_known *known, uint64_t place, uint32_t path);
/* `over`: so many hits were between them. */
void es_known_learn_step(es_known *known, uint64_t from_place, uint32_t from, uint64_t to_place, uint32_t to,
                         uint32_t over);

/* What was counted; NULL: nothing. */
const es_count_list *es_known_paths_at(const es_known *known, uint64_t place);
const es_count_list *es_known_steps(const es_known *known, uint64_t from_place, uint64_t to_place, uint32_t over);

/* How often a step was seen that leads from one path to the other. */
uint32_t es_known_step_count(const es_known *known, const es_count_list *steps, uint32_t from, uint32_t to);

/* Whether the path's innermost activations are these. */
bool es_known_ends_with(const es_known *known, uint32_t number, const es_active *parts, uint32_t count);

/* The step from one path to another: how many activations are left; those that are entered begin in `to` there, too. */
uint32_t es_known_common(const es_known *known, uint32_t from, uint32_t to);

/* The path after a step; ES_PATH_NONE: there is none. */
uint32_t es_known_after(es_known *known, uint32_t number, uint32_t left, const es_active *entered, uint32_t count);

#endif
