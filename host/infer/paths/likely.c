/* How likely the paths are that hits after a loss may have had: forward and backward over all of them, as in a hidden
 * Markov model whose states are the paths. */
#include <string.h>

#include "infer/paths/guess.h"

#define AGAINST_CALLS 0.0005 /* that the path did not move as calls that were seen say */
#define AGAINST_STACK 0.02   /* that the path did not move as the probe's own stack did */
#define TO_OTHERS 0.05       /* that a path is, or is not any more, one of those that are not listed */
#define LEAST 1e-12

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

/* From one hit to the next. */
typedef struct transition {
    const es_guessed_hit *before, *hit;
    step_lists steps;
    bool goes_on[ES_GUESS_PATHS];  /* of paths before: where the stack's move leads is listed */
    bool is_known[ES_GUESS_PATHS]; /* of paths after: where it leads from is listed */
    double fits;   /* of paths that are not listed: those that end as is known now, and was not before */
    double others; /* what paths that are not listed may have become, by their priors */
} transition;

static transition transition_to(es_path_guess *g, uint32_t number)
{
    const es_guessed_hit *before = &g->hits[number - 1], *hit = &g->hits[number];
    transition t = {.before = before, .hit = hit, .steps = steps_to(g, number)};
    for (uint32_t i = 0; hit->move.known && i < before->guess_count; i++)
        for (uint32_t k = 0; k < hit->guess_count && before->guesses[i].path != ES_PATH_NONE; k++)
            if (hit->guesses[k].path != ES_PATH_NONE &&
                moved_so(&g->known, &hit->move, before->guesses[i].path, hit->guesses[k].path))
                t.goes_on[i] = t.is_known[k] = true;
    t.fits = es_guess_fits(g, before, hit);
    for (uint32_t k = 0; k < hit->guess_count; k++)
        t.others += t.is_known[k] ? 0 : hit->guesses[k].prior;
    return t;
}

/* As the probe's stack did. A path that is listed becomes one that is, or was none; others become others. */
static double moved(es_path_guess *g, const transition *t, uint32_t from, uint32_t to)
{
    const es_guess *a = &t->before->guesses[from], *b = &t->hit->guesses[to];
    double else_likely = (t->hit->move.sure ? AGAINST_CALLS : AGAINST_STACK) * b->prior;
    if (a->path == ES_PATH_NONE)
        return t->is_known[to] ? else_likely : t->fits * b->prior / t->others;
    if (b->path == ES_PATH_NONE)
        return t->goes_on[from]                        ? else_likely
               : t->hit->guess_count == ES_GUESS_PATHS ? 1
               : t->hit->by_interrupt                  ? ES_GUESS_DOUBT
                                                       : else_likely;
    return moved_so(&g->known, &t->hit->move, a->path, b->path) ? 1 : else_likely;
}

/* That the path `from` became `to`. */
static double step(es_path_guess *g, const transition *t, uint32_t from, uint32_t to)
{
    es_known *k = &g->known;
    const es_guess *a = &t->before->guesses[from], *b = &t->hit->guesses[to];
    if (t->hit->move.known)
        return moved(g, t, from, to);
    if (a->path == ES_PATH_NONE)
        return b->path == ES_PATH_NONE ? (1 - TO_OTHERS) * t->fits : TO_OTHERS * b->prior * t->hit->ends_so;
    if (b->path == ES_PATH_NONE)
        return TO_OTHERS * b->prior;
    double likely = b->prior;
    for (uint32_t i = ES_KNOWN_OVER; i-- > 0;) {
        const es_count_list *list = t->steps.over[i];
        if (list)
            likely = (es_known_step_count(k, list, a->path, b->path) + list->distinct * likely) /
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
    const transition t = number ? transition_to(g, number) : (transition){0};
    double sum = 0;
    for (uint32_t i = 0; i < hit->guess_count; i++) {
        es_guess *to = &hit->guesses[i];
        to->forward = before && hit->follows ? 0 : to->prior;
        for (uint32_t k = 0; before && hit->follows && k < before->guess_count; k++)
            to->forward += before->guesses[k].forward * step(g, &t, k, i);
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
    const transition t = transition_to(g, number + 1);
    double ways[ES_GUESS_PATHS];
    for (uint32_t k = 0; k < after->guess_count; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < hit->guess_count; i++) {
            ways[i] = hit->guesses[i].forward * step(g, &t, i, k);
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
        es_guess_priors(g, &g->hits[i]);
        forward(g, i);
    }
    for (uint32_t i = g->count; any && i-- > 0;)
        backward(g, i);
    for (uint32_t i = 0; i < g->count; i++)
        if (!g->hits[i].is_done)
            tell(g, &g->hits[i]);
}
