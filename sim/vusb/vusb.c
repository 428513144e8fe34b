/* Plugging virtual devices in and out, and breaking them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vusb/device.h"

static struct {
    pthread_mutex_t mutex;
    UMockdevTestbed *testbed;
    unsigned users, devices;
} bus = {.mutex = PTHREAD_MUTEX_INITIALIZER};

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
    es_vusb_show(vusb);
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
    es_vusb_serve_usbfs(vusb);
    if (!add_device(vusb, number, err) || pthread_create(&vusb->thread, NULL, es_vusb_run, vusb) != 0) {
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
    es_vusb_end_all(vusb);
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
    /* Other users may find the device and talk to umockdev, which is no part of the device; only the node is closed to
     * them. */
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
