/* One deterministic automaton for all paths of a program of statements: it reads the activations of a stack from the
 * outermost one on, and tells of each which paths denote it.
 *
 * Its states take the place of the nodes of Plattner's potential procedure activation tree, and the node pointer is its
 * state: a call is a transition, a return goes back to the state before the call. Where the tree of a recursive program
 * is infinite the automaton is not, and the innermost activation that a path denotes is the last one that the automaton
 * accepted (es_path_find has the same meaning, written differently). */
#ifndef ES_IMAGE_PATHS_AUTOMATON_H
#define ES_IMAGE_PATHS_AUTOMATON_H

#include "base/arena.h"
#include "lang/statement.h"

/* What the automaton can tell apart of an activation. Symbol 0 is any procedure that no path names. */
typedef struct automaton_symbol {
    const es_procedure *procedure;
    uint32_t site; /* 0: called from any place that has no symbol of its own */
} automaton_symbol;

typedef struct automaton {
    const automaton_symbol *symbols; /* by procedure's address, then site */
    size_t symbol_count;
    size_t path_count;
    size_t state_count;   /* state 0 is before the outermost activation */
    const uint16_t *next; /* [state * symbol_count + symbol] */
    const uint8_t *tells; /* [state * path_count + path]: AUTOMATON_*, of what was asked for */
} automaton;

/* What a state tells of a path. */
#define AUTOMATON_DENOTES 1u /* the activation just read is denoted by it */

#define AUTOMATON_EXISTS 2u /* an activation read so far is */

#define AUTOMATON_STATES_MAX 3072u /* 12 bytes each are all of the probe's memory for an image */

/* Finds the symbols of the paths. Memory is the arena's, here and below. */
void es_automaton_begin(automaton *a, es_arena *arena, const es_path *const *paths, size_t path_count);

struct call_graph;

/* Makes the states after es_automaton_begin. asked: by path, what they have to tell. Only stacks are told apart that
 * the calls of a program can make; calls NULL: any stacks. What no program does leads to a state that tells nothing.
 * False: the paths need more than AUTOMATON_STATES_MAX states. */
bool es_automaton_make(automaton *a, es_arena *arena, const es_path *const *paths, const uint8_t *asked,
                       const struct call_graph *calls);

size_t es_automaton_symbol_of(const automaton *a, const es_procedure *procedure, uint32_t site);

/* The procedure's symbols: the one of its other call sites first. False: it has none. */
bool es_automaton_names(const automaton *a, const es_procedure *procedure, size_t *first, size_t *count);

#endif
