/* Paths over inlined copies: a copy is in an activation of the procedure that it was inlined into, and calls what is
 * called by instructions of its. */
#include "lang/ways.h"

#include <stdlib.h>
#include <string.h>

#define NESTED_MAX 64 /* copies in each other */

es_way es_way_and(es_parser *parser, const es_way *way, es_step step)
{
    es_way made = {.steps = es_arena_alloc(parser->arena, (way->count + 1) * sizeof *made.steps),
                   .count = way->count + 1};
    if (way->steps && way->count)
        memcpy(made.steps, way->steps, way->count * sizeof *made.steps);
    made.steps[way->count] = step;
    return made;
}

static void add(es_ways_list *ways, es_way way)
{
    if (ways->count < ES_WAYS_MAX)
        ways->items[ways->count] = way;
    ways->count++;
}

/* Can an activation that `callee` means stand directly on one that `caller` means? By a call, also one whose callee
 * goes on as another procedure in a tail call, or by an interrupt. by: a step that says which call; NULL: any. */
static bool may_stand_on(es_parser *parser, const es_step *caller, const es_step *callee, const es_step *by)
{
    if (callee->procedure->is_interrupt)
        return true;
    const es_procedure *const *all;
    const es_call_site *sites;
    size_t count = es_symbols_procedures(parser->symbols, &all), site_count = es_symbols_calls(parser->symbols, &sites);
    bool *may = es_arena_alloc(parser->arena, count + 1);
    for (bool changed = true, first = true; changed || first; first = false) {
        changed = false;
        for (size_t s = 0; s < site_count; s++) {
            bool from_caller = !sites[s].is_tail && es_step_means(caller, sites[s].caller) &&
                               (!by || es_step_is_by(by, sites[s].site));
            bool by_tail = false;
            for (size_t i = 0; i < count && sites[s].is_tail && !from_caller; i++)
                by_tail |= may[i] && all[i] == sites[s].caller;
            for (size_t i = 0; i < count && (from_caller || by_tail); i++) {
                bool reached = sites[s].callee ? sites[s].callee == all[i] : all[i]->address_taken;
                if (reached && es_step_means(callee, all[i]))
                    return true;
                changed |= reached && !may[i];
                may[i] |= reached;
            }
        }
    }
    return false;
}

/* Calls by instructions that are a copy's own: not of one in it. */
static es_step called_by_copies(es_parser *parser, const es_way *from, const es_step *own)
{
    const es_call_site *calls;
    size_t count = es_symbols_calls(parser->symbols, &calls), found = 0;
    uint32_t *sites = es_arena_alloc(parser->arena, (count + 1) * sizeof *sites);
    for (size_t i = 0; i < count; i++) { /* by address */
        const es_inlined_copy *in[NESTED_MAX];
        size_t depth = calls[i].is_tail ? 0 : es_symbols_inlined_at(parser->symbols, calls[i].site, in, NESTED_MAX);
        bool own_call = false;
        for (size_t k = 0; k < from->copy_count && depth; k++)
            own_call |= in[depth - 1] == from->copies[k] && calls[i].caller == from->copies[k]->caller;
        if (own_call)
            sites[found++] = calls[i].site;
    }
    es_step step = *own;
    step.kind = ES_STEP_CALL;
    step.sites = sites;
    step.site_count = found;
    step.site = found ? sites[0] : 0;
    return step;
}

void es_ways_add_own(es_parser *parser, es_ways_list *ways, const es_way *from, const es_named *named)
{
    const es_step *last = from->count ? &from->steps[from->count - 1] : NULL;
    if (!named->step)
        return;
    if (!from->copies) {
        if (!last || last->kind == ES_STEP_ANY || may_stand_on(parser, last, named->step, NULL))
            add(ways, es_way_and(parser, from, *named->step));
        return;
    }
    es_step step = called_by_copies(parser, from, named->step);
    if (named->step->kind == ES_STEP_NAME && step.site_count && !step.procedure->is_interrupt &&
        may_stand_on(parser, last, &step, &step))
        add(ways, es_way_and(parser, from, step));
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* The copies directly in what a way leads to. */
static bool is_directly_in(const es_way *from, const es_inlined_copy *copy)
{
    for (size_t i = 0; i < from->copy_count; i++)
        if (copy->within == from->copies[i])
            return true;
    return !from->copies && !copy->within && es_step_means(&from->steps[from->count - 1], copy->caller);
}

static void add_with(es_parser *parser, es_ways_list *ways, es_way way, const es_named *named,
                     bool (*is_meant)(const es_way *from, const es_inlined_copy *copy))
{
    const es_inlined_copy **kept = es_arena_alloc(parser->arena, (named->copy_count + 1) * sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; i < named->copy_count; i++)
        if (is_meant(&way, named->copies[i]))
            kept[count++] = named->copies[i];
    if (!count)
        return;
    way.copies = kept;
    way.copy_count = count;
    add(ways, way);
}

static bool is_anywhere_in(const es_way *from, const es_inlined_copy *copy)
{
    return es_step_means(&from->steps[from->count - 1], copy->caller);
}

static bool is_first_of_caller(const es_named *named, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (named->copies[k]->caller == named->copies[i]->caller)
            return false;
    return true;
}

/* Whether an activation of the caller may be on those that a step means. */
static bool may_be_in(es_parser *parser, const es_step *outer, const es_procedure *caller)
{
    for (size_t i = 0; i < es_step_copies(outer); i++)
        if (es_leads_to(parser, es_step_copy(outer, i), caller))
            return true;
    return false;
}

void es_ways_add_copies(es_parser *parser, es_ways_list *ways, const es_way *from, const es_named *named)
{
    if (from->copies || from->steps[from->count - 1].kind != ES_STEP_ANY) {
        add_with(parser, ways, *from, named, is_directly_in);
        return;
    }
    /* *:f and main:*:f, with f in any procedure */
    const es_step *outer = from->count > 1 ? &from->steps[from->count - 2] : NULL;
    es_way without = *from;
    without.count--;
    if (outer)
        add_with(parser, ways, without, named, is_anywhere_in);
    for (size_t i = 0; i < named->copy_count; i++) {
        const es_procedure *caller = named->copies[i]->caller;
        const es_step step = {.kind = ES_STEP_NAME, .procedure = caller};
        if (is_first_of_caller(named, i) && (!outer || may_be_in(parser, outer, caller)))
            add_with(parser, ways, es_way_and(parser, from, step), named, is_anywhere_in);
    }
}
