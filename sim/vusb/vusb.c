/* The usbdevfs side of the virtual FT2232H.
 *
 * Three threads meet here. libusb's calls arrive in umockdev's worker thread (on_ioctl) and only queue and unqueue URBs; the device's
 * own thread (run) steps the port, fills and empties URBs; the test's thread starts, stops and breaks things. `mutex` guards all but
 * the port, which belongs to the device's thread alone.
 *
 * The process that submitted a URB is this one, so its memory is used directly.
 *
 * libusb waits with poll() until the device node is writable, which for usbdevfs means that a URB can be reaped. The node is
 * therefore a FIFO (a named pipe) that is kept full while nothing can be reaped and emptied when something can.
 */
#include "vusb/vusb.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <umockdev.h>
#include <unistd.h>

#include "vusb/ftdi_model.h"

#define URBS_MAX 256
#define IDLE_NS 200000 /* how long the device's thread sleeps when there is nothing to do */
#define CHIP_BUFFER 4096

typedef struct usbdevfs_urb usb_urb;

/* URBs with who submitted them: usbdevfs keeps the URBs of each open file apart. */
typedef struct urb_queue {
    usb_urb *urbs[URBS_MAX];
    const UMockdevIoctlClient *clients[URBS_MAX];
    size_t count;
} urb_queue;

struct es_vusb {
    const es_vusb_port *port;
    void *context;
    char serial[64], node[64], path[256], sys_path[64];
    UMockdevIoctlBase *handler;
    pthread_t thread;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stopping, unplugged, stalled;
    bool gone;          /* from the bus as well */
    uint64_t unplug_at; /* 0: never; else when so many bytes went to the host */
    es_ftdi_model model;
    es_vusb_state state;
    urb_queue in[ES_FTDI_CHANNELS], out[ES_FTDI_CHANNELS], done;
    size_t out_taken;         /* of out[0].urbs[0] */
    const UMockdevIoctlClient *claimed_by; /* interface 0; NULL: nobody */
    uint64_t last_packet[ES_FTDI_CHANNELS]; /* ns */
    uint8_t chip[CHIP_BUFFER];/* bytes of channel A that wait for a packet */
    size_t chip_used;
    int pipe;
    bool readable;            /* the node's FIFO is empty: libusb sees that there is something to reap */
};

static struct {
    pthread_mutex_t mutex;
    UMockdevTestbed *testbed;
    unsigned users, devices;
} bus = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

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
static void show(es_vusb *vusb)
{
    static const uint8_t zeros[4096];
    uint8_t sink[4096];
    bool readable = vusb->done.count != 0 || vusb->unplugged;
    if (readable == vusb->readable)
        return;
    vusb->readable = readable;
    if (readable)
        while (read(vusb->pipe, sink, sizeof sink) > 0) {}
    else
        while (write(vusb->pipe, zeros, sizeof zeros) > 0) {}
}

/* Moves a queue's URB to those that can be reaped. */
static void finish(es_vusb *vusb, urb_queue *queue, size_t at, int status)
{
    queue->urbs[at]->status = status;
    append(&vusb->done, queue->urbs[at], queue->clients[at]);
    take_out(queue, at);
    show(vusb);
}

static void unplug(es_vusb *vusb)
{
    if (vusb->unplugged)
        return;
    vusb->unplugged = true;
    for (int i = 0; i < ES_FTDI_CHANNELS; i++) {
        while (vusb->in[i].count)
            finish(vusb, &vusb->in[i], 0, -ESHUTDOWN);
        while (vusb->out[i].count)
            finish(vusb, &vusb->out[i], 0, -ESHUTDOWN);
    }
    show(vusb);
    pthread_cond_broadcast(&vusb->changed);
}

/* --- bulk transfers, in the device's thread, with `mutex` held ------------------------------------------ */

static bool fifo_mode(const es_vusb *vusb)
{
    return vusb->model.channels[0].bitmode == ES_FTDI_SYNC_FIFO;
}

