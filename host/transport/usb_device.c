#include "transport/usb_device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe_defs.h"
#include "transport/holders.h"

#define FTDI_VENDOR 0x0403u
#define FT2232H 0x6010u
#define FT232H 0x6014u
#define PORTS_MAX 7
#define LIST_MAX 1024

bool es_usb_fail(es_error *err, const char *what, int code)
{
    if (code == LIBUSB_ERROR_NO_DEVICE)
        return es_fail(err, ES_PROBE, "%s: the probe was unplugged", what);
    return es_fail(err, ES_PROBE, "%s: %s", what, libusb_strerror(code));
}

static bool refuse_permission(es_error *err, const es_usb_identity *identity)
{
    char match[128];
    if (identity->kind == ES_USB_FTDI)
        snprintf(match, sizeof match, "ATTR{idVendor}==\"%04x\", ATTR{idProduct}==\"%04x|%04x\"", FTDI_VENDOR, FT2232H,
                 FT232H);
    else
        snprintf(match, sizeof match, "ENV{ID_USB_INTERFACES}==\"*:ff%02x%02x:*\"", ES_USB_SUBCLASS, ES_USB_PROTOCOL);
    return es_fail(
        err, ES_PROBE,
        "opening the probe: no permission to use the USB device %s. Install host/transport/70-earshot.rules ('make "
        "install' does), or put this line into /etc/udev/rules.d/70-earshot.rules:\n"
        "  SUBSYSTEM==\"usb\", %s, MODE=\"0660\", TAG+=\"uaccess\"\n"
        "then run 'sudo udevadm control --reload' and plug the probe in again",
        identity->node, match);
}

bool es_usb_refuse(es_error *err, const es_usb_identity *identity, int code)
{
    char driver[ES_USB_TEXT], holders[ES_HOLDERS_TEXT];
    if (code == LIBUSB_ERROR_ACCESS)
        return refuse_permission(err, identity);
    if (code != LIBUSB_ERROR_BUSY)
        return es_usb_fail(err, "opening the probe", code);
    es_usb_kernel_driver(identity, identity->interface, driver);
    if (driver[0] && strcmp(driver, "usbfs") != 0) /* usbfs: programs */
        return es_fail(err, ES_PROBE,
                       "opening the probe: the kernel's driver %s has it and does not give it up; take it away with "
                       "\"echo %s:1.%u | sudo tee /sys/bus/usb/drivers/%s/unbind\"",
                       driver, identity->port, identity->interface, driver);
    es_holders(identity->node, holders);
    return es_fail(err, ES_PROBE, "opening the probe: another program has the probe open%s%s", holders[0] ? ": " : "",
                   holders);
}

/* --- what a device is -------------------------------------------------------------------------------- */

/* A text of sysfs, which anybody may read, also where the device itself may not be opened. False: there is none. */
static bool read_attribute(const char *port, const char *name, char text[ES_USB_TEXT])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/%s", port, name);
    FILE *file = fopen(path, "r");
    text[0] = 0;
    if (!file)
        return false;
    bool good = fgets(text, ES_USB_TEXT, file) != NULL;
    fclose(file);
    text[strcspn(text, "\n")] = 0;
    return good;
}

void es_usb_kernel_driver(const es_usb_identity *identity, unsigned interface, char driver[ES_USB_TEXT])
{
    char path[PATH_MAX], target[PATH_MAX];
    snprintf(path, sizeof path, "/sys/bus/usb/devices/%s:1.%u/driver", identity->port, interface);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    const char *last = strrchr(target, '/');
    snprintf(driver, ES_USB_TEXT, "%.*s", ES_USB_TEXT - 1, last ? last + 1 : target);
}

static void name_port(libusb_device *device, char port[64])
{
    uint8_t numbers[PORTS_MAX];
    int count = libusb_get_port_numbers(device, numbers, PORTS_MAX);
    int used = snprintf(port, 64, "%u", libusb_get_bus_number(device));
    for (int i = 0; i < count; i++)
        used += snprintf(port + used, 64 - (size_t)used, "%c%u", i ? '.' : '-', numbers[i]);
}

/* Where sysfs does not say, the device is asked. */
static void ask_serial(libusb_device *device, uint8_t index, char serial[ES_USB_TEXT])
{
    libusb_device_handle *handle;
    if (!index || libusb_open(device, &handle) < 0)
        return;
    int length = libusb_get_string_descriptor_ascii(handle, index, (unsigned char *)serial, ES_USB_TEXT - 1);
    serial[length > 0 ? length : 0] = 0; /* an unprogrammed EEPROM may promise a string that is not there */
    libusb_close(handle);
}

