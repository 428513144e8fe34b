/* RV32I and C instructions, as far as control flow and address arithmetic need them. */
#ifndef ES_SYMBOLS_DECODE_H
#define ES_SYMBOLS_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum symbols_op {
    SYMBOLS_OP_OTHER,  /* writes rd (0: nothing) in a way that is not followed */
    SYMBOLS_OP_LUI,    /* rd = imm */
    SYMBOLS_OP_AUIPC,  /* rd = pc + imm */
    SYMBOLS_OP_ADDI,   /* rd = rs1 + imm */
    SYMBOLS_OP_ADD,    /* rd = rs1 + rs2 */
    SYMBOLS_OP_SUB,    /* rd = rs1 - rs2 */
    SYMBOLS_OP_JAL,    /* rd = next; to pc + imm */
    SYMBOLS_OP_JALR,   /* rd = next; to rs1 + imm */
    SYMBOLS_OP_BRANCH, /* perhaps to pc + imm */
    SYMBOLS_OP_STORE,  /* rs2 to rs1 + imm. size 0: somewhere, or no known instruction; writes rd. Compressed: OTHER */
    SYMBOLS_OP_CSR,    /* rd = control and status register imm & 0xFFF, which writes says is changed */
    SYMBOLS_OP_TRAP,   /* ecall, ebreak, wfi, returns from traps but mret */
    SYMBOLS_OP_MRET,
    SYMBOLS_OP_ILLEGAL, /* no instruction: execution never goes on here */
};

typedef struct symbols_insn {
    enum symbols_op op;
    uint8_t length; /* bytes: 2 or 4 */
    uint8_t rd, rs1, rs2;
    int32_t imm;
    uint8_t size; /* STORE: bytes written; 0: not known */
    bool writes;  /* CSR */
} symbols_insn;

/* word: 32 bits from the instruction's address on (the upper half does not matter for a compressed one). */
symbols_insn es_symbols_decode(uint32_t word);

#endif
