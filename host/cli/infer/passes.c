/* The passes over a trace: the first one learns, the second one infers. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/infer/picture.h"
#include "cli/infer/private.h"
#include "infer/infer.h"
#include "infer/program.h"
#include "infer/thinned.h"

#define NOTHING 0.99 /* so likely nothing was lost after an unknown path: that is not told */

#define LOSSES_MAX 1024u /* that are remembered until the results of their time are there */

/* One pass over a trace. */
typedef struct pass {
    const es_infer_request *request;
    const es_infer_model *model;
    es_infer_program *program; /* of the calls; NULL: none */
    es_infer_check *check;
    es_infer_thinned *thinned; /* of the pass that looks whether all losses are told; NULL in others */
    es_infer_learned *learned; /* the first pass fills them */
    es_infer_contents *contents;
    es_infer *infer; /* of the second pass; NULL in the first */
    es_infer_ctf *ctf;
    es_infer_picture *picture;
    es_infer_counts counts;
    int64_t last_time;                /* of the call or return before, ... */
    bool last_doubted;                /* ... whose path was not known */
    es_infer_loss losses[LOSSES_MAX]; /* that the trace tells, the last ones */
    uint64_t loss_count;
    uint64_t doubted; /* losses that the trace does not tell: before calls and returns whose path was not known */
} pass;

static bool learn_step(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    pass *p = context;
    es_infer_learn(p->learned, step, scenario);
    es_infer_contents_learn(p->contents, step);
    return true;
}

static void add_loss(pass *p, const es_infer_loss *loss)
{
    es_infer_check_loss(p->check, loss);
    if (p->thinned)
        es_infer_thinned_loss(p->thinned, loss);
    if (p->infer)
        es_infer_lost(p->infer, loss);
    if (p->picture)
        es_infer_picture_gap(p->picture, loss->begin, loss->end);
}

static void begin_check(pass *p, const es_infer_check_options *options)
{
    p->doubted = 0;
    p->last_doubted = false;
    p->check = es_infer_check_new(p->model, options);
}

/* Of the check; only the losses that the trace tells are counted. */
static es_infer_totals totals_of(const pass *p)
{
    es_infer_totals totals = *es_infer_check_totals(p->check);
    totals.gaps -= p->doubted;
    return totals;
}

/* Until the path is known again, and just before that, calls and returns may be missing. */
static const es_infer_event *see_call(pass *p, const es_infer_event *event)
{
    bool doubted = es_infer_program_doubts(p->program, event);
    if (doubted || p->last_doubted) {
        add_loss(p, &(es_infer_loss){.begin = p->last_time, .end = event->time});
        p->doubted++;
    }
    p->last_time = event->time;
    p->last_doubted = doubted;
    return es_infer_program_see(p->program, event);
}

static bool take_event(void *context, const es_infer_event *event, es_error *err)
{
    pass *p = context;
    if (p->infer)
        es_infer_event_came(p->infer, event->time);
    if (p->program && event->event != ES_INFER_NONE)
        event = see_call(p, event);
    bool good = es_infer_check_event(p->check, event, err);
    if (p->thinned)
        es_infer_thinned_event(p->thinned, event, es_infer_check_totals(p->check));
    return good;
}

static bool take_loss(void *context, const es_infer_loss *told, es_error *err)
{
    pass *p = context;
    es_infer_loss loss = *told;
    (void)err;
    p->losses[p->loss_count++ % LOSSES_MAX] = loss;
    if (p->model->of_probe)
        loss.count = 0;
    add_loss(p, &loss);
    return true;
}

/* Whether the trace tells a loss in the result's time. */
static bool has_loss(const pass *p, const es_infer_result *result)
{
    uint64_t oldest = p->loss_count > LOSSES_MAX ? p->loss_count - LOSSES_MAX : 0;
    for (uint64_t i = p->loss_count; i > oldest; i--) {
        const es_infer_loss *l = &p->losses[(i - 1) % LOSSES_MAX];
        if (l->end > result->begin && l->begin < result->end)
            return true;
    }
    return false;
}

