/* What the values of variables have become: assignments, moves, and what is not known. */
#include <string.h>

#include "replay/shadow_private.h"
#include "symbols/code.h"

static const es_value_part *part_at(const state *s, uint32_t offset)
{
    for (size_t i = 0; i < s->part_count; i++)
        if (offset >= s->parts[i].offset && offset - s->parts[i].offset < s->parts[i].size)
            return &s->parts[i];
    return NULL;
}

static bool same_place(const es_value_part *a, const es_value_part *b, uint32_t offset)
{
    return a && a->place == b->place && a->place != ES_VALUE_COMPUTED &&
           (a->place == ES_VALUE_IN_MEMORY ? a->where + (offset - a->offset) == b->where + (offset - b->offset)
                                           : a->where == b->where && a->offset == b->offset);
}

/* The last instruction has moved what was at `from` to `to` as it was. */
static bool is_move(const es_shadow_tracker *t, const es_value_part *from, const es_value_part *to)
{
    es_insn insn;
    if (!from || !es_symbols_insn(t->symbols, t->before, &insn))
        return false;
    bool from_register = from->place == ES_VALUE_IN_REGISTER, to_register = to->place == ES_VALUE_IN_REGISTER;
    if (from_register && to_register) {
        bool by_zero =
            es_insn_sums(insn) && (insn.rs1 == from->where || insn.rs2 == from->where) && (!insn.rs1 || !insn.rs2);
        return insn.rd == to->where && ((es_insn_copies(insn) && insn.rs1 == from->where) || by_zero);
    }
    if (from->place == ES_VALUE_IN_MEMORY && to_register)
        return insn.kind == ES_INSN_LOAD;
    if (from_register && to->place == ES_VALUE_IN_MEMORY)
        return insn.kind == ES_INSN_STORE && es_insn_stored(insn) == from->where;
    return false;
}

static bool is_changed(const state *before, const uint8_t *old, const uint8_t *old_unknown, const uint8_t *bytes,
                       const uint8_t *unknown, uint32_t at)
{
    return !before->met || old[at] != bytes[at] || old_unknown[at] != unknown[at];
}

/* Marks in `written` what of a part has been assigned. *before: the state up to now, of which `old` is the last
 * value. begins: execution comes to the code of the variable's inlined copy, where what memory has is none of its
 * values. */
static bool mark_assigned(const es_shadow_tracker *t, const state *before, const uint8_t *old,
                          const uint8_t *old_unknown, const es_value_part *part, uint64_t set, bool begins,
                          uint8_t *written)
{
    const es_value_part *was = before->known ? part_at(before, part->offset) : NULL;
    bool elsewhere = was && !same_place(was, part, part->offset), in_memory = part->place == ES_VALUE_IN_MEMORY;
    bool changed = false, any = false;
    for (uint32_t i = part->offset; i < part->offset + part->size; i++)
        changed |= is_changed(before, old, old_unknown, t->room, t->room_unknown, i);
    bool done = (part->place == ES_VALUE_IN_REGISTER && part->where < 64 && set >> part->where & 1) ||
                (in_memory && es_shadow_is_stored(t, part->where, part->size));
    if (done && elsewhere && !changed && (was->place == ES_VALUE_COMPUTED || is_move(t, was, part)))
        done = false; /* what was computed anew each time has got a place */
    for (uint32_t i = part->offset; i < part->offset + part->size; i++) {
        bool here = done && (!in_memory || es_shadow_is_stored(t, part->where + (i - part->offset), 1));
        written[i] = here || (!(in_memory && begins) && t->room_unknown[i] != 0xFF &&
                              is_changed(before, old, old_unknown, t->room, t->room_unknown, i));
        any |= written[i];
    }
    return any;
}

static bool any_known(const uint8_t *unknown, const es_value_part *part)
{
    for (uint32_t i = 0; i < part->size; i++)
        if (unknown[part->offset + i] != 0xFF)
            return true;
    return false;
}

/* One variable. Returns whether what is known of it has changed, or it was assigned; t->written: its bytes that
 * were. begins: as in mark_assigned. */
