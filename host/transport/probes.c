#include "transport/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "transport/holders.h"
#include "transport/serial_devices.h"
#include "transport/usb_device.h"

#define REMEDY_RULE \
    "install host/transport/70-earshot.rules ('make install' does), run 'sudo udevadm control --reload' and plug the " \
    "probe in again"

typedef struct list {
    es_probe_entry *entries;
    size_t count;
} list;

const char *es_probe_means_name(enum es_probe_means means)
{
    static const char *const names[] = {"sim", "ftdi", "usb", "uart"};
    return names[means];
}

const char *es_probe_state_name(enum es_probe_state state)
{
    static const char *const names[] = {"free", "kernel", "busy", "forbidden"};
    return names[state];
}

static es_probe_entry *add(list *l, enum es_probe_means means)
{
    l->entries = es_realloc(l->entries, (l->count + 1) * sizeof *l->entries);
    es_probe_entry *entry = &l->entries[l->count++];
    *entry = (es_probe_entry){.means = means};
    return entry;
}

static void name_board(es_probe_entry *entry, const es_usb_identity *identity)
{
    snprintf(entry->board, sizeof entry->board, "%.70s%s%.70s", identity->manufacturer,
             identity->manufacturer[0] && identity->name[0] ? " " : "", identity->name);
    if (!entry->board[0])
        snprintf(entry->board, sizeof entry->board, "%04x:%04x", identity->vendor, identity->product);
}

static void say_busy(es_probe_entry *entry)
{
    char holders[ES_HOLDERS_TEXT];
    es_holders(entry->node, holders);
    entry->state = ES_PROBE_BUSY;
    snprintf(entry->trouble, sizeof entry->trouble, "in use by %s",
             holders[0] ? holders : "a program of another user, or of another namespace");
    snprintf(entry->remedy, sizeof entry->remedy, "end that program, or use the probe through it");
}

/* What a driver that has the interface means: usbfs is what programs have. */
static void look_at_driver(es_probe_entry *entry, const es_usb_identity *identity)
{
    char driver[ES_USB_TEXT];
    es_usb_kernel_driver(identity, identity->interface, driver);
    if (strcmp(driver, "usbfs") == 0) {
        say_busy(entry);
    } else if (driver[0]) {
        entry->state = ES_PROBE_KERNEL;
        snprintf(entry->trouble, sizeof entry->trouble,
                 "the kernel's driver %.60s has interface %u of it, as a serial port", driver, identity->interface);
        snprintf(entry->remedy, sizeof entry->remedy,
                 identity->kind == ES_USB_FTDI
                     ? "none is needed: --probe ftdi takes the interface from it, and that serial port vanishes until "
                       "the probe is plugged in again"
                     : "echo %s:1.%u | sudo tee /sys/bus/usb/drivers/%.60s/unbind",
                 identity->port, identity->interface, driver);
    }
}

static void add_usb(list *l, const es_usb_identity *identity)
{
    es_probe_entry *entry = add(l, identity->kind == ES_USB_FTDI ? ES_MEANS_FTDI : ES_MEANS_USB);
    snprintf(entry->option, sizeof entry->option, "%s%s%s", es_probe_means_name(entry->means),
             identity->serial[0] ? ":" : "", identity->serial);
    snprintf(entry->serial, sizeof entry->serial, "%s", identity->serial);
    name_board(entry, identity);
    snprintf(entry->port, sizeof entry->port, "%s", identity->port);
    snprintf(entry->node, sizeof entry->node, "%s", identity->node);
    look_at_driver(entry, identity);
    if (access(identity->node, R_OK | W_OK) != 0) {
        entry->state = ES_PROBE_FORBIDDEN;
        snprintf(entry->trouble, sizeof entry->trouble, "no permission to use the USB device %s", identity->node);
        snprintf(entry->remedy, sizeof entry->remedy, REMEDY_RULE);
    }
}

static bool add_usb_devices(list *l, es_error *err)
{
    libusb_context *context;
    libusb_device **devices = NULL;
    int code = libusb_init(&context);
    if (code < 0)
        return es_usb_fail(err, "looking for USB devices", code);
    ssize_t count = libusb_get_device_list(context, &devices);
    for (ssize_t i = 0; i < count; i++) {
        es_usb_identity identity;
        if (es_usb_identify(devices[i], &identity))
            add_usb(l, &identity);
    }
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    libusb_exit(context);
    return count >= 0 || es_usb_fail(err, "looking for USB devices", (int)count);
}

/* The same numbers twice: neither can be meant by its own. */
static void mark_twins(list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        es_probe_entry *entry = &l->entries[i];
        bool twin = false;
        for (size_t k = 0; k < l->count; k++)
            twin |= k != i && (entry->means == ES_MEANS_FTDI || entry->means == ES_MEANS_USB) &&
                    l->entries[k].means == entry->means && strcmp(l->entries[k].serial, entry->serial) == 0;
        if (!twin || entry->trouble[0])
            continue;
        snprintf(entry->trouble, sizeof entry->trouble, "another probe has the same serial number");
        snprintf(entry->remedy, sizeof entry->remedy,
                 "unplug one of them, or give it a serial number of its own (ftdi_eeprom)");
    }
}

static void add_serial(void *context, const es_serial_device *device)
{
    list *l = context;
    es_probe_entry *entry = add(l, ES_MEANS_UART);
    char holders[ES_HOLDERS_TEXT];
    snprintf(entry->option, sizeof entry->option, "uart:%.150s", device->name);
    snprintf(entry->serial, sizeof entry->serial, "%s", device->serial);
    snprintf(entry->board, sizeof entry->board, "%.70s%s%.70s", device->manufacturer,
             device->manufacturer[0] && device->product[0] ? " " : "", device->product);
    snprintf(entry->port, sizeof entry->port, "%s", device->port);
    snprintf(entry->node, sizeof entry->node, "%s", device->node);
    es_holders(device->node, holders);
    if (access(device->node, R_OK | W_OK) != 0) {
        entry->state = ES_PROBE_FORBIDDEN;
        snprintf(entry->trouble, sizeof entry->trouble, "no permission to use the serial device %.150s", device->node);
        snprintf(entry->remedy, sizeof entry->remedy,
                 "join its group ('sudo usermod -aG dialout $USER', then log in again), or " REMEDY_RULE);
    } else if (holders[0]) {
        say_busy(entry);
    }
}

/* By kind, then by place: the same order each time. */
static int compare(const void *a, const void *b)
{
    const es_probe_entry *one = a, *other = b;
    if (one->means != other->means)
        return one->means < other->means ? -1 : 1;
    int ports = strverscmp(one->port, other->port);
    return ports ? ports : strverscmp(one->node, other->node);
}

es_probe_entry *es_probes_list(size_t *count, es_error *err)
{
    list l = {0};
    es_probe_entry *sim = add(&l, ES_MEANS_SIM);
    snprintf(sim->option, sizeof sim->option, "sim");
    snprintf(sim->board, sizeof sim->board, "the simulated target and probe");
    if (!add_usb_devices(&l, err)) {
        free(l.entries);
        return NULL;
    }
    mark_twins(&l);
    es_serial_devices(add_serial, &l);
    qsort(l.entries, l.count, sizeof *l.entries, compare);
    *count = l.count;
    return l.entries;
}
