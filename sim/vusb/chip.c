/* The chip's own work: bytes of the port into packets, packets into URBs, and back. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "vusb/device.h"

#define IDLE_NS 200000 /* how long the device's thread sleeps when there is nothing to do */

uint64_t es_vusb_now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* --- bulk transfers, in the device's thread, with `mutex` held ------------------------------------------ */

static bool flows(const es_vusb *vusb)
{
    return !vusb->unplugged && es_usb_flows(&vusb->model) && (vusb->config.kind->fifo_mode || vusb->claimed_by);
}

/* Adds a packet with at most `size` bytes of the chip's buffer to the first IN URB of a channel, and ends the URB where
 * USB would. */
static void send_packet(es_vusb *vusb, unsigned channel, size_t size)
{
    urb_queue *queue = &vusb->in[channel];
    usb_urb *urb = queue->entries[0].urb;
    uint8_t *packet = (uint8_t *)urb->buffer + urb->actual_length;
    size_t status = vusb->config.kind->status;
    if (channel == 0)
        size = es_vusb_packet_limit(vusb, size);
    es_usb_status(&vusb->model, packet);
    memcpy(packet + status, vusb->chip, size);
    vusb->chip_used -= size;
    memmove(vusb->chip, vusb->chip + size, vusb->chip_used);
    size_t kept = channel == 0 ? es_vusb_damage(vusb, packet + status, size) : size;
    urb->actual_length += (int)(status + kept);
    vusb->state.to_host += size;
    vusb->last_packet[channel] = es_vusb_now_ns();
    bool is_short = status + kept < ES_USB_PACKET;
    if (is_short || urb->buffer_length - urb->actual_length < ES_USB_PACKET)
        es_vusb_finish(vusb, queue, 0, 0);
    if (channel == 0)
        es_vusb_take_effect(vusb);
}

/* Moves bytes to the host: full packets at once, what is less when the latency timer ends. A chip without status bytes
 * has nothing to say then when there is nothing: it only ends a transfer that has begun. */
static void serve_in(es_vusb *vusb, unsigned channel)
{
    const urb_queue *queue = &vusb->in[channel];
    const size_t full = ES_USB_PACKET - vusb->config.kind->status;
    while (queue->count && channel == 0 && vusb->chip_used >= full && !vusb->unplugged && !vusb->stalled)
        send_packet(vusb, channel, full);
    uint64_t timer = (uint64_t)vusb->model.channels[channel].latency_ms * 1000000u;
    size_t used = channel == 0 ? vusb->chip_used : 0;
    if (queue->count && used < full && !vusb->unplugged && !vusb->stalled &&
        (used || vusb->config.kind->status || queue->entries[0].urb->actual_length) &&
        es_vusb_now_ns() - vusb->last_packet[channel] >= timer)
        send_packet(vusb, channel, used);
}

/* Ends transfers that were cancelled a while ago, and those that the bus fails. */
static void serve_ends(es_vusb *vusb)
{
    uint64_t now = es_vusb_now_ns();
    for (size_t i = vusb->in[0].count; i--;)
        if (vusb->in[0].entries[i].cancelled && now >= vusb->in[0].entries[i].cancelled)
            es_vusb_finish(vusb, &vusb->in[0], i, -ENOENT);
    for (size_t i = vusb->out[0].count; i--;)
        if (vusb->out[0].entries[i].cancelled && now >= vusb->out[0].entries[i].cancelled) {
            if (i == 0) {
                vusb->out[0].entries[0].urb->actual_length = (int)vusb->out_taken;
                vusb->out_taken = 0;
            }
            es_vusb_finish(vusb, &vusb->out[0], i, -ENOENT);
        }
    while (vusb->active[ES_VUSB_ERROR] && vusb->in[0].count) {
        vusb->active[ES_VUSB_ERROR]--;
        vusb->state.errors++;
        es_vusb_finish(vusb, &vusb->in[0], 0, -EPROTO);
    }
}

