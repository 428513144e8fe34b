#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

#include "isa/rv32/rv32.h"

/* Of those that a program may be for, the first one is taken. */
static const es_isa *const all[] = {&es_isa_rv32c_zcm_zfinx, &es_isa_rv32c_zcm, &es_isa_rv32c_zfinx,
                                    &es_isa_rv32_zfinx,      &es_isa_rv32c,     &es_isa_rv32};

const es_isa *es_isa_of(uint16_t machine, uint32_t flags, const char *arch)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->machine == machine && (flags & all[i]->flags_mask) == all[i]->flags &&
            (!all[i]->is_for || all[i]->is_for(arch)))
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

int es_isa_any_register(const es_isa *isa, unsigned dwarf)
{
    int number = es_isa_register(isa, dwarf);
    bool foreign = number < 0 && isa->foreign && dwarf >= isa->foreign && dwarf - isa->foreign < 32;
    return foreign ? (int)(ES_INSN_FOREIGN + dwarf - isa->foreign) : number;
}

bool es_isa_keeps(const es_isa *isa, unsigned reg)
{
    return reg < ES_INSN_FOREIGN ? es_isa_has(isa->saved, reg) : es_isa_has(isa->foreign_saved, reg - ES_INSN_FOREIGN);
}

const char *es_isa_register_name(const es_isa *isa, unsigned dwarf)
{
    return dwarf < isa->name_count ? isa->names[dwarf] : NULL;
}
