#include "infer/segment.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 33u /* observed events that there is room for at first */

static void make_room(uint32_t fields, es_infer_segment *s)
{
    if (s->count < s->room)
        return;
    s->room = s->room ? s->room * 2 : ROOM_FIRST;
    s->observed = es_realloc(s->observed, s->room * sizeof *s->observed);
    s->roles = es_realloc(s->roles, s->room * sizeof *s->roles);
    s->between = es_realloc(s->between, s->room * sizeof *s->between);
    s->values = es_realloc(s->values, ((size_t)s->room * fields + 1) * sizeof *s->values);
    for (uint32_t i = 0; i < s->count; i++)
        s->observed[i].values = s->values + (size_t)i * fields;
}

es_infer_segment *es_infer_segment_new(uint32_t fields, const es_infer_step *step, const es_infer_scenario *scenario)
{
    es_infer_segment *s = es_malloc(sizeof *s);
    *s = (es_infer_segment){.machine_number = step->machine_number,
                            .state = (uint16_t)es_infer_set_first(step->certain_before),
                            .certain = !step->hidden_before,
                            .fresh = !scenario->begun,
                            .begin = scenario->begun ? step->time_before : step->event->time,
                            .known = scenario->known,
                            .key = scenario->key};
    memcpy(s->context, scenario->context, sizeof s->context);
    memcpy(s->variables, scenario->variables, step->machine->variable_count * sizeof *s->variables);
    make_room(fields, s);
    return s;
}

void es_infer_segment_free(es_infer_segment *s)
{
    if (s) {
        free(s->observed);
        free(s->roles);
        free(s->between);
        free(s->values);
    }
    free(s);
}

es_infer_between *es_infer_segment_add(es_infer_segment *s, uint32_t fields, const es_infer_step *step)
{
    if (s->count == ES_INFER_OBSERVED_MAX) {
        s->too_long = true;
        s->count--;
    }
    make_room(fields, s);
    es_infer_value *values = s->values + (size_t)s->count * fields;
    for (uint64_t left = step->event->present; left; left &= left - 1)
        values[__builtin_ctzll(left)] = step->event->values[__builtin_ctzll(left)];
    s->observed[s->count] = *step->event;
    s->observed[s->count].values = values;
    s->roles[s->count] = step->role;
    return &s->between[s->count++];
}

void es_infer_segment_forget(es_infer_segment *s, uint32_t fields, const es_infer_machine *machine, uint16_t transition)
{
    s->state = machine->transitions[transition].to;
    for (uint32_t i = ES_INFER_CONTEXT - 1; i > 0; i--)
        s->context[i] = s->context[i - 1];
    s->context[0] = transition;
    es_infer_assign(&machine->transitions[transition], &s->observed[0], s->variables, &s->known);
    s->begin = s->observed[0].time;
    s->certain = s->between[0].certain;
    s->fresh = false;
    s->count--;
    memmove(s->values, s->values + fields, (size_t)s->count * fields * sizeof *s->values);
    for (uint32_t i = 0; i < s->count; i++) {
        s->observed[i] = s->observed[i + 1];
        s->observed[i].values = s->values + (size_t)i * fields;
        s->roles[i] = s->roles[i + 1];
        s->between[i] = s->between[i + 1];
    }
}

uint16_t es_infer_segment_first(const es_infer_segment *s, const es_infer_machine *machine)
{
    uint32_t at = s->roles[0] * machine->state_count + s->state;
    uint16_t only = ES_INFER_NO_TRANSITION;
    for (uint32_t i = machine->first[at]; i < machine->first[at + 1]; i++) {
        enum es_infer_truth truth = es_infer_holds(&machine->transitions[i], &s->observed[0], s->variables, s->known);
        if (truth == ES_INFER_FALSE)
            continue;
        if (only != ES_INFER_NO_TRANSITION)
            return ES_INFER_NO_TRANSITION;
        only = (uint16_t)i;
        if (truth == ES_INFER_TRUE)
            break;
    }
    return only;
}

static int by_cost(const void *left, const void *right)
{
    const es_infer_path *a = left, *b = right;
    double x = a->cost + a->time_cost, y = b->cost + b->time_cost;
    return x != y ? (x < y ? -1 : 1) : 0;
}

void es_infer_sort_paths(es_infer_path *paths, uint32_t count)
{
    qsort(paths, count, sizeof *paths, by_cost);
}
