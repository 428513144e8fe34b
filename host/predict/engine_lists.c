/* What of the state of lists and rings shows in how long the library takes for an event. */
#include "engine_private.h"

enum { OTHERS_READY = 1, OTHERS_WAIT = 2, PUT_WRAPS = 4, GET_WRAPS = 8 };

unsigned es_predict_event_lists(const engine *e, unsigned c)
{
    const token *t = &e->threads[e->cores[c].thread];
    const es_predict_event *event = &e->trace->events[e->steps->of[t->stream][t->at].event];
    unsigned lists = e->ready_count ? OTHERS_READY : 0;
    if (!es_predict_kind_has_object(event->kind))
        return lists;
    const shared *o = &e->objects[event->object];
    uint32_t room = e->trace->objects[event->object].value;
    if (event->kind == ES_PREDICT_GET ? o->getters.count : o->waiting.count)
        lists |= OTHERS_WAIT;
    if (event->kind == ES_PREDICT_PUT && o->next + o->owner >= room)
        lists |= PUT_WRAPS;
    if (event->kind == ES_PREDICT_GET && o->next + 1 >= room)
        lists |= GET_WRAPS;
    return lists;
}

unsigned es_predict_event_way(unsigned kind, unsigned how, unsigned lists)
{
    unsigned bits = 0;
    if (how & ES_PREDICT_WAKES ? lists & OTHERS_READY : how & ES_PREDICT_WAITS && lists & OTHERS_WAIT)
        bits |= ES_PREDICT_CROWD;
    if (kind == ES_PREDICT_PUT && !how && lists & PUT_WRAPS)
        bits |= ES_PREDICT_WRAPS;
    if (kind == ES_PREDICT_GET && !(how & ES_PREDICT_WAITS) && lists & GET_WRAPS)
        bits |= ES_PREDICT_WRAPS;
    return bits;
}
