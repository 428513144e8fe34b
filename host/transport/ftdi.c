/* FT232H / FT2232H in synchronous FIFO mode.
 *
 * libftdi1 finds out what the chip is and sets it up. Reading does not go through libftdi1's own calls: a bulk read
 * that is started when the one before has ended leaves the chip's 4 KiB buffer alone in between, and at 60 MB/s that
 * buffer lasts 70 us. So TRANSFERS transfers are always in flight, and a thread takes them in, strips the two
 * modem-status bytes at the head of every USB packet (not of every transfer), and puts the rest into a ring. When the
 * ring is full no new transfer is started: the chip's buffer fills, TXE# stops the probe, and the probe counts what it
 * then loses. Nothing is dropped here.
 *
 * Locks: `mutex` guards everything below it in the struct, and the submission of read transfers. It is taken inside the
 * transfers' callback, so it is never held around libusb's handling of events.
 */
#include <errno.h>
#include <ftdi.h>
#include <libusb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "transport/transport.h"

#define TRANSFERS 16
#define TRANSFER_SIZE 16384  /* a multiple of every packet size */
#define RING_SIZE (4u << 20) /* a power of two */
#define LATENCY_MS 1         /* for boards that leave SIWU# unconnected */
#define WRITE_TIMEOUT_MS 5000
#define WRITE_CHUNK 16384
#define CLOSE_TIMEOUT_MS 3000
#define STATUS_BYTES 2
#define DEVICES_MAX 32
#define SERIAL_MAX 64

#define UDEV_RULE \
    "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"0403\", ATTR{idProduct}==\"6010|6014\", MODE=\"0660\", TAG+=\"uaccess\""

struct ftdi_transport;

struct reader {
    struct ftdi_transport *owner;
    struct libusb_transfer *transfer;
    bool in_flight;
};

typedef struct ftdi_transport {
    es_transport base;
    struct ftdi_context *ftdi;
    size_t packet_size;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* the ring has bytes, or an error is there, or a transfer ended while closing */
    bool closing;
    es_error failure; /* code ES_OK: none */
    unsigned in_flight;
    unsigned next;     /* reader that is submitted next: transfers end in the order in which they were started */
    size_t head, tail; /* bytes ever taken from and put into the ring */
    struct reader readers[TRANSFERS];
    uint8_t *ring;
} ftdi_transport;

/* --- finding ------------------------------------------------------------------------------------- */

static bool usb_fail(es_error *err, const char *what, int code)
{
    if (code == LIBUSB_ERROR_ACCESS)
        return es_fail(
            err, ES_PROBE,
            "%s: no permission to use the USB device. Install host/transport/70-earshot.rules ('make install' does), "
            "or put this line into /etc/udev/rules.d/70-earshot.rules:\n"
            "  " UDEV_RULE "\n"
            "then run 'sudo udevadm control --reload' and plug the probe in again",
            what);
    if (code == LIBUSB_ERROR_NO_DEVICE)
        return es_fail(err, ES_PROBE, "%s: the probe was unplugged", what);
    if (code == LIBUSB_ERROR_BUSY)
        return es_fail(err, ES_PROBE, "%s: another program has the probe open", what);
    return es_fail(err, ES_PROBE, "%s: %s", what, libusb_strerror(code));
}

static bool is_candidate(libusb_device *device)
{
    struct libusb_device_descriptor descriptor;
    return libusb_get_device_descriptor(device, &descriptor) == 0 && descriptor.idVendor == 0x0403 &&
           (descriptor.idProduct == 0x6010 || descriptor.idProduct == 0x6014);
}

/* Reads a device's serial number; "" when it has none. */
static int read_serial(libusb_device *device, char serial[SERIAL_MAX])
{
    struct libusb_device_descriptor descriptor;
    libusb_device_handle *handle;
    serial[0] = 0;
    int code = libusb_get_device_descriptor(device, &descriptor);
    if (code < 0)
        return code;
    code = libusb_open(device, &handle);
    if (code < 0)
        return code;
    if (descriptor.iSerialNumber) {
        int length = libusb_get_string_descriptor_ascii(handle, descriptor.iSerialNumber, (unsigned char *)serial,
                                                        SERIAL_MAX - 1);
        if (length < 0)
            length = 0; /* an unprogrammed EEPROM may promise a string that is not there */
        serial[length] = 0;
    }
    libusb_close(handle);
    return 0;
}

