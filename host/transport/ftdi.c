/* FT232H / FT2232H in synchronous FIFO mode: libftdi1 finds out what the chip is and sets it up. Bytes do not go
 * through libftdi1's own calls (bulk_reader.h says why). */
#include <ftdi.h>

#include "transport/usb_transport.h"

#define LATENCY_MS 1 /* for boards that leave SIWU# unconnected */
#define STATUS_BYTES 2

static void *ftdi_start(libusb_context **context, es_error *err)
{
    struct ftdi_context *ftdi = ftdi_new();
    if (!ftdi) {
        es_fail(err, ES_PROBE, "libusb cannot be started");
        return NULL;
    }
    ftdi_set_interface(ftdi, INTERFACE_A);
    *context = ftdi->usb_ctx;
    return ftdi;
}

/* Claims interface A, which it takes from the kernel's serial driver, and switches the FIFO mode on. */
static bool ftdi_open(void *state, libusb_device *device, const es_usb_identity *identity, es_bulk_pipes *pipes,
                      es_error *err)
{
    struct ftdi_context *ftdi = state;
    int result = ftdi_usb_open_dev(ftdi, device);
    if (result < 0) /* -5: libusb could not claim the interface */
        return es_usb_refuse(err, identity,
                             result == -5   ? LIBUSB_ERROR_BUSY
                             : result == -4 ? LIBUSB_ERROR_ACCESS
                                            : LIBUSB_ERROR_OTHER);
    if (ftdi->type != TYPE_2232H && ftdi->type != TYPE_232H)
        return es_fail(err, ES_PROBE, "this FTDI chip has no synchronous FIFO mode: a probe has an FT2232H or FT232H");
    if (ftdi_set_bitmode(ftdi, 0, BITMODE_RESET) < 0 || ftdi_tcioflush(ftdi) < 0 ||
        ftdi_set_latency_timer(ftdi, LATENCY_MS) < 0 || ftdi_setflowctrl(ftdi, SIO_RTS_CTS_HS) < 0 ||
        ftdi_set_bitmode(ftdi, 0xFF, BITMODE_SYNCFF) < 0)
        return es_fail(err, ES_PROBE, "setting up the probe's USB chip: %s", ftdi_get_error_string(ftdi));
    /* libftdi1 calls the OUT endpoint in_ep. */
    pipes->handle = ftdi->usb_dev;
    pipes->in = (uint8_t)ftdi->out_ep;
    pipes->out = (uint8_t)ftdi->in_ep;
    pipes->packet_size = ftdi->max_packet_size;
    pipes->status_bytes = STATUS_BYTES;
    return true;
}

static void ftdi_end(void *state, bool gone)
{
    struct ftdi_context *ftdi = state;
    if (ftdi->usb_dev) {
        if (!gone)
            ftdi_set_bitmode(ftdi, 0, BITMODE_RESET);
        ftdi_usb_close(ftdi);
    }
    ftdi_free(ftdi);
}

es_transport *es_transport_ftdi(const char *serial, es_error *err)
{
    static const es_usb_setup setup = {
        .name = "ftdi", .kind = ES_USB_FTDI, .start = ftdi_start, .open = ftdi_open, .end = ftdi_end};
    return es_usb_transport(&setup, serial, err);
}
