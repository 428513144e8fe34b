#include "infer/together.h"

#include <math.h>

#include "infer/contradict.h"

#define WHOLE_MAX 12u    /* parts of an event */
#define COUNTED_MAX 128u /* parts of lost events in one interval that are shared out */
/* What others say counts so much where an event concerns several scenarios: their paths are looked at as if they were
 * independent, though one lost event is a step of each of them. */
#define SHARED_WEIGHT 0.4
#define PATHS_MAX 48u     /* of another stretch that are looked at */
#define UNKNOWN_PART 0.02 /* of the lost events, that are always taken as possibly nobody's */

/* How many scenarios an event concerns: one for each of its roles. */
static uint32_t roles_of(const es_infer_model *model, uint32_t event)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++)
            count += model->machines[m].roles[r].event == event;
    return count ? count : 1;
}

es_infer_shares *es_infer_shares_new(const es_infer_model *model, es_arena *arena)
{
    es_infer_shares *shares = es_arena_alloc(arena, sizeof *shares);
    *shares = (es_infer_shares){1, es_arena_alloc(arena, model->machine_count * sizeof *shares->of)};
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++) {
            uint32_t roles = roles_of(model, model->machines[m].roles[r].event), whole = shares->whole;
            while (whole % roles)
                whole += shares->whole;
            if (whole > WHOLE_MAX)
                return NULL;
            shares->whole = whole;
        }
    for (uint32_t m = 0; m < model->machine_count; m++) {
        const es_infer_machine *machine = &model->machines[m];
        shares->of[m] = es_arena_alloc(arena, (machine->transition_count + 1) * sizeof **shares->of);
        for (uint32_t i = 0; i < machine->transition_count; i++)
            shares->of[m][i] =
                (uint8_t)(shares->whole / roles_of(model, machine->roles[machine->transitions[i].role].event));
    }
    return shares;
}

/* Lost events before an observed one; with `of` their parts that are the scenario's, by its transitions. */
static uint32_t lost_in(const es_infer_path *path, uint32_t observed, const uint8_t *of)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < path->count; i++)
        if (path->passed[i].lost && path->passed[i].observed == observed)
            lost += of ? of[path->passed[i].transition] : 1;
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

/* sums[k] is how likely k parts are lost in all; one more event may be lost, with so many of them. */
static void add_event(double *sums, uint32_t max, uint32_t parts, double probability)
{
    for (uint32_t k = max + 1; k-- > 0;)
        sums[k] = sums[k] * (1 - probability) + (k >= parts ? sums[k - parts] * probability : 0);
}

/* Adds another stretch to the sums. False: it has nothing to do with the interval. */
static bool add_neighbour(const es_infer_shares *shares, const es_infer_solved *other, const es_infer_between *between,
                          double *sums, uint32_t max)
{
    double part[ES_INFER_OBSERVED_MAX], weights[PATHS_MAX], total = 0, best = INFINITY, made[COUNTED_MAX + 1] = {0};
    bool any = false;
    const uint8_t *of = shares->of[other->result.machine_number];
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
                weights[i] -= es_infer_count_cost(&other->segment->between[q], lost_in(&other->paths[i], q, NULL));
        best = weights[i] < best ? weights[i] : best;
    }
    for (uint32_t i = 0; i < paths; i++)
        total += weights[i] = exp(best - weights[i]);
    for (uint32_t i = 0; i < paths; i++) {
        double from[COUNTED_MAX + 1];
        const es_infer_path *path = &other->paths[i];
        for (uint32_t k = 0; k <= max; k++)
            from[k] = sums[k];
        for (uint32_t p = 0; p < path->count; p++)
            if (path->passed[p].lost && part[path->passed[p].observed] > 0)
                add_event(from, max, of[path->passed[p].transition], part[path->passed[p].observed]);
        for (uint32_t k = 0; k <= max; k++)
            made[k] += weights[i] / total * from[k];
    }
    for (uint32_t k = 0; k <= max; k++)
        sums[k] = made[k];
    return true;
}

/* What each number of lost events of the stretch costs in one of its intervals, in place of what
 * es_infer_count_cost says without the others. */
static void weigh_counts(const es_infer_shares *shares, es_infer_solved *solved, uint32_t observed,
                         es_infer_solved *const *others, uint32_t count)
{
    const es_infer_between *between = &solved->segment->between[observed];
    uint32_t max = (uint32_t)between->count * shares->whole;
    double sums[COUNTED_MAX + 1] = {1}, part = 1 - solved->share, known = 0;
    double all = part > 0.01 ? between->others / part : between->others;
    for (uint32_t i = 0; i < count; i++)
        if (others[i]->segment != solved->segment && add_neighbour(shares, others[i], between, sums, max))
            known += others[i]->share;
    es_infer_between rest = *between;
    double left = part - known > UNKNOWN_PART ? part - known : UNKNOWN_PART;
    rest.others = all * left;
    double weight = shares->whole > 1 ? SHARED_WEIGHT : 1;
    double nobody[COUNTED_MAX + 1]; /* k parts of events of no stretch */
    for (uint32_t k = 0; k <= max; k++)
        nobody[k] = exp(-es_infer_rest_cost(&rest, (double)k / shares->whole));
    for (uint32_t i = 0; i < solved->path_count; i++) {
        uint32_t lost = lost_in(&solved->paths[i], observed, NULL);
        uint32_t parts = lost_in(&solved->paths[i], observed, shares->of[solved->result.machine_number]);
        double likely = 0;
        for (uint32_t k = 0; parts <= max && k <= max - parts; k++)
            likely += sums[k] * nobody[max - parts - k];
        solved->paths[i].cost -= weight * (es_infer_count_cost(between, lost) + log(likely + 1e-12));
    }
}

void es_infer_weigh_together(const es_infer_model *model, const es_infer_shares *shares, es_infer_solved *solved,
                             es_infer_solved *const *others, uint32_t other_count)
{
    es_infer_path *paths = es_arena_alloc(solved->arena, (solved->path_count + 1) * sizeof *paths);
    es_infer_solved weighed = *solved;
    for (uint32_t i = 0; i < solved->path_count; i++)
        paths[i] = solved->paths[i];
    weighed.paths = paths; /* others look at the paths as they were */
    for (uint32_t q = 0; q < solved->segment->count; q++)
        if (shares && solved->segment->between[q].count &&
            solved->segment->between[q].count <= COUNTED_MAX / shares->whole)
            weigh_counts(shares, &weighed, q, others, other_count);
    es_infer_weigh_exclusive(model, &weighed, others, other_count);
    es_infer_sort_paths(paths, solved->path_count);
    solved->weighed = paths;
}
