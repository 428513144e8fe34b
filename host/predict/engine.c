#include "predict/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine_private.h"

/* --- what is told ----------------------------------------------------------------------------- */

/* What core c has done until now; it goes on with `state`. */
static void enter(engine *e, unsigned c, enum core_state state)
{
    processor *k = &e->cores[c];
    uint64_t took = e->now - k->began;
    static const uint8_t doing[] = {
        [CORE_IDLE] = ES_PREDICT_IDLES,  [CORE_RUN] = ES_PREDICT_RUNS,    [CORE_SPIN] = ES_PREDICT_SPINS,
        [CORE_HOLD] = ES_PREDICT_KERNEL, [CORE_PICK] = ES_PREDICT_KERNEL, [CORE_SWITCHED] = ES_PREDICT_KERNEL,
        [CORE_PARK] = ES_PREDICT_KERNEL};
    uint64_t *sums[] = {[ES_PREDICT_RUNS] = &e->result->runs[c],
                        [ES_PREDICT_KERNEL] = &e->result->kernel[c],
                        [ES_PREDICT_SPINS] = &e->result->spins[c]};
    if (doing[k->state] != ES_PREDICT_IDLES)
        *sums[doing[k->state]] += took;
    if (e->listener && e->listener->stretch && took) {
        uint32_t step = k->thread == ES_PREDICT_NONE ? 0 : (uint32_t)e->threads[k->thread].at;
        es_predict_stretch stretch = {k->began, e->now, k->thread, step, (uint16_t)c, doing[k->state]};
        e->listener->stretch(e->listener->context, &stretch);
    }
    k->state = state;
    k->began = e->now;
}

static es_predict_waiting *waiting_of(engine *e, uint32_t object)
{
    return &e->result->objects[object == ES_PREDICT_NONE ? e->trace->object_count : object];
}

static void count_wait(es_predict_waiting *w, uint64_t ticks)
{
    w->ticks += ticks;
    if (ticks > w->worst)
        w->worst = ticks;
}

/* --- the kernel's lock ------------------------------------------------------------------------ */

static void start_section(engine *e, unsigned c, const es_predict_section *s, uint32_t times)
{
    way what = {.items = e->trace->kernel_items + s->first, .count = s->count};
    if (e->machine->free_kernel) {
        e->cores[c].until = e->now;
        return;
    }
    for (uint32_t i = 0; i < s->count; i++)
        what.accesses += e->trace->blocks[what.items[i]].accesses;
    what.clocks = s->clocks;
    if (times > 1 && e->machine->memory == ES_PREDICT_PORTS) {
        what.clocks *= times;
        what.accesses *= times;
    }
    if (e->machine->kernel) {
        what.clocks = what.clocks * e->machine->kernel / 100;
        what.accesses = what.accesses * e->machine->kernel / 100;
    }
    es_predict_start(e, c, &what, NULL);
}

/* The first of a loop's ends that is not before now. */
static uint64_t next_poll(const engine *e, uint64_t base, uint64_t period)
{
    return period ? base + (e->now - base + period - 1) / period * period : e->now;
}

static uint64_t period_of(const engine *e, unsigned c, const es_predict_section *s)
{
    uint64_t accesses = 0;
    if (e->machine->free_kernel)
        return 0;
    for (uint32_t i = 0; i < s->count; i++)
        accesses += e->trace->blocks[e->trace->kernel_items[s->first + i]].accesses;
    return s->clocks * e->cores[c].tick + accesses * e->machine->wait * e->scale;
}

static void grant(engine *e, unsigned c);

static void spin(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    const es_predict_section *s = &e->trace->costs.spin;
    k->base = e->now;
    k->until = NEVER;
    if (e->machine->memory == ES_PREDICT_ONE && s->count && !e->machine->free_kernel)
        start_section(e, c, s, 1);
}

static void ask_kernel(engine *e, unsigned c, enum core_intent intent)
{
    e->cores[c].intent = intent;
    enter(e, c, CORE_SPIN);
    if (e->holder == ES_PREDICT_NONE)
        grant(e, c);
    else
        spin(e, c);
}

/* Who waits for the lock looks again: at its next turn of the loop, or in the order of asking where there is none. */
static void lock_is_free(engine *e)
{
    unsigned first = ES_PREDICT_CORES;
    bool loops = e->trace->costs.spin.clocks && !e->machine->free_kernel;
    for (unsigned c = 0; c < e->machine->cores; c++) {
        processor *k = &e->cores[c];
        if (k->state != CORE_SPIN || (loops && e->machine->memory == ES_PREDICT_ONE))
            continue;
        if (loops)
            k->until = next_poll(e, k->base, period_of(e, c, &e->trace->costs.spin));
        else if (first == ES_PREDICT_CORES || k->base < e->cores[first].base)
            first = c;
    }
    if (first < ES_PREDICT_CORES)
        grant(e, first);
}

