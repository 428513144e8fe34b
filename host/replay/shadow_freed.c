/* Objects that the allocator has taken back: what pointed to one points to nothing until it is assigned again
 * (docs/statements.md, "Pointers"). The probe notices that of pointers that it follows at that moment; here it is kept
 * for those of all activations, and for what is optimised out for a while: when they come back, the probe is told. */
#include <string.h>

#include "base/endian.h"
#include "replay/shadow_private.h"

#define OBJECT 8u /* bytes: in an object's first two words the allocator's writes count */

bool es_shadow_in_allocator(const plan *p, uint32_t pc)
{
    for (size_t i = 0; i < p->allocator_count; i++)
        if (pc - p->allocator[i].first < p->allocator[i].size)
            return true;
    return false;
}

/* Marks which words of a value lead to an object into which this store was. */
static void mark(const es_shadow_tracker *t, uint8_t *freed, const uint8_t *bytes, const uint8_t *unknown,
                 uint32_t value_size, uint32_t low, uint32_t size)
{
    for (uint32_t at = 0; at + 4 <= value_size; at += 4) {
        uint32_t value = (uint32_t)es_endian_get(bytes + at, 4, es_symbols_big_endian(t->symbols));
        if (value && !es_shadow_word(unknown, at) && (low - value < OBJECT || value - low < size))
            freed[at] = 1;
    }
}

void es_shadow_note_freed(es_shadow_tracker *t, uint32_t low, uint32_t size)
{
    if (!es_shadow_in_allocator(&t->plan, t->before))
        return;
    for (size_t n = 0; n < t->stack_count; n++)
        for (size_t i = 0; i < t->stacks[n].count; i++) {
            record *r = &t->stacks[n].records[i];
            const procedure *of = r->kind == RECORD_ACTIVATION ? &t->plan.procedures[r->procedure] : NULL;
            for (size_t k = 0; of && k < of->count; k++)
                if (r->states[k].met) {
                    uint32_t at = of->instances[k].offset;
                    mark(t, r->freed + at, r->bytes + at, r->unknown + at,
                         t->plan.cells[of->instances[k].cell].shadow->size, low, size);
                }
        }
    for (size_t i = 0; i < t->plan.cell_count; i++) { /* the probe notices it by itself */
        cell *c = &t->plan.cells[i];
        mark(t, c->freed, c->bytes, c->unknown, c->shadow->size, low, size);
    }
}

void es_shadow_not_freed(uint8_t *freed, const uint8_t *old, const uint8_t *bytes, const uint8_t *written,
                         uint32_t size)
{
    for (uint32_t at = 0; at < size; at += 4) {
        uint32_t count = size - at < 4 ? size - at : 4;
        if (memchr(written + at, 1, count) || memcmp(old + at, bytes + at, count) != 0)
            freed[at] = 0;
    }
}
