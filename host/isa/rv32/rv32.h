/* RV32: registers by their numbers, and its instruction sets. */
#ifndef ES_ISA_RV32_RV32_H
#define ES_ISA_RV32_RV32_H

#include "isa/isa.h"

/* As the calling convention names them. */
enum rv32_register {
    RV32_ZERO,
    RV32_RA,
    RV32_SP,
    RV32_GP,
    RV32_TP,
    RV32_T0,
    RV32_T1,
    RV32_T2,
    RV32_S0,
    RV32_S1,
    RV32_A0,
    RV32_A1,
    RV32_A2,
    RV32_A3,
    RV32_A4,
    RV32_A5,
    RV32_A6,
    RV32_A7,
    RV32_S2,
    RV32_S3,
    RV32_S4,
    RV32_S5,
    RV32_S6,
    RV32_S7,
    RV32_S8,
    RV32_S9,
    RV32_S10,
    RV32_S11,
    RV32_T3,
    RV32_T4,
    RV32_T5,
    RV32_T6,
};

extern const es_isa es_isa_rv32;  /* all instructions of 32 bits; 16 bits are none */
extern const es_isa es_isa_rv32c; /* with the C extension, Zcb among it */
/* The same with Zcmp and Zcmt, whose instructions have the place of the loads and stores of doubles by the stack
 * pointer */
extern const es_isa es_isa_rv32c_zcm;
/* ... with floating point in the integer registers (Zfinx, Zdinx, Zhinx) */
extern const es_isa es_isa_rv32_zfinx, es_isa_rv32c_zfinx, es_isa_rv32c_zcm_zfinx;

/* What the meaning of an instruction depends on. */
enum rv32_with { RV32_WITH_ZCM = 1, RV32_WITH_ZFINX = 2 };

/* An instruction of 32 bits, and one of 16; `with`: of enum rv32_with. */
es_insn es_rv32_decode(uint32_t word, unsigned with);
es_insn es_rv32_decode_compressed(uint32_t half, unsigned with);

/* Registers' names: x0 to x31, then f0 to f31 */
enum { ES_RV32_NAMES = 64 };
extern const char *const es_rv32_names[ES_RV32_NAMES];

/* es_isa.disassemble */
void es_rv32_disassemble(char *text, size_t size, uint32_t word, uint32_t pc, const char *arch);

/* es_isa.operands */
unsigned es_rv32_operands(const uint8_t *bytes, size_t count, uint8_t *registers);
unsigned es_rv32_operands_zfinx(const uint8_t *bytes, size_t count, uint8_t *registers);

/* An instruction of 16 bits as the probe tells it (interface/rv32.def). */
uint32_t es_rv32_expand(es_insn insn);

#endif
