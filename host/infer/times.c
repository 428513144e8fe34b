/* When lost events happened: the time between two observed ones is cut into steps, and the distributions of the
 * delays of a path's transitions say how likely each is, from both ends. */
#include <math.h>
#include <string.h>

#include "infer/segment.h"

#define STEPS 48u
#define IMPOSSIBLE 40.0 /* the cost of what breaks an exclusive state */

/* How likely a delay is so many steps long. */
typedef struct es_infer_kernel {
    struct es_infer_kernel *next;
    uint32_t interval;
    uint16_t before, transition;
    double steps[STEPS];
} kernel;

typedef struct interval {
    es_infer_solver *solver;
    uint32_t machine, number;
    double begin, end, low, width; /* of the time between observed events; of the first step: after `begin`, in ns */
    uint32_t steps;
    double open[STEPS];         /* part of each step in which something may have been lost */
    const es_infer_stay *stays; /* the states before each transition of the interval */
    int64_t origin;             /* `begin` of the interval, ns */
} interval;

/* Until when the scenario may have stayed; ns, as `from`. */
static int64_t stay_until(const es_infer_solver *solver, const es_infer_stay *stay, int64_t from)
{
    return stay->exclusive == ES_INFER_NONE
               ? INT64_MAX
               : es_infer_excluded_until(&solver->excluded, stay->exclusive, stay->known ? &stay->value : NULL, from);
}

/* When a step begins. */
static int64_t step_time(const interval *v, uint32_t step)
{
    return v->origin + (int64_t)(v->low + step * v->width);
}

static double part_within(es_infer_delay delay, double low, double high)
{
    double part = high <= 0 ? 0 : es_infer_delay_below(delay, high) - es_infer_delay_below(delay, low);
    return part > 0 ? part : 0;
}

static const double *kernel_of(const interval *v, uint16_t before, uint16_t transition)
{
    for (const kernel *k = v->solver->kernels; k; k = k->next)
        if (k->interval == v->number && k->before == before && k->transition == transition)
            return k->steps;
    kernel *k = es_arena_alloc(v->solver->arena, sizeof *k);
    *k = (kernel){.next = v->solver->kernels, .interval = v->number, .before = before, .transition = transition};
    v->solver->kernels = k;
    es_infer_delay delay = es_infer_delay_of(v->solver->learned, v->machine, before, transition);
    double last = 0;
    for (uint32_t i = 0; i < v->steps; i++) {
        double below = es_infer_delay_below(delay, (i + 0.5) * v->width);
        k->steps[i] = below > last ? below - last : 0;
        last = below;
    }
    return k->steps;
}

/* How likely the first lost event is in each step, and how dense the last transition's end is at the end after each. */
static void fill_ends(const interval *v, uint32_t lost, es_infer_delay first, es_infer_delay last, double *forward,
                      double *backward)
{
    int64_t first_end = stay_until(v->solver, &v->stays[0], v->origin);
    for (uint32_t i = 0; i < v->steps; i++) {
        double low = v->low + i * v->width, high = low + v->width;
        forward[i] = part_within(first, low, high) * v->open[i];
        backward[i] = part_within(last, v->end - high, v->end - low) / v->width;
        if (step_time(v, i) > first_end)
            forward[i] = 0;
        if (v->origin + (int64_t)v->end > stay_until(v->solver, &v->stays[lost], step_time(v, i + 1)))
            backward[i] = 0;
    }
}

/* Until which step a stay that begins within each step may last; as short as that may be. */
static void find_ends(const interval *v, const es_infer_stay *stay, uint32_t *ends)
{
    bool free = stay->exclusive == ES_INFER_NONE || !v->solver->excluded.count;
    for (uint32_t from = 0; from < v->steps; from++) {
        int64_t until = free ? INT64_MAX : stay_until(v->solver, stay, step_time(v, from + 1));
        ends[from] = free ? v->steps : from;
        while (ends[from] < v->steps && step_time(v, ends[from]) <= until)
            ends[from]++;
    }
}

static void pass(const interval *v, const double *steps, const es_infer_stay *stay, const double *from, double *to,
                 bool forward)
{
    uint32_t ends[STEPS]; /* the first step that is too far */
    find_ends(v, stay, ends);
    for (uint32_t i = 0; i < v->steps; i++) {
        double sum = 0;
        if (forward)
            for (uint32_t k = 0; k <= i; k++)
                sum += i < ends[k] ? from[k] * steps[i - k] : 0;
        else
            for (uint32_t k = i; k < ends[i]; k++)
                sum += from[k] * v->open[k] * steps[k - i];
        to[i] = forward ? sum * v->open[i] : sum;
    }
}

