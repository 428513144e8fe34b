/* What an abstract event does to the things that threads share, and whether its thread has to wait. */
#include <stdlib.h>

#include "base/arena.h"
#include "engine_private.h"

static void wake(engine *e, uint32_t thread, unsigned by_core, bool again)
{
    token *t = &e->threads[thread];
    t->woken = e->now;
    t->again = again;
    t->by = by_core == ES_PREDICT_NONE ? ES_PREDICT_NONE : e->cores[by_core].thread;
    t->by_step = t->by == ES_PREDICT_NONE ? 0 : (uint32_t)e->threads[t->by].at;
    unsigned home = by_core == ES_PREDICT_NONE || t->state == THREAD_WAITS ? t->home : by_core;
    es_predict_ready_add(e, thread, home);
}

/* A mutex is given back: handed over, or free for whoever comes first. */
static uint32_t give_back(engine *e, shared *mutex, unsigned c)
{
    uint32_t next = es_predict_list_choose(e, &mutex->waiting);
    mutex->owner = ES_PREDICT_NONE;
    if (next == ES_PREDICT_NONE)
        return 0;
    if (!e->machine->barge)
        mutex->owner = next;
    wake(e, next, c, e->machine->barge);
    return 1;
}

/* A thread that has waited for a condition goes on when it has its mutex again. */
static uint32_t condition_holds(engine *e, uint32_t number, unsigned c)
{
    token *t = &e->threads[number];
    bool held = t->mutex != ES_PREDICT_NONE;
    shared *mutex = &e->objects[held ? t->mutex : e->trace->object_count];
    if (held && mutex->owner != ES_PREDICT_NONE) {
        es_predict_list_add(e, &mutex->waiting, number);
        return 0;
    }
    if (held)
        mutex->owner = number;
    wake(e, number, c, false);
    return 1;
}

/* It comes after all that are as good. */
static bool wait_here(engine *e, list *l, uint32_t number)
{
    const es_predict_thread *threads = e->trace->threads;
    uint32_t at = e->machine->order == ES_PREDICT_BEST && l->count ? l->head : ES_PREDICT_NONE;
    for (; at != ES_PREDICT_NONE; at = e->threads[at].next)
        e->passed += threads[at].priority <= threads[number].priority;
    es_predict_list_add(e, l, number);
    return true;
}

static bool wait_for_condition(engine *e, unsigned c, shared *o, const es_predict_event *event, uint32_t *woken)
{
    uint32_t number = e->cores[c].thread;
    if (o->value) { /* what it waits for has been told */
        o->value--;
        return false;
    }
    e->threads[number].mutex = event->arg;
    if (event->arg != ES_PREDICT_NONE && e->objects[event->arg].owner == number)
        *woken = give_back(e, &e->objects[event->arg], c);
    return wait_here(e, &o->waiting, number);
}

/* SIGNAL and BROADCAST; event->arg: threads that went on by it in the recorded run. */
static void tell_condition(engine *e, unsigned c, shared *o, const es_predict_event *event, uint32_t *woken)
{
    uint32_t most = event->kind == ES_PREDICT_SIGNAL ? 1 : UINT32_MAX, told = 0, number;
    while (told < most && (number = es_predict_list_choose(e, &o->waiting)) != ES_PREDICT_NONE) {
        *woken += condition_holds(e, number, c);
        told++;
    }
    if (event->arg != ES_PREDICT_NONE && event->arg > told)
        o->value += event->arg - told;
}

bool es_predict_goes_on_untold(engine *e)
{
    shared *first = NULL;
    bool counts = false;
    for (size_t i = 0; i < e->trace->object_count; i++) {
        uint8_t kind = e->trace->objects[i].kind;
        shared *o = &e->objects[i];
        bool condition = kind == ES_PREDICT_WAIT || kind == ES_PREDICT_SIGNAL || kind == ES_PREDICT_BROADCAST;
        bool semaphore = kind == ES_PREDICT_ACQUIRE || kind == ES_PREDICT_RELEASE;
        if (!condition && !(semaphore && e->trace->depends & ES_PREDICT_ON_ANYBODY))
            continue;
        if (o->waiting.count && (!first || e->threads[o->waiting.head].asked < e->threads[first->waiting.head].asked)) {
            first = o;
            counts = semaphore;
        }
    }
    if (!first)
        return false;
    uint32_t number = first->waiting.head;
    es_predict_list_remove(e, &first->waiting, number);
    first->ahead += counts;
    if (counts)
        wake(e, number, ES_PREDICT_NONE, false);
    else
        condition_holds(e, number, ES_PREDICT_NONE);
    return true;
}

