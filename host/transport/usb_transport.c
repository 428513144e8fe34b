#include "transport/usb_transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "transport/hotplug.h"

typedef struct usb_transport {
    es_transport base;
    struct es_transport_ops ops; /* with the kind's name */
    const es_usb_setup *setup;
    char serial[ES_USB_TEXT], port[64]; /* of the device that it was opened on */
    void *state;                        /* the setup's; NULL: nothing is open */
    es_bulk_reader *reader;             /* NULL after an unplug, once that has been dealt with */
    es_hotplug *hotplug;                /* while the device is gone */
} usb_transport;

/* --- opening and ending ------------------------------------------------------------------------------- */

/* Ends what is open. What libusb may still write to stays: it is lost. */
static void end(usb_transport *transport, bool gone)
{
    bool ended = !transport->reader || es_bulk_stop(transport->reader);
    if (ended && transport->state)
        transport->setup->end(transport->state, gone);
    transport->reader = NULL;
    transport->state = NULL;
}

static bool open_device(usb_transport *transport, libusb_context *context, libusb_device *device,
                        const es_usb_identity *identity, es_error *err)
{
    es_bulk_pipes pipes = {.context = context};
    if (!transport->setup->open(transport->state, device, identity, &pipes, err))
        return false;
    transport->reader = es_bulk_start(&pipes, err);
    if (!transport->reader)
        return false;
    snprintf(transport->serial, sizeof transport->serial, "%s", identity->serial);
    snprintf(transport->port, sizeof transport->port, "%s", identity->port);
    return true;
}

static enum es_reopened open_wished(usb_transport *transport, const es_usb_wish *wish, es_error *err)
{
    libusb_context *context;
    libusb_device *device = NULL;
    es_usb_identity identity;
    transport->state = transport->setup->start(&context, err);
    if (!transport->state)
        return ES_REOPEN_REFUSED;
    enum es_usb_found found = es_usb_find(context, wish, &device, &identity, err);
    bool good = found == ES_USB_FOUND && open_device(transport, context, device, &identity, err);
    if (device)
        libusb_unref_device(device);
    if (!good)
        end(transport, false);
    return good ? ES_REOPEN_DONE : found == ES_USB_ABSENT ? ES_REOPEN_ABSENT : ES_REOPEN_REFUSED;
}

/* --- operations ------------------------------------------------------------------------------------------ */

static bool fail_gone(es_error *err)
{
    return es_fail(err, ES_PROBE, "the probe was unplugged and has not been opened again");
}

static ssize_t usb_read(es_transport *base, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    const usb_transport *transport = (const usb_transport *)base;
    if (transport->reader)
        return es_bulk_read(transport->reader, bytes, size, timeout_ms, err);
    fail_gone(err);
    return -1;
}

static bool usb_write(es_transport *base, const uint8_t *bytes, size_t size, es_error *err)
{
    const usb_transport *transport = (const usb_transport *)base;
    return transport->reader ? es_bulk_write(transport->reader, bytes, size, err) : fail_gone(err);
}

static bool usb_gone(const es_transport *base)
{
    const usb_transport *transport = (const usb_transport *)base;
    return !transport->reader || es_bulk_gone(transport->reader);
}

/* The first step after an unplug: nothing of it is left, and from now on it is heard when something comes. */
static bool leave(usb_transport *transport, es_error *err)
{
    if (transport->reader)
        end(transport, true);
    if (!transport->hotplug)
        transport->hotplug = es_hotplug_new(err);
    return transport->hotplug != NULL;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum es_reopened usb_reopen(es_transport *base, int timeout_ms, es_error *err)
{
    usb_transport *transport = (usb_transport *)base;
    int64_t until = now_ms() + timeout_ms;
    if (!leave(transport, err))
        return ES_REOPEN_REFUSED;
    const es_usb_wish wish = {.kind = transport->setup->kind,
                              .serial = transport->serial[0] ? transport->serial : NULL,
                              .port = transport->serial[0] ? NULL : transport->port};
    enum es_reopened result;
    for (;;) {
        es_hotplug_take(transport->hotplug); /* what comes after this is a reason to look again */
        result = open_wished(transport, &wish, err);
        int64_t left = until - now_ms();
        if (result == ES_REOPEN_DONE || left <= 0 || !es_hotplug_wait(transport->hotplug, (int)left))
            break;
    }
    if (result == ES_REOPEN_DONE) {
        es_hotplug_free(transport->hotplug);
        transport->hotplug = NULL;
    }
    return result;
}

static int usb_presence_fd(es_transport *base)
{
    usb_transport *transport = (usb_transport *)base;
    return leave(transport, NULL) ? es_hotplug_fd(transport->hotplug) : -1;
}

static size_t usb_waiting(const es_transport *base)
{
    const usb_transport *transport = (const usb_transport *)base;
    return transport->reader ? es_bulk_waiting(transport->reader) : 0;
}

static void usb_close(es_transport *base)
{
    usb_transport *transport = (usb_transport *)base;
    end(transport, usb_gone(base));
    es_hotplug_free(transport->hotplug);
    free(transport);
}

es_transport *es_usb_transport(const es_usb_setup *setup, const char *serial, es_error *err)
{
    usb_transport *transport = calloc(1, sizeof *transport);
    if (!transport) {
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    transport->ops = (struct es_transport_ops){.name = setup->name,
                                               .read = usb_read,
                                               .write = usb_write,
                                               .close = usb_close,
                                               .gone = usb_gone,
                                               .reopen = usb_reopen,
                                               .presence_fd = usb_presence_fd,
                                               .waiting = usb_waiting};
    transport->base.ops = &transport->ops;
    transport->setup = setup;
    const es_usb_wish wish = {.kind = setup->kind, .serial = serial};
    if (open_wished(transport, &wish, err) == ES_REOPEN_DONE)
        return &transport->base;
    free(transport);
    return NULL;
}
