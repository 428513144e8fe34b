/* A probe that is a USB device of its own: one vendor-class interface with a pair of bulk endpoints. */
#include "probe_defs.h"
#include "vusb/usb_model.h"

static const uint8_t descriptors[] = {
    /* device: USB 2.0, class per interface, 64-byte control packets, 1209:0001 (pid.codes: for tests), 3 strings */
    /* clang-format off */
    18, 1, 0x00, 0x02, 0, 0, 0, 64, 0x09, 0x12, 0x01, 0x00, 0x00, 0x01, 1, 2, 3, 1,
    /* configuration 1: one interface, self powered */
    9, 2, 32, 0, 1, 1, 0, 0xC0, 50,
    9, 4, 0, 0, 2, 0xFF, ES_USB_SUBCLASS, ES_USB_PROTOCOL, 2,
    7, 5, 0x81, 2, 0x00, 0x02, 0,
    7, 5, 0x01, 2, 0x00, 0x02, 0,
    /* clang-format on */
};

const es_usb_kind es_usb_bulk = {
    .product = "Virtual bulk device",
    .vendor_id = 0x1209,
    .product_id = 0x0001,
    .descriptors = descriptors,
    .descriptor_size = sizeof descriptors,
    .channels = 1,
    .in = {0x81},
    .out = {0x01},
};
