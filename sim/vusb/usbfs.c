/* The usbdevfs side of a virtual USB device.
 *
 * A host is this process or another one, so its memory is reached through umockdev alone: what an ioctl's argument
 * points to is copied here when it is resolved, and what has changed goes back when a call that refers to it is
 * completed. For a URB that is the call that reaps it.
 *
 * libusb waits with poll() until the device node is writable, which for usbdevfs means that a URB can be reaped. The
 * node is therefore a FIFO (a named pipe) that is kept full while nothing can be reaped and emptied when something can.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vusb/bus.h"

#define PLUG "earshot-plug" /* data of a handler: whose node's it is */

/* --- URBs, with `mutex` held -------------------------------------------------------------------------- */

static void append(urb_queue *queue, const urb_entry *entry)
{
    queue->entries[queue->count++] = *entry;
}

static urb_entry take_out(urb_queue *queue, size_t at)
{
    urb_entry entry = queue->entries[at];
    queue->count--;
    memmove(queue->entries + at, queue->entries + at + 1, (queue->count - at) * sizeof *queue->entries);
    return entry;
}

static bool has_done(const es_vusb *vusb, unsigned plug)
{
    for (size_t i = 0; i < vusb->done.count; i++)
        if (vusb->done.entries[i].plug == plug)
            return true;
    return false;
}

static void show(usb_node *node, bool readable)
{
    static const uint8_t zeros[4096];
    uint8_t sink[4096];
    if (readable == node->readable)
        return;
    node->readable = readable;
    if (readable)
        while (read(node->pipe, sink, sizeof sink) > 0) {
        }
    else
        while (write(node->pipe, zeros, sizeof zeros) > 0) {
        }
}

void es_vusb_show(es_vusb *vusb)
{
    for (size_t i = 0; i < vusb->node_count; i++)
        show(&vusb->nodes[i], has_done(vusb, vusb->nodes[i].plug));
}

void es_vusb_finish(es_vusb *vusb, urb_queue *queue, size_t at, int status)
{
    urb_entry entry = take_out(queue, at);
    entry.urb->status = status;
    append(&vusb->done, &entry);
    es_vusb_show(vusb);
}

void es_vusb_end_all(es_vusb *vusb)
{
    if (vusb->unplugged)
        return;
    vusb->unplugged = true;
    vusb->state.unplugs++;
    for (int i = 0; i < ES_USB_CHANNELS; i++) {
        while (vusb->in[i].count)
            es_vusb_finish(vusb, &vusb->in[i], 0, -ESHUTDOWN);
        while (vusb->out[i].count)
            es_vusb_finish(vusb, &vusb->out[i], 0, -ESHUTDOWN);
    }
    vusb->out_taken = 0;
    pthread_cond_broadcast(&vusb->changed);
}

/* Forgets a queue's URBs of a client, or all of them (NULL). */
static void forget(es_vusb *vusb, urb_queue *queue, const UMockdevIoctlClient *client)
{
    for (size_t i = queue->count; i--;) {
        if (client && queue->entries[i].client != client)
            continue;
        if (queue == &vusb->out[0] && i == 0)
            vusb->out_taken = 0;
        g_object_unref(take_out(queue, i).memory);
        vusb->urbs--;
    }
}

static void forget_client(es_vusb *vusb, const UMockdevIoctlClient *client)
{
    for (int i = 0; i < ES_USB_CHANNELS; i++) {
        forget(vusb, &vusb->in[i], client);
        forget(vusb, &vusb->out[i], client);
    }
    forget(vusb, &vusb->done, client);
    es_vusb_show(vusb);
}

void es_vusb_forget_all(es_vusb *vusb)
{
    forget_client(vusb, NULL);
}

/* Nobody has interface 0 any more. */
static void leave(es_vusb *vusb)
{
    vusb->claimed_by = NULL;
    if (!vusb->unplugged)
        es_vusb_bus_show_driver(vusb, 0, NULL);
}

/* --- who calls, with `mutex` held ------------------------------------------------------------------------ */

/* The file was closed, or its process has died: its URBs and its claim are void. */
static bool is_open(const es_vusb *vusb, unsigned plug)
{
    for (size_t i = 0; i < vusb->client_count; i++)
        if (vusb->clients[i].plug == plug)
            return true;
    return false;
}

