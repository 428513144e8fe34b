/* The chip's own work: bytes of the port into packets, packets into URBs, and back. */
#include <string.h>
#include <time.h>

#include "vusb/device.h"

#define IDLE_NS 200000 /* how long the device's thread sleeps when there is nothing to do */

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- bulk transfers, in the device's thread, with `mutex` held ------------------------------------------ */

static bool fifo_mode(const es_vusb *vusb)
{
    return vusb->model.channels[0].bitmode == ES_FTDI_SYNC_FIFO;
}

/* Adds a packet with `size` bytes of the chip's buffer to the first IN URB of a channel, and ends the URB where USB
 * would. */
static void send_packet(es_vusb *vusb, unsigned channel, size_t size)
{
    usb_urb *urb = vusb->in[channel].urbs[0];
    uint8_t *packet = (uint8_t *)urb->buffer + urb->actual_length;
    es_ftdi_status(&vusb->model, packet);
    memcpy(packet + ES_FTDI_STATUS, vusb->chip, size);
    vusb->chip_used -= size;
    memmove(vusb->chip, vusb->chip + size, vusb->chip_used);
    urb->actual_length += (int)(ES_FTDI_STATUS + size);
    vusb->state.to_host += size;
    vusb->last_packet[channel] = now_ns();
    bool is_short = ES_FTDI_STATUS + size < ES_FTDI_PACKET;
    if (is_short || urb->buffer_length - urb->actual_length < ES_FTDI_PACKET)
        es_vusb_finish(vusb, &vusb->in[channel], 0, 0);
    if (vusb->unplug_at && vusb->state.to_host >= vusb->unplug_at)
        es_vusb_end_all(vusb);
}

/* Moves bytes to the host: full packets at once, what is less when the latency timer ends. */
static void serve_in(es_vusb *vusb, unsigned channel)
{
    const size_t full = ES_FTDI_PACKET - ES_FTDI_STATUS;
    size_t used = channel == 0 ? vusb->chip_used : 0;
    while (vusb->in[channel].count && used >= full) {
        send_packet(vusb, channel, full);
        used = vusb->chip_used;
    }
    uint64_t timer = (uint64_t)vusb->model.channels[channel].latency_ms * 1000000u;
    if (vusb->in[channel].count && now_ns() - vusb->last_packet[channel] >= timer)
        send_packet(vusb, channel, used);
}

/* One round of the device: true when bytes moved. */
static bool serve(es_vusb *vusb)
{
    bool moved = false;
    if (fifo_mode(vusb) && vusb->in[0].count && vusb->chip_used < CHIP_BUFFER) {
        size_t got = vusb->port->read(vusb->context, vusb->chip + vusb->chip_used, CHIP_BUFFER - vusb->chip_used);
        vusb->chip_used += got;
        moved = got != 0;
    }
    for (unsigned i = 0; i < ES_FTDI_CHANNELS; i++)
        serve_in(vusb, i);
    while (vusb->out[1].count) { /* nothing is wired to channel B */
        vusb->out[1].urbs[0]->actual_length = vusb->out[1].urbs[0]->buffer_length;
        es_vusb_finish(vusb, &vusb->out[1], 0, 0);
    }
    while (vusb->out[0].count) {
        usb_urb *urb = vusb->out[0].urbs[0];
        size_t left = (size_t)urb->buffer_length - vusb->out_taken;
        size_t taken =
            fifo_mode(vusb) ? vusb->port->write(vusb->context, (uint8_t *)urb->buffer + vusb->out_taken, left) : left;
        vusb->out_taken += taken;
        vusb->state.to_probe += taken;
        moved = moved || taken;
        if (taken < left)
            break;
        urb->actual_length = urb->buffer_length;
        vusb->out_taken = 0;
        es_vusb_finish(vusb, &vusb->out[0], 0, 0);
    }
    return moved;
}

void *es_vusb_run(void *argument)
{
    es_vusb *vusb = argument;
    pthread_mutex_lock(&vusb->mutex);
    while (!vusb->stopping) {
        bool busy = !vusb->unplugged && !vusb->stalled && serve(vusb);
        bool steps = !vusb->stalled && fifo_mode(vusb);
        pthread_mutex_unlock(&vusb->mutex);
        if (steps)
            busy = vusb->port->step(vusb->context) || busy;
        pthread_mutex_lock(&vusb->mutex);
        if (!busy && !vusb->stopping) {
            struct timespec end;
            uint64_t until = now_ns() + IDLE_NS;
            end.tv_sec = (time_t)(until / 1000000000u);
            end.tv_nsec = (long)(until % 1000000000u);
            pthread_cond_timedwait(&vusb->changed, &vusb->mutex, &end);
        }
    }
    pthread_mutex_unlock(&vusb->mutex);
    return NULL;
}
