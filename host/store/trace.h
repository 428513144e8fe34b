/* Traces on disk: what a run tells, kept as records come and read back as records.
 *
 * A trace is a directory with one or more chunks: DIR/chunk-000001/, DIR/chunk-000002/, ... Each chunk is a complete
 * trace in the Common Trace Format 1.8, so that `babeltrace2 DIR` and Trace Compass read it; docs/traces.md has its
 * events and fields.
 *
 * The writer is a sink. It never waits for the disk: whole packets go through a bounded queue to a thread of its own,
 * which writes them out. What was taken is on the disk (fdatasync) within a second, as long as the disk keeps up. When
 * the queue is full, records are left out and counted: they are a loss to the trace and its owner
 * (ES_LOST_HOST). While the disk is full or fails, the thread tries again four times a second; when there is room, it
 * goes on.
 */
#ifndef ES_STORE_TRACE_H
#define ES_STORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/record.h"

/* --- writing ------------------------------------------------------------------------------------------------------ */

enum es_trace_trouble {
    ES_TRACE_FAILS,   /* it cannot be written at present; tries go on */
    ES_TRACE_LOSES,   /* the queue is full: records are being left out */
    ES_TRACE_RECOVERS /* it is written again; the text says how many records were left out */
};

/* Told in the thread of who calls es_trace_*'s functions or gives records, never in another one. `text`: what happened,
 * where, what to do; valid during the call. */
typedef void es_trace_tell(void *context, enum es_trace_trouble trouble, const char *text);

/* All zero but `directory`: one chunk, kept for ever. */
typedef struct es_trace_options {
    const char *directory; /* made when missing (its parent must be there); must not hold a trace */
    const char *probe;     /* named in the trace; NULL: none */
    uint64_t rotate_bytes; /* a new chunk when this one has so many; 0: never */
    uint64_t rotate_ns;    /* or is so old; 0: never */
    uint64_t keep_bytes;   /* remove the oldest chunks while all have more; 0: never */
    uint64_t keep_ns;      /* and those that ended longer ago; 0: never */
    size_t queue_bytes;    /* at most so much waits for the disk; 0: 16 MiB. All memory: 3 MiB more, and the names */
    bool waits;            /* the source can wait for the disk (a simulation): while the queue is full, it does */
    int64_t origin_ns;     /* since 1970 at the target's time 0; 0: told from when monitoring begins */
    es_trace_tell *tell;   /* NULL: es_trace_figures alone tells */
    void *context;         /* of tell */
} es_trace_options;

typedef struct es_trace es_trace;

/* Makes the directory; the first chunk follows with ES_RECORD_BEGIN. Options are copied. NULL: ES_OUTPUT (the directory
 * cannot be made or holds a trace already). */
es_trace *es_trace_create(const es_trace_options *options, es_error *err);

/* Where the records go: one thread at a time. What comes before ES_RECORD_BEGIN is kept until then (64 KiB of it). */
es_sink es_trace_sink(es_trace *trace);

/* Tells of troubles that are new, for an owner that may have no records for a while. */
void es_trace_poll(es_trace *trace);

typedef struct es_trace_figures {
    uint64_t records; /* taken */
    uint64_t lost;    /* of these, left out; after es_trace_finish also those that the disk did not take to the end */
    uint64_t bytes;   /* written */
    uint64_t chunks;  /* begun */
    bool failing;     /* it cannot be written at present */
} es_trace_figures;
void es_trace_look(es_trace *trace, es_trace_figures *figures);

/* Writes all out and waits for the disk: the figures are final then. Nothing may be given any more. */
void es_trace_finish(es_trace *trace);

/* Does that, and frees. False with ES_OUTPUT when not all could be written (records were left out
 * before: that is told by es_trace_look and the trace, and no failure here). NULL is fine. */
bool es_trace_close(es_trace *trace, es_error *err);

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct es_trace_reader es_trace_reader;

/* What is known of a trace without its records. */
typedef struct es_trace_about {
    const char *probe;    /* NULL: not named */
    int64_t origin_ns;    /* since 1970 at time 0 */
    uint64_t first_chunk; /* above 1: older ones were removed */
    uint64_t chunks;
    uint64_t begin, end; /* times of its first and last record, in clocks */
    uint64_t torn_bytes; /* at the end of chunks: what was being written when the writer was stopped */
    uint64_t bytes;
    bool finished; /* it has its summary: the writer was not stopped before its end */
} es_trace_about;

/* Opens a directory that es_trace_create made, or one chunk of it; one that is being written, too: it ends where it
 * ended then. Torn ends are left out. NULL: ES_USAGE (it is no trace, or a damaged one). */
es_trace_reader *es_trace_open(const char *directory, es_error *err);
void es_trace_reader_free(es_trace_reader *reader);

/* Valid as long as the reader. */
const es_schema *es_trace_schema(const es_trace_reader *reader);
const es_trace_about *es_trace_about_of(const es_trace_reader *reader);

/* What is wanted of a trace; all zero but `to`: everything. */
typedef struct es_trace_filter {
    uint64_t from, to;      /* clocks: records of these times, both included; to: ES_NO_TIME for all */
    const bool *statements; /* hits: by statement; NULL: all */
    const char *const *tasks;
    size_t task_count;           /* hits: of these tasks only; 0: all */
    bool (*stop)(void *context); /* asked now and then: whether it is enough; NULL: never */
    void *context;
} es_trace_filter;

/* Gives BEGIN, then the records in their order. Losses are given whatever statements and tasks are wanted. With a
 * filter that leaves anything out there is no summary: it is of the whole run. False with ES_USAGE: the trace is
 * damaged (what was given until there is good) or ES_OUTPUT: it cannot be read. Can be called again. */
bool es_trace_read(es_trace_reader *reader, const es_trace_filter *filter, const es_sink *sink, es_error *err);

/* Cuts off torn ends, so that other tools read the trace. Nothing may be writing it. Gives how many bytes were cut.
 * Fails with ES_USAGE (no trace) or ES_OUTPUT. */
bool es_trace_mend(const char *directory, uint64_t *cut, es_error *err);

#endif
