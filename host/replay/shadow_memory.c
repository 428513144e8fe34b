/* What others store in the memory of variables whose activations wait for a call. */
#include <string.h>

#include "replay/shadow_private.h"

static bool waits(const record *r)
{
    return r->kind == RECORD_ACTIVATION && r->suspended;
}

static bool has_memory(const state *s)
{
    return s->known || s->torn || s->guarded;
}

void es_shadow_watch_memory(es_shadow_tracker *t)
{
    const stack *s = es_shadow_stack_now(t);
    t->watched_low = UINT32_MAX;
    t->watched_high = 0;
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        for (size_t k = 0; waits(r) && k < t->plan.procedures[r->procedure].count; k++)
            for (size_t n = 0; has_memory(&r->states[k]) && n < r->states[k].part_count; n++) {
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
        es_shadow_read(t, part->where, part->size, r->bytes + in->offset + part->offset,
                       r->unknown + in->offset + part->offset);
        if (s->guarded)
            es_shadow_hide(t, r, s, part, r->bytes + in->offset, r->unknown + in->offset, false);
        for (uint32_t i = 0; i < part->size; i++)
            t->written[part->offset + i] = es_shadow_is_stored(t, part->where + i, 1);
        for (uint32_t i = part->offset; i < part->offset + part->size; i++)
            if (t->written[i])
                r->freed[in->offset + (i & ~3u)] = 0;
        any = true;
    }
    s->known |= any && s->guarded;
    s->met |= any && s->guarded;
    if (any && size == 8 && t->plan.cells[in->cell].scalar) {
        state now = *s;
        s->known = es_shadow_whole(t, &now, size, s->torn, 0) != WHOLE_NOT;
        s->torn = now.torn;
        memset(t->written, s->known, size);
    }
    if (any)
        es_shadow_tell_instance(t, r, k, t->written);
}

void es_shadow_look_at_memory(es_shadow_tracker *t)
{
    const stack *s = es_shadow_stack_now(t);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; waits(&s->records[i]) && k < t->plan.procedures[s->records[i].procedure].count; k++)
            if (has_memory(&s->records[i].states[k]))
                look_at_memory_of(t, &s->records[i], k);
}
