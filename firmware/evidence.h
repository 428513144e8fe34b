/* Instruction words as evidence: what the target did, by what it had fetched before. */
#ifndef ES_FIRMWARE_EVIDENCE_H
#define ES_FIRMWARE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#define INSN_MRET 0x30200073u
#define INSN_RET 0x00008067u

static inline bool is_linking_jump(uint32_t insn) /* jal, jalr with rd x1 or x5 */
{
    return (insn & 0xDF7) == 0x0E7;
}

static inline bool is_return(uint32_t insn) /* jalr x0 through x1 or x5 */
{
    return insn == INSN_RET || (insn & 0xD8FFF) == 0x08067;
}

static inline bool is_jump(uint32_t insn) /* jal, jalr */
{
    return (insn & 0x77) == 0x67;
}

static inline bool is_branch(uint32_t insn)
{
    return (insn & 0x7F) == 0x63;
}

/* Where a jal or a taken branch at pc goes; 1 for anything else, which is no instruction's address. */
static inline uint32_t direct_target(uint32_t pc, uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    if ((insn & 0x7F) == 0x6F)
        return pc + ((sign << 20) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
    if (is_branch(insn))
        return pc + ((sign << 12) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
    return 1;
}

#endif
