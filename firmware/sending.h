/* Frames to the host, word by word (docs/link.md). */
#ifndef ES_FIRMWARE_SENDING_H
#define ES_FIRMWARE_SENDING_H

#include "firmware.h"

/* The first word of a frame of so many words; the hardware adds its number. */
static inline void put_head(uint32_t kind, uint32_t words)
{
    REG(ES_REG_EV_HEAD) = (words - 1) << 8 | kind;
}

static inline void put(uint32_t word)
{
    REG(ES_REG_EV_DATA) = word;
}

static inline void end(void)
{
    REG(ES_REG_EV_END) = 0;
}

#endif
