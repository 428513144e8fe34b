/* What breaks, and when. */
#include <string.h>

#include "vusb/device.h"

uint32_t es_vusb_random(es_vusb *vusb, uint32_t below)
{
    vusb->random += 0x9E3779B97F4A7C15u; /* splitmix64 */
    uint64_t x = vusb->random;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    return below ? (uint32_t)(x >> 32) % below : 0;
}

static void start(es_vusb *vusb, const es_vusb_fault *fault)
{
    switch (fault->kind) {
    case ES_VUSB_UNPLUG:
        vusb->state.gone_size = fault->size;
        es_vusb_end_all(vusb);
        break;
    case ES_VUSB_STALL:
        vusb->stalled = true;
        vusb->stalled_until = fault->size > 0 ? es_vusb_now_ns() + (uint64_t)fault->size * 1000000u : 0;
        break;
    case ES_VUSB_LATE: vusb->late_ms = fault->size > 0 ? (unsigned)fault->size : 0; break;
    case ES_VUSB_SHORT: vusb->short_size = fault->size; /* fallthrough */
    default: vusb->active[fault->kind] += fault->count; break;
    }
}

void es_vusb_take_effect(es_vusb *vusb)
{
    size_t kept = 0;
    for (size_t i = 0; i < vusb->fault_count; i++) {
        es_vusb_fault fault = vusb->faults[i];
        if (vusb->state.to_host >= fault.after)
            start(vusb, &fault);
        else
            vusb->faults[kept++] = fault;
    }
    vusb->fault_count = kept;
    if (vusb->stalled && vusb->stalled_until && es_vusb_now_ns() >= vusb->stalled_until)
        vusb->stalled = false;
}

bool es_vusb_break(es_vusb *vusb, const es_vusb_fault *fault)
{
    pthread_mutex_lock(&vusb->mutex);
    bool room = vusb->fault_count < FAULTS_MAX;
    if (room) {
        vusb->faults[vusb->fault_count] = *fault;
        vusb->faults[vusb->fault_count++].after += vusb->state.to_host;
        if (!fault->after)
            es_vusb_take_effect(vusb);
        pthread_cond_broadcast(&vusb->changed);
    }
    pthread_mutex_unlock(&vusb->mutex);
    return room;
}

void es_vusb_unplug_after(es_vusb *vusb, uint64_t bytes)
{
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_UNPLUG, .after = bytes});
}

size_t es_vusb_packet_limit(es_vusb *vusb, size_t size)
{
    if (!size || !vusb->active[ES_VUSB_SHORT])
        return size;
    vusb->active[ES_VUSB_SHORT]--;
    vusb->state.shorts++;
    size_t most = vusb->short_size < 0 ? es_vusb_random(vusb, (uint32_t)size + 1) : (size_t)vusb->short_size;
    return most < size ? most : size;
}

size_t es_vusb_damage(es_vusb *vusb, uint8_t *bytes, size_t size)
{
    if (size && vusb->active[ES_VUSB_FLIP]) {
        vusb->active[ES_VUSB_FLIP]--;
        vusb->state.flips++;
        bytes[es_vusb_random(vusb, (uint32_t)size)] ^= (uint8_t)(1u << es_vusb_random(vusb, 8));
    }
    if (size && vusb->active[ES_VUSB_CUT]) {
        vusb->active[ES_VUSB_CUT]--;
        size_t lost = 1 + es_vusb_random(vusb, (uint32_t)size);
        vusb->state.cut_bytes += lost;
        size -= lost;
    }
    return size;
}
