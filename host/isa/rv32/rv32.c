/* The tables of RV32: roles of registers by its calling convention (RISC-V ELF psABI, ilp32), and how files name it. */
#include "isa/rv32/rv32.h"

#include <elf.h>

#include "isa/arch.h"
#include "rv32_defs.h"

#define BIT(reg) (UINT32_C(1) << (reg))
#define BITS(first, last) ((UINT32_C(2) << (last)) - BIT(first))
#define SAVED (BIT(RV32_S0) | BIT(RV32_S1) | BITS(RV32_S2, RV32_S11))

/* Saved registers of floating point, by the convention of programs that pass numbers in them: fs0 to fs11. */
#define FOREIGN_SAVED (BITS(8, 9) | BITS(18, 27))

static es_insn decode_long(const uint8_t *bytes, size_t count, unsigned with)
{
    if (count < 4)
        return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 4};
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return (word & 3) == 3 ? es_rv32_decode(word, with) : (es_insn){.kind = ES_INSN_ILLEGAL, .size = 4};
}

static es_insn decode_any(const uint8_t *bytes, size_t count, unsigned with)
{
    return (bytes[0] & 3) == 3 ? decode_long(bytes, count, with)
                               : es_rv32_decode_compressed(bytes[0] | (uint32_t)bytes[1] << 8, with);
}

static es_insn decode(const uint8_t *bytes, size_t count)
{
    return decode_long(bytes, count, 0);
}

static es_insn decode_zfinx(const uint8_t *bytes, size_t count)
{
    return decode_long(bytes, count, RV32_WITH_ZFINX);
}

static es_insn decode_c(const uint8_t *bytes, size_t count)
{
    return decode_any(bytes, count, 0);
}

static es_insn decode_c_zfinx(const uint8_t *bytes, size_t count)
{
    return decode_any(bytes, count, RV32_WITH_ZFINX);
}

static bool is_zfinx(const char *arch)
{
    return es_arch_names(arch, "zfinx") || es_arch_names(arch, "zdinx") || es_arch_names(arch, "zhinx") ||
           es_arch_names(arch, "zhinxmin");
}

/* With doubles, their loads and stores have the place: no processor has both. */
static bool is_zcm(const char *arch)
{
    return es_arch_names(arch, "zcmp") || es_arch_names(arch, "zcmt");
}

static bool is_zcm_zfinx(const char *arch)
{
    return is_zcm(arch) && is_zfinx(arch);
}

static es_insn decode_zcm(const uint8_t *bytes, size_t count)
{
    return decode_any(bytes, count, RV32_WITH_ZCM);
}

static es_insn decode_zcm_zfinx(const uint8_t *bytes, size_t count)
{
    return decode_any(bytes, count, RV32_WITH_ZCM | RV32_WITH_ZFINX);
}

#define COMMON \
    .executable = "32-bit RISC-V executable", .family = "RISC-V", .options = "-march=rv32i -mabi=ilp32", \
    .machine = EM_RISCV, .flags_mask = EF_RISCV_RVC, \
    .attributes = {.section = SHT_RISCV_ATTRIBUTES, .vendor = "riscv", .tag = 5}, .largest = 4, .registers = 32, \
    .names = es_rv32_names, .name_count = ES_RV32_NAMES, .foreign = 32, .foreign_saved = FOREIGN_SAVED, \
    .stack = RV32_SP, .frame = RV32_S0, .data = RV32_GP, .data_symbol = "__global_pointer$", .link = RV32_RA, \
    .helper_link = RV32_T0, .epilogue = "__riscv_restore_", .argument = RV32_A0, .arguments = 8, .results = 2, \
    .interrupted = 0x341, .disassemble = es_rv32_disassemble, .saved = SAVED, \
    .kept = SAVED | BITS(RV32_SP, RV32_TP) | BIT(RV32_ZERO), \
    .evidence = { \
        .call_mask = ES_RV32_CALL_MASK, \
        .call_bits = ES_RV32_CALL_BITS, \
        .a_return = ES_RV32_RET, \
        .return_varies = ES_RV32_RET_VARIES, \
        .trap_return = ES_RV32_MRET, \
        .size_bit = ES_RV32_LONG, \
    }

#define COMPRESSED .flags = EF_RISCV_RVC, .smallest = 2, .expand = es_rv32_expand

const es_isa es_isa_rv32 = {
    .name = "RV32I", COMMON, .flags = 0, .smallest = 4, .operands = es_rv32_operands, .decode = decode};
const es_isa es_isa_rv32_zfinx = {.name = "RV32I with Zfinx",
                                  COMMON,
                                  .flags = 0,
                                  .smallest = 4,
                                  .operands = es_rv32_operands_zfinx,
                                  .decode = decode_zfinx,
                                  .is_for = is_zfinx};
const es_isa es_isa_rv32c = {.name = "RV32IC", COMMON, COMPRESSED, .operands = es_rv32_operands, .decode = decode_c};
const es_isa es_isa_rv32c_zfinx = {.name = "RV32IC with Zfinx",
                                   COMMON,
                                   COMPRESSED,
                                   .operands = es_rv32_operands_zfinx,
                                   .decode = decode_c_zfinx,
                                   .is_for = is_zfinx};
const es_isa es_isa_rv32c_zcm = {.name = "RV32IC with Zcmp, Zcmt",
                                 COMMON,
                                 COMPRESSED,
                                 .operands = es_rv32_operands,
                                 .decode = decode_zcm,
                                 .is_for = is_zcm,
                                 .untold = "Zcmp and Zcmt"};
const es_isa es_isa_rv32c_zcm_zfinx = {.name = "RV32IC with Zcmp, Zcmt, Zfinx",
                                       COMMON,
                                       COMPRESSED,
                                       .operands = es_rv32_operands_zfinx,
                                       .decode = decode_zcm_zfinx,
                                       .is_for = is_zcm_zfinx,
                                       .untold = "Zcmp and Zcmt"};
