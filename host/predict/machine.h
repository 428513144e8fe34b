/* The machine that a trace is bound to: processors, scheduler, policies, memory. */
#ifndef ES_PREDICT_MACHINE_H
#define ES_PREDICT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { ES_PREDICT_CORES = 32 };

enum es_predict_scheduler {
    ES_PREDICT_FIFO,       /* one queue of ready threads; a thread runs until it waits */
    ES_PREDICT_PREEMPTIVE, /* the ready thread of the highest priority, at once: it interrupts a lower one */
    ES_PREDICT_ROUND,      /* one queue; after its quantum a thread goes to the queue's end, if another one is ready */
    ES_PREDICT_WORK,       /* a queue for each core; who has nothing takes from the longest one's end */
    ES_PREDICT_PRIORITY,   /* of the ready threads the first one of the highest priority, when a core is free */
    ES_PREDICT_SCHEDULERS
};

enum es_predict_order {
    ES_PREDICT_FIRST, /* who has waited longest goes on */
    ES_PREDICT_LAST,  /* who came last */
    ES_PREDICT_BEST,  /* who has the highest priority, of these the first */
    ES_PREDICT_ORDERS
};

enum es_predict_memory {
    ES_PREDICT_PORTS, /* a port for each core: accesses of others do not matter */
    ES_PREDICT_DATA,  /* data have one port for all, round robin: one access at a time; fetches a port for each core */
    ES_PREDICT_ONE,   /* one port for all accesses */
    ES_PREDICT_MEMORIES
};

/* A speed: clocks of a core for one of the bus, as a fraction. */
typedef struct es_predict_speed {
    uint32_t over, under;
} es_predict_speed;

typedef struct es_predict_machine {
    unsigned cores;                            /* 1 to ES_PREDICT_CORES */
    es_predict_speed speeds[ES_PREDICT_CORES]; /* 0/0: 1 */
    enum es_predict_scheduler scheduler;
    uint32_t quantum;            /* ROUND: clocks */
    enum es_predict_order order; /* in which threads that wait for an object go on */
    bool barge; /* an object given back is free for whoever comes first; else it is handed to who waits */
    enum es_predict_memory memory;
    uint32_t wait;    /* clocks that each access takes more */
    uint32_t latency; /* clocks from a put to when it can be got */
    uint32_t bell;    /* clocks from ringing for a core that sleeps to when it hears it */
    bool free_kernel; /* events cost nothing, and the kernel has no lock */
    uint32_t kernel;  /* percent of what events cost in the recorded run; 0: as recorded (100). PORTS only */
    uint32_t open;    /* a mutex, its number + 1, for which nobody has to wait; 0: none */
} es_predict_machine;

/* "2", "1.5", "0.25". False: it is none, with *err. */
bool es_predict_speed_parse(const char *text, es_predict_speed *speed, es_error *err);
const char *es_predict_scheduler_name(enum es_predict_scheduler scheduler);
const char *es_predict_memory_name(enum es_predict_memory memory);

/* In range, and one that can be computed. ES_USAGE. */
bool es_predict_machine_check(const es_predict_machine *machine, es_error *err);

#endif
