/* Virtual devices are made, plugged in and out, and looked at. */
#include "vusb/vusb.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "vusb/bus.h"

/* Everything but the plug itself and the URBs of hosts that are still there. */
static void power_on(es_vusb *vusb)
{
    es_usb_init(&vusb->model, vusb->config.kind, vusb->serial);
    for (unsigned i = 0; i < vusb->config.kind->channels; i++)
        vusb->bound[i] = vusb->config.kernel_bound;
    vusb->claimed_by = NULL;
    vusb->plug++;
}

bool es_vusb_plug(es_vusb *vusb, es_error *err)
{
    pthread_mutex_lock(&vusb->mutex);
    bool there = !vusb->gone;
    if (!there)
        power_on(vusb);
    pthread_mutex_unlock(&vusb->mutex);
    if (there)
        return true;
    /* Calls may come as soon as hosts are told. */
    pthread_mutex_lock(&vusb->mutex);
    vusb->unplugged = vusb->gone = false;
    pthread_cond_broadcast(&vusb->changed);
    pthread_mutex_unlock(&vusb->mutex);
    if (es_vusb_bus_add(vusb, err))
        return true;
    vusb->unplugged = vusb->gone = true;
    return false;
}

void es_vusb_unplug(es_vusb *vusb)
{
    pthread_mutex_lock(&vusb->mutex);
    es_vusb_end_all(vusb);
    bool gone = vusb->gone;
    vusb->gone = true;
    pthread_mutex_unlock(&vusb->mutex);
    if (!gone)
        es_vusb_bus_remove(vusb);
}

es_vusb *es_vusb_open(const es_vusb_config *config, es_error *err)
{
    es_vusb *vusb = calloc(1, sizeof *vusb);
    if (!vusb) {
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    vusb->config = *config;
    if (!vusb->config.kind)
        vusb->config.kind = &es_usb_ft2232h;
    vusb->random = config->seed;
    vusb->unplugged = vusb->gone = true;
    vusb->power_told = 1; /* what is connected is made with its power on */
    snprintf(vusb->serial, sizeof vusb->serial, "%s", config->serial);
    if (!es_vusb_bus_join(vusb)) {
        free(vusb);
        es_fail(err, ES_PROBE,
                "the virtual USB device needs umockdev's library in LD_PRELOAD: umockdev-wrapper puts it there");
        return NULL;
    }
    pthread_mutex_init(&vusb->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&vusb->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (es_vusb_plug(vusb, err) && pthread_create(&vusb->thread, NULL, es_vusb_run, vusb) == 0)
        return vusb;
    vusb->stopping = true;
    es_vusb_stop(vusb);
    return NULL;
}

es_vusb *es_vusb_start_port(const es_vusb_port *port, void *context, const char *serial, es_error *err)
{
    return es_vusb_open(&(es_vusb_config){.port = port, .context = context, .serial = serial, .seed = 1}, err);
}

void es_vusb_stop(es_vusb *vusb)
{
    if (!vusb)
        return;
    bool runs = !vusb->stopping;
    es_vusb_unplug(vusb);
    if (runs) {
        pthread_mutex_lock(&vusb->mutex);
        vusb->stopping = true;
        pthread_cond_broadcast(&vusb->changed);
        pthread_mutex_unlock(&vusb->mutex);
        pthread_join(vusb->thread, NULL);
    }
    pthread_mutex_lock(&vusb->mutex);
    es_vusb_forget_all(vusb);
    for (size_t i = 0; i < vusb->node_count; i++)
        close(vusb->nodes[i].pipe);
    vusb->node_count = 0;
    vusb->plug++; /* no open file is one of it any more */
    pthread_mutex_unlock(&vusb->mutex);
    es_vusb_bus_leave(vusb);
}

void es_vusb_stall(es_vusb *vusb, bool stalled)
{
    pthread_mutex_lock(&vusb->mutex);
    vusb->stalled = stalled;
    vusb->stalled_until = 0;
    pthread_cond_broadcast(&vusb->changed);
    pthread_mutex_unlock(&vusb->mutex);
}

es_vusb_state es_vusb_look(es_vusb *vusb)
{
    pthread_mutex_lock(&vusb->mutex);
    es_vusb_state state = vusb->state;
    state.bitmode = vusb->model.channels[0].bitmode;
    state.latency_ms = vusb->model.channels[0].latency_ms;
    state.unknown += vusb->model.unknown;
    state.plugged = !vusb->unplugged;
    state.half_gone = vusb->unplugged && !vusb->gone;
    state.stalled = vusb->stalled;
    state.claimed = vusb->claimed_by != NULL;
    state.kernel_bound = vusb->bound[0];
    state.in_flight = (unsigned)vusb->in[0].count;
    state.waiting = (unsigned)vusb->fault_count;
    for (int i = 0; i < ES_VUSB_FAULTS; i++)
        state.waiting += vusb->active[i];
    pthread_mutex_unlock(&vusb->mutex);
    return state;
}
