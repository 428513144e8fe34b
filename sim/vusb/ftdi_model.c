#include "vusb/ftdi_model.h"

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
enum { DEVICE_SIZE = 18, CONFIGURATION_SIZE = ES_FTDI_DESCRIPTORS - DEVICE_SIZE };

/* FTDI's vendor requests. */
enum {
    SIO_RESET = 0,
    SIO_MODEM_CONTROL = 1,
    SIO_FLOW_CONTROL = 2,
    SIO_BAUD_RATE = 3,
    SIO_DATA = 4,
    SIO_MODEM_STATUS = 5,
    SIO_EVENT_CHAR = 6,
    SIO_ERROR_CHAR = 7,
    SIO_SET_LATENCY = 9,
    SIO_GET_LATENCY = 10,
    SIO_BITMODE = 11,
    SIO_PINS = 12,
    SIO_READ_EEPROM = 0x90,
};
enum { DEFAULT_LATENCY_MS = 16 };

const uint8_t es_ftdi_descriptors[ES_FTDI_DESCRIPTORS] = {
    /* device: USB 2.0, 64-byte control packets, 0403:6010, bcdDevice 7.00 (the 2232H), 3 strings, 1 configuration */
    /* clang-format off */
    18, TYPE_DEVICE, 0x00, 0x02, 0, 0, 0, 64, 0x03, 0x04, 0x10, 0x60, 0x00, 0x07, 1, 2, 3, 1,
    /* configuration 1: two interfaces, bus powered, 500 mA */
    9, TYPE_CONFIGURATION, CONFIGURATION_SIZE, 0, 2, 1, 0, 0x80, 250,
    /* channel A */
    9, 4, 0, 0, 2, 0xFF, 0xFF, 0xFF, 2,
    7, 5, 0x81, 2, 0x00, 0x02, 0,
    7, 5, 0x02, 2, 0x00, 0x02, 0,
    /* channel B */
    9, 4, 1, 0, 2, 0xFF, 0xFF, 0xFF, 2,
    7, 5, 0x83, 2, 0x00, 0x02, 0,
    7, 5, 0x04, 2, 0x00, 0x02, 0,
    /* clang-format on */
};

void es_ftdi_init(es_ftdi_model *model, const char *serial)
{
    memset(model, 0, sizeof *model);
    model->serial = serial;
    model->configuration = 1;
    for (int i = 0; i < ES_FTDI_CHANNELS; i++)
        model->channels[i].latency_ms = DEFAULT_LATENCY_MS;
}

void es_ftdi_status(const es_ftdi_model *model, uint8_t status[ES_FTDI_STATUS])
{
    (void)model;
    status[0] = 0x32; /* CTS, DSR; high-speed */
    status[1] = 0x60; /* transmitter empty */
}

static int answer(uint8_t *data, unsigned length, const uint8_t *bytes, unsigned size)
{
    unsigned count = size < length ? size : length;
    memcpy(data, bytes, count);
    return (int)count;
}

static int string_descriptor(const es_ftdi_model *model, unsigned index, uint8_t *data, unsigned length)
{
    static const uint8_t languages[] = {4, TYPE_STRING, 0x09, 0x04};
    const char *texts[] = {"Earshot", "Virtual FT2232H", model->serial};
    if (index == 0)
        return answer(data, length, languages, sizeof languages);
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
    return answer(data, length, bytes, size);
}

static int standard(es_ftdi_model *model, unsigned request, unsigned value, uint8_t *data, unsigned length)
{
    static const uint8_t zeros[2];
    switch (request) {
    case GET_STATUS: return answer(data, length, zeros, sizeof zeros);
    case GET_DESCRIPTOR:
        switch (value >> 8) {
        case TYPE_DEVICE: return answer(data, length, es_ftdi_descriptors, DEVICE_SIZE);
        case TYPE_CONFIGURATION:
            if (value & 0xFF)
                return -1;
            return answer(data, length, es_ftdi_descriptors + DEVICE_SIZE, CONFIGURATION_SIZE);
        case TYPE_STRING: return string_descriptor(model, value & 0xFF, data, length);
        default: return -1;
        }
    case GET_CONFIGURATION: return answer(data, length, &model->configuration, 1);
    case SET_CONFIGURATION: model->configuration = (uint8_t)value; return 0;
    case CLEAR_FEATURE:
    case SET_INTERFACE: return 0;
    default: model->unknown++; return -1;
    }
}

static int vendor(es_ftdi_model *model, unsigned request, unsigned value, unsigned index, uint8_t *data,
                  unsigned length)
{
    static const uint8_t pins[1] = {0xFF}, blank[2] = {0xFF, 0xFF};
    uint8_t status[ES_FTDI_STATUS];
    unsigned channel = (index & 0xFF) == 2; /* 1: A (as is 0), 2: B */
    switch (request) {
    case SIO_RESET:
        if (value == 0) /* 1 and 2 only purge buffers, and the model keeps none */
            model->channels[channel].bitmode = 0;
        return 0;
    case SIO_MODEM_CONTROL:
    case SIO_FLOW_CONTROL:
    case SIO_BAUD_RATE:
    case SIO_DATA:
    case SIO_EVENT_CHAR:
    case SIO_ERROR_CHAR: return 0;
    case SIO_MODEM_STATUS: es_ftdi_status(model, status); return answer(data, length, status, sizeof status);
    case SIO_SET_LATENCY:
        if ((value & 0xFF) == 0)
            return -1;
        model->channels[channel].latency_ms = (uint8_t)value;
        return 0;
    case SIO_GET_LATENCY: return answer(data, length, &model->channels[channel].latency_ms, 1);
    case SIO_BITMODE: model->channels[channel].bitmode = (uint8_t)(value >> 8); return 0;
    case SIO_PINS: return answer(data, length, pins, sizeof pins);
    case SIO_READ_EEPROM: return answer(data, length, blank, sizeof blank); /* not programmed */
    default: model->unknown++; return -1;
    }
}

int es_ftdi_control(es_ftdi_model *model, const uint8_t setup[8], uint8_t *data)
{
    unsigned value = setup[2] | (unsigned)setup[3] << 8;
    unsigned index = setup[4] | (unsigned)setup[5] << 8;
    unsigned length = setup[6] | (unsigned)setup[7] << 8;
    switch (setup[0] & 0x60) {
    case 0x00: return standard(model, setup[1], value, data, length);
    case 0x40: return vendor(model, setup[1], value, index, data, length);
    default: model->unknown++; return -1;
    }
}
