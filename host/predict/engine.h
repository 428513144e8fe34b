/* Trace-driven firing (Nutt 1991, section 5): threads' traces on a machine.
 *
 * Places are blocks; a thread is a token on one of them. The token stays for the block's time, then the trace says to
 * which place it goes. At an abstract event the transition fires when the machine's state lets it: then, or when
 * another thread has made it so. What is done at the same time is done in the order of the cores' numbers. */
#ifndef ES_PREDICT_ENGINE_H
#define ES_PREDICT_ENGINE_H

#include "predict/machine.h"
#include "predict/trace.h"

/* What a thread does between two events: its blocks, as one place (docs/predict.md, "The paper, step by step"). */
typedef struct es_predict_step {
    uint64_t clocks, accesses;
    uint32_t first, count; /* items of the thread */
    uint32_t event;        /* that follows */
} es_predict_step;

/* Where a thread went on with an item that it had got from a queue. */
typedef struct es_predict_place {
    uint32_t thread, step; /* of the event */
} es_predict_place;

/* The items of a queue from which several threads of the same kind take: whoever gets an item does with it what the
 * thread did that got it in the recorded run. */
typedef struct es_predict_items {
    es_predict_place *places; /* by item; NULL: threads keep to their own traces */
    size_t count;
} es_predict_items;

typedef struct es_predict_steps {
    const es_predict_trace *trace;
    es_predict_step **of; /* by thread */
    size_t *counts;
    es_predict_items *items; /* by object */
    uint64_t firings;        /* blocks, of all */
    uint32_t meet;           /* at the smallest barrier; 0: there is none */
} es_predict_steps;

/* All that stands between events becomes one step; with `keep`, blocks for which it says so stay steps of their own
 * (their event is ES_PREDICT_NONE). keep NULL: none. */
es_predict_steps *es_predict_reduce(const es_predict_trace *trace, bool (*keep)(void *context, uint32_t block),
                                    void *context);
/* Nothing is put together: every block is a step. */
es_predict_steps *es_predict_each_block(const es_predict_trace *trace);
void es_predict_steps_free(es_predict_steps *steps);

/* One stretch of a core's time. */
enum es_predict_doing {
    ES_PREDICT_RUNS,   /* the thread's own code */
    ES_PREDICT_KERNEL, /* the library's */
    ES_PREDICT_SPINS,  /* waits for the kernel's lock */
    ES_PREDICT_IDLES,
};

typedef struct es_predict_stretch {
    uint64_t begin, end;   /* ticks */
    uint32_t thread;       /* ES_PREDICT_NONE: none */
    uint32_t stream, step; /* of whose trace (its own, but where work goes with items), which step */
    uint16_t core;
    uint8_t doing;
} es_predict_stretch;

/* A thread went on because of another's event, or because a core was free for it. */
typedef struct es_predict_cause {
    uint64_t asked, woken, resumed; /* ticks: it began to wait; was let go on; has run on */
    uint32_t thread, step;          /* whose event it was in; ES_PREDICT_NONE as step: it has been forked */
    uint32_t by;                    /* thread that let it go on */
    uint32_t by_step;
    uint32_t object; /* ES_PREDICT_NONE: about none */
} es_predict_cause;

typedef struct es_predict_listener {
    void (*stretch)(void *context, const es_predict_stretch *stretch); /* in the order of their ends, for a core */
    void (*cause)(void *context, const es_predict_cause *cause);       /* in the order of `resumed` */
    void *context;
} es_predict_listener;

typedef struct es_predict_waiting {
    uint64_t waits, passes; /* requests that had to wait, that had not */
    uint64_t ticks;         /* that threads waited, until they were let go on */
    uint64_t worst;
} es_predict_waiting;

typedef struct es_predict_result {
    uint64_t makespan; /* ticks, to the end of the last thread */
    uint32_t scale;    /* ticks of a clock */
    uint64_t runs[ES_PREDICT_CORES], kernel[ES_PREDICT_CORES], spins[ES_PREDICT_CORES]; /* ticks */
    es_predict_waiting *objects; /* by object of the trace; one more for joins */
    size_t object_count;
    es_predict_waiting lock; /* of the kernel */
    uint64_t ready_ticks;    /* that threads were ready and no core was free */
    uint64_t firings, events, preemptions;
} es_predict_result;

/* ES_USAGE where the machine does not fit the trace, or threads are left that nobody lets go on: with who waits for
 * what. listener may be NULL. */
bool es_predict_run(const es_predict_steps *steps, const es_predict_machine *machine,
                    const es_predict_listener *listener, es_predict_result *result, es_error *err);
void es_predict_result_free(es_predict_result *result);

static inline double es_predict_clocks(const es_predict_result *result, uint64_t ticks)
{
    return (double)ticks / result->scale;
}

#endif