/* Where a lost event lies, from how likely each step is. */
static void place_lost(const interval *v, int64_t begin, const double *likely, es_infer_passed *lost)
{
    double sum = 0, passed = 0, low = -1, high = -1;
    uint32_t best = 0;
    for (uint32_t i = 0; i < v->steps; i++) {
        sum += likely[i];
        best = likely[i] > likely[best] ? i : best;
    }
    for (uint32_t i = 0; i < v->steps; i++) {
        double after = passed + likely[i];
        if (low < 0 && after >= 0.05 * sum)
            low = i;
        if (high < 0 && after >= 0.95 * sum)
            high = i + 1;
        passed = after;
    }
    low = low > best ? best : low; /* the most likely one belongs to the interval, even in a tail of it */
    high = high >= 0 && high < best + 1 ? best + 1 : high;
    lost->low = begin + (int64_t)(v->low + (low < 0 ? 0 : low) * v->width);
    lost->high = begin + (int64_t)ceil(v->low + (high < 0 ? v->steps : high) * v->width);
    lost->time = begin + (int64_t)(v->low + (best + 0.5) * v->width);
}

/* One interval with `lost` lost transitions, the observed one after them. Returns how dense its end is. */
static double time_lost(const interval *v, uint16_t before, es_infer_passed *passed, uint32_t lost, int64_t begin,
                        bool place)
{
    double(*forward)[STEPS] = es_arena_alloc(v->solver->arena, lost * sizeof *forward);
    double(*backward)[STEPS] = es_arena_alloc(v->solver->arena, lost * sizeof *backward);
    const es_infer_learned *learned = v->solver->learned;
    uint16_t second_last = passed[lost - 1].transition;
    fill_ends(v, lost, es_infer_delay_of(learned, v->machine, before, passed[0].transition),
              es_infer_delay_of(learned, v->machine, second_last, passed[lost].transition), forward[0],
              backward[lost - 1]);
    for (uint32_t i = 1; i < lost; i++)
        pass(v, kernel_of(v, passed[i - 1].transition, passed[i].transition), &v->stays[i], forward[i - 1], forward[i],
             true);
    double density = 0, likely[STEPS];
    for (uint32_t i = 0; i < v->steps; i++)
        density += forward[lost - 1][i] * backward[lost - 1][i];
    if (!place)
        return density;
    for (uint32_t i = lost - 1; i > 0; i--)
        pass(v, kernel_of(v, passed[i - 1].transition, passed[i].transition), &v->stays[i], backward[i],
             backward[i - 1], false);
    for (uint32_t i = 0; i < lost; i++) {
        for (uint32_t k = 0; k < v->steps; k++)
            likely[k] = forward[i][k] * backward[i][k];
        place_lost(v, begin, likely, &passed[i]);
    }
    return density;
}

/* Without any knowledge of delays: evenly. */
static void place_evenly(const es_infer_between *between, int64_t begin, int64_t end, es_infer_passed *passed,
                         uint32_t lost)
{
    if (between->told) {
        begin = between->begin > begin ? between->begin : begin;
        end = between->end < end ? between->end : end;
    }
    for (uint32_t i = 0; i < lost; i++) {
        passed[i].low = begin;
        passed[i].high = end;
        passed[i].time = begin + (int64_t)((double)(end - begin) * (i + 1) / (lost + 1));
    }
}

static void fill_open(interval *v, const es_infer_between *between, int64_t begin)
{
    for (uint32_t i = 0; i < v->steps; i++) {
        double low = v->low + i * v->width, high = low + v->width, sum = 0;
        for (uint32_t w = 0; w < between->window_count; w++) {
            double from = (double)(between->windows[w][0] - begin), to = (double)(between->windows[w][1] - begin);
            from = from > low ? from : low;
            to = to < high ? to : high;
            sum += to > from ? to - from : 0;
        }
        v->open[i] = between->window_count ? sum / v->width : 1;
    }
}

