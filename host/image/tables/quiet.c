#include "image/tables/quiet.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "image/places/element.h"
#include "image/places/moved.h"
#include "image/places/ppat.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "lang/statement.h"
#include "symbols/code.h"
#include "symbols/shadows.h"

typedef struct quiet_search {
    const es_symbols *symbols;
    const image_plan *plan;
    const es_procedure *const *procedures;
    size_t count;
    uint32_t *words; /* target addresses of all words that statements refer to, ascending */
    size_t word_count;
    bool *quiet;
} quiet_search;

/* A call, by indices of procedures; `count` stands for none. */
typedef struct quiet_call {
    size_t caller, callee;
    bool tail;
} quiet_call;

static size_t index_of(const quiet_search *search, const es_procedure *procedure)
{
    return es_procedure_index(search->procedures, search->count, procedure);
}

/* --- what the procedure does itself ---------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void add_word(quiet_search *search, uint32_t address)
{
    search->words = es_arena_grow(search->plan->arena, search->words, search->word_count, sizeof *search->words);
    search->words[search->word_count++] = address & ~3u;
}

static void add_words(quiet_search *search, const image_ppat *ppat, const es_reference *reference)
{
    for (unsigned word = 0; word < plan_words(reference); word++) {
        uint32_t address = plan_first_word(reference) + 4 * word;
        if (!reference->frame)
            add_word(search, address);
        for (size_t n = 1; n < ppat->count && reference->frame; n++)
            if (ppat->nodes[n].frame && ppat->nodes[n].frame->procedure == reference->frame)
                add_word(search, ppat->nodes[n].cfa + address);
    }
}

/* All references, also those whose writes are no event: that errs towards tracking. */
static void find_words(quiet_search *search, const image_ppat *ppat)
{
    const es_program *program = search->plan->program;
    for (size_t i = 0; i < program->statement_count; i++) {
        for (size_t k = 0; k < program->statements[i].reference_count; k++) {
            const es_reference *reference = &program->statements[i].references[k];
            for (size_t e = es_element_count(reference); e-- > 0;) {
                es_reference element = es_element_at(reference, e);
                add_words(search, ppat, &element);
            }
        }
    }
    if (search->word_count)
        qsort(search->words, search->word_count, sizeof *search->words, ascending);
}

/* Whether a statement refers to one of the words from first to last. */
static bool is_watched(const quiet_search *search, uint32_t first, uint32_t last)
{
    size_t at = es_first_from(search->words, search->word_count, first);
    return at < search->word_count && search->words[at] <= last;
}

/* Stores below the CFA meet no local that is watched: callers' frames lie above it, and what lies below is armed only
 * while a callee is active. */
static bool stores_elsewhere(const quiet_search *search, const es_procedure *procedure)
{
    const es_store *stores;
    size_t count;
    if (!es_symbols_stores(search->symbols, procedure, &stores, &count))
        return false;
    if (count && search->plan->pointer_count) /* what pointers lead to may be anywhere, also where frames are */
        return false;
    for (size_t i = 0; i < count; i++) {
        if (stores[i].kind == ES_STORE_UNKNOWN)
            return false;
        uint32_t last = stores[i].address + (stores[i].size - 1u);
        if (stores[i].kind == ES_STORE_CONSTANT &&
            (last < stores[i].address || is_watched(search, stores[i].address & ~3u, last)))
            return false;
    }
    return true;
}

/* What is in registers is assigned by no store. */
static bool assigns_nothing(const quiet_search *search, const es_procedure *procedure)
{
    const es_program *program = search->plan->program;
    for (size_t i = 0; i < program->statement_count; i++)
        for (size_t k = 0; k < program->statements[i].reference_count; k++) {
            const es_variable *variable = program->statements[i].references[k].variable;
            if (variable && variable->shadow && es_symbols_assigns(search->symbols, procedure, variable))
                return false;
        }
    return true;
}

/* Where loads may go is not followed, so none counts as harmless where data reads are events. */
static bool reads_nothing(const quiet_search *search, const es_procedure *procedure)
{
    es_insn insn;
    for (uint32_t at = procedure->low; search->plan->read_count && at < procedure->high; at += insn.size)
        if (!es_symbols_insn(search->symbols, at, &insn) || es_insn_loads(insn))
            return false;
    return true;
}

static bool is_within(const es_position *position, const es_procedure *procedure)
{
    for (size_t i = 0; position && i < position->count; i++)
        if (position->addresses[i] >= procedure->low && position->addresses[i] < procedure->high)
            return true;
    return false;
}

static bool is_named(const image_plan *plan, const es_procedure *procedure)
{
    for (size_t i = 0; i < plan->control_count; i++)
        if (plan->controls[i].procedure == procedure ||
            (is_within(plan->controls[i].position, procedure) && !plan->statements[plan->controls[i].handler].covered))
            return true;
    return es_plan_frame_of(plan, procedure) || es_moving_why(plan, procedure);
}

/* --- what its callers and callees add -------------------------------------------------------------------- */

/* The return point has to be in the caller and nothing else: where a procedure begins after the call, as the callee
 * never returns, the return that would be missed could be taken for a jump to that procedure. */
static bool returns_inside(const quiet_search *search, const es_call_site *site)
{
    uint32_t end = site->site + site->size;
    const es_procedure *procedure = es_symbols_procedure_at(search->symbols, end);
    return procedure && procedure == site->caller && procedure->low != end;
}

static bool clear(bool *flag)
{
    bool was = *flag;
    *flag = false;
    return was;
}

static void spread(quiet_search *search)
{
    const es_call_site *sites;
    size_t count = es_symbols_calls(search->symbols, &sites);
    quiet_call *calls = es_arena_alloc(search->plan->arena, (count + 1) * sizeof *calls);
    for (size_t i = 0; i < count; i++) {
        calls[i] = (quiet_call){index_of(search, sites[i].caller), index_of(search, sites[i].callee), sites[i].is_tail};
        if (!sites[i].is_tail && !returns_inside(search, &sites[i]))
            search->quiet[calls[i].callee] = false;
    }
    /* quiet[search->count] is false: that of an unknown caller or callee */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            if (!search->quiet[calls[i].callee])
                changed |= clear(&search->quiet[calls[i].caller]);
            /* the jump would have ended the caller's activation, which is tracked */
            if (calls[i].tail && !search->quiet[calls[i].caller])
                changed |= clear(&search->quiet[calls[i].callee]);
        }
    }
}

const bool *es_quiet_procedures(const es_symbols *symbols, const image_plan *plan, const image_ppat *ppat)
{
    quiet_search search = {.symbols = symbols, .plan = plan};
    search.count = es_symbols_procedures(symbols, &search.procedures);
    search.quiet = es_arena_alloc(plan->arena, search.count + 1);
    if (plan->program->statement_count == 0 || plan->untracked) { /* nobody is told where the program is */
        memset(search.quiet, true, search.count);
        return search.quiet;
    }
    /* the path of an interrupt that came in the procedure would lack it; and any may go deeper on the stack */
    if (es_symbols_traps(symbols) || plan->program->task || plan->stacks)
        return search.quiet;
    find_words(&search, ppat);
    uint32_t entry = es_symbols_entry(symbols);
    for (size_t i = 0; i < search.count; i++) {
        const es_procedure *procedure = search.procedures[i];
        search.quiet[i] = !procedure->address_taken && !procedure->is_interrupt && procedure->low != entry &&
                          !is_named(plan, procedure) && stores_elsewhere(&search, procedure) &&
                          reads_nothing(&search, procedure) && assigns_nothing(&search, procedure);
    }
    spread(&search);
    return search.quiet;
}
