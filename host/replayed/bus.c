/* What happens on the bus of the replayed target: for the probe in software, and the target's devices. */
#include "base/endian.h"
#include "probe_defs.h"
#include "replayed/private.h"

/* What was written to a device, as the number that it is for the program: a part of a word stays in its lanes. */
static uint32_t number_of(const es_replayed *r, const es_machine_access *access)
{
    unsigned size = (unsigned)__builtin_popcount(access->lanes), first = (unsigned)__builtin_ctz(access->lanes);
    if (!r->program.machine.big_endian)
        return access->data;
    return (uint32_t)es_endian_turned(access->data >> 8 * first, size) << 8 * first;
}

/* The reference target's devices that tell something. */
static void on_device(es_replayed *r, const es_machine_access *access)
{
    if (access->address == ES_TARGET_IO_BASE + ES_TARGET_IO_CONSOLE && access->lanes & 1 && r->console.take) {
        char byte = (char)number_of(r, access);
        r->console.take(r->console.context, &byte, 1);
    } else if (access->address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT) {
        r->exited = true;
        r->exit_code = (int)number_of(r, access);
    }
}

void es_replayed_access(es_replayed *r, const es_machine_access *access)
{
    if (r->target.halted || r->exited) /* nothing has happened after that */
        return;
    es_softprobe_access(r->target.probe, access, r->time);
    if (r->shadows)
        es_shadow_tracker_access(r->shadows, access);
    if (access->kind == ES_KIND_WRITE && r->program.machine.processor == ES_PROCESSOR_REFERENCE)
        on_device(r, access);
}

void es_replayed_assigned(es_replayed *r, const es_machine_access *access)
{
    es_machine_access write = *access;
    write.kind = ES_KIND_WRITE;
    /* it is told before the next fetch, of a target that has slept after the end of its epoch: the probe's time does
     * not go back there */
    bool is_past = r->time >> REPLAYED_TIME_BITS < r->quiet >> REPLAYED_TIME_BITS;
    if (!r->target.halted && !r->exited)
        es_softprobe_access(r->target.probe, &write, is_past ? r->quiet : r->time);
}

void es_replayed_moved(es_replayed *r, const es_machine_access *access)
{
    if (r->target.halted || r->exited)
        return;
    if (access->lanes & ES_BUS_FREED)
        es_softprobe_poke_freed(r->target.probe, access->address, access->data, access->unknown);
    else
        es_softprobe_poke(r->target.probe, access->address, access->data, access->unknown);
}
