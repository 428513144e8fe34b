/* What the values of variables have become: assignments, moves, and what is not known. */
#include <string.h>

#include "base/endian.h"
#include "replay/shadow_private.h"
#include "symbols/code.h"

/* --- the machine as values see it --------------------------------------------------------------------------- */

const es_machine_registers *es_shadow_registers(es_shadow_tracker *t)
{
    if (!t->fresh && t->machine)
        es_machine_get(t->machine, &t->registers);
    t->fresh = true;
    return &t->registers;
}

static void give(const es_machine_registers *r, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    *value = reg < 32 ? r->x[reg] : reg < 64 ? r->f[reg - 32] : 0;
    *unknown = reg < 32 ? r->x_unknown[reg] : reg < 64 ? r->f_unknown[reg - 32] : UINT64_MAX;
}

static void read_register(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    give(es_shadow_registers(context), reg, value, unknown);
}

static void read_entry(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    const es_shadow_tracker *t = context;
    *value = 0;
    *unknown = UINT64_MAX;
    if (t->entry)
        give(t->entry, reg, value, unknown);
}

static void read_memory(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    const es_shadow_tracker *t = context;
    const es_machine *machine = t->machine ? t->machine : t->memory;
    if (!machine || !es_machine_peek(machine, address, bytes, unknown, size))
        memset(unknown, 0xFF, size);
}

/* --- telling -------------------------------------------------------------------------------------------------- */

static bool any_set(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i])
            return true;
    return false;
}

/* The cell gets these bytes. written: by byte, those that were assigned; NULL: none. freed: by word; NULL: none. */
static void tell(es_shadow_tracker *t, cell *c, const uint8_t *bytes, const uint8_t *unknown, const uint8_t *written,
                 const uint8_t *freed)
{
    uint32_t size = c->shadow->size, last = (size - 1) & ~3u;
    bool any = written && memchr(written, 1, size), other = c->why != t->why && any_set(unknown, size);
    c->why = t->why;
    for (uint32_t at = 0; at < size; at += 4) {
        uint32_t count = size - at < 4 ? size - at : 4;
        bool gone = freed && freed[at], back = c->freed[at] && !gone;
        bool same = !other && !back && gone == c->freed[at] && memcmp(c->bytes + at, bytes + at, count) == 0 &&
                    memcmp(c->unknown + at, unknown + at, count) == 0;
        /* of what is assigned as a whole, the last word is the event */
        bool event = false;
        if (written && any)
            event = c->scalar ? at == last : memchr(written + at, 1, count) != NULL;
        memcpy(c->bytes + at, bytes + at, count);
        memcpy(c->unknown + at, unknown + at, count);
        c->freed[at] = gone;
        uint32_t address = c->shadow->address + at, word = es_shadow_word(c->bytes, at),
                 not_known = es_shadow_word(c->unknown, at);
        if (!event && back) /* the same value, of another activation, may lead to an object */
            t->told.poke(t->told.context, address, 0, UINT32_MAX, false);
        if (event)
            t->told.write(t->told.context, address, word & ~not_known, not_known);
        else if (!same)
            t->told.poke(t->told.context, address, word & ~not_known, not_known, gone);
    }
}

/* Of a value that is there but for some of its bits, those are of registers or memory. */
static void tell_unknown(es_shadow_tracker *t, cell *c, enum es_shadow_why why)
{
    t->why = why;
    memset(t->room, 0, c->shadow->size);
    memset(t->room_unknown, 0xFF, c->shadow->size);
    tell(t, c, t->room, t->room_unknown, NULL, NULL);
    t->why = ES_SHADOW_UNSET;
}

void es_shadow_forget(es_shadow_tracker *t)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        memset(c->bytes, 0xFF, (c->shadow->size + 3) & ~3u); /* whatever was told: it is told anew */
        memset(c->unknown, 0, (c->shadow->size + 3) & ~3u);
        memset(c->bytes + c->shadow->size, 0, -c->shadow->size & 3);
        tell_unknown(t, c, ES_SHADOW_INACTIVE);
    }
}

/* --- which activation a cell shows ---------------------------------------------------------------------------- */

static const stack *stack_now(const es_shadow_tracker *t)
{
    static const stack none = {0};
    return t->now < t->stack_count ? &t->stacks[t->now] : &none;
}

