/* Virtual USB devices: an FT2232H (0403:6010) whose channel A leads to a probe's FT245 side, or a vendor-class bulk
 * device that leads to its byte port.
 *
 * Unmodified libusb and libftdi1, of this process or of others, find them and talk to them through usbdevfs calls that
 * are answered here. All of these processes have to be started with LD_PRELOAD="libearshot-vusb.so
 * libumockdev-preload.so.0" (preload.c says what the first is for; umockdev-wrapper, which does without it, will do
 * where nobody listens for devices that come and go); the others in addition with UMOCKDEV_DIR of this one.
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
struct es_usb_kind;
typedef struct es_vusb es_vusb;

/* What is connected to channel A in synchronous FIFO mode. Called from the device's thread; none may block for long. */
typedef struct es_vusb_port {
    size_t (*read)(void *context, uint8_t *bytes, size_t size);        /* bytes for the host: how many came */
    size_t (*write)(void *context, const uint8_t *bytes, size_t size); /* bytes from the host: how many were taken */
    /* Lets time pass, also while bytes cannot flow (`flows` false: no host, or the chip is in another mode). False:
     * nothing is left to happen. */
    bool (*step)(void *context, bool flows);
    void (*plugged)(void *context, bool plugged); /* power came or went; NULL: of no concern */
} es_vusb_port;

typedef struct es_vusb_config {
    const struct es_usb_kind *kind; /* NULL: es_usb_ft2232h */
    const char *serial;             /* "": the device has none */
    const es_vusb_port *port;
    void *context;
    uint64_t seed;     /* of the faults' random numbers */
    bool kernel_bound; /* the kernel's serial driver has the interfaces, as it does where ftdi_sio is loaded */
} es_vusb_config;

/* Plugs a device in. Fails (NULL) where the test bed cannot be made. */
es_vusb *es_vusb_open(const es_vusb_config *config, es_error *err);

/* An FT2232H. */
es_vusb *es_vusb_start_port(const es_vusb_port *port, void *context, const char *serial, es_error *err);

/* The same with a simulated probe (an ES_SIM_FT245 world) at its pins. */
es_vusb *es_vusb_start(struct es_sim *sim, const char *serial, es_error *err);

/* Unplugs and frees it. Close the transport first. NULL does nothing. */
void es_vusb_stop(es_vusb *vusb);

/* The test bed's folder, which has to be other processes' UMOCKDEV_DIR; as a process's own children have it. While
 * there is a device. To be freed. */
char *es_vusb_folder(void);

/* --- ways to fail -------------------------------------------------------------------------------------- */

/* Ends all transfers in flight and takes the device off the bus; plugging puts it back at the same port, with the next
 * device number. Each does nothing where it is so already. */
void es_vusb_unplug(es_vusb *vusb);
bool es_vusb_plug(es_vusb *vusb, es_error *err);

void es_vusb_stall(es_vusb *vusb, bool stalled); /* neither gives nor takes bytes */
void es_vusb_forbid(es_vusb *vusb);              /* takes all permissions from the device node; no way back */

enum es_vusb_fault_kind {
    ES_VUSB_UNPLUG,   /* all transfers end at once; es_vusb_unplug takes the device off the bus */
    ES_VUSB_STALL,    /* until es_vusb_stall(false), or for `size` ms */
    ES_VUSB_SHORT,    /* `count` packets to the host carry at most `size` bytes, and so end their transfers */
    ES_VUSB_FLIP,     /* in `count` packets to the host a bit is flipped */
    ES_VUSB_FLIP_OUT, /* in `count` pieces from the host a bit is flipped */
    ES_VUSB_CUT,      /* `count` packets to the host lose some of their last bytes */
    ES_VUSB_ERROR,    /* `count` transfers to the host end with an error of the bus (EPROTO) */
    ES_VUSB_LATE,     /* cancelled transfers end `size` ms later, and take what comes until then; 0: at once again */
    ES_VUSB_FAULTS
};

typedef struct es_vusb_fault {
    enum es_vusb_fault_kind kind;
    uint64_t after; /* takes effect when so many more bytes went to the host: 0: now */
    unsigned count;
    int size; /* -1: random, where that makes sense */
} es_vusb_fault;

/* False: too many wait already. */
bool es_vusb_break(es_vusb *vusb, const es_vusb_fault *fault);

/* es_vusb_break with ES_VUSB_UNPLUG: in the middle of a transfer. */
void es_vusb_unplug_after(es_vusb *vusb, uint64_t bytes);

/* What the host has done to it, and what was done to the host. */
typedef struct es_vusb_state {
    uint8_t bitmode; /* of channel A: 0x40 in synchronous FIFO mode */
    uint8_t latency_ms;
    bool plugged, stalled;
    bool half_gone;             /* unplugged by a fault, and on the bus until es_vusb_unplug */
    int gone_size;              /* `size` of that fault */
    bool claimed;               /* interface 0 */
    bool kernel_bound;          /* the kernel's driver has interface 0 */
    uint64_t to_host, to_probe; /* bytes through channel A */
    unsigned in_flight;         /* bulk IN transfers now */
    unsigned most_in_flight;    /* bulk IN transfers at the same time */
    unsigned unknown;           /* requests that the model does not know */
    unsigned waiting;           /* faults that have not taken effect wholly */
    uint64_t unplugs, shorts, flips, out_flips, cut_bytes, errors, late;
} es_vusb_state;
es_vusb_state es_vusb_look(es_vusb *vusb);

#endif
