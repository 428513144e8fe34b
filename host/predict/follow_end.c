/* The end of an execution: of its threads, and what was seen as costs. */
#include <stdlib.h>

#include "follow_private.h"

/* Threads that have not ended end where the program did. One that was being made then is none: it is made when the call
 * is over. */
static void end_threads(es_predict_follower *f)
{
    for (size_t i = 0; i < f->trace->thread_count; i++) {
        es_predict_thread *t = &f->trace->threads[i];
        const follow_thread *now = &f->threads[i];
        enum phase phase = now->phase == PHASE_TRAP ? now->before : now->phase;
        if (now->kind == ES_PREDICT_FORK && phase != PHASE_OWN && t->count &&
            t->items[t->count - 1] == (ES_PREDICT_IS_EVENT | now->event))
            t->count--;
        const es_predict_event *last = NULL;
        if (t->count && t->items[t->count - 1] & ES_PREDICT_IS_EVENT)
            last = &f->trace->events[t->items[t->count - 1] & ~ES_PREDICT_IS_EVENT];
        if (last && last->kind == ES_PREDICT_END)
            continue;
        es_predict_event end = {.kind = ES_PREDICT_END, .object = ES_PREDICT_NONE};
        es_predict_add_item(t, ES_PREDICT_IS_EVENT | es_predict_add_event(f->trace, end));
    }
}

static void free_samples(es_predict_samples *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(s[i].items);
}

bool es_predict_follow_end(es_predict_follower *f, es_error *err)
{
    bool good = !f->wrong[0] || es_fail(err, ES_USAGE, "%s", f->wrong);
    es_machine_listen(f->machine, NULL);
    if (f->open)
        es_follow_close_block(f);
    if (good) {
        end_threads(f);
        f->trace->clocks = f->clocks;
        if (f->sharing && es_predict_sharing_decides(f->sharing) && !(f->trace->depends & ES_PREDICT_ON_WAIT))
            f->trace->depends |= ES_PREDICT_ON_MEMORY;
        es_follow_costs(f);
        es_follow_late_costs(f);
    }
    free_samples(&f->hold[0][0], (size_t)ES_PREDICT_KINDS * ES_PREDICT_WAYS);
    free_samples(&f->after[0][0], (size_t)ES_PREDICT_KINDS * 2);
    free_samples(f->others, ES_PREDICT_SAMPLES);
    free_samples(&f->notice, 1);
    free_samples(&f->notice_first, 1);
    free_samples(&f->doze, 1);
    free_samples(f->arrived, ES_PREDICT_ARRIVALS);
    free_samples(f->looks, 2);
    free(f->buffer.items);
    free(f->table);
    for (size_t i = 0; i < f->trace->thread_count; i++)
        free(f->threads[i].kept.items);
    free(f->threads);
    for (size_t i = 0; i < f->object_room; i++) {
        free(f->objects[i].got.items);
        free(f->objects[i].put.items);
    }
    free(f->objects);
    es_predict_sharing_free(f->sharing);
    free(f->entries);
    free(f);
    return good;
}