/* The innermost activation in which the cell's variable exists; *number: its instance, of copies in copies the
 * innermost, which debug information has last. NULL: none. */
static record *holder(const es_shadow_tracker *t, size_t cell_number, size_t *number)
{
    const stack *s = stack_now(t);
    for (size_t i = s->count; i-- > 0;) {
        record *r = &s->records[i];
        if (r->kind != RECORD_ACTIVATION)
            continue;
        const procedure *of = &t->plan.procedures[r->procedure];
        for (size_t k = of->count; k-- > 0;)
            if (of->instances[k].cell == cell_number && r->at && r->at->places[k].active) {
                *number = k;
                return r;
            }
    }
    return NULL;
}

/* Why an instance has no value where its activation is. */
static enum es_shadow_why why_of(const record *r, size_t k)
{
    const state *s = &r->states[k];
    return s->torn    ? ES_SHADOW_IN_PARTS
           : s->early ? ES_SHADOW_EARLY
           : s->unset ? ES_SHADOW_UNSET
                      : ES_SHADOW_OPTIMISED_OUT;
}

void es_shadow_show(es_shadow_tracker *t)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        size_t k = 0;
        record *r = c->shadow->kind == ES_SHADOW_VARIABLE ? holder(t, i, &k) : NULL;
        if (r && r->states[k].assigned)
            continue;
        if (r && r->states[k].known) {
            uint32_t offset = t->plan.procedures[r->procedure].instances[k].offset;
            tell(t, c, r->bytes + offset, r->unknown + offset, NULL, r->freed + offset);
        } else if (c->shadow->kind == ES_SHADOW_VARIABLE && c->shadow->procedure) {
            tell_unknown(t, c, r ? why_of(r, k) : ES_SHADOW_INACTIVE);
        }
    }
}

static void show_register(es_shadow_tracker *t, cell *c, bool known)
{
    uint32_t size = c->shadow->size;
    bool big = es_symbols_big_endian(t->symbols);
    uint64_t value, unknown;
    give(es_shadow_registers(t), c->shadow->reg, &value, &unknown);
    if (c->shadow->reg < 32 && size > 4) { /* in two */
        uint64_t next, next_unknown;
        give(es_shadow_registers(t), c->shadow->reg + 1, &next, &next_unknown);
        value = big ? value << 32 | next : value | next << 32;
        unknown = big ? unknown << 32 | next_unknown : unknown | next_unknown << 32;
    }
    es_endian_put(t->room, size, known ? value & ~unknown : 0, big);
    es_endian_put(t->room_unknown, size, known ? unknown : UINT64_MAX, big);
    tell(t, c, t->room, t->room_unknown, NULL, NULL);
}

/* What the caller's memory has, where the procedure was told to put it. */
static void show_returned_memory(es_shadow_tracker *t, cell *c, const record *of)
{
    uint32_t size = c->shadow->size;
    uint64_t where = 0, unknown = UINT64_MAX;
    if (of && of->entry)
        give(of->entry, c->shadow->reg, &where, &unknown);
    memset(t->room, 0, size);
    memset(t->room_unknown, 0xFF, size);
    if (!(uint32_t)unknown)
        read_memory(t, (uint32_t)where, size, t->room, t->room_unknown);
    for (uint32_t i = 0; i < size; i++)
        t->room[i] &= (uint8_t)~t->room_unknown[i];
    tell(t, c, t->room, t->room_unknown, NULL, NULL);
}

void es_shadow_show_result(es_shadow_tracker *t, const es_shadow *shadow, const record *of)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        if (t->plan.cells[i].shadow != shadow)
            continue;
        if (shadow->in_memory)
            show_returned_memory(t, &t->plan.cells[i], of);
        else
            show_register(t, &t->plan.cells[i], of != NULL);
    }
}

void es_shadow_show_depths(es_shadow_tracker *t, uint32_t depth, uint32_t peak, bool known)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        if (c->shadow->kind != ES_SHADOW_STACK)
            continue;
        uint32_t value = c->shadow->reg ? peak : depth;
        es_endian_put(t->room, 4, known ? value : 0, es_symbols_big_endian(t->symbols));
        memset(t->room_unknown, known ? 0 : 0xFF, 4);
        tell(t, c, t->room, t->room_unknown, NULL, NULL);
    }
}

