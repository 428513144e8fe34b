/* One part of a recording (parts.h): executing it, and telling its shadow cells. */
#ifndef ES_REPLAYED_PART_H
#define ES_REPLAYED_PART_H

#include "replay/shadow_notes.h"
#include "replayed/parts.h"

/* Executes [part->first, part->end). noter: of this timeline's machine, which notes what the cells follow from; NULL:
 * there are none. */
void es_bus_part_make(es_bus_part *part, es_timeline *timeline, es_shadow_noter *noter, es_shadow_notes *notes);
void es_bus_part_free(es_bus_part *part);

/* The shadow cells that statements have named. */
typedef struct es_bus_cells es_bus_cells;

/* first: moment where the first part begins, at which nothing is known of activations. NULL and *err: the recording
 * cannot be opened. */
es_bus_cells *es_bus_cells_new(const char *path, const es_symbols *symbols, uint64_t first, es_error *err);
void es_bus_cells_free(es_bus_cells *cells);
/* For who executes parts; several may do that at the same time. */
es_shadow_noter *es_bus_cells_noter(const es_bus_cells *cells, es_timeline *timeline);

/* The next part, in their order: adds its cells. */
void es_bus_cells_follow(es_bus_cells *cells, es_bus_part *part, const es_shadow_notes *notes);

#endif
