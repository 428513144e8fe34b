/* What each mark of a program costs, as a calibration run measured it (docs/marks.md): JSON Lines, one object for
 * each mark of the table.
 *
 *   {"event":"cost","site":3,"id":481,"delay":3,"least":3,"most":3,"after":1,"source":"mp.h:61"}
 *
 * Lines of other events are passed over. */
#ifndef ES_NET_CALIBRATION_H
#define ES_NET_CALIBRATION_H

#include "net/program/program.h"

typedef struct es_net_cost {
    uint32_t site, id;
    int64_t delay;       /* of the mark, in clocks */
    int64_t least, most; /* of all that were measured */
    int64_t after;       /* from the clock of its store to its end */
} es_net_cost;

/* Reads a calibration, sorted by site; the caller frees. NULL with an ES_USAGE error, "path:line: error: ...". */
es_net_cost *es_net_costs_read(const char *path, size_t *count, es_error *err);

/* The cost of that mark, or NULL. */
const es_net_cost *es_net_cost_of(const es_net_cost *costs, size_t count, uint32_t site);

/* Gives the net's marks these costs in place of the one that es_net_from_program was told. Fails with ES_USAGE,
 * naming the mark, when one has no cost or another id: the calibration is another program's. */
bool es_net_costs_apply(const es_net_program *program, const es_net_cost *costs, size_t count, es_error *err);

#endif