static double time_interval(const es_infer_solver *solver, const es_infer_segment *segment, uint32_t number,
                            uint16_t before, const es_infer_stay *stays, es_infer_passed *passed, uint32_t lost,
                            bool place)
{
    const es_infer_between *between = &segment->between[number];
    int64_t begin = number ? segment->observed[number - 1].time : segment->begin, end = segment->observed[number].time;
    es_infer_delay delay = es_infer_delay_of(solver->learned, segment->machine_number,
                                             lost ? passed[lost - 1].transition : before, passed[lost].transition);
    double time = (double)(end - begin);
    if (!lost && end > stay_until(solver, stays, begin))
        return IMPOSSIBLE;
    bool first = !number && segment->fresh; /* since when the scenario is in its first state nobody knows */
    if (end <= begin || first || !es_infer_delay_known(delay)) {
        place_evenly(between, begin, end, passed, lost);
        return 0;
    }
    if (!lost)
        return -log(es_infer_delay_density(delay, time) * time + 1e-12);
    int64_t low = between->told && between->begin > begin ? between->begin : begin;
    int64_t high = between->told && between->end < end ? between->end : end;
    low = low > end ? end : low;
    high = high < low ? low : high;
    interval v = {.solver = (es_infer_solver *)solver,
                  .machine = segment->machine_number,
                  .number = number,
                  .end = time,
                  .stays = stays,
                  .origin = begin};
    v.low = (double)(low - begin);
    v.steps = high - low < STEPS ? (uint32_t)(high - low) + 1 : STEPS;
    v.width = high - low < STEPS ? 1 : (double)(high - low) / STEPS;
    fill_open(&v, between, begin);
    double density = time_lost(&v, before, passed, lost, begin, place);
    if (density <= 0 && place)
        place_evenly(between, begin, end, passed, lost);
    return -log(density * time + 1e-12);
}

/* At most one scenario at all: its value, 0, is known without an event. */
static bool only_one_value(const es_infer_exclusive *exclusive)
{
    return exclusive->field == ES_INFER_NONE || exclusive->values == 1;
}

double es_infer_find_stays(const es_infer_model *model, const es_infer_segment *segment,
                           const es_infer_excluded *excluded, const es_infer_path *path, es_infer_stay *stays)
{
    const es_infer_machine *machine = &model->machines[segment->machine_number];
    double cost = 0;
    for (uint32_t i = 0; i <= path->count; i++) {
        uint32_t state = i ? machine->transitions[path->passed[i - 1].transition].to : segment->state;
        stays[i] = (es_infer_stay){.exclusive = es_infer_exclusive_of(machine, state)};
        stays[i].known =
            stays[i].exclusive != ES_INFER_NONE && only_one_value(&machine->exclusives[stays[i].exclusive]);
    }
    if (excluded->own != ES_INFER_NONE && stays[0].exclusive == excluded->own)
        stays[0] = (es_infer_stay){excluded->own, true, excluded->own_value};
    for (uint32_t i = 0; i < path->count; i++) {
        es_infer_stay *before = &stays[i], *after = &stays[i + 1];
        bool same = before->exclusive == after->exclusive;
        es_infer_value value;
        for (uint32_t k = 0; k < 2 && !path->passed[i].lost; k++) {
            es_infer_stay *stay = k ? after : before;
            if (stay->exclusive == ES_INFER_NONE ||
                !es_infer_exclusive_value(machine, stay->exclusive, segment->roles[path->passed[i].observed],
                                          &segment->observed[path->passed[i].observed], &value))
                continue;
            cost += stay->known && stay->value != value ? IMPOSSIBLE : 0;
            stay->known = true;
            stay->value = value;
        }
        if (same && before->known)
            *after = *before;
    }
    for (uint32_t i = path->count; i > 0; i--)
        if (stays[i - 1].exclusive == stays[i].exclusive && stays[i].known)
            stays[i - 1] = stays[i];
    return cost;
}

void es_infer_time_path(const es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *path, bool place)
{
    uint16_t before = segment->context[0];
    es_infer_stay *stays = es_arena_alloc(solver->arena, (path->count + 1) * sizeof *stays);
    path->time_cost = es_infer_find_stays(solver->model, segment, &solver->excluded, path, stays);
    for (uint32_t i = 0; i < path->count;) {
        uint32_t lost = 0;
        while (i + lost < path->count && path->passed[i + lost].lost)
            lost++;
        if (i + lost == path->count)
            return;
        path->time_cost +=
            time_interval(solver, segment, path->passed[i].observed, before, &stays[i], &path->passed[i], lost, place);
        before = path->passed[i + lost].transition;
        i += lost + 1;
    }
}
