#include "infer/infer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "infer/bursts.h"
#include "infer/losses.h"
#include "infer/together.h"

#define FAR_TOO_MANY (1.5 * ES_INFER_LOST_MAX) /* so many are expected that there is no use in looking */
/* Observed events that are kept in case of a loss to come. Where the state before them is wrong, because something was
 * lost still earlier, so is all that is said. */
#define KEPT_MIN 32u
#define KEPT_MAX 64u /* ... while it is not certain where they lead */
/* So many fitting events say that a state is right that could be another one by losses that do not show. */
#define QUIET 8u

#define ALTERNATIVES 3u /* unless told otherwise */
#define WAITING 32u     /* stretches that wait for others in the time of the same losses */
#define SOLVED_MAX 64u  /* ... and those that are told, and kept for others */

struct es_infer {
    const es_infer_model *model;
    es_infer_options options;
    es_infer_learned *learned;
    es_infer_solver solver;
    es_infer_losses losses;
    uint32_t fields;
    es_infer_path paths[ES_INFER_PATHS_MAX];
    es_infer_solved *solved[SOLVED_MAX]; /* the newest is at (solved_count - 1) % SOLVED_MAX */
    uint64_t solved_count, told_count;   /* those before told_count are told, and only kept for the others */
    es_infer_shares *shares;
    es_arena *arena;
    uint64_t steps;
    es_infer_bursts bursts; /* of losses that are not told */
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

es_infer *es_infer_new(const es_infer_model *model, es_infer_learned *learned, const es_infer_options *options)
{
    es_infer *infer = es_malloc(sizeof *infer);
    *infer = (es_infer){.model = model, .options = *options, .learned = learned};
    if (!infer->options.alternatives)
        infer->options.alternatives = ALTERNATIVES;
    if (infer->options.alternatives > ES_INFER_ALTERNATIVES_MAX)
        infer->options.alternatives = ES_INFER_ALTERNATIVES_MAX;
    infer->fields = es_infer_field_count(&model->words);
    infer->arena = es_arena_new();
    es_infer_bursts_start(&infer->bursts);
    infer->shares = es_infer_shares_new(model, infer->arena);
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
    es_arena_free(infer->arena);
    free(infer);
}

void es_infer_lost(es_infer *infer, const es_infer_loss *loss)
{
    if (infer->solver.facts)
        es_infer_facts_loss(infer->solver.facts, loss);
    es_infer_losses_add(&infer->losses, loss, infer->options.event_rate);
}

void es_infer_event_came(es_infer *infer, int64_t time)
{
    es_infer_losses_event(&infer->losses, time);
}

/* --- segments -------------------------------------------------------------------------------------------------- */

static void free_segment(es_infer_scenario *scenario)
{
    es_infer_segment_free(scenario->segment);
    scenario->segment = NULL;
}

static void add_observed(const es_infer *infer, es_infer_segment *s, const es_infer_step *step,
                         const es_infer_scenario *scenario)
{
    es_infer_between *between = es_infer_segment_add(s, infer->fields, step);
    if (step->loss_told) {
        es_infer_losses_between(&infer->losses, step->machine, scenario, step->time_before, step->event->time, between);
        s->too_long |= es_infer_losses_expected(&infer->losses, scenario, between) > FAR_TOO_MANY;
    } else
        *between = (es_infer_between){.may_lose = infer->options.hidden || step->verdict == ES_INFER_INCONSISTENT,
                                      .rate = infer->options.loss_rate,
                                      .more = es_infer_bursts_more(&infer->bursts)};
    between->certain = !step->hidden_after;
    between->lesson = es_infer_lesson_of(step, scenario);
    if (s->fresh && s->count == 1) { /* it was there before: lost events are from the time of losses, or from any */
        int64_t begin = between->told ? between->begin : infer->losses.first_time;
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
    if (infer->options.method == ES_INFER_JOINT) {
        es_infer_bursts_weigh(&infer->bursts, solved->segment, solved->paths, solved->path_count, &solved->bursts);
        es_infer_weigh_together(infer->model, infer->shares, solved, infer->solved, known);
    }
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
    es_infer_segment_free(solved->segment);
    es_arena *arena = solved->arena; /* in which it lives */
    es_arena_free(arena);
}

/* A stretch's own events do not speak for it. */
static void unlearn(es_infer *infer, const es_infer_segment *s, bool back)
{
    for (uint32_t i = 0; infer->options.own && infer->options.hidden && i < s->count; i++)
        es_infer_unlearn(infer->learned, s->machine_number, &s->between[i].lesson, back);
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
    unlearn(infer, s, false);
    uint32_t paths = s->too_long                               ? 0
                     : infer->options.method == ES_INFER_PAPER ? es_infer_solve_paper(solver, s, infer->paths)
                                                               : es_infer_solve_joint(solver, s, infer->paths);
    unlearn(infer, s, true);
    es_infer_burst_evidence bursts = {{0}};
    if (infer->options.method == ES_INFER_JOINT) {
        es_infer_bursts_learn(&infer->bursts, s, infer->paths, paths, &bursts);
        es_infer_bursts_weigh(&infer->bursts, s, infer->paths, paths, &bursts);
    }
    es_infer_solved *solved = es_arena_alloc(solver->arena, sizeof *solved);
    *solved = (es_infer_solved){.arena = solver->arena,
                                .segment = s,
                                .paths = es_arena_alloc(solver->arena, (paths + 1) * sizeof *solved->paths),
                                .path_count = paths,
                                .excluded = solver->excluded,
                                .bursts = bursts,
                                .share = (1 - es_infer_losses_of_others(&infer->losses, scenario)) /
                                         fmax(1, (double)infer->steps / (double)(infer->losses.event_count + 1))};
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

static bool take_step(es_infer *infer, const es_infer_step *step, es_infer_scenario *scenario)
{
    bool rolling = infer->options.hidden && infer->options.method == ES_INFER_JOINT;
    if (infer->losses.gap_count)
        es_infer_losses_kept(&infer->losses, step->event->time);
    bool doubt = step->doubt || !es_infer_set_is_one(step->after, es_infer_set_words(step->machine->state_count));
    if (!scenario->segment) {
        bool anchored = es_infer_set_is_one(step->certain_before, es_infer_set_words(step->machine->state_count)) &&
                        (scenario->begun || step->machine->initial != ES_INFER_NONE);
        if (!anchored || (!doubt && !(rolling && step->verdict == ES_INFER_UNCERTAIN)))
            return true;
        scenario->segment = es_infer_segment_new(infer->fields, step, scenario);
    }
    es_infer_segment *s = scenario->segment;
    if (!s->needed && s->count >= KEPT_MIN) {
        uint16_t first = es_infer_segment_first(s, step->machine);
        if (first != ES_INFER_NO_TRANSITION)
            es_infer_segment_forget(s, infer->fields, step->machine, first);
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
    infer->steps++;
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