void es_shadow_lose_result(es_shadow_tracker *t, cell *c)
{
    tell_unknown(t, c, ES_SHADOW_INLINED);
}

void es_shadow_show_number(es_shadow_tracker *t, cell *c, uint32_t number, bool assigned)
{
    es_endian_put(t->room, 4, number, es_symbols_big_endian(t->symbols));
    memset(t->room_unknown, 0, 4);
    memset(t->written, 1, 4);
    tell(t, c, t->room, t->room_unknown, assigned ? t->written : NULL, NULL);
}

void es_shadow_show_registers(es_shadow_tracker *t, uint64_t set)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        const es_shadow *shadow = t->plan.cells[i].shadow;
        if (shadow->kind == ES_SHADOW_REGISTER && set >> shadow->reg & 1)
            show_register(t, &t->plan.cells[i], true);
    }
}

void es_shadow_show_constants(es_shadow_tracker *t)
{
    const es_value_context context = {read_register, read_entry, read_memory, t};
    t->entry = NULL;
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        const es_value_copy *copies;
        if (c->shadow->kind != ES_SHADOW_VARIABLE || c->shadow->procedure ||
            !es_symbols_value_copies(t->symbols, c->shadow->variable, &copies) || copies[0].count != 1 ||
            es_value_reason(copies[0].ranges[0].value) || es_value_registers(copies[0].ranges[0].value, NULL))
            continue;
        es_value_read(copies[0].ranges[0].value, &context, c->shadow->size, t->room, t->room_unknown, NULL, NULL);
        tell(t, c, t->room, t->room_unknown, NULL, NULL);
    }
}

/* --- assignments ------------------------------------------------------------------------------------------------ */

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
 * value. */
static bool mark_assigned(const es_shadow_tracker *t, const state *before, const uint8_t *old,
                          const uint8_t *old_unknown, const es_value_part *part, uint64_t set, uint8_t *written)
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
        written[i] =
            here || (t->room_unknown[i] != 0xFF && is_changed(before, old, old_unknown, t->room, t->room_unknown, i));
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
 * were. */
static bool look_at(es_shadow_tracker *t, record *r, size_t k, const place *at, uint64_t set, bool silent)
{
    const es_value_context context = {read_register, read_entry, read_memory, t};
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    uint32_t size = t->plan.cells[in->cell].shadow->size;
    state *s = &r->states[k];
    state now = {.met = true};
    uint8_t *old = r->bytes + in->offset, *old_unknown = r->unknown + in->offset;
    bool any = false;
    memset(t->written, 0, size);
    if (at->value) {
        s->set |= (es_value_registers(at->value, NULL) & set) != 0;
        es_value_read(at->value, &context, size, t->room, t->room_unknown, now.parts, &now.part_count);
        for (size_t i = 0; i < now.part_count; i++) {
            const es_value_part *part = &now.parts[i];
            if (es_value_guarded(at->value))
                es_shadow_guard(t, r, s, at->value, part);
            bool early = es_shadow_too_early(t, r, in->copy, part);
            now.early |= early;
            if (early)
                memset(t->room_unknown + part->offset, 0xFF, part->size);
            if (part->place == ES_VALUE_NOWHERE || !any_known(t->room_unknown, part)) {
                now.unset |= part->place != ES_VALUE_NOWHERE;
                continue;
            }
            now.known = true;
            any |= !silent && mark_assigned(t, s, old, old_unknown, part, set, t->written);
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

/* written: as of tell. */
static void tell_instance(es_shadow_tracker *t, const record *r, size_t k, const uint8_t *written)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    size_t number;
    if (holder(t, in->cell, &number) != r || number != k)
        return;
    if (r->states[k].known)
        tell(t, &t->plan.cells[in->cell], r->bytes + in->offset, r->unknown + in->offset, written,
             r->freed + in->offset);
    else
        tell_unknown(t, &t->plan.cells[in->cell], why_of(r, k));
}

/* The instance is what it was, whatever has been set but these registers. (What is known of it stays so; memory may
 * have been changed by others.) */
static bool stays(const es_shadow_tracker *t, const record *r, size_t k, const place *at, uint64_t set)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    return at->value && !at->memory && !(at->registers & set) && r->states[k].known &&
           !any_set(r->unknown + in->offset, t->plan.cells[in->cell].shadow->size);
}

/* An instance has changed. What was assigned waits until all else is told: whoever is asked at an assignment sees the
 * other variables as they are after the instruction, too. Returns whether it waits. */
static bool tell_or_keep(es_shadow_tracker *t, record *r, size_t k)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    uint32_t size = t->plan.cells[in->cell].shadow->size;
    r->states[k].assigned = any_set(t->written, size);
    if (r->states[k].assigned)
        memcpy(t->assigned + in->offset, t->written, size);
    else
        tell_instance(t, r, k, NULL);
    return r->states[k].assigned;
}

