#include "infer/infer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "infer/together.h"

#define GAPS_MAX 64u                           /* told losses that are remembered */
#define FAR_TOO_MANY (1.5 * ES_INFER_LOST_MAX) /* so many are expected that there is no use in looking */
#define RECENT 64u                             /* events by which the rate of events is known */
/* Observed events that are kept in case of a loss to come. Where the state before them is wrong, because something was
 * lost still earlier, so is all that is said. */
#define KEPT_MIN 32u
#define KEPT_MAX 64u /* ... while it is not certain where they lead */
/* So many fitting events say that a state is right that could be another one by losses that do not show. */
#define QUIET 8u

/* How often more is lost right after a loss that is not told, before any of the trace's were looked at: as if so
 * many of so many had been. */
#define BURST_PRIOR 0.5
#define BURST_PRIOR_OF 5.0

#define ALTERNATIVES 3u /* unless told otherwise */
#define WAITING 32u     /* stretches that wait for others in the time of the same losses */
#define SOLVED_MAX 64u  /* ... and those that are told, and kept for others */

typedef struct gap {
    int64_t begin, end;
    double rate;          /* events per ns before it */
    uint64_t count, kept; /* events lost, 0: nobody knows; events that came in the time nevertheless */
} gap;

struct es_infer {
    const es_infer_model *model;
    es_infer_options options;
    es_infer_solver solver;
    gap gaps[GAPS_MAX]; /* the newest is at (gap_count - 1) % GAPS_MAX */
    uint64_t gap_count;
    int64_t recent[RECENT]; /* times of the last events; the oldest is at event_count % RECENT */
    uint64_t event_count;
    int64_t first_time; /* of the trace */
    uint32_t fields;
    es_infer_path paths[ES_INFER_PATHS_MAX];
    es_infer_solved *solved[SOLVED_MAX]; /* the newest is at (solved_count - 1) % SOLVED_MAX */
    uint64_t solved_count, told_count;   /* those before told_count are told, and only kept for the others */
    bool single;                         /* each event concerns one scenario */
    double lost, more;                   /* expected events of losses not told so far; those right after another one */
};

static double **new_ahead(const es_infer_model *model)
{
    double **ahead = es_malloc((model->machine_count + 1) * sizeof *ahead);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        size_t count = (size_t)model->machines[m].role_count * model->machines[m].state_count;
        ahead[m] = es_malloc((count + 1) * sizeof **ahead);
        for (size_t i = 0; i < count; i++)
            ahead[m][i] = NAN;
    }
    return ahead;
}

es_infer *es_infer_new(const es_infer_model *model, const es_infer_learned *learned, const es_infer_options *options)
{
    es_infer *infer = es_malloc(sizeof *infer);
    *infer = (es_infer){.model = model, .options = *options};
    if (!infer->options.alternatives)
        infer->options.alternatives = ALTERNATIVES;
    if (infer->options.alternatives > ES_INFER_ALTERNATIVES_MAX)
        infer->options.alternatives = ES_INFER_ALTERNATIVES_MAX;
    infer->fields = es_infer_field_count(&model->words);
    infer->single = es_infer_events_are_single(model);
    infer->solver =
        (es_infer_solver){.model = model, .learned = learned, .options = &infer->options, .ahead = new_ahead(model)};
    infer->solver.facts = es_infer_facts_new(model, options->hidden);
    return infer;
}

static void free_solved(es_infer_solved *solved);

void es_infer_free(es_infer *infer)
{
    if (!infer)
        return;
    for (uint32_t m = 0; m < infer->model->machine_count; m++)
        free(infer->solver.ahead[m]);
    free(infer->solver.ahead);
    es_infer_facts_free(infer->solver.facts);
    for (uint32_t i = 0; i < SOLVED_MAX; i++)
        free_solved(infer->solved[i]);
    free(infer->solver.pool);
    free(infer);
}

/* --- told losses ----------------------------------------------------------------------------------------------- */

void es_infer_gap(es_infer *infer, int64_t begin, int64_t end, uint64_t count)
{
    if (infer->solver.facts)
        es_infer_facts_gap(infer->solver.facts, begin, end);
    double time = (double)begin - (double)infer->recent[infer->event_count % RECENT];
    bool known = infer->event_count >= RECENT && time > 0;
    infer->gaps[infer->gap_count++ % GAPS_MAX] =
        (gap){begin, end, known ? RECENT / time : infer->options.event_rate, count, 0};
}

void es_infer_event_came(es_infer *infer, int64_t time)
{
    if (!infer->event_count)
        infer->first_time = time;
    infer->recent[infer->event_count++ % RECENT] = time;
}