static bool look_at(es_shadow_tracker *t, record *r, size_t k, const place *at, uint64_t set, bool silent, bool begins)
{
    const es_value_context context = es_shadow_value_context(t);
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    uint32_t size = t->plan.cells[in->cell].shadow->size;
    state *s = &r->states[k];
    state now = {.met = true};
    uint8_t *old = r->bytes + in->offset, *old_unknown = r->unknown + in->offset;
    bool any = false;
    memset(t->written, 0, size);
    if (at->value) {
        s->set |= (es_value_registers(at->value, NULL) & set) != 0;
        bool guarded = es_value_guarded(at->value) && (in->copy->parameter || r->whole);
        now.guarded = guarded && !in->copy->parameter;
        es_value_read(at->value, &context, size, t->room, t->room_unknown, now.parts, &now.part_count);
        for (size_t i = 0; i < now.part_count; i++) {
            const es_value_part *part = &now.parts[i];
            if (guarded)
                es_shadow_guard(t, r, s, at->value, part, in->copy->parameter);
            bool early = es_shadow_too_early(t, r, in->copy, part);
            now.early |= early;
            if (early)
                memset(t->room_unknown + part->offset, 0xFF, part->size);
            if (part->place == ES_VALUE_NOWHERE || !any_known(t->room_unknown, part)) {
                now.unset |= part->place != ES_VALUE_NOWHERE;
                continue;
            }
            now.known = true;
            any |= !silent && mark_assigned(t, s, old, old_unknown, part, set, begins, t->written);
        }
    }
    now.value = at->value;
    if (now.known && size == 8 && t->plan.cells[in->cell].scalar && s->value == at->value) {
        enum whole whole = es_shadow_whole(t, &now, size, s->torn, set);
        now.known = whole != WHOLE_NOT;
        if (whole == WHOLE_NOW)
            memset(t->written, any = !silent, size);
    }
    s->value = at->value;
    if (!now.known) { /* the last value stays in mind */
        bool was = s->known || s->unset != now.unset || s->early != now.early || s->torn != now.torn;
        s->known = false;
        s->unset = now.unset;
        s->early = now.early;
        s->torn = now.torn;
        s->guarded = now.guarded;
        if (s->guarded) { /* a callee may store it */
            memcpy(s->parts, now.parts, sizeof s->parts);
            s->part_count = now.part_count;
        }
        return was;
    }
    bool changed =
        !s->known || any || memcmp(old, t->room, size) != 0 || memcmp(old_unknown, t->room_unknown, size) != 0;
    if (!s->known) /* it was optimised out: what has it now is another assignment */
        memset(r->freed + in->offset, 0, size);
    now.stored = s->stored;
    now.set = s->set;
    *s = now;
    es_shadow_not_freed(r->freed + in->offset, old, t->room, t->written, size);
    memcpy(old, t->room, size);
    memcpy(old_unknown, t->room_unknown, size);
    return changed;
}

/* The instance is what it was, whatever has been set but these registers. (What is known of it stays so; memory may
 * have been changed by others.) */
static bool stays(const es_shadow_tracker *t, const record *r, size_t k, const place *at, uint64_t set)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    return at->value && !at->memory && !(at->registers & set) && r->states[k].known &&
           !es_shadow_any(r->unknown + in->offset, t->plan.cells[in->cell].shadow->size);
}

/* An instance has changed. What was assigned waits until all else is told: whoever is asked at an assignment sees the
 * other variables as they are after the instruction, too. Returns whether it waits. */
static bool tell_or_keep(es_shadow_tracker *t, record *r, size_t k)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    uint32_t size = t->plan.cells[in->cell].shadow->size;
    r->states[k].assigned = es_shadow_any(t->written, size);
    if (r->states[k].assigned)
        memcpy(t->assigned + in->offset, t->written, size);
    else
        es_shadow_tell_instance(t, r, k, NULL);
    return r->states[k].assigned;
}

static void tell_assigned(es_shadow_tracker *t, record *r)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    for (size_t k = 0; k < of->count; k++)
        if (r->states[k].assigned) {
            r->states[k].assigned = false;
            es_shadow_tell_instance(t, r, k, t->assigned + of->instances[k].offset);
        }
}

/* What the last instruction has not touched is as it was; else debug information may have it at the next one, though
 * that is none of the copy's. */
void es_shadow_show_last(es_shadow_tracker *t, record *r, const segment *at)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    t->entry = r->whole ? r->entry : NULL;
    for (size_t k = 0; k < of->count && r->at; k++) {
        const place *was = &r->at->places[k];
        bool touched = was->registers & t->set || (was->memory && (t->store_count || t->many_stores));
        if (!was->active || at->places[k].active || !r->states[k].known || !touched)
            continue;
        const es_value_range *range = es_value_at(of->instances[k].copy, at->low);
        place now = {.value = range && !es_value_reason(range->value) ? range->value : NULL};
        if (look_at(t, r, k, &now, t->set, true, false))
            es_shadow_tell_instance(t, r, k, NULL);
    }
}

void es_shadow_look(es_shadow_tracker *t, record *r, const segment *at, uint64_t set, enum look look)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    const segment *before = r->at;
    bool others = false; /* an inlined copy begins or ends */
    bool assigned = false;
    t->entry = r->whole ? r->entry : NULL;
    for (size_t k = 0; k < of->count && before != at; k++)
        others |= !before || before->places[k].active != at->places[k].active;
    r->at = at;
    for (size_t k = 0; k < of->count; k++) {
        bool parameter = of->instances[k].copy->parameter;
        bool comes = at->places[k].active && (!before || !before->places[k].active), begins = parameter && comes;
        place here = at->places[k];
        if (look == LOOK_ENTRY && of->instances[k].copy->entry)
            here.value = of->instances[k].copy->entry;
        if ((!here.value && !r->states[k].known && !r->states[k].unset && !r->states[k].torn) ||
            (look == LOOK_ENTRY && !parameter))
            continue;
        if (begins)
            memset(r->freed + of->instances[k].offset, 0, t->plan.cells[of->instances[k].cell].shadow->size);
        if (look == LOOK_ON && before == at && stays(t, r, k, &at->places[k], set))
            continue;
        if (look_at(t, r, k, &here, set, (look != LOOK_SET && look != LOOK_ON) || begins, comes))
            assigned |= tell_or_keep(t, r, k);
    }
    if (others)
        es_shadow_show(t);
    if (assigned)
        tell_assigned(t, r);
}
