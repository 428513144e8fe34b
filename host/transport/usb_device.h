/* USB devices that may be probes: what they are, without opening them (room-internal). */
#ifndef ES_TRANSPORT_USB_DEVICE_H
#define ES_TRANSPORT_USB_DEVICE_H

#include <libusb.h>

#include "base/error.h"

#define ES_USB_TEXT 128

enum es_usb_kind { ES_USB_FTDI, ES_USB_BULK };

typedef struct es_usb_identity {
    enum es_usb_kind kind;
    unsigned vendor, product;
    char serial[ES_USB_TEXT], manufacturer[ES_USB_TEXT], name[ES_USB_TEXT]; /* "": it has none, or will not say */
    char port[64];                                                          /* of the bus: "1-2.3" */
    char node[64];                                                          /* /dev/bus/usb/001/004 */
    unsigned interface;                                                     /* that leads to the probe */
    uint8_t in, out; /* bulk endpoints of that interface (ES_USB_BULK) */
    unsigned packet; /* bytes (ES_USB_BULK) */
} es_usb_identity;

/* Whether the device is one of a kind of probe, and which. An FTDI chip is one by its numbers, though it may be
 * something else; a bulk device by its interface. */
bool es_usb_identify(libusb_device *device, es_usb_identity *identity);

/* The driver of the kernel that has an interface of a device, by sysfs; "" for none. */
void es_usb_kernel_driver(const es_usb_identity *identity, unsigned interface, char driver[ES_USB_TEXT]);

/* libusb's code in words. */
bool es_usb_fail(es_error *err, const char *what, int code);

/* Why a device cannot be opened, and what to do: no permission (with udev's rule), another program (which one), a
 * driver of the kernel. */
bool es_usb_refuse(es_error *err, const es_usb_identity *identity, int code);

/* A device that is asked for. */
typedef struct es_usb_wish {
    enum es_usb_kind kind;
    const char *serial; /* NULL: the only one */
    const char *port;   /* where it has to be; NULL: anywhere */
} es_usb_wish;

enum es_usb_found { ES_USB_FOUND, ES_USB_ABSENT, ES_USB_UNCLEAR };

/* Finds the device: *device has to be unreferenced. ES_USB_UNCLEAR: there are several, or USB cannot be asked. */
enum es_usb_found es_usb_find(libusb_context *context, const es_usb_wish *wish, libusb_device **device,
                              es_usb_identity *identity, es_error *err);

#endif
