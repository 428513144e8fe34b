#include "machine/processor.h"

#include <string.h>

#define TIMER (1u << 7)
#define MPIE (1u << 7) /* of mstatus */
#define MPP (3u << 11)
#define STANDARD_INTERRUPTS 0x888u      /* software, timer, external, of machine mode */
#define PLATFORM_INTERRUPTS 0xFFFF0000u /* a platform's own */

static const es_processor processors[ES_PROCESSORS] = {
    [ES_PROCESSOR_ANY] = {.name = "any",
                          .what = "nothing but what all processors have in common",
                          .status = MPP,
                          .status_unknown = MPIE,
                          .interrupts = STANDARD_INTERRUPTS | PLATFORM_INTERRUPTS,
                          .vector_bits = ~2u,
                          .cause_bits = UINT32_MAX,
                          .reads_enables = true},
    [ES_PROCESSOR_REFERENCE] = {.name = "reference",
                                .what = "the simulated target",
                                .status = MPP,
                                .interrupts = 0x880,
                                .vector_bits = ~3u,
                                .cause_bits = 0x8000000Fu,
                                .mode = ES_MODE_MACHINE,
                                .reads_enables = true},
    [ES_PROCESSOR_STANDARD] = {.name = "standard",
                               .what = "machine mode alone, as the privileged specification has it",
                               .status = MPP,
                               .status_unknown = MPIE,
                               .interrupts = STANDARD_INTERRUPTS | PLATFORM_INTERRUPTS,
                               .vector_bits = ~2u,
                               .cause_bits = UINT32_MAX,
                               .mode = ES_MODE_MACHINE,
                               .reads_enables = true},
    [ES_PROCESSOR_PICORV32] = {.name = "picorv32", .what = "PicoRV32 without interrupts", .vector_bits = 0},
    /* serv_csr.v: one interrupt; of mstatus one bit, of mie none can be read */
    [ES_PROCESSOR_SERV] = {.name = "serv",
                           .what = "SERV",
                           .status = 0,
                           .status_unknown = MPIE,
                           .interrupts = TIMER,
                           .vector_bits = ~3u,
                           .cause_bits = 0x8000000Fu,
                           .mode = ES_MODE_ABSENT,
                           .no_wfi = true},
    /* ibex_cs_registers.sv: a table of 64 jumps; registers of flip-flops are reset */
    [ES_PROCESSOR_IBEX] = {.name = "ibex",
                           .what = "Ibex",
                           .status = MPIE,
                           .interrupts = STANDARD_INTERRUPTS | 0x7FFF0000u,
                           .vector_bits = ~0xFFu,
                           .vector_ones = 1,
                           .cause_bits = 0x8000001Fu,
                           .mode = ES_MODE_KEPT,
                           .known_at_reset = true,
                           .user_mode = true,
                           .misaligned = true,
                           .reads_enables = true,
                           .clears_enables = true},
/* CsrPlugin, as LiteX configures it: MPP is two bits that mret clears */
#define VEXRISCV \
    .status = MPP, .interrupts = STANDARD_INTERRUPTS, .vector_bits = ~2u, .cause_bits = 0x8000000Fu, \
    .mode = ES_MODE_KEPT, .silent = true, .reads_enables = true, .clears_enables = true
    [ES_PROCESSOR_VEXRISCV] = {.name = "vexriscv", .what = "VexRiscv with mscratch, as LiteX's IMAC", VEXRISCV},
    [ES_PROCESSOR_VEXRISCV_SMALL] = {.name = "vexriscv-small",
                                     .what = "VexRiscv as LiteX's minimal, lite and standard",
                                     .no_scratch = true,
                                     VEXRISCV},
};

const es_processor *es_processor_of(enum es_processor_name name)
{
    return &processors[name < ES_PROCESSORS ? name : ES_PROCESSOR_ANY];
}

enum es_processor_name es_processor_named(const char *name)
{
    unsigned i = 0;
    while (i < ES_PROCESSORS && strcmp(processors[i].name, name) != 0)
        i++;
    return (enum es_processor_name)i;
}

const char *es_processor_names(void)
{
    return "any, reference, standard, picorv32, serv, ibex, vexriscv, vexriscv-small";
}
