/* What waits before the pipeline (es_fifo_async), and the marks that es_capture puts there. Records wait only while the
 * soft core stands still; else each is executed as it comes. */
#include "base/arena.h"
#include "softprobe/private.h"

#define ROOM_FOR_MARKS 8u

static void push(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (!probe->fifo)
        probe->fifo = es_malloc(FIFO_RECORDS * sizeof *probe->fifo);
    probe->fifo[(probe->fifo_first + probe->fifo_level++) & (FIFO_RECORDS - 1)] = (record){*access, time};
    if (probe->fifo_level > probe->fifo_max)
        probe->fifo_max = probe->fifo_level;
}

static void mark(es_softprobe *probe, unsigned sort, uint32_t data, uint64_t time)
{
    const es_machine_access access = {.kind = ES_KIND_MARK, .lanes = (uint8_t)sort, .data = data};
    push(probe, &access, time);
}

static void announce(es_softprobe *probe, uint64_t time)
{
    uint64_t epoch = time >> probe->options.time_w;
    if (epoch == probe->announced)
        return;
    probe->announced = epoch;
    mark(probe, ES_MARK_EPOCH, (uint32_t)epoch, 0);
}

/* So many accesses were lost. There is room for the marks. */
static void tell_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    announce(probe, first);
    mark(probe, ES_MARK_GAP_FIRST, count, first);
    announce(probe, last);
    mark(probe, ES_MARK_GAP_LAST, 0, last);
}

/* Whether there is room, again after a loss, which is told then. */
static bool has_room(es_softprobe *probe)
{
    if (!probe->dropped)
        return probe->fifo_level < FIFO_RECORDS - ROOM_FOR_MARKS;
    if (probe->fifo_level > FIFO_RECORDS / 2)
        return false;
    tell_lost(probe, probe->dropped, probe->dropped_first, probe->dropped_last);
    probe->dropped = 0;
    return true;
}

void es_softprobe_pump(es_softprobe *probe)
{
    while (has_room(probe), probe->fifo_level && !probe->waiting_monitors) {
        const record *next = &probe->fifo[probe->fifo_first];
        probe->fifo_first = (probe->fifo_first + 1) & (FIFO_RECORDS - 1);
        probe->fifo_level--;
        es_softprobe_execute(probe, &next->access, next->time);
    }
    probe->waits = probe->fifo_level || probe->waiting_monitors || probe->dropped;
}

static void drop(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    uint32_t most = UINT32_MAX - probe->dropped;
    if (!probe->dropped)
        probe->dropped_first = first;
    probe->dropped += count < most ? count : most;
    probe->dropped_last = last;
    probe->dropped_ever += count;
}

void es_softprobe_put(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (has_room(probe)) {
        announce(probe, time);
        push(probe, access, time);
    } else {
        drop(probe, 1, time, time);
    }
}

void es_softprobe_put_epoch(es_softprobe *probe, uint64_t time)
{
    if (has_room(probe)) /* else with what comes after the loss */
        announce(probe, time);
}

void es_softprobe_put_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    if (has_room(probe))
        tell_lost(probe, count, first, last);
    else
        drop(probe, count, first, last);
}
