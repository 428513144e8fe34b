/* Events: what comes before what on every machine. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sharing_private.h"

#define UNDER_WAY_MAX 4096u      /* items of an object that nobody has taken yet; more are one */
#define CALLER_SAVED 0xF003FCE2u /* ra, t0 to t6, a0 to a7: what a call may change */

static void clear(clocks *c)
{
    if (c->count)
        memset(c->of, 0, c->count * sizeof *c->of);
}

/* What the thread does from now on has not come before what others have heard of so far. */
static void step(sharing_thread *t, uint32_t thread)
{
    clocks self = {.of = es_malloc((thread + 1) * sizeof *self.of), .count = thread + 1};
    clear(&self);
    self.of[thread] = es_sharing_clock(&t->before, thread) + 1;
    es_sharing_join(&t->before, &self);
    free(self.of);
}

/* A semaphore that lets somebody in at first is a lock, and says nothing of who comes first. */
static bool carries(const es_predict_event *event, const es_predict_object *object)
{
    return event->kind == ES_PREDICT_PUT || event->kind == ES_PREDICT_GET ||
           ((event->kind == ES_PREDICT_ACQUIRE || event->kind == ES_PREDICT_RELEASE) && object && !object->value);
}

static void give(sharing_object *o, const clocks *before)
{
    if (o->count - o->first >= UNDER_WAY_MAX) {
        es_sharing_join(&o->under_way[o->count - 1], before);
        return;
    }
    if (o->count == o->room) {
        if (o->first)
            memmove(o->under_way, o->under_way + o->first, (o->count - o->first) * sizeof *o->under_way);
        o->count -= o->first;
        o->first = 0;
        if (2 * o->count >= o->room) {
            o->room = o->room ? 2 * o->room : 16;
            o->under_way = es_realloc(o->under_way, o->room * sizeof *o->under_way);
        }
    }
    o->under_way[o->count] = (clocks){0};
    es_sharing_join(&o->under_way[o->count++], before);
}

static void take(sharing_object *o, clocks *before)
{
    if (o->first == o->count)
        return;
    clocks *from = &o->under_way[o->first++];
    es_sharing_join(before, from);
    free(from->of);
}

/* What the library keeps of an object it alone has to know. */
static void look_out(es_predict_sharing *s, const es_predict_object *object)
{
    uint32_t place = object->address - ES_TARGET_RAM_BASE;
    uint32_t size = object->kind == ES_PREDICT_PUT || object->kind == ES_PREDICT_GET ? 16 : 8;
    for (uint32_t i = 0; i < size && place < ES_TARGET_RAM_SIZE && place + i < ES_TARGET_RAM_SIZE; i++)
        s->bytes[place + i] = (written){.thread = ES_SHARING_LIBRARY};
}

void es_predict_sharing_enter(es_predict_sharing *s, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object)
{
    sharing_thread *t = es_sharing_thread(s, thread);
    if (!t)
        return;
    t->doubts &= ~CALLER_SAVED;
    if (object)
        look_out(s, object);
    step(t, thread);
    if (event->kind == ES_PREDICT_BARRIER) {
        sharing_object *o = es_sharing_object(s, event->object);
        es_sharing_join(&o->meet, &t->before);
        if (++o->here >= event->arg) {
            es_sharing_join(&o->met, &o->meet);
            clear(&o->meet);
            o->here = 0;
        }
    } else if (carries(event, object) && (event->kind == ES_PREDICT_PUT || event->kind == ES_PREDICT_RELEASE)) {
        give(es_sharing_object(s, event->object), &t->before);
    }
}

void es_predict_sharing_leave(es_predict_sharing *s, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object)
{
    bool about_thread = event->kind == ES_PREDICT_FORK || event->kind == ES_PREDICT_JOIN;
    if (!es_sharing_thread(s, thread))
        return;
    sharing_thread *other = about_thread ? es_sharing_thread(s, event->arg) : NULL, *t = es_sharing_thread(s, thread);
    if (event->kind == ES_PREDICT_FORK && other) {
        es_sharing_join(&other->before, &t->before);
    } else if (event->kind == ES_PREDICT_JOIN && other) {
        step(other, event->arg);
        es_sharing_join(&t->before, &other->before);
    } else if (event->kind == ES_PREDICT_BARRIER) {
        es_sharing_join(&t->before, &es_sharing_object(s, event->object)->met);
    } else if (carries(event, object) && (event->kind == ES_PREDICT_GET || event->kind == ES_PREDICT_ACQUIRE)) {
        take(es_sharing_object(s, event->object), &t->before);
    }
    step(t, thread);
    if (event->kind == ES_PREDICT_JOIN || event->kind == ES_PREDICT_BARRIER || event->kind == ES_PREDICT_GET ||
        event->kind == ES_PREDICT_ACQUIRE)
        t->synced = es_sharing_clock(&t->before, thread);
}
