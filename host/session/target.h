/* A simulated target that a session runs: what it does besides what its bus shows. */
#ifndef ES_SESSION_TARGET_H
#define ES_SESSION_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "transport/transport.h"

enum es_target_state {
    ES_TARGET_RUNNING,
    ES_TARGET_EXITED,
    ES_TARGET_TRAPPED,
    ES_TARGET_HALTED,
    ES_TARGET_OVER,  /* nobody knows what it does from here on: the end of a recording */
    ES_TARGET_GONE,  /* the probe that hears it is gone: it may come back */
    ES_TARGET_EMPTY, /* a recording of nothing */
    ES_TARGET_LOST,  /* ... and what is missing was to be there: it cannot be replayed, or was cut off */
};

/* Of a statement, to those who put what several probes say of one event into the order of one probe. */
typedef struct es_target_rank {
    uint32_t number; /* among all statements */
    bool leaves;     /* at a handler's last instruction only the return is an event of it */
} es_target_rank;

typedef struct es_session_target {
    void (*start)(void *context);
    void (*stop)(void *context); /* nothing more happens on its bus */
    /* Lets it run for at most so many of its clocks, or until so many bytes have come from the probe. */
    enum es_target_state (*step)(void *context, uint64_t clocks, size_t bytes);
    uint64_t (*cycles)(void *context); /* clocks so far */
    int (*exit_code)(void *context);   /* EXITED */
    uint32_t (*pc)(void *context);
    const char *(*trap_text)(void *context);         /* TRAPPED, OVER, GONE, LOST: why, in words */
    uint64_t (*pulses)(void *context, unsigned pin); /* of a trigger pin, 0 to 7 */
    /* At the run's end, what else there is to say of it: as a note, and as a warning. NULL: nothing */
    void (*tell)(void *context, es_text_buffer *note, es_text_buffer *warning);
    bool unsure; /* it may write what nobody knows: it is replayed */

    /* Where any number of probes can hear its bus, each with some of the statements; else NULL, all of them. Ranks are
     * by statement of a probe's image, and have to stay. */
    void (*rank)(void *context, const es_target_rank *ranks, size_t count); /* of the first probe's */
    /* Another probe, before the first one is started: its transport, which the caller need not close. */
    es_transport *(*beside)(void *context, const es_target_rank *ranks, size_t count, es_error *err);
    size_t (*next)(void *context);          /* which probe's bytes come next, 0 the first; SIZE_MAX: there are none */
    void (*hold)(void *context, bool hold); /* while they are held, what they say is of one event */
} es_session_target;

/* Who takes what it writes to its console: bytes in any portions. */
typedef struct es_session_console {
    void (*take)(void *context, const char *bytes, size_t size);
    void *context;
} es_session_console;

#endif
