/* Locks: `mutex` guards everything below it in the struct, and the submission of read transfers. It is taken inside the
 * transfers' callback, so it is never held around libusb's handling of events.
 *
 * Errors of the bus (a bad cable, a device that is about to go) end transfers without telling whether the device is
 * gone. Transfers are then started again after a pause, and it is a failure when none succeeds for a while; what was
 * damaged or lost on the way is for the frames' numbers to tell. */
#include "transport/bulk_reader.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "transport/usb_device.h"

#define TRANSFERS 16
#define TRANSFER_SIZE 16384  /* a multiple of every packet size */
#define RING_SIZE (4u << 20) /* a power of two */
#define WRITE_TIMEOUT_MS 5000
#define WRITE_CHUNK 16384
#define CLOSE_TIMEOUT_MS 3000
#define EVENTS_MS 100
#define PAUSE_MS 20         /* after an error of the bus */
#define ERRORS_LAST_MS 2000 /* longer without a good transfer is a failure */

struct transfer {
    es_bulk_reader *owner;
    struct libusb_transfer *usb;
    bool in_flight;
};

struct es_bulk_reader {
    es_bulk_pipes pipes;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* the ring has bytes, or an error is there, or a transfer ended while closing */
    bool closing, halted;   /* halted: the endpoint has to be cleared */
    bool gone;
    es_error failure;                  /* code ES_OK: none */
    int64_t pause_until, errors_since; /* ms; 0: none */
    unsigned in_flight;
    unsigned next;     /* that is submitted next: transfers end in the order in which they were started */
    size_t head, tail; /* bytes ever taken from and put into the ring */
    struct transfer transfers[TRANSFERS];
    uint8_t *ring;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

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

/* --- reading: all with `mutex` held ---------------------------------------------------------------- */

static void fail_reading(es_bulk_reader *reader, const char *what, int code)
{
    if (reader->failure.code == ES_OK && !reader->closing)
        es_usb_fail(&reader->failure, what, code);
    reader->gone |= code == LIBUSB_ERROR_NO_DEVICE;
    pthread_cond_broadcast(&reader->changed);
}

/* An error that may pass. */
static void note_error(es_bulk_reader *reader)
{
    int64_t now = now_ms();
    reader->pause_until = now + PAUSE_MS;
    if (!reader->errors_since)
        reader->errors_since = now;
    else if (now - reader->errors_since > ERRORS_LAST_MS)
        fail_reading(reader, "reading from the probe", LIBUSB_ERROR_IO);
}

static bool may_submit(const es_bulk_reader *reader)
{
    return !reader->closing && !reader->halted && reader->failure.code == ES_OK && reader->in_flight < TRANSFERS &&
           RING_SIZE - (reader->tail - reader->head) >= (size_t)(reader->in_flight + 1) * TRANSFER_SIZE;
}

/* Starts as many transfers as surely find room in the ring when they end. */
static void submit(es_bulk_reader *reader)
{
    if (reader->pause_until && now_ms() < reader->pause_until)
        return;
    while (may_submit(reader)) {
        struct transfer *transfer = &reader->transfers[reader->next];
        int code = libusb_submit_transfer(transfer->usb);
        if (code == LIBUSB_ERROR_IO) {
            note_error(reader);
            return;
        }
        if (code < 0) {
            fail_reading(reader, "reading from the probe", code);
            return;
        }
        transfer->in_flight = true;
        reader->in_flight++;
        reader->next = (reader->next + 1) % TRANSFERS;
    }
}

static void put(es_bulk_reader *reader, const uint8_t *bytes, size_t size)
{
    size_t at = reader->tail % RING_SIZE;
    size_t first = size < RING_SIZE - at ? size : RING_SIZE - at;
    memcpy(reader->ring + at, bytes, first);
    memcpy(reader->ring, bytes + first, size - first);
    reader->tail += size;
}

/* Puts the content of the packets into the ring. */
static void strip(es_bulk_reader *reader, const uint8_t *bytes, size_t size)
{
    size_t status = reader->pipes.status_bytes;
    while (size > status) {
        size_t packet = size < reader->pipes.packet_size ? size : reader->pipes.packet_size;
        if (packet > status)
            put(reader, bytes + status, packet - status);
        bytes += packet;
        size -= packet;
    }
}

/* --- the thread that handles USB ------------------------------------------------------------------- */

static void LIBUSB_CALL on_transfer(struct libusb_transfer *usb)
{
    struct transfer *transfer = usb->user_data;
    es_bulk_reader *reader = transfer->owner;
    pthread_mutex_lock(&reader->mutex);
    transfer->in_flight = false;
    reader->in_flight--;
    size_t before = reader->tail;
    /* Whatever the end was like, what came before it counts. */
    strip(reader, usb->buffer, (size_t)usb->actual_length);
    switch (usb->status) {
    case LIBUSB_TRANSFER_COMPLETED: reader->pause_until = reader->errors_since = 0; break;
    case LIBUSB_TRANSFER_CANCELLED: break;
    case LIBUSB_TRANSFER_NO_DEVICE: fail_reading(reader, "reading from the probe", LIBUSB_ERROR_NO_DEVICE); break;
    case LIBUSB_TRANSFER_STALL: reader->halted = true; /* fallthrough */
    default: note_error(reader); break;
    }
    submit(reader);
    if (reader->tail != before || reader->in_flight == 0)
        pthread_cond_broadcast(&reader->changed);
    pthread_mutex_unlock(&reader->mutex);
}

/* What the callback must not do: clearing the endpoint waits; and going on after a pause. */
static void recover(es_bulk_reader *reader)
{
    pthread_mutex_lock(&reader->mutex);
    bool clear = reader->halted && reader->in_flight == 0;
    pthread_mutex_unlock(&reader->mutex);
    if (clear)
        libusb_clear_halt(reader->pipes.handle, reader->pipes.in);
    pthread_mutex_lock(&reader->mutex);
    reader->halted = reader->halted && !clear;
    submit(reader);
    pthread_mutex_unlock(&reader->mutex);
}

static void *handle_events(void *argument)
{
    es_bulk_reader *reader = argument;
    for (;;) {
        pthread_mutex_lock(&reader->mutex);
        bool done = reader->closing && reader->in_flight == 0;
        bool errors = reader->errors_since && reader->failure.code == ES_OK;
        pthread_mutex_unlock(&reader->mutex);
        if (done)
            return NULL;
        struct timeval timeout = {.tv_usec = errors ? PAUSE_MS * 1000L : EVENTS_MS * 1000L};
        int code = libusb_handle_events_timeout_completed(reader->pipes.context, &timeout, NULL);
        if (code < 0 && code != LIBUSB_ERROR_INTERRUPTED) {
            pthread_mutex_lock(&reader->mutex);
            fail_reading(reader, "handling USB", code);
            reader->in_flight = 0; /* nobody will end them any more */
            pthread_mutex_unlock(&reader->mutex);
            return NULL;
        }
        if (errors)
            recover(reader);
    }
}

/* --- operations -------------------------------------------------------------------------------------- */

ssize_t es_bulk_read(es_bulk_reader *reader, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    struct timespec end = deadline(timeout_ms);
    pthread_mutex_lock(&reader->mutex);
    /* What came before a failure is handed out first, and transfers still in flight may hold some of it. */
    while (reader->tail == reader->head && (reader->failure.code == ES_OK || reader->in_flight))
        if (pthread_cond_timedwait(&reader->changed, &reader->mutex, &end) == ETIMEDOUT)
            break;
    size_t waiting = reader->tail - reader->head;
    size_t got = waiting < size ? waiting : size;
    size_t at = reader->head % RING_SIZE;
    size_t first = got < RING_SIZE - at ? got : RING_SIZE - at;
    memcpy(bytes, reader->ring + at, first);
    memcpy(bytes + first, reader->ring, got - first);
    reader->head += got;
    bool failed = !waiting && reader->failure.code != ES_OK;
    if (failed && err)
        *err = reader->failure;
    submit(reader);
    pthread_mutex_unlock(&reader->mutex);
    return failed ? -1 : (ssize_t)got;
}

/* An error of the bus while writing: whether it is worth trying again. */
static bool may_pass(const es_bulk_reader *reader, int code, int64_t since)
{
    if (now_ms() - since > ERRORS_LAST_MS || (code != LIBUSB_ERROR_IO && code != LIBUSB_ERROR_PIPE))
        return false;
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&pause, NULL);
    if (code == LIBUSB_ERROR_PIPE)
        libusb_clear_halt(reader->pipes.handle, reader->pipes.out);
    return true;
}