/* The pair of bulk endpoints of an interface. */
static bool find_endpoints(const struct libusb_interface_descriptor *interface, es_usb_identity *identity)
{
    identity->in = identity->out = 0;
    for (unsigned i = 0; i < interface->bNumEndpoints; i++) {
        const struct libusb_endpoint_descriptor *endpoint = &interface->endpoint[i];
        if ((endpoint->bmAttributes & 3) != LIBUSB_ENDPOINT_TRANSFER_TYPE_BULK)
            continue;
        if (endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN) {
            identity->in = endpoint->bEndpointAddress;
            identity->packet = endpoint->wMaxPacketSize;
        } else {
            identity->out = endpoint->bEndpointAddress;
        }
    }
    return identity->in && identity->out;
}

static bool has_our_interface(libusb_device *device, es_usb_identity *identity)
{
    struct libusb_config_descriptor *config;
    bool found = false;
    if (libusb_get_active_config_descriptor(device, &config) < 0)
        return false;
    for (unsigned i = 0; i < config->bNumInterfaces && !found; i++) {
        for (int k = 0; k < config->interface[i].num_altsetting && !found; k++) {
            const struct libusb_interface_descriptor *d = &config->interface[i].altsetting[k];
            found = d->bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC && d->bInterfaceSubClass == ES_USB_SUBCLASS &&
                    d->bInterfaceProtocol == ES_USB_PROTOCOL && d->bAlternateSetting == 0 &&
                    find_endpoints(d, identity);
            identity->interface = d->bInterfaceNumber;
        }
    }
    libusb_free_config_descriptor(config);
    return found;
}

bool es_usb_identify(libusb_device *device, es_usb_identity *identity)
{
    struct libusb_device_descriptor descriptor;
    *identity = (es_usb_identity){0};
    if (libusb_get_device_descriptor(device, &descriptor) < 0)
        return false;
    if (descriptor.idVendor == FTDI_VENDOR && (descriptor.idProduct == FT2232H || descriptor.idProduct == FT232H))
        identity->kind = ES_USB_FTDI;
    else if (has_our_interface(device, identity))
        identity->kind = ES_USB_BULK;
    else
        return false;
    identity->vendor = descriptor.idVendor;
    identity->product = descriptor.idProduct;
    name_port(device, identity->port);
    snprintf(identity->node, sizeof identity->node, "/dev/bus/usb/%03u/%03u", libusb_get_bus_number(device),
             libusb_get_device_address(device));
    read_attribute(identity->port, "manufacturer", identity->manufacturer);
    read_attribute(identity->port, "product", identity->name);
    if (!read_attribute(identity->port, "serial", identity->serial))
        ask_serial(device, descriptor.iSerialNumber, identity->serial);
    return true;
}

/* --- finding one --------------------------------------------------------------------------------------- */

static enum es_usb_found tell_absent(const es_usb_wish *wish, unsigned found, const char *serials, es_error *err)
{
    if (found && wish->serial)
        es_fail(err, ES_PROBE, "no probe has the serial number %s; there are: %s", wish->serial, serials);
    else if (wish->kind == ES_USB_FTDI)
        es_fail(err, ES_PROBE,
                "no probe found: no FT2232H or FT232H is connected (lsusb would show 0403:6010 or 0403:6014)");
    else
        es_fail(err, ES_PROBE,
                "no probe found: no USB device with a probe's interface (class ff, subclass %02x, protocol %02x) is "
                "connected",
                ES_USB_SUBCLASS, ES_USB_PROTOCOL);
    return ES_USB_ABSENT;
}

static void list(char *serials, size_t *used, const es_usb_identity *identity)
{
    int length = snprintf(serials + *used, LIST_MAX - *used, "%s%s", *used ? ", " : "",
                          identity->serial[0] ? identity->serial : "(none)");
    *used += length > 0 && *used + (size_t)length < LIST_MAX ? (size_t)length : 0;
}

enum es_usb_found es_usb_find(libusb_context *context, const es_usb_wish *wish, libusb_device **device,
                              es_usb_identity *identity, es_error *err)
{
    libusb_device **devices;
    char serials[LIST_MAX] = "";
    size_t used = 0;
    unsigned found = 0, matching = 0;
    *device = NULL;
    ssize_t count = libusb_get_device_list(context, &devices);
    if (count < 0) {
        es_usb_fail(err, "looking for USB devices", (int)count);
        return ES_USB_UNCLEAR;
    }
    for (ssize_t i = 0; i < count; i++) {
        es_usb_identity one;
        if (!es_usb_identify(devices[i], &one) || one.kind != wish->kind)
            continue;
        found++;
        list(serials, &used, &one);
        if ((wish->serial && strcmp(wish->serial, one.serial) != 0) ||
            (wish->port && strcmp(wish->port, one.port) != 0))
            continue;
        if (matching++ == 0) {
            *device = libusb_ref_device(devices[i]);
            *identity = one;
        }
    }
    libusb_free_device_list(devices, 1);
    if (matching == 1)
        return ES_USB_FOUND;
    if (!matching)
        return tell_absent(wish, found, serials, err);
    libusb_unref_device(*device);
    *device = NULL;
    es_fail(err, ES_PROBE, "several probes are connected; choose one by its serial number: %s", serials);
    return ES_USB_UNCLEAR;
}
