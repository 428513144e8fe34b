#include "predict/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* The simplest instructions, one after the other: what stands for code of which only the length is known. */
enum { PLAIN_CLOCKS = 2 };

es_predict_trace *es_predict_trace_new(void)
{
    es_predict_trace *trace = es_malloc(sizeof *trace);
    memset(trace, 0, sizeof *trace);
    return trace;
}

void es_predict_trace_free(es_predict_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->thread_count; i++)
        free(trace->threads[i].items);
    for (size_t i = 0; i < trace->object_count; i++)
        free(trace->objects[i].name);
    free(trace->blocks);
    free(trace->gaps);
    free(trace->events);
    free(trace->objects);
    free(trace->threads);
    free(trace->kernel_items);
    free(trace);
}

static void *room_for(void *items, size_t count, size_t more, size_t size, size_t *room)
{
    if (count + more <= *room)
        return items;
    while (count + more > *room)
        *room = *room ? *room * 2 : 64;
    return es_realloc(items, *room * size);
}

uint32_t es_predict_add_block(es_predict_trace *trace, uint32_t address, uint32_t end, const uint8_t *gaps,
                              size_t count)
{
    trace->blocks = room_for(trace->blocks, trace->block_count, 1, sizeof *trace->blocks, &trace->block_room);
    trace->gaps = room_for(trace->gaps, trace->gap_count, count, 1, &trace->gap_room);
    es_predict_block *block = &trace->blocks[trace->block_count];
    *block = (es_predict_block){
        .address = address, .end = end, .first_gap = (uint32_t)trace->gap_count, .accesses = (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        block->clocks += gaps[i] & ES_PREDICT_GAP;
    if (count)
        memcpy(trace->gaps + trace->gap_count, gaps, count);
    trace->gap_count += count;
    return (uint32_t)trace->block_count++;
}

uint32_t es_predict_add_event(es_predict_trace *trace, es_predict_event event)
{
    trace->events = room_for(trace->events, trace->event_count, 1, sizeof *trace->events, &trace->event_room);
    trace->events[trace->event_count] = event;
    return (uint32_t)trace->event_count++;
}

uint32_t es_predict_add_object(es_predict_trace *trace, uint32_t address, enum es_predict_kind kind, uint32_t value,
                               const char *name)
{
    trace->objects = room_for(trace->objects, trace->object_count, 1, sizeof *trace->objects, &trace->object_room);
    trace->objects[trace->object_count] =
        (es_predict_object){.address = address, .kind = (uint8_t)kind, .value = value, .name = NULL};
    if (name) {
        size_t size = strlen(name) + 1;
        trace->objects[trace->object_count].name = es_malloc(size);
        memcpy(trace->objects[trace->object_count].name, name, size);
    }
    return (uint32_t)trace->object_count++;
}

uint32_t es_predict_add_thread(es_predict_trace *trace, uint32_t entry, uint8_t priority)
{
    trace->threads = room_for(trace->threads, trace->thread_count, 1, sizeof *trace->threads, &trace->thread_room);
    trace->threads[trace->thread_count] = (es_predict_thread){.entry = entry, .priority = priority};
    return (uint32_t)trace->thread_count++;
}

void es_predict_add_item(es_predict_thread *thread, uint32_t item)
{
    thread->items = room_for(thread->items, thread->count, 1, sizeof *thread->items, &thread->room);
    thread->items[thread->count++] = item;
}

es_predict_section es_predict_add_section(es_predict_trace *trace, const uint32_t *items, size_t count)
{
    es_predict_section section = {.first = (uint32_t)trace->kernel_count, .count = (uint32_t)count};
    trace->kernel_items =
        room_for(trace->kernel_items, trace->kernel_count, count, sizeof *trace->kernel_items, &trace->kernel_room);
    for (size_t i = 0; i < count; i++) {
        trace->kernel_items[trace->kernel_count + i] = items[i];
        section.clocks += trace->blocks[items[i]].clocks;
    }
    trace->kernel_count += count;
    return section;
}

es_predict_section es_predict_plain_section(es_predict_trace *trace, uint32_t clocks)
{
    uint8_t gaps[256];
    uint32_t item;
    if (!clocks)
        return (es_predict_section){0};
    if (clocks > sizeof gaps * PLAIN_CLOCKS)
        clocks = sizeof gaps * PLAIN_CLOCKS;
    size_t count = (clocks + PLAIN_CLOCKS - 1) / PLAIN_CLOCKS;
    memset(gaps, ES_PREDICT_FETCH | PLAIN_CLOCKS, count);
    gaps[count - 1] = (uint8_t)(ES_PREDICT_FETCH | (clocks - (uint32_t)(count - 1) * PLAIN_CLOCKS));
    item = es_predict_add_block(trace, 0, 0, gaps, count);
    return es_predict_add_section(trace, &item, 1);
}

es_predict_section es_predict_copy_section(es_predict_trace *to, const es_predict_trace *from,
                                           const es_predict_section *s)
{
    uint32_t items[64];
    size_t count = s->count < 64 ? s->count : 64;
    for (size_t i = 0; i < count; i++) {
        const es_predict_block *b = &from->blocks[from->kernel_items[s->first + i]];
        items[i] = es_predict_add_block(to, b->address, b->end, from->gaps + b->first_gap, b->accesses);
    }
    es_predict_section section = es_predict_add_section(to, items, count);
    section.clocks = s->clocks;
    return section;
}

/* A section with the first time's code in it. */
static es_predict_section with_begin(es_predict_trace *trace, const es_predict_section *s)
{
    const es_predict_costs *costs = &trace->costs;
    const uint32_t *all = trace->kernel_items;
    size_t count = 0, at = 0;
    uint32_t *items = es_malloc((s->count + costs->begin.count + 1) * sizeof *items);
    while (at < s->count && trace->blocks[all[s->first + at]].address != costs->begin_before)
        at++;
    at = at < s->count ? at : 0;
    for (size_t i = 0; i < at; i++)
        items[count++] = all[s->first + i];
    uint32_t saved = 0;
    if (count && (s == &costs->next[ES_PREDICT_TAKE] || s == &costs->next[ES_PREDICT_TAKE_NONE]) &&
        trace->blocks[items[count - 1]].accesses == 1) /* a jump back to there: the first time it comes from above */
        saved = trace->blocks[items[--count]].clocks;
    for (size_t i = 0; i < costs->begin.count; i++)
        items[count++] = all[costs->begin.first + i];
    for (size_t i = at; i < s->count; i++)
        items[count++] = all[s->first + i];
    es_predict_section with = es_predict_add_section(trace, items, count);
    with.clocks = s->clocks + costs->begin.clocks - saved;
    free(items);
    return with;
}

void es_predict_add_begin(es_predict_trace *trace)
{
    es_predict_costs *costs = &trace->costs;
    es_predict_section seen = costs->next_first[ES_PREDICT_TAKE];
    for (unsigned how = 0; how < ES_PREDICT_NEXTS; how++)
        costs->next_first[how] = with_begin(trace, &costs->next[how]);
    if (seen.count) { /* core 0 comes to its scheduler another way than others do */
        costs->next_first[ES_PREDICT_TAKE_NONE].clocks += seen.clocks - costs->next_first[ES_PREDICT_TAKE].clocks;
        costs->next_first[ES_PREDICT_TAKE] = seen;
    }
}

/* --- checking --------------------------------------------------------------------------------- */

static bool check_event(const es_predict_trace *trace, size_t thread, const es_predict_event *event, uint8_t *forked,
                        es_error *err)
{
    if (event->kind >= ES_PREDICT_KINDS)
        return es_fail(err, ES_USAGE, "thread %zu has an event of a kind that is not known (%u)", thread, event->kind);
    if (es_predict_kind_has_object(event->kind) && event->object >= trace->object_count)
        return es_fail(err, ES_USAGE, "thread %zu has an event about an object that there is not", thread);
    bool about_thread = event->kind == ES_PREDICT_FORK || event->kind == ES_PREDICT_JOIN;
    if (about_thread && event->arg >= trace->thread_count)
        return es_fail(err, ES_USAGE, "thread %zu forks or joins a thread that there is not", thread);
    if (event->kind == ES_PREDICT_FORK && (!event->arg || forked[event->arg]++))
        return es_fail(err, ES_USAGE, "thread %" PRIu32 " is forked twice, or is the first one", event->arg);
    bool cut = trace->depends & ES_PREDICT_CUT; /* more of them may have come later */
    if (event->kind == ES_PREDICT_BARRIER && (!event->arg || (event->arg > trace->thread_count && !cut)))
        return es_fail(err, ES_USAGE, "a barrier of %" PRIu32 " threads, of which there are %zu", event->arg,
                       trace->thread_count);
    if (event->kind == ES_PREDICT_WAIT && event->arg >= trace->object_count && event->arg != ES_PREDICT_NONE)
        return es_fail(err, ES_USAGE, "thread %zu waits with a mutex that there is not", thread);
    return true;
}

static bool check_thread(const es_predict_trace *trace, size_t number, uint8_t *forked, es_error *err)
{
    const es_predict_thread *thread = &trace->threads[number];
    for (size_t i = 0; i < thread->count; i++) {
        uint32_t item = thread->items[i], event = item & ~ES_PREDICT_IS_EVENT;
        if (!(item & ES_PREDICT_IS_EVENT)) {
            if (item >= trace->block_count)
                return es_fail(err, ES_USAGE, "thread %zu goes through a block that there is not", number);
            continue;
        }
        if (event >= trace->event_count)
            return es_fail(err, ES_USAGE, "thread %zu has an event that there is not", number);
        if ((trace->events[event].kind == ES_PREDICT_END) != (i + 1 == thread->count))
            return es_fail(err, ES_USAGE, "thread %zu ends too early, or not at all", number);
        if (!check_event(trace, number, &trace->events[event], forked, err))
            return false;
    }
    if (!thread->count || !(thread->items[thread->count - 1] & ES_PREDICT_IS_EVENT))
        return es_fail(err, ES_USAGE, "thread %zu does not end", number);
    return true;
}

bool es_predict_trace_check(const es_predict_trace *trace, es_error *err)
{
    uint8_t *forked = es_malloc(trace->thread_count + 1);
    bool good = trace->thread_count > 0 || es_fail(err, ES_USAGE, "it has no thread");
    memset(forked, 0, trace->thread_count + 1);
    for (size_t i = 0; good && i < trace->kernel_count; i++)
        if (trace->kernel_items[i] >= trace->block_count)
            good = es_fail(err, ES_USAGE, "the kernel goes through a block that there is not");
    for (size_t i = 0; good && i < trace->thread_count; i++)
        good = check_thread(trace, i, forked, err);
    for (size_t i = 1; good && i < trace->thread_count; i++)
        if (!forked[i])
            good = es_fail(err, ES_USAGE, "thread %zu is forked by none", i);
    free(forked);
    return good;
}

bool es_predict_trace_barriers(const es_predict_trace *trace, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        const es_predict_event *event = &trace->events[i];
        if (event->kind != ES_PREDICT_BARRIER || event->arg < 2) /* alone, nobody waits */
            continue;
        *least = event->arg < *least ? event->arg : *least;
        *most = event->arg > *most ? event->arg : *most;
    }
    return *most > 0;
}

uint64_t es_predict_trace_firings(const es_predict_trace *trace)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < trace->thread_count; i++)
        for (size_t k = 0; k < trace->threads[i].count; k++)
            sum += !(trace->threads[i].items[k] & ES_PREDICT_IS_EVENT);
    return sum;
}
