/* The firmware's routines that the image's code and tables refer to. */
#ifndef ES_IMAGE_FIRMWARE_H
#define ES_IMAGE_FIRMWARE_H

#include <routines.h>
#include <stdint.h>

typedef struct firmware_routines {
#define FIRMWARE_ROUTINE(name) uint32_t name;
    ES_MI_ROUTINES(FIRMWARE_ROUTINE)
#undef FIRMWARE_ROUTINE
#define FIRMWARE_PLACE(name, where) uint32_t name;
    ES_MI_PLACES(FIRMWARE_PLACE)
#undef FIRMWARE_PLACE
} firmware_routines;

/* Their addresses in the firmware that goes with this host. */
firmware_routines es_firmware_routines_get(void);

#endif
