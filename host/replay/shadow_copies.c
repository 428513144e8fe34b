/* Activations of inlined copies: each belongs to one of the procedure that it is in, and begins and ends where the
 * debug information says (symbols/copies.h), whatever is called or interrupts meanwhile. */
#include "replay/shadow_private.h"

static bool counts(const cell *c, const es_inlined_copy *copy)
{
    for (size_t i = 0; i < c->shadow->copy_count; i++)
        if (c->shadow->copies[i] == copy)
            return true;
    return false;
}

/* How many activations of the cell's copies are on the stack that runs. */
static uint32_t count_active(const es_shadow_tracker *t, const cell *c)
{
    const stack *s = t->now < t->stack_count ? &t->stacks[t->now] : NULL;
    uint32_t count = 0;
    for (size_t i = 0; s && i < s->count; i++) {
        const record *r = &s->records[i];
        const procedure *of = r->kind == RECORD_ACTIVATION ? &t->plan.procedures[r->procedure] : NULL;
        for (size_t k = 0; of && k < of->copy_count; k++)
            count += r->active[k] && counts(c, of->copies[k].copy);
    }
    return count;
}

void es_shadow_show_copies(es_shadow_tracker *t)
{
    for (size_t i = 0; i < t->plan.cell_count && t->plan.copies; i++) {
        cell *c = &t->plan.cells[i];
        if (c->shadow->kind != ES_SHADOW_COPIES)
            continue;
        es_shadow_show_number(t, c, c->shadow->reg == ES_SHADOW_ACTIVE ? count_active(t, c) : 1, false);
    }
}

/* An activation of a copy has begun, or ended. */
static void tell_copy(es_shadow_tracker *t, const es_inlined_copy *copy, bool begins)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        if (c->shadow->kind != ES_SHADOW_COPIES || !counts(c, copy))
            continue;
        if (c->shadow->reg == ES_SHADOW_ACTIVE)
            es_shadow_show_number(t, c, count_active(t, c), begins);
        else if (c->shadow->reg == (begins ? ES_SHADOW_BEGINS : ES_SHADOW_ENDS))
            es_shadow_show_number(t, c, 1, true);
    }
}

/* A copy has returned, or may have. */
static void lose_results(es_shadow_tracker *t, const es_inlined_copy *copy)
{
    for (size_t i = 0; i < t->plan.cell_count; i++)
        if (t->plan.cells[i].shadow->kind == ES_SHADOW_RESULT && counts(&t->plan.cells[i], copy))
            es_shadow_lose_result(t, &t->plan.cells[i]);
}

/* One that is in another ends with it, too. */
static bool is_to_end(const procedure *of, const record *r, const segment *at, size_t i)
{
    for (size_t k = 0; k <= i; k++) {
        bool outer = k == i || es_symbols_copy_is_within(of->copies[i].copy, of->copies[k].copy);
        if (outer && r->active[k] && (!at || at->copies[k] & (COPY_BEGINS | COPY_ENDS)))
            return true;
    }
    return false;
}

void es_shadow_end_copies(es_shadow_tracker *t, record *r, const segment *at)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    bool shown = !at;
    t->begins = at && at->begins;
    for (size_t i = 0; at && at->lies && i < of->copy_count; i++)
        if (at->copies[i] & COPY_LIES)
            lose_results(t, of->copies[i].copy);
    for (size_t i = of->copy_count; i-- > 0 && (!at || at->ends || at->begins);) {
        if (!r->active[i] || !is_to_end(of, r, at, i))
            continue;
        if (!shown)
            es_shadow_show_last(t, r, at);
        shown = true;
        r->active[i] = false;
        lose_results(t, of->copies[i].copy);
        tell_copy(t, of->copies[i].copy, false);
    }
}

void es_shadow_begin_copies(es_shadow_tracker *t, record *running)
{
    record *r = t->begins ? running : NULL;
    const segment *at = r ? r->at : NULL;
    const procedure *of = r ? &t->plan.procedures[r->procedure] : NULL;
    t->begins = false;
    for (size_t i = 0; at && i < of->copy_count; i++)
        if (at->copies[i] & COPY_BEGINS) {
            r->active[i] = true;
            tell_copy(t, of->copies[i].copy, true);
        }
    for (size_t i = at ? of->copy_count : 0; i-- > 0;)
        if (at->copies[i] & COPY_BEGINS && at->copies[i] & COPY_ENDS) {
            r->active[i] = false;
            lose_results(t, of->copies[i].copy);
            tell_copy(t, of->copies[i].copy, false);
        }
}
