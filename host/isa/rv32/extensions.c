/* Which extensions a processor has, from its name. */
#include <elf.h>
#include <string.h>

#include "isa/arch.h"
#include "isa/rv32/operation.h"

static const struct {
    const char *name;
    unsigned has;
} known[] = {
    {"i", 0},
    {"e", ES_HAS_E},
    {"m", ES_HAS_M | ES_HAS_DIVISION},
    {"zmmul", ES_HAS_M},
    {"a", ES_HAS_AMO | ES_HAS_LRSC},
    {"zaamo", ES_HAS_AMO},
    {"zalrsc", ES_HAS_LRSC},
    {"c", ES_HAS_C | ES_HAS_ZCF | ES_HAS_ZCD},
    {"f", ES_HAS_F | ES_HAS_ZICSR},
    {"d", ES_HAS_F | ES_HAS_D | ES_HAS_ZICSR},
    {"zcf", ES_HAS_C | ES_HAS_ZCF},
    {"zcd", ES_HAS_C | ES_HAS_ZCD},
    {"zfinx", ES_HAS_ZFINX | ES_HAS_ZICSR},
    {"zdinx", ES_HAS_ZFINX | ES_HAS_ZDINX | ES_HAS_ZICSR},
    {"zca", ES_HAS_C},
    {"zcb", ES_HAS_C | ES_HAS_ZCB},
    {"zcmp", ES_HAS_C | ES_HAS_ZCMP},
    {"zcmt", ES_HAS_C | ES_HAS_ZCMT | ES_HAS_ZICSR},
    {"b", ES_HAS_ZBA | ES_HAS_ZBB | ES_HAS_ZBS},
    {"zba", ES_HAS_ZBA},
    {"zbb", ES_HAS_ZBB},
    {"zbs", ES_HAS_ZBS},
    {"zbc", ES_HAS_ZBC},
    {"zbkb", ES_HAS_ZBKB},
    {"zbkc", ES_HAS_ZBKC},
    {"zicond", ES_HAS_ZICOND},
    {"zicsr", ES_HAS_ZICSR},
    {"zifencei", ES_HAS_ZIFENCEI},
    {"zicntr", 0},
    {"zihpm", 0},
};

static unsigned has_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return known[i].has;
    return ES_HAS_OTHER;
}

unsigned es_rv32_extensions(const char *arch)
{
    const char *at = es_arch_extensions(arch), *name;
    unsigned has = 0;
    if (!at)
        return ES_HAS_ALL;
    for (size_t length; (length = es_arch_next(&at, &name)) > 0;)
        has |= has_of(name, length);
    return has;
}

bool es_rv32_executes(const es_isa *isa)
{
    return isa->machine == EM_RISCV;
}