static void release(engine *e, unsigned c)
{
    (void)c;
    e->holder = ES_PREDICT_NONE;
    lock_is_free(e);
}

/* --- threads on cores ------------------------------------------------------------------------- */

static void run_step(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    const es_predict_step *step = &e->steps->of[k->thread][t->at];
    enter(e, c, CORE_RUN);
    if (t->cut) {
        t->cut = false;
        if (t->walks)
            es_predict_walk_on(e, c, &t->rest, t->left);
        else
            k->until = e->now + (t->left * k->tick + t->tick - 1) / t->tick;
        return;
    }
    e->result->firings += step->count;
    way what = {step->clocks, step->accesses, e->trace->threads[k->thread].items + step->first, step->count};
    es_predict_start(e, c, &what, NULL);
}

/* Its thread is interrupted where it is. */
static void cut_step(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    t->cut = true;
    t->kind = ES_PREDICT_YIELD;
    t->walks = k->walks;
    if (k->walks) {
        t->left = es_predict_stop(e, c);
        t->rest = k->walk_at;
    } else {
        t->left = k->until - e->now;
        t->tick = k->tick;
    }
}

/* A core that needs a thread, and has the kernel's lock. */
static void dispatch(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    uint32_t next = es_predict_ready_take(e, c);
    if (next == ES_PREDICT_NONE) {
        enter(e, c, CORE_PARK);
        k->thread = ES_PREDICT_NONE;
        start_section(e, c, &e->trace->costs.idle, 1);
        return;
    }
    enter(e, c, CORE_SWITCHED);
    k->thread = next;
    e->threads[next].state = THREAD_RUNNING;
    start_section(e, c, &e->trace->costs.switched[e->threads[next].kind], 1);
}

static void tell_cause(engine *e, unsigned c)
{
    token *t = &e->threads[e->cores[c].thread];
    e->result->ready_ticks += e->now - t->woken;
    if (e->listener && e->listener->cause) {
        es_predict_cause cause = {t->asked,
                                  t->woken,
                                  e->now,
                                  e->cores[c].thread,
                                  t->kind == ES_PREDICT_FORK && !t->at ? ES_PREDICT_NONE : (uint32_t)t->at,
                                  t->by,
                                  t->by_step,
                                  t->object};
        e->listener->cause(e->listener->context, &cause);
    }
}

/* The thread on whose stack the core is now goes on after what it has waited in. */
static void resume(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    k->slice = e->now + (uint64_t)e->machine->quantum * e->scale;
    tell_cause(e, c);
    release(e, c);
    if (t->again) {
        t->again = false;
        ask_kernel(e, c, INTENT_EVENT);
        return;
    }
    if (!t->cut && t->kind != ES_PREDICT_FORK)
        t->at++;
    t->kind = ES_PREDICT_YIELD;
    run_step(e, c);
}

static void give_way(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    t->woken = t->asked = e->now;
    t->by = ES_PREDICT_NONE;
    t->object = ES_PREDICT_NONE;
    es_predict_ready_add(e, k->thread, c);
    e->result->preemptions++;
    dispatch(e, c);
}

/* The core has got the kernel's lock. */
static void grant(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    uint32_t woken = 0;
    uint64_t waited = e->now - k->began;
    e->holder = c;
    e->result->lock.passes += !waited;
    e->result->lock.waits += waited > 0;
    count_wait(&e->result->lock, waited);
    es_predict_stop(e, c);
    if (k->intent == INTENT_EVENT) {
        token *t = &e->threads[k->thread];
        enter(e, c, CORE_HOLD);
        t->asked = e->now;
        k->waits = es_predict_event_done(e, c, &woken);
        e->result->events++;
        if (t->state == THREAD_RUNNING && k->waits)
            t->state = THREAD_WAITS;
        es_predict_waiting *w = waiting_of(e, t->object);
        w->waits += k->waits && t->kind != ES_PREDICT_END;
        w->passes += !k->waits;
        es_predict_section hold = e->trace->costs.hold[t->kind][k->waits];
        if (woken > 1 && e->trace->costs.wake.clocks && e->machine->memory == ES_PREDICT_PORTS)
            hold.clocks += (woken - 1) * e->trace->costs.wake.clocks;
        start_section(e, c, &hold, 1);
    } else if (k->intent == INTENT_PICK && !e->ready_count) {
        enter(e, c, CORE_PARK);
        start_section(e, c, &e->trace->costs.empty, 1);
    } else {
        enter(e, c, CORE_PICK);
        start_section(e, c, &e->trace->costs.pick, 1);
    }
}

/* --- what comes next -------------------------------------------------------------------------- */

static void next_step(engine *e, unsigned c)
{
    token *t = &e->threads[e->cores[c].thread];
    t->at++;
    run_step(e, c);
}

