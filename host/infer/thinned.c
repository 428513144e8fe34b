#include "infer/thinned.h"

#include <stdlib.h>

#include "base/arena.h"

#define ONE_OF 32u            /* events is left out */
#define STEPS_ENOUGH 1000000u /* of the trace's beginning: memory and time stay what they are for the rest */

/* Before any is known: as if half of so many losses had shown. */
#define PRIOR 4.0

#define RATE_MIN 1e-5
#define RATE_MAX 0.3

struct es_infer_thinned {
    es_infer_check *check; /* NULL: enough is known */
    uint64_t events;
    double lost, shown; /* of the steps; of them */
};

es_infer_thinned *es_infer_thinned_new(const es_infer_model *model, bool hidden, uint32_t scenarios_max)
{
    es_infer_check_options options = {.hidden = hidden, .scenarios_max = scenarios_max};
    es_infer_thinned *thinned = es_malloc(sizeof *thinned);
    *thinned = (es_infer_thinned){.check = es_infer_check_new(model, &options)};
    return thinned;
}

void es_infer_thinned_free(es_infer_thinned *thinned)
{
    if (thinned)
        es_infer_check_free(thinned->check);
    free(thinned);
}

static void count(es_infer_thinned *thinned, const es_infer_totals *whole)
{
    const es_infer_totals *rest = es_infer_check_totals(thinned->check);
    thinned->lost = (double)whole->steps - (double)rest->steps;
    thinned->shown = (double)rest->verdicts[ES_INFER_INCONSISTENT] - (double)whole->verdicts[ES_INFER_INCONSISTENT];
}

void es_infer_thinned_event(es_infer_thinned *thinned, const es_infer_event *event, const es_infer_totals *whole)
{
    es_error unused; /* too many scenarios: the check itself says so */
    if (!thinned->check)
        return;
    bool left_out = (uint32_t)(thinned->events++ * UINT64_C(0x9E3779B97F4A7C15) >> 32) < UINT32_MAX / ONE_OF;
    if (!left_out)
        (void)es_infer_check_event(thinned->check, event, &unused);
    count(thinned, whole);
    if (whole->steps < STEPS_ENOUGH)
        return;
    es_infer_check_free(thinned->check);
    thinned->check = NULL;
}

void es_infer_thinned_loss(es_infer_thinned *thinned, const es_infer_loss *loss)
{
    if (thinned->check)
        es_infer_check_loss(thinned->check, loss);
}

double es_infer_thinned_rate(const es_infer_thinned *thinned, const es_infer_totals *whole)
{
    double shown = (thinned->shown > 0 ? thinned->shown : 0) + PRIOR / 2;
    double part = shown / (thinned->lost + PRIOR);
    double rate = (double)whole->verdicts[ES_INFER_INCONSISTENT] / ((double)whole->steps + 1) / (part < 1 ? part : 1);
    return rate < RATE_MIN ? RATE_MIN : rate > RATE_MAX ? RATE_MAX : rate;
}
