/* A recording with keyframes, executed in parts by several threads, for one that takes the parts in their order: so
 * what is made of it is the same however many threads there are. */
#ifndef ES_REPLAYED_PARTS_H
#define ES_REPLAYED_PARTS_H

#include "replay/pace.h"
#include "replay/timeline.h"

typedef struct es_bus_parts es_bus_parts;

/* Kinds of accesses besides ES_KIND_FETCH, _READ and _WRITE: what shadow cells are told (replay/shadow.h). */
enum {
    ES_BUS_NEXT = 0x80, /* the next instruction's fetch, at `address`, is about to come; first the one before is told */
    ES_BUS_ASSIGNED,    /* a write to a cell, with its word marked */
    ES_BUS_MOVED,       /* a poke; lanes: ES_BUS_FREED, or 0 */
};
#define ES_BUS_FREED 1u /* what the word points to has been freed */

typedef struct es_bus_cell {
    size_t before; /* index of the access before which a probe is to hear of it */
    es_machine_access access;
} es_bus_cell;

/* What happened on the bus in [first, end), and when. */
typedef struct es_bus_part {
    uint64_t first, end;         /* moments */
    es_machine_access *accesses; /* in the order in which a probe is to hear of them */
    size_t count, room;
    es_bus_cell *cells; /* ... and of these between them */
    size_t cell_count, cell_room;
    es_replay_pace *paces; /* for all of its instructions */
    size_t pace_count, pace_room;
    es_replay_anchor *beats; /* heartbeats in (first, end] */
    size_t beat_count, beat_room;
    bool failed; /* the recording is damaged there; `error` says where, and there are no accesses */
    es_error error;
} es_bus_part;

typedef struct es_bus_parts_options {
    const char *path;
    const es_symbols *symbols; /* outlive it */
    unsigned jobs;             /* threads that execute; 1: none, all is done in es_bus_parts_next; 0: one a processor */
    /* Moment where the first part begins. With shadow cells, which statements have named before: 0, or one at which
     * they can begin (begin.h). */
    uint64_t first;
    uint64_t size; /* of a part, in instructions; 0: as is good */
} es_bus_parts_options;

/* NULL and *err: it cannot be opened. */
es_bus_parts *es_bus_parts_open(const es_bus_parts_options *options, es_error *err);
void es_bus_parts_close(es_bus_parts *parts);

/* The next part, which is valid until the next call. NULL: there are no more. */
const es_bus_part *es_bus_parts_next(es_bus_parts *parts);

/* Of the whole recording. Nothing is to be executed with it. */
const es_timeline *es_bus_parts_timeline(const es_bus_parts *parts);

#endif
