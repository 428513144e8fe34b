/* The states that NP stands for. A state is that of the automaton of all paths, and where the path leads to a procedure
 * whose locals statements refer to and fixes where its frame lies, the activation with its frame address: the potential
 * procedure activation tree, in which paths with the same future are one. */
#ifndef ES_IMAGE_PLACES_PPAT_H
#define ES_IMAGE_PLACES_PPAT_H

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/plan/plan.h"

#define ES_PPAT_NODES_MAX 1024u

typedef struct ppat_node {
    size_t state;                  /* of the automaton */
    const es_procedure *procedure; /* whose activation it is, of the root the start-up code; NULL: not in the tree */
    size_t parent;                 /* one of those that lead here. Node 0, the root: itself */
    uint32_t cfa;                  /* target address; 0 outside of the tree */
    const plan_frame *frame;       /* entered with the activation; NULL: none of its locals is meant */
    size_t other;                  /* where a procedure leads that has no column */
} ppat_node;

/* What calls are told apart by. site 0: all that have no column of their own. */
typedef struct ppat_column {
    const es_procedure *procedure;
    uint32_t site;
} ppat_column;

typedef struct ppat_move {
    size_t from, column, to; /* where `to` is not the same as `other` of `from` */
} ppat_move;

typedef struct image_ppat {
    ppat_node *nodes;
    size_t count;         /* 0 when the plan has neither frames nor paths */
    size_t tree_count;    /* those in the tree, the root too */
    ppat_column *columns; /* by procedure's address, then site */
    size_t column_count;
    ppat_move *moves;
    size_t move_count;
    automaton paths; /* of the plan's */
} image_ppat;

/* Fails with ES_USAGE, and says why, when a frame's address does not follow from the path of calls, or there are too
 * many states. */
bool es_ppat_build(image_ppat *ppat, const es_symbols *symbols, const image_plan *plan, const es_probe_limits *limits,
                   es_error *err);

#endif
