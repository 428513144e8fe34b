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
    free(steps->of);
    free(steps->counts);
    free(steps);
}
