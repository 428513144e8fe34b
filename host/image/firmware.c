/* The values of HIT frames, and the firmware that sends them. */
#include "image/firmware.h"
#include <string.h>

#include "image/image.h"
#include "probe_defs.h"

extern const uint8_t es_firmware_start[], es_firmware_end[], es_library_start[], es_drain_start[],
    es_drain_end[]; /* firmware/rules.mk */

const uint8_t *es_firmware(size_t *size)
{
    /* the two symbols enclose one object */
    *size = (size_t)((uintptr_t)es_firmware_end - (uintptr_t)es_firmware_start);
    return es_firmware_start;
}

const uint8_t *es_firmware_drain(size_t *size)
{
    *size = (size_t)((uintptr_t)es_drain_end - (uintptr_t)es_drain_start);
    return es_drain_start;
}

firmware_routines es_firmware_routines_get(void)
{
    firmware_routines routines;
    memcpy(&routines, es_firmware_start + ES_MI_ROUTINES_AT, sizeof routines);
    return routines;
}

const uint8_t *es_firmware_library(void)
{
    return es_library_start;
}

uint32_t es_firmware_library_need(uint32_t highest)
{
    firmware_routines routines = es_firmware_routines_get();
    if (!highest)
        return 0;
#define STEP(name, where) \
    if (highest < routines.name) \
        return routines.name - ES_MI_LIBRARY_AT;
    ES_MI_LIBRARY_STEPS(STEP)
#undef STEP
    return routines.doubles_end - ES_MI_LIBRARY_AT;
}