/* Items go in and out in the order of being put: which it is, as the recorded run's number of it. */
static void item_goes_in(engine *e, uint32_t number, uint32_t putter)
{
    shared *o = &e->objects[number];
    const token *t = &e->threads[putter];
    if (!e->steps->items[number].count)
        return;
    if (o->owner == o->room) {
        uint32_t room = o->room ? 2 * o->room : 16;
        uint32_t *more = es_malloc(room * sizeof *more);
        for (uint32_t i = 0; i < o->room; i++)
            more[i] = o->items[(o->first + i) % o->room];
        free(o->items);
        o->items = more;
        o->first = 0;
        o->room = room;
    }
    o->items[(o->first + o->owner) % o->room] = e->trace->events[e->steps->of[t->stream][t->at].event].arg;
}

/* The thread that has got the first one goes on with what was done with it. */
static void item_goes_out(engine *e, uint32_t number, uint32_t getter)
{
    shared *o = &e->objects[number];
    const es_predict_items *items = &e->steps->items[number];
    if (!items->count)
        return;
    uint32_t item = o->items[o->first];
    o->first = (o->first + 1) % o->room;
    if (item < items->count) {
        e->threads[getter].stream = items->places[item].thread;
        e->threads[getter].at = items->places[item].step;
    }
}

static uint32_t item_is_there(engine *e, uint32_t number, unsigned c);

/* The library's ring goes on. */
static void next_place(const engine *e, uint32_t number)
{
    shared *o = &e->objects[number];
    o->next = o->next + 1 < e->trace->objects[number].value ? o->next + 1 : 0;
}

/* There is room for another item: who waits with one puts it in. */
static uint32_t room_is_there(engine *e, uint32_t number, unsigned c)
{
    shared *o = &e->objects[number];
    uint32_t putter = es_predict_list_choose(e, &o->waiting);
    if (putter == ES_PREDICT_NONE)
        return 0;
    wake(e, putter, c, e->machine->barge);
    if (e->machine->barge)
        return 1;
    item_goes_in(e, number, putter);
    o->owner++;
    if (!es_predict_is_late(e))
        return 1 + item_is_there(e, number, c);
    es_predict_sends(e, number);
    return 1;
}

/* An item is there to be got. */
static uint32_t item_is_there(engine *e, uint32_t number, unsigned c)
{
    shared *o = &e->objects[number];
    uint32_t getter = es_predict_list_choose(e, &o->getters);
    if (getter == ES_PREDICT_NONE || e->machine->barge)
        o->value++;
    if (getter == ES_PREDICT_NONE)
        return 0;
    wake(e, getter, c, e->machine->barge);
    if (e->machine->barge)
        return 1;
    item_goes_out(e, number, getter);
    o->owner--;
    if (es_predict_is_late(e)) /* it was in it, else it has come without */
        next_place(e, number);
    return 1 + room_is_there(e, number, c);
}

uint32_t es_predict_arrives(engine *e, uint32_t object)
{
    return item_is_there(e, object, ES_PREDICT_NONE);
}

/* owner counts what was put and not got, value what of it can be got. */
static bool put(engine *e, unsigned c, uint32_t number, uint32_t *woken)
{
    shared *o = &e->objects[number];
    uint32_t capacity = e->trace->objects[number].value;
    if (capacity && o->owner >= capacity)
        return wait_here(e, &o->waiting, e->cores[c].thread);
    item_goes_in(e, number, e->cores[c].thread);
    o->owner++;
    if (es_predict_is_late(e))
        es_predict_sends(e, number);
    else
        *woken = item_is_there(e, number, c);
    return false;
}

static bool get(engine *e, unsigned c, uint32_t number, uint32_t *woken)
{
    shared *o = &e->objects[number];
    if (!o->value)
        return wait_here(e, &o->getters, e->cores[c].thread);
    item_goes_out(e, number, e->cores[c].thread);
    o->value--;
    o->owner--;
    next_place(e, number);
    *woken = room_is_there(e, number, c);
    return false;
}