static void on_client_gone(void *context, GObject *client)
{
    es_vusb *vusb = context;
    size_t kept = 0;
    pthread_mutex_lock(&vusb->mutex);
    forget_client(vusb, (const UMockdevIoctlClient *)client);
    if (vusb->claimed_by == (const UMockdevIoctlClient *)client)
        leave(vusb);
    for (size_t i = 0; i < vusb->client_count; i++)
        if ((GObject *)vusb->clients[i].client == client)
            vusb->clients[i] = vusb->clients[--vusb->client_count];
    for (size_t i = 0; i < vusb->node_count; i++) {
        if (vusb->nodes[i].plug != vusb->plug && !is_open(vusb, vusb->nodes[i].plug))
            close(vusb->nodes[i].pipe);
        else
            vusb->nodes[kept++] = vusb->nodes[i];
    }
    vusb->node_count = kept;
    pthread_mutex_unlock(&vusb->mutex);
}

/* client-vanished does not come in all versions, and not when a process is killed within a call. */
static void on_client(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context)
{
    es_vusb *vusb = context;
    unsigned plug = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(handler), PLUG));
    pthread_mutex_lock(&vusb->mutex);
    if (vusb->client_count < CLIENTS_MAX)
        vusb->clients[vusb->client_count++] = (usb_client){client, plug};
    pthread_mutex_unlock(&vusb->mutex);
    g_object_weak_ref(G_OBJECT(client), on_client_gone, vusb);
}

/* Whether the device is still there for this file. */
static bool is_there(const es_vusb *vusb, const UMockdevIoctlClient *client)
{
    for (size_t i = 0; i < vusb->client_count; i++)
        if (vusb->clients[i].client == client)
            return !vusb->unplugged && vusb->clients[i].plug == vusb->plug;
    return false;
}

/* --- usbdevfs calls, in umockdev's thread, with `mutex` held: 0 or an errno ------------------------------- */

static int submit_control(es_vusb *vusb, const urb_entry *entry)
{
    usb_urb *urb = entry->urb;
    uint8_t *buffer = urb->buffer;
    if (urb->buffer_length < 8 || urb->buffer_length - 8 < (buffer[6] | buffer[7] << 8))
        return EINVAL;
    int moved = es_usb_control(&vusb->model, buffer, buffer + 8);
    urb->actual_length = moved < 0 ? 0 : moved;
    urb->status = moved < 0 ? -EPIPE : 0;
    append(&vusb->done, entry);
    es_vusb_show(vusb);
    return 0;
}

/* The queue of an endpoint. NULL: there is none. */
static urb_queue *queue_of(es_vusb *vusb, unsigned endpoint)
{
    const es_usb_kind *kind = vusb->config.kind;
    for (unsigned i = 0; i < kind->channels; i++) {
        if (endpoint == kind->in[i])
            return &vusb->in[i];
        if (endpoint == kind->out[i])
            return &vusb->out[i];
    }
    return NULL;
}

static int queue_bulk(es_vusb *vusb, const urb_entry *entry)
{
    const usb_urb *urb = entry->urb;
    urb_queue *queue = queue_of(vusb, urb->endpoint);
    if (urb->type != USBDEVFS_URB_TYPE_BULK)
        return EINVAL;
    if (!queue)
        return ENOENT;
    if ((urb->endpoint & 0x80) && urb->buffer_length < ES_USB_PACKET)
        return EINVAL; /* a packet that does not fit would be an overflow error on a real bus */
    append(queue, entry);
    if (queue == &vusb->in[0] && queue->count > vusb->state.most_in_flight)
        vusb->state.most_in_flight = (unsigned)queue->count;
    pthread_cond_broadcast(&vusb->changed);
    return 0;
}

/* memory: the URB, with its buffer. Kept where it is queued. */
static int submit(es_vusb *vusb, UMockdevIoctlData *memory, const UMockdevIoctlClient *client)
{
    const urb_entry entry = {
        .urb = (usb_urb *)(void *)memory->data, .memory = memory, .client = client, .plug = vusb->plug};
    if (!is_there(vusb, client))
        return ENODEV;
    if (vusb->urbs == URBS_MAX)
        return ENOMEM;
    int error = entry.urb->type == USBDEVFS_URB_TYPE_CONTROL ? submit_control(vusb, &entry) : queue_bulk(vusb, &entry);
    if (!error) {
        g_object_ref(memory);
        vusb->urbs++;
    }
    return error;
}

