/* Instruction words as evidence: what the target did, by what it had fetched before; compressed ones come expanded.
 * Nothing else in the firmware knows the target's instruction set, RV32; what it shares with hardware and host has its
 * one definition in interface/rv32.def. */
#ifndef ES_FIRMWARE_EVIDENCE_H
#define ES_FIRMWARE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "rv32_defs.h"
#include "state.h"

#define INSN_MRET ES_RV32_MRET
#define INSN_RET ES_RV32_RET

static inline bool is_linking_jump(uint32_t insn) /* jal, jalr with rd x1 or x5 */
{
    return (insn & ES_RV32_CALL_MASK) == ES_RV32_CALL_BITS;
}

static inline bool is_return(uint32_t insn) /* jalr x0 through x1 or x5 */
{
    return (insn | ES_RV32_LONG) == INSN_RET || (insn & ES_RV32_RETURN_MASK) == ES_RV32_RETURN_BITS;
}

static inline bool is_jump(uint32_t insn) /* jal, jalr */
{
    return (insn & ES_RV32_JUMP_MASK) == ES_RV32_JUMP_BITS;
}

static inline bool is_jal(uint32_t insn)
{
    return (insn & ES_RV32_OPCODE_MASK) == (ES_RV32_JAL & ES_RV32_OPCODE_MASK);
}

static inline bool is_branch(uint32_t insn)
{
    return (insn & ES_RV32_OPCODE_MASK) == (ES_RV32_BRANCH & ES_RV32_OPCODE_MASK);
}

/* A jump through a register that is neither a call nor a return. */
static inline bool is_computed_jump(uint32_t insn)
{
    return (insn & ES_RV32_OPCODE_MASK) == (ES_RV32_JALR & ES_RV32_OPCODE_MASK) && !is_linking_jump(insn) &&
           !is_return(insn);
}

/* An instruction's site is RETURN_DISTANCE before its end, so that of a call as far before its return address: its
 * address unless it is a compressed one. REG_HIT_PC of a fetch is the site of the last. */
static inline uint32_t place_of(uint32_t site, uint32_t insn)
{
    return site + ES_RV32_LONG - (insn & ES_RV32_LONG);
}

static inline uint32_t site_of(struct interruption before)
{
    return before.pc - ES_RV32_LONG + (before.insn & ES_RV32_LONG);
}

/* An address in the call of the site. */
static inline uint32_t within(uint32_t site)
{
    return site + ES_RV32_LONG;
}

/* The instruction at the address is the next one in memory. */
static inline bool follows(struct interruption before, uint32_t address)
{
    return before.insn && site_of(before) + RETURN_DISTANCE == address;
}

/* Where a jal or a taken branch at pc goes; 1 for anything else, which is no instruction's address. */
static inline uint32_t direct_target(uint32_t pc, uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    if (is_jal(insn))
        return pc + ((sign << 20) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
    if (is_branch(insn))
        return pc + ((sign << 12) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
    return 1;
}

#endif