/* Adds a packet with `size` bytes of the chip's buffer to the first IN URB of a channel, and ends the URB where USB would. */
static void send_packet(es_vusb *vusb, unsigned channel, size_t size)
{
    usb_urb *urb = vusb->in[channel].urbs[0];
    uint8_t *packet = (uint8_t *)urb->buffer + urb->actual_length;
    es_ftdi_status(&vusb->model, packet);
    memcpy(packet + ES_FTDI_STATUS, vusb->chip, size);
    vusb->chip_used -= size;
    memmove(vusb->chip, vusb->chip + size, vusb->chip_used);
    urb->actual_length += (int)(ES_FTDI_STATUS + size);
    vusb->state.to_host += size;
    vusb->last_packet[channel] = now_ns();
    bool is_short = ES_FTDI_STATUS + size < ES_FTDI_PACKET;
    if (is_short || urb->buffer_length - urb->actual_length < ES_FTDI_PACKET)
        finish(vusb, &vusb->in[channel], 0, 0);
    if (vusb->unplug_at && vusb->state.to_host >= vusb->unplug_at)
        unplug(vusb);
}

/* Moves bytes to the host: full packets at once, what is less when the latency timer ends. */
static void serve_in(es_vusb *vusb, unsigned channel)
{
    const size_t full = ES_FTDI_PACKET - ES_FTDI_STATUS;
    size_t used = channel == 0 ? vusb->chip_used : 0;
    while (vusb->in[channel].count && used >= full) {
        send_packet(vusb, channel, full);
        used = vusb->chip_used;
    }
    uint64_t timer = (uint64_t)vusb->model.channels[channel].latency_ms * 1000000u;
    if (vusb->in[channel].count && now_ns() - vusb->last_packet[channel] >= timer)
        send_packet(vusb, channel, used);
}

/* One round of the device: true when bytes moved. */
static bool serve(es_vusb *vusb)
{
    bool moved = false;
    if (fifo_mode(vusb) && vusb->in[0].count && vusb->chip_used < CHIP_BUFFER) {
        size_t got = vusb->port->read(vusb->context, vusb->chip + vusb->chip_used, CHIP_BUFFER - vusb->chip_used);
        vusb->chip_used += got;
        moved = got != 0;
    }
    for (unsigned i = 0; i < ES_FTDI_CHANNELS; i++)
        serve_in(vusb, i);
    while (vusb->out[1].count) { /* nothing is wired to channel B */
        vusb->out[1].urbs[0]->actual_length = vusb->out[1].urbs[0]->buffer_length;
        finish(vusb, &vusb->out[1], 0, 0);
    }
    while (vusb->out[0].count) {
        usb_urb *urb = vusb->out[0].urbs[0];
        size_t left = (size_t)urb->buffer_length - vusb->out_taken;
        size_t taken = fifo_mode(vusb) ? vusb->port->write(vusb->context, (uint8_t *)urb->buffer + vusb->out_taken, left) : left;
        vusb->out_taken += taken;
        vusb->state.to_probe += taken;
        moved = moved || taken;
        if (taken < left)
            break;
        urb->actual_length = urb->buffer_length;
        vusb->out_taken = 0;
        finish(vusb, &vusb->out[0], 0, 0);
    }
    return moved;
}

