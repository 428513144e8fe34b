/* A probe in software: what es_probe (rtl/core) is, in plain C, with the same firmware, which runs on a host/machine.
 *
 * It is fed with what a target does on its bus, and to sessions, the daemon and traces it is just another probe: a
 * transport with the byte streams of docs/link.md. Where the hardware does things side by side, here one follows the
 * other: a record is executed, and the firmware runs until it waits again. So nothing is ever lost for lack of time.
 * What hits tell is what a probe in hardware tells of the same bus, byte by byte (tests/softprobe).
 *
 * Nothing here waits or has threads: all happens in the calls. */
#ifndef ES_SOFTPROBE_SOFTPROBE_H
#define ES_SOFTPROBE_SOFTPROBE_H

#include "isa/isa.h"
#include "machine/machine.h"
#include "session/target.h"
#include "transport/transport.h"

typedef struct es_softprobe es_softprobe;

/* As es_probe's parameters of the same names (docs/rtl.md). TAPS is 1, the target's bus has 32 bits. */
typedef struct es_softprobe_options {
    const es_isa *isa;    /* the target's */
    uint32_t window_base; /* of phantom memory, a multiple of its size */
    unsigned window_log2; /* log2 of its bytes, 12 to 28; memory is used for what of it is accessed */
    unsigned mem_log2;    /* log2 of the soft core's memory, 15 to 28; images use 64 KiB at most (ES_MI_ADDRESS_END) */
    unsigned time_w;      /* bits of the time between two epochs, 8 to 32: deadlines are noticed at an epoch's end */
    unsigned fetches;     /* ES_FETCHES_*: what fetches prove */
    bool compressed;      /* instructions may have 16 bits */
    /* CONFIG says that there is a tracker, so that images are the same as for a probe that has one. It never deals with
     * a hit, which is its right. */
    bool tracker;
    /* What the pins do; NULL: nobody wants to know. pins: a bit for each that gets a pulse */
    void (*on_pulses)(void *context, unsigned pins);
    void (*on_halt)(void *context, bool level);
    void *context;
} es_softprobe_options;

/* ES_USAGE: options out of their range. */
es_softprobe *es_softprobe_new(const es_softprobe_options *options, es_error *err);
/* After its transport has been closed, and those of all beside it, which end with it. NULL is fine. */
void es_softprobe_free(es_softprobe *probe);

/* Another monitor on the same bus, with a firmware, an image and a transport of its own; phantom memory is common, and
 * is loaded by way of the first. To be made before one of them is started. What the target does is told to the first.
 * NULL and *err as es_softprobe_new. */
es_softprobe *es_softprobe_beside(es_softprobe *first, es_error *err);

/* By statement of its image, of one of several monitors; they have to stay. What all say of one event comes in their
 * order. */
void es_softprobe_set_ranks(es_softprobe *probe, const es_target_rank *ranks, size_t count);

/* Whose bytes come next, a number in the order of making, 0 the first; SIZE_MAX: there are none. */
size_t es_softprobe_next(es_softprobe *first);

/* While it is held, what monitors say waits; then it comes in the order of one event. */
void es_softprobe_hold(es_softprobe *first, bool hold);

/* The host's end of its link; there is one, which belongs to the probe. Reading never waits: what has not come when all
 * is at rest will not come by itself. */
es_transport *es_softprobe_transport(es_softprobe *probe);

/* --- the target's side: times are the tap's clocks since its reset, in 56 bits, and never go back --- */

/* The next access on the target's bus. What of its data is not known makes its word unknown. */
void es_softprobe_access(es_softprobe *probe, const es_machine_access *access, uint64_t time);

/* Phantom memory changes, without an access: a word becomes this, known unless any bit of `unknown` is set. Outside of
 * the window nothing happens. Never a hit. */
void es_softprobe_poke(es_softprobe *probe, uint32_t address, uint32_t word, uint32_t unknown);
/* The same. If the word is a pointer that statements follow, it points to nothing until it changes again: what it
 * points to is no object any more. */
void es_softprobe_poke_freed(es_softprobe *probe, uint32_t address, uint32_t word, uint32_t unknown);

/* So many accesses were lost, the first and the last one of them at these times. */
void es_softprobe_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last);

/* The bus was quiet until this time. */
void es_softprobe_quiet(es_softprobe *probe, uint64_t time);

/* --- looking at it --- */

/* Bytes for the host that it has not read yet, of all monitors. */
size_t es_softprobe_waiting(const es_softprobe *probe);

/* The soft core waits, and no record is left: what was fed has been dealt with. False while it stands still (in reset,
 * or stopped for good by an instruction that it does not have) and hits or records wait for it. */
bool es_softprobe_idle(const es_softprobe *probe);

typedef struct es_softprobe_figures {
    uint64_t hits;         /* executed records that were, marks with them */
    uint64_t instructions; /* of the soft core */
    uint64_t lost;         /* records for lack of room, while the soft core stood still */
    size_t pages;          /* of phantom memory in use, of 5 KiB */
} es_softprobe_figures;
es_softprobe_figures es_softprobe_get_figures(const es_softprobe *probe);

#endif