/* place: the host's pointer that is to point to the URB. */
static int reap(es_vusb *vusb, UMockdevIoctlData *place, const UMockdevIoctlClient *client)
{
    for (size_t i = 0; i < vusb->done.count; i++) {
        if (vusb->done.entries[i].client == client) {
            urb_entry entry = take_out(&vusb->done, i);
            umockdev_ioctl_data_set_ptr(place, 0, entry.memory);
            g_object_unref(entry.memory);
            vusb->urbs--;
            es_vusb_show(vusb);
            return 0;
        }
    }
    return is_there(vusb, client) ? EAGAIN : ENODEV;
}

/* The URB that is being sent may be partly taken. */
static void forget_progress(es_vusb *vusb, const urb_queue *queue, size_t at)
{
    if (queue == &vusb->out[0] && at == 0) {
        queue->entries[0].urb->actual_length = (int)vusb->out_taken;
        vusb->out_taken = 0;
    }
}

static int discard_from(es_vusb *vusb, urb_queue *queue, gulong address, const UMockdevIoctlClient *client)
{
    for (size_t i = 0; i < queue->count; i++) {
        urb_entry *entry = &queue->entries[i];
        if (entry->memory->client_addr != address || entry->client != client || entry->cancelled)
            continue;
        if (vusb->late_ms) {
            entry->cancelled = es_vusb_now_ns() + (uint64_t)vusb->late_ms * 1000000u;
            vusb->state.late++;
        } else {
            forget_progress(vusb, queue, i);
            es_vusb_finish(vusb, queue, i, -ENOENT);
        }
        return 0;
    }
    return EINVAL;
}

static int discard(es_vusb *vusb, gulong address, const UMockdevIoctlClient *client)
{
    for (int i = 0; i < ES_USB_CHANNELS; i++)
        if (discard_from(vusb, &vusb->in[i], address, client) == 0 ||
            discard_from(vusb, &vusb->out[i], address, client) == 0)
            return 0;
    return EINVAL; /* it has ended already */
}

/* Channel A belongs to one file at a time. */
static int claim(es_vusb *vusb, unsigned interface, bool wanted, const UMockdevIoctlClient *client)
{
    if (interface >= vusb->config.kind->channels)
        return ENOENT;
    if (wanted && vusb->bound[interface])
        return EBUSY;
    if (interface != 0)
        return 0;
    if (vusb->claimed_by && vusb->claimed_by != client)
        return EBUSY;
    leave(vusb);
    if (wanted) {
        vusb->claimed_by = client;
        es_vusb_bus_show_driver(vusb, 0, "usbfs");
    }
    return 0;
}

/* The kernel's own driver of an interface: asked for, sent away, called back. */
static int driver(es_vusb *vusb, unsigned interface, unsigned code, char *name)
{
    if (interface >= vusb->config.kind->channels)
        return EINVAL;
    bool bound = vusb->bound[interface];
    switch (code) {
    case USBDEVFS_GETDRIVER:
        if (bound && name)
            memcpy(name, "ftdi_sio", sizeof "ftdi_sio");
        return bound ? 0 : ENODATA;
    case USBDEVFS_DISCONNECT:
        vusb->bound[interface] = false;
        if (bound)
            es_vusb_bus_show_driver(vusb, interface, NULL);
        return bound ? 0 : ENODATA;
    case USBDEVFS_CONNECT:
        vusb->bound[interface] = vusb->config.kernel_bound;
        es_vusb_bus_show_driver(vusb, interface, vusb->bound[interface] ? "ftdi_sio" : NULL);
        return 0;
    default: return ENOTTY;
    }
}

static int control(es_vusb *vusb, const struct usbdevfs_ctrltransfer *c)
{
    const uint8_t setup[8] = {c->bRequestType,     c->bRequest,
                              (uint8_t)c->wValue,  (uint8_t)(c->wValue >> 8),
                              (uint8_t)c->wIndex,  (uint8_t)(c->wIndex >> 8),
                              (uint8_t)c->wLength, (uint8_t)(c->wLength >> 8)};
    return es_usb_control(&vusb->model, setup, c->data) < 0 ? EPIPE : 0;
}

