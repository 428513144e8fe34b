#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sharing_private.h"

#define THREADS_MAX 2048u /* more are not looked at */

es_predict_sharing *es_predict_sharing_new(void)
{
    es_predict_sharing *s = es_malloc(sizeof *s);
    *s = (es_predict_sharing){.bytes = es_malloc(ES_TARGET_RAM_SIZE * sizeof *s->bytes)};
    memset(s->bytes, 0, ES_TARGET_RAM_SIZE * sizeof *s->bytes);
    return s;
}

void es_predict_sharing_free(es_predict_sharing *s)
{
    if (!s)
        return;
    for (uint32_t t = 0; t < s->thread_count; t++)
        free(s->threads[t].before.of);
    for (uint32_t i = 0; i < s->object_count; i++) {
        sharing_object *o = &s->objects[i];
        for (size_t k = o->first; k < o->count; k++)
            free(o->under_way[k].of);
        free(o->under_way);
        free(o->meet.of);
        free(o->met.of);
    }
    free(s->bytes);
    free(s->threads);
    free(s->objects);
    free(s);
}

bool es_predict_sharing_decides(const es_predict_sharing *s)
{
    return s->decides;
}

uint32_t es_sharing_clock(const clocks *c, uint32_t thread)
{
    return thread < c->count ? c->of[thread] : 0;
}

void es_sharing_join(clocks *to, const clocks *from)
{
    if (from->count > to->count) {
        to->of = es_realloc(to->of, from->count * sizeof *to->of);
        memset(to->of + to->count, 0, (from->count - to->count) * sizeof *to->of);
        to->count = from->count;
    }
    for (uint32_t i = 0; i < from->count; i++)
        to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

sharing_thread *es_sharing_thread(es_predict_sharing *s, uint32_t thread)
{
    if (thread >= THREADS_MAX)
        return NULL;
    if (thread >= s->thread_count) {
        uint32_t count = thread + 16;
        s->threads = es_realloc(s->threads, count * sizeof *s->threads);
        memset(s->threads + s->thread_count, 0, (count - s->thread_count) * sizeof *s->threads);
        s->thread_count = count;
    }
    return &s->threads[thread];
}

sharing_object *es_sharing_object(es_predict_sharing *s, uint32_t object)
{
    if (object >= s->object_count) {
        uint32_t count = object + 16;
        s->objects = es_realloc(s->objects, count * sizeof *s->objects);
        memset(s->objects + s->object_count, 0, (count - s->object_count) * sizeof *s->objects);
        s->object_count = count;
    }
    return &s->objects[object];
}
