/* What of a program is the library of threads: functions that are abstract events, and the few variables and devices by
 * which a kernel's work is told apart from threads' (examples/threads; docs/predict.md, "Libraries"). */
#ifndef ES_PREDICT_LIBRARY_H
#define ES_PREDICT_LIBRARY_H

#include "predict/event.h"
#include "symbols/symbols.h"

/* A function that is an abstract event: what its first two arguments are. */
typedef struct es_predict_function {
    const char *name;
    enum es_predict_kind kind;
} es_predict_function;

typedef struct es_predict_library {
    const es_procedure *functions[ES_PREDICT_KINDS]; /* NULL: the program does not have it */
    uint32_t running, running_size;                  /* of each core, the thread that it runs: pointers */
    uint32_t cores, cores_size;                      /* threads that stand for the cores' schedulers */
    const es_procedure *fork_priority;               /* another one that is a fork: with a priority */
    uint32_t ready;                                  /* the list of ready threads: its first one */
    uint32_t ready_count;                            /* so many of them, by priority; 0: it is no array */
    uint32_t ready_counts;                           /* 0, or of rings of ready ones, how many are in each */
    uint32_t threads;                                /* something that can be in it: an array of */
    uint32_t thread_count, thread_size;              /* so many, of so many bytes each */
    bool barges;       /* what is given back is free for whoever comes first: it has a variable threads_barge */
    uint32_t priority; /* where a thread has its priority, a byte; NONE: it has none */
    const es_procedure *ready_function; /* makes a thread ready, and wakes cores */
    const es_procedure *interrupted;    /* called by the handler of interrupts; NULL: threads are not interrupted */
    const es_procedure *slices[3];      /* where slices begin: with it, the scheduler, the kernel's start */
    uint32_t trap_return;               /* the handler's last instruction */
    const es_procedure *searches[2];    /* look for a place among those that wait; NULL: a thread is the last */
    bool late;                          /* items of queues are on their way: it has a variable threads_latency, */
    uint32_t latency;                   /* ... here, and the functions late_look, queue_arrives, thread_ready_here: */
    const es_procedure *look, *arrives, *ready_here;
} es_predict_library;

/* The function that begins at an address is an abstract event. */
bool es_predict_library_event(const es_predict_library *library, uint32_t address, enum es_predict_kind *kind);

/* ES_USAGE: the program has no such library, with what is missing. */
bool es_predict_library_find(const es_symbols *symbols, es_predict_library *library, es_error *err);

/* The variable in which an address lies, with the place in it: "lock", "queues[2]", "room+8". For the caller to
 * free; NULL: in none. */
char *es_predict_name_of(const es_symbols *symbols, uint32_t address);

#endif
