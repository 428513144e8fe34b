/* The values of HIT frames, and the firmware that sends them. */
#include "image/firmware.h"
#include <string.h>

#include "image/image.h"

extern const uint8_t es_firmware_start[], es_firmware_end[]; /* firmware/rules.mk */

const uint8_t *es_firmware(size_t *size)
{
    /* the two symbols enclose one object */
    *size = (size_t)((uintptr_t)es_firmware_end - (uintptr_t)es_firmware_start);
    return es_firmware_start;
}

firmware_routines es_firmware_routines_get(void)
{
    firmware_routines routines;
    memcpy(&routines, es_firmware_start + ES_MI_ROUTINES_AT, sizeof routines);
    return routines;
}
