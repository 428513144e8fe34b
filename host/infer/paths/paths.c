#include "infer/paths/paths.h"

#include <stdlib.h>
#include <string.h>

#include "infer/paths/guess.h"

void es_infer_paths_begin(es_infer_paths *p, const es_symbols *symbols, const es_schema *schema, es_infer_told_fn *told,
                          void *context)
{
    es_path_guess *g = es_malloc(sizeof *g);
    memset(g, 0, sizeof *g);
    *p = (es_infer_paths){.seen = es_malloc(ES_INFER_SEEN * sizeof *p->seen), .guess = g};
    g->symbols = symbols;
    g->schema = schema;
    g->told = told;
    g->context = context;
}

void es_infer_paths_end(es_infer_paths *p)
{
    if (p->guess && p->guess->has_ways) {
        es_ways_end(&p->guess->ways);
        es_known_end(&p->guess->known);
        es_arena_free(p->guess->arena);
    }
    free(p->guess);
    free(p->seen);
    *p = (es_infer_paths){0};
}

/* Where nothing is lost, nothing of this is needed. */
static void prepare(es_path_guess *g)
{
    if (g->has_ways)
        return;
    es_switch *switches;
    g->has_ways = true;
    g->arena = es_arena_new();
    es_known_begin(&g->known, g->symbols, g->schema->names);
    es_ways_begin(&g->ways, &g->known, g->symbols, g->schema->tasks_by != NULL);
    g->switches = !g->schema->tasks_by && es_symbols_switches(g->symbols, g->ways.arena, &switches) > 0;
}

/* What was seen, as it is learned. */
typedef struct learned_hit {
    uint64_t place;
    uint32_t path, task;
} learned_hit;

/* From all that was seen since the last time, or of it what is still there. */
static void learn(es_infer_paths *p)
{
    es_known *k = &p->guess->known;
    uint64_t from = p->count - p->learned > ES_INFER_SEEN ? p->count - ES_INFER_SEEN : p->learned;
    learned_hit last[ES_KNOWN_OVER]; /* the latest first */
    uint32_t before = 0;
    for (uint64_t i = from; i < p->count; i++) {
        const es_seen_hit *seen = &p->seen[i & (ES_INFER_SEEN - 1)];
        learned_hit hit = {es_known_place(seen->pc, seen->statement), es_known_named(k, seen->path), seen->task};
        if (hit.path == ES_PATH_NONE || !k->paths[hit.path].count) {
            before = 0;
            continue;
        }
        es_known_learn(k, hit.place, hit.path);
        es_guess_learn_calls(p->guess, before ? last[0].path : ES_PATH_NONE, hit.path);
        for (uint32_t n = 0; n < before && last[n].task == hit.task; n++)
            es_known_learn_step(k, last[n].place, last[n].path, hit.place, hit.path, n);
        before += before < ES_KNOWN_OVER;
        memmove(last + 1, last, (before - 1) * sizeof *last);
        last[0] = hit;
    }
    p->learned = p->count;
}

static void forget_hits(es_path_guess *g)
{
    g->count = 0;
    es_arena_free(g->arena);
    g->arena = es_arena_new();
}

static void settle(es_path_guess *g)
{
    es_guess_settle(g);
    forget_hits(g);
}

void es_infer_paths_lost(es_infer_paths *p, uint64_t last)
{
    es_path_guess *g = p->guess;
    if (!g)
        return;
    prepare(g);
    p->seen[p->count++ & (ES_INFER_SEEN - 1)] = (es_seen_hit){.path = 0};
    learn(p);
    settle(g);
    p->lost = true;
    g->loss_ends = last;
    g->inferred = 0;
}

void es_infer_paths_missed(es_infer_paths *p)
{
    if (p->lost)
        settle(p->guess);
    else if (p->seen)
        p->seen[p->count++ & (ES_INFER_SEEN - 1)] = (es_seen_hit){.path = 0};
}

void es_infer_paths_over(es_infer_paths *p)
{
    if (p->lost)
        settle(p->guess);
}

/* The path is known again: that is one way to go on, and there is no other. */
static void found_again(es_infer_paths *p, const es_hit *from, const es_path_evidence *evidence)
{
    es_path_guess *g = p->guess;
    uint32_t path = es_known_named(&g->known, from->path);
    es_guessed_hit *hit = &g->hits[g->count];
    p->lost = false;
    if (g->count && path != ES_PATH_NONE && es_guess_begin_hit(g, hit, from, evidence)) {
        hit->move.known = false; /* the probe has put its stack right meanwhile */
        hit->is_done = true;
        (void)es_guess_add(hit, path);
        g->count++;
    }
    settle(g);
}

/* As many as can wait do: tells them, and keeps the last one for what follows. */
static void make_room(es_path_guess *g)
{
    es_guess_settle(g);
    es_guessed_hit last = g->hits[g->count - 1];
    es_arena *old = g->arena;
    g->arena = es_arena_new();
    uint32_t *sites = es_arena_alloc(g->arena, (last.count + 1) * sizeof *sites);
    es_active *claimed = es_arena_alloc(g->arena, (last.count + 1) * sizeof *claimed);
    memcpy(sites, last.sites, last.count * sizeof *sites);
    memcpy(claimed, last.claimed, last.count * sizeof *claimed);
    last.sites = sites;
    last.claimed = claimed;
    last.follows = false;
    last.is_carried = true;
    es_arena_free(old);
    g->hits[0] = last;
    g->count = 1;
}

void es_infer_paths_look(es_infer_paths *p, const es_hit *hit, const es_path_evidence *evidence)
{
    es_path_guess *g = p->guess;
    if (!g || hit->flags & (ES_HIT_TIMED | ES_HIT_NO_PLACE))
        return;
    if (!(hit->flags & ES_HIT_NO_PATH)) {
        found_again(p, hit, evidence);
        return;
    }
    if (g->inferred == ES_INFER_AFTER_LOSS)
        return;
    if (g->count == ES_INFER_AWAITED)
        make_room(g);
    es_guessed_hit *next = &g->hits[g->count];
    if (hit->flags & ES_HIT_CUT_PATH || !es_guess_begin_hit(g, next, hit, evidence))
        return;
    next->told = (es_inferred){.time = hit->time, .statement = hit->statement, .pc = hit->pc, .hit = p->number};
    next->told.only = es_guess_candidates(g, next);
    g->count++;
    g->inferred++;
    if (!next->told.only)
        return;
    const es_inferred_path path = {es_known_name(&g->known, next->guesses[0].path), 1};
    es_inferred told = next->told;
    told.paths = &path;
    told.path_count = 1;
    next->is_done = true;
    g->told(g->context, &told);
}
