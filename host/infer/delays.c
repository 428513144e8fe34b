#include "infer/delays.h"

#include <math.h>
#include <stddef.h>

#include "infer/learn.h"

#define PARENT_WEIGHT 4.0 /* observations that the distribution of the transition after any other counts for */
#define FIT_WEIGHT 64.0   /* observations that the lognormal fit counts for beside the histogram */
#define SIGMA_MIN 0.05

static unsigned bin_of(double ns)
{
    double bin = log2(ns < 1 ? 1 : ns) * ES_INFER_DELAY_STEPS;
    return bin >= ES_INFER_DELAY_BINS - 1 ? ES_INFER_DELAY_BINS - 1 : (unsigned)bin;
}

static double edge_of(unsigned bin)
{
    return bin ? exp2((double)bin / ES_INFER_DELAY_STEPS) : 0;
}

void es_infer_delays_add(es_infer_delays *d, int64_t ns)
{
    double x = ns < 1 ? 1 : (double)ns, l = log(x);
    d->sum += x;
    d->squares += x * x;
    d->log_sum += l;
    d->log_squares += l * l;
    d->count++;
    d->bins[bin_of(x)]++;
}

void es_infer_delays_finish(es_infer_delays *d)
{
    for (unsigned i = 1; i < ES_INFER_DELAY_BINS; i++)
        d->bins[i] += d->bins[i - 1];
}

void es_infer_delays_move(es_infer_delays *d, int64_t ns, bool back)
{
    double x = ns < 1 ? 1 : (double)ns, l = log(x), sign = back ? 1 : -1;
    d->sum += sign * x;
    d->squares += sign * x * x;
    d->log_sum += sign * l;
    d->log_squares += sign * l * l;
    d->count += back ? 1 : UINT32_MAX; /* one less */
    for (unsigned i = bin_of(x); i < ES_INFER_DELAY_BINS; i++)
        d->bins[i] += back ? 1 : UINT32_MAX;
}

bool es_infer_delay_known(es_infer_delay delay)
{
    return delay.of_one && delay.of_one->count;
}

/* The lognormal distribution with the moments of all delays of the transition. */
static void fit(const es_infer_delays *d, double *mu, double *sigma)
{
    *mu = d->log_sum / d->count;
    /* one more observation, a factor of two away, so that few equal ones do not exclude all others */
    double variance = (d->log_squares - d->log_sum * *mu + 0.5) / (d->count + 1.0);
    *sigma = variance < SIGMA_MIN * SIGMA_MIN ? SIGMA_MIN : sqrt(variance);
}

static double bins_below(const es_infer_delays *d, double ns)
{
    unsigned bin = bin_of(ns);
    double low = edge_of(bin), high = edge_of(bin + 1), before = bin ? d->bins[bin - 1] : 0;
    double part = ns >= high ? 1 : (ns - low) / (high - low);
    return (before + (d->bins[bin] - before) * part) / d->count;
}

static double bins_density(const es_infer_delays *d, double ns)
{
    unsigned bin = bin_of(ns);
    double before = bin ? d->bins[bin - 1] : 0;
    return (d->bins[bin] - before) / d->count / (edge_of(bin + 1) - edge_of(bin));
}

/* The histogram, which is right when there is much in it, and the fit, which is not too far off when there is
 * little. */
static double own_below(const es_infer_delays *d, double ns)
{
    double mu, sigma;
    fit(d, &mu, &sigma);
    return (d->count * bins_below(d, ns) + FIT_WEIGHT * 0.5 * erfc((mu - log(ns)) / (sigma * M_SQRT2))) /
           (d->count + FIT_WEIGHT);
}

static double own_density(const es_infer_delays *d, double ns)
{
    double mu, sigma;
    fit(d, &mu, &sigma);
    double z = (log(ns) - mu) / sigma, normal = exp(-0.5 * z * z) / (ns * sigma * sqrt(2 * M_PI));
    return (d->count * bins_density(d, ns) + FIT_WEIGHT * normal) / (d->count + FIT_WEIGHT);
}

static double mixed(const es_infer_delays *pair, double own, double parent)
{
    return (pair->count * own + PARENT_WEIGHT * parent) / (pair->count + PARENT_WEIGHT);
}

double es_infer_delay_below(es_infer_delay delay, double ns)
{
    if (ns <= 0)
        return 0;
    double value = own_below(delay.of_one, ns);
    return delay.of_pair && delay.of_pair->count ? mixed(delay.of_pair, own_below(delay.of_pair, ns), value) : value;
}

double es_infer_delay_density(es_infer_delay delay, double ns)
{
    ns = ns < 0.5 ? 0.5 : ns;
    double value = own_density(delay.of_one, ns);
    if (delay.of_pair && delay.of_pair->count)
        value = mixed(delay.of_pair, own_density(delay.of_pair, ns), value);
    return value + 1e-30;
}

void es_infer_delay_moments(es_infer_delay delay, double *mean, double *variance)
{
    const es_infer_delays *one = delay.of_one, *pair = delay.of_pair;
    double count = one->count, sum = one->sum, squares = one->squares;
    if (pair && pair->count) { /* as if it had PARENT_WEIGHT observations like all, and its own */
        double weight = PARENT_WEIGHT / count;
        count = PARENT_WEIGHT + pair->count;
        sum = sum * weight + pair->sum;
        squares = squares * weight + pair->squares;
    }
    *mean = sum / count;
    double v = squares / count - *mean * *mean, least = *mean * *mean * SIGMA_MIN * SIGMA_MIN;
    *variance = v < least ? least : v;
}