/* An event that came in the time of a loss was not lost. Called once for each scenario that it concerns. */
static void count_kept(es_infer *infer, const es_infer_event *event)
{
    uint64_t oldest = infer->gap_count > GAPS_MAX ? infer->gap_count - GAPS_MAX : 0;
    for (uint64_t i = infer->gap_count; i > oldest; i--) {
        gap *g = &infer->gaps[(i - 1) % GAPS_MAX];
        if (event->time >= g->end)
            break;
        g->kept += event->time > g->begin;
    }
}

/* The part of all events so far that is not the scenario's. */
static double share_of_others(const es_infer *infer, const es_infer_scenario *scenario)
{
    double share = infer->event_count ? 1 - (double)scenario->events / (double)infer->event_count : 0.5;
    return share > 0 ? share : 0;
}

/* All told losses between two times as one. A loss of which no more is known than that it was, may have been all
 * the time. */
static void between_of(const es_infer *infer, const es_infer_scenario *scenario, int64_t begin, int64_t end,
                       es_infer_between *between)
{
    uint64_t oldest = infer->gap_count > GAPS_MAX ? infer->gap_count - GAPS_MAX : 0, kept = 0;
    bool any = false, counted = true, listed = true;
    *between = (es_infer_between){.told = true, .may_lose = true, .rate = 1};
    for (uint64_t i = infer->gap_count; i > oldest; i--) {
        const gap *g = &infer->gaps[(i - 1) % GAPS_MAX];
        if (g->end <= begin)
            break;
        if (g->begin >= end)
            continue;
        between->begin = any && between->begin < g->begin ? between->begin : g->begin;
        between->end = any && between->end > g->end ? between->end : g->end;
        int64_t low = g->begin > begin ? g->begin : begin, high = g->end < end ? g->end : end;
        between->others += g->rate * (double)(high - low);
        listed = listed && between->window_count < ES_INFER_WINDOWS_MAX;
        if (listed) {
            between->windows[between->window_count][0] = low;
            between->windows[between->window_count++][1] = high;
        }
        between->count += g->count;
        counted = counted && g->count;
        kept += g->kept;
        any = true;
    }
    if (!any) {
        between->begin = begin;
        between->end = end;
    }
    if (kept)
        between->rate = counted ? (double)between->count / (double)(between->count + kept) : 0.5;
    if (!counted)
        between->count = 0;
    if (!listed)
        between->window_count = 0;
    between->others *= between->rate * share_of_others(infer, scenario);
    between->more = between->rate;
}

/* --- segments -------------------------------------------------------------------------------------------------- */

static void make_room(const es_infer *infer, es_infer_segment *s)
{
    if (s->count < s->room)
        return;
    s->room = s->room ? s->room * 2 : KEPT_MIN + 1;
    s->observed = es_realloc(s->observed, s->room * sizeof *s->observed);
    s->roles = es_realloc(s->roles, s->room * sizeof *s->roles);
    s->between = es_realloc(s->between, s->room * sizeof *s->between);
    s->values = es_realloc(s->values, ((size_t)s->room * infer->fields + 1) * sizeof *s->values);
    for (uint32_t i = 0; i < s->count; i++)
        s->observed[i].values = s->values + (size_t)i * infer->fields;
}

static es_infer_segment *new_segment(const es_infer *infer, const es_infer_step *step,
                                     const es_infer_scenario *scenario)
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
    make_room(infer, s);
    return s;
}

static void free_list(es_infer_segment *s)
{
    if (s) {
        free(s->observed);
        free(s->roles);
        free(s->between);
        free(s->values);
    }
    free(s);
}

static void free_segment(es_infer_scenario *scenario)
{
    free_list(scenario->segment);
    scenario->segment = NULL;
}

/* How many events of the scenario itself were lost, by its part of all. */
static double expected_lost(const es_infer *infer, const es_infer_scenario *scenario, const es_infer_between *between)
{
    double others = share_of_others(infer, scenario);
    if (between->count)
        return (double)between->count * (1 - others);
    return others > 0.01 ? between->others * (1 - others) / others : between->others;
}

/* How likely it is that after an event that was lost without being told, the scenario's next one was, too: losses come
 * singly or in bursts. */
static double more_lost(const es_infer *infer)
{
    return (infer->more + BURST_PRIOR) / (infer->lost + BURST_PRIOR_OF);
}

/* Learns that from a stretch, of all its paths as likely as they are. */
static void learn_bursts(es_infer *infer, const es_infer_segment *s, const es_infer_path *paths, uint32_t count)
{
    double total = 0, lost = 0, more = 0;
    for (uint32_t i = 0; i < count; i++) {
        double weight = exp(paths[0].cost + paths[0].time_cost - paths[i].cost - paths[i].time_cost);
        const es_infer_passed *passed = paths[i].passed;
        total += weight;
        for (uint32_t k = 0; k < paths[i].count; k++)
            if (passed[k].lost && !s->between[passed[k].observed].told) {
                lost += weight;
                more += k && passed[k - 1].lost ? weight : 0;
            }
    }
    if (count) {
        infer->lost += lost / total;
        infer->more += more / total;
    }
}

