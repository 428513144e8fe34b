#include "machine/private.h"

bool es_machine_has_code(const es_machine *machine, uint32_t page)
{
    (void)machine, (void)page;
    return false;
}

void es_machine_code_changes(es_machine *machine, uint32_t address, uint32_t size)
{
    (void)machine, (void)address, (void)size;
}

void es_machine_forget_code(es_machine *machine)
{
    (void)machine;
}

void es_machine_free_code(es_machine *machine)
{
    (void)machine;
}

void es_machine_chunk_changes(es_machine *machine, unsigned number, const machine_chunk *to)
{
    (void)machine, (void)number, (void)to;
}
