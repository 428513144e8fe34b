/* A transport on a USB device: what a kind of device has of its own, and the rest that all share (room-internal). */
#ifndef ES_TRANSPORT_USB_TRANSPORT_H
#define ES_TRANSPORT_USB_TRANSPORT_H

#include "transport/bulk_reader.h"
#include "transport/transport.h"
#include "transport/usb_device.h"

/* How a kind of device is opened and closed. `state` is the kind's own. */
typedef struct es_usb_setup {
    const char *name; /* of the transport */
    enum es_usb_kind kind;
    /* Starts libusb, before a device is known. NULL on failure. */
    void *(*start)(libusb_context **context, es_error *err);
    /* Opens the device, claims it and makes bytes flow. */
    bool (*open)(void *state, libusb_device *device, const es_usb_identity *identity, es_bulk_pipes *pipes,
                 es_error *err);
    /* Ends all of it, after whatever of it was done; gone: there is nobody to talk to any more. */
    void (*end)(void *state, bool gone);
} es_usb_setup;

es_transport *es_usb_transport(const es_usb_setup *setup, const char *serial, es_error *err);

#endif