static void add_observed(const es_infer *infer, es_infer_segment *s, const es_infer_step *step,
                         const es_infer_scenario *scenario)
{
    if (s->count == ES_INFER_OBSERVED_MAX) {
        s->too_long = true;
        s->count--;
    }
    make_room(infer, s);
    es_infer_value *values = s->values + (size_t)s->count * infer->fields;
    for (uint64_t left = step->event->present; left; left &= left - 1)
        values[__builtin_ctzll(left)] = step->event->values[__builtin_ctzll(left)];
    s->observed[s->count] = *step->event;
    s->observed[s->count].values = values;
    s->roles[s->count] = step->role;
    es_infer_between *between = &s->between[s->count++];
    if (step->loss_told) {
        between_of(infer, scenario, step->time_before, step->event->time, between);
        s->too_long |= expected_lost(infer, scenario, between) > FAR_TOO_MANY;
    } else
        *between = (es_infer_between){.may_lose = infer->options.hidden || step->verdict == ES_INFER_INCONSISTENT,
                                      .rate = infer->options.loss_rate,
                                      .more = more_lost(infer)};
    between->certain = !step->hidden_after;
    if (s->fresh && s->count == 1) { /* it was there before: lost events are from the time of losses, or from any */
        int64_t begin = between->told ? between->begin : infer->first_time;
        s->begin = begin < s->begin ? begin : s->begin;
    }
}

static uint32_t alternatives_of(es_infer *infer, es_infer_solved *solved, es_infer_alternative *to, double *other)
{
    es_infer_path *paths = solved->weighed ? solved->weighed : solved->paths;
    double total = 0, told = 0, best = solved->path_count ? paths[0].cost + paths[0].time_cost : 0;
    for (uint32_t i = 0; i < solved->path_count; i++)
        total += exp(best - paths[i].cost - paths[i].time_cost);
    uint32_t count =
        solved->path_count < infer->options.alternatives ? solved->path_count : infer->options.alternatives;
    infer->solver.arena = solved->arena;
    infer->solver.kernels = NULL;
    infer->solver.excluded = solved->excluded;
    for (uint32_t i = 0; i < count; i++) {
        es_infer_path *path = &paths[i];
        double probability = exp(best - path->cost - path->time_cost) / total;
        told += probability;
        if (infer->options.method == ES_INFER_JOINT)
            es_infer_time_path(&infer->solver, solved->segment, path, true);
        else
            probability = -1;
        to[i] = (es_infer_alternative){probability, path->passed, path->count, path->lost};
    }
    *other = told < 1 ? 1 - told : 0;
    return count;
}

/* Tells the oldest stretch that waits, by all that are known. */
static bool tell_oldest(es_infer *infer)
{
    es_infer_solved *solved = infer->solved[infer->told_count++ % SOLVED_MAX];
    es_infer_alternative alternatives[ES_INFER_ALTERNATIVES_MAX];
    uint32_t known = infer->solved_count < SOLVED_MAX ? (uint32_t)infer->solved_count : SOLVED_MAX;
    if (infer->options.method == ES_INFER_JOINT)
        es_infer_weigh_together(infer->model, infer->single, solved, infer->solved, known);
    es_infer_result *result = &solved->result;
    result->alternatives = alternatives;
    if (!result->too_long)
        result->alternative_count = alternatives_of(infer, solved, alternatives, &result->other);
    return !infer->options.found || infer->options.found(infer->options.context, result);
}

static void free_solved(es_infer_solved *solved)
{
    if (!solved)
        return;
    free_list(solved->segment);
    es_arena *arena = solved->arena; /* in which it lives */
    es_arena_free(arena);
}

