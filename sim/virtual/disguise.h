/* A probe that answers as one with other gateware would: what it says of itself is changed on the way to the host. */
#ifndef ES_VIRTUAL_DISGUISE_H
#define ES_VIRTUAL_DISGUISE_H

#include "base/text.h"
#include "stream/frame.h"

typedef struct es_disguise {
    uint32_t id;             /* what it answers for REG_ID; 0: its own */
    bool no_clock;           /* and for REG_CONFIG: without CONFIG_TIME_NOW */
    bool asked;              /* for some of its registers: */
    uint32_t sequence;       /* the question's, ... */
    uint32_t address, count; /* ... from this one on, so many */
    es_deframer frames;      /* of what the probe sends */
    es_text_buffer out;      /* changed, from `taken` on */
    size_t taken;
} es_disguise;

/* The host sends a command to the probe. */
void es_disguise_command(es_disguise *disguise, const uint32_t *words, size_t count);

/* Takes bytes of the probe's; gives those for the host. Whole frames come out. Returns how many. */
void es_disguise_push(es_disguise *disguise, const uint8_t *bytes, size_t size);
size_t es_disguise_take(es_disguise *disguise, uint8_t *bytes, size_t size);

static inline bool es_disguise_worn(const es_disguise *disguise)
{
    return disguise->id || disguise->no_clock;
}

#endif