static bool acquire(engine *e, unsigned c, shared *o)
{
    if (!o->value)
        return wait_here(e, &o->waiting, e->cores[c].thread);
    o->value--;
    return false;
}

static void release(engine *e, unsigned c, shared *o, uint32_t *woken)
{
    if (o->ahead) {
        o->ahead--;
        return;
    }
    uint32_t next = es_predict_list_choose(e, &o->waiting);
    if (next == ES_PREDICT_NONE || e->machine->barge)
        o->value++;
    if (next == ES_PREDICT_NONE)
        return;
    wake(e, next, c, e->machine->barge);
    *woken = 1;
}

static bool meet(engine *e, unsigned c, shared *o, uint32_t parties, uint32_t *woken)
{
    uint32_t number;
    if (++o->value < parties)
        return wait_here(e, &o->waiting, e->cores[c].thread);
    o->value = 0;
    while ((number = es_predict_list_choose(e, &o->waiting)) != ES_PREDICT_NONE) {
        wake(e, number, c, false);
        (*woken)++;
    }
    return false;
}

static void end(engine *e, unsigned c, uint32_t *woken)
{
    token *t = &e->threads[e->cores[c].thread];
    uint32_t number;
    t->state = THREAD_DONE;
    for (size_t o = 0; e->trace->depends & ES_PREDICT_CUT && o < e->trace->object_count; o++)
        if (e->trace->objects[o].kind == ES_PREDICT_LOCK && e->objects[o].owner == e->cores[c].thread)
            *woken += give_back(e, &e->objects[o], c); /* what it has where the run is cut hinders nobody there */
    while ((number = es_predict_list_choose(e, &t->joiners)) != ES_PREDICT_NONE) {
        wake(e, number, c, false);
        (*woken)++;
    }
}

bool es_predict_event_done(engine *e, unsigned c, uint32_t *woken)
{
    uint32_t number = e->cores[c].thread;
    token *t = &e->threads[number];
    const es_predict_event *event = &e->trace->events[e->steps->of[t->stream][t->at].event];
    bool about = es_predict_kind_has_object(event->kind);
    shared *o = &e->objects[about ? event->object : e->trace->object_count];
    t->kind = event->kind;
    t->object = about ? event->object : ES_PREDICT_NONE;
    *woken = 0;
    e->passed = 0;
    es_predict_sends_at(e, c, event->kind);
    switch ((enum es_predict_kind)event->kind) {
    case ES_PREDICT_END: end(e, c, woken); return true;
    case ES_PREDICT_FORK:
        e->threads[event->arg].asked = e->now;
        wake(e, event->arg, c, false);
        *woken = 1;
        return false;
    case ES_PREDICT_JOIN:
        return e->threads[event->arg].state != THREAD_DONE && wait_here(e, &e->threads[event->arg].joiners, number);
    case ES_PREDICT_LOCK:
        if (o->owner != ES_PREDICT_NONE && e->machine->open != event->object + 1)
            return wait_here(e, &o->waiting, number);
        o->owner = number;
        return false;
    case ES_PREDICT_UNLOCK: *woken = give_back(e, o, c); return false;
    case ES_PREDICT_WAIT: return wait_for_condition(e, c, o, event, woken);
    case ES_PREDICT_SIGNAL:
    case ES_PREDICT_BROADCAST: tell_condition(e, c, o, event, woken); return false;
    case ES_PREDICT_BARRIER: return meet(e, c, o, event->arg, woken);
    case ES_PREDICT_ACQUIRE: return acquire(e, c, o);
    case ES_PREDICT_RELEASE: release(e, c, o, woken); return false;
    case ES_PREDICT_PUT: return put(e, c, event->object, woken);
    case ES_PREDICT_GET: return get(e, c, event->object, woken);
    case ES_PREDICT_YIELD:
        if (!e->ready_count)
            return false;
        t->woken = e->now;
        t->by = number;
        t->by_step = (uint32_t)t->at;
        es_predict_ready_put(e, number, c);
        return true;
    case ES_PREDICT_KINDS: break;
    }
    return false;
}