/* The segment has come to a certain state: what was lost in it? */
static bool solve(es_infer *infer, const es_infer_step *step, es_infer_scenario *scenario)
{
    es_infer_segment *s = scenario->segment;
    es_infer_solver *solver = &infer->solver;
    solver->arena = es_arena_new();
    solver->kernels = NULL;
    solver->too_long = s->too_long;
    if (solver->facts)
        es_infer_facts_exclude(solver->facts, s->machine_number, s->key, s->begin, step->event->time, solver->arena,
                               &solver->excluded);
    uint32_t paths = s->too_long                               ? 0
                     : infer->options.method == ES_INFER_PAPER ? es_infer_solve_paper(solver, s, infer->paths)
                                                               : es_infer_solve_joint(solver, s, infer->paths);
    if (infer->options.method == ES_INFER_JOINT)
        learn_bursts(infer, s, infer->paths, paths);
    es_infer_solved *solved = es_arena_alloc(solver->arena, sizeof *solved);
    *solved = (es_infer_solved){.arena = solver->arena,
                                .segment = s,
                                .paths = es_arena_alloc(solver->arena, (paths + 1) * sizeof *solved->paths),
                                .path_count = paths,
                                .excluded = solver->excluded,
                                .share = 1 - share_of_others(infer, scenario)};
    memcpy(solved->paths, infer->paths, paths * sizeof *solved->paths);
    solved->result = (es_infer_result){.machine = step->machine,
                                       .machine_number = step->machine_number,
                                       .key = scenario->key,
                                       .from = s->state,
                                       .to = (uint16_t)es_infer_set_first(step->after),
                                       .from_certain = s->certain,
                                       .to_certain = !step->hidden_after,
                                       .begin = s->begin,
                                       .end = step->event->time,
                                       .too_long = solver->too_long,
                                       .observed = s->observed,
                                       .observed_count = s->count};
    for (uint32_t i = 0; i < s->count; i++) {
        solved->result.told |= s->between[i].told;
        solved->result.count_told += s->between[i].count;
    }
    scenario->segment = NULL;
    uint32_t place = infer->solved_count++ % SOLVED_MAX;
    free_solved(infer->solved[place]);
    infer->solved[place] = solved;
    return infer->solved_count - infer->told_count <= WAITING || tell_oldest(infer);
}

bool es_infer_finish(es_infer *infer)
{
    bool good = true;
    while (good && infer->told_count < infer->solved_count)
        good = tell_oldest(infer);
    return good;
}

/* While a loss may turn out later, the last events since a certain state are kept: the oldest goes. */
static void forget_oldest(const es_infer *infer, es_infer_segment *s, const es_infer_machine *machine,
                          uint16_t transition)
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
    memmove(s->values, s->values + infer->fields, (size_t)s->count * infer->fields * sizeof *s->values);
    for (uint32_t i = 0; i < s->count; i++) {
        s->observed[i] = s->observed[i + 1];
        s->observed[i].values = s->values + (size_t)i * infer->fields;
        s->roles[i] = s->roles[i + 1];
        s->between[i] = s->between[i + 1];
    }
}

/* The only transition that the oldest observed event can take from the segment's beginning. */
static uint16_t first_transition(const es_infer_segment *s, const es_infer_machine *machine)
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

static bool take_step(es_infer *infer, const es_infer_step *step, es_infer_scenario *scenario)
{
    bool rolling = infer->options.hidden && infer->options.method == ES_INFER_JOINT;
    if (infer->gap_count)
        count_kept(infer, step->event);
    bool doubt = step->doubt || !es_infer_set_is_one(step->after, es_infer_set_words(step->machine->state_count));
    if (!scenario->segment) {
        bool anchored = es_infer_set_is_one(step->certain_before, es_infer_set_words(step->machine->state_count)) &&
                        (scenario->begun || step->machine->initial != ES_INFER_NONE);
        if (!anchored || (!doubt && !(rolling && step->verdict == ES_INFER_UNCERTAIN)))
            return true;
        scenario->segment = new_segment(infer, step, scenario);
    }
    es_infer_segment *s = scenario->segment;
    if (!s->needed && s->count >= KEPT_MIN) {
        uint16_t first = first_transition(s, step->machine);
        if (first != ES_INFER_NO_TRANSITION)
            forget_oldest(infer, s, step->machine, first);
        else if (s->count == KEPT_MAX) { /* too long ago that the state was certain */
            free_segment(scenario);
            return true;
        }
    }
    add_observed(infer, s, step, scenario);
    s->needed |= step->doubt;
    s->quiet = step->doubt ? 0 : s->quiet + 1;
    if (!es_infer_set_is_one(step->after, es_infer_set_words(step->machine->state_count)))
        return true;
    if (s->needed && rolling && step->hidden_after && s->quiet < QUIET && s->count < ES_INFER_OBSERVED_MAX)
        return true;
    if (s->needed)
        return solve(infer, step, scenario);
    if (step->verdict == ES_INFER_CERTAIN)
        free_segment(scenario);
    return true;
}

bool es_infer_take_step(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    es_infer *infer = context;
    bool good = take_step(infer, step, scenario);
    if (infer->solver.facts)
        es_infer_facts_step(infer->solver.facts, step, scenario);
    return good;
}

bool es_infer_leave(es_infer_scenario *scenario)
{
    bool open = scenario->segment && scenario->segment->needed;
    free_segment(scenario);
    return open;
}
