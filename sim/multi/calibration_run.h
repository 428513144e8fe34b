/* The calibration run: what each mark of a program costs by itself, measured on the simulated target
 * (docs/marks.md). */
#ifndef ES_CALIBRATION_RUN_H
#define ES_CALIBRATION_RUN_H

#include "net/marks/calibration.h"
#include "net/program/table.h"

#define ES_CALIBRATION_RUNS 8u /* times that each mark is measured */

typedef struct es_calibration {
    es_net_mark_place *places; /* the program's table */
    es_net_cost *costs;        /* by site: as the table */
    size_t count;
} es_calibration;

/* Runs each mark's own code ES_CALIBRATION_RUNS + 1 times in a row. A store's distance from the one before is the
 * mark's delay, and what a listener to stores measures; the fetches, which the target shows as well, must say the
 * same. Fails with ES_USAGE (a file that cannot be read or has no marks with code) or ES_PROBE (the code of a mark
 * does something else than to store to the marker window, or two ways of measuring differ). The caller frees with
 * es_calibration_free. */
bool es_calibrate(es_calibration *calibration, const char *path, es_error *err);
void es_calibration_free(es_calibration *calibration);

#endif
