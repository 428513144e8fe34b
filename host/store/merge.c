#include "store/merge.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* A trace and the thread that reads it: one record at a time, which waits until it has been given on. */
typedef struct source {
    struct merging *all;
    size_t number;
    es_axis axis;
    pthread_t thread;
    pthread_cond_t taken;
    const es_record *record; /* NULL: none waits */
    bool ended, good;
    es_error err;
    es_axis_time time; /* of the record, or of the one before */
    bool timed;        /* it is the record's own */
} source;

typedef struct merging {
    const es_merge *merge;
    source sources[ES_MERGE_MAX];
    int64_t day_ns; /* time of day less the steady clock */
    pthread_mutex_t mutex;
    pthread_cond_t came;
    bool stopping;
} merging;

/* --- clocks ------------------------------------------------------------------------------------------------------- */

static void collect(void *context, const es_record *record)
{
    source *s = context;
    if (record->kind == ES_RECORD_CLOCK)
        es_axis_add(&s->axis, record->clock);
}

static bool find_clocks(source *s, es_error *err)
{
    const es_merge *merge = s->all->merge;
    es_trace_filter everything = {.to = ES_NO_TIME, .stop = merge->stop, .context = merge->context};
    const char *directory = merge->directories[s->number];
    if (!es_trace_read(merge->traces[s->number], &everything, &(es_sink){collect, s}, err))
        return es_fail_in(err, "%s", directory);
    if (!s->axis.count || !s->axis.clocks[0].known)
        return es_fail(err, ES_USAGE,
                       "%s: its times cannot be mapped to those of another trace: the probe's clock was not compared "
                       "with the computer's. That is done about once a second with real probes that know their time "
                       "(REG_TIME_NOW), from the first hit on; simulated ones have no clock",
                       directory);
    if (s->axis.mixed || strcmp(s->axis.computer, s->all->sources[0].axis.computer) != 0)
        return es_fail(err, ES_USAGE,
                       "%s and %s are of two computers, or the computer was started anew between them: no clock "
                       "is common to both",
                       merge->directories[0], directory);
    return true;
}

static void place(source *s, uint64_t time)
{
    uint64_t hz = es_trace_schema(s->all->merge->traces[s->number])->clock_hz;
    s->time = es_axis_place(&s->axis, hz, time, s->all->day_ns);
}

/* --- one record of each ------------------------------------------------------------------------------------------- */

static void wait_turn(void *context, const es_record *record)
{
    source *s = context;
    s->timed = true;
    if (record->kind == ES_RECORD_HIT)
        place(s, record->hit->time);
    else if (record->kind == ES_RECORD_LOST)
        place(s, record->lost->time);
    else
        s->timed = false;
    pthread_mutex_lock(&s->all->mutex);
    s->record = record;
    pthread_cond_signal(&s->all->came);
    while (s->record && !s->all->stopping)
        pthread_cond_wait(&s->taken, &s->all->mutex);
    s->record = NULL;
    pthread_mutex_unlock(&s->all->mutex);
}

static bool is_enough(void *context)
{
    const source *s = context;
    const es_merge *merge = s->all->merge;
    pthread_mutex_lock(&s->all->mutex);
    bool stopping = s->all->stopping;
    pthread_mutex_unlock(&s->all->mutex);
    return stopping || (merge->stop && merge->stop(merge->context));
}

static void *read_trace(void *context)
{
    source *s = context;
    es_trace_filter everything = {.to = ES_NO_TIME, .stop = is_enough, .context = s};
    s->good = es_trace_read(s->all->merge->traces[s->number], &everything, &(es_sink){wait_turn, s}, &s->err);
    pthread_mutex_lock(&s->all->mutex);
    s->ended = true;
    pthread_cond_signal(&s->all->came);
    pthread_mutex_unlock(&s->all->mutex);
    return NULL;
}

static int64_t due(const source *s)
{
    return es_axis_due(s->record->kind, &s->time);
}

/* With the mutex: the record that is next, when all sources have one or have ended. NULL: not yet; *over: no more. */
static source *next_source(merging *m, size_t running, bool *over)
{
    source *first = NULL;
    *over = false;
    for (size_t i = 0; i < running; i++) {
        source *s = &m->sources[i];
        if (!s->record && !s->ended)
            return NULL;
        if (s->record && (!first || due(s) < due(first)))
            first = s;
    }
    *over = !first;
    return first;
}

static void give_all(merging *m, size_t running)
{
    const es_merge *merge = m->merge;
    bool over = false;
    while (!over) {
        pthread_mutex_lock(&m->mutex);
        source *s;
        while (!(s = next_source(m, running, &over)) && !over)
            pthread_cond_wait(&m->came, &m->mutex);
        pthread_mutex_unlock(&m->mutex);
        if (!s)
            return;
        merge->take(merge->context, s->number, s->record, s->timed ? &s->time : NULL);
        pthread_mutex_lock(&m->mutex);
        s->record = NULL;
        pthread_cond_signal(&s->taken);
        pthread_mutex_unlock(&m->mutex);
    }
}

static void end_all(merging *m)
{
    pthread_mutex_lock(&m->mutex);
    m->stopping = true;
    for (size_t i = 0; i < m->merge->count; i++)
        pthread_cond_signal(&m->sources[i].taken);
    pthread_mutex_unlock(&m->mutex);
}

static bool run(merging *m, es_error *err)
{
    size_t running = 0;
    bool good = true;
    for (size_t i = 0; i < m->merge->count; i++)
        pthread_cond_init(&m->sources[i].taken, NULL);
    for (; running < m->merge->count && good; running += good)
        good = pthread_create(&m->sources[running].thread, NULL, read_trace, &m->sources[running]) == 0 ||
               es_fail(err, ES_OUTPUT, "no thread can be made to read a trace");
    if (good)
        give_all(m, running);
    end_all(m);
    for (size_t i = 0; i < running; i++) {
        source *s = &m->sources[i];
        pthread_join(s->thread, NULL);
        if (good && !s->good)
            good = es_fail(err, s->err.code, "%s: %s", m->merge->directories[i], s->err.text);
    }
    for (size_t i = 0; i < m->merge->count; i++)
        pthread_cond_destroy(&m->sources[i].taken);
    return good;
}

bool es_traces_merge(const es_merge *merge, es_error *err)
{
    merging *m = es_malloc(sizeof *m);
    bool good = true;
    memset(m, 0, sizeof *m);
    m->merge = merge;
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->came, NULL);
    for (size_t i = 0; i < merge->count && good; i++) {
        m->sources[i].all = m;
        m->sources[i].number = i;
        good = find_clocks(&m->sources[i], err);
    }
    if (good) {
        m->day_ns = m->sources[0].axis.clocks[0].unix_ns - m->sources[0].axis.clocks[0].steady_ns;
        good = run(m, err);
    }
    pthread_mutex_destroy(&m->mutex);
    pthread_cond_destroy(&m->came);
    for (size_t i = 0; i < merge->count; i++)
        es_axis_clear(&m->sources[i].axis);
    free(m);
    return good;
}
