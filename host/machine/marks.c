/* Marks: a set of addresses, hashed. */
#include <stdlib.h>

#include "base/arena.h"
#include "machine/private.h"

enum { FREE = 1, SLOTS_MIN = 16 }; /* how many is a power of 2; a free slot holds what no instruction's address is */

static unsigned slot_of(const es_machine *machine, uint32_t address)
{
    unsigned slot = (address * 0x9E3779B1u >> 4) & (machine->mark_slots - 1);
    while (machine->marks[slot] != FREE && machine->marks[slot] != address)
        slot = (slot + 1) & (machine->mark_slots - 1);
    return slot;
}

bool es_machine_is_marked(const es_machine *machine, uint32_t address)
{
    return machine->mark_count && machine->marks[slot_of(machine, address)] == address;
}

/* The same set in `slots` slots, but for one address. */
static void rebuild(es_machine *machine, unsigned slots, uint32_t without)
{
    uint32_t *old = machine->marks;
    unsigned count = machine->mark_slots;
    machine->marks = es_malloc(slots * sizeof *machine->marks);
    machine->mark_slots = slots;
    for (unsigned i = 0; i < slots; i++)
        machine->marks[i] = FREE;
    for (unsigned i = 0; i < count; i++)
        if (old[i] != FREE && old[i] != without)
            machine->marks[slot_of(machine, old[i])] = old[i];
    free(old);
}

void es_machine_mark(es_machine *machine, uint32_t address, bool marked)
{
    if (address & 1 || es_machine_is_marked(machine, address) == marked)
        return;
    es_machine_forget_code(machine);
    if (!marked) {
        machine->mark_count--;
        rebuild(machine, machine->mark_slots, address);
        return;
    }
    if (2 * (machine->mark_count + 1) > machine->mark_slots)
        rebuild(machine, machine->mark_slots ? 2 * machine->mark_slots : SLOTS_MIN, FREE);
    machine->marks[slot_of(machine, address)] = address;
    machine->mark_count++;
}
