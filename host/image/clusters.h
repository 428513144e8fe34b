/* Statements that have to be in one group (image/groups.h), as clusters in an order in which neighbours listen to the
 * same: so each group has few variables, procedures and paths, and hears little that is for others. */
#ifndef ES_IMAGE_CLUSTERS_H
#define ES_IMAGE_CLUSTERS_H

#include "base/arena.h"
#include "image/places/linked.h"
#include "lang/statement.h"

typedef struct es_image_clusters {
    size_t *numbers; /* of all statements, those of a cluster one after the other, ascending */
    size_t *ends;    /* where each cluster ends in it */
    size_t count;
} es_image_clusters;

void es_image_clusters_find(es_image_clusters *clusters, const es_program *program, enum es_linked_by by,
                            es_arena *arena);

/* The statements of clusters first to end - 1: where they begin among `numbers`. */
static inline size_t es_image_clusters_at(const es_image_clusters *clusters, size_t first)
{
    return first ? clusters->ends[first - 1] : 0;
}

/* The end of clusters from `first` on with so many statements at most; one cluster at least. */
size_t es_image_clusters_until(const es_image_clusters *clusters, size_t first, size_t most);

#endif
