/* What a source takes of the events that come: marks, with their places and delays, and what was lost between them. */
#include "cli/net/mark_source_inside.h"

static void fail(es_mark_source *s, const es_error *err)
{
    if (!s->failed)
        s->err = *err;
    s->failed = true;
}

static unsigned cores_of(const es_mark_source *s)
{
    return (1u << s->options.target.cores) - 1;
}

static void tell_gap(es_mark_source *s, uint64_t lost, uint64_t first, uint64_t last, unsigned cores, const char *where)
{
    cores &= cores_of(s);
    es_mark_gap gap = {lost, (int64_t)first, last == ES_TIME_UNKNOWN ? INT64_MAX : (int64_t)last,
                       cores ? cores : cores_of(s), where};
    s->lost = true;
    if (s->options.on_gap)
        s->options.on_gap(s->options.target.context, &gap);
}

static void take_gap(es_mark_source *s, const es_event *event)
{
    bool bus = event->lost_what == ES_GAP_BUS, events = event->lost_what == ES_GAP_EVENTS;
    tell_gap(s, event->lost, event->time, event->time_last, event->lost_cores,
             bus      ? "bus"
             : events ? "events"
                      : "link");
}

/* The site of the mark whose store is at pc, or SIZE_MAX. */
static size_t site_at(const mark_table *t, uint32_t pc)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->places[t->order[middle]].end < pc + 4)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && t->places[t->order[low]].end == pc + 4 ? t->order[low] : SIZE_MAX;
}

/* The mark's delay, which is seen where its store is all of it; -1 when it is not known. */
static int64_t delay_of(const mark_table *t, size_t site, uint32_t fetched)
{
    if (t->places[site].end - t->places[site].begin == 4)
        return fetched == UINT32_MAX >> ES_MARKED_FETCH_SHIFT ? -1 : (int64_t)fetched;
    const es_net_cost *cost = es_net_cost_of(t->costs, t->cost_count, (uint32_t)site);
    return cost ? cost->delay : -1;
}

static void take_mark(es_mark_source *s, const es_event *event)
{
    es_error err = {0};
    const es_recorder_options *target = &s->options.target;
    if (event->core >= target->cores) {
        es_fail(&err, ES_USAGE, "a mark of core %u came, but --cores says %u", event->core, target->cores);
        fail(s, &err);
        return;
    }
    s->seen = event->time;
    if (event->pc == ES_HIT_NOWHERE) { /* it is half lost */
        tell_gap(s, 1, event->time, event->time, 1u << event->core, "end");
        return;
    }
    const mark_table *t = &s->tables[target->count == 1 ? 0 : event->core];
    size_t site = site_at(t, event->pc);
    if (site == SIZE_MAX || t->places[site].id != event->id) {
        es_fail(&err, ES_PROBE,
                "core %u stored to the marker window at 0x%08x, time %llu, word %u: that is no mark of %s. Is it the "
                "program that the target runs?",
                event->core, (unsigned)event->pc, (unsigned long long)event->time, (unsigned)event->id,
                target->programs[target->count == 1 ? 0 : event->core]);
        fail(s, &err);
        return;
    }
    uint32_t since_store = event->counts >> ES_MARKED_STORE_SHIFT & 31,
             since_fetch = event->counts >> ES_MARKED_FETCH_SHIFT;
    es_net_mark mark = {(int64_t)event->time, delay_of(t, site, since_fetch), event->core, event->id, event->value,
                        (uint32_t)site};
    if (target->on_store && since_store && since_store < 31) {
        mark.time -= since_store;
        mark.delay = 0;
        target->on_store(target->context, &mark);
    } else if (target->on_mark && since_fetch && mark.delay >= 0) {
        target->on_mark(target->context, &mark);
    } else if (target->on_mark || target->on_store) {
        tell_gap(s, 1, event->time, event->time, 1u << event->core, "end");
    }
}

void es_mark_source_take(void *context, const es_event *event)
{
    es_mark_source *s = context;
    if (s->failed)
        return;
    switch (event->kind) {
    case ES_EVENT_HELLO:
        s->hello = true;
        s->checksum = event->word_count > 1 ? event->words[1] : 0;
        break;
    case ES_EVENT_MARK: take_mark(s, event); break;
    case ES_EVENT_GAP: take_gap(s, event); break;
    case ES_EVENT_DONE: s->done = true; break;
    case ES_EVENT_FAULT:
        s->faulted = true;
        s->fault = event->word_count ? event->words[0] : 0;
        s->fault_detail = event->word_count > 1 ? event->words[1] : 0;
        break;
    default: break;
    }
}