/* Picks the device from the list. NULL on failure. */
static libusb_device *choose(libusb_device **devices, const char *wanted, es_error *err)
{
    libusb_device *chosen = NULL;
    char serials[DEVICES_MAX * SERIAL_MAX] = "";
    size_t used = 0;
    unsigned found = 0, matching = 0;
    int code = 0;
    for (size_t i = 0; devices[i]; i++) {
        if (!is_candidate(devices[i]))
            continue;
        char serial[SERIAL_MAX];
        found++;
        int result = read_serial(devices[i], serial);
        if (result < 0) {
            code = result;
            continue;
        }
        int length =
            snprintf(serials + used, sizeof serials - used, "%s%s", used ? ", " : "", serial[0] ? serial : "(none)");
        used = length < 0 || used + (size_t)length >= sizeof serials ? used : used + (size_t)length;
        if (wanted && strcmp(wanted, serial) != 0)
            continue;
        matching++;
        chosen = devices[i];
    }
    if (matching == 1)
        return chosen;
    if (!found)
        es_fail(err, ES_PROBE,
                "no probe found: no FT2232H or FT232H is connected (lsusb would show 0403:6010 or 0403:6014)");
    else if (matching == 0 && code < 0)
        usb_fail(err, "opening the probe", code);
    else if (matching == 0)
        es_fail(err, ES_PROBE, "no probe has the serial number %s; there are: %s", wanted, serials);
    else
        es_fail(err, ES_PROBE, "several probes are connected; choose one by its serial number: %s", serials);
    return NULL;
}

/* Claims interface A and switches the FIFO mode on. */
static bool set_up(ftdi_transport *transport, libusb_device *device, es_error *err)
{
    struct ftdi_context *ftdi = transport->ftdi;
    int result = ftdi_usb_open_dev(ftdi, device);
    if (result < 0) /* -5: libusb could not claim the interface */
        return usb_fail(err, "opening the probe",
                        result == -5   ? LIBUSB_ERROR_BUSY
                        : result == -4 ? LIBUSB_ERROR_ACCESS
                                       : LIBUSB_ERROR_OTHER);
    if (ftdi->type != TYPE_2232H && ftdi->type != TYPE_232H)
        return es_fail(err, ES_PROBE, "this FTDI chip has no synchronous FIFO mode: a probe has an FT2232H or FT232H");
    if (ftdi_set_bitmode(ftdi, 0, BITMODE_RESET) < 0 || ftdi_tcioflush(ftdi) < 0 ||
        ftdi_set_latency_timer(ftdi, LATENCY_MS) < 0 || ftdi_setflowctrl(ftdi, SIO_RTS_CTS_HS) < 0 ||
        ftdi_set_bitmode(ftdi, 0xFF, BITMODE_SYNCFF) < 0)
        return es_fail(err, ES_PROBE, "setting up the probe's USB chip: %s", ftdi_get_error_string(ftdi));
    transport->packet_size = ftdi->max_packet_size;
    if (transport->packet_size <= STATUS_BYTES || TRANSFER_SIZE % transport->packet_size)
        return es_fail(err, ES_PROBE, "the probe's USB chip reports packets of %zu bytes: is it on a high-speed port?",
                       transport->packet_size);
    return true;
}

static bool open_device(ftdi_transport *transport, const char *serial, es_error *err)
{
    transport->ftdi = ftdi_new();
    if (!transport->ftdi)
        return es_fail(err, ES_PROBE, "libusb cannot be started");
    ftdi_set_interface(transport->ftdi, INTERFACE_A);
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(transport->ftdi->usb_ctx, &devices);
    if (count < 0)
        return usb_fail(err, "looking for USB devices", (int)count);
    libusb_device *device = choose(devices, serial, err);
    bool ok = device && set_up(transport, device, err);
    libusb_free_device_list(devices, 1);
    return ok;
}

/* --- reading: all with `mutex` held ---------------------------------------------------------------- */

static void fail_reading(ftdi_transport *transport, const char *what, int code)
{
    if (transport->failure.code == ES_OK && !transport->closing)
        usb_fail(&transport->failure, what, code);
    pthread_cond_broadcast(&transport->changed);
}

/* Starts as many transfers as surely find room in the ring when they end. */
static void submit(ftdi_transport *transport)
{
    while (!transport->closing && transport->failure.code == ES_OK && transport->in_flight < TRANSFERS &&
           RING_SIZE - (transport->tail - transport->head) >= (size_t)(transport->in_flight + 1) * TRANSFER_SIZE) {
        struct reader *reader = &transport->readers[transport->next];
        int code = libusb_submit_transfer(reader->transfer);
        if (code < 0) {
            fail_reading(transport, "reading from the probe", code);
            return;
        }
        reader->in_flight = true;
        transport->in_flight++;
        transport->next = (transport->next + 1) % TRANSFERS;
    }
}

