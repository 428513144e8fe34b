#include "why/decide.h"

#include <stdlib.h>

#include "base/arena.h"

void es_why_decide_begin(es_why_decide *d, const es_symbols *symbols)
{
    *d = (es_why_decide){.control = es_why_control_new(symbols)};
}

void es_why_decide_end(es_why_decide *d)
{
    es_why_control_free(d->control);
    free(d->waiting);
    free(d->returns);
}

static void drop(es_why_decide *d, size_t i)
{
    d->waiting[i] = d->waiting[--d->count];
}

/* False: it is decided by nothing in its activation, and that is not known to be so. */
static bool look_up(es_why_decide *d, es_why_undecided *u, uint32_t pc)
{
    bool known;
    u->depth = d->depth;
    u->count = es_why_deciders(d->control, pc, &u->deciders, &known);
    d->undecided |= !known;
    return known;
}

void es_why_decide_wait(es_why_decide *d, size_t node, uint32_t pc)
{
    es_why_undecided u = {.node = node};
    if (d->lost || !look_up(d, &u, pc)) {
        d->undecided = true;
        return;
    }
    if (d->count == d->size) {
        d->size = d->size ? 2 * d->size : 64;
        d->waiting = es_realloc(d->waiting, d->size * sizeof *d->waiting);
    }
    d->waiting[d->count++] = u;
}

static void lose(es_why_decide *d)
{
    d->lost = true;
    d->undecided |= d->count > 0;
    d->count = 0;
}

/* Where an activation began, with the stack pointer then. */
static void begin_of(es_why_decide *d, uint32_t sp)
{
    if (d->return_count) {
        es_why_return back = d->returns[--d->return_count];
        if (back.checked && back.sp != sp)
            lose(d);
    }
    d->depth--;
}

void es_why_decide_trap(es_why_decide *d, uint32_t sp)
{
    begin_of(d, sp);
    for (size_t i = d->count;
         i-- > 0;) /* an interrupt comes when it comes: no branch of the program decides about it */
        if (d->waiting[i].depth > d->depth)
            drop(d, i);
}

void es_why_decide_enter(es_why_decide *d, const es_isa *isa, es_insn insn, uint32_t sp)
{
    bool helper = isa->helper_link && insn.rs1 == isa->helper_link;
    if (insn.kind == ES_INSN_SEVERAL && insn.untold) /* it may end an activation, or begin one */
        lose(d);
    if (insn.kind != ES_INSN_RETURN && insn.kind != ES_INSN_TRAP_RETURN) {
        if (es_insn_is_call(insn)) /* who was called waits one deeper, until es_why_decide_leave */
            begin_of(d, sp);
        return;
    }
    if (d->return_count == d->return_size) {
        d->return_size = d->return_size ? 2 * d->return_size : 64;
        d->returns = es_realloc(d->returns, d->return_size * sizeof *d->returns);
    }
    d->returns[d->return_count++] = (es_why_return){sp, !(insn.kind == ES_INSN_RETURN && helper)};
    d->depth++;
}

size_t es_why_decided(es_why_decide *d, uint32_t pc)
{
    for (size_t i = 0; i < d->count; i++) {
        const es_why_undecided *u = &d->waiting[i];
        for (size_t k = 0; u->depth == d->depth && k < u->count; k++)
            if (u->deciders[k] == pc) {
                size_t node = u->node;
                drop(d, i);
                return node;
            }
    }
    return SIZE_MAX;
}

void es_why_decide_leave(es_why_decide *d, uint32_t pc)
{
    for (size_t i = d->count; i-- > 0;)
        if (d->waiting[i].depth > d->depth && !look_up(d, &d->waiting[i], pc))
            drop(d, i);
}