static void poll(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    const es_predict_section *s = &e->trace->costs.poll;
    k->base = e->now;
    k->until = NEVER;
    if (e->machine->memory == ES_PREDICT_ONE && s->count && !e->machine->free_kernel)
        start_section(e, c, s, 1);
    else if (e->ready_count)
        k->until = e->now + period_of(e, c, s);
}

static void code_has_ended(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    switch (k->state) {
    case CORE_RUN:
        if (e->steps->of[k->thread][e->threads[k->thread].at].event == ES_PREDICT_NONE)
            next_step(e, c);
        else
            ask_kernel(e, c, INTENT_EVENT);
        return;
    case CORE_SPIN:
        if (e->holder == ES_PREDICT_NONE)
            grant(e, c);
        else
            spin(e, c);
        return;
    case CORE_HOLD:
        if (k->waits) {
            dispatch(e, c);
        } else {
            release(e, c);
            next_step(e, c);
        }
        return;
    case CORE_PICK:
        if (k->intent == INTENT_PICK)
            dispatch(e, c);
        else
            give_way(e, c);
        return;
    case CORE_SWITCHED: resume(e, c); return;
    case CORE_PARK:
        k->thread = ES_PREDICT_NONE;
        release(e, c);
        enter(e, c, CORE_IDLE);
        poll(e, c);
        return;
    case CORE_IDLE:
        if (e->ready_count)
            ask_kernel(e, c, INTENT_PICK);
        else
            poll(e, c);
        return;
    }
}

/* Threads have become ready. Idle cores see it at their next look; with no loop known, as many as are needed. */
static void look_for_idle(engine *e)
{
    uint64_t notice = e->machine->free_kernel ? 0 : e->trace->costs.notice * e->scale;
    uint32_t wanted = e->ready_count;
    e->polled = false;
    for (unsigned c = 0; c < e->machine->cores && wanted; c++) {
        processor *k = &e->cores[c];
        uint64_t period = period_of(e, c, &e->trace->costs.poll);
        if (k->state != CORE_IDLE || (period && e->machine->memory == ES_PREDICT_ONE))
            continue;
        uint64_t then = next_poll(e, k->base, period) + notice;
        if (then < k->until)
            k->until = then;
        wanted -= !period;
    }
}

/* A better thread is ready than the worst one that runs. */
static void look_for_worse(engine *e)
{
    uint32_t best = es_predict_ready_best(e);
    unsigned worst = ES_PREDICT_CORES;
    if (best == ES_PREDICT_NONE)
        return;
    for (unsigned c = 0; c < e->machine->cores; c++) {
        const processor *k = &e->cores[c];
        if (k->state == CORE_IDLE || (k->state == CORE_SPIN && k->intent != INTENT_EVENT) || k->state == CORE_PICK)
            return; /* it will be taken */
        if (k->state == CORE_RUN &&
            (worst == ES_PREDICT_CORES || e->trace->threads[k->thread].priority >
                                              e->trace->threads[e->cores[worst].thread].priority))
            worst = c;
    }
    if (worst == ES_PREDICT_CORES ||
        e->trace->threads[e->cores[worst].thread].priority <= e->trace->threads[best].priority)
        return;
    cut_step(e, worst);
    ask_kernel(e, worst, INTENT_PREEMPT);
}

static void slice_is_over(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    if (!e->ready_count) {
        k->slice = e->now + (uint64_t)e->machine->quantum * e->scale;
        return;
    }
    cut_step(e, c);
    ask_kernel(e, c, INTENT_SLICE);
}

/* The core whose turn is next, with the time of it; slices only where they matter. */
static unsigned next_core(const engine *e, uint64_t *time, bool *slice)
{
    unsigned found = ES_PREDICT_CORES;
    *time = NEVER;
    *slice = false;
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (e->cores[c].until < *time) {
            *time = e->cores[c].until;
            found = c;
        }
    if (e->machine->scheduler == ES_PREDICT_ROUND)
        for (unsigned c = 0; c < e->machine->cores; c++)
            if (e->cores[c].state == CORE_RUN && e->cores[c].slice < *time && *time > e->now) {
                *time = e->cores[c].slice > e->now ? e->cores[c].slice : e->now;
                found = c;
                *slice = true;
            }
    return found;
}

static bool stuck(const engine *e, es_error *err)
{
    unsigned told = 0;
    es_fail(err, ES_USAGE, "after %" PRIu64 " clocks nothing goes on:", e->now / e->scale);
    for (size_t t = 0; t < e->trace->thread_count && told < 4; t++) {
        const token *w = &e->threads[t];
        char text[200];
        if (w->state != THREAD_WAITS)
            continue;
        const char *name = w->object == ES_PREDICT_NONE ? NULL : e->trace->objects[w->object].name;
        snprintf(text, sizeof text, "%s thread %zu waits in %s%s%s", told++ ? "," : "", t,
                 es_predict_kind_name(w->kind), name ? " for " : "", name ? name : "");
        strncat(err->text, text, sizeof err->text - strlen(err->text) - 1);
    }
    return false;
}

