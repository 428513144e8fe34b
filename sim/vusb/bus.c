/* Devices in sysfs, their nodes, and the messages that tell hosts of them, by umockdev. */
#include "vusb/bus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vusb/announce.h"

#define NUMBERS 128 /* device numbers of a bus; 0 is nobody's */

static struct {
    pthread_mutex_t mutex;
    UMockdevTestbed *testbed;
    unsigned users, ports;
    unsigned number;     /* that was given last */
    bool taken[NUMBERS]; /* by a device that is plugged in */
    bool attached[NUMBERS];
    es_vusb *kept; /* stopped: umockdev may still call for hosts that have not gone */
} bus = {.mutex = PTHREAD_MUTEX_INITIALIZER};

char *es_vusb_folder(void)
{
    pthread_mutex_lock(&bus.mutex);
    char *folder = bus.testbed ? umockdev_testbed_get_root_dir(bus.testbed) : NULL;
    pthread_mutex_unlock(&bus.mutex);
    return folder;
}

bool es_vusb_bus_join(es_vusb *vusb)
{
    pthread_mutex_lock(&bus.mutex);
    if (!bus.users) {
        bus.testbed = umockdev_testbed_new();
        if (!umockdev_in_mock_environment())
            g_clear_object(&bus.testbed);
    }
    bool good = bus.testbed != NULL;
    if (good) {
        bus.users++;
        vusb->port_number = ++bus.ports;
    }
    pthread_mutex_unlock(&bus.mutex);
    return good;
}

void es_vusb_bus_leave(es_vusb *vusb)
{
    pthread_mutex_lock(&bus.mutex);
    vusb->next = bus.kept;
    bus.kept = vusb;
    if (--bus.users == 0) {
        g_object_unref(bus.testbed);
        bus.testbed = NULL;
        memset(bus.attached, 0, sizeof bus.attached);
    }
    pthread_mutex_unlock(&bus.mutex);
}

/* --- with the bus's mutex held ------------------------------------------------------------------------- */

/* The next free number, as the kernel gives them: not soon again one that was there. */
static unsigned take_number(void)
{
    do
        bus.number = bus.number % (NUMBERS - 1) + 1;
    while (bus.taken[bus.number]);
    bus.taken[bus.number] = true;
    return bus.number;
}

/* Replaces the device node, which umockdev makes as a plain file, by a FIFO. */
static bool make_node(es_vusb *vusb)
{
    snprintf(vusb->path, sizeof vusb->path, "%s%s", vusb->root, vusb->node);
    unlink(vusb->path);
    if (mkfifo(vusb->path, 0666) < 0)
        return false;
    int pipe = open(vusb->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return false;
    fcntl(pipe, F_SETPIPE_SZ, 4096); /* only to fill it faster */
    pthread_mutex_lock(&vusb->mutex);
    if (vusb->node_count == NODES_MAX) { /* whoever still has the oldest open has been told that it is gone */
        close(vusb->nodes[0].pipe);
        memmove(vusb->nodes, vusb->nodes + 1, --vusb->node_count * sizeof *vusb->nodes);
    }
    vusb->nodes[vusb->node_count++] = (usb_node){.plug = vusb->plug, .pipe = pipe, .readable = true};
    es_vusb_show(vusb);
    pthread_mutex_unlock(&vusb->mutex);
    return true;
}

static bool add_from(const char *text, GError **error)
{
    return umockdev_testbed_add_from_string(bus.testbed, text, error);
}

/* What sysfs has of a USB device. */
static bool add_device(const es_vusb *vusb, unsigned number, GError **error)
{
    const es_usb_kind *kind = vusb->config.kind;
    char hex[513], text[2048], serial[100] = "";
    for (size_t i = 0; i < kind->descriptor_size; i++)
        snprintf(hex + 2 * i, 3, "%02x", kind->descriptors[i]);
    if (vusb->serial[0])
        snprintf(serial, sizeof serial, "A: serial=%s\\n\n", vusb->serial);
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
             "A: idVendor=%04x\\n\n"
             "A: idProduct=%04x\\n\n"
             "A: manufacturer=Earshot\\n\n"
             "A: product=%s\\n\n"
             "%s"
             "A: bConfigurationValue=1\\n\n"
             "A: speed=480\\n\n"
             "H: descriptors=%s\n",
             vusb->port_number, number, number, number, number, kind->vendor_id, kind->product_id, kind->product,
             serial, hex);
    return add_from(text, error);
}

