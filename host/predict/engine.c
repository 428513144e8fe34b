#include "predict/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine_private.h"

/* The core whose turn is next, with the time of it, and whether it is interrupted then. */
static unsigned next_core(const engine *e, uint64_t *time, bool *cut)
{
    unsigned found = ES_PREDICT_CORES;
    *time = NEVER;
    *cut = false;
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (e->cores[c].until < *time) {
            *time = e->cores[c].until;
            found = c;
        }
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (e->cores[c].cut_at < *time) {
            *time = e->cores[c].cut_at;
            found = c;
            *cut = true;
        }
    return found;
}

static bool stuck(const engine *e, es_error *err)
{
    unsigned told = 0;
    es_fail(err, ES_USAGE, "after %" PRIu64 " clocks nothing goes on:", e->now / e->scale);
    for (size_t t = 0; t < e->trace->thread_count && told < 4; t++) {
        const token *w = &e->threads[t];
        char text[200];
        if (w->state != THREAD_WAITS)
            continue;
        const char *name = w->object == ES_PREDICT_NONE ? NULL : e->trace->objects[w->object].name;
        snprintf(text, sizeof text, "%s thread %zu waits in %s%s%s", told++ ? "," : "", t,
                 es_predict_kind_name(w->kind), name ? " for " : "", name ? name : "");
        strncat(err->text, text, sizeof err->text - strlen(err->text) - 1);
    }
    if (e->steps->trace->depends & ES_PREDICT_CUT)
        strncat(err->text, ": the run was cut short where others had what these wait for; record more of it, or less",
                sizeof err->text - strlen(err->text) - 1);
    else if (e->trace->depends & ES_PREDICT_ON_ANYBODY)
        strncat(err->text, ": the ways are those of the recorded run, and time decides which they are here",
                sizeof err->text - strlen(err->text) - 1);
    return false;
}

/* All cores are idle, and nothing will be there for them. */
static bool nobody_works(const engine *e)
{
    if (e->ready_count || e->timer_count)
        return false;
    for (unsigned c = 0; c < e->machine->cores; c++)
        if (e->cores[c].state != CORE_IDLE)
            return false;
    return true;
}

/* False: nothing goes on. */
static bool advance(engine *e)
{
    uint64_t time;
    bool cut;
    unsigned c = next_core(e, &time, &cut);
    if (nobody_works(e))
        return false;
    uint64_t rings = es_predict_timer_rings(e);
    bool timed = rings <= time && rings != NEVER;
    if (timed)
        time = rings;
    if (e->walking) {
        es_predict_port(e, time);
        c = next_core(e, &time, &cut);
        timed = timed && e->now == rings;
        if (!timed && time > e->now)
            return true;
    }
    if (!timed && c == ES_PREDICT_CORES)
        return false;
    if (timed) {
        e->now = rings;
        e->timer_set = false; /* until somebody has looked */
        es_predict_wake_first(e, rings);
    } else if (cut) {
        e->now = time;
        es_predict_is_cut(e, c);
    } else {
        e->now = time;
        e->cores[c].until = NEVER;
        es_predict_code_has_ended(e, c);
    }
    if (e->fresh)
        es_predict_wake_cores(e, e->now, 0, 0);
    return true;
}

/* A run that was cut short ends within events, which nothing ends: all threads that are not over have come there. */
static bool all_at_cut(const engine *e)
{
    for (size_t t = 0; t < e->trace->thread_count; t++) {
        const token *w = &e->threads[t];
        const es_predict_step *after = &e->steps->of[w->stream][w->at + 1]; /* the last one is END */
        if (w->state != THREAD_DONE && (w->state != THREAD_WAITS || after->count || after->event == ES_PREDICT_NONE ||
                                        e->trace->events[after->event].kind != ES_PREDICT_END))
            return false;
    }
    return true;
}

/* Nothing goes on. It is the end of what was recorded, or a thread waits for a condition that was told before: its turn
 * in the loop around the wait was another one in the recorded run. Or it waits for a semaphore, as its way is that of
 * another machine. Else false. */
