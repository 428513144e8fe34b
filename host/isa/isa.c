#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

#include "isa/rv32/rv32.h"

static const es_isa *const all[] = {&es_isa_rv32, &es_isa_rv32c};

const es_isa *es_isa_of(uint16_t machine, uint32_t flags)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->machine == machine && (flags & all[i]->flags_mask) == all[i]->flags)
            return all[i];
    return NULL;
}

const es_isa *es_isa_of_machine(uint16_t machine)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->machine == machine)
            return all[i];
    return NULL;
}

void es_isa_executables(char *text, size_t size)
{
    const char *last = NULL;
    size_t used = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && used < size; i++) {
        if (!last || strcmp(last, all[i]->executable) != 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", last ? " or a " : "", all[i]->executable);
        last = all[i]->executable;
    }
}

const es_isa *es_isa_of_simulated_target(void)
{
    return &es_isa_rv32c;
}

const es_isa *es_isa_of_soft_core(void)
{
    return &es_isa_rv32;
}

es_insn es_isa_decode(const es_isa *isa, uint32_t word)
{
    const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    return isa->decode(bytes, sizeof bytes);
}

uint32_t es_isa_told(const es_isa *isa, uint32_t word)
{
    es_insn insn = es_isa_decode(isa, word);
    return insn.size < sizeof word ? isa->expand(insn) : word;
}

int es_isa_register(const es_isa *isa, unsigned dwarf)
{
    if (dwarf >= isa->name_count)
        return -1;
    unsigned number = isa->numbers ? isa->numbers[dwarf] : dwarf;
    return number < isa->registers ? (int)number : -1;
}

const char *es_isa_register_name(const es_isa *isa, unsigned dwarf)
{
    return dwarf < isa->name_count ? isa->names[dwarf] : NULL;
}
