/* Compressed instructions for the tests of es_cpu, by the tables of the unprivileged manual. */
#ifndef RV32C_MODEL_H
#define RV32C_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rv32c_insn {
    const char *name;
    uint32_t mask, match;
    const char *long_form; /* the instruction of 32 bits that does the same; NULL: reserved */
} rv32c_insn;

extern const size_t rv32c_table_size;
const rv32c_insn *rv32c_table(size_t i);

typedef struct rv32c_operands {
    const rv32c_insn *insn; /* NULL: illegal */
    uint32_t rd, rs1, rs2;  /* 0 where it has none */
    uint32_t imm;
} rv32c_operands;

/* half: 16 bits, the lowest two of which are not both set. */
rv32c_operands rv32c_decode(uint32_t half);

#ifdef __cplusplus
}
#endif
#endif
