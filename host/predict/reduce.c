/* Tailoring (Nutt 1991, section 4.2): what has one entry and one exit becomes one place. What a thread does between two
 * of its events is such a part, whatever loops and calls are in it: nothing of it concerns others. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "predict/engine.h"

typedef struct maker {
    const es_predict_trace *trace;
    es_predict_step *steps;
    size_t count, room;
    es_predict_step open;
    bool any; /* something is open */
} maker;

static void close_step(maker *m, uint32_t event)
{
    if (m->count == m->room) {
        m->room = m->room ? m->room * 2 : 64;
        m->steps = es_realloc(m->steps, m->room * sizeof *m->steps);
    }
    m->open.event = event;
    m->steps[m->count++] = m->open;
    m->any = false;
}

static void add_block(maker *m, uint32_t block, uint32_t item)
{
    if (!m->any)
        m->open = (es_predict_step){.first = item};
    m->any = true;
    m->open.count++;
    m->open.clocks += m->trace->blocks[block].clocks;
    m->open.accesses += m->trace->blocks[block].accesses;
}

/* --- items of queues -------------------------------------------------------------------------- */

static void add_place(es_predict_items *items, uint32_t item, es_predict_place place)
{
    if (item != items->count) /* they are numbered in the order in which they were got */
        return;
    if ((items->count & (items->count - 1)) == 0)
        items->places = es_realloc(items->places, (items->count ? 2 * items->count : 1) * sizeof *items->places);
    items->places[items->count++] = place;
}

/* A thread's order of items is its own; those of all threads together are sorted. */
static int by_item(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

static void items_of(es_predict_steps *steps, uint32_t object)
{
    const es_predict_trace *trace = steps->trace;
    uint32_t(*found)[3] = NULL;
    size_t count = 0, room = 0;
    uint32_t first = ES_PREDICT_NONE;
    bool several = false, alike = true;
    for (uint32_t t = 0; t < trace->thread_count; t++)
        for (uint32_t s = 0; s < steps->counts[t]; s++) {
            uint32_t event = steps->of[t][s].event;
            if (event == ES_PREDICT_NONE || trace->events[event].kind != ES_PREDICT_GET ||
                trace->events[event].object != object || trace->events[event].arg == ES_PREDICT_NONE)
                continue;
            first = first == ES_PREDICT_NONE ? t : first;
            several = several || t != first;
            alike = alike && trace->threads[t].entry == trace->threads[first].entry;
            if (count == room) {
                room = room ? 2 * room : 64;
                found = es_realloc(found, room * sizeof *found);
            }
            found[count][0] = trace->events[event].arg;
            found[count][1] = t;
            found[count++][2] = s;
        }
    if (count)
        qsort(found, count, sizeof *found, by_item);
    for (size_t i = 0; several && alike && i < count; i++)
        add_place(&steps->items[object], found[i][0], (es_predict_place){found[i][1], found[i][2]});
    if (steps->items[object].count != count) {
        free(steps->items[object].places);
        steps->items[object] = (es_predict_items){0};
    }
    free(found);
}

static void find_items(es_predict_steps *steps)
{
    size_t count = steps->trace->object_count;
    steps->items = es_malloc((count + 1) * sizeof *steps->items);
    memset(steps->items, 0, (count + 1) * sizeof *steps->items);
    for (uint32_t o = 0; steps->trace->depends & ES_PREDICT_ON_ITEMS && o < count; o++)
        items_of(steps, o);
}

/* every: each block alone. */
static es_predict_steps *make(const es_predict_trace *trace, bool (*keep)(void *, uint32_t), void *context, bool every)
{
    es_predict_steps *steps = es_malloc(sizeof *steps);
    *steps = (es_predict_steps){.trace = trace,
                                .of = es_malloc(trace->thread_count * sizeof *steps->of),
                                .counts = es_malloc(trace->thread_count * sizeof *steps->counts),
                                .firings = es_predict_trace_firings(trace)};
    for (size_t t = 0; t < trace->thread_count; t++) {
        const es_predict_thread *thread = &trace->threads[t];
        maker m = {.trace = trace};
        for (size_t i = 0; i < thread->count; i++) {
            uint32_t item = thread->items[i];
            if (item & ES_PREDICT_IS_EVENT) {
                if (!m.any)
                    m.open = (es_predict_step){.first = (uint32_t)i};
                close_step(&m, item & ~ES_PREDICT_IS_EVENT);
                continue;
            }
            bool kept = every || (keep && keep(context, item));
            if (kept && m.any)
                close_step(&m, ES_PREDICT_NONE);
            add_block(&m, item, (uint32_t)i);
            if (kept && !(thread->items[i + 1] & ES_PREDICT_IS_EVENT))
                close_step(&m, ES_PREDICT_NONE);
        }
        steps->of[t] = m.steps;
        steps->counts[t] = m.count;
    }
    find_items(steps);
    uint32_t most;
    if (!es_predict_trace_barriers(trace, &steps->meet, &most))
        steps->meet = 0;
    return steps;
}

es_predict_steps *es_predict_reduce(const es_predict_trace *trace, bool (*keep)(void *context, uint32_t block),
                                    void *context)
{
    return make(trace, keep, context, false);
}

es_predict_steps *es_predict_each_block(const es_predict_trace *trace)
{
    return make(trace, NULL, NULL, true);
}

void es_predict_steps_free(es_predict_steps *steps)
{
    if (!steps)
        return;
    for (size_t t = 0; t < steps->trace->thread_count; t++)
        free(steps->of[t]);
    for (size_t o = 0; o < steps->trace->object_count; o++)
        free(steps->items[o].places);
    free(steps->items);
    free(steps->of);
    free(steps->counts);
    free(steps);
}
