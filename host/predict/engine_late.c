/* Items of queues that are on their way, and the timer that wakes a core for the first one. */
#include <stdlib.h>

#include "base/arena.h"
#include "engine_private.h"

bool es_predict_is_late(const engine *e)
{
    return e->machine->latency || e->trace->costs.late;
}

uint64_t es_predict_ticks_to(const engine *e, unsigned c, es_predict_point point)
{
    if (e->machine->free_kernel)
        return 0;
    uint64_t percent = e->machine->kernel ? e->machine->kernel : 100;
    return (point.clocks * e->cores[c].tick + (uint64_t)point.accesses * e->machine->wait * e->scale) * percent / 100;
}

void es_predict_sends_at(engine *e, unsigned c, unsigned kind)
{
    e->sent = e->now + es_predict_ticks_to(e, c, e->trace->costs.stamp[kind == ES_PREDICT_GET]);
    e->sets = e->now + es_predict_ticks_to(e, c, e->trace->costs.set[kind == ES_PREDICT_GET]);
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
