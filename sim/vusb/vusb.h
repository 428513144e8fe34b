/* A virtual FT2232H. Under umockdev-wrapper, unmodified libusb and libftdi1 of the same process find it as a USB device
 * (0403:6010) and talk to it through usbdevfs calls that are answered here; its channel A leads to the simulated
 * probe's FT245 side.
 *
 * All devices of a process hang on one test bed. A device's thread steps what is connected to it (the simulation, for
 * instance) and moves its bytes; between start and stop nobody else may touch that.
 */
#ifndef ES_VUSB_H
#define ES_VUSB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct es_sim;
typedef struct es_vusb es_vusb;

/* What is connected to channel A in synchronous FIFO mode. Called from the device's thread; none may block for long. */
typedef struct es_vusb_port {
    size_t (*read)(void *context, uint8_t *bytes, size_t size);        /* bytes for the host: how many came */
    size_t (*write)(void *context, const uint8_t *bytes, size_t size); /* bytes from the host: how many were taken */
    bool (*step)(void *context); /* lets time pass; false: nothing is left to happen */
} es_vusb_port;

/* Plugs a device in. Fails (NULL) outside of umockdev-wrapper. */
es_vusb *es_vusb_start_port(const es_vusb_port *port, void *context, const char *serial, es_error *err);

/* The same with a simulated probe (an ES_SIM_FT245 world) at its pins. */
es_vusb *es_vusb_start(struct es_sim *sim, const char *serial, es_error *err);

/* Unplugs and frees it. Close the transport first. NULL does nothing. */
void es_vusb_stop(es_vusb *vusb);

/* Ways to fail. Unplugging ends all transfers in flight. */
void es_vusb_unplug(es_vusb *vusb);
/* When channel A has given so many more bytes to the host: in the middle of a transfer. */
void es_vusb_unplug_after(es_vusb *vusb, uint64_t bytes);
void es_vusb_stall(es_vusb *vusb, bool stalled); /* neither gives nor takes bytes */
void es_vusb_forbid(es_vusb *vusb);              /* takes all permissions from the device node; no way back */

/* What the host has done to it. */
typedef struct es_vusb_state {
    uint8_t bitmode; /* of channel A: 0x40 in synchronous FIFO mode */
    uint8_t latency_ms;
    bool claimed;               /* interface 0 */
    uint64_t to_host, to_probe; /* bytes through channel A */
    unsigned most_in_flight;    /* bulk IN transfers at the same time */
    unsigned unknown;           /* requests that the model does not know */
} es_vusb_state;
es_vusb_state es_vusb_look(es_vusb *vusb);

#endif
