#include "infer/together.h"

#include <math.h>
#include <stdlib.h>

#include "infer/contradict.h"

#define COUNTED_MAX 64u   /* lost events in one interval that are shared out */
#define PATHS_MAX 48u     /* of another stretch that are looked at */
#define UNKNOWN_PART 0.02 /* of the lost events, that are always taken as possibly nobody's */

bool es_infer_events_are_single(const es_infer_model *model)
{
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++)
            for (uint32_t n = 0; n <= m; n++)
                for (uint32_t q = 0; q < (n == m ? r : model->machines[n].role_count); q++)
                    if (model->machines[m].roles[r].event == model->machines[n].roles[q].event)
                        return false;
    return true;
}

static int by_cost(const void *left, const void *right)
{
    const es_infer_path *a = left, *b = right;
    double x = a->cost + a->time_cost, y = b->cost + b->time_cost;
    return x != y ? (x < y ? -1 : 1) : 0;
}

static uint32_t lost_in(const es_infer_path *path, uint32_t observed)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < path->count; i++)
        lost += path->passed[i].lost && path->passed[i].observed == observed;
    return lost;
}

/* --- how many were lost ---------------------------------------------------------------------------------------- */

/* Part of an interval's losses that are in the time of another one's. */
static double overlap_of(const es_infer_between *of, const es_infer_between *with)
{
    double all = 0, both = 0;
    if (!of->window_count || !with->window_count)
        return of->begin < with->end && with->begin < of->end ? 1 : 0;
    for (uint32_t i = 0; i < of->window_count; i++) {
        double length = (double)(of->windows[i][1] - of->windows[i][0]) + 1e-3;
        all += length;
        for (uint32_t k = 0; k < with->window_count; k++) {
            int64_t low = of->windows[i][0] > with->windows[k][0] ? of->windows[i][0] : with->windows[k][0];
            int64_t high = of->windows[i][1] < with->windows[k][1] ? of->windows[i][1] : with->windows[k][1];
            if (low < high || (low == high && of->windows[i][0] == of->windows[i][1]))
                both += (double)(high - low) + 1e-3 * (of->windows[i][0] == of->windows[i][1]);
        }
    }
    return both > all ? 1 : both / all;
}

/* sums[k] becomes how likely k are lost in all, with one more that lost each of `lost` events with a probability. */
static void add_binomial(double *to, const double *from, uint32_t max, uint32_t lost, double part, double weight)
{
    double term = lost ? pow(1 - part, lost) : 1;
    if (part >= 1) {
        for (uint32_t k = lost; k <= max; k++)
            to[k] += weight * from[k - lost];
        return;
    }
    for (uint32_t i = 0; i <= lost && i <= max; i++) {
        for (uint32_t k = i; k <= max; k++)
            to[k] += weight * term * from[k - i];
        term *= part / (1 - part) * (lost - i) / (i + 1);
    }
}

/* Adds another stretch to the sums. False: it has nothing to do with the interval. */
static bool add_neighbour(const es_infer_solved *other, const es_infer_between *between, double *sums, uint32_t max)
{
    double part[ES_INFER_OBSERVED_MAX], weights[PATHS_MAX], total = 0, best = INFINITY, made[COUNTED_MAX + 1] = {0};
    bool any = false;
    uint32_t paths = other->path_count < PATHS_MAX ? other->path_count : PATHS_MAX;
    for (uint32_t q = 0; q < other->segment->count; q++) {
        const es_infer_between *b = &other->segment->between[q];
        part[q] = b->told && b->end > between->begin && b->begin < between->end ? overlap_of(b, between) : 0;
        any |= part[q] > 0;
    }
    if (!any || !paths)
        return false;
    for (uint32_t i = 0; i < paths; i++) {
        weights[i] = other->paths[i].cost + other->paths[i].time_cost;
        for (uint32_t q = 0; q < other->segment->count; q++)
            if (part[q] > 0)
                weights[i] -= es_infer_count_cost(&other->segment->between[q], lost_in(&other->paths[i], q));
        best = weights[i] < best ? weights[i] : best;
    }
    for (uint32_t i = 0; i < paths; i++)
        total += weights[i] = exp(best - weights[i]);
    for (uint32_t i = 0; i < paths; i++) {
        double from[COUNTED_MAX + 1], to[COUNTED_MAX + 1];
        for (uint32_t k = 0; k <= max; k++)
            from[k] = sums[k];
        for (uint32_t q = 0; q < other->segment->count; q++) {
            uint32_t lost = part[q] > 0 ? lost_in(&other->paths[i], q) : 0;
            if (!lost)
                continue;
            for (uint32_t k = 0; k <= max; k++)
                to[k] = 0;
            add_binomial(to, from, max, lost, part[q], 1);
            for (uint32_t k = 0; k <= max; k++)
                from[k] = to[k];
        }
        for (uint32_t k = 0; k <= max; k++)
            made[k] += weights[i] / total * from[k];
    }
    for (uint32_t k = 0; k <= max; k++)
        sums[k] = made[k];
    return true;
}

/* What each number of lost events of the stretch costs in one of its intervals, in place of what
 * es_infer_count_cost says without the others. */
static void weigh_counts(es_infer_solved *solved, uint32_t observed, es_infer_solved *const *others, uint32_t count)
{
    const es_infer_between *between = &solved->segment->between[observed];
    uint32_t max = (uint32_t)between->count;
    double sums[COUNTED_MAX + 1] = {1}, part = 1 - solved->share, known = 0;
    double all = part > 0.01 ? between->others / part : between->others;
    for (uint32_t i = 0; i < count; i++)
        if (others[i]->segment != solved->segment && add_neighbour(others[i], between, sums, max))
            known += others[i]->share;
    es_infer_between rest = *between;
    double left = part - known > UNKNOWN_PART ? part - known : UNKNOWN_PART;
    rest.others = all * left;
    double nobody[COUNTED_MAX + 1];
    for (uint32_t k = 0; k <= max; k++)
        nobody[k] = exp(-es_infer_count_cost(&rest, max - k)); /* k lost events of no stretch */
    for (uint32_t i = 0; i < solved->path_count; i++) {
        uint32_t lost = lost_in(&solved->paths[i], observed);
        double likely = 0;
        for (uint32_t k = 0; lost <= max && k <= max - lost; k++)
            likely += sums[k] * nobody[max - lost - k];
        solved->paths[i].cost -= es_infer_count_cost(between, lost) + log(likely + 1e-12);
    }
}

void es_infer_weigh_together(const es_infer_model *model, bool single, es_infer_solved *solved,
                             es_infer_solved *const *others, uint32_t other_count)
{
    es_infer_path *paths = es_arena_alloc(solved->arena, (solved->path_count + 1) * sizeof *paths);
    es_infer_solved weighed = *solved;
    for (uint32_t i = 0; i < solved->path_count; i++)
        paths[i] = solved->paths[i];
    weighed.paths = paths; /* others look at the paths as they were */
    for (uint32_t q = 0; q < solved->segment->count; q++)
        if (single && solved->segment->between[q].count && solved->segment->between[q].count <= COUNTED_MAX)
            weigh_counts(&weighed, q, others, other_count);
    es_infer_weigh_exclusive(model, &weighed, others, other_count);
    qsort(paths, solved->path_count, sizeof *paths, by_cost);
    solved->weighed = paths;
}
