/* Calls of the library, and its kernel at work. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "follow_private.h"

static uint32_t thread_of(const es_predict_follower *f, uint32_t pointer)
{
    for (size_t i = f->trace->thread_count; i-- > 0;)
        if (f->threads[i].pointer == pointer)
            return (uint32_t)i;
    return ES_PREDICT_NONE;
}

static const es_predict_object *about(const es_predict_follower *f, const es_predict_event *event)
{
    return event->object == ES_PREDICT_NONE ? NULL : &f->trace->objects[event->object];
}

void es_follow_enter_function(es_predict_follower *f, uint8_t kind)
{
    follow_thread *t = &f->threads[f->now];
    es_machine_registers r;
    es_follow_registers(f, &r);
    es_predict_event event = {.kind = kind, .object = ES_PREDICT_NONE, .arg = ES_PREDICT_NONE};
    if (es_predict_kind_has_object(kind))
        event.object = es_follow_number(f, r.x[10], kind);
    if (kind == ES_PREDICT_WAIT)
        event.arg = es_follow_number(f, r.x[11], ES_PREDICT_LOCK);
    if (kind == ES_PREDICT_BARRIER)
        event.arg = es_follow_word(f, r.x[10]);
    if (kind == ES_PREDICT_JOIN && (event.arg = thread_of(f, r.x[10])) == ES_PREDICT_NONE)
        es_follow_fail(f, "it joins a thread that it has not created");
    if (kind == ES_PREDICT_FORK)
        event.arg = r.x[10]; /* where it begins, until the call is over */
    t->phase = PHASE_BEFORE;
    t->kind = kind;
    t->ra = r.x[1];
    t->waited = false;
    t->event = es_predict_add_event(f->trace, event);
    if (f->sharing)
        es_predict_sharing_enter(f->sharing, f->now, &event, about(f, &event));
}

/* A thread has been created: its pointer is what the function returns. */
static void add_thread(es_predict_follower *f, es_predict_event *event, uint32_t pointer)
{
    uint32_t at = pointer + f->library->priority;
    uint8_t priority = 0;
    if (f->library->priority != ES_PREDICT_NONE)
        priority = (uint8_t)(es_follow_word(f, at & ~3u) >> 8 * (at & 3));
    uint32_t number = es_predict_add_thread(f->trace, event->arg, priority);
    if (number >= f->thread_room) {
        f->thread_room *= 2;
        f->threads = es_realloc(f->threads, f->thread_room * sizeof *f->threads);
    }
    f->threads[number] = (follow_thread){.pointer = pointer, .phase = PHASE_OWN};
    event->arg = number;
}

void es_follow_leave_function(es_predict_follower *f)
{
    follow_thread *t = &f->threads[f->now];
    t->phase = PHASE_OWN;
    es_follow_sample(f, &f->after[t->kind][t->waited], &f->buffer);
    f->buffer.count = f->buffer.clocks = 0;
    if (t->kind == ES_PREDICT_FORK && (t->made || !f->library->interrupted)) {
        es_machine_registers r;
        es_follow_registers(f, &r);
        t->made = 0;
        add_thread(f, &f->trace->events[t->event], r.x[10]);
    }
    const es_predict_event *event = &f->trace->events[f->threads[f->now].event];
    if (f->sharing)
        es_predict_sharing_leave(f->sharing, f->now, event, about(f, event));
}

/* A thread goes on whose maker was interrupted before it got back from making it. */
static uint32_t made_meanwhile(es_predict_follower *f, uint32_t pointer)
{
    for (size_t i = 0; i < f->trace->thread_count; i++) {
        follow_thread *t = &f->threads[i];
        if (t->made != pointer || t->phase != PHASE_TRAP || t->before != PHASE_AFTER)
            continue;
        t->made = 0;
        add_thread(f, &f->trace->events[t->event], pointer);
        return (uint32_t)f->trace->thread_count - 1;
    }
    return ES_PREDICT_NONE;
}

