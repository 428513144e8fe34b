/* The potential procedure activation tree: the paths of calls that lead to procedures whose locals statements refer
 * to, and no others. */
#ifndef ES_IMAGE_PPAT_H
#define ES_IMAGE_PPAT_H

#include "image/plan.h"

#define ES_PPAT_NODES_MAX 1024u

typedef struct ppat_node {
    const es_procedure *procedure; /* of node 0, the root: the start-up code, which has no activation */
    size_t parent;                 /* node 0: itself */
    uint32_t cfa;                  /* target address */
} ppat_node;

typedef struct image_ppat {
    ppat_node *nodes; /* parents before children */
    size_t count;     /* 0 when the plan has no frames */
} image_ppat;

/* Fails with ES_USAGE, and says why, when a frame's address does not follow from the path of calls. */
bool ppat_build(image_ppat *ppat, const es_symbols *symbols, const image_plan *plan, const es_probe_limits *limits,
                es_error *err);

#endif
