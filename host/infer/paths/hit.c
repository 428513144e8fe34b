/* What a hit after a loss says by itself: where it is, and what of the probe's stack has come since the loss. */
#include <string.h>

#include "infer/paths/guess.h"
#include "symbols/code.h"

/* So many clocks after a loss a hit's place may be of a fetch from before (firmware/doubt.c). */
#define SETTLE_CLOCKS 256u

/* A procedure's activation of which nobody knows how it was entered. */
static es_active entered_somehow(const es_path_guess *g, size_t procedure)
{
    return (es_active)(2 * procedure + g->known.procedures[procedure]->is_interrupt);
}

static size_t index_at(const es_path_guess *g, uint32_t address)
{
    const es_procedure *procedure = es_symbols_procedure_at(g->symbols, address);
    size_t low = 0, high = g->known.procedure_count;
    while (procedure && low < high) {
        size_t middle = (low + high) / 2;
        if (g->known.procedures[middle]->low < procedure->low)
            low = middle + 1;
        else
            high = middle;
    }
    return procedure && low < g->known.procedure_count ? low : g->known.procedure_count;
}

/* The activations that the sites say, as session/where.c names them. False: a procedure is not known. */
static bool claim(es_path_guess *g, es_guessed_hit *hit, uint32_t pc, const es_path_evidence *evidence)
{
    uint32_t count = evidence->known ? (uint32_t)evidence->count : 0;
    uint32_t *sites = es_arena_alloc(g->arena, (count + 1) * sizeof *sites);
    es_active *claimed = es_arena_alloc(g->arena, (count + 1) * sizeof *claimed);
    for (uint32_t i = 0; i < count; i++)
        sites[i] = evidence->sites[i];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t inside = pc;
        if (i + 1 < count)
            inside = sites[i + 1] & evidence->interrupt ? sites[i + 1] & ~evidence->interrupt
                                                        : es_symbols_call_at(g->symbols, sites[i + 1]);
        size_t procedure = index_at(g, inside);
        if (procedure == g->known.procedure_count)
            return false;
        claimed[i] = (es_active)(2 * procedure + ((sites[i] & evidence->interrupt) != 0));
    }
    hit->sites = sites;
    hit->claimed = claimed;
    hit->count = count;
    hit->has_evidence = evidence->known;
    return true;
}

static uint32_t common_sites(const es_guessed_hit *a, const es_guessed_hit *b)
{
    uint32_t common = 0;
    while (common < a->count && common < b->count && a->sites[common] == b->sites[common])
        common++;
    return common;
}

/* From where on the sites are of calls since the loss. Those that the hit before did not have are; and the last one of
 * a hit at a procedure's first instruction, which has just been called. */
static void find_fresh(const es_path_guess *g, es_guessed_hit *hit, const es_guessed_hit *before, uint32_t pc)
{
    hit->fresh = hit->count;
    if (before) {
        uint32_t common = common_sites(before, hit);
        hit->fresh = before->fresh < common ? before->fresh : common;
        hit->fresh = hit->fresh < hit->count ? hit->fresh : hit->count;
    }
    size_t procedure = index_at(g, pc);
    if (hit->fresh == hit->count && hit->count && procedure < g->known.procedure_count &&
        g->known.procedures[procedure]->low == pc && !g->ways.after_jump[procedure])
        hit->fresh = hit->count - 1;
}

/* How the stack came from what it was at the hit before: as far as nothing but fresh activations took part, and their
 * names agree. */
static void find_move(es_guessed_hit *hit, const es_guessed_hit *before)
{
    uint32_t common = common_sites(before, hit);
    bool agree = common >= before->fresh || common == before->count;
    if (common && hit->claimed[common - 1] != before->claimed[common - 1])
        agree = false;
    if (!agree || !before->has_evidence || !hit->has_evidence)
        return;
    hit->move = (es_guess_move){true, before->count - common, hit->count - common, hit->claimed + common};
}

/* Whether it follows from where an interrupt came that activations are known: from a fetch that may be of before the
 * loss. */
static bool is_by_interrupt(const es_guessed_hit *hit)
{
    for (uint32_t i = 1; i < hit->last_count; i++)
        if (hit->last[i] & 1)
            return true;
    return false;
}

bool es_guess_begin_hit(es_path_guess *g, es_guessed_hit *hit, const es_hit *from, const es_path_evidence *evidence)
{
    const es_guessed_hit *before = g->count ? &g->hits[g->count - 1] : NULL;
    size_t inside = index_at(g, from->pc);
    *hit = (es_guessed_hit){.place = es_known_place(from->pc, from->statement), .task = from->task};
    if (inside == g->known.procedure_count || inside == g->ways.graph.start || !claim(g, hit, from->pc, evidence))
        return false;
    if (before && (before->task != from->task || !before->has_evidence || !hit->has_evidence))
        hit->follows = before->task == from->task;
    else
        hit->follows = before != NULL;
    if (!hit->follows)
        before = NULL;
    find_fresh(g, hit, before, from->pc);
    if (before)
        find_move(hit, before);
    uint32_t first = hit->fresh < hit->count && hit->fresh ? hit->fresh - 1 : hit->count;
    bool settled = g->loss_ends != ES_NO_TIME && from->time >= g->loss_ends + SETTLE_CLOCKS;
    if (settled && hit->count - first <= ES_PATH_DEPTH && first < hit->count) {
        hit->last_count = hit->count - first;
        memcpy(hit->last, hit->claimed + first, hit->last_count * sizeof *hit->last);
        hit->last[0] = entered_somehow(g, hit->last[0] / 2); /* who entered it was lost: its own site is of before */
    } else {
        hit->last[0] = entered_somehow(g, inside);
        hit->last_count = 1;
    }
    hit->by_interrupt = is_by_interrupt(hit);
    return true;
}

bool es_guess_add(es_guessed_hit *hit, uint32_t path)
{
    for (uint32_t i = 0; i < hit->guess_count; i++)
        if (hit->guesses[i].path == path)
            return false;
    if (hit->guess_count == ES_GUESS_PATHS)
        return false;
    hit->guesses[hit->guess_count++] = (es_guess){.path = path};
    return true;
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
    bool settled = g->loss_ends != ES_NO_TIME && hit->told.time >= g->loss_ends + SETTLE_CLOCKS;
    const es_way_list *ways = es_ways_to(&g->ways, hit->last, hit->last_count);
    if (!ways->count && hit->last_count > 1 && ways->complete) { /* the stack is not what it seems */
        hit->last[0] = innermost;
        hit->last_count = 1;
        hit->fresh = hit->count;
        hit->by_interrupt = false;
        ways = es_ways_to(&g->ways, hit->last, 1);
    }
    add_seen(g, hit, hit->place, hit->last, hit->last_count);
    add_seen(g, hit, es_known_inside(innermost), hit->last, hit->last_count);
    bool complete = ways->complete && ways->count && !g->switches;
    for (uint32_t i = 0; i < ways->count; i++)
        (void)es_guess_add(hit, ways->paths[i]);
    if ((!complete || hit->by_interrupt) && hit->guess_count < ES_GUESS_PATHS)
        (void)es_guess_add(hit, ES_PATH_NONE);
    return complete && settled && hit->guess_count == 1;
}
