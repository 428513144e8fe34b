/* The paths that a hit may have had, by itself: likely ones, those that were seen there, and those that the program's
 * graph of calls has. */
#include <string.h>

#include "infer/paths/guess.h"

#define WAYS_OPEN 64u   /* that are gone at a time, and in all */
#define LEAST_WAY 0.002 /* less likely ones are not listed */

/* Ways outwards that are not at their end yet. */
typedef struct way {
    es_active parts[ES_PATH_DEPTH]; /* from the end on */
    uint32_t begin;
    double likely;
} way;

/* From one that was taken out of them on: one for each activation that has called its outermost one before. */
static void outwards(es_path_guess *g, es_guessed_hit *hit, const way *from, way *ways, uint32_t *count)
{
    const es_known *k = &g->known;
    const es_active *parts = from->parts + from->begin;
    const uint32_t known = ES_PATH_DEPTH - from->begin;
    const es_count_list *list = es_known_paths_at(k, es_known_callers(parts, 1));
    for (uint32_t at = list ? list->first : 0; at; at = k->counts[at - 1].next) {
        const uint32_t caller = k->counts[at - 1].path;
        const double likely = from->likely * es_guess_called_by(g, caller, parts, known);
        if (likely < LEAST_WAY)
            continue;
        if (caller == ES_PATH_NONE) {
            uint32_t path = es_known_path_of(&g->known, parts, known);
            if (path != ES_PATH_NONE)
                (void)es_guess_add(hit, path);
        } else if (from->begin && *count < WAYS_OPEN) {
            way *next = &ways[(*count)++];
            *next = *from;
            next->parts[--next->begin] = caller;
            next->likely = likely;
        }
    }
}

/* The likeliest paths that end so. */
static void add_likely(es_path_guess *g, es_guessed_hit *hit, const es_active *last, uint32_t known)
{
    way ways[WAYS_OPEN];
    uint32_t count = 1;
    ways[0] = (way){.begin = ES_PATH_DEPTH - known, .likely = 1};
    memcpy(ways[0].parts + ways[0].begin, last, known * sizeof *last);
    for (uint32_t left = WAYS_OPEN; left && count && hit->guess_count < ES_GUESS_PATHS / 2; left--) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < count; i++)
            if (ways[i].likely > ways[most].likely)
                most = i;
        const way from = ways[most];
        ways[most] = ways[--count];
        outwards(g, hit, &from, ways, &count);
    }
}

static void add_seen(es_path_guess *g, es_guessed_hit *hit, uint64_t place, const es_active *last, uint32_t count)
{
    const es_count_list *list = es_known_paths_at(&g->known, place);
    for (uint32_t at = list ? list->first : 0; at; at = g->known.counts[at - 1].next)
        if (es_known_ends_with(&g->known, g->known.counts[at - 1].path, last, count))
            (void)es_guess_add(hit, g->known.counts[at - 1].path);
}

bool es_guess_candidates(es_path_guess *g, es_guessed_hit *hit)
{
    es_active innermost = hit->last[hit->last_count - 1];
    const es_way_list *ways = es_ways_to(&g->ways, hit->last, hit->last_count);
    if (!ways->count && hit->last_count > 1 && ways->complete) { /* the stack is not what it seems */
        hit->last[0] = innermost;
        hit->last_count = 1;
        hit->fresh = hit->count;
        hit->by_interrupt = false;
        ways = es_ways_to(&g->ways, hit->last, 1);
    }
    es_active supposed[ES_PATH_DEPTH];
    uint32_t supposed_count = es_guess_supposed(g, hit, supposed);
    if (supposed_count) {
        const es_way_list *so = es_ways_to(&g->ways, supposed, supposed_count);
        add_likely(g, hit, supposed, supposed_count);
        for (uint32_t i = 0; i < so->count; i++)
            (void)es_guess_add(hit, so->paths[i]);
    }
    add_likely(g, hit, hit->last, hit->last_count);
    add_seen(g, hit, hit->place, hit->last, hit->last_count);
    add_seen(g, hit, es_known_entered(innermost), hit->last, hit->last_count);
    bool complete = ways->complete && ways->count && !g->switches;
    for (uint32_t i = 0; i < ways->count; i++)
        (void)es_guess_add(hit, ways->paths[i]);
    hit->is_complete = complete;
    if ((!complete || hit->by_interrupt) && hit->guess_count < ES_GUESS_PATHS)
        (void)es_guess_add(hit, ES_PATH_NONE);
    return complete && hit->settled && hit->guess_count == 1;
}
