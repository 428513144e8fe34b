/* Lines of a run that wait for their turn among those of other runs. */
#ifndef ES_CLIENT_ROW_H
#define ES_CLIENT_ROW_H

#include <jansson.h>

#include "record/axis.h"

#define ES_ROWS_MAX 16384u /* lines of all runs: with more, they wait less */

typedef struct es_row_item {
    json_t *line;
    enum es_record_kind kind; /* SUMMARY, or anything else */
    bool timed;               /* `at` is its own; else that of the one before it */
    es_axis_time at;
    int64_t came_ns; /* by CLOCK_MONOTONIC */
} es_row_item;

typedef struct es_row {
    es_row_item *items; /* `count`, from `first` on */
    size_t first, count, room;
    es_axis axis;
    uint64_t hz;
    es_axis_time time; /* of the last one that had a time, or was to have one */
} es_row;

/* What is common to all rows. All 0 at first. */
typedef struct es_row_order {
    bool has_day;
    int64_t day_ns; /* time of day less the steady clock, as the first clock said */
    bool begun;
    int64_t latest_ns; /* of what was given */
} es_row_order;

void es_row_init(es_row *row);
void es_row_free(es_row *row);

/* Takes a line over, as of the moment it came: its time is mapped by what is known of the clock now. */
void es_row_add(es_row *row, json_t *line, int64_t came_ns, es_row_order *order);

/* The one that is next; NULL: none. */
const es_row_item *es_row_front(const es_row *row);
es_row_item es_row_take(es_row *row);
int64_t es_row_due(const es_row_item *item);

/* Another run begins: nothing is known of its clock. */
void es_row_forget_clock(es_row *row);

/* Whether later ones were given already; else it is the latest now. */
bool es_row_is_late(es_row_order *order, const es_row_item *item);

#endif
