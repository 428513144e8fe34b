/* The usbdevfs side of the virtual FT2232H.
 *
 * The process that submitted a URB is this one, so its memory is used directly.
 *
 * libusb waits with poll() until the device node is writable, which for usbdevfs means that a URB can be reaped. The
 * node is therefore a FIFO (a named pipe) that is kept full while nothing can be reaped and emptied when something can.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vusb/device.h"

/* --- URBs, with `mutex` held -------------------------------------------------------------------------- */

static bool append(urb_queue *queue, usb_urb *urb, const UMockdevIoctlClient *client)
{
    if (queue->count == URBS_MAX)
        return false;
    queue->urbs[queue->count] = urb;
    queue->clients[queue->count++] = client;
    return true;
}

static void take_out(urb_queue *queue, size_t at)
{
    queue->count--;
    memmove(queue->urbs + at, queue->urbs + at + 1, (queue->count - at) * sizeof *queue->urbs);
    memmove(queue->clients + at, queue->clients + at + 1, (queue->count - at) * sizeof *queue->clients);
}

/* Makes poll() on the node tell whether something can be reaped. */
void es_vusb_show(es_vusb *vusb)
{
    static const uint8_t zeros[4096];
    uint8_t sink[4096];
    bool readable = vusb->done.count != 0 || vusb->unplugged;
    if (readable == vusb->readable)
        return;
    vusb->readable = readable;
    if (readable)
        while (read(vusb->pipe, sink, sizeof sink) > 0) {
        }
    else
        while (write(vusb->pipe, zeros, sizeof zeros) > 0) {
        }
}

/* Moves a queue's URB to those that can be reaped. */
void es_vusb_finish(es_vusb *vusb, urb_queue *queue, size_t at, int status)
{
    queue->urbs[at]->status = status;
    append(&vusb->done, queue->urbs[at], queue->clients[at]);
    take_out(queue, at);
    es_vusb_show(vusb);
}

void es_vusb_end_all(es_vusb *vusb)
{
    if (vusb->unplugged)
        return;
    vusb->unplugged = true;
    for (int i = 0; i < ES_FTDI_CHANNELS; i++) {
        while (vusb->in[i].count)
            es_vusb_finish(vusb, &vusb->in[i], 0, -ESHUTDOWN);
        while (vusb->out[i].count)
            es_vusb_finish(vusb, &vusb->out[i], 0, -ESHUTDOWN);
    }
    es_vusb_show(vusb);
    pthread_cond_broadcast(&vusb->changed);
}

/* --- usbdevfs calls, in umockdev's thread, with `mutex` held: 0 or an errno ------------------------------- */

static int submit_control(es_vusb *vusb, usb_urb *urb, const UMockdevIoctlClient *client)
{
    uint8_t *buffer = urb->buffer;
    if (urb->buffer_length < 8 || urb->buffer_length - 8 < (buffer[6] | buffer[7] << 8))
        return EINVAL;
    if (!append(&vusb->done, urb, client))
        return ENOMEM;
    int moved = es_ftdi_control(&vusb->model, buffer, buffer + 8);
    urb->actual_length = moved < 0 ? 0 : moved;
    urb->status = moved < 0 ? -EPIPE : 0;
    es_vusb_show(vusb);
    return 0;
}

static int submit(es_vusb *vusb, usb_urb *urb, const UMockdevIoctlClient *client)
{
    if (vusb->unplugged)
        return ENODEV;
    urb->actual_length = 0;
    urb->status = -EINPROGRESS;
    if (urb->type == USBDEVFS_URB_TYPE_CONTROL)
        return submit_control(vusb, urb, client);
    if (urb->type != USBDEVFS_URB_TYPE_BULK)
        return EINVAL;
    urb_queue *queue;
    switch (urb->endpoint) {
    case 0x81: queue = &vusb->in[0]; break;
    case 0x02: queue = &vusb->out[0]; break;
    case 0x83: queue = &vusb->in[1]; break;
    case 0x04: queue = &vusb->out[1]; break;
    default: return ENOENT;
    }
    if ((urb->endpoint & 0x80) && urb->buffer_length < ES_FTDI_PACKET)
        return EINVAL; /* a packet that does not fit would be an overflow error on a real bus */
    if (!append(queue, urb, client))
        return ENOMEM;
    if (queue == &vusb->in[0] && queue->count > vusb->state.most_in_flight)
        vusb->state.most_in_flight = (unsigned)queue->count;
    pthread_cond_broadcast(&vusb->changed);
    return 0;
}

static int reap(es_vusb *vusb, usb_urb **result, const UMockdevIoctlClient *client)
{
    for (size_t i = 0; i < vusb->done.count; i++) {
        if (vusb->done.clients[i] == client) {
            *result = vusb->done.urbs[i];
            take_out(&vusb->done, i);
            es_vusb_show(vusb);
            return 0;
        }
    }
    return vusb->unplugged ? ENODEV : EAGAIN;
}

