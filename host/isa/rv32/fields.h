/* What the decoders of long and of compressed instructions share. */
#ifndef ES_ISA_RV32_FIELDS_H
#define ES_ISA_RV32_FIELDS_H

#include "isa/rv32/rv32.h"

static inline int32_t rv32_sign_extend(uint32_t value, unsigned bits)
{
    uint32_t top = 1u << (bits - 1);
    return (int32_t)((value ^ top) - top);
}

static inline uint32_t rv32_field(uint32_t word, unsigned low, unsigned bits)
{
    return word >> low & ((1u << bits) - 1);
}

/* A register for return addresses. */
static inline bool rv32_is_link(unsigned reg)
{
    return reg == RV32_RA || reg == RV32_T0;
}

/* jalr */
static inline es_insn rv32_jump_register(unsigned size, unsigned rd, unsigned rs1, int32_t imm)
{
    es_insn_kind kind = rv32_is_link(rd)    ? ES_INSN_CALL_REGISTER
                        : rv32_is_link(rs1) ? ES_INSN_RETURN
                                            : ES_INSN_JUMP_REGISTER;
    return (es_insn){.kind = kind, .size = (uint8_t)size, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = imm};
}

#endif
