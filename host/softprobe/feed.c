/* What the target does, as it comes (es_capture): each record is dealt with before the next one. */
#include "softprobe/private.h"

#define EPOCHS_MOST 65536u /* that are told one by one; of a longer quiet time the last one alone */

/* The time goes on into other epochs. */
static void go_on(es_softprobe *probe, uint64_t time)
{
    unsigned bits = probe->options.time_w;
    uint64_t last = time >> bits, next = (probe->now >> bits) + 1;
    if (last - next >= EPOCHS_MOST)
        next = last;
    for (; next <= last; next++) {
        probe->now = next << bits;
        es_softprobe_put_epoch(probe, probe->now);
        if (!es_softprobe_settle(probe) && next < last)
            next = last - 1; /* who does not keep up hears of the last one */
    }
    probe->epoch_end = (last + 1) << bits;
}

void es_softprobe_quiet(es_softprobe *probe, uint64_t time)
{
    if (time >= probe->epoch_end)
        go_on(probe, time);
    if (time > probe->now)
        probe->now = time;
}

static inline void take(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (probe->waits) {
        es_softprobe_put(probe, access, time);
        es_softprobe_settle(probe);
    } else if (es_softprobe_execute(probe, access, time)) {
        es_softprobe_settle(probe);
    }
}

void es_softprobe_access(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (time >= probe->epoch_end)
        go_on(probe, time);
    probe->now = time;
    if (access->kind < ES_KIND_MARK)
        take(probe, access, time);
}

void es_softprobe_poke(es_softprobe *probe, uint32_t address, uint32_t word, uint32_t unknown)
{
    const es_machine_access access = {.kind = KIND_POKE, .address = address, .data = word, .unknown = unknown};
    take(probe, &access, probe->now);
}

void es_softprobe_poke_freed(es_softprobe *probe, uint32_t address, uint32_t word, uint32_t unknown)
{
    const es_machine_access silent = {
        .kind = KIND_POKE, .lanes = POKE_SILENT, .address = address, .data = word, .unknown = unknown};
    es_softprobe_poke(probe, address, 0, UINT32_MAX); /* who follows it has to look, and finds nothing */
    take(probe, &silent, probe->now);
}

void es_softprobe_lost(es_softprobe *probe, uint32_t count, uint64_t first, uint64_t last)
{
    if (!count)
        return;
    es_softprobe_quiet(probe, first);
    if (last >= probe->epoch_end) /* of the epochs between none is told */
        probe->epoch_end = ((last >> probe->options.time_w) + 1) << probe->options.time_w;
    if (last > probe->now)
        probe->now = last;
    es_softprobe_put_lost(probe, count, first, last);
    es_softprobe_settle(probe);
}
