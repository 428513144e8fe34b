/* Who called an activation, by what it has called itself: learned from the paths that were known.
 *
 * What is counted are activations, not hits: an interrupt of which there were a hundred hits has come once, and says
 * once what interrupts come upon. How much of what was called inside says something of the caller, differs: much in a
 * recursion, which is as deep as it is; nothing where interrupts come. So each procedure's callers are predicted by the
 * innermost 1, 2, ... activations, and these predictions count as much as they were right before (a Bayesian mixture,
 * each of its members after Witten and Bell). */
#include <math.h>
#include <string.h>

#include "infer/paths/guess.h"

/* What was counted, and as often as something new came, something else. */
static double blended(const es_known *k, const es_count_list *list, uint32_t caller, double else_likely)
{
    double count = 0;
    if (!list)
        return else_likely;
    for (uint32_t at = list->first; at; at = k->counts[at - 1].next)
        if (k->counts[at - 1].path == caller)
            count = k->counts[at - 1].count;
    return (count + list->distinct * else_likely) / ((double)list->total + list->distinct);
}

/* By the first activation alone, by two, ... */
static void predict(const es_path_guess *g, uint32_t caller, const es_active *parts, uint32_t count,
                    double likely[ES_KNOWN_CALLED])
{
    size_t callers = parts[0] & 1 ? 0 : g->ways.caller_counts[parts[0] / 2];
    double shorter = 1.0 / (double)(callers ? callers : g->known.procedure_count + 1);
    for (uint32_t i = 0; i < ES_KNOWN_CALLED; i++) {
        if (i < count)
            shorter = blended(&g->known, es_known_paths_at(&g->known, es_known_callers(parts, i + 1)), caller, shorter);
        likely[i] = shorter;
    }
}

double es_guess_called_by(const es_path_guess *g, uint32_t caller, const es_active *parts, uint32_t count)
{
    const double *right = g->known.called[parts[0]].right;
    double likely[ES_KNOWN_CALLED], most = right[0], sum = 0, all = 0;
    predict(g, caller, parts, count, likely);
    for (uint32_t i = 1; i < ES_KNOWN_CALLED; i++)
        most = right[i] > most ? right[i] : most;
    for (uint32_t i = 0; i < ES_KNOWN_CALLED; i++) {
        const double weight = exp(right[i] - most);
        sum += weight * likely[i];
        all += weight;
    }
    return sum / all;
}

static void learn_call(es_path_guess *g, uint32_t caller, const es_active *parts, uint32_t count)
{
    double likely[ES_KNOWN_CALLED];
    predict(g, caller, parts, count, likely);
    for (uint32_t i = 0; i < ES_KNOWN_CALLED; i++)
        g->known.called[parts[0]].right[i] += log(likely[i]);
    es_known_learn(&g->known, es_known_callers(parts, count), caller);
}

/* Whether an activation has not called so before. */
static bool is_first(es_guess_called *called, uint64_t what)
{
    for (uint32_t i = 0; i < called->count; i++)
        if (called->what[i] == what)
            return false;
    if (called->count == ES_GUESS_CALLED)
        return false;
    called->what[called->count++] = what;
    return true;
}

void es_guess_learn_calls(es_path_guess *g, uint32_t before, uint32_t path)
{
    const uint32_t count = g->known.paths[path].count;
    es_active parts[ES_PATH_DEPTH];
    memcpy(parts, g->known.paths[path].parts, count * sizeof *parts);
    for (uint32_t i = before == ES_PATH_NONE ? 0 : es_known_common(&g->known, before, path); i < count; i++) {
        uint32_t entered = es_known_path_of(&g->known, parts, i + 1);
        g->called[i].count = 0;
        if (entered != ES_PATH_NONE)
            es_known_learn(&g->known, es_known_entered(parts[i]), entered);
        for (uint32_t n = 1; n <= ES_KNOWN_CALLED && n <= i + 1; n++) {
            const uint32_t outermost = i + 1 - n;
            if (is_first(&g->called[outermost], es_known_callers(parts + outermost, n)))
                learn_call(g, outermost ? parts[outermost - 1] : ES_PATH_NONE, parts + outermost, n);
        }
    }
}
