/* One run of a program on the target with shared memory, without a probe: how long it took, and what each core executed. */
#ifndef ES_SHARED_RUN_H
#define ES_SHARED_RUN_H

#include "sim.h"

typedef struct es_shared_options {
    const char *program;  /* path of its ELF */
    es_sim_shared target; /* with 1 core or more */
    uint32_t seed;
    uint64_t clocks; /* the run is given up after so many; 0: ES_SHARED_CLOCKS */
    /* Each may be NULL. Retired instructions come in the order of their end, in one clock the lowest core first. */
    void (*on_console)(void *context, const char *bytes, size_t size);
    void (*on_retired)(void *context, const es_retired *retired);
    void *context;
} es_shared_options;

#define ES_SHARED_CLOCKS 1000000000u

typedef struct es_shared_result {
    int exit_code;
    unsigned core;         /* that ended the run */
    uint64_t begin;        /* clock in which the fetch of main's first instruction ended */
    uint64_t end;          /* clock of the write to the exit register; the makespan is end - begin */
    uint64_t instructions; /* retired, of all cores */
} es_shared_result;

/* False with a sentence when the program cannot be loaded, stops on an exception or a stray access, or does not end. */
bool es_shared_run(const es_shared_options *options, es_shared_result *result, es_error *err);

#endif
