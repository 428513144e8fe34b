/* Bytes of a pair of bulk endpoints, for all USB transports (room-internal).
 *
 * A bulk read that is started when the one before has ended leaves a chip's small buffer alone in between, and at 60
 * MB/s the FT2232H's lasts 70 us. So many transfers are always in flight, and a thread takes them in, strips the bytes
 * of status at the head of every USB packet (not of every transfer), and puts the rest into a ring. When the ring is
 * full no new transfer is started: the chip's buffer fills, the chip stops the probe, and the probe counts what it then
 * loses. Nothing is dropped here. */
#ifndef ES_TRANSPORT_BULK_READER_H
#define ES_TRANSPORT_BULK_READER_H

#include <libusb.h>
#include <sys/types.h>

#include "base/error.h"

typedef struct es_bulk_reader es_bulk_reader;

typedef struct es_bulk_pipes {
    libusb_context *context;
    libusb_device_handle *handle;
    uint8_t in, out;     /* endpoints */
    size_t packet_size;  /* of `in` */
    size_t status_bytes; /* at the head of each of its packets */
} es_bulk_pipes;

/* Starts the transfers and the thread. NULL and ES_PROBE on failure. */
es_bulk_reader *es_bulk_start(const es_bulk_pipes *pipes, es_error *err);

/* As es_transport_read and es_transport_write. */
ssize_t es_bulk_read(es_bulk_reader *reader, uint8_t *bytes, size_t size, int timeout_ms, es_error *err);
bool es_bulk_write(es_bulk_reader *reader, const uint8_t *bytes, size_t size, es_error *err);

/* Bytes in the ring. */
size_t es_bulk_waiting(es_bulk_reader *reader);

/* It has failed because the device is gone. */
bool es_bulk_gone(es_bulk_reader *reader);

/* Ends all transfers and the thread, and frees it. False when they would not end: then the reader, the handle and the
 * context have to stay as they are, as libusb may still write to their memory. */
bool es_bulk_stop(es_bulk_reader *reader);

#endif
