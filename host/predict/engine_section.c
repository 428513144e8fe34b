/* The kernel's own code on a core, and what a core does, as it is told. */
#include "engine_private.h"

/* What the core has done until now is told; it goes on with `state`. */
void es_predict_enter(engine *e, unsigned c, enum core_state state)
{
    processor *k = &e->cores[c];
    uint64_t took = e->now - k->began;
    static const uint8_t doing[] = {
        [CORE_IDLE] = ES_PREDICT_IDLES,  [CORE_DOZE] = ES_PREDICT_IDLES,  [CORE_WAKE] = ES_PREDICT_KERNEL,
        [CORE_RUN] = ES_PREDICT_RUNS,    [CORE_SPIN] = ES_PREDICT_SPINS,  [CORE_HOLD] = ES_PREDICT_KERNEL,
        [CORE_CUT] = ES_PREDICT_KERNEL,  [CORE_TAKE] = ES_PREDICT_KERNEL, [CORE_AFTER] = ES_PREDICT_KERNEL,
        [CORE_PARK] = ES_PREDICT_KERNEL, [CORE_TRAP] = ES_PREDICT_KERNEL, [CORE_KEEP] = ES_PREDICT_KERNEL,
        [CORE_KEPT] = ES_PREDICT_KERNEL, [CORE_LOOK] = ES_PREDICT_KERNEL};
    uint64_t *sums[] = {[ES_PREDICT_RUNS] = &e->result->runs[c],
                        [ES_PREDICT_KERNEL] = &e->result->kernel[c],
                        [ES_PREDICT_SPINS] = &e->result->spins[c]};
    if (doing[k->state] != ES_PREDICT_IDLES)
        *sums[doing[k->state]] += took;
    if (e->listener && e->listener->stretch && took) {
        const token *t = k->thread == ES_PREDICT_NONE ? NULL : &e->threads[k->thread];
        es_predict_stretch stretch = {.begin = k->began,
                                      .end = e->now,
                                      .thread = k->thread,
                                      .stream = t ? t->stream : 0,
                                      .step = t ? (uint32_t)t->at : 0,
                                      .core = (uint16_t)c,
                                      .doing = doing[k->state]};
        e->listener->stretch(e->listener->context, &stretch);
    }
    k->state = state;
    k->began = e->now;
}

uint64_t es_predict_section_accesses(const engine *e, const es_predict_section *s)
{
    uint64_t accesses = 0;
    for (uint32_t i = 0; i < s->count; i++)
        accesses += e->trace->blocks[e->trace->kernel_items[s->first + i]].accesses;
    return accesses;
}

/* Accesses of the last so many clocks of it. */
uint64_t es_predict_accesses_after(const engine *e, const es_predict_section *s, uint64_t clocks)
{
    uint64_t count = 0, sum = 0;
    for (uint32_t i = s->count; i-- > 0;) {
        const es_predict_block *b = &e->trace->blocks[e->trace->kernel_items[s->first + i]];
        for (uint32_t g = b->accesses; g-- > 0; count++) {
            sum += e->trace->gaps[b->first_gap + g] & ES_PREDICT_GAP;
            if (sum > clocks)
                return count;
        }
    }
    return count;
}

/* Of its accesses. */
uint64_t es_predict_section_clocks(const engine *e, const es_predict_section *s)
{
    uint64_t clocks = 0;
    for (uint32_t i = 0; i < s->count; i++)
        clocks += e->trace->blocks[e->trace->kernel_items[s->first + i]].clocks;
    return clocks;
}

/* Accesses of waking a core. */
uint64_t es_predict_bell_accesses(const engine *e)
{
    const es_predict_costs *costs = &e->trace->costs;
    return costs->ring.count ? es_predict_section_accesses(e, &costs->ring) : es_predict_more_accesses(costs->bell);
}

void es_predict_start_section(engine *e, unsigned c, const es_predict_section *s, uint64_t more)
{
    way what = {.items = e->trace->kernel_items + s->first, .count = s->count};
    if (e->machine->free_kernel) {
        e->cores[c].until = e->now;
        return;
    }
    what.accesses = es_predict_section_accesses(e, s);
    bool late = e->cores[c].state == CORE_WAKE || e->cores[c].state == CORE_TRAP;
    what.late = late && s->clocks > es_predict_section_clocks(e, s) ? s->clocks - es_predict_section_clocks(e, s) : 0;
    what.clocks = s->clocks;
    what.more = more;
    if (e->machine->kernel) {
        what.clocks = what.clocks * e->machine->kernel / 100;
        what.more = what.more * e->machine->kernel / 100;
        what.accesses = what.accesses * e->machine->kernel / 100;
    }
    es_predict_start(e, c, &what);
}
