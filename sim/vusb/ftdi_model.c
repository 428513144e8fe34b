/* The FT2232H. */
#include "vusb/usb_model.h"

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

static const uint8_t descriptors[] = {
    /* device: USB 2.0, 64-byte control packets, 0403:6010, bcdDevice 7.00 (the 2232H), 3 strings, 1 configuration */
    /* clang-format off */
    18, 1, 0x00, 0x02, 0, 0, 0, 64, 0x03, 0x04, 0x10, 0x60, 0x00, 0x07, 1, 2, 3, 1,
    /* configuration 1: two interfaces, bus powered, 500 mA */
    9, 2, 55, 0, 2, 1, 0, 0x80, 250,
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

static int vendor(es_usb_model *model, const uint8_t setup[8], uint8_t *data)
{
    static const uint8_t pins[1] = {0xFF}, blank[2] = {0xFF, 0xFF};
    uint8_t status[ES_USB_STATUS];
    unsigned value = setup[2] | (unsigned)setup[3] << 8;
    unsigned length = setup[6] | (unsigned)setup[7] << 8;
    unsigned channel = setup[4] == 2; /* 1: A (as is 0), 2: B */
    switch (setup[1]) {
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
    case SIO_MODEM_STATUS: es_usb_status(model, status); return es_usb_answer(data, length, status, sizeof status);
    case SIO_SET_LATENCY:
        if ((value & 0xFF) == 0)
            return -1;
        model->channels[channel].latency_ms = (uint8_t)value;
        return 0;
    case SIO_GET_LATENCY: return es_usb_answer(data, length, &model->channels[channel].latency_ms, 1);
    case SIO_BITMODE: model->channels[channel].bitmode = (uint8_t)(value >> 8); return 0;
    case SIO_PINS: return es_usb_answer(data, length, pins, sizeof pins);
    case SIO_READ_EEPROM: return es_usb_answer(data, length, blank, sizeof blank); /* not programmed */
    default: model->unknown++; return -1;
    }
}

const es_usb_kind es_usb_ft2232h = {
    .product = "Virtual FT2232H",
    .vendor_id = 0x0403,
    .product_id = 0x6010,
    .descriptors = descriptors,
    .descriptor_size = sizeof descriptors,
    .status = 2,
    .fifo_mode = true,
    .channels = 2,
    .in = {0x81, 0x83},
    .out = {0x02, 0x04},
    .vendor = vendor,
};
