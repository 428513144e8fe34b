#include "image/tables/trust.h"

#include <string.h>

#include "image/plan/plan.h"
#include "image/planner/trust.h"
#include "image/tables/layout.h"
#include "isa/isa.h"

/* The one call of a procedure by start-up code, where nothing else leads there: its path is always the same. False:
 * there is none. */
static bool find_anchor(const image_builder *b, struct es_mi_header *header)
{
    const es_procedure *root = es_symbols_procedure_at(b->symbols, es_symbols_entry(b->symbols));
    const es_call_site *sites, *call = NULL;
    size_t count = es_symbols_calls(b->symbols, &sites), ways = 0;
    for (size_t i = 0; i < count && root; i++)
        if (sites[i].caller == root && sites[i].callee && sites[i].callee != root && !sites[i].is_tail &&
            (!call || strcmp(sites[i].callee->name, "main") == 0))
            call = &sites[i];
    for (size_t i = 0; i < count && call; i++)
        ways += sites[i].callee == call->callee;
    if (ways != 1 || call->callee->address_taken || call->callee->is_interrupt)
        return false;
    header->anchor_at = es_layout_procedure(b, call->callee);
    header->anchor_site = es_isa_site(call->site, call->size);
    header->anchor_low = call->callee->low;
    header->anchor_size = call->callee->high - call->callee->low;
    return true;
}

static uint8_t kept_of(uint32_t word, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                       size_t fetch_count)
{
    unsigned kept = 0;
    for (size_t i = 0; i < data_count; i++)
        if (data[i].address == word)
            kept = ES_PLANE_HIT | (data[i].lock ? ES_PLANE_LOCK : 0);
    for (size_t i = 0; i < fetch_count; i++)
        if (fetch[i].address == word)
            kept |= 1u << ES_MI_FRESH_READS_SHIFT;
    return (uint8_t)kept;
}

/* A statement's es_mi_trust; returns its address, 0: it is never certain. */
static uint16_t write_statement(image_builder *b, size_t number)
{
    struct {
        uint8_t flags, count;
        uint16_t words[UINT8_MAX];
    } trust = {.flags = es_trust_flags(&b->plan, number)};
    if (trust.flags == TRUST_NEVER || !es_trust_words(&b->plan, number, trust.words, &trust.count))
        return 0;
    return (uint16_t)es_layout_put(b, &trust,
                                   (sizeof trust - sizeof trust.words + (size_t)2 * trust.count + 3) & ~(size_t)3);
}

void es_trust_write(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                    size_t fetch_count, struct es_mi_header *header)
{
    image_plan *plan = &b->plan;
    size_t statements = plan->program->statement_count;
    if (!plan->fresh || !find_anchor(b, header))
        return;
    uint16_t *trust = es_arena_alloc(b->arena, (statements + 2) * sizeof *trust);
    memset(trust, 0, (statements + 2) * sizeof *trust);
    for (size_t s = 0; s < statements; s++)
        trust[s] = write_statement(b, s);
    struct es_mi_fresh *fresh = es_arena_alloc(b->arena, (plan->fresh_count + 1) * sizeof *fresh);
    for (size_t i = 0; i < plan->fresh_count; i++) {
        uint32_t word = plan->fresh[i].word;
        fresh[i] = (struct es_mi_fresh){.index = (uint16_t)((word - b->limits->window_base) / 4),
                                        .lanes = plan->fresh[i].lanes,
                                        .kept = kept_of(word, data, data_count, fetch, fetch_count)};
    }
    header->trust_at = (uint16_t)es_layout_put(b, trust, (statements * sizeof *trust + 3) & ~(size_t)3);
    header->fresh_at = (uint16_t)es_layout_put(b, fresh, plan->fresh_count * sizeof *fresh);
    header->fresh_count = (uint16_t)plan->fresh_count;
    header->stale_at = (uint16_t)(plan->ram_at + plan->stale);
}