/* Gives bytes from the host to the port. How many it took. */
static size_t hand_on(es_vusb *vusb, const uint8_t *bytes, size_t size)
{
    uint8_t piece[CHIP_BUFFER];
    if (!vusb->active[ES_VUSB_FLIP_OUT])
        return vusb->config.port->write(vusb->config.context, bytes, size);
    size = size < sizeof piece ? size : sizeof piece;
    memcpy(piece, bytes, size);
    size_t at = es_vusb_random(vusb, (uint32_t)size);
    piece[at] ^= (uint8_t)(1u << es_vusb_random(vusb, 8));
    size_t taken = vusb->config.port->write(vusb->config.context, piece, size);
    if (taken > at) {
        vusb->active[ES_VUSB_FLIP_OUT]--;
        vusb->state.out_flips++;
    }
    return taken;
}

static bool serve_out(es_vusb *vusb)
{
    bool moved = false;
    while (vusb->out[1].count) { /* nothing is wired to channel B */
        vusb->out[1].entries[0].urb->actual_length = vusb->out[1].entries[0].urb->buffer_length;
        es_vusb_finish(vusb, &vusb->out[1], 0, 0);
    }
    while (vusb->out[0].count) {
        usb_urb *urb = vusb->out[0].entries[0].urb;
        size_t left = (size_t)urb->buffer_length - vusb->out_taken;
        size_t taken = flows(vusb) && left ? hand_on(vusb, (uint8_t *)urb->buffer + vusb->out_taken, left) : left;
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

/* One round of the device: true when bytes moved. */
static bool serve(es_vusb *vusb)
{
    bool moved = false;
    if (flows(vusb) && vusb->in[0].count && vusb->chip_used < CHIP_BUFFER) {
        size_t got =
            vusb->config.port->read(vusb->config.context, vusb->chip + vusb->chip_used, CHIP_BUFFER - vusb->chip_used);
        vusb->chip_used += got;
        moved = got != 0;
    }
    serve_ends(vusb);
    for (unsigned i = 0; i < vusb->config.kind->channels; i++)
        serve_in(vusb, i);
    return !vusb->unplugged && (serve_out(vusb) || moved);
}

/* The chip's power comes and goes with the plug: what waited in it is lost. */
static void tell_power(es_vusb *vusb)
{
    unsigned power = vusb->unplugged ? 0 : vusb->plug;
    if (power == vusb->power_told)
        return;
    bool both = power && vusb->power_told; /* it came back before this thread saw that it was gone */
    vusb->power_told = power;
    vusb->chip_used = 0;
    if (vusb->config.port->plugged && both)
        vusb->config.port->plugged(vusb->config.context, false);
    if (vusb->config.port->plugged)
        vusb->config.port->plugged(vusb->config.context, power != 0);
}

void *es_vusb_run(void *argument)
{
    es_vusb *vusb = argument;
    pthread_mutex_lock(&vusb->mutex);
    while (!vusb->stopping) {
        tell_power(vusb);
        es_vusb_take_effect(vusb);
        if (vusb->stalled)
            serve_ends(vusb);
        bool busy = !vusb->unplugged && !vusb->stalled && serve(vusb);
        bool open = flows(vusb) && !vusb->stalled;
        pthread_mutex_unlock(&vusb->mutex);
        busy = vusb->config.port->step(vusb->config.context, open) || busy;
        pthread_mutex_lock(&vusb->mutex);
        if (!busy && !vusb->stopping) {
            struct timespec end;
            uint64_t until = es_vusb_now_ns() + IDLE_NS;
            end.tv_sec = (time_t)(until / 1000000000u);
            end.tv_nsec = (long)(until % 1000000000u);
            pthread_cond_timedwait(&vusb->changed, &vusb->mutex, &end);
        }
    }
    pthread_mutex_unlock(&vusb->mutex);
    return NULL;
}
