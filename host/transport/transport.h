/* A byte stream to and from a probe. Backends fill in the table; callers use the functions. */
#ifndef ES_TRANSPORT_H
#define ES_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "probe_defs.h" /* ES_UART_BAUD: what boards do */

typedef struct es_transport es_transport;

struct es_transport_ops {
    const char *name;
    bool one_way; /* writes go nowhere and nothing ever answers (replay): commands fail at once */
    /* Waits at most timeout_ms for bytes. Returns how many came (0: none in time), -1 on failure, -2 at the stream's
     * end. */
    ssize_t (*read)(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err);
    /* Sends all bytes. */
    bool (*write)(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err);
    void (*close)(es_transport *transport);
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

static inline void es_transport_close(es_transport *transport)
{
    if (transport)
        transport->ops->close(transport);
}

/* libftdi1 device in synchronous FIFO mode. serial NULL: the only one there is; several: ES_PROBE error that lists
 * their serials. Errors tell missing USB permission and the udev rule that mends it. Several asynchronous bulk
 * transfers stay in flight. */
es_transport *es_transport_ftdi(const char *serial, es_error *err);

#define ES_UART_BAUD_MIN 9600u     /* below, a whole command takes longer than its answer is waited for */
#define ES_UART_BAUD_MAX 12000000u /* the fastest of FTDI's chips */

/* A serial device (8N1, no flow control), which nobody else may use meanwhile. baud 0: ES_UART_BAUD. A rate outside of
 * the range is an ES_USAGE error, everything else ES_PROBE: a device that is missing (tells which ones there are), in
 * use, not permitted (tells what mends it), no serial device, or does not do the rate. What is unplugged later fails
 * at the next read or write. */
es_transport *es_transport_uart(const char *path, unsigned baud, es_error *err);

/* A transport that keeps a copy of everything the probe sends in a file, as it comes: before it is decoded. Takes
 * `inner` over; closing closes both. Fails with ES_USAGE when the file cannot be written; inner stays the caller's
 * then. */
es_transport *es_transport_record(es_transport *inner, const char *path, es_error *err);

/* Replays a recorded byte stream from a file; writes go nowhere. */
es_transport *es_transport_file(const char *path, es_error *err);

#endif
