/* What cores do in the kernel: its lock, events, the next thread. */
#include <string.h>

#include "engine_private.h"

/* --- what is told ----------------------------------------------------------------------------- */

static void count_wait(es_predict_waiting *w, uint64_t ticks)
{
    w->ticks += ticks;
    if (ticks > w->worst)
        w->worst = ticks;
}

/* --- the kernel's lock ------------------------------------------------------------------------ */

static void grant(engine *e, unsigned c);

static void spin(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    k->turn = e->turns++;
    k->until = NEVER;
    if (es_predict_lock_loops(e)) {
        es_predict_start_section(e, c, &e->trace->costs.spin, 0);
        es_predict_lock_skip(e, c);
    }
}

static void ask_kernel(engine *e, unsigned c, enum core_intent intent)
{
    e->cores[c].intent = intent;
    es_predict_enter(e, c, CORE_SPIN);
    if (e->holder == ES_PREDICT_NONE)
        grant(e, c);
    else
        spin(e, c);
}

/* The lock is free. Who waits for it looks again: at the next turn of its loop, or at once in the order of asking where
 * there is no loop. */
static void release(engine *e)
{
    unsigned first = ES_PREDICT_CORES;
    e->holder = ES_PREDICT_NONE;
    for (unsigned c = 0; c < e->machine->cores && !es_predict_lock_loops(e); c++) {
        processor *k = &e->cores[c];
        if (k->state == CORE_SPIN && (first == ES_PREDICT_CORES || k->turn < e->cores[first].turn))
            first = c;
    }
    if (first < ES_PREDICT_CORES)
        grant(e, first);
}

/* --- threads on cores ------------------------------------------------------------------------- */

static const es_predict_section *way_to_next(const engine *e, unsigned c, enum es_predict_next how)
{
    const es_predict_costs *costs = &e->trace->costs;
    return e->cores[c].scheduled || !costs->begin.clocks ? &costs->next[how] : &costs->next_first[how];
}

/* A core that needs a thread, and has looked what has arrived. Up to giving the lock back. */
static void take(engine *e, unsigned c, enum es_predict_next how)
{
    processor *k = &e->cores[c];
    bool late = es_predict_is_late(e);
    if (late && es_predict_finds_item(e, c))
        return; /* then it looks again */
    uint32_t next = es_predict_ready_take(e, c);
    es_predict_enter(e, c, next == ES_PREDICT_NONE ? CORE_PARK : CORE_TAKE);
    k->thread = next;
    k->asked = false;
    if (next != ES_PREDICT_NONE)
        e->threads[next].state = THREAD_RUNNING;
    how += next == ES_PREDICT_NONE ? ES_PREDICT_TAKE_NONE - ES_PREDICT_TAKE : 0;
    es_predict_section rest = *way_to_next(e, c, how);
    if (late)
        rest = es_predict_after_look(e, how, &rest);
    es_predict_start_section(e, c, &rest, 0);
    k->scheduled = true;
}

/* A core that needs a thread, and has the kernel's lock. */
static void dispatch(engine *e, unsigned c, enum es_predict_next how)
{
    if (!es_predict_is_late(e) || !es_predict_look(e, c, how, way_to_next(e, c, how)))
        take(e, c, how);
}

static void tell_cause(engine *e, unsigned c)
{
    const token *t = &e->threads[e->cores[c].thread];
    e->result->ready_ticks += e->now - t->woken;
    if (t->by != ES_PREDICT_NONE && t->kind != ES_PREDICT_FORK && t->kind != ES_PREDICT_YIELD && !t->cut)
        count_wait(&e->result->objects[t->object == ES_PREDICT_NONE ? e->trace->object_count : t->object],
                   t->woken - t->asked);
    if (!e->listener || !e->listener->cause)
        return;
    es_predict_cause cause = {.asked = t->asked,
                              .woken = t->woken,
                              .resumed = e->now,
                              .thread = e->cores[c].thread,
                              .step = t->kind == ES_PREDICT_FORK ? ES_PREDICT_NONE : (uint32_t)t->at,
                              .by = t->by,
                              .by_step = t->by_step,
                              .object = t->object};
    e->listener->cause(e->listener->context, &cause);
}

/* The core has a thread, and gives the lock back. The thread goes on after what it has waited in. */
static void resume(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    uint8_t kind = t->kind;
    const es_predict_costs *costs = &e->trace->costs;
    es_predict_slice_begins(e, c, costs->slice_after);
    tell_cause(e, c);
    if (!t->cut && !t->again && kind != ES_PREDICT_FORK)
        t->at++;
    t->kind = ES_PREDICT_YIELD;
    release(e);
    es_predict_enter(e, c, CORE_AFTER);
    if (kind == ES_PREDICT_FORK)
        k->until = e->now;
    else
        es_predict_start_after(e, c, kind, true);
}

static void give_way(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    t->woken = t->asked = e->now;
    t->by = ES_PREDICT_NONE;
    t->object = ES_PREDICT_NONE;
    es_predict_ready_put(e, k->thread, c);
    e->fresh--; /* this core will see to one */
    e->result->preemptions++;
    dispatch(e, c, ES_PREDICT_TAKE);
}