static void tell_assigned(es_shadow_tracker *t, record *r)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    for (size_t k = 0; k < of->count; k++)
        if (r->states[k].assigned) {
            r->states[k].assigned = false;
            tell_instance(t, r, k, t->assigned + of->instances[k].offset);
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
        if (look_at(t, r, k, &now, t->set, true))
            tell_instance(t, r, k, NULL);
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
        bool begins = parameter && at->places[k].active && (!before || !before->places[k].active);
        if ((!at->places[k].value && !r->states[k].known && !r->states[k].unset && !r->states[k].torn) ||
            (look == LOOK_ENTRY && !parameter))
            continue;
        if (begins)
            memset(r->freed + of->instances[k].offset, 0, t->plan.cells[of->instances[k].cell].shadow->size);
        if (look == LOOK_ON && before == at && stays(t, r, k, &at->places[k], set))
            continue;
        if (look_at(t, r, k, &at->places[k], set, (look != LOOK_SET && look != LOOK_ON) || begins))
            assigned |= tell_or_keep(t, r, k);
    }
    if (others)
        es_shadow_show(t);
    if (assigned)
        tell_assigned(t, r);
}

/* --- memory that others write ----------------------------------------------------------------------------------- */

static bool waits(const record *r)
{
    return r->kind == RECORD_ACTIVATION && r->suspended;
}

void es_shadow_watch_memory(es_shadow_tracker *t)
{
    const stack *s = stack_now(t);
    t->watched_low = UINT32_MAX;
    t->watched_high = 0;
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        for (size_t k = 0; waits(r) && k < t->plan.procedures[r->procedure].count; k++)
            for (size_t n = 0; (r->states[k].known || r->states[k].torn) && n < r->states[k].part_count; n++) {
                const es_value_part *part = &r->states[k].parts[n];
                if (part->place != ES_VALUE_IN_MEMORY)
                    continue;
                t->watched_low = part->where < t->watched_low ? part->where : t->watched_low;
                t->watched_high =
                    part->where + part->size > t->watched_high ? part->where + part->size : t->watched_high;
            }
    }
}

static void look_at_memory_of(es_shadow_tracker *t, record *r, size_t k)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    state *s = &r->states[k];
    bool any = false;
    uint32_t size = t->plan.cells[in->cell].shadow->size;
    memset(t->written, 0, size);
    for (size_t n = 0; n < s->part_count; n++) {
        const es_value_part *part = &s->parts[n];
        if (part->place != ES_VALUE_IN_MEMORY || !es_shadow_is_stored(t, part->where, part->size))
            continue;
        read_memory(t, part->where, part->size, r->bytes + in->offset + part->offset,
                    r->unknown + in->offset + part->offset);
        for (uint32_t i = 0; i < part->size; i++)
            t->written[part->offset + i] = es_shadow_is_stored(t, part->where + i, 1);
        for (uint32_t i = part->offset; i < part->offset + part->size; i++)
            if (t->written[i])
                r->freed[in->offset + (i & ~3u)] = 0;
        any = true;
    }
    if (any && size == 8 && t->plan.cells[in->cell].scalar) {
        state now = *s;
        s->known = es_shadow_whole(t, &now, size, s->torn, 0) != WHOLE_NOT;
        s->torn = now.torn;
        memset(t->written, s->known, size);
    }
    if (any)
        tell_instance(t, r, k, t->written);
}

void es_shadow_look_at_memory(es_shadow_tracker *t)
{
    const stack *s = stack_now(t);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; waits(&s->records[i]) && k < t->plan.procedures[s->records[i].procedure].count; k++)
            if (s->records[i].states[k].known || s->records[i].states[k].torn)
                look_at_memory_of(t, &s->records[i], k);
}