bool es_bulk_write(es_bulk_reader *reader, const uint8_t *bytes, size_t size, es_error *err)
{
    int64_t since = now_ms();
    while (size) {
        int part = size < WRITE_CHUNK ? (int)size : WRITE_CHUNK, taken = 0;
        /* libusb does not write to the buffer of an OUT transfer. */
        int code = libusb_bulk_transfer(reader->pipes.handle, reader->pipes.out, (unsigned char *)bytes, part, &taken,
                                        WRITE_TIMEOUT_MS);
        bytes += taken;
        size -= (size_t)taken;
        if (code == LIBUSB_ERROR_TIMEOUT)
            return es_fail(err, ES_PROBE,
                           "the probe takes no bytes: is its bitstream loaded and its FT245 clock running?");
        if (code == 0) {
            since = now_ms();
        } else if (!may_pass(reader, code, since)) {
            if (code == LIBUSB_ERROR_NO_DEVICE) {
                pthread_mutex_lock(&reader->mutex);
                fail_reading(reader, "writing to the probe", code);
                pthread_mutex_unlock(&reader->mutex);
            }
            return es_usb_fail(err, "writing to the probe", code);
        }
    }
    return true;
}

size_t es_bulk_waiting(es_bulk_reader *reader)
{
    pthread_mutex_lock(&reader->mutex);
    size_t waiting = reader->tail - reader->head;
    pthread_mutex_unlock(&reader->mutex);
    return waiting;
}