static void *run(void *argument)
{
    es_vusb *vusb = argument;
    pthread_mutex_lock(&vusb->mutex);
    while (!vusb->stopping) {
        bool busy = !vusb->unplugged && !vusb->stalled && serve(vusb);
        bool steps = !vusb->stalled && fifo_mode(vusb);
        pthread_mutex_unlock(&vusb->mutex);
        if (steps)
            busy = vusb->port->step(vusb->context) || busy;
        pthread_mutex_lock(&vusb->mutex);
        if (!busy && !vusb->stopping) {
            struct timespec end;
            uint64_t until = now_ns() + IDLE_NS;
            end.tv_sec = (time_t)(until / 1000000000u);
            end.tv_nsec = (long)(until % 1000000000u);
            pthread_cond_timedwait(&vusb->changed, &vusb->mutex, &end);
        }
    }
    pthread_mutex_unlock(&vusb->mutex);
    return NULL;
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
    show(vusb);
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
            show(vusb);
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
                finish(vusb, queues[q], i, -ENOENT);
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
    show(vusb);
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
        *(uint32_t *)argument = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION | USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
        return 0;
    case USBDEVFS_CLAIMINTERFACE: return claim(vusb, *(unsigned *)argument, true, client);
    case USBDEVFS_RELEASEINTERFACE: return claim(vusb, *(unsigned *)argument, false, client);
    case USBDEVFS_SETCONFIGURATION:
        vusb->model.configuration = (uint8_t)*(unsigned *)argument;
        return 0;
    case USBDEVFS_CONTROL: {
        struct usbdevfs_ctrltransfer *control = argument;
        const uint8_t setup[8] = {control->bRequestType, control->bRequest, (uint8_t)control->wValue, (uint8_t)(control->wValue >> 8),
                                  (uint8_t)control->wIndex, (uint8_t)(control->wIndex >> 8), (uint8_t)control->wLength,
                                  (uint8_t)(control->wLength >> 8)};
        return es_ftdi_control(&vusb->model, setup, control->data) < 0 ? EPIPE : 0;
    }
    case USBDEVFS_GETDRIVER: /* no kernel driver is bound, */
    case USBDEVFS_IOCTL:     /* so there is none to disconnect either */
        return ENODATA;
    case USBDEVFS_SETINTERFACE:
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_RESET:
    case USBDEVFS_RESETEP:
        return 0;
    default:
        vusb->state.unknown++;
        return ENOTTY;
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

/* --- plugging in and out ---------------------------------------------------------------------------------- */

static UMockdevTestbed *join_bus(unsigned *number)
{
    pthread_mutex_lock(&bus.mutex);
    if (!bus.users) {
        bus.testbed = umockdev_testbed_new();
        if (!umockdev_in_mock_environment())
            g_clear_object(&bus.testbed);
    }
    UMockdevTestbed *testbed = bus.testbed;
    if (testbed) {
        bus.users++;
        *number = ++bus.devices;
    }
    pthread_mutex_unlock(&bus.mutex);
    return testbed;
}

static void leave_bus(void)
{
    pthread_mutex_lock(&bus.mutex);
    if (--bus.users == 0) {
        g_object_unref(bus.testbed);
        bus.testbed = NULL;
    }
    pthread_mutex_unlock(&bus.mutex);
}

/* Replaces the device node, which umockdev makes as a plain file, by a FIFO. */
static bool make_node(es_vusb *vusb)
{
    char *root = umockdev_testbed_get_root_dir(bus.testbed);
    snprintf(vusb->path, sizeof vusb->path, "%s%s", root, vusb->node);
    g_free(root);
    unlink(vusb->path);
    if (mkfifo(vusb->path, 0666) < 0)
        return false;
    vusb->pipe = open(vusb->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (vusb->pipe < 0)
        return false;
    fcntl(vusb->pipe, F_SETPIPE_SZ, 4096); /* only to fill it faster */
    vusb->readable = true;
    show(vusb);
    return true;
}

static bool add_device(es_vusb *vusb, unsigned number, es_error *err)
{
    char hex[2 * ES_FTDI_DESCRIPTORS + 1], text[1024];
    for (size_t i = 0; i < ES_FTDI_DESCRIPTORS; i++)
        snprintf(hex + 2 * i, 3, "%02x", es_ftdi_descriptors[i]);
    snprintf(vusb->node, sizeof vusb->node, "/dev/bus/usb/001/%03u", number);
    snprintf(vusb->sys_path, sizeof vusb->sys_path, "/sys/devices/earshot/usb1/1-%u", number);
    snprintf(text, sizeof text,
             "P: /devices/earshot/usb1/1-%u\n"
             "N: bus/usb/001/%03u\n"
             "E: SUBSYSTEM=usb\n"
             "E: DEVTYPE=usb_device\n"
             "E: DRIVER=usb\n"
             "E: BUSNUM=001\n"
             "E: DEVNUM=%03u\n"
             "E: DEVNAME=/dev/bus/usb/001/%03u\n"
             "A: busnum=1\\n\n"
             "A: devnum=%u\\n\n"
             "A: bConfigurationValue=1\\n\n"
             "A: speed=480\\n\n"
             "H: descriptors=%s\n",
             number, number, number, number, number, hex);
    GError *error = NULL;
    if (umockdev_testbed_attach_ioctl(bus.testbed, vusb->node, vusb->handler, &error) &&
        umockdev_testbed_add_from_string(bus.testbed, text, &error) && make_node(vusb))
        return true;
    es_fail(err, ES_PROBE, "the virtual USB device cannot be made: %s", error ? error->message : strerror(errno));
    g_clear_error(&error);
    return false;
}

es_vusb *es_vusb_start_port(const es_vusb_port *port, void *context, const char *serial, es_error *err)
{
    unsigned number;
    if (!join_bus(&number)) {
        es_fail(err, ES_PROBE, "the virtual USB device needs umockdev-wrapper around the program");
        return NULL;
    }
    es_vusb *vusb = calloc(1, sizeof *vusb);
    if (!vusb) {
        leave_bus();
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    vusb->port = port;
    vusb->context = context;
    vusb->pipe = -1;
    snprintf(vusb->serial, sizeof vusb->serial, "%s", serial);
    es_ftdi_init(&vusb->model, vusb->serial);
    pthread_mutex_init(&vusb->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&vusb->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    vusb->handler = umockdev_ioctl_base_new();
    g_signal_connect(vusb->handler, "handle-ioctl", G_CALLBACK(on_ioctl), vusb);
    g_signal_connect(vusb->handler, "client-vanished", G_CALLBACK(on_vanished), vusb);
    if (!add_device(vusb, number, err) || pthread_create(&vusb->thread, NULL, run, vusb) != 0) {
        vusb->stopping = true;
        es_vusb_stop(vusb);
        return NULL;
    }
    return vusb;
}

void es_vusb_stop(es_vusb *vusb)
{
    if (!vusb)
        return;
    bool runs = !vusb->stopping;
    es_vusb_unplug(vusb);
    if (runs) {
        pthread_mutex_lock(&vusb->mutex);
        vusb->stopping = true;
        pthread_cond_broadcast(&vusb->changed);
        pthread_mutex_unlock(&vusb->mutex);
        pthread_join(vusb->thread, NULL);
    }
    umockdev_testbed_detach_ioctl(bus.testbed, vusb->node, NULL);
    g_object_unref(vusb->handler);
    if (vusb->pipe >= 0)
        close(vusb->pipe);
    pthread_cond_destroy(&vusb->changed);
    pthread_mutex_destroy(&vusb->mutex);
    free(vusb);
    leave_bus();
}

void es_vusb_unplug(es_vusb *vusb)
{
    pthread_mutex_lock(&vusb->mutex);
    unplug(vusb);
    bool gone = vusb->gone;
    vusb->gone = true;
    pthread_mutex_unlock(&vusb->mutex);
    if (gone)
        return;
    umockdev_testbed_uevent(bus.testbed, vusb->sys_path, "remove");
    umockdev_testbed_remove_device(bus.testbed, vusb->sys_path);
}

void es_vusb_unplug_after(es_vusb *vusb, uint64_t bytes)
{
    pthread_mutex_lock(&vusb->mutex);
    vusb->unplug_at = vusb->state.to_host + bytes;
    pthread_mutex_unlock(&vusb->mutex);
}

void es_vusb_stall(es_vusb *vusb, bool stalled)
{
    pthread_mutex_lock(&vusb->mutex);
    vusb->stalled = stalled;
    pthread_cond_broadcast(&vusb->changed);
    pthread_mutex_unlock(&vusb->mutex);
}

void es_vusb_forbid(es_vusb *vusb)
{
    /* Other users may find the device and talk to umockdev, which is no part of the device; only the node is closed to them. */
    char *root = umockdev_testbed_get_root_dir(bus.testbed);
    char ioctls[sizeof vusb->path];
    snprintf(ioctls, sizeof ioctls, "%s/ioctl%s", root, vusb->node);
    chmod(root, 0777);
    chmod(ioctls, 0777);
    chmod(vusb->path, 0);
    g_free(root);
}

es_vusb_state es_vusb_look(es_vusb *vusb)
{
    pthread_mutex_lock(&vusb->mutex);
    es_vusb_state state = vusb->state;
    state.bitmode = vusb->model.channels[0].bitmode;
    state.latency_ms = vusb->model.channels[0].latency_ms;
    state.unknown += vusb->model.unknown;
    state.claimed = vusb->claimed_by != NULL;
    pthread_mutex_unlock(&vusb->mutex);
    return state;
}
