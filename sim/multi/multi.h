/* The multi-core reference target (docs/target.md), stepped from C: 1 to 8 processors, each with a memory, devices and
 * a tap of its own, and one message device between them. All share one time, which counts bus clocks as a tap's time
 * does.
 *
 * Everything here only listens, as taps do: no callback and no watch changes the target's timing. In each clock the
 * processors report in the order of their numbers; one processor's callbacks come in the order retired, console, fetch,
 * mark. on_retired tells of the clock before. */
#ifndef ES_MULTI_H
#define ES_MULTI_H

#include "sim.h"

#define ES_MULTI_CORES 8u
#define ES_MULTI_LATENCY 255u

typedef struct es_multi es_multi;

/* A mark, as the tap saw it: a store to the marker window (docs/marks.md). */
typedef struct es_mark {
    uint64_t time; /* bus clock of the store */
    unsigned core;
    uint32_t id;    /* 0 to 511 */
    uint32_t value; /* what was stored */
    uint32_t pc;    /* of the store instruction: the last fetch before */
} es_mark;

typedef struct es_multi_config {
    unsigned cores;   /* 1 to ES_MULTI_CORES */
    unsigned latency; /* of a message, in bus clocks; 1 to ES_MULTI_LATENCY */
    uint32_t seed;    /* core c's RANDOM register has seed + c */
    bool probe;       /* with a probe for marks after the taps: es_multi_read and the others below */
    unsigned ratio;   /* its clocks per bus clock; 0: elastic, as many as it has work for, so that nothing is lost */
    /* Each may be NULL. */
    void (*on_console)(void *context, unsigned core, const char *bytes, size_t size);
    void (*on_retired)(void *context, unsigned core, const es_retired *retired);
    void (*on_mark)(void *context, const es_mark *mark);
    /* of instructions that es_multi_watch named */
    void (*on_fetch)(void *context, unsigned core, uint64_t time, uint32_t address);
    /* of an access to the message device that has ended; pc: of the instruction */
    void (*on_message)(void *context, unsigned core, uint64_t time, uint32_t pc, uint32_t address);
    void *context;
} es_multi_config;

enum es_multi_state {
    ES_MULTI_RUNNING,
    ES_MULTI_EXITED,  /* every core has written its exit register */
    ES_MULTI_TRAPPED, /* a core stopped for a reason that es_multi_text tells */
    ES_MULTI_STUCK    /* every core that has not exited waits for a message, and none is on its way */
};

/* A target in reset, its memories 0. NULL with an error when the configuration is out of range or memory is short. */
es_multi *es_multi_new(const es_multi_config *config, es_error *err);
void es_multi_free(es_multi *multi); /* NULL is fine */

/* Writes bytes to a core's ROM or RAM before the start. False outside of both, or when there is no such core. */
bool es_multi_load(es_multi *multi, unsigned core, uint32_t address, const uint8_t *bytes, size_t size);

/* Reports fetches of the instruction at `address` to on_fetch from now on. False outside of ROM, or when there is no
 * such core. */
bool es_multi_watch(es_multi *multi, unsigned core, uint32_t address);

/* Lets the cores start with the first step. Loading ends here. */
void es_multi_start(es_multi *multi);

/* Advances by at most `clocks` bus clocks; returns early when the run ends. */
enum es_multi_state es_multi_step(es_multi *multi, uint64_t clocks);

uint64_t es_multi_cycles(const es_multi *multi);              /* bus clocks since the start */
int es_multi_exit_code(const es_multi *multi, unsigned core); /* of a core that has exited; 0 before */

/* The probe's link, bytes from and to it. Never block. The target stalls meanwhile. Without a probe: 0. */
size_t es_multi_read(es_multi *multi, uint8_t *bytes, size_t size);
size_t es_multi_write(es_multi *multi, const uint8_t *bytes, size_t size);

/* Lets the probe work for at most so many of its clocks, without the target; with a fixed ratio only while that does
 * not run. True while it has something left to do. */
bool es_multi_probe_run(es_multi *multi, uint64_t clocks);

/* Why the run ended: for TRAPPED and STUCK sentences for the user, without a full stop, that name the cores. Else
 * empty. Belongs to `multi`. */
const char *es_multi_text(const es_multi *multi);

#endif
