/* A core that looks for a thread first looks which items of queues have arrived, gives each of them to who waits for
 * it, and sets the timer to the next one. */
#include "engine_private.h"

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
    k->looked = e->now + es_predict_ticks_to(e, c, e->trace->costs.look[pick]);
    k->sets = e->now + es_predict_ticks_to(e, c, e->trace->costs.look_set[pick]);
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