/* The event of the core's thread, now that it has the lock. */
static void do_event(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    const es_predict_costs *costs = &e->trace->costs;
    uint32_t woken;
    unsigned lists = es_predict_event_lists(e, c);
    es_predict_enter(e, c, CORE_HOLD);
    t->asked = e->now;
    e->ask_count = 0;
    k->waits = es_predict_event_done(e, c, &woken);
    e->result->events++;
    if (t->state == THREAD_RUNNING && k->waits)
        t->state = THREAD_WAITS;
    es_predict_waiting *w = &e->result->objects[t->object == ES_PREDICT_NONE ? e->trace->object_count : t->object];
    w->waits += k->waits && t->kind != ES_PREDICT_END;
    w->passes += !k->waits;
    unsigned how = (k->waits ? ES_PREDICT_WAITS : 0) | (woken ? ES_PREDICT_WAKES : 0);
    how |= es_predict_event_way(t->kind, how, lists);
    const es_predict_section *hold = &costs->hold[t->kind][how];
    uint32_t first = t->kind == ES_PREDICT_BROADCAST ? 1 : t->kind == ES_PREDICT_BARRIER ? e->steps->meet - 1 : woken;
    uint64_t more = woken > first ? (woken - first) * (uint64_t)costs->wake : 0;
    more += (uint64_t)e->passed * costs->pass;
    uint32_t tail = costs->tails[t->kind][how] ? costs->tails[t->kind][how] : costs->tail;
    es_predict_hold(e, c, hold, more, tail);
}

/* The core has got the kernel's lock. */
static void grant(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    uint64_t waited = e->now - k->began;
    e->holder = c;
    e->result->lock.passes += !waited;
    e->result->lock.waits += waited > 0;
    count_wait(&e->result->lock, waited);
    es_predict_stop(e, c);
    if (k->intent == INTENT_EVENT) {
        do_event(e, c);
    } else if (k->intent == INTENT_PICK) {
        dispatch(e, c, ES_PREDICT_PICK);
    } else {
        es_predict_has_trapped(e, c);
    }
}

/* --- what comes next -------------------------------------------------------------------------- */

static void own_code_has_ended(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    uint32_t event = e->steps->of[t->stream][t->at].event;
    e->cuts = 0;
    if (event == ES_PREDICT_NONE) {
        t->at++;
        es_predict_run_step(e, c);
    } else if (!k->thread && e->trace->events[event].kind == ES_PREDICT_END) {
        es_predict_enter(e, c, CORE_IDLE);
        e->over = true; /* main has returned: the program has ended */
    } else {
        ask_kernel(e, c, INTENT_EVENT);
    }
}

void es_predict_code_has_ended(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread == ES_PREDICT_NONE ? 0 : k->thread]; /* of who has none it is not looked at */
    uint64_t rings = k->rung + e->machine->bell * e->scale;
    if (es_predict_lock_is_late(e, c))
        return;
    switch (k->state) {
    case CORE_RUN: own_code_has_ended(e, c); return;
    case CORE_SPIN:
        if (e->holder == ES_PREDICT_NONE)
            grant(e, c);
        else
            spin(e, c);
        return;
    case CORE_HOLD:
        es_predict_wake_now(e);
        if (k->waits) {
            dispatch(e, c, ES_PREDICT_TAKE);
            return;
        }
        t->at++;
        release(e);
        es_predict_enter(e, c, CORE_AFTER);
        es_predict_start_after(e, c, t->kind, false);
        return;
    case CORE_LOOK: take(e, c, k->found_by); return;
    case CORE_TRAP: ask_kernel(e, c, INTENT_SLICE); return;
    case CORE_KEEP:
        release(e);
        es_predict_keep_thread(e, c);
        return;
    case CORE_KEPT: es_predict_thread_kept(e, c); return;
    case CORE_CUT: give_way(e, c); return;
    case CORE_TAKE: resume(e, c); return;
    case CORE_AFTER:
        if (t->cut) {
            es_predict_go_on(e, c);
        } else if (t->again) {
            t->again = false;
            ask_kernel(e, c, INTENT_EVENT);
        } else {
            es_predict_run_step(e, c);
        }
        return;
    case CORE_PARK:
        es_predict_enter(e, c, CORE_DOZE);
        if (k->due != NEVER &&
            e->machine->scheduler == ES_PREDICT_PREEMPTIVE) { /* asked when it has no thread any more */
            k->woken = true;
            k->rung = k->due > e->machine->bell * e->scale ? k->due - e->machine->bell * e->scale : 0;
        }
        k->due = NEVER;
        release(e);
        es_predict_start_section(e, c, &e->trace->costs.doze, 0);
        return;
    case CORE_DOZE:
        es_predict_enter(e, c, CORE_IDLE);
        k->until = !k->woken ? NEVER : rings > e->now ? rings : e->now;
        return;
    case CORE_IDLE:
        k->woken = false;
        es_predict_enter(e, c, CORE_WAKE);
        es_predict_start_section(e, c, k->fresh ? &e->trace->costs.notice_first : &e->trace->costs.notice, 0);
        k->fresh = false;
        return;
    case CORE_WAKE: ask_kernel(e, c, INTENT_PICK); return;
    }
}
