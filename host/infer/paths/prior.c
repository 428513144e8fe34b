/* How likely a hit's paths are by themselves: each activation was called as often by its caller as it was before, by
 * what it called itself. What is counted are activations, not hits: an interrupt of which there were a hundred hits has
 * come once, and says once what interrupts come upon. */
#include "infer/paths/guess.h"

#define LEAST 1e-9

/* Of all paths that end in the same activation those that end in all of these. */
static double ending(const es_path_guess *g, const es_active *last, uint32_t count)
{
    double likely = 1;
    for (uint32_t i = count; i-- > 1;)
        likely *= es_guess_called_by(g, last[i - 1], last + i, count - i);
    return likely;
}

double es_guess_fits(const es_path_guess *g, const es_guessed_hit *before, const es_guessed_hit *hit)
{
    const es_guess_move *move = &hit->move;
    uint32_t kept = before->last_count > move->left ? before->last_count - move->left : 0;
    uint32_t known = move->known && kept + move->entered_count ? kept + move->entered_count : 1;
    if (known >= hit->last_count)
        return 1;
    double fits = ending(g, hit->last, hit->last_count) * hit->others /
                  (ending(g, hit->last + hit->last_count - known, known) * before->others);
    return fits < 1 ? fits : 1;
}

/* Where the first interrupt came, if that was not before the loss. */
static void look_at_supposed(const es_path_guess *g, es_guessed_hit *hit)
{
    es_active parts[ES_PATH_DEPTH];
    const uint32_t count = es_guess_supposed(g, hit, parts);
    if (!count)
        return;
    double so = ending(g, parts, count) / hit->ends_so, rest = 1;
    for (uint32_t i = 0; i < hit->guess_count; i++) {
        es_guess *guess = &hit->guesses[i];
        if (guess->path == ES_PATH_NONE)
            continue;
        bool fits = es_known_ends_with(&g->known, guess->path, parts, count);
        double likely = fits ? guess->prior / so : 0;
        likely = likely < rest ? likely : rest;
        rest -= likely;
        guess->prior = ES_GUESS_STALE * guess->prior + (1 - ES_GUESS_STALE) * likely;
    }
    for (uint32_t i = 0; i < hit->guess_count; i++)
        if (hit->guesses[i].path == ES_PATH_NONE)
            hit->guesses[i].prior = ES_GUESS_STALE * hit->guesses[i].prior + (1 - ES_GUESS_STALE) * rest;
}

void es_guess_priors(es_path_guess *g, es_guessed_hit *hit)
{
    double ends_so = ending(g, hit->last, hit->last_count), sum = 0;
    es_guess *others = NULL;
    for (uint32_t i = 0; i < hit->guess_count; i++) {
        es_guess *guess = &hit->guesses[i];
        if (guess->path == ES_PATH_NONE) {
            others = guess;
            continue;
        }
        const es_known_path *path = &g->known.paths[guess->path];
        guess->prior = LEAST;
        if (path->count)
            guess->prior += ending(g, path->parts, path->count) *
                            es_guess_called_by(g, ES_PATH_NONE, path->parts, path->count) / ends_so;
        sum += guess->prior;
    }
    double rest = hit->is_complete || sum > 1 ? 0 : 1 - sum;
    hit->others = rest + LEAST;
    hit->ends_so = ends_so;
    if (others)
        others->prior = (hit->by_interrupt ? rest + ES_GUESS_DOUBT : rest) + LEAST;
    sum += others ? others->prior : 0;
    for (uint32_t i = 0; i < hit->guess_count; i++)
        hit->guesses[i].prior = hit->is_carried ? hit->guesses[i].forward : hit->guesses[i].prior / sum;
    if (!hit->is_carried)
        look_at_supposed(g, hit);
}