bool es_bulk_gone(es_bulk_reader *reader)
{
    pthread_mutex_lock(&reader->mutex);
    bool gone = reader->gone;
    pthread_mutex_unlock(&reader->mutex);
    return gone;
}

/* --- starting and stopping ------------------------------------------------------------------------------ */

/* False when they would not end: then their memory has to stay. */
static bool end_transfers(es_bulk_reader *reader)
{
    struct timespec end = deadline(CLOSE_TIMEOUT_MS);
    pthread_mutex_lock(&reader->mutex);
    reader->closing = true;
    for (unsigned i = 0; i < TRANSFERS; i++)
        if (reader->transfers[i].in_flight)
            libusb_cancel_transfer(reader->transfers[i].usb);
    while (reader->in_flight)
        if (pthread_cond_timedwait(&reader->changed, &reader->mutex, &end) == ETIMEDOUT)
            break;
    bool ended = reader->in_flight == 0;
    pthread_mutex_unlock(&reader->mutex);
    if (ended)
        pthread_join(reader->thread, NULL);
    return ended;
}

static void release(es_bulk_reader *reader)
{
    for (unsigned i = 0; i < TRANSFERS; i++) {
        struct libusb_transfer *usb = reader->transfers[i].usb;
        if (usb)
            free(usb->buffer);
        libusb_free_transfer(usb);
    }
    pthread_cond_destroy(&reader->changed);
    pthread_mutex_destroy(&reader->mutex);
    free(reader->ring);
    free(reader);
}

bool es_bulk_stop(es_bulk_reader *reader)
{
    if (!end_transfers(reader))
        return false;
    release(reader);
    return true;
}

static bool make_transfers(es_bulk_reader *reader, es_error *err)
{
    for (unsigned i = 0; i < TRANSFERS; i++) {
        struct transfer *transfer = &reader->transfers[i];
        transfer->owner = reader;
        transfer->usb = libusb_alloc_transfer(0);
        uint8_t *buffer = malloc(TRANSFER_SIZE);
        if (!transfer->usb || !buffer) {
            free(buffer);
            return es_fail(err, ES_PROBE, "out of memory");
        }
        libusb_fill_bulk_transfer(transfer->usb, reader->pipes.handle, reader->pipes.in, buffer, TRANSFER_SIZE,
                                  on_transfer, transfer, 0);
    }
    return true;
}

/* False: `reader` is released, unless its transfers do not end. */
static bool start(es_bulk_reader *reader, es_error *err)
{
    if (!make_transfers(reader, err) || (pthread_create(&reader->thread, NULL, handle_events, reader) != 0 &&
                                         !es_fail(err, ES_PROBE, "no thread can be started"))) {
        release(reader);
        return false;
    }
    pthread_mutex_lock(&reader->mutex);
    submit(reader);
    es_error failure = reader->failure;
    pthread_mutex_unlock(&reader->mutex);
    if (failure.code == ES_OK)
        return true;
    if (err)
        *err = failure;
    es_bulk_stop(reader);
    return false;
}

es_bulk_reader *es_bulk_start(const es_bulk_pipes *pipes, es_error *err)
{
    if (pipes->packet_size <= pipes->status_bytes || TRANSFER_SIZE % pipes->packet_size) {
        es_fail(err, ES_PROBE, "the probe's USB chip reports packets of %zu bytes: is it on a high-speed port?",
                pipes->packet_size);
        return NULL;
    }
    es_bulk_reader *reader = calloc(1, sizeof *reader);
    uint8_t *ring = malloc(RING_SIZE);
    if (!reader || !ring) {
        es_fail(err, ES_PROBE, "out of memory");
        free(reader);
        free(ring);
        return NULL;
    }
    reader->pipes = *pipes;
    reader->ring = ring;
    pthread_mutex_init(&reader->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&reader->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return start(reader, err) ? reader : NULL;
}
