/* The FT2232H as seen by USB requests: descriptors, control requests, packets. No USB transport in here. */
#ifndef ES_VUSB_FTDI_MODEL_H
#define ES_VUSB_FTDI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ES_FTDI_PACKET 512 /* bytes in a bulk packet */
#define ES_FTDI_STATUS 2   /* of them, at the head: modem status */
#define ES_FTDI_CHANNELS 2
#define ES_FTDI_SYNC_FIFO 0x40 /* bit mode */
#define ES_FTDI_DESCRIPTORS 73 /* bytes: device and configuration */

typedef struct es_ftdi_model {
    const char *serial;
    uint8_t configuration;
    struct {
        uint8_t bitmode;
        uint8_t latency_ms;
    } channels[ES_FTDI_CHANNELS];
    unsigned unknown; /* requests that the model does not know */
} es_ftdi_model;

extern const uint8_t es_ftdi_descriptors[ES_FTDI_DESCRIPTORS];

void es_ftdi_init(es_ftdi_model *model, const char *serial);

/* Carries out a control request: setup packet, and data of up to wLength bytes that is read or filled. Returns the
 * bytes of data moved, or -1 for a stall. */
int es_ftdi_control(es_ftdi_model *model, const uint8_t setup[8], uint8_t *data);

/* The two status bytes at the head of a packet. */
void es_ftdi_status(const es_ftdi_model *model, uint8_t status[ES_FTDI_STATUS]);

#endif
