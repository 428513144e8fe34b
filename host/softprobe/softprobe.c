/* The probe as a whole. */
#include "softprobe/softprobe.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "softprobe/private.h"

static bool check(const es_softprobe_options *o, es_error *err)
{
    if (o->window_log2 < PAGE_LOG2 + 2 || o->window_log2 > 28 || o->window_base & ((1u << o->window_log2) - 1))
        return es_fail(err, ES_USAGE,
                       "a software probe's window has 2^%u to 2^28 bytes and begins at a multiple of its size, not "
                       "2^%u at 0x%08x",
                       PAGE_LOG2 + 2, o->window_log2, (unsigned)o->window_base);
    if (o->mem_log2 < 15 || o->mem_log2 > 28 || o->time_w < 8 || o->time_w > 32 || o->fetches >= ES_FETCHES_UNTOLD ||
        !o->isa)
        return es_fail(err, ES_USAGE,
                       "a software probe has 2^15 to 2^28 bytes of memory, 8 to 32 bits of time, and is told what "
                       "fetches prove and whose they are");
    return true;
}

static void add_monitor(es_softprobe *first, es_softprobe *probe)
{
    probe->first = first;
    probe->number = first->monitor_count;
    first->monitors = es_realloc(first->monitors, (first->monitor_count + 1) * sizeof *first->monitors);
    first->monitors[first->monitor_count++] = probe;
}

static es_softprobe *make(const es_softprobe_options *options)
{
    es_softprobe *probe = es_malloc(sizeof *probe);
    memset(probe, 0, sizeof *probe);
    probe->options = *options;
    probe->window_last = (1u << options->window_log2) - 1;
    probe->epoch_end = 1ull << options->time_w;
    es_softprobe_transport_init(probe);
    return probe;
}

es_softprobe *es_softprobe_new(const es_softprobe_options *options, es_error *err)
{
    if (!check(options, err))
        return NULL;
    es_softprobe *probe = make(options);
    es_softprobe_memory_new(probe);
    add_monitor(probe, probe);
    if (es_softprobe_core_new(probe, err))
        return probe;
    es_softprobe_free(probe);
    return NULL;
}

es_softprobe *es_softprobe_beside(es_softprobe *first, es_error *err)
{
    if (is_alone(first))
        es_softprobe_planes_new(first);
    es_softprobe *probe = make(&first->options);
    add_monitor(first, probe);
    es_softprobe_planes_new(probe);
    return es_softprobe_core_new(probe, err) ? probe : NULL;
}

static void free_one(es_softprobe *probe)
{
    es_softprobe_memory_free(probe);
    if (probe->core)
        es_machine_free(probe->core);
    free(probe->fifo);
    free(probe->out.bytes);
    free(probe->said);
    free(probe->said_words);
    free(probe->turns);
    free(probe->monitors);
    free(probe);
}

void es_softprobe_free(es_softprobe *probe)
{
    for (size_t i = probe ? probe->monitor_count : 0; i-- > 0;)
        free_one(probe->monitors[i]);
}

es_transport *es_softprobe_transport(es_softprobe *probe)
{
    return &probe->transport.base;
}

bool es_softprobe_idle(const es_softprobe *probe)
{
    return !probe->first->waits && !probe->starts &&
           (!probe->runs || probe->stopped || (probe->asleep && !probe->mail_full));
}

es_softprobe_figures es_softprobe_get_figures(const es_softprobe *probe)
{
    return (es_softprobe_figures){.hits = probe->hits,
                                  .instructions = es_softprobe_instructions(probe),
                                  .lost = probe->dropped_ever,
                                  .pages = probe->page_count};
}
