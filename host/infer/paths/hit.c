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
    return es_procedure_index(g->known.procedures, g->known.procedure_count, procedure);
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

/* Where an interrupt came is known from what was fetched last. Of the first one since the loss that may have been
 * before the loss. */
static void find_stale(es_guessed_hit *hit, const es_guessed_hit *before, uint32_t interrupt)
{
    if (before && common_sites(before, hit) > before->fresh)
        hit->stale_place = before->stale_place;
    else if (hit->fresh < hit->count)
        hit->stale_place = !before && hit->sites[hit->fresh] & interrupt;
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
    if (common <= before->fresh && common == hit->count)
        return; /* that nothing was seen to end says nothing: what was not seen to begin may have ended unseen */
    hit->move = (es_guess_move){true, common > before->fresh, before->count - common, hit->count - common,
                                hit->claimed + common};
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
    find_stale(hit, before, evidence->interrupt);
    uint32_t known = hit->stale_place ? hit->fresh : hit->fresh - 1;
    uint32_t first = hit->fresh < hit->count && hit->fresh ? known : hit->count;
    hit->settled = g->loss_ends != ES_NO_TIME && from->time >= g->loss_ends + SETTLE_CLOCKS;
    if (hit->settled && hit->count - first <= ES_PATH_DEPTH && first < hit->count) {
        hit->last_count = hit->count - first;
        memcpy(hit->last, hit->claimed + first, hit->last_count * sizeof *hit->last);
        if (!hit->stale_place) /* who entered it was lost: its own site is of before */
            hit->last[0] = entered_somehow(g, hit->last[0] / 2);
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

uint32_t es_guess_supposed(const es_path_guess *g, const es_guessed_hit *hit, es_active *parts)
{
    uint32_t count = hit->count - hit->fresh + 1;
    if (!hit->stale_place || hit->follows || !hit->fresh || count > ES_PATH_DEPTH)
        return 0;
    memcpy(parts, hit->claimed + hit->fresh - 1, count * sizeof *parts);
    parts[0] = entered_somehow(g, parts[0] / 2);
    return count;
}
