/* A byte stream to and from a probe. Backends fill in the table; callers use the functions. */
#ifndef ES_TRANSPORT_H
#define ES_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "probe_defs.h" /* ES_UART_BAUD: what boards do */

typedef struct es_transport es_transport;

/* What came of es_transport_reopen. */
enum es_reopened {
    ES_REOPEN_ABSENT,  /* not there within the time */
    ES_REOPEN_REFUSED, /* there, but it cannot be opened: the error says why. Trying again may help */
    ES_REOPEN_DONE,
};

struct es_transport_ops {
    const char *name;
    bool one_way; /* writes go nowhere and nothing ever answers (replay): commands fail at once */
    /* Waits at most timeout_ms for bytes. Returns how many came (0: none in time), -1 on failure, -2 at the stream's
     * end. */
    ssize_t (*read)(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err);
    /* Sends all bytes. */
    bool (*write)(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err);
    void (*close)(es_transport *transport);
    /* NULL in those that cannot be unplugged, or not found again. See es_transport_gone and es_transport_reopen. */
    bool (*gone)(const es_transport *transport);
    enum es_reopened (*reopen)(es_transport *transport, int timeout_ms, es_error *err);
    int (*presence_fd)(es_transport *transport);
    /* Bytes that have come and were not read yet. NULL: none wait. */
    size_t (*waiting)(const es_transport *transport);
};

struct es_transport {
    const struct es_transport_ops *ops;
};

static inline ssize_t es_transport_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms,
                                        es_error *err)
{
    return transport->ops->read(transport, bytes, size, timeout_ms, err);
}

static inline bool es_transport_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    return transport->ops->write(transport, bytes, size, err);
}

static inline size_t es_transport_waiting(const es_transport *transport)
{
    return transport->ops->waiting ? transport->ops->waiting(transport) : 0;
}

static inline void es_transport_close(es_transport *transport)
{
    if (transport)
        transport->ops->close(transport);
}

/* --- a probe that is unplugged and comes back ---------------------------------------------------------------
 *
 * A transport whose probe is unplugged fails: reading hands out what came before and then returns -1, writing returns
 * false, with an error that says so. It stays as it is until its owner asks for it to be opened again, in the thread
 * that reads from it:
 *
 *     if (es_link_pump(link, ...) == -1 && es_transport_gone(transport)) {
 *         (what is not told yet of the run so far is told; a gap begins)
 *         while (!stopped && es_transport_reopen(transport, 200, &err) != ES_REOPEN_DONE)
 *             (tell err once where it was refused)
 *         es_link_reconnected(link);
 *         es_probe_monitor_runs(link, &runs, &err)
 *     }
 *
 * The transport's address stays, so links, recordings and other wrappers around it stay valid.
 *
 * What was lost: all that was in the USB chip, which has no power but the cable's: up to 4 KiB. The probe itself may
 *   - have had other power: then its monitor has gone on, counted the events that it could not send, and goes on
 *     sending. Frames that are missing show in the sequence numbers: the decoder makes one counted gap of them.
 *   - have been without power: then it has its bitstream from flash, and has forgotten firmware, statements, phantom
 *     memory and time. A monitor must be loaded again (with ES_PROBE_START_RUNNING, as the target has gone on, or
 *     been reset with it). What happened between is lost, and how much of it nobody knows.
 * The register CPU_CTRL tells which (es_probe_monitor_runs). Only one that is loaded anew begins with HELLO. */

/* Whether the transport failed because its probe was unplugged: then it can be opened again. */
static inline bool es_transport_gone(const es_transport *transport)
{
    return transport->ops->gone && transport->ops->gone(transport);
}

/* Waits for at most timeout_ms until the same probe is there (the same serial number; where it has none, the same USB
 * port; a serial device: the same path), and opens it. The wait is for the kernel's messages, it does not look again
 * and again. Only after es_transport_gone. */
static inline enum es_reopened es_transport_reopen(es_transport *transport, int timeout_ms, es_error *err)
{
    return transport->ops->reopen(transport, timeout_ms, err);
}

/* For event loops: a descriptor that is readable when es_transport_reopen with a timeout of 0 is worth trying. Valid
 * while the transport is gone; -1: there is none, try each second. */
static inline int es_transport_presence_fd(es_transport *transport)
{
    return transport->ops->presence_fd ? transport->ops->presence_fd(transport) : -1;
}

/* libftdi1 device in synchronous FIFO mode. serial NULL: the only one there is; several: ES_PROBE error that lists
 * their serials. Errors tell missing USB permission and the udev rule that mends it. Several asynchronous bulk
 * transfers stay in flight. */
es_transport *es_transport_ftdi(const char *serial, es_error *err);

/* A USB device of the probe's own, with a vendor-class interface (class 0xFF, ES_USB_SUBCLASS, ES_USB_PROTOCOL) and a
 * pair of bulk endpoints, whatever its vendor and product numbers are (docs/link.md). serial as above. */
es_transport *es_transport_usb(const char *serial, es_error *err);

#define ES_UART_BAUD_MIN 9600u     /* below, a whole command takes longer than its answer is waited for */
#define ES_UART_BAUD_MAX 12000000u /* the fastest of FTDI's chips */

/* A serial device (8N1, no flow control), which nobody else may use meanwhile. baud 0: ES_UART_BAUD. A rate outside of
 * the range is an ES_USAGE error, everything else ES_PROBE: a device that is missing (tells which ones there are), in
 * use, not permitted (tells what mends it), no serial device, or does not do the rate. What is unplugged later fails
 * at the next read or write. */
es_transport *es_transport_uart(const char *path, unsigned baud, es_error *err);

/* A transport that keeps a copy of everything the probe sends in a file, as it comes: before it is decoded. Takes
 * `inner` over; closing closes both. Fails with ES_OUTPUT when the file cannot be written; inner stays the caller's
 * then. */
es_transport *es_transport_record(es_transport *inner, const char *path, es_error *err);

/* Replays a recorded byte stream from a file; writes go nowhere. */
es_transport *es_transport_file(const char *path, es_error *err);

#endif
