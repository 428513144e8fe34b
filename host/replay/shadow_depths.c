/* How much of the stack that runs is in use: from the highest value that its pointer has had.
 *
 * Stacks are told apart by how the pointer changes: by what is computed from itself it stays on its stack. Any other
 * value is one of the stack that has had such values, or the first one of a stack that nobody has met before. So
 * tasks' stacks are found wherever they lie, also those that a kernel takes from a heap. */
#include <stdlib.h>

#include "replay/shadow_private.h"
#include "symbols/code.h"

static bool has(const extent *e, uint32_t sp)
{
    return sp >= e->low && sp <= e->top;
}

/* The stack that a pointer is of, which was not computed from the one before: extent_count where it is a new one. */
static size_t find(const es_shadow_tracker *t, uint32_t sp)
{
    if (t->extent_now < t->extent_count && has(&t->extents[t->extent_now], sp))
        return t->extent_now;
    for (size_t i = 0; i < t->extent_count; i++)
        if (has(&t->extents[i], sp))
            return i;
    return t->extent_count;
}

static bool is_computed(const es_shadow_tracker *t, const es_insn *insn)
{
    return insn->kind == ES_INSN_COMPUTE && (insn->rs1 == t->isa->stack || insn->rs2 == t->isa->stack);
}

/* The upper bits of an address, which the next instruction completes: no pointer yet. */
static bool is_half(const es_insn *insn)
{
    return insn->kind == ES_INSN_CONSTANT || insn->kind == ES_INSN_ADDRESS;
}

static bool add(es_shadow_tracker *t, uint32_t sp)
{
    if (t->extent_count == EXTENTS_MAX)
        return false;
    extent *more = realloc(t->extents, (t->extent_count + 1) * sizeof *more);
    if (!more)
        abort();
    t->extents = more;
    t->extents[t->extent_count++] = (extent){sp, sp};
    return true;
}

void es_shadow_measure(es_shadow_tracker *t)
{
    const es_machine_registers *now = es_shadow_registers(t);
    uint32_t sp = now->x[t->isa->stack];
    es_insn insn = {0};
    bool known = !(uint32_t)now->x_unknown[t->isa->stack] && sp && es_symbols_insn(t->symbols, t->before, &insn);
    bool whole = t->half && is_computed(t, &insn);
    t->half = known && is_half(&insn);
    if (!known || t->half) {
        t->extent_now = t->extent_count;
        known = false;
    } else if (whole || !is_computed(t, &insn)) {
        t->extent_now = find(t, sp);
        known = t->extent_now < t->extent_count || add(t, sp);
    }
    known = known && t->extent_now < t->extent_count;
    if (!known) {
        es_shadow_show_depths(t, 0, 0, false);
        return;
    }
    extent *e = &t->extents[t->extent_now];
    e->low = sp < e->low ? sp : e->low;
    e->top = sp > e->top ? sp : e->top;
    es_shadow_show_depths(t, e->top - sp, e->top - e->low, true);
}

void es_shadow_forget_depths(es_shadow_tracker *t)
{
    t->extent_count = t->extent_now = 0;
    t->half = false;
    if (t->plan.depths)
        es_shadow_show_depths(t, 0, 0, false);
}