static bool take_result(void *context, const es_infer_result *result)
{
    pass *p = context;
    /* where only the path was not known, mostly nothing was lost */
    if (p->program && result->alternative_count && !result->alternatives[0].lost &&
        result->alternatives[0].probability > NOTHING && !has_loss(p, result))
        return true;
    p->counts.segments++;
    p->counts.told += result->told;
    p->counts.too_long += result->too_long;
    p->counts.unsolved += !result->too_long && !result->alternative_count;
    p->counts.solved += result->alternative_count > 0;
    p->counts.lost += result->alternative_count ? result->alternatives[0].lost : 0;
    if (p->request->json)
        es_infer_print_json(p->model, p->contents, result);
    else
        es_infer_print_text(p->model, p->contents, result);
    if (p->picture)
        es_infer_picture_add(p->picture, result);
    if (p->ctf)
        es_infer_ctf_add(p->ctf, p->model, result, p->counts.segments);
    return true;
}

static void leave(void *context, es_infer_scenario *scenario)
{
    ((pass *)context)->counts.unsolved += es_infer_leave(scenario);
}

/* Statistics of a trace. */
static bool learn(pass *p, es_infer_model *model, const char *trace, bool hidden, es_infer_totals *totals,
                  es_error *err)
{
    es_infer_check_options options = {
        .hidden = hidden, .scenarios_max = p->request->scenarios_max, .step = learn_step, .context = p};
    es_infer_sink sink = {p, take_event, take_loss};
    begin_check(p, &options);
    bool good = es_infer_read(trace, &model->words, &sink, err);
    *totals = totals_of(p);
    es_infer_check_free(p->check);
    return good;
}

/* The trace alone, without statistics. */
static bool check(pass *p, es_infer_model *model, bool hidden, es_infer_totals *totals, es_error *err)
{
    es_infer_check_options options = {.hidden = hidden, .scenarios_max = p->request->scenarios_max};
    es_infer_sink sink = {p, take_event, take_loss};
    begin_check(p, &options);
    bool good = es_infer_read(p->request->trace, &model->words, &sink, err);
    *totals = totals_of(p);
    es_infer_check_free(p->check);
    return good;
}

/* Writes the picture, if there is one. */
static bool draw(pass *p, const es_infer_totals *totals, es_error *err)
{
    if (!p->picture)
        return true;
    es_text_buffer summary = {0}, text = {0};
    es_infer_summary(&summary, totals, &p->counts);
    if (es_infer_is_ending(p->request->picture, ".html"))
        es_infer_picture_html(p->picture, summary.text, &text);
    else
        es_infer_picture_svg(p->picture, summary.text, &text);
    bool good = es_cli_write_out(&text, p->request->picture, err);
    es_text_free(&summary);
    es_text_free(&text);
    return good;
}

static bool second_pass(pass *p, es_infer_model *model, const es_infer_totals *first, double loss_rate, bool hidden,
                        es_error *err)
{
    es_infer_options how = {.method = p->request->method,
                            .loss_rate = loss_rate,
                            .hidden = hidden,
                            .own = !p->request->statistics,
                            .event_rate =
                                (double)first->events / ((double)first->last_time - (double)first->first_time + 1),
                            .alternatives = p->request->alternatives,
                            .found = take_result,
                            .context = p};
    p->infer = es_infer_new(model, p->learned, &how);
    es_infer_check_options options = {
        .hidden = hidden, .scenarios_max = p->request->scenarios_max, .step = es_infer_take_step, .context = p->infer};
    es_infer_sink sink = {p, take_event, take_loss};
    begin_check(p, &options);
    if (p->request->picture)
        p->picture = es_infer_picture_new(model, p->contents, p->request->trace, first->first_time, first->last_time);
    bool good = es_infer_read(p->request->trace, &model->words, &sink, err);
    (void)es_infer_finish(p->infer);
    for (uint32_t m = 0; m < model->machine_count; m++)
        es_infer_check_each(p->check, m, leave, p);
    es_infer_totals totals = totals_of(p);
    if (good)
        es_infer_print_totals(&totals, &p->counts, hidden, p->request->json);
    good = good && draw(p, &totals, err);
    es_infer_picture_free(p->picture);
    es_infer_check_free(p->check);
    es_infer_free(p->infer);
    return good;
}

