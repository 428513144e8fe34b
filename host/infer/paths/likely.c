/* How likely the paths are that hits after a loss may have had: forward and backward over all of them, as in a hidden
 * Markov model whose states are the paths. */
#include <string.h>

#include "infer/paths/guess.h"

#define AGAINST_STACK 0.02 /* that the path did not move as the probe's own stack did */
#define TO_OTHERS 0.05     /* that a path is, or is not any more, one of those that are not listed */
#define OTHERS 0.5         /* that of what was never seen it is a path that is not listed */
#define DOUBT 0.01         /* ... where it is known but for a doubt */
#define LEAST 1e-12

/* --- by the place ----------------------------------------------------------------------------------------------- */

static uint32_t count_in(const es_known *k, const es_count_list *list, uint32_t path)
{
    for (uint32_t at = list ? list->first : 0; at; at = k->counts[at - 1].next)
        if (k->counts[at - 1].path == path)
            return k->counts[at - 1].count;
    return 0;
}

/* Witten and Bell: what was seen at the place, else what was seen in the procedure, else any of them alike. */
static double blended(const es_known *k, const es_count_list *list, uint32_t path, double else_likely)
{
    if (!list)
        return else_likely;
    double all = (double)list->total + list->distinct;
    return (count_in(k, list, path) + list->distinct * else_likely) / all;
}

static void find_priors(const es_path_guess *g, es_guessed_hit *hit)
{
    const es_count_list *here = es_known_paths_at(&g->known, hit->place);
    const es_count_list *inside = es_known_paths_at(&g->known, es_known_inside(hit->last[hit->last_count - 1]));
    double sum = 0;
    for (uint32_t i = 0; hit->is_carried && i < hit->guess_count; i++)
        hit->guesses[i].prior = hit->guesses[i].forward;
    if (hit->is_carried)
        return;
    bool others = false;
    double rest = hit->by_interrupt ? DOUBT : OTHERS;
    for (uint32_t i = 0; i < hit->guess_count; i++)
        others |= hit->guesses[i].path == ES_PATH_NONE && hit->guess_count > 1;
    for (uint32_t i = 0; i < hit->guess_count; i++) {
        es_guess *guess = &hit->guesses[i];
        double any = !others                       ? 1.0 / hit->guess_count
                     : guess->path == ES_PATH_NONE ? rest
                                                   : (1 - rest) / (hit->guess_count - 1);
        guess->prior = guess->path == ES_PATH_NONE
                           ? blended(&g->known, here, ES_PATH_NONE, blended(&g->known, inside, ES_PATH_NONE, any))
                           : blended(&g->known, here, guess->path, blended(&g->known, inside, guess->path, any));
        sum += guess->prior;
    }
    for (uint32_t i = 0; i < hit->guess_count; i++)
        hit->guesses[i].prior /= sum;
}

/* --- by how paths follow each other ----------------------------------------------------------------------------- */

static bool moved_so(es_known *k, const es_guess_move *move, uint32_t from, uint32_t to)
{
    const es_known_path *a = &k->paths[from], *b = &k->paths[to];
    return a->count >= move->left && b->count == a->count - move->left + move->entered_count &&
           memcmp(a->parts, b->parts, (a->count - move->left) * sizeof *a->parts) == 0 &&
           (!move->entered_count ||
            memcmp(b->parts + a->count - move->left, move->entered, move->entered_count * sizeof *b->parts) == 0);
}

/* The lists of steps from a hit to the next one, over none, one, ... hits that may be missing. */
typedef struct step_lists {
    const es_count_list *over[ES_KNOWN_OVER];
} step_lists;

static step_lists steps_to(const es_path_guess *g, uint32_t number)
{
    step_lists lists;
    for (uint32_t i = 0; i < ES_KNOWN_OVER; i++)
        lists.over[i] = es_known_steps(&g->known, g->hits[number - 1].place, g->hits[number].place, i);
    return lists;
}

/* That the path `from` became `to`, of this prior. */
static double step(es_path_guess *g, const step_lists *steps, const es_guessed_hit *hit, uint32_t from,
                   const es_guess *to)
{
    es_known *k = &g->known;
    if (from == ES_PATH_NONE || to->path == ES_PATH_NONE)
        return from == to->path ? 1 - TO_OTHERS : TO_OTHERS * to->prior;
    if (hit->move.known)
        return moved_so(k, &hit->move, from, to->path) ? 1 : AGAINST_STACK * to->prior;
    double likely = to->prior;
    for (uint32_t i = ES_KNOWN_OVER; i-- > 0;) {
        const es_count_list *list = steps->over[i];
        if (list)
            likely = (es_known_step_count(k, list, from, to->path) + list->distinct * likely) /
                     ((double)list->total + list->distinct);
    }
    return likely;
}

/* --- paths that others lead to ---------------------------------------------------------------------------------- */

/* Of those that lead to paths: the list over as few hits as there is one. */
static uint32_t first_of(const step_lists *steps)
{
    for (uint32_t i = 0; i < ES_KNOWN_OVER; i++)
        if (steps->over[i])
            return steps->over[i]->first;
    return 0;
}

static void consider(es_path_guess *g, es_guessed_hit *hit, uint32_t path)
{
    if (path != ES_PATH_NONE && es_known_ends_with(&g->known, path, hit->last, hit->last_count))
        (void)es_guess_add(hit, path);
}

