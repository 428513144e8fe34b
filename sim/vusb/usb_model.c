/* What all kinds answer alike. */
#include "vusb/usb_model.h"

#include <string.h>

/* Standard requests and descriptor types of USB 2.0, chapter 9. */
enum {
    GET_STATUS = 0,
    CLEAR_FEATURE = 1,
    GET_DESCRIPTOR = 6,
    GET_CONFIGURATION = 8,
    SET_CONFIGURATION = 9,
    SET_INTERFACE = 11,
};
enum { TYPE_DEVICE = 1, TYPE_CONFIGURATION = 2, TYPE_STRING = 3 };
enum { DEVICE_SIZE = 18, POWER_ON_LATENCY_MS = 16 };

void es_usb_init(es_usb_model *model, const es_usb_kind *kind, const char *serial)
{
    memset(model, 0, sizeof *model);
    model->kind = kind;
    model->serial = serial;
    model->configuration = 1;
    for (int i = 0; i < ES_USB_CHANNELS; i++)
        model->channels[i].latency_ms = kind->status ? POWER_ON_LATENCY_MS : 1;
}

bool es_usb_flows(const es_usb_model *model)
{
    return !model->kind->fifo_mode || model->channels[0].bitmode == ES_FTDI_SYNC_FIFO;
}

void es_usb_status(const es_usb_model *model, uint8_t status[ES_USB_STATUS])
{
    static const uint8_t modem[ES_USB_STATUS] = {0x32, 0x60}; /* CTS, DSR, high-speed; transmitter empty */
    memcpy(status, modem, model->kind->status);
}

int es_usb_answer(uint8_t *data, unsigned length, const uint8_t *bytes, unsigned size)
{
    unsigned count = size < length ? size : length;
    memcpy(data, bytes, count);
    return (int)count;
}

static int string_descriptor(const es_usb_model *model, unsigned index, uint8_t *data, unsigned length)
{
    static const uint8_t languages[] = {4, TYPE_STRING, 0x09, 0x04};
    const char *texts[] = {"Earshot", model->kind->product, model->serial};
    if (index == 0)
        return es_usb_answer(data, length, languages, sizeof languages);
    if (index > sizeof texts / sizeof *texts)
        return -1;
    const char *text = texts[index - 1];
    uint8_t bytes[255];
    unsigned size = 2;
    while (*text && size + 2 <= sizeof bytes - 1) {
        bytes[size++] = (uint8_t)*text++;
        bytes[size++] = 0;
    }
    bytes[0] = (uint8_t)size;
    bytes[1] = TYPE_STRING;
    return es_usb_answer(data, length, bytes, size);
}

static int descriptor(const es_usb_model *model, unsigned value, uint8_t *data, unsigned length)
{
    const es_usb_kind *kind = model->kind;
    switch (value >> 8) {
    case TYPE_DEVICE: return es_usb_answer(data, length, kind->descriptors, DEVICE_SIZE);
    case TYPE_CONFIGURATION:
        if (value & 0xFF)
            return -1;
        return es_usb_answer(data, length, kind->descriptors + DEVICE_SIZE,
                             (unsigned)(kind->descriptor_size - DEVICE_SIZE));
    case TYPE_STRING: return string_descriptor(model, value & 0xFF, data, length);
    default: return -1;
    }
}

static int standard(es_usb_model *model, unsigned request, unsigned value, uint8_t *data, unsigned length)
{
    static const uint8_t zeros[2];
    switch (request) {
    case GET_STATUS: return es_usb_answer(data, length, zeros, sizeof zeros);
    case GET_DESCRIPTOR: return descriptor(model, value, data, length);
    case GET_CONFIGURATION: return es_usb_answer(data, length, &model->configuration, 1);
    case SET_CONFIGURATION: model->configuration = (uint8_t)value; return 0;
    case CLEAR_FEATURE:
    case SET_INTERFACE: return 0;
    default: model->unknown++; return -1;
    }
}

int es_usb_control(es_usb_model *model, const uint8_t setup[8], uint8_t *data)
{
    unsigned value = setup[2] | (unsigned)setup[3] << 8;
    unsigned length = setup[6] | (unsigned)setup[7] << 8;
    if ((setup[0] & 0x60) == 0x00)
        return standard(model, setup[1], value, data, length);
    if ((setup[0] & 0x60) == 0x40 && model->kind->vendor)
        return model->kind->vendor(model, setup, data);
    model->unknown++;
    return -1;
}