/* The URB that is being sent may be partly taken. */
static void forget_progress(es_vusb *vusb, const urb_queue *queue, size_t at)
{
    if (queue == &vusb->out[0] && at == 0) {
        queue->urbs[0]->actual_length = (int)vusb->out_taken;
        vusb->out_taken = 0;
    }
}

static int discard(es_vusb *vusb, const usb_urb *urb)
{
    urb_queue *queues[] = {&vusb->in[0], &vusb->out[0], &vusb->in[1], &vusb->out[1]};
    for (size_t q = 0; q < sizeof queues / sizeof *queues; q++) {
        for (size_t i = 0; i < queues[q]->count; i++) {
            if (queues[q]->urbs[i] == urb) {
                forget_progress(vusb, queues[q], i);
                es_vusb_finish(vusb, queues[q], i, -ENOENT);
                return 0;
            }
        }
    }
    return EINVAL; /* it has ended already */
}

/* The file was closed: its URBs and its claim are void. */
static void drop_client(es_vusb *vusb, const UMockdevIoctlClient *client)
{
    urb_queue *queues[] = {&vusb->in[0], &vusb->out[0], &vusb->in[1], &vusb->out[1], &vusb->done};
    for (size_t q = 0; q < sizeof queues / sizeof *queues; q++) {
        for (size_t i = queues[q]->count; i--;) {
            if (queues[q]->clients[i] == client) {
                if (queues[q] == &vusb->out[0] && i == 0)
                    vusb->out_taken = 0;
                take_out(queues[q], i);
            }
        }
    }
    if (vusb->claimed_by == client)
        vusb->claimed_by = NULL;
    es_vusb_show(vusb);
}

/* Channel A belongs to one file at a time. */
static int claim(es_vusb *vusb, unsigned interface, bool wanted, const UMockdevIoctlClient *client)
{
    if (interface >= ES_FTDI_CHANNELS)
        return ENOENT;
    if (interface != 0)
        return 0;
    if (vusb->claimed_by && vusb->claimed_by != client)
        return EBUSY;
    vusb->claimed_by = wanted ? client : NULL;
    return 0;
}

static int call(es_vusb *vusb, unsigned long request, void *argument, const UMockdevIoctlClient *client)
{
    switch (request) {
    case USBDEVFS_SUBMITURB: return submit(vusb, argument, client);
    case USBDEVFS_REAPURB: /* libusb uses the other one */
    case USBDEVFS_REAPURBNDELAY: return reap(vusb, argument, client);
    case USBDEVFS_DISCARDURB: return discard(vusb, argument);
    default: break;
    }
    if (vusb->unplugged)
        return ENODEV;
    switch (request) {
    case USBDEVFS_GET_CAPABILITIES:
        *(uint32_t *)argument = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
                                USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
        return 0;
    case USBDEVFS_CLAIMINTERFACE: return claim(vusb, *(unsigned *)argument, true, client);
    case USBDEVFS_RELEASEINTERFACE: return claim(vusb, *(unsigned *)argument, false, client);
    case USBDEVFS_SETCONFIGURATION: vusb->model.configuration = (uint8_t) * (unsigned *)argument; return 0;
    case USBDEVFS_CONTROL: {
        struct usbdevfs_ctrltransfer *control = argument;
        const uint8_t setup[8] = {control->bRequestType,     control->bRequest,
                                  (uint8_t)control->wValue,  (uint8_t)(control->wValue >> 8),
                                  (uint8_t)control->wIndex,  (uint8_t)(control->wIndex >> 8),
                                  (uint8_t)control->wLength, (uint8_t)(control->wLength >> 8)};
        return es_ftdi_control(&vusb->model, setup, control->data) < 0 ? EPIPE : 0;
    }
    case USBDEVFS_GETDRIVER: /* no kernel driver is bound, */
    case USBDEVFS_IOCTL: /* so there is none to disconnect either */ return ENODATA;
    case USBDEVFS_SETINTERFACE:
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_RESET:
    case USBDEVFS_RESETEP: return 0;
    default: vusb->state.unknown++; return ENOTTY;
    }
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context)
{
    es_vusb *vusb = context;
    (void)handler;
    UMockdevIoctlData *data = umockdev_ioctl_client_get_arg(client);
    void *argument;
    memcpy(&argument, data->data, sizeof argument);
    pthread_mutex_lock(&vusb->mutex);
    int error = call(vusb, umockdev_ioctl_client_get_request(client), argument, client);
    pthread_mutex_unlock(&vusb->mutex);
    umockdev_ioctl_client_complete(client, error ? -1 : 0, error);
    return TRUE;
}

static void on_vanished(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context)
{
    es_vusb *vusb = context;
    (void)handler;
    pthread_mutex_lock(&vusb->mutex);
    drop_client(vusb, client);
    pthread_mutex_unlock(&vusb->mutex);
}

void es_vusb_serve_usbfs(es_vusb *vusb)
{
    g_signal_connect(vusb->handler, "handle-ioctl", G_CALLBACK(on_ioctl), vusb);
    g_signal_connect(vusb->handler, "client-vanished", G_CALLBACK(on_vanished), vusb);
}
