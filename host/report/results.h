/* What runs say of their expectations, kept until all of it is written: by people's text, JUnit XML, annotations. */
#ifndef ES_REPORT_RESULTS_H
#define ES_REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "record/record.h"

/* One expectation in one run. */
typedef struct es_result {
    const char *name, *text; /* of the statement; text: as written */
    const char *file;        /* where it stands; "-e" */
    unsigned line;
    enum es_expectation expects;
    enum es_verdict verdict;
    const char *why; /* not met: "it occurred 3 times, first at 1.5 ms" */
    uint64_t hits;
    const char *told; /* the first of its hits, a line each, and how many more there were; "": none */
} es_result;

/* One run of one program. */
typedef struct es_run_results {
    const char *program; /* path */
    bool seeded;         /* it has a seed: the target is simulated */
    uint32_t seed;
    es_result *results;
    size_t count;
    const char *trouble; /* why the run itself is none to trust; NULL: nothing */
    enum es_code code;   /* what `trouble` means for the exit code */
    const char *console; /* what the target wrote, cut when it is very long; "": nothing */
    const char *notices; /* warnings and losses, a line each; "": none */
    uint64_t lost;
    uint64_t time_ns; /* how long the target ran */
    double wall_seconds;
} es_run_results;

typedef struct es_results {
    es_arena *arena;
    es_run_results *runs;
    size_t count;
    struct es_results_taker *taker; /* private */
} es_results;

es_results es_results_new(void);
void es_results_free(es_results *results);

/* Adds a run, and returns who takes its records until the next one is added. `program` is not copied. */
es_sink es_results_begin(es_results *results, const char *program, bool seeded, uint32_t seed);

/* Ends the run that was added last: what it told is settled. */
void es_results_end(es_results *results);

/* The run that was added last has ended before its time, for this reason: what might have come later is unknown. */
void es_results_cut(es_results *results, const char *why);

/* The run that was added last is none to trust. Of several reasons the first stays. */
void es_results_trouble(es_results *results, enum es_code code, const char *why);

typedef struct es_tally {
    size_t met, failed, unknown, troubles;
} es_tally;

/* How many there are, of one run or, with NULL, of all. */
es_tally es_results_tally(const es_results *results, const es_run_results *run);

/* "thermostat.elf" or, with a seed, "thermostat.elf seed 3". */
void es_results_name(es_text_buffer *out, const es_run_results *run);

#endif
