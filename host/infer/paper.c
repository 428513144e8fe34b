/* The method of Martin and Dagenais (2018): a machine is a graph whose arcs weigh 1 - p, p being the part of a state's
 * departures that take the transition. An event that does not fit is taken by the most frequent of all transitions that
 * could; Dijkstra's shortest path leads from the last known state to where that one begins. */
#include <math.h>
#include <string.h>

#include "infer/segment.h"

typedef struct graph {
    double distance[ES_INFER_STATES_MAX];
    uint16_t previous[ES_INFER_STATES_MAX]; /* the transition by which the shortest path comes in */
    bool visited[ES_INFER_STATES_MAX];
} graph;

static double weight(const es_infer_solver *solver, uint32_t machine, uint32_t transition, uint32_t state)
{
    uint64_t left = es_infer_times_left(solver->learned, machine, state);
    return left ? 1 - (double)es_infer_times_taken(solver->learned, machine, transition) / (double)left : 1;
}

static bool shortest(const es_infer_solver *solver, uint32_t number, uint32_t from, uint32_t to, graph *g)
{
    const es_infer_machine *machine = &solver->model->machines[number];
    for (uint32_t s = 0; s < machine->state_count; s++) {
        g->distance[s] = INFINITY;
        g->visited[s] = false;
    }
    g->distance[from] = 0;
    for (;;) {
        uint32_t current = ES_INFER_NONE;
        for (uint32_t s = 0; s < machine->state_count; s++)
            if (!g->visited[s] && isfinite(g->distance[s]) &&
                (current == ES_INFER_NONE || g->distance[s] < g->distance[current]))
                current = s;
        if (current == ES_INFER_NONE)
            return false;
        if (current == to)
            return true;
        g->visited[current] = true;
        for (uint32_t i = machine->out_first[current]; i < machine->out_first[current + 1]; i++) {
            const es_infer_transition *t = &machine->transitions[machine->out[i]];
            double distance = g->distance[current] + weight(solver, number, machine->out[i], current);
            if (!g->visited[t->to] && distance < g->distance[t->to]) {
                g->distance[t->to] = distance;
                g->previous[t->to] = machine->out[i];
            }
        }
    }
}

/* The most frequent transition by which the event may leave one of those states. */
static uint16_t most_frequent(const es_infer_solver *solver, const es_infer_segment *segment, uint32_t observed,
                              const es_infer_set *from)
{
    const es_infer_machine *machine = &solver->model->machines[segment->machine_number];
    uint16_t best = ES_INFER_NO_TRANSITION;
    for (uint32_t i = machine->first[(size_t)segment->roles[observed] * machine->state_count];
         i < machine->first[((size_t)segment->roles[observed] + 1) * machine->state_count]; i++) {
        if (!es_infer_set_has(from, machine->transitions[i].from) ||
            es_infer_holds(&machine->transitions[i], &segment->observed[observed], NULL, 0) == ES_INFER_FALSE)
            continue;
        if (best == ES_INFER_NO_TRANSITION || es_infer_times_taken(solver->learned, segment->machine_number, i) >
                                                  es_infer_times_taken(solver->learned, segment->machine_number, best))
            best = (uint16_t)i;
    }
    return best;
}

/* Adds what was lost before an observed event, in even distances. */
static void add_lost(es_infer_path *path, const es_infer_machine *machine, const graph *g, uint32_t from, uint32_t to,
                     uint32_t observed, int64_t begin, int64_t end)
{
    uint16_t reversed[ES_INFER_STATES_MAX];
    uint32_t count = 0;
    for (uint32_t s = to; s != from; s = machine->transitions[reversed[count - 1]].from)
        reversed[count++] = g->previous[s];
    for (uint32_t i = 0; i < count; i++) {
        int64_t time = begin + (int64_t)((double)(end - begin) * (i + 1) / (count + 1));
        path->passed[path->count++] = (es_infer_passed){reversed[count - 1 - i], true, observed, begin, time, end};
    }
    path->lost += count;
}

uint32_t es_infer_solve_paper(es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *paths)
{
    const es_infer_machine *machine = &solver->model->machines[segment->machine_number];
    es_infer_path *path = paths;
    *path =
        (es_infer_path){.passed = es_arena_alloc(solver->arena, ((size_t)segment->count * (ES_INFER_STATES_MAX + 1)) *
                                                                    sizeof(es_infer_passed))};
    uint32_t state = segment->state;
    int64_t time = segment->begin;
    for (uint32_t i = 0; i < segment->count; i++) {
        es_infer_set here = es_infer_set_of(state);
        uint16_t last = most_frequent(solver, segment, i, &here);
        if (last == ES_INFER_NO_TRANSITION) {
            graph g;
            last = most_frequent(solver, segment, i, &machine->reach[state]);
            if (last == ES_INFER_NO_TRANSITION ||
                !shortest(solver, segment->machine_number, state, machine->transitions[last].from, &g))
                return 0;
            add_lost(path, machine, &g, state, machine->transitions[last].from, i, time, segment->observed[i].time);
        }
        state = machine->transitions[last].to;
        time = segment->observed[i].time;
        path->passed[path->count++] = (es_infer_passed){last, false, i, time, time, time};
    }
    return 1;
}
