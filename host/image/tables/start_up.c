#include "image/tables/start_up.h"

#include <string.h>

/* Of C libraries, compilers and kernels. Names that begin with `__` are compared without the underscores. */
static const char *const copying[] = {
    "memcpy",
    "memset",
    "memmove",
    "bzero",
    "bcopy",
    "aeabi_memcpy",
    "aeabi_memcpy4",
    "aeabi_memcpy8",
    "aeabi_memset",
    "aeabi_memset4",
    "aeabi_memset8",
    "aeabi_memclr",
    "aeabi_memclr4",
    "aeabi_memclr8",
    "aeabi_memmove",
    "aeabi_memmove4",
    "aeabi_memmove8",
    "z_bss_zero",
    "z_data_copy",
    "z_early_memset",
    "z_early_memcpy",
    "arch_bss_zero",
    "arch_data_copy",
    "arch_early_memset",
    "arch_early_memcpy",
};

const es_procedure *es_start_up_find(const es_symbols *symbols)
{
    const es_procedure *start = es_symbols_procedure_at(symbols, es_symbols_entry(symbols));
    if (!start || strcmp(start->name, "main") == 0)
        return NULL;
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites);
    for (size_t i = 0; i < count; i++)
        if (sites[i].caller == start && sites[i].callee != start)
            return start;
    return NULL;
}

bool es_start_up_copies(const es_procedure *procedure)
{
    const char *name = procedure->name;
    while (strncmp(name, "__", 2) == 0)
        name += 2;
    for (size_t i = 0; i < sizeof copying / sizeof *copying; i++)
        if (strcmp(name, copying[i]) == 0)
            return true;
    return false;
}
