/* Code on a core: for a port each, its length; for one port, access by access.
 *
 * The port is es_target_arbiter's: a request stands until it has its turn, the next core after the last one goes first,
 * an access takes 1 + wait clocks. The core's next request comes as its code says after the access. */
#include <string.h>

#include "engine_private.h"

enum { WHEEL = 256 };

static void ask_at(engine *e, unsigned c, uint64_t time)
{
    e->wheel[time % WHEEL] |= 1u << c;
}

enum { PLAIN = 5 };

/* Code of which only the length is known: nine clocks with five accesses, again and again. */
static const uint8_t plain[PLAIN] = {ES_PREDICT_FETCH | 2, 1, ES_PREDICT_FETCH | 2, ES_PREDICT_FETCH | 2,
                                     ES_PREDICT_FETCH | 2};

/* The core goes on with such code, as long as there is more. False: there is none. */
static bool walk_more(processor *k)
{
    uint64_t clocks = 0;
    size_t count = 0;
    while (count < PLAIN && clocks + (plain[count] & ES_PREDICT_GAP) <= k->more)
        clocks += plain[count++] & ES_PREDICT_GAP;
    k->more -= clocks;
    k->walk_at.item_end = k->walk_at.item; /* nothing after it */
    k->walk_at.gap = plain;
    k->walk_at.gap_end = plain + count;
    return count > 0;
}

void es_predict_walk_on(engine *e, unsigned c, const walk *from, uint64_t after)
{
    processor *k = &e->cores[c];
    k->walk_at = *from;
    k->walks = true;
    k->until = NEVER;
    e->walking++;
    ask_at(e, c, e->now + after);
}

void es_predict_start(engine *e, unsigned c, const way *what)
{
    processor *k = &e->cores[c];
    if (e->machine->memory == ES_PREDICT_PORTS || !what->count) { /* how long it takes is known */
        k->until = e->now + (what->clocks + what->more) * k->tick +
                   (what->accesses + es_predict_more_accesses(what->more)) * e->machine->wait * e->scale;
        return;
    }
    walk w = {.item = what->items, .item_end = what->items + what->count};
    es_predict_enter_block(e, &w);
    k->more = what->more;
    if (w.gap == w.gap_end && !es_predict_next_block(e, &w)) {
        k->until = e->now + k->more;
        return;
    }
    es_predict_walk_on(e, c, &w, what->late);
}

uint64_t es_predict_stop(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    uint64_t after = 0;
    if (!k->walks)
        return 0;
    k->walks = false;
    e->walking--;
    e->pending &= ~(1u << c);
    for (unsigned i = 0; i < WHEEL; i++) {
        uint32_t *slot = &e->wheel[(e->now + i) % WHEEL];
        if (*slot >> c & 1)
            after = i;
        *slot &= ~(1u << c);
    }
    return after;
}

static unsigned first_after(uint32_t requests, unsigned last)
{
    uint32_t after = last >= 31 ? 0 : requests >> (last + 1) << (last + 1);
    return (unsigned)__builtin_ctz(after ? after : requests);
}

/* The core goes aside to ring, where a thread has become ready and another core is idle, or asked to let it run: what
 * it walks then. */
static void goes_aside(engine *e, processor *k)
{
    const es_predict_section *ring = &e->trace->costs.ring;
    while (k->rings && !k->aside && k->left <= k->ring_last + (k->rings - 1) * k->ring_apart) {
        k->ring_ask = es_predict_asked_for(e, k->ring_count - k->rings--);
        if (k->ring_ask == ES_PREDICT_CORES && !es_predict_idle(e))
            continue;
        k->aside = true;
        k->back = k->walk_at;
        k->back_more = k->more;
        k->more = ring->count ? 0 : e->trace->costs.bell;
        k->walk_at = (walk){.item = e->trace->kernel_items + ring->first};
        k->walk_at.item_end = k->walk_at.item + ring->count;
        if (ring->count)
            es_predict_enter_block(e, &k->walk_at);
    }
}

/* It has rung, at a time, and goes on where it was. Returns when the core that hears it does so. */
static uint64_t comes_back(engine *e, processor *k, uint64_t time)
{
    uint64_t hears = time + e->machine->bell * e->scale;
    k->aside = false;
    k->walk_at = k->back;
    k->more = k->back_more;
    if (k->ring_ask == ES_PREDICT_CORES)
        return es_predict_wake_core(e, time) ? hears : NEVER;
    es_predict_interrupt_at(e, k->ring_ask, hears + e->scale);
    return hears;
}

/* The access under way at t has the port. Returns when the core's code has ended by it, or another core hears what it
 * has rung, else NEVER. */
static uint64_t go_on(engine *e, unsigned c, uint64_t t)
{
    processor *k = &e->cores[c];
    walk *w = &k->walk_at;
    uint64_t gap = *w->gap++ & ES_PREDICT_GAP, next = t + e->machine->wait + gap, heard = NEVER;
    if (!k->aside)
        k->left = k->left > gap ? k->left - gap : 0;
    k->closed -= k->closed > 0;
    if (k->slice_in && !--k->slice_in)
        k->due = next + (uint64_t)e->machine->quantum;
    for (;;) {
        if (k->rings)
            goes_aside(e, k);
        if (w->gap != w->gap_end || es_predict_next_block(e, w) || walk_more(k)) {
            ask_at(e, c, next);
            return heard;
        }
        if (!k->aside)
            break;
        next += k->more;
        uint64_t hears = comes_back(e, k, next);
        heard = hears < heard ? hears : heard;
    }
    k->walks = false;
    k->until = next + k->more;
    e->walking--;
    return k->until < heard ? k->until : heard;
}

void es_predict_port(engine *e, uint64_t limit)
{
    uint32_t pending = e->pending, wait = e->machine->wait;
    uint8_t own = ES_PREDICT_DEVICE | (e->machine->memory == ES_PREDICT_DATA ? ES_PREDICT_FETCH : 0);
    uint64_t t = e->now, ends;
    bool cut = false;
    for (; t < limit && e->walking; t++) {
        uint32_t arrived = e->wheel[t % WHEEL];
        e->wheel[t % WHEEL] = 0;
        for (; arrived; arrived &= arrived - 1) {
            unsigned c = (unsigned)__builtin_ctz(arrived);
            if (e->cores[c].due <= t && es_predict_cuts_walk(e, c, t))
                cut = true;
            else if (!(*e->cores[c].walk_at.gap & own))
                pending |= 1u << c;
            else if ((ends = go_on(e, c, t)) < limit)
                limit = ends;
        }
        if (cut) /* before the port is granted */
            break;
        if (!pending || t < e->port)
            continue;
        unsigned c = first_after(pending, e->last);
        pending &= ~(1u << c);
        e->last = c;
        e->port = t + 1 + wait;
        if ((ends = go_on(e, c, t)) < limit)
            limit = ends;
    }
    e->pending = pending;
    e->now = t;
}
