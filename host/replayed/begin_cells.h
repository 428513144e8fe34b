/* Whether shadow cells can begin in the middle of a recording. */
#ifndef ES_REPLAYED_BEGIN_CELLS_H
#define ES_REPLAYED_BEGIN_CELLS_H

#include "replay/timeline.h"
#include "replayed/stack.h"

typedef struct es_begin_cells es_begin_cells;

/* NULL: statements have named none. The timeline outlives it. */
es_begin_cells *es_begin_cells_new(const es_symbols *symbols, es_timeline *timeline);
void es_begin_cells_free(es_begin_cells *cells);

/* Whether cells that begin where the timeline is hold from `until` on what they hold from the recording's start on.
 * calls: those that have not returned there. Moves the timeline. Of NULL: true. */
bool es_begin_cells_settle(es_begin_cells *cells, const es_called *calls, size_t count, uint64_t until);

#endif