static void go_on(es_path_guess *g, uint32_t number)
{
    const es_guessed_hit *before = &g->hits[number - 1];
    es_guessed_hit *hit = &g->hits[number];
    const step_lists steps = steps_to(g, number);
    for (uint32_t i = 0; hit->follows && !hit->is_done && i < before->guess_count; i++) {
        uint32_t from = before->guesses[i].path;
        if (from == ES_PATH_NONE)
            continue;
        if (hit->move.known) {
            consider(g, hit,
                     es_known_after(&g->known, from, hit->move.left, hit->move.entered, hit->move.entered_count));
            continue;
        }
        for (uint32_t at = first_of(&steps); at; at = g->known.step_counts[at - 1].next) {
            const es_path_step *s = &g->known.step_counts[at - 1];
            const es_known_path entered = g->known.paths[s->entered];
            consider(g, hit, es_known_after(&g->known, from, s->left, entered.parts, entered.count));
        }
    }
}

/* The paths that may have become one: with the activations on it that the probe saw left, or the innermost one. */
static void go_back(es_path_guess *g, uint32_t number)
{
    es_guessed_hit *before = &g->hits[number - 1];
    const es_guessed_hit *hit = &g->hits[number];
    const step_lists steps = steps_to(g, number);
    for (uint32_t i = 0; hit->follows && !before->is_done && i < hit->guess_count; i++) {
        uint32_t to = hit->guesses[i].path;
        if (to == ES_PATH_NONE)
            continue;
        const es_guess_move *move = &hit->move;
        if (move->known && es_known_ends_with(&g->known, to, move->entered, move->entered_count)) {
            consider(g, before,
                     es_known_after(&g->known, to, move->entered_count, before->claimed + before->count - move->left,
                                    move->left));
            continue;
        }
        for (uint32_t at = first_of(&steps); at; at = g->known.step_counts[at - 1].next) {
            const es_path_step *s = &g->known.step_counts[at - 1];
            const es_known_path entered = g->known.paths[s->entered];
            if (s->left <= 1 && es_known_ends_with(&g->known, to, entered.parts, entered.count))
                consider(
                    g, before,
                    es_known_after(&g->known, to, entered.count, before->last + before->last_count - s->left, s->left));
        }
    }
}

/* --- all together ----------------------------------------------------------------------------------------------- */

static void forward(es_path_guess *g, uint32_t number)
{
    es_guessed_hit *hit = &g->hits[number];
    const es_guessed_hit *before = number ? &g->hits[number - 1] : NULL;
    const step_lists steps = number ? steps_to(g, number) : (step_lists){0};
    double sum = 0;
    for (uint32_t i = 0; i < hit->guess_count; i++) {
        es_guess *to = &hit->guesses[i];
        to->forward = before && hit->follows ? 0 : to->prior;
        for (uint32_t k = 0; before && hit->follows && k < before->guess_count; k++)
            to->forward += before->guesses[k].forward * step(g, &steps, hit, before->guesses[k].path, to);
        to->forward = to->forward > LEAST ? to->forward : LEAST;
        sum += to->forward;
    }
    for (uint32_t i = 0; i < hit->guess_count; i++)
        hit->guesses[i].forward /= sum;
}

/* `likely` of a hit from that of the one after it. */
static void backward(es_path_guess *g, uint32_t number)
{
    es_guessed_hit *hit = &g->hits[number], *after = number + 1 < g->count ? &g->hits[number + 1] : NULL;
    for (uint32_t i = 0; i < hit->guess_count; i++)
        hit->guesses[i].likely = after && after->follows ? 0 : hit->guesses[i].forward;
    if (!after || !after->follows)
        return;
    const step_lists steps = steps_to(g, number + 1);
    double ways[ES_GUESS_PATHS];
    for (uint32_t k = 0; k < after->guess_count; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < hit->guess_count; i++) {
            ways[i] = hit->guesses[i].forward * step(g, &steps, after, hit->guesses[i].path, &after->guesses[k]);
            sum += ways[i];
        }
        for (uint32_t i = 0; sum > 0 && i < hit->guess_count; i++)
            hit->guesses[i].likely += after->guesses[k].likely * ways[i] / sum;
    }
}

static void tell(es_path_guess *g, es_guessed_hit *hit)
{
    es_inferred_path paths[ES_INFER_TOLD];
    es_inferred told = hit->told;
    double sum = 0, rest = 0;
    for (uint32_t i = 0; i < hit->guess_count; i++)
        sum += hit->guesses[i].likely;
    told.paths = paths;
    told.path_count = 0;
    while (told.path_count < ES_INFER_TOLD) {
        es_guess *most = NULL;
        for (uint32_t i = 0; i < hit->guess_count; i++)
            if (hit->guesses[i].path != ES_PATH_NONE && (!most || hit->guesses[i].likely > most->likely))
                most = &hit->guesses[i];
        if (!most || most->likely <= 0 || (told.path_count && most->likely < 0.005 * sum))
            break;
        paths[told.path_count++] = (es_inferred_path){es_known_name(&g->known, most->path), most->likely / sum};
        rest += most->likely / sum;
        most->likely = 0;
    }
    told.other = rest < 1 ? 1 - rest : 0;
    hit->is_done = true;
    if (told.path_count)
        g->told(g->context, &told);
}

void es_guess_settle(es_path_guess *g)
{
    bool any = false;
    for (uint32_t i = 0; i < g->count; i++)
        any |= !g->hits[i].is_done;
    for (uint32_t i = 1; any && i < g->count; i++)
        go_on(g, i);
    for (uint32_t i = g->count; any && i-- > 1;)
        go_back(g, i);
    for (uint32_t i = 1; any && i < g->count; i++)
        go_on(g, i);
    for (uint32_t i = 0; any && i < g->count; i++) {
        find_priors(g, &g->hits[i]);
        forward(g, i);
    }
    for (uint32_t i = g->count; any && i-- > 0;)
        backward(g, i);
    for (uint32_t i = 0; i < g->count; i++)
        if (!g->hits[i].is_done)
            tell(g, &g->hits[i]);
}
