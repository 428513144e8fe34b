/* Items of queues that are on their way. One that has arrived is found by a core that looks for a thread; a core that
 * sleeps is woken for the first one by a timer, which that core then sets to the next one. */
#include <stdlib.h>

#include "base/arena.h"
#include "engine_private.h"

bool es_predict_is_late(const engine *e)
{
    return e->machine->latency || e->trace->costs.late;
}

static uint64_t ticks_to(const engine *e, unsigned c, es_predict_point point)
{
    if (e->machine->free_kernel)
        return 0;
    uint64_t percent = e->machine->kernel ? e->machine->kernel : 100;
    return (point.clocks * e->cores[c].tick + (uint64_t)point.accesses * e->machine->wait * e->scale) * percent / 100;
}

void es_predict_sends_at(engine *e, unsigned c, unsigned kind)
{
    e->sent = e->now + ticks_to(e, c, e->trace->costs.stamp[kind == ES_PREDICT_GET]);
    e->sets = e->now + ticks_to(e, c, e->trace->costs.set[kind == ES_PREDICT_GET]);
}

void es_predict_sends(engine *e, uint32_t object)
{
    if (e->timer_count == e->timer_room) {
        size_t room = e->timer_room ? e->timer_room * 2 : 64;
        timer *more = es_malloc(room * sizeof *more);
        for (size_t i = 0; i < e->timer_count; i++)
            more[i] = e->timers[(e->timer_first + i) % e->timer_room];
        free(e->timers);
        e->timers = more;
        e->timer_first = 0;
        e->timer_room = room;
    }
    if (!e->timer_count) {
        e->timer_set = true;
        e->timer_from = e->sets;
    }
    e->timers[(e->timer_first + e->timer_count++) % e->timer_room] =
        (timer){e->sent + e->machine->latency * e->scale, object};
}

uint64_t es_predict_timer_rings(const engine *e)
{
    if (!e->timer_set || !e->timer_count)
        return NEVER;
    uint64_t time = e->timers[e->timer_first].time;
    time = time > e->timer_from ? time : e->timer_from;
    time = time > e->now ? time : e->now;
    return es_predict_hears(e, time) ? time : NEVER;
}

es_predict_section es_predict_after_look(const engine *e, enum es_predict_next how, const es_predict_section *all)
{
    bool pick = how == ES_PREDICT_PICK || how == ES_PREDICT_PICK_NONE;
    const es_predict_section *look = &e->trace->costs.looks[pick], *usual = &e->trace->costs.next[how];
    es_predict_section rest = *all;
    if (!look->count || look->count > usual->count || look->clocks > usual->clocks)
        return rest;
    rest.count = usual->count - look->count; /* what is done the first time comes before */
    rest.first += all->count - rest.count;
    rest.clocks = usual->clocks - look->clocks;
    return rest;
}

bool es_predict_look(engine *e, unsigned c, enum es_predict_next how, const es_predict_section *all)
{
    bool pick = how == ES_PREDICT_PICK;
    processor *k = &e->cores[c];
    es_predict_section rest = es_predict_after_look(e, how, all), first = *all;
    first.count -= rest.count;
    first.clocks -= rest.clocks;
    k->found_by = how;
    k->looked = e->now + ticks_to(e, c, e->trace->costs.look[pick]);
    k->sets = e->now + ticks_to(e, c, e->trace->costs.look_set[pick]);
    k->found_any = false;
    if (!first.count || e->machine->free_kernel)
        return false;
    es_predict_enter(e, c, CORE_LOOK);
    k->thread = ES_PREDICT_NONE;
    es_predict_start_section(e, c, &first, 0);
    return true;
}

bool es_predict_finds_item(engine *e, unsigned c)
{
    if (!e->timer_count || e->timers[e->timer_first].time > e->cores[c].looked) {
        const processor *k = &e->cores[c];
        e->timer_set = e->timer_count > 0;
        e->timer_from = k->found_any ? e->now + (k->sets > k->looks_until ? k->sets - k->looks_until : 0) : k->sets;
        return false;
    }
    uint32_t object = e->timers[e->timer_first].object;
    bool crowd = e->ready_count > 0;
    e->timer_first = (e->timer_first + 1) % e->timer_room;
    e->timer_count--;
    if (!e->cores[c].found_any)
        e->cores[c].looks_until = e->now;
    e->cores[c].found_any = true;
    es_predict_enter(e, c, CORE_LOOK);
    e->cores[c].thread = ES_PREDICT_NONE;
    e->ask_count = 0;
    e->sent = e->cores[c].looked;
    e->sets = e->now;
    e->looks = true;
    uint32_t woken = es_predict_arrives(e, object);
    e->looks = false;
    unsigned how = (woken ? ES_PREDICT_ARRIVES_TO : 0) | (woken > 1 ? ES_PREDICT_ARRIVES_MORE : 0) |
                   (woken && crowd ? ES_PREDICT_ARRIVES_CROWD : 0);
    const es_predict_costs *costs = &e->trace->costs;
    es_predict_hold(e, c, &costs->arrive[how], 0, costs->arrive_tails[how] ? costs->arrive_tails[how] : costs->tail);
    return true;
}
