/* RV32IMC for the tests of es_cpu: one instruction at a time, decoded by the ISA manual's listing (mask and match).
 * Slow, plain, and built unlike the core, so that a mistake is not made twice.
 */
#ifndef RV32_MODEL_H
#define RV32_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RV32_MEM_SIZE = 0x10000 }; /* data memory; addresses are taken modulo its size */

enum { RV32_MTI = 1 << 7, RV32_MEI = 1 << 11 }; /* interrupts, bits of mie and mip; MEI goes first */

/* Classes of interface/cpu_cycles.def that an instruction can have. */
enum rv32_class {
    RV32_ALU,
    RV32_SHIFT,
    RV32_AUIPC,
    RV32_LOAD,
    RV32_STORE,
    RV32_BRANCH,
    RV32_JAL,
    RV32_JALR,
    RV32_WFI,
    RV32_CSR,
    RV32_MRET,
    RV32_MUL,
    RV32_DIV,
    RV32_SYSTEM, /* ecall, ebreak: always exceptions */
    RV32_CLASSES
};

enum rv32_format { RV32_R, RV32_I, RV32_S, RV32_B, RV32_U, RV32_J, RV32_Z /* CSR */, RV32_N /* no operands */ };

/* What a core may lack: its parameters of the same names. */
enum { RV32_TRAPS = 1, RV32_COMPRESSED = 2, RV32_MULDIV = 4 };

typedef struct rv32_insn {
    const char *name;
    uint32_t mask, match;
    enum rv32_format format;
    enum rv32_class class_;
    unsigned needs; /* of a core's abilities: exists with these alone */
} rv32_insn;

extern const rv32_insn rv32_table[];
extern const size_t rv32_table_size;

typedef struct rv32 {
    uint32_t x[32], pc;
    unsigned has; /* RV32_TRAPS, ... */
    bool big;     /* loads and stores have the most significant byte first */
    uint32_t mstatus, mtvec, mscratch, mepc, mcause, mie;
    uint32_t mip; /* RV32_MTI, RV32_MEI: set by the caller */
    uint8_t mem[RV32_MEM_SIZE];
} rv32;

/* What one instruction did. Masks and memory data are in byte lanes. */
typedef struct rv32_effect {
    const rv32_insn *insn;               /* NULL: illegal */
    const struct rv32c_insn *compressed; /* its short form; NULL: it has 32 bits, or is illegal */
    bool trap, halt;
    uint32_t cause;
    uint32_t pc, next_pc;
    uint32_t rs1, rs2, rd; /* register numbers, 0: none */
    uint32_t rs1_value, rs2_value, rd_value;
    uint32_t mem_addr; /* word aligned */
    uint32_t rmask, wmask, rdata, wdata;
} rv32_effect;

/* Reset: registers and memory keep their values. */
void rv32_reset(rv32 *m, uint32_t pc);

const rv32_insn *rv32_find(const rv32 *m, uint32_t word);

/* The one of that name; NULL: none. */
const rv32_insn *rv32_named(const char *name);

/* What `word` is as the instruction at m->pc, without executing it; returns its immediate. */
uint32_t rv32_decode(const rv32 *m, uint32_t word, rv32_effect *effect);

/* Executes `word` as the instruction at m->pc. With an exception and TRAPS=0 or mtvec 0, effect->halt is set. */
void rv32_step(rv32 *m, uint32_t word, rv32_effect *effect);

/* True when an interrupt is to be taken now. */
bool rv32_irq(const rv32 *m);

/* Takes it. */
void rv32_interrupt(rv32 *m);

uint32_t rv32_load_word(const rv32 *m, uint32_t address);

#ifdef __cplusplus
}
#endif
#endif