/* What the first pass has found out of the trace as a whole. */
static bool judge(const es_infer_request *q, const es_infer_totals *totals, bool *hidden, es_error *err)
{
    uint64_t odd = totals->verdicts[ES_INFER_INCONSISTENT], foreign = totals->verdicts[ES_INFER_FOREIGN];
    if (!totals->steps)
        return es_fail(err, ES_USAGE,
                       "%s: none of its %" PRIu64 " events is one that the machine looks at: is it the right machine, "
                       "and are names and keys as in the trace?",
                       q->trace, totals->events);
    if (totals->back)
        fprintf(stderr, "earshot: %" PRIu64 " %s earlier than the one before: their times mean little\n", totals->back,
                es_plural(totals->back, "event is", "events are"));
    if (odd + foreign > totals->steps / 2)
        fprintf(stderr,
                "earshot: %" PRIu64 " of %" PRIu64 " events do not fit: this machine does not describe this trace\n",
                odd + foreign, totals->steps);
    if (totals->late && !*hidden) {
        fprintf(stderr, "earshot: %" PRIu64 " %s told after events of that time, which should stand before them: %s\n",
                totals->late, es_plural(totals->late, "loss is", "losses are"),
                q->told ? "what is certain there may not be so" : "from now on as with --hidden");
        *hidden = !q->told;
    }
    if (odd && !*hidden && !q->told) {
        fprintf(stderr,
                "earshot: %" PRIu64
                " %s not fit, although the trace tells no loss there: from now on only that counts as certain which "
                "an event makes so by itself (--hidden; or --told)\n",
                odd, es_plural(odd, "event does", "events do"));
        *hidden = true;
    }
    return true;
}

bool es_infer_run(const es_infer_request *q, es_infer_model *model, es_infer_program *program, es_error *err)
{
    es_infer_totals totals;
    bool hidden = q->hidden;
    pass p = {.request = q,
              .model = model,
              .program = program,
              .learned = es_infer_learned_new(model),
              .contents = es_infer_contents_new(model)};
    bool good = es_infer_can_read_twice(q->trace, err);
    good = good && (!q->statistics || q->check_only || learn(&p, model, q->statistics, hidden, &totals, err));
    p.thinned = q->check_only ? NULL : es_infer_thinned_new(model, hidden, q->scenarios_max);
    if (good && (q->statistics || q->check_only)) /* the trace itself is looked at, too: does it tell its losses? */
        good = check(&p, model, hidden, &totals, err);
    else if (good)
        good = learn(&p, model, q->trace, hidden, &totals, err);
    double loss_rate = good && p.thinned ? es_infer_thinned_rate(p.thinned, &totals) : 0;
    es_infer_thinned_free(p.thinned);
    p.thinned = NULL;
    good = good && judge(q, &totals, &hidden, err);
    if (good && q->check_only && hidden && !q->hidden) /* less is certain than was counted */
        good = check(&p, model, hidden, &totals, err);
    es_infer_learned_finish(p.learned);
    if (good && q->check_only)
        es_infer_print_totals(&totals, NULL, hidden, q->json);
    else if (good && (!q->ctf || (p.ctf = es_infer_ctf_new(q->ctf, q->trace, err))))
        good = second_pass(&p, model, &totals, loss_rate, hidden, err) && es_infer_ctf_close(p.ctf, err);
    else
        good = false;
    es_infer_learned_free(p.learned);
    es_infer_contents_free(p.contents);
    return good;
}