/* What the order of events says of an object. */
static void count_event(es_predict_follower *f, es_predict_event *event)
{
    follow_object *o = es_follow_object(f, event->object);
    switch (event->kind) {
    case ES_PREDICT_PUT:
        if (o->putter != ES_PREDICT_NONE && o->putter != f->now)
            f->trace->depends |= ES_PREDICT_ON_ITEMS;
        o->putter = f->now;
        break;
    case ES_PREDICT_GET:
        if (o->getter != ES_PREDICT_NONE && o->getter != f->now)
            f->trace->depends |= ES_PREDICT_ON_ITEMS;
        o->getter = f->now;
        break;
    case ES_PREDICT_WAIT:
        o->waiting++;
        f->trace->depends |= ES_PREDICT_ON_WAIT;
        break;
    case ES_PREDICT_SIGNAL:
    case ES_PREDICT_BROADCAST: {
        f->trace->depends |= ES_PREDICT_ON_WAIT;
        uint32_t told = event->kind == ES_PREDICT_SIGNAL && o->waiting > 1 ? 1 : o->waiting;
        event->arg = told;
        o->waiting -= told;
        break;
    }
    case ES_PREDICT_YIELD: f->trace->depends |= ES_PREDICT_ON_YIELD; break;
    default: break;
    }
}

enum { WAKES_UP = 2 }; /* clocks from the bell's ringing to the fetch after wfi */

/* What a thread has waited for was free for whoever came first: it tries again. */
static bool tries_again(const es_predict_follower *f)
{
    return f->now != ES_PREDICT_NONE && f->threads[f->now].phase == PHASE_AFTER && f->threads[f->now].waited;
}

static void has_lock(es_predict_follower *f)
{
    bool again = tries_again(f);
    if (f->now != ES_PREDICT_NONE && f->threads[f->now].phase == PHASE_TRAP)
        es_follow_trap_has_lock(f);
    if (again)
        es_follow_sample(f, &f->after[f->threads[f->now].kind][1], &f->buffer);
    f->had = f->clocks;
    f->had_accesses = f->accesses;
    if (f->sleeps) {
        f->buffer.clocks += WAKES_UP;
        es_follow_sample(f, f->notice_first.count ? &f->notice : &f->notice_first, &f->buffer);
    }
    f->sleeps = f->dozes = false;
    f->readied = 0;
    f->crowd = f->ready_count > 0;
    f->rang = f->ready_at = f->blocked_at = 0;
    f->took = false;
    f->buffer.count = f->buffer.clocks = 0;
    if (f->now == ES_PREDICT_NONE) {
        f->kernel = KERNEL_PICK;
        return;
    }
    follow_thread *t = &f->threads[f->now];
    if (t->phase != PHASE_BEFORE && t->phase != PHASE_TRAP && !again) {
        es_follow_fail(f, "the kernel's lock is taken outside of the functions that are known (docs/predict.md, "
                          "\"Libraries\")");
        return;
    }
    f->kernel = KERNEL_HOLD;
    if (again || t->phase == PHASE_TRAP)
        return;
    es_predict_event *event = &f->trace->events[t->event];
    if (es_predict_kind_has_object(t->kind) || t->kind == ES_PREDICT_YIELD)
        count_event(f, event);
    es_predict_add_item(&f->trace->threads[f->now], ES_PREDICT_IS_EVENT | t->event);
}

/* A barrier makes ready one thread after the other: of several sizes the smallest is kept. */
static bool is_kept(es_predict_follower *f, uint8_t kind, unsigned way)
{
    uint32_t *met = &f->met[way];
    es_predict_samples *s = &f->hold[kind][way];
    if (kind != ES_PREDICT_BARRIER || !f->readied)
        return true;
    if (*met && f->readied < *met)
        s->count = s->sum = 0;
    if (!s->count)
        *met = f->readied;
    return f->readied == *met;
}

