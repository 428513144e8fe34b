/* Runs a message-passing program with marks on the simulated multi-core target and tells of its marks: what the taps
 * see of the program with marks, or, as the truth to compare with, when the same program without them passed the
 * marks' places (docs/marks.md). */
#ifndef ES_RECORDER_H
#define ES_RECORDER_H

#include "multi.h"
#include "net/marks/marks.h"

typedef struct es_recorder_options {
    unsigned cores;   /* 1 to ES_MULTI_CORES */
    unsigned latency; /* of a message in clocks, 1 to ES_MULTI_LATENCY */
    /* ELF files with marks: one for all cores (count 1), or one for each. */
    const char *const *programs;
    size_t count;
    /* NULL, or the same programs assembled without marks, as many: these run, and `programs` only tell where the
     * marks would be. */
    const char *const *markless;
    /* Each mark. With marks: as soon as it is over, sorted by time, then core. Without: all at the run's end, sorted
     * by time, core and program order; time is when the core passed the place, delay 0. */
    void (*on_mark)(void *context, const es_net_mark *mark);
    /* What a tap sees to which the marks' own instructions are not visible: the store, and nothing but it. May be
     * NULL. With marks only. */
    void (*on_store)(void *context, const es_net_mark *mark); /* time: of the store; delay 0 */
    void *context;
    bool probe;     /* with a probe for marks after the taps (es_recorder_target) */
    unsigned ratio; /* its clocks per bus clock, 0 elastic */
} es_recorder_options;

typedef struct es_recorder es_recorder;

/* A target with the programs loaded, before its first clock. The strings of the options must outlive it. NULL with
 * an error: a file that cannot be read, has no marks or does not fit the target, programs with and without marks
 * that do not correspond, or numbers out of range. */
es_recorder *es_recorder_new(const es_recorder_options *options, es_error *err);
void es_recorder_free(es_recorder *recorder); /* NULL is fine */

/* Goes on for at most so many clocks; *ended once all cores have exited. Fails with ES_PROBE when the run ends in
 * another way: a trap, cores that all wait for messages, an exit code that is not 0, or a store to the marker window
 * that is no mark. Marks before that have been told then. */
bool es_recorder_run(es_recorder *recorder, uint64_t clocks, bool *ended, es_error *err);

/* Tells of the marks that are held back until the run's end (without marks), also when that has not come. */
void es_recorder_flush(es_recorder *recorder);

/* The target; it is the recorder that steps it. Belongs to the recorder. */
es_multi *es_recorder_target(const es_recorder *recorder);

uint64_t es_recorder_clocks(const es_recorder *recorder); /* since the start */

#endif
