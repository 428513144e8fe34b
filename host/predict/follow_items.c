/* Objects: what is in them, as the order of events says. */
#include <stdlib.h>

#include "base/arena.h"
#include "follow_private.h"

follow_object *es_follow_object(es_predict_follower *f, uint32_t number)
{
    if (number >= f->object_room) {
        size_t room = number + 16;
        f->objects = es_realloc(f->objects, room * sizeof *f->objects);
        for (size_t i = f->object_room; i < room; i++)
            f->objects[i] = (follow_object){.getter = ES_PREDICT_NONE, .putter = ES_PREDICT_NONE};
        f->object_room = room;
    }
    return &f->objects[number];
}

/* The number of the object at an address. */
uint32_t es_follow_number(es_predict_follower *f, uint32_t address, uint8_t kind)
{
    const es_predict_trace *t = f->trace;
    for (size_t i = t->object_count; i-- > 0;)
        if (t->objects[i].address == address)
            return (uint32_t)i;
    uint32_t value = 0;
    if (kind == ES_PREDICT_ACQUIRE || kind == ES_PREDICT_RELEASE)
        value = es_follow_word(f, address);
    if (kind == ES_PREDICT_PUT || kind == ES_PREDICT_GET)
        value = es_follow_word(f, address + 4);
    char *name = es_predict_name_of(f->code->symbols, address);
    uint32_t number = es_predict_add_object(f->trace, address, kind, value, name);
    free(name);
    return number;
}

static void hand(follow_handed *h, uint32_t item)
{
    if (h->count == h->room) {
        h->room = h->room ? 2 * h->room : 16;
        h->items = es_realloc(h->items, h->room * sizeof *h->items);
    }
    h->items[h->count++] = item;
}

/* Items are numbered in the order in which they go in, and come out. Who waits gets its number from the event that lets
 * it go on, and where it then has to try again, when that is good. */
void es_follow_number_items(es_predict_follower *f, const follow_thread *t, bool waits)
{
    es_predict_event *event = &f->trace->events[t->event];
    if (t->kind != ES_PREDICT_PUT && t->kind != ES_PREDICT_GET)
        return;
    follow_object *o = es_follow_object(f, event->object);
    bool puts = t->kind == ES_PREDICT_PUT;
    if (waits)
        return;
    event->arg = puts ? o->puts++ : o->gets++;
    if (!f->readied || f->library->barges)
        return;
    if (puts)
        hand(&o->got, o->gets++);
    else
        hand(&o->put, o->puts++);
}

void es_follow_take_number(es_predict_follower *f, const follow_thread *t)
{
    bool puts = t->kind == ES_PREDICT_PUT;
    if (t->phase != PHASE_AFTER || !t->waited || (!puts && t->kind != ES_PREDICT_GET))
        return;
    es_predict_event *event = &f->trace->events[t->event];
    follow_object *o = es_follow_object(f, event->object);
    follow_handed *h = puts ? &o->put : &o->got;
    if (event->arg == ES_PREDICT_NONE && h->first < h->count)
        event->arg = h->items[h->first++];
}

void es_follow_handed_over(es_predict_follower *f, uint32_t queue, uint32_t threads)
{
    uint32_t number = es_follow_number(f, queue, ES_PREDICT_PUT);
    follow_object *o = es_follow_object(f, number);
    uint32_t room = f->trace->objects[number].value;
    o->blocked -= threads < o->blocked ? threads : o->blocked;
    if (!threads)
        return;
    hand(&o->got, o->gets++);
    o->next = o->next + 1 < room ? o->next + 1 : 0;
    if (threads > 1)
        hand(&o->put, o->puts++);
    else
        o->used -= o->used > 0;
}

/* How the event of a thread goes, and what is then in the lists and the ring of its object. */
unsigned es_follow_way(es_predict_follower *f, const follow_thread *t, bool waits)
{
    const es_predict_event *event = &f->trace->events[t->event];
    unsigned way = (waits ? ES_PREDICT_WAITS : 0) | (f->readied ? ES_PREDICT_WAKES : 0);
    bool about = es_predict_kind_has_object(t->kind);
    if (f->readied ? f->crowd : waits && about && es_follow_object(f, event->object)->blocked)
        way |= ES_PREDICT_CROWD;
    if (!about)
        return way;
    follow_object *o = es_follow_object(f, event->object);
    uint32_t room = f->trace->objects[event->object].value;
    bool barges = f->library->barges;
    if (t->kind == ES_PREDICT_PUT && (!way || (barges && !waits))) {
        way |= o->next + o->used >= room ? ES_PREDICT_WRAPS : 0;
        o->used++;
    } else if (t->kind == ES_PREDICT_GET && !waits) {
        way |= o->next + 1 >= room ? ES_PREDICT_WRAPS : 0;
        o->next = o->next + 1 < room ? o->next + 1 : 0;
        o->used -= (!f->readied || barges) && o->used; /* else who waited has put another one */
    }
    if (t->kind == ES_PREDICT_WAIT && event->arg != ES_PREDICT_NONE) {
        o->blocked++;
        o = es_follow_object(f, event->arg);
        waits = false;
    }
    o->blocked -= f->readied < o->blocked ? f->readied : o->blocked;
    o->blocked += waits;
    return way;
}
