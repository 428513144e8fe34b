/* Which change of the machine pays most. */
#include <stdlib.h>

#include "cli/predict/private.h"

static bool try_change(predict_job *job, const es_predict_machine *machine, const char *what, es_error *err)
{
    es_predict_result result;
    bool good = es_predict_run(job->steps, machine, NULL, &result, err);
    if (good)
        job->changes[job->change_count++] = (predict_change){what, es_predict_makespan(job->trace, machine, &result)};
    es_predict_result_free(&result);
    return good;
}

static int better_first(const void *a, const void *b)
{
    const predict_change *x = a, *y = b;
    return x->makespan < y->makespan ? -1 : x->makespan > y->makespan;
}

/* The objects that are waited for longest, each as if nobody had to. */
static bool try_objects(predict_job *job, es_arena *texts, es_error *err)
{
    const es_predict_result *r = &job->cases[0].result;
    bool taken[3] = {false};
    uint32_t tried[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t best = ES_PREDICT_NONE;
        for (uint32_t o = 0; o < job->trace->object_count; o++) {
            bool again = false;
            for (unsigned k = 0; k < i; k++)
                again = again || (taken[k] && tried[k] == o);
            uint8_t kind = job->trace->objects[o].kind;
            if (!again && (kind == ES_PREDICT_LOCK || kind == ES_PREDICT_UNLOCK) && r->objects[o].ticks &&
                (best == ES_PREDICT_NONE || r->objects[o].ticks > r->objects[best].ticks))
                best = o;
        }
        if (best == ES_PREDICT_NONE)
            return true;
        taken[i] = true;
        tried[i] = best;
        es_predict_machine m = job->cases[0].machine;
        m.open = best + 1;
        const char *name = job->trace->objects[best].name;
        if (!try_change(job, &m, es_arena_format(texts, "nobody would have to wait for %s", name ? name : "a mutex"),
                        err))
            return false;
    }
    return true;
}

bool es_predict_find_changes(predict_job *job, es_arena *texts, es_error *err)
{
    const es_predict_machine now = job->cases[0].machine;
    job->changes = es_malloc(12 * sizeof *job->changes);
    es_predict_machine m = now;
    if (now.cores < ES_PREDICT_CORES) {
        m.cores = now.cores + 1;
        m.speeds[now.cores] = now.speeds[0];
        if (!try_change(job, &m, "one core more", err))
            return false;
    }
    if (2 * now.cores <= ES_PREDICT_CORES && now.cores > 1) {
        m.cores = 2 * now.cores;
        for (unsigned c = now.cores; c < m.cores; c++)
            m.speeds[c] = now.speeds[0];
        if (!try_change(job, &m, "twice as many cores", err))
            return false;
    }
    m = now;
    if (now.memory == ES_PREDICT_PORTS) {
        for (unsigned c = 0; c < m.cores; c++) {
            es_predict_speed s = now.speeds[c].over ? now.speeds[c] : (es_predict_speed){1, 1};
            m.speeds[c] = (es_predict_speed){s.over * 5, s.under * 4};
        }
        if (!try_change(job, &m, "cores a quarter faster", err))
            return false;
    } else {
        m.memory = ES_PREDICT_PORTS;
        if (!try_change(job, &m, "a memory port for each core", err))
            return false;
    }
    if (now.wait) {
        m = now;
        m.wait = 0;
        if (!try_change(job, &m, "memory without wait states", err))
            return false;
    }
    m = now;
    m.free_kernel = true;
    if (!try_change(job, &m, "a library of threads that takes no time", err) || !try_objects(job, texts, err))
        return false;
    qsort(job->changes, job->change_count, sizeof *job->changes, better_first);
    return true;
}
