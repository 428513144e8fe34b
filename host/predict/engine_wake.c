/* Cores that sleep, or are going to, and hear a bell. */
#include "engine_private.h"

static bool can_be_woken(const processor *k)
{
    return (k->state == CORE_IDLE || k->state == CORE_DOZE) && !k->woken;
}

uint32_t es_predict_idle(const engine *e)
{
    uint32_t idle = 0;
    for (unsigned c = 0; c < e->machine->cores; c++)
        idle += can_be_woken(&e->cores[c]);
    return idle;
}

bool es_predict_wake_core(engine *e, uint64_t time)
{
    for (unsigned c = 0; c < e->machine->cores; c++) {
        processor *k = &e->cores[c];
        if (!can_be_woken(k))
            continue;
        k->woken = true;
        k->rung = time;
        if (k->state == CORE_IDLE)
            k->until = time + e->machine->bell * e->scale;
        return true;
    }
    return false;
}

void es_predict_wake_cores(engine *e, uint64_t last, uint64_t apart, uint64_t bell)
{
    uint32_t idle = es_predict_idle(e);
    for (uint32_t rings = idle < e->fresh ? idle : e->fresh; rings > 0; rings--) {
        uint64_t late = --e->fresh * apart + (rings - 1) * bell;
        es_predict_wake_core(e, last > e->now + late ? last - late : e->now);
    }
    e->fresh = 0;
}

void es_predict_wake_now(engine *e)
{
    for (unsigned c = 0; c < e->machine->cores; c++) {
        processor *k = &e->cores[c];
        if ((k->state != CORE_IDLE && k->state != CORE_DOZE) || !k->woken || k->rung <= e->now)
            continue;
        k->rung = e->now;
        if (k->state == CORE_IDLE)
            k->until = e->now + e->machine->bell * e->scale;
    }
}