/* All cores are idle, and nothing will be there for them. */
static bool nobody_works(const engine *e)
{
    if (e->ready_count || e->timer_count)
        return false;
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (e->cores[c].state != CORE_IDLE)
            return false;
    return true;
}

/* False: nothing goes on. */
static bool advance(engine *e)
{
    uint64_t time;
    bool slice;
    unsigned c = next_core(e, &time, &slice);
    if (nobody_works(e))
        return false;
    const timer *due = e->timer_count ? &e->timers[e->timer_first] : NULL;
    bool timed = due && due->time <= time;
    if (timed)
        time = due->time;
    if (e->walking) {
        es_predict_port(e, time);
        if (e->now < time || c == ES_PREDICT_CORES)
            c = next_core(e, &time, &slice);
        timed = timed && e->now == due->time;
        if (!timed && time > e->now)
            return true;
    }
    if (timed) {
        uint32_t object = due->object;
        e->now = due->time > e->now ? due->time : e->now;
        e->timer_first = (e->timer_first + 1) % e->timer_room;
        e->timer_count--;
        es_predict_arrives(e, object);
    } else if (slice) {
        e->now = time;
        slice_is_over(e, c);
    } else {
        e->now = time;
        e->cores[c].until = NEVER;
        code_has_ended(e, c);
    }
    if (e->polled)
        look_for_idle(e);
    if (e->holder == ES_PREDICT_NONE && e->ready_count && e->machine->scheduler == ES_PREDICT_PRIORITY)
        look_for_worse(e);
    return true;
}

static void begin(engine *e)
{
    const es_predict_trace *trace = e->trace;
    e->threads = es_malloc(trace->thread_count * sizeof *e->threads);
    memset(e->threads, 0, trace->thread_count * sizeof *e->threads);
    for (size_t t = 0; t < trace->thread_count; t++)
        e->threads[t] = (token){.kind = ES_PREDICT_FORK, .object = ES_PREDICT_NONE, .by = ES_PREDICT_NONE};
    e->objects = es_malloc((trace->object_count + 1) * sizeof *e->objects);
    memset(e->objects, 0, (trace->object_count + 1) * sizeof *e->objects);
    for (size_t o = 0; o < trace->object_count; o++) {
        bool mutex = trace->objects[o].kind == ES_PREDICT_LOCK || trace->objects[o].kind == ES_PREDICT_UNLOCK;
        bool counts = trace->objects[o].kind == ES_PREDICT_ACQUIRE || trace->objects[o].kind == ES_PREDICT_RELEASE;
        e->objects[o].owner = mutex ? ES_PREDICT_NONE : 0;
        e->objects[o].value = counts ? trace->objects[o].value : 0;
    }
    e->alive = trace->thread_count;
    e->holder = ES_PREDICT_NONE;
    e->last = e->machine->cores - 1;
    for (unsigned c = 0; c < e->machine->cores; c++) {
        es_predict_speed speed = e->machine->speeds[c];
        e->cores[c] = (processor){.state = CORE_IDLE, .until = NEVER, .thread = ES_PREDICT_NONE};
        e->cores[c].tick = speed.over ? e->scale * speed.under / speed.over : e->scale;
    }
    e->cores[0].thread = 0;
    e->threads[0].state = THREAD_RUNNING;
    e->threads[0].kind = ES_PREDICT_YIELD;
    e->cores[0].slice = (uint64_t)e->machine->quantum * e->scale;
    run_step(e, 0);
    for (unsigned c = 1; c < e->machine->cores; c++)
        poll(e, c);
}

bool es_predict_run(const es_predict_steps *steps, const es_predict_machine *machine,
                    const es_predict_listener *listener, es_predict_result *result, es_error *err)
{
    engine e = {.trace = steps->trace, .steps = steps, .machine = machine, .listener = listener, .result = result};
    memset(result, 0, sizeof *result);
    if (!es_predict_machine_check(machine, err))
        return false;
    e.scale = es_predict_scale(machine);
    result->scale = (uint32_t)e.scale;
    result->object_count = steps->trace->object_count + 1;
    result->objects = es_malloc(result->object_count * sizeof *result->objects);
    memset(result->objects, 0, result->object_count * sizeof *result->objects);
    begin(&e);
    bool good = true;
    while (e.alive && good)
        good = advance(&e) || stuck(&e, err);
    result->makespan = e.now;
    free(e.threads);
    free(e.objects);
    free(e.timers);
    return good;
}

void es_predict_result_free(es_predict_result *result)
{
    free(result->objects);
    result->objects = NULL;
}
