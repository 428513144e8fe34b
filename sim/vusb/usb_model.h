/* USB devices as seen by their requests: descriptors, control requests, what a packet begins with. No USB transport in
 * here. Two kinds: an FT2232H, and a device of one vendor-class interface with a pair of bulk endpoints (docs/link.md).
 */
#ifndef ES_VUSB_USB_MODEL_H
#define ES_VUSB_USB_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ES_USB_PACKET 512      /* bytes in a bulk packet */
#define ES_USB_CHANNELS 2      /* pairs of bulk endpoints, at most; the first leads to the probe */
#define ES_USB_STATUS 2        /* bytes of status at the head of a packet, at most */
#define ES_FTDI_SYNC_FIFO 0x40 /* bit mode */

struct es_usb_model;

typedef struct es_usb_kind {
    const char *product;
    unsigned vendor_id, product_id;
    const uint8_t *descriptors; /* device and configuration */
    size_t descriptor_size;
    size_t status;     /* bytes at the head of each packet to the host */
    bool fifo_mode;    /* bytes flow in the synchronous FIFO mode only */
    unsigned channels; /* as many interfaces, each with a pair of endpoints */
    uint8_t in[ES_USB_CHANNELS], out[ES_USB_CHANNELS];
    /* A vendor request, as es_usb_control; NULL: it has none. */
    int (*vendor)(struct es_usb_model *model, const uint8_t setup[8], uint8_t *data);
} es_usb_kind;

extern const es_usb_kind es_usb_ft2232h, es_usb_bulk;

typedef struct es_usb_model {
    const es_usb_kind *kind;
    const char *serial;
    uint8_t configuration;
    struct {
        uint8_t bitmode;
        uint8_t latency_ms; /* how long a packet that is not full waits for more */
    } channels[ES_USB_CHANNELS];
    unsigned unknown; /* requests that the model does not know */
} es_usb_model;

/* As after power-on. */
void es_usb_init(es_usb_model *model, const es_usb_kind *kind, const char *serial);

/* Carries out a control request: setup packet, and data of up to wLength bytes that is read or filled. Returns the
 * bytes of data moved, or -1 for a stall. */
int es_usb_control(es_usb_model *model, const uint8_t setup[8], uint8_t *data);

/* Whether bytes flow between the host and the probe. */
bool es_usb_flows(const es_usb_model *model);

/* The status bytes at the head of a packet, as many as the kind has. */
void es_usb_status(const es_usb_model *model, uint8_t status[ES_USB_STATUS]);

/* Puts an answer of `size` bytes into the `length` that the host asked for. For models of vendor requests. */
int es_usb_answer(uint8_t *data, unsigned length, const uint8_t *bytes, unsigned size);

#endif