void es_vusb_bus_show_driver(const es_vusb *vusb, unsigned interface, const char *driver)
{
    char path[sizeof vusb->root + sizeof vusb->sys_path + 64], target[64];
    snprintf(path, sizeof path, "%s%s/1-%u:1.%u/driver", vusb->root, vusb->sys_path, vusb->port_number, interface);
    unlink(path);
    snprintf(target, sizeof target, "../../../../../bus/usb/drivers/%s", driver ? driver : "");
    if (driver && symlink(target, path) < 0)
        perror(path);
}

/* An interface, with the kernel's driver where that has it. */
static bool add_interface(const es_vusb *vusb, unsigned interface, GError **error)
{
    char text[512];
    snprintf(text, sizeof text,
             "P: /devices/earshot/usb1/1-%u/1-%u:1.%u\n"
             "E: SUBSYSTEM=usb\n"
             "E: DEVTYPE=usb_interface\n"
             "A: bInterfaceNumber=%02u\\n\n",
             vusb->port_number, vusb->port_number, interface, interface);
    bool good = add_from(text, error);
    es_vusb_bus_show_driver(vusb, interface, vusb->config.kernel_bound ? "ftdi_sio" : NULL);
    return good;
}

static void announce(const es_vusb *vusb, const char *action)
{
    char properties[256];
    char *folder = umockdev_testbed_get_root_dir(bus.testbed);
    snprintf(properties, sizeof properties,
             "DEVTYPE=usb_device\nDRIVER=usb\nBUSNUM=001\nDEVNUM=%03u\nDEVNAME=/dev/bus/usb/001/%03u\n", vusb->number,
             vusb->number);
    es_vusb_announce(folder, action, vusb->sys_path, properties);
    g_free(folder);
}

/* A node's calls are answered until its number is given anew: a host may just be opening it. */
static bool attach(es_vusb *vusb, unsigned number, GError **error)
{
    if (bus.attached[number])
        umockdev_testbed_detach_ioctl(bus.testbed, vusb->node, NULL);
    bus.attached[number] = false;
    UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
    es_vusb_serve_usbfs(vusb, handler, vusb->plug);
    bus.attached[number] = umockdev_testbed_attach_ioctl(bus.testbed, vusb->node, handler, error);
    g_object_unref(handler);
    return bus.attached[number];
}

static bool add(es_vusb *vusb, es_error *err)
{
    unsigned number = take_number();
    GError *error = NULL;
    vusb->number = number;
    char *root = umockdev_testbed_get_root_dir(bus.testbed);
    snprintf(vusb->root, sizeof vusb->root, "%s", root);
    g_free(root);
    snprintf(vusb->node, sizeof vusb->node, "/dev/bus/usb/001/%03u", number);
    snprintf(vusb->sys_path, sizeof vusb->sys_path, "/sys/devices/earshot/usb1/1-%u", vusb->port_number);
    if (attach(vusb, number, &error) && add_device(vusb, number, &error) && make_node(vusb)) {
        for (unsigned i = 0; i < vusb->config.kind->channels; i++)
            add_interface(vusb, i, NULL);
        announce(vusb, "add");
        return true;
    }
    bus.taken[number] = false;
    es_fail(err, ES_PROBE, "the virtual USB device cannot be made: %s", error ? error->message : strerror(errno));
    g_clear_error(&error);
    return false;
}

bool es_vusb_bus_add(es_vusb *vusb, es_error *err)
{
    pthread_mutex_lock(&bus.mutex);
    bool good = add(vusb, err);
    pthread_mutex_unlock(&bus.mutex);
    return good;
}

void es_vusb_bus_remove(es_vusb *vusb)
{
    char path[sizeof vusb->sys_path + 40];
    pthread_mutex_lock(&bus.mutex);
    for (unsigned i = 0; i < vusb->config.kind->channels; i++) {
        snprintf(path, sizeof path, "%s/1-%u:1.%u", vusb->sys_path, vusb->port_number, i);
        umockdev_testbed_remove_device(bus.testbed, path);
    }
    umockdev_testbed_remove_device(bus.testbed, vusb->sys_path);
    unlink(vusb->path);
    announce(vusb, "remove"); /* when it is gone: who is told looks at once */
    bus.taken[vusb->number] = false;
    pthread_mutex_unlock(&bus.mutex);
}

void es_vusb_forbid(es_vusb *vusb)
{
    /* Other users may find the device and talk to umockdev, which is no part of the device; only the node is closed to
     * them. */
    char ioctls[sizeof vusb->path];
    snprintf(ioctls, sizeof ioctls, "%s/ioctl%s", vusb->root, vusb->node);
    chmod(vusb->root, 0777);
    chmod(ioctls, 0777);
    chmod(vusb->path, 0);
}
