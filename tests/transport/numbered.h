/* A virtual device whose bytes in both directions are those of two numbered sequences, so that a lost, doubled or swapped
 * byte is noticed. */
#ifndef TESTS_TRANSPORT_NUMBERED_H
#define TESTS_TRANSPORT_NUMBERED_H

#include "transport/transport.h"
#include "vusb/usb_model.h"
#include "vusb/vusb.h"

uint8_t byte_at(uint64_t n);

typedef struct probe {
    uint64_t limit; /* bytes for the host */
    size_t most;    /* given at once */
    uint64_t given, taken, wrong;
    unsigned reads, unplugs;
} probe;

extern const es_vusb_port probe_port;

/* Fail the test where they cannot. */
es_vusb *plug(probe *p, const char *serial);
es_vusb *plug_kind(probe *p, const char *serial, const es_usb_kind *kind);
es_transport *connect_to(const char *serial);
es_transport *connect_kind(const char *serial, const es_usb_kind *kind);

/* Reads up to `count` bytes and checks them; stops early when a read gives none or fails: then its result is in *last.
 */
uint64_t read_checked(es_transport *transport, uint64_t from, uint64_t count, ssize_t *last, es_error *err);

#endif
