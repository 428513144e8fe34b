#include "net/recovery/private.h"

#include <stdlib.h>
#include <string.h>

#define PASTE_LIMIT 4096
#define LOOK_AHEAD 256

es_net_recovery *es_net_recovery_new(const es_net *net, const es_net_recovery_options *options, es_error *err)
{
    es_arena *arena = es_arena_new();
    es_net_recovery *recovery = es_arena_alloc(arena, sizeof *recovery);
    recovery->arena = arena;
    recovery->net = net;
    recovery->options = *options;
    if (!recovery->options.paste_limit)
        recovery->options.paste_limit = PASTE_LIMIT;
    if (!recovery->options.look_ahead)
        recovery->options.look_ahead = LOOK_AHEAD;
    recovery->now = recovery->done = INT64_MIN;
    recovery->retry = recovery->ahead = INT64_MAX;
    if (!es_recovery_build(recovery, err) || !es_observed_start(recovery, err)) {
        es_net_recovery_free(recovery);
        return NULL;
    }
    es_recovered_start(recovery);
    return recovery;
}

void es_net_recovery_free(es_net_recovery *recovery)
{
    if (!recovery)
        return;
    for (uint32_t i = 0; i < recovery->stretch_count; i++) {
        stretch *at = &recovery->stretches[i];
        free(at->measures.items);
        free(at->answers);
        free(at->waits.items);
        free(at->begun.items);
        free(at->labels.items);
    }
    for (uint32_t i = 0; i < recovery->net->place_count && recovery->places; i++) {
        place_state *place = &recovery->places[i];
        free(place->answers.items);
        free(place->choices.items);
        free(place->habits.items);
        free(place->comers.items);
        free(place->stays.items);
        free(place->gated.items);
    }
    for (uint32_t i = 0; i < recovery->process_count && recovery->processes; i++)
        free(recovery->processes[i].left.items);
    free(recovery->instant);
    free(recovery->tasks.items);
    free(recovery->starving.items);
    es_arena_free(recovery->arena);
}

/* Open decisions that the passing of time may have made certain. */
static void retry(es_net_recovery *recovery)
{
    if (recovery->now < recovery->retry)
        return;
    recovery->retry = INT64_MAX;
    for (uint32_t i = 0; i < recovery->open_count; i++) {
        place_state *place = &recovery->places[recovery->open[i]];
        if (place->retry <= recovery->now)
            es_recovered_look_again(recovery, recovery->open[i]);
        else if (place->retry < recovery->retry)
            recovery->retry = place->retry;
    }
    es_recovered_run(recovery);
}

/* Says so when a decision was made before all that it should have waited for was known. */
static bool check_early(const es_net_recovery *recovery, es_error *err)
{
    const es_net *net = recovery->net;
    if (recovery->not_idle)
        return es_fail(err, ES_USAGE,
                       "after '%s', which the net calls idle, comes '%s': not always the same step, or none of asking "
                       "again",
                       net->transitions[recovery->not_idle_from].id, net->transitions[recovery->not_idle_to].id);
    if (recovery->not_steady) {
        const stretch *at = &recovery->stretches[recovery->not_steady_stretch];
        return es_fail(err, ES_USAGE,
                       "event %llu: '%s' after '%s' took another time than the %lld ticks that it took before; the net "
                       "says that asking again always takes the same, and results relied on that",
                       (unsigned long long)recovery->not_steady_event.serial, net->transitions[at->end].id,
                       net->transitions[at->after].id, (long long)at->steady);
    }
    if (!recovery->too_early)
        return true;
    const es_net_observation *mark = &recovery->overlong;
    const char *place = net->places[recovery->too_early_place].id;
    if (!recovery->is_overlong)
        return es_fail(err, ES_USAGE,
                       "a decision by place '%s' was made too early; net and trace do not belong together", place);
    return es_fail(
        err, ES_USAGE,
        "event %llu: the mark of '%s' took %lld ticks, and the net says that it takes %lld at most; a decision by "
        "place '%s' relied on that. Calibrate the marks",
        (unsigned long long)mark->serial, net->transitions[mark->transition].id, (long long)mark->mark,
        (long long)net->transitions[mark->transition].mark_max, place);
}

/* All before `time` is known. */
static bool move_on(es_net_recovery *recovery, int64_t time, es_error *err)
{
    recovery->now = time;
    bool good = !recovery->instant_count || es_observed_instant(recovery, err);
    es_recovered_run(recovery);
    retry(recovery);
    if (__builtin_expect(recovery->now >= recovery->ahead, 0))
        es_spin_caught_up(recovery);
    if (recovery->starving.count)
        es_starve_look(recovery);
    return good && check_early(recovery, err);
}

