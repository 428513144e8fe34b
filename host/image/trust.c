#include "image/trust.h"

#include <string.h>

#include "image/constants.h"
#include "image/plan_private.h"

/* Statements of these kinds keep more than values and the path: what happened in the loss may have changed it, and
 * nothing tells. */
#define REMEMBERING \
    (ES_FEATURE(THEN) | ES_FEATURE(AND) | ES_FEATURE(OR) | ES_FEATURE(WITHIN) | ES_FEATURE(ELAPSED) | \
     ES_FEATURE(AGE) | ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR) | ES_FEATURE(COUNTER) | ES_FEATURE(PRINT))
/* ... or refer to places that are found at run time. */
#define MOVING (ES_FEATURE(POINTER) | ES_FEATURE(INDEX) | ES_FEATURE(LIFE) | ES_FEATURE(SNAPSHOT))

static bool takes_old(const es_expr *expr)
{
    if (!expr)
        return false;
    return expr->kind == ES_EXPR_OLD || takes_old(expr->condition) || takes_old(expr->lhs) || takes_old(expr->rhs);
}

#define NEVER 0xFFu /* instead of ES_MI_TRUST_*: after a loss it is uncertain for good */

static uint8_t flags_of(const image_plan *plan, size_t number)
{
    const es_statement *statement = &plan->program->statements[number];
    if (!statement->predicate || statement->features & (REMEMBERING | MOVING) || plan->statements[number].switch_record)
        return NEVER;
    bool old = takes_old(statement->predicate);
    for (size_t i = 0; i < statement->reference_count; i++)
        if ((statement->references[i].frame && !plan->statements[number].direct) ||
            plan_is_large(&statement->references[i]) || plan->slot_count)
            return NEVER;
    for (size_t k = 0; k < es_image_value_count(statement); k++)
        old |= es_image_value(statement, k)->old;
    return (uint8_t)((old ? ES_MI_TRUST_OLD : 0) | (es_image_needs_path(statement) ? ES_MI_TRUST_PATH : 0));
}

/* The word's number in the list, which it is added to. */
static size_t find_word(image_plan *plan, uint32_t word, uint8_t lanes)
{
    size_t i = 0;
    while (i < plan->fresh_count && plan->fresh[i].word != word)
        i++;
    if (i == plan->fresh_count)
        plan->fresh[plan->fresh_count++] = (plan_fresh){.word = word};
    plan->fresh[i].lanes |= lanes;
    return i;
}

/* The words of a statement, as es_mi_trust has them; adds them to the list. False: there are too many. */
static bool words_of(image_plan *plan, size_t number, uint16_t out[UINT8_MAX], uint8_t *count)
{
    const es_statement *statement = &plan->program->statements[number];
    *count = 0;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame) /* just written, in an activation that began after the loss */
            continue;
        for (unsigned k = 0; k < plan_words(reference); k++) {
            if (es_constants_is(plan->symbols, plan_first_word(reference) + 4 * k))
                continue;
            if (plan->fresh_count > ES_MI_TRUST_WORD || *count == UINT8_MAX)
                return false;
            uint8_t lanes = es_plan_lanes_in(reference, k);
            size_t word = find_word(plan, plan_first_word(reference) + 4 * k, lanes);
            out[(*count)++] = (uint16_t)(word | (unsigned)lanes << ES_MI_TRUST_LANES_SHIFT);
        }
    }
    return true;
}

uint32_t es_trust_place(image_plan *plan, uint32_t at)
{
    const es_program *program = plan->program;
    uint16_t out[UINT8_MAX];
    uint8_t count;
    size_t most = 0;
    plan->stale = at;
    if (program->task || plan->lean)
        return at;
    for (size_t s = 0; s < program->statement_count; s++)
        most += 3 * program->statements[s].reference_count;
    plan->fresh = es_arena_alloc(plan->arena, (most + 1) * sizeof *plan->fresh);
    for (size_t s = 0; s < program->statement_count; s++)
        if (flags_of(plan, s) != NEVER)
            words_of(plan, s, out, &count);
    return at + 4 * (((uint32_t)plan->fresh_count + 3) / 4);
}

/* The one call of a procedure by start-up code, where nothing else leads there: its path is always the same. False: there
 * is none. */
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
    header->anchor_site = call->site;
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
    } trust = {.flags = flags_of(&b->plan, number)};
    if (trust.flags == NEVER || !words_of(&b->plan, number, trust.words, &trust.count))
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

void es_trust_header(const struct es_mi_header *from, struct es_mi_header *header)
{
    header->trust_at = from->trust_at;
    header->fresh_at = from->fresh_at;
    header->fresh_count = from->fresh_count;
    header->stale_at = from->stale_at;
    header->anchor_at = from->anchor_at;
    header->anchor_site = from->anchor_site;
    header->anchor_low = from->anchor_low;
    header->anchor_size = from->anchor_size;
}
