/* What cells hold, and how they get it: values, and why something is unknown. */
#include <string.h>

#include "base/endian.h"
#include "replay/shadow_private.h"

/* --- the machine as values see it --------------------------------------------------------------------------- */

const es_machine_registers *es_shadow_registers(es_shadow_tracker *t)
{
    if (!t->fresh && t->machine)
        es_machine_get(t->machine, &t->registers);
    t->fresh = true;
    return &t->registers;
}

void es_shadow_register(const es_machine_registers *r, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    *value = reg < 32 ? r->x[reg] : reg < 64 ? r->f[reg - 32] : 0;
    *unknown = reg < 32 ? r->x_unknown[reg] : reg < 64 ? r->f_unknown[reg - 32] : UINT64_MAX;
}

static void read_register(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    es_shadow_register(es_shadow_registers(context), reg, value, unknown);
}

static void read_entry(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    const es_shadow_tracker *t = context;
    *value = 0;
    *unknown = UINT64_MAX;
    if (t->entry)
        es_shadow_register(t->entry, reg, value, unknown);
}

void es_shadow_read(const es_shadow_tracker *t, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    const es_machine *machine = t->machine ? t->machine : t->memory;
    if (!machine || !es_machine_peek(machine, address, bytes, unknown, size))
        memset(unknown, 0xFF, size);
}

static void read_memory(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    es_shadow_read(context, address, size, bytes, unknown);
}

es_value_context es_shadow_value_context(es_shadow_tracker *t)
{
    return (es_value_context){read_register, read_entry, read_memory, t};
}

/* --- telling -------------------------------------------------------------------------------------------------- */

void es_shadow_tell(es_shadow_tracker *t, cell *c, const uint8_t *bytes, const uint8_t *unknown, const uint8_t *written,
                    const uint8_t *freed)
{
    uint32_t size = c->shadow->size, last = (size - 1) & ~3u;
    bool any = written && memchr(written, 1, size), other = c->why != t->why && es_shadow_any(unknown, size);
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

void es_shadow_tell_unknown(es_shadow_tracker *t, cell *c, enum es_shadow_why why)
{
    t->why = why;
    memset(t->room, 0, c->shadow->size);
    memset(t->room_unknown, 0xFF, c->shadow->size);
    es_shadow_tell(t, c, t->room, t->room_unknown, NULL, NULL);
    t->why = ES_SHADOW_UNSET; /* of a value that is there but for some of its bits, those are of registers or memory */
}

void es_shadow_forget(es_shadow_tracker *t)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        memset(c->bytes, 0xFF, (c->shadow->size + 3) & ~3u); /* whatever was told: it is told anew */
        memset(c->unknown, 0, (c->shadow->size + 3) & ~3u);
        memset(c->bytes + c->shadow->size, 0, -c->shadow->size & 3);
        es_shadow_tell_unknown(t, c, ES_SHADOW_INACTIVE);
    }
}

/* --- which activation a cell shows ---------------------------------------------------------------------------- */

const stack *es_shadow_stack_now(const es_shadow_tracker *t)
{
    static const stack none = {0};
    return t->now < t->stack_count ? &t->stacks[t->now] : &none;
}

/* The innermost activation in which the cell's variable exists; *number: its instance, of copies in copies the
 * innermost, which debug information has last. NULL: none. */
static record *holder(const es_shadow_tracker *t, size_t cell_number, size_t *number)
{
    const stack *s = es_shadow_stack_now(t);
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
            es_shadow_tell(t, c, r->bytes + offset, r->unknown + offset, NULL, r->freed + offset);
        } else if (c->shadow->kind == ES_SHADOW_VARIABLE && c->shadow->procedure) {
            es_shadow_tell_unknown(t, c, r ? why_of(r, k) : ES_SHADOW_INACTIVE);
        }
    }
}

void es_shadow_tell_instance(es_shadow_tracker *t, const record *r, size_t k, const uint8_t *written)
{
    const instance *in = &t->plan.procedures[r->procedure].instances[k];
    size_t number;
    if (holder(t, in->cell, &number) != r || number != k)
        return;
    if (r->states[k].known)
        es_shadow_tell(t, &t->plan.cells[in->cell], r->bytes + in->offset, r->unknown + in->offset, written,
                       r->freed + in->offset);
    else
        es_shadow_tell_unknown(t, &t->plan.cells[in->cell], why_of(r, k));
}