bool es_net_recovery_push(es_net_recovery *recovery, const es_net_observation *observation, es_error *err)
{
    const es_net *net = recovery->net;
    if (recovery->stopped)
        return true;
    if (observation->transition >= net->transition_count || !recovery->steps[observation->transition].monitor)
        return es_fail(err, ES_USAGE, "event %llu: transition %s%s is no monitor of the net; it cannot be observed",
                       (unsigned long long)observation->serial,
                       observation->transition < net->transition_count ? "" : "number out of range",
                       observation->transition < net->transition_count ? net->transitions[observation->transition].id
                                                                       : "");
    const char *id = net->transitions[observation->transition].id;
    if (observation->time < recovery->now)
        return es_fail(
            err, ES_USAGE, "event %llu: '%s' at time %lld comes after time %lld; events must be sorted by their times",
            (unsigned long long)observation->serial, id, (long long)observation->time, (long long)recovery->now);
    if (observation->time > ES_NET_TICKS_MAX || observation->time < -ES_NET_TICKS_MAX ||
        observation->mark > ES_NET_TICKS_MAX || observation->mark < ES_NET_UNKNOWN)
        return es_fail(err, ES_USAGE,
                       "event %llu: '%s' at time %lld, its mark %lld: times reach from -%lld to %lld and marks from 0",
                       (unsigned long long)observation->serial, id, (long long)observation->time,
                       (long long)observation->mark, (long long)ES_NET_TICKS_MAX, (long long)ES_NET_TICKS_MAX);
    if (observation->time > recovery->now && !move_on(recovery, observation->time, err))
        return false;
    if (recovery->instant_count == recovery->instant_size) {
        recovery->instant_size = recovery->instant_size ? recovery->instant_size * 2 : 4;
        recovery->instant = es_realloc(recovery->instant, recovery->instant_size * sizeof *recovery->instant);
    }
    recovery->instant[recovery->instant_count++] = *observation;
    recovery->pushed++;
    recovery->totals.observed += !recovery->steps[observation->transition].computed;
    return true;
}

bool es_net_recovery_advance(es_net_recovery *recovery, int64_t time, es_error *err)
{
    if (recovery->stopped || time == recovery->now)
        return true;
    if (time < recovery->now)
        return es_fail(err, ES_USAGE, "time goes back from %lld to %lld", (long long)recovery->now, (long long)time);
    return move_on(recovery, time, err);
}

bool es_net_recovery_gap(es_net_recovery *recovery, const int32_t *processes, size_t count, es_error *err)
{
    if (recovery->stopped)
        return true;
    if (recovery->instant_count && !es_observed_instant(recovery, err)) /* what came before the gap is whole */
        return false;
    es_recovered_run(recovery);
    if (es_again_gap(recovery, processes, count))
        return true;
    for (size_t i = 0; i < count; i++)
        if (processes[i] >= ES_NET_NO_PROCESS && processes[i] + 1 < (int64_t)recovery->process_count)
            recovery->processes[processes[i] + 1].loose = recovery->any_loose = true;
    for (uint32_t i = 0; i < recovery->process_count && !count; i++)
        recovery->processes[i].loose = recovery->any_loose = true;
    for (uint32_t i = 0; i < recovery->open_count; i++)
        es_recovered_look_again(recovery, recovery->open[i]);
    es_recovered_run(recovery);
    return true;
}

bool es_net_recovery_finish(es_net_recovery *recovery, bool complete, es_error *err)
{
    if (recovery->stopped)
        return true;
    if (recovery->instant_count && !es_observed_instant(recovery, err))
        return false;
    es_recovered_run(recovery);
    recovery->complete = complete;
    recovery->ended = true;
    for (uint32_t i = 0; i < recovery->open_count; i++)
        es_recovered_look_again(recovery, recovery->open[i]);
    es_recovered_run(recovery);
    es_starve_end(recovery);
    return check_early(recovery, err);
}

es_net_doubt es_net_recovery_doubt(const es_net_recovery *recovery, int32_t process)
{
    if (process < ES_NET_NO_PROCESS || process + 1 >= (int64_t)recovery->process_count)
        return (es_net_doubt){.reason = ES_NET_DOUBT_NONE};
    return recovery->processes[process + 1].doubt;
}

void es_net_recovery_totals_get(const es_net_recovery *recovery, es_net_recovery_totals *totals)
{
    *totals = recovery->totals;
    totals->open = recovery->open_count;
    totals->waiting = totals->memory = 0;
    totals->memory += recovery->instant_size * sizeof *recovery->instant +
                      recovery->tasks.size * sizeof *recovery->tasks.items +
                      recovery->starving.size * sizeof *recovery->starving.items;
    for (uint32_t i = 0; i < recovery->stretch_count; i++) {
        const stretch *at = &recovery->stretches[i];
        *(at->repeat ? &totals->asked : &totals->waiting) += at->measures.count;
        totals->memory += at->measures.size *
                              (sizeof *at->measures.items + recovery->steps[at->end].decisions * sizeof *at->answers) +
                          at->waits.size * sizeof *at->waits.items + at->begun.size * sizeof *at->begun.items +
                          at->labels.size * sizeof *at->labels.items + sizeof *at;
    }
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        const place_state *place = &recovery->places[i];
        totals->memory += (place->choices.size + place->habits.size) * sizeof(choice) +
                          place->comers.size * sizeof *place->comers.items +
                          place->answers.size * sizeof *place->answers.items +
                          (place->stays.size + place->gated.size) * sizeof(stay) + sizeof *place;
    }
    totals->memory += recovery->net->transition_count * sizeof *recovery->steps;
}
