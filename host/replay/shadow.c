/* The tracker of shadow cells: most instructions change nothing that matters, and are done with here. */
#include "replay/shadow_private.h"

#include <stdlib.h>

#include "symbols/code.h"

es_shadow_tracker *es_shadow_tracker_new(const es_symbols *symbols, const es_machine *machine,
                                         const es_shadow_told *told)
{
    es_shadow_tracker *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->symbols = symbols;
    t->machine = machine;
    t->told = *told;
    t->isa = es_symbols_isa(symbols);
    t->why = ES_SHADOW_UNSET;
    es_shadow_plan(&t->plan, symbols);
    uint32_t most = 0;
    for (size_t i = 0; i < t->plan.procedure_count; i++)
        most = t->plan.procedures[i].bytes > most ? t->plan.procedures[i].bytes : most;
    t->assigned = es_arena_alloc(t->plan.arena, most + 1);
    es_shadow_filter_begin(&t->filter, &t->plan, t->isa);
    return t;
}

void es_shadow_tracker_free(es_shadow_tracker *t)
{
    if (!t)
        return;
    es_shadow_drop_stacks(t);
    free(t->extents);
    es_arena_free(t->plan.arena);
    free(t);
}

uint32_t es_shadow_tracker_marked(const es_shadow_tracker *tracker, uint32_t word, uint32_t unknown)
{
    for (uint32_t mask = 0xFF, byte = tracker->why; mask; mask <<= 8, byte <<= 8)
        if ((unknown & mask) == mask)
            word = (word & ~mask) | byte;
    return word;
}

void es_shadow_tracker_begin(es_shadow_tracker *t)
{
    es_shadow_drop_stacks(t);
    es_shadow_filter_begin(&t->filter, &t->plan, t->isa);
    t->at = NULL;
    t->begins = t->late = t->trapped = t->fresh = t->watched_hit = t->many_stores = t->in_parts = t->jumps = false;
    t->set = 0;
    t->store_count = 0;
    es_shadow_watch_memory(t);
    es_shadow_forget(t);
    es_shadow_show_registers(t, UINT64_MAX);
    es_shadow_show_constants(t);
    es_shadow_show_copies(t);
    es_shadow_forget_depths(t);
}

bool es_shadow_tracker_may_begin(const es_shadow_tracker *tracker, const uint32_t *entries, size_t count)
{
    bool may = !tracker->plan.depths; /* they count from the highest value before */
    for (size_t i = 0; i < count; i++)
        may &= es_shadow_segment(&tracker->plan, entries[i])->procedure == NOBODY;
    return may;
}

void es_shadow_step(es_shadow_tracker *t, uint32_t pc, bool looks)
{
    if (t->set & t->plan.shown)
        es_shadow_show_registers(t, t->set);
    if (t->plan.depths && t->set >> t->isa->stack & 1)
        es_shadow_measure(t);
    if (t->watched_hit)
        es_shadow_look_at_memory(t);
    if (!t->at || pc < t->at->low || pc > t->at->last || t->trapped) {
        es_shadow_arrive(t, pc);
    } else if (looks && t->at->procedure != NOBODY) {
        record *r = es_shadow_running(t);
        if (r && r->procedure == t->at->procedure)
            es_shadow_look(t, r, t->at, t->set, t->jumps ? LOOK_SET : LOOK_ON);
    }
}

void es_shadow_done(es_shadow_tracker *t, uint32_t pc)
{
    t->before = pc;
    t->set = 0;
    t->store_count = 0;
    t->many_stores = t->watched_hit = t->trapped = false;
}

void es_shadow_tracker_insn(es_shadow_tracker *t, uint32_t pc)
{
    unsigned due = es_shadow_due(&t->filter, pc);
    t->fresh = false;
    t->jumps = t->in_parts && es_shadow_ends_line(&t->plan, pc);
    t->in_parts &= !t->jumps;
    if (due || t->watched_hit || t->jumps) {
        uint32_t from, unknown;
        es_shadow_filter_take(&t->filter, t->machine, due & (DUE_LOOK | DUE_MOVED), NULL);
        t->set = t->filter.set;
        t->since |= es_shadow_filter_since(&t->filter);
        t->before = t->filter.before;
        t->trapped = t->filter.trapped;
        if (t->trapped)
            t->interrupted =
                es_machine_control(t->machine, t->isa->interrupted, &from, &unknown) && !unknown ? from : 0;
        es_shadow_step(t, pc, due & DUE_LOOK || t->jumps);
    }
    es_shadow_filter_next(&t->filter, pc);
    es_shadow_done(t, pc);
}

void es_shadow_tracker_access(es_shadow_tracker *t, const es_machine_access *access)
{
    if (access->kind == ES_KIND_FETCH && t->late)
        es_shadow_arrive_late(t);
    else if (access->kind == ES_KIND_FETCH)
        es_shadow_begin_copies(t, es_shadow_running(t));
    if (access->kind != ES_KIND_WRITE)
        return;
    t->filter.stored = true;
    uint32_t first = 0, size = 0;
    while (first < 4 && !(access->lanes >> first & 1))
        first++;
    while (first + size < 4 && access->lanes >> (first + size) & 1)
        size++;
    uint32_t low = access->address + first;
    if (t->store_count == STORES_MAX) {
        t->many_stores = true;
    } else {
        t->stores[t->store_count].low = low;
        t->stores[t->store_count++].size = size;
    }
    if (t->plan.allocator_count)
        es_shadow_note_freed(t, low, size);
    t->watched_hit |= low < t->watched_high && low + size > t->watched_low;
}

void es_shadow_tracker_sets(es_shadow_tracker *t, unsigned reg)
{
    es_shadow_filter_set(&t->filter, reg);
}

void es_shadow_tracker_trap(es_shadow_tracker *t)
{
    t->filter.trapped = true;
}
