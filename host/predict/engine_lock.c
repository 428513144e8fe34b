/* The port of the lock device, which all cores share: one access at a time, round robin (docs/target.md, "Clocks"). The
 * kernel's lock is a word of it, so who waits in a loop disturbs who gives it back, and the others that wait.
 *
 * The code before a take or a release of the lock ends with that access. So an access that has to wait is code that
 * ends later. */
#include "engine_private.h"

bool es_predict_lock_loops(const engine *e)
{
    return e->trace->costs.spin.clocks && !e->machine->free_kernel;
}

/* The core's code ends with an access to the lock. */
static bool ends_with_lock(const engine *e, unsigned c)
{
    const processor *k = &e->cores[c];
    const token *t = &e->threads[k->thread == ES_PREDICT_NONE ? 0 : k->thread];
    switch (k->state) {
    case CORE_RUN: {
        uint32_t event = e->steps->of[t->stream][t->at].event;
        return event != ES_PREDICT_NONE && (k->thread || e->trace->events[event].kind != ES_PREDICT_END);
    }
    case CORE_HOLD: return !k->waits;
    case CORE_AFTER: return t->again;
    case CORE_SPIN:
    case CORE_TAKE:
    case CORE_PARK:
    case CORE_TRAP:
    case CORE_KEEP:
    case CORE_WAKE: return true;
    default: return false;
    }
}

static unsigned turn_of(const engine *e, unsigned c)
{
    return (c + 2 * e->machine->cores - e->lock_last - 1) % e->machine->cores;
}

/* How long it has the port. */
static uint64_t access_of(const engine *e, unsigned c)
{
    return e->cores[c].tick + e->machine->wait * e->scale;
}

/* Up to when the access has to wait, if it does not come now; 0: it comes. */
static uint64_t delayed(const engine *e, unsigned c, uint64_t access)
{
    uint64_t until = 0;
    bool now = false;
    if (e->lock_used && e->now < e->lock_end + access)
        return e->lock_end + access;
    for (unsigned other = 0; other < e->machine->cores; other++) {
        const processor *o = &e->cores[other];
        if (turn_of(e, other) >= turn_of(e, c) || !ends_with_lock(e, other))
            continue;
        now |= o->until == e->now;
        if (o->queued == o->until && o->until > e->now && o->until + access > until)
            until = o->until + access; /* a faster core must not overtake it each time */
    }
    return now ? e->now + access : until;
}

bool es_predict_lock_is_late(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    if (!es_predict_lock_loops(e) || !ends_with_lock(e, c))
        return false;
    uint64_t until = delayed(e, c, access_of(e, c));
    if (until) {
        k->until = k->queued = until;
        return true;
    }
    e->lock_used = true;
    e->lock_end = e->now;
    e->lock_last = c;
    return false;
}

void es_predict_lock_skip(engine *e, unsigned c)
{
    uint64_t next = NEVER, period = e->cores[c].until - e->now, longest = 0;
    if (e->walking || e->cores[c].until == NEVER || !period)
        return;
    for (unsigned other = 0; other < e->machine->cores; other++) {
        const processor *o = &e->cores[other];
        uint64_t access = access_of(e, other);
        longest = access > longest ? access : longest;
        if (other != c && o->until < next)
            next = o->until;
        if (o->cut_at < next)
            next = o->cut_at;
    }
    uint64_t rings = es_predict_timer_rings(e);
    next = rings < next ? rings : next;
    /* whose access is long is delayed by the last turns before it */
    if (next != NEVER && next > e->cores[c].until + longest)
        e->cores[c].until = e->now + (next - longest - e->now) / period * period;
}
