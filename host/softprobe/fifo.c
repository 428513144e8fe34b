/* What stands before the pipeline: time and its epochs, and records that have to wait (es_capture, es_fifo_async). They
 * wait only while the soft core stands still; else each is executed as it comes. */
#include "base/arena.h"
#include "softprobe/private.h"

#define EPOCHS_MOST 65536u /* that are told one by one; of a longer quiet time the last one alone */

static uint64_t epoch_of(const es_softprobe *probe, uint64_t time)
{
    return time >> probe->options.time_w;
}

static void push(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (!probe->fifo)
        probe->fifo = es_malloc(FIFO_RECORDS * sizeof *probe->fifo);
    probe->fifo[(probe->fifo_first + probe->fifo_level++) & (FIFO_RECORDS - 1)] = (record){*access, time};
    if (probe->fifo_level > probe->fifo_max)
        probe->fifo_max = probe->fifo_level;
}

void es_softprobe_pump(es_softprobe *probe)
{
    while (probe->fifo_level && !probe->locked && !probe->hit_valid) {
        const record *next = &probe->fifo[probe->fifo_first];
        probe->fifo_first = (probe->fifo_first + 1) & (FIFO_RECORDS - 1);
        probe->fifo_level--;
        es_softprobe_execute(probe, &next->access, next->time);
    }
    probe->waits = probe->fifo_level || probe->locked || probe->hit_valid || probe->dropped;
}

static void mark(es_softprobe *probe, unsigned sort, uint32_t data, uint64_t time)
{
    const es_machine_access access = {.kind = ES_KIND_MARK, .lanes = (uint8_t)sort, .data = data};
    push(probe, &access, time);
}

static void announce(es_softprobe *probe, uint64_t epoch)
{
    if (epoch == probe->announced)
        return;
    probe->announced = epoch;
    mark(probe, ES_MARK_EPOCH, (uint32_t)epoch, 0);
}

/* So many accesses were lost. There is room for the marks. */
static void tell_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    announce(probe, epoch_of(probe, first));
    mark(probe, ES_MARK_GAP_FIRST, count, first);
    announce(probe, epoch_of(probe, last));
    mark(probe, ES_MARK_GAP_LAST, 0, last);
}

/* Whether there is room again after a loss, which is told then. */
static bool resumes(es_softprobe *probe)
{
    if (!probe->dropped)
        return probe->fifo_level < FIFO_RECORDS - 8;
    if (probe->fifo_level > FIFO_RECORDS / 2)
        return false;
    uint32_t count = probe->dropped;
    probe->dropped = 0;
    tell_lost(probe, count, probe->dropped_first, probe->dropped_last);
    announce(probe, probe->now >> probe->options.time_w);
    return true;
}

void es_softprobe_put(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (resumes(probe)) {
        push(probe, access, time);
    } else {
        if (!probe->dropped)
            probe->dropped_first = time;
        probe->dropped += probe->dropped != UINT32_MAX;
        probe->dropped_last = time;
        probe->dropped_ever++;
    }
    es_softprobe_settle(probe);
}

void es_softprobe_announce(es_softprobe *probe, uint64_t time)
{
    uint64_t last = epoch_of(probe, time), next = epoch_of(probe, probe->now) + 1;
    if (last >= next && last - next >= EPOCHS_MOST)
        next = last;
    for (; next <= last; next++) {
        probe->now = next << probe->options.time_w;
        if (resumes(probe))
            announce(probe, next);
        es_softprobe_settle(probe);
    }
    probe->epoch_end = (last + 1) << probe->options.time_w;
}

void es_softprobe_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    if (!count)
        return;
    es_softprobe_quiet(probe, first);
    if (resumes(probe)) {
        if (epoch_of(probe, last) != epoch_of(probe, first)) { /* of the epochs between none is told */
            probe->now = last;
            probe->epoch_end = (epoch_of(probe, last) + 1) << probe->options.time_w;
        }
        tell_lost(probe, count, first, last);
    } else {
        if (!probe->dropped)
            probe->dropped_first = first;
        probe->dropped += count < UINT32_MAX - probe->dropped ? count : UINT32_MAX - probe->dropped;
        probe->dropped_last = last;
        probe->dropped_ever += count;
    }
    es_softprobe_quiet(probe, last);
    es_softprobe_settle(probe);
}