/* argument: what the call's argument points to. */
static int call(es_vusb *vusb, unsigned long request, UMockdevIoctlData *memory, const UMockdevIoctlClient *client)
{
    void *argument = memory ? memory->data : NULL;
    switch (request) {
    case USBDEVFS_SUBMITURB: return submit(vusb, memory, client);
    case USBDEVFS_REAPURB: /* libusb uses the other one */
    case USBDEVFS_REAPURBNDELAY: return reap(vusb, memory, client);
    default: break;
    }
    if (!is_there(vusb, client))
        return ENODEV;
    switch (request) {
    case USBDEVFS_GET_CAPABILITIES:
        *(uint32_t *)argument = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
                                USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
        return 0;
    case USBDEVFS_CLAIMINTERFACE: return claim(vusb, *(unsigned *)argument, true, client);
    case USBDEVFS_RELEASEINTERFACE: return claim(vusb, *(unsigned *)argument, false, client);
    case USBDEVFS_SETCONFIGURATION: vusb->model.configuration = (uint8_t) * (unsigned *)argument; return 0;
    case USBDEVFS_CONTROL: return control(vusb, argument);
    case USBDEVFS_GETDRIVER: {
        struct usbdevfs_getdriver *asked = argument;
        return driver(vusb, asked->interface, USBDEVFS_GETDRIVER, asked->driver);
    }
    case USBDEVFS_IOCTL: {
        const struct usbdevfs_ioctl *inner = argument;
        return driver(vusb, (unsigned)inner->ifno, (unsigned)inner->ioctl_code, NULL);
    }
    case USBDEVFS_SETINTERFACE:
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_RESET:
    case USBDEVFS_RESETEP: return 0;
    default: vusb->state.unknown++; return ENOTTY;
    }
}

/* --- the host's memory, without `mutex`: a host that was stopped within a call must not stop the device ---------- */

/* What the argument points to; NULL where it is no pointer. */
static UMockdevIoctlData *resolve_argument(unsigned long request, UMockdevIoctlData *argument)
{
    switch (request) {
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY: return umockdev_ioctl_data_resolve(argument, 0, sizeof(void *), NULL);
    case USBDEVFS_DISCARDURB:
    case USBDEVFS_RESET: return NULL;
    default: return umockdev_ioctl_data_resolve(argument, 0, _IOC_SIZE(request), NULL);
    }
}

/* The buffer that what was resolved points to. False: it cannot be. */
static bool resolve_buffer(unsigned long request, UMockdevIoctlData *memory)
{
    const void *bytes = memory->data;
    size_t offset, size;
    if (request == USBDEVFS_SUBMITURB) {
        const usb_urb *urb = bytes;
        if (urb->buffer_length < 0 || urb->buffer_length > 1 << 24)
            return false;
        offset = offsetof(usb_urb, buffer);
        size = (size_t)urb->buffer_length;
    } else if (request == USBDEVFS_CONTROL) {
        offset = offsetof(struct usbdevfs_ctrltransfer, data);
        size = ((const struct usbdevfs_ctrltransfer *)bytes)->wLength;
    } else {
        return true;
    }
    UMockdevIoctlData *buffer = size ? umockdev_ioctl_data_resolve(memory, offset, size, NULL) : NULL;
    if (buffer)
        g_object_unref(buffer);
    return buffer || size == 0;
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context)
{
    es_vusb *vusb = context;
    (void)handler;
    unsigned long request = umockdev_ioctl_client_get_request(client);
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    gulong value;
    memcpy(&value, argument->data, sizeof value);
    UMockdevIoctlData *memory = resolve_argument(request, argument);
    bool pointer = request != USBDEVFS_DISCARDURB && request != USBDEVFS_RESET;
    int error = EFAULT;
    if (!pointer || (memory && resolve_buffer(request, memory))) {
        pthread_mutex_lock(&vusb->mutex);
        error = request == USBDEVFS_DISCARDURB ? discard(vusb, value, client) : call(vusb, request, memory, client);
        pthread_mutex_unlock(&vusb->mutex);
    }
    umockdev_ioctl_client_complete(client, error ? -1 : 0, error);
    if (memory)
        g_object_unref(memory);
    return TRUE;
}

void es_vusb_serve_usbfs(es_vusb *vusb, UMockdevIoctlBase *handler, unsigned plug)
{
    g_object_set_data(G_OBJECT(handler), PLUG, GUINT_TO_POINTER(plug));
    g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), vusb);
    g_signal_connect(handler, "client-connected", G_CALLBACK(on_client), vusb);
}
