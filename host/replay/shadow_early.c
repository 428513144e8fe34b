/* Places in which debug information has variables before these are there. */
#include <string.h>

#include "replay/shadow_private.h"

void es_shadow_hide(const es_shadow_tracker *t, const record *r, state *s, const es_value_part *part, uint8_t *bytes,
                    uint8_t *unknown, bool parameter)
{
    for (uint32_t i = part->offset; i < part->offset + part->size && i < 8; i++) {
        uint32_t address = part->where + (i - part->offset);
        if (es_shadow_is_stored(t, address, 1))
            s->stored |= (uint8_t)(1u << i);
        if (address >= r->cfa ? !parameter : !(s->stored >> i & 1)) { /* what is further up is the caller's */
            bytes[i] = 0;
            unknown[i] = 0xFF;
        }
    }
}

/* What is where debug information has it only when the activation has put it there: the rest is not known. */
void es_shadow_guard(es_shadow_tracker *t, const record *r, state *s, const es_value *value, const es_value_part *part,
                     bool parameter)
{
    uint64_t registers = es_value_registers(value, NULL) & ~(UINT64_C(1) << t->isa->stack);
    if (es_value_in_frame(value))
        registers = 0;
    if (registers && !s->set)
        memset(t->room_unknown + part->offset, 0xFF, part->size);
    if (!registers && part->place == ES_VALUE_IN_MEMORY)
        es_shadow_hide(t, r, s, part, t->room, t->room_unknown, parameter);
}

/* Of a local, what the caller has left in a register is no value. */
bool es_shadow_too_early(const es_shadow_tracker *t, const record *r, const es_value_copy *copy,
                         const es_value_part *part)
{
    uint64_t set = t->since | t->plan.procedures[r->procedure].given;
    return part->place == ES_VALUE_IN_REGISTER && part->where < 64 && !(set >> part->where & 1) && !copy->parameter &&
           !copy->inlined && !r->suspended;
}
