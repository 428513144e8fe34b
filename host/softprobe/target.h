/* A target for sessions (session/target.h) whose bus is not on wires: something gives what happens on it, a machine
 * that runs or a recording that is replayed, and a probe in software hears it.
 *
 *     es_softprobe_target target = {.source = &source, .context = whose};
 *     es_softprobe_options options = {...};
 *     es_softprobe_target_pins(&target, &options);
 *     target.probe = es_softprobe_new(&options, &err);
 *     session_probe = (es_session_probe){.transport = es_softprobe_transport(target.probe),
 *                                        .target = &es_soft_target, .target_context = &target};
 *
 * and es_softprobe_free when the session is over. */
#ifndef ES_SOFTPROBE_TARGET_H
#define ES_SOFTPROBE_TARGET_H

#include "session/target.h"
#include "softprobe/softprobe.h"

typedef struct es_softprobe_target es_softprobe_target;

/* What gives the accesses. Times are clocks since the target's start. */
typedef struct es_softprobe_source {
    /* Gives the probe what happens before the time `until`, in order (es_softprobe_access, _poke, _lost), and comes
     * back when that is all, or soon after es_softprobe_target_enough is true. */
    enum es_target_state (*advance)(void *context, es_softprobe_target *target, uint64_t until);
    uint64_t (*cycles)(void *context); /* as far as it has come */
    int (*exit_code)(void *context);   /* EXITED */
    uint32_t (*pc)(void *context);
    const char *(*trap_text)(void *context);                                    /* TRAPPED, OVER: why, in words */
    void (*tell)(void *context, es_text_buffer *note, es_text_buffer *warning); /* session/target.h; NULL: nothing */
    uint64_t (*quiet)(void *context); /* what comes next does not come before this time, while it runs; NULL: cycles */
} es_softprobe_source;

struct es_softprobe_target {
    es_softprobe *probe;
    const es_softprobe_source *source;
    void *context; /* the source's */

    /* private: zeros at first */
    size_t bytes; /* so many that wait for the host are enough; 0: any number may wait */
    bool stopped, halted;
    uint64_t pulses[8];
};

extern const es_session_target es_soft_target; /* its context is an es_softprobe_target */

/* The pins of the probe that these options are for. */
void es_softprobe_target_pins(es_softprobe_target *target, es_softprobe_options *options);

/* The source is to come back. */
static inline bool es_softprobe_target_enough(const es_softprobe_target *target)
{
    return target->halted || (target->bytes && es_softprobe_waiting(target->probe) >= target->bytes);
}

#endif
