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

/* The library's code, as it stands at ES_MI_LIBRARY_AT. */
const uint8_t *es_firmware_library(void);
/* How many bytes of it an image has to have whose code goes to this address in it at most; 0: to none. */
uint32_t es_firmware_library_need(uint32_t highest);

#endif
