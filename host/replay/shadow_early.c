/* Places in which debug information has variables before these are there. */
#include <string.h>

#include "replay/shadow_private.h"

/* What is where debug information has it only when the activation has put it there: the rest is not known. */
void es_shadow_guard(es_shadow_tracker *t, const record *r, state *s, const es_value *value, const es_value_part *part)
{
    uint64_t registers = es_value_registers(value, NULL) & ~(UINT64_C(1) << t->isa->stack);
    if (registers && !s->set)
        memset(t->room_unknown + part->offset, 0xFF, part->size);
    if (registers || part->place != ES_VALUE_IN_MEMORY)
        return;
    for (uint32_t i = part->offset; i < part->offset + part->size && i < 8; i++) {
        uint32_t address = part->where + (i - part->offset);
        if (es_shadow_is_stored(t, address, 1))
            s->stored |= (uint8_t)(1u << i);
        if (address < r->cfa && !(s->stored >> i & 1)) {
            t->room[i] = 0;
            t->room_unknown[i] = 0xFF;
        }
    }
}

/* Of a local, what the caller has left in a register is no value. */
bool es_shadow_too_early(const es_shadow_tracker *t, const record *r, const es_value_copy *copy,
                         const es_value_part *part)
{
    uint64_t set = t->since | t->plan.procedures[r->procedure].given;
    return part->place == ES_VALUE_IN_REGISTER && part->where < 64 && !(set >> part->where & 1) && !copy->parameter &&
           !copy->inlined && !r->suspended;
}