static bool goes_on_all_the_same(engine *e)
{
    e->over = e->trace->depends & ES_PREDICT_CUT && all_at_cut(e);
    if (!e->over && !es_predict_goes_on_untold(e))
        return false;
    if (e->fresh)
        es_predict_wake_cores(e, e->now, 0, 0);
    return true;
}

static void begin(engine *e)
{
    const es_predict_trace *trace = e->trace;
    e->threads = es_malloc(trace->thread_count * sizeof *e->threads);
    memset(e->threads, 0, trace->thread_count * sizeof *e->threads);
    for (size_t t = 0; t < trace->thread_count; t++)
        e->threads[t] =
            (token){.stream = (uint32_t)t, .kind = ES_PREDICT_FORK, .object = ES_PREDICT_NONE, .by = ES_PREDICT_NONE};
    e->objects = es_malloc((trace->object_count + 1) * sizeof *e->objects);
    memset(e->objects, 0, (trace->object_count + 1) * sizeof *e->objects);
    for (size_t o = 0; o < trace->object_count; o++) {
        bool mutex = trace->objects[o].kind == ES_PREDICT_LOCK || trace->objects[o].kind == ES_PREDICT_UNLOCK;
        bool counts = trace->objects[o].kind == ES_PREDICT_ACQUIRE || trace->objects[o].kind == ES_PREDICT_RELEASE;
        e->objects[o].owner = mutex ? ES_PREDICT_NONE : 0;
        e->objects[o].value = counts ? trace->objects[o].value : 0;
    }
    e->holder = ES_PREDICT_NONE;
    e->last = e->lock_last = e->machine->cores - 1;
    for (unsigned c = 0; c < e->machine->cores; c++) {
        es_predict_speed speed = e->machine->speeds[c];
        e->cores[c] = (processor){.state = CORE_IDLE,
                                  .until = NEVER,
                                  .due = NEVER,
                                  .cut_at = NEVER,
                                  .thread = ES_PREDICT_NONE,
                                  .fresh = true};
        e->cores[c].tick = speed.over ? e->scale * speed.under / speed.over : e->scale;
    }
    e->cores[0].thread = 0;
    e->cores[0].fresh = false; /* it does not begin asleep */
    e->threads[0].state = THREAD_RUNNING;
    e->threads[0].kind = ES_PREDICT_YIELD;
    if (e->machine->scheduler == ES_PREDICT_ROUND)
        e->cores[0].due = (uint64_t)e->machine->quantum * e->scale +
                          trace->costs.slice_first.clocks * e->cores[0].tick +
                          (uint64_t)trace->costs.slice_first.accesses * e->machine->wait * e->scale;
    es_predict_run_step(e, 0);
}

bool es_predict_run(const es_predict_steps *steps, const es_predict_machine *machine,
                    const es_predict_listener *listener, es_predict_result *result, es_error *err)
{
    engine e = {.trace = steps->trace, .steps = steps, .machine = machine, .listener = listener, .result = result};
    memset(result, 0, sizeof *result);
    if (!es_predict_machine_check(machine, err))
        return false;
    e.scale = es_predict_scale(machine);
    result->scale = (uint32_t)e.scale;
    result->object_count = steps->trace->object_count + 1;
    result->objects = es_malloc(result->object_count * sizeof *result->objects);
    memset(result->objects, 0, result->object_count * sizeof *result->objects);
    begin(&e);
    bool good = true;
    while (!e.over && good)
        good = e.cuts > 100000 ? es_fail(err, ES_USAGE, "a quantum of %" PRIu32 " clocks is over before threads get on",
                                         machine->quantum)
                               : advance(&e) || goes_on_all_the_same(&e) || stuck(&e, err);
    result->makespan = e.now;
    for (size_t o = 0; o < steps->trace->object_count; o++)
        free(e.objects[o].items);
    free(e.threads);
    free(e.objects);
    free(e.timers);
    return good;
}

void es_predict_result_free(es_predict_result *result)
{
    free(result->objects);
    result->objects = NULL;
}
