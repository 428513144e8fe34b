/* Inside of the tree's making: what its files share. */
#ifndef ES_IMAGE_PLACES_PPAT_INSIDE_H
#define ES_IMAGE_PLACES_PPAT_INSIDE_H

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/paths/calls.h"
#include "image/places/ppat.h"
#include "image/plan/plan.h"

/* A pair is an activation as far as the future is concerned: the automaton's state and the procedure. */
typedef struct pair_set {
    /* by pair; by_interrupt: or as what a task begins with. live: a frame that is meant can follow, or it has one */
    bool *reached, *by_interrupt, *live;
    size_t *list; /* pairs in the order in which they were reached */
    size_t count;
} pair_set;

typedef struct ppat_builder {
    image_ppat *ppat;
    const es_symbols *symbols;
    const image_plan *plan;
    const es_probe_limits *limits;
    es_error *err;
    call_graph graph;
    pair_set pairs;
    size_t root;  /* index of the start-up code */
    size_t *none; /* by the automaton's state: node + 1 outside of the tree */
} ppat_builder;

static inline size_t ppat_pair(const ppat_builder *b, size_t state, size_t procedure)
{
    return state * b->graph.count + procedure;
}

static inline size_t ppat_next_state(const ppat_builder *b, size_t state, size_t symbol)
{
    return b->ppat->paths.next[state * b->ppat->paths.symbol_count + symbol];
}

/* ppat_pairs.c: which activations' locals are meant */

/* The frame when a local is meant of an activation of the procedure in this state, else NULL. */
const plan_frame *es_ppat_frame_in(const ppat_builder *b, size_t state, const es_procedure *procedure);

/* How many frames there are whose place their path fixes; *first is set to the first of them, if there is one. */
size_t es_ppat_fixed_frames(const image_plan *plan, const plan_frame **first);

/* The first of these frames' procedure, for messages. */
const char *es_ppat_wanted(const ppat_builder *b);

/* Fills in b->pairs: what can be reached from the start-up code, b->root. */
void es_ppat_find_pairs(ppat_builder *b);

/* No frame that is meant may be reached by an interrupt or from what a task begins with: it can be anywhere. Fails with
 * ES_USAGE when one is. */
bool es_ppat_refuse_interrupts(const ppat_builder *b);

/* ppat_check.c */

/* Fails with ES_USAGE when a frame lies outside of phantom memory, when no path leads to it, or when two of its
 * activations that are meant can exist at once. */
bool es_ppat_check_frames(const ppat_builder *b);

#endif
