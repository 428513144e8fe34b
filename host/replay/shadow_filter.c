/* Which instructions matter to the tracker of shadow cells: most do not. What is asked for each of them depends on the
 * program alone, and on no activation; so it can be asked anywhere in an execution. */
#include <string.h>

#include "base/arena.h"
#include "replay/shadow_private.h"

void es_shadow_filter_begin(filter *f, const plan *p, const es_isa *isa)
{
    memset(f, 0, sizeof *f);
    f->plan = p;
    f->stack = isa->stack;
    f->dirty = f->uncertain = p->needed;
}

unsigned es_shadow_due(filter *f, uint32_t pc)
{
    const segment *at = f->at;
    f->since |= f->set;
    unsigned due = f->set & f->plan->shown ? DUE_SHOWN : 0;
    if (f->plan->depths && f->set >> f->stack & 1)
        due |= DUE_SHOWN;
    if (!at || pc < at->low || pc > at->last || f->trapped) {
        f->at = es_shadow_segment(f->plan, pc);
        return due | DUE_MOVED;
    }
    bool becomes_known = at->registers & (f->dirty | f->uncertain);
    if (f->set & at->registers || (f->stored && (at->memory || becomes_known)))
        due |= DUE_LOOK;
    return due;
}

void es_shadow_filter_next(filter *f, uint32_t pc)
{
    f->before = pc;
    f->set = 0;
    f->stored = f->trapped = false;
}

static void note_register(es_shadow_notes *notes, unsigned reg, uint64_t value, uint64_t unknown)
{
    if (notes->register_count == notes->register_room) {
        notes->register_room = notes->register_room ? 2 * notes->register_room : 1024;
        notes->registers = es_realloc(notes->registers, notes->register_room * sizeof *notes->registers);
    }
    notes->registers[notes->register_count++] = (es_shadow_register_note){value, unknown, reg};
}

void es_shadow_filter_take(filter *f, const es_machine *machine, bool looks, es_shadow_notes *notes)
{
    for (uint64_t left = (f->dirty | f->uncertain) & f->plan->needed; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);
        uint64_t bit = UINT64_C(1) << reg, value, unknown;
        es_machine_register(machine, reg, &value, &unknown);
        if (notes && (f->dirty & bit || unknown != f->unknown[reg]))
            note_register(notes, reg, value, unknown);
        f->unknown[reg] = unknown;
        if (unknown)
            f->uncertain |= bit;
        else if (looks)
            f->uncertain &= ~bit;
    }
    f->dirty = 0;
}