static void put(ftdi_transport *transport, const uint8_t *bytes, size_t size)
{
    size_t at = transport->tail % RING_SIZE;
    size_t first = size < RING_SIZE - at ? size : RING_SIZE - at;
    memcpy(transport->ring + at, bytes, first);
    memcpy(transport->ring, bytes + first, size - first);
    transport->tail += size;
}

/* Puts the content of the packets into the ring. */
static void strip(ftdi_transport *transport, const uint8_t *bytes, size_t size)
{
    while (size > STATUS_BYTES) {
        size_t packet = size < transport->packet_size ? size : transport->packet_size;
        put(transport, bytes + STATUS_BYTES, packet - STATUS_BYTES);
        bytes += packet;
        size -= packet;
    }
}

/* --- the thread that handles USB ------------------------------------------------------------------- */

static void LIBUSB_CALL on_transfer(struct libusb_transfer *transfer)
{
    struct reader *reader = transfer->user_data;
    ftdi_transport *transport = reader->owner;
    pthread_mutex_lock(&transport->mutex);
    reader->in_flight = false;
    transport->in_flight--;
    size_t before = transport->tail;
    /* Whatever the end was like, what came before it counts. */
    strip(transport, transfer->buffer, (size_t)transfer->actual_length);
    switch (transfer->status) {
    case LIBUSB_TRANSFER_COMPLETED:
    case LIBUSB_TRANSFER_CANCELLED: break;
    case LIBUSB_TRANSFER_NO_DEVICE: fail_reading(transport, "reading from the probe", LIBUSB_ERROR_NO_DEVICE); break;
    default: fail_reading(transport, "reading from the probe", LIBUSB_ERROR_IO); break;
    }
    submit(transport);
    if (transport->tail != before || transport->in_flight == 0)
        pthread_cond_broadcast(&transport->changed);
    pthread_mutex_unlock(&transport->mutex);
}

static void *handle_events(void *argument)
{
    ftdi_transport *transport = argument;
    for (;;) {
        pthread_mutex_lock(&transport->mutex);
        bool done = transport->closing && transport->in_flight == 0;
        pthread_mutex_unlock(&transport->mutex);
        if (done)
            return NULL;
        struct timeval timeout = {.tv_usec = 100000};
        int code = libusb_handle_events_timeout_completed(transport->ftdi->usb_ctx, &timeout, NULL);
        if (code < 0 && code != LIBUSB_ERROR_INTERRUPTED) {
            pthread_mutex_lock(&transport->mutex);
            fail_reading(transport, "handling USB", code);
            transport->in_flight = 0; /* nobody will end them any more */
            pthread_mutex_unlock(&transport->mutex);
            return NULL;
        }
    }
}

/* --- operations -------------------------------------------------------------------------------------- */

static struct timespec deadline(int timeout_ms)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += timeout_ms / 1000;
    time.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (time.tv_nsec >= 1000000000L) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000L;
    }
    return time;
}

static ssize_t ftdi_read(es_transport *base, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    ftdi_transport *transport = (ftdi_transport *)base;
    struct timespec end = deadline(timeout_ms);
    pthread_mutex_lock(&transport->mutex);
    /* What came before a failure is handed out first, and transfers still in flight may hold some of it. */
    while (transport->tail == transport->head && (transport->failure.code == ES_OK || transport->in_flight))
        if (pthread_cond_timedwait(&transport->changed, &transport->mutex, &end) == ETIMEDOUT)
            break;
    size_t waiting = transport->tail - transport->head;
    size_t got = waiting < size ? waiting : size;
    size_t at = transport->head % RING_SIZE;
    size_t first = got < RING_SIZE - at ? got : RING_SIZE - at;
    memcpy(bytes, transport->ring + at, first);
    memcpy(bytes + first, transport->ring, got - first);
    transport->head += got;
    bool failed = !waiting && transport->failure.code != ES_OK;
    if (failed && err)
        *err = transport->failure;
    submit(transport);
    pthread_mutex_unlock(&transport->mutex);
    return failed ? -1 : (ssize_t)got;
}

