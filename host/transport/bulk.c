/* A probe that is a USB device of its own, by libusb alone: one interface of a vendor's class with a pair of bulk
 * endpoints, and nothing to set up. */
#include <stdlib.h>

#include "transport/usb_transport.h"

typedef struct bulk_state {
    libusb_context *context;
    libusb_device_handle *handle;
    unsigned interface;
    bool claimed;
} bulk_state;

static void *bulk_start(libusb_context **context, es_error *err)
{
    bulk_state *bulk = calloc(1, sizeof *bulk);
    if (!bulk || libusb_init(&bulk->context) < 0) {
        free(bulk);
        es_fail(err, ES_PROBE, "libusb cannot be started");
        return NULL;
    }
    *context = bulk->context;
    return bulk;
}

/* Data toggles and what waits in the device begin anew with a cleared halt, also where there was none. */
static bool bulk_open(void *state, libusb_device *device, const es_usb_identity *identity, es_bulk_pipes *pipes,
                      es_error *err)
{
    bulk_state *bulk = state;
    bulk->interface = identity->interface;
    int code = libusb_open(device, &bulk->handle);
    if (code == 0)
        code = libusb_claim_interface(bulk->handle, (int)bulk->interface);
    if (code < 0)
        return es_usb_refuse(err, identity, code);
    bulk->claimed = true;
    libusb_clear_halt(bulk->handle, identity->in);
    libusb_clear_halt(bulk->handle, identity->out);
    pipes->handle = bulk->handle;
    pipes->in = identity->in;
    pipes->out = identity->out;
    pipes->packet_size = identity->packet;
    return true;
}

static void bulk_end(void *state, bool gone)
{
    bulk_state *bulk = state;
    if (bulk->claimed && !gone)
        libusb_release_interface(bulk->handle, (int)bulk->interface);
    if (bulk->handle)
        libusb_close(bulk->handle);
    libusb_exit(bulk->context);
    free(bulk);
}

es_transport *es_transport_usb(const char *serial, es_error *err)
{
    static const es_usb_setup setup = {
        .name = "usb", .kind = ES_USB_BULK, .start = bulk_start, .open = bulk_open, .end = bulk_end};
    return es_usb_transport(&setup, serial, err);
}
