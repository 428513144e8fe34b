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

/* It is known already that its bell will ring, after a time. */
static bool will_be_woken(const processor *k, uint64_t time)
{
    return (k->state == CORE_IDLE || k->state == CORE_DOZE) && k->woken && k->rung > time;
}

bool es_predict_hears(const engine *e, uint64_t time)
{
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (can_be_woken(&e->cores[c]) || will_be_woken(&e->cores[c], time))
            return true;
    return false;
}

void es_predict_wake_first(engine *e, uint64_t time)
{
    for (unsigned c = 0; c < e->machine->cores; c++) {
        processor *k = &e->cores[c];
        bool rings = can_be_woken(k);
        if (!rings && !will_be_woken(k, time))
            continue;
        uint64_t before = k->rung;
        k->woken = true;
        k->rung = time;
        if (k->state == CORE_IDLE)
            k->until = time + e->machine->bell * e->scale;
        if (rings)
            return;
        time = before; /* what would have rung for it rings for the next one */
    }
}

uint32_t es_predict_bells(const engine *e)
{
    uint32_t idle = es_predict_idle(e);
    return (idle < e->fresh ? idle : e->fresh) + e->ask_count;
}

unsigned es_predict_asked_for(const engine *e, uint32_t number)
{
    for (uint32_t i = 0; i < e->ask_count; i++)
        if (e->asks[i].number == number)
            return e->asks[i].core;
    return ES_PREDICT_CORES;
}

void es_predict_wake_cores(engine *e, uint64_t last, uint64_t apart, uint64_t bell)
{
    uint32_t bells = es_predict_bells(e);
    for (uint32_t number = 0; number < e->fresh && bells; number++) {
        unsigned core = es_predict_asked_for(e, number);
        if (core == ES_PREDICT_CORES && !es_predict_idle(e))
            continue;
        uint64_t late = (e->fresh - 1 - number) * apart + --bells * bell;
        uint64_t time = last > e->now + late ? last - late : e->now;
        if (core == ES_PREDICT_CORES)
            es_predict_wake_core(e, time);
        else
            es_predict_interrupt_at(e, core, time + (e->machine->bell + 1) * e->scale); /* seen in the next clock */
    }
    e->fresh = e->ask_count = 0;
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