static bool ftdi_write(es_transport *base, const uint8_t *bytes, size_t size, es_error *err)
{
    ftdi_transport *transport = (ftdi_transport *)base;
    while (size) {
        int part = size < WRITE_CHUNK ? (int)size : WRITE_CHUNK, taken = 0;
        /* libusb does not write to the buffer of an OUT transfer. libftdi1 calls the OUT endpoint in_ep. */
        int code = libusb_bulk_transfer(transport->ftdi->usb_dev, (unsigned char)transport->ftdi->in_ep,
                                        (unsigned char *)bytes, part, &taken, WRITE_TIMEOUT_MS);
        if (code == LIBUSB_ERROR_TIMEOUT)
            return es_fail(err, ES_PROBE,
                           "the probe takes no bytes: is its bitstream loaded and its FT245 clock running?");
        if (code < 0)
            return usb_fail(err, "writing to the probe", code);
        bytes += taken;
        size -= (size_t)taken;
    }
    return true;
}

/* Ends all transfers and the thread. False when they would not end: then their memory has to stay. */
static bool stop_reading(ftdi_transport *transport)
{
    struct timespec end = deadline(CLOSE_TIMEOUT_MS);
    pthread_mutex_lock(&transport->mutex);
    transport->closing = true;
    for (unsigned i = 0; i < TRANSFERS; i++)
        if (transport->readers[i].in_flight)
            libusb_cancel_transfer(transport->readers[i].transfer);
    while (transport->in_flight)
        if (pthread_cond_timedwait(&transport->changed, &transport->mutex, &end) == ETIMEDOUT)
            break;
    bool ended = transport->in_flight == 0;
    pthread_mutex_unlock(&transport->mutex);
    if (ended)
        pthread_join(transport->thread, NULL);
    return ended;
}

static void release(ftdi_transport *transport)
{
    for (unsigned i = 0; i < TRANSFERS; i++) {
        struct libusb_transfer *transfer = transport->readers[i].transfer;
        if (transfer)
            free(transfer->buffer);
        libusb_free_transfer(transfer);
    }
    if (transport->ftdi) {
        if (transport->ftdi->usb_dev) {
            ftdi_set_bitmode(transport->ftdi, 0, BITMODE_RESET);
            ftdi_usb_close(transport->ftdi);
        }
        ftdi_free(transport->ftdi);
    }
    pthread_cond_destroy(&transport->changed);
    pthread_mutex_destroy(&transport->mutex);
    free(transport->ring);
    free(transport);
}

static void ftdi_close(es_transport *base)
{
    ftdi_transport *transport = (ftdi_transport *)base;
    if (stop_reading(transport))
        release(transport);
}

static const struct es_transport_ops ftdi_ops = {
    .name = "ftdi", .read = ftdi_read, .write = ftdi_write, .close = ftdi_close};

static bool start_reading(ftdi_transport *transport, es_error *err)
{
    for (unsigned i = 0; i < TRANSFERS; i++) {
        struct reader *reader = &transport->readers[i];
        reader->owner = transport;
        reader->transfer = libusb_alloc_transfer(0);
        uint8_t *buffer = malloc(TRANSFER_SIZE);
        if (!reader->transfer || !buffer) {
            free(buffer);
            return es_fail(err, ES_PROBE, "out of memory");
        }
        libusb_fill_bulk_transfer(reader->transfer, transport->ftdi->usb_dev, (unsigned char)transport->ftdi->out_ep,
                                  buffer, TRANSFER_SIZE, on_transfer, reader, 0);
    }
    if (pthread_create(&transport->thread, NULL, handle_events, transport) != 0)
        return es_fail(err, ES_PROBE, "no thread can be started");
    pthread_mutex_lock(&transport->mutex);
    submit(transport);
    bool ok = transport->failure.code == ES_OK;
    if (!ok && err)
        *err = transport->failure;
    pthread_mutex_unlock(&transport->mutex);
    if (!ok)
        stop_reading(transport);
    return ok;
}

es_transport *es_transport_ftdi(const char *serial, es_error *err)
{
    ftdi_transport *transport = calloc(1, sizeof *transport);
    if (!transport) {
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    transport->base.ops = &ftdi_ops;
    pthread_mutex_init(&transport->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&transport->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    transport->ring = malloc(RING_SIZE);
    if (!transport->ring)
        es_fail(err, ES_PROBE, "out of memory");
    if (!transport->ring || !open_device(transport, serial, err) || !start_reading(transport, err)) {
        release(transport);
        return NULL;
    }
    return &transport->base;
}