static void end_hold(es_predict_follower *f, bool waits)
{
    follow_thread *t = &f->threads[f->now];
    unsigned way = es_follow_way(f, t, waits);
    es_follow_number_items(f, t, waits);
    if (waits)
        es_follow_passes(f);
    if (f->readied)
        es_follow_length(&f->from_ready[t->kind][way], f->clocks - f->ready_at);
    if (f->rang)
        es_follow_length(&f->belled, f->buffer.clocks);
    else if (t->kind == ES_PREDICT_BROADCAST && f->readied > 1 && f->apart.count)
        f->buffer.clocks -= (f->readied - 1) * (uint32_t)(f->apart.sum / f->apart.count);
    if (!f->rang && is_kept(f, t->kind, way))
        es_follow_sample(f, &f->hold[t->kind][way], &f->buffer);
    if (f->blocked_at && waits)
        es_follow_length(&f->block, f->clocks - f->blocked_at);
    f->buffer.count = f->buffer.clocks = 0;
    t->waited = waits;
    t->phase = PHASE_AFTER;
}

static void gives_back(es_predict_follower *f)
{
    if (f->rang)
        es_follow_length(&f->tail, f->clocks - f->rang);
    if (f->kernel == KERNEL_HOLD && f->threads[f->now].phase == PHASE_TRAP)
        es_follow_trap_keeps(f);
    else if (f->kernel == KERNEL_HOLD)
        end_hold(f, false);
    else if (f->kernel != KERNEL_OUT && !f->scheduled)
        es_follow_sample(f, &f->others[ES_PREDICT_SAMPLE_FIRST], &f->buffer);
    else if (f->kernel == KERNEL_TAKE)
        es_follow_sample(f, &f->others[f->took ? ES_PREDICT_SAMPLE_TAKE : ES_PREDICT_SAMPLE_IDLE], &f->buffer);
    else if (f->kernel == KERNEL_PICK)
        es_follow_sample(f, &f->others[f->took ? ES_PREDICT_SAMPLE_PICK : ES_PREDICT_SAMPLE_EMPTY], &f->buffer);
    f->dozes = f->kernel != KERNEL_OUT && f->kernel != KERNEL_HOLD && !f->took;
    f->scheduled = f->scheduled || f->kernel == KERNEL_TAKE || f->kernel == KERNEL_PICK;
    f->buffer.count = f->buffer.clocks = 0;
    f->kernel = KERNEL_OUT;
    es_follow_begin(f);
}

static void stops(es_predict_follower *f)
{
    if (f->kernel == KERNEL_HOLD && f->threads[f->now].phase == PHASE_TRAP)
        es_follow_trap_stops(f);
    else if (f->kernel == KERNEL_HOLD)
        end_hold(f, true);
    f->kernel = KERNEL_TAKE;
    f->had = f->clocks;
    f->had_accesses = f->accesses;
    f->took = false;
    f->now = ES_PREDICT_NONE;
}

static void goes_on(es_predict_follower *f, uint32_t pointer)
{
    uint32_t number = thread_of(f, pointer);
    if (number == ES_PREDICT_NONE)
        number = made_meanwhile(f, pointer);
    if (number == ES_PREDICT_NONE && !f->threads[0].pointer) { /* main gets its own */
        f->threads[0].pointer = pointer;
        number = 0;
    }
    if (number == ES_PREDICT_NONE && f->kernel != KERNEL_PICK)
        es_follow_fail(f, "a thread goes on that has not been created");
    f->now = number;
    f->took = true;
    if (number != ES_PREDICT_NONE)
        es_follow_take_number(f, &f->threads[number]);
    if (f->ready_count)
        f->ready_count--;
}

void es_follow_act(es_predict_follower *f)
{
    if (f->asked)
        has_lock(f);
    if (f->stopped)
        stops(f);
    if (f->resumed)
        goes_on(f, f->resumed_pointer);
    if (f->released)
        gives_back(f);
    if (f->trapped)
        es_follow_trap(f);
    f->asked = f->released = f->stopped = f->resumed = f->trapped = false;
}
