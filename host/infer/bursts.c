#include "infer/bursts.h"

#include <math.h>

#define MEANS 13u    /* of each shape */
#define LEAST 1e-300 /* has a logarithm */

/* Longer losses are looked for even where all were single ones so far. */
#define MORE_MIN 0.2
#define MORE_MAX 0.8

/* Events that are lost in a row, on average; all are as likely before anything was seen. */
static const double means[MEANS] = {1.02, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 9, 13, 20};
static const double shapes[ES_INFER_BURST_KINDS / MEANS] = {1, 4};

/* Of a length that is 1 + a negative binomial number, the logarithm of its probability: shape 1 is geometric, in
 * greater ones lengths are closer to their mean. */
static double likely_of(double mean, double shape, uint32_t length)
{
    double more = (mean - 1) / (mean - 1 + shape), rest = length - 1;
    return lgamma(rest + shape) - lgamma(shape) - lgamma(rest + 1) + shape * log1p(-more) + rest * log(more);
}

void es_infer_bursts_start(es_infer_bursts *bursts)
{
    *bursts = (es_infer_bursts){0};
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        for (uint32_t length = 1; length <= ES_INFER_LOST_MAX; length++)
            bursts->likely[k][length] = likely_of(means[k % MEANS], shapes[k / MEANS], length);
}

/* How likely each distribution is, together 1, by all evidence but one stretch's own. */
static void weights_of(const es_infer_bursts *bursts, const es_infer_burst_evidence *without, double *weights)
{
    double best = -INFINITY, total = 0;
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++) {
        weights[k] = bursts->seen.of[k] - without->of[k];
        best = weights[k] > best ? weights[k] : best;
    }
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        total += weights[k] = exp(weights[k] - best);
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        weights[k] /= total;
}

double es_infer_bursts_more(const es_infer_bursts *bursts)
{
    static const es_infer_burst_evidence nothing = {{0}};
    double weights[ES_INFER_BURST_KINDS], mean = 0;
    weights_of(bursts, &nothing, weights);
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        mean += weights[k] * means[k % MEANS];
    return fmin(fmax(1 - 1 / mean, MORE_MIN), MORE_MAX);
}

/* What each distribution says of the path's losses, as logarithms. */
static void runs_of(const es_infer_bursts *bursts, const es_infer_segment *s, const es_infer_path *path, double *runs)
{
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        runs[k] = 0;
    for (uint32_t i = 0, length; i < path->count; i += length + 1) {
        for (length = 0; i + length < path->count && path->passed[i + length].lost;)
            length++;
        if (!length || s->between[path->passed[i].observed].told)
            continue;
        for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
            runs[k] += bursts->likely[k][length < ES_INFER_LOST_MAX ? length : ES_INFER_LOST_MAX];
    }
}

void es_infer_bursts_learn(es_infer_bursts *bursts, const es_infer_segment *segment, es_infer_path *paths,
                           uint32_t count, es_infer_burst_evidence *evidence)
{
    *evidence = (es_infer_burst_evidence){{0}};
    if (!count)
        return;
    double best = INFINITY, sums[ES_INFER_BURST_KINDS] = {0}, runs[ES_INFER_BURST_KINDS];
    for (uint32_t i = 0; i < count; i++) {
        es_infer_path *path = &paths[i];
        path->runs_cost = 0;
        for (uint32_t k = 1; k < path->count; k++)
            if (path->passed[k].lost && path->passed[k - 1].lost && !segment->between[path->passed[k].observed].told)
                path->runs_cost -= log(segment->between[path->passed[k].observed].more);
        best = fmin(best, path->cost + path->time_cost - path->runs_cost);
    }
    for (uint32_t i = 0; i < count; i++) {
        runs_of(bursts, segment, &paths[i], runs);
        for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
            sums[k] += exp(best - paths[i].cost - paths[i].time_cost + paths[i].runs_cost + runs[k]);
    }
    for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
        bursts->seen.of[k] += evidence->of[k] = log(sums[k] + LEAST);
}

void es_infer_bursts_weigh(const es_infer_bursts *bursts, const es_infer_segment *segment, es_infer_path *paths,
                           uint32_t count, const es_infer_burst_evidence *evidence)
{
    double weights[ES_INFER_BURST_KINDS], runs[ES_INFER_BURST_KINDS];
    weights_of(bursts, evidence, weights);
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0, best = -INFINITY;
        runs_of(bursts, segment, &paths[i], runs);
        for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
            best = fmax(best, runs[k]);
        for (uint32_t k = 0; k < ES_INFER_BURST_KINDS; k++)
            sum += weights[k] * exp(runs[k] - best);
        double cost = -best - log(sum + LEAST);
        paths[i].cost += cost - paths[i].runs_cost;
        paths[i].runs_cost = cost;
    }
    es_infer_sort_paths(paths, count);
}
