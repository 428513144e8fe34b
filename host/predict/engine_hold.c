/* Code with the kernel's lock, in which a core rings for others. */
#include "engine_private.h"

void es_predict_hold(engine *e, unsigned c, const es_predict_section *hold, uint64_t more, uint32_t tail)
{
    processor *k = &e->cores[c];
    const es_predict_costs *costs = &e->trace->costs;
    uint64_t bells = es_predict_bells(e), wait = e->machine->wait * e->scale;
    es_predict_start_section(e, c, hold, more);
    if (!k->walks && !e->machine->free_kernel) {
        uint64_t percent = e->machine->kernel ? e->machine->kernel : 100;
        k->until += bells * (costs->bell * k->tick + es_predict_bell_accesses(e) * wait) * percent / 100;
    }
    if (!e->fresh)
        return;
    if (k->walks) { /* when it rings, the walk says */
        k->rings = k->ring_count = e->fresh;
        k->left = es_predict_section_clocks(e, hold) + k->more;
        k->ring_last = tail;
        k->ring_apart = costs->wake;
        e->fresh = 0;
        return;
    }
    uint64_t after = tail * k->tick + es_predict_accesses_after(e, hold, tail) * wait;
    bool none = e->machine->free_kernel || after > k->until - e->now;
    es_predict_wake_cores(e, none ? e->now : k->until - after,
                          none ? 0 : costs->wake * k->tick + es_predict_more_accesses(costs->wake) * wait,
                          none ? 0 : costs->bell * k->tick + es_predict_bell_accesses(e) * wait);
}
