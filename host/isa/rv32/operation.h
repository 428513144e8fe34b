/* What one instruction of RV32 does, exactly: for who executes it. Analyses of code look at es_insn (isa/insn.h). */
#ifndef ES_ISA_RV32_OPERATION_H
#define ES_ISA_RV32_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

/* clang-format off */

/* rd = function of rs1 and rs2, or of rs1 and imm (`immediate`). Some look at rs1 only. */
#define ES_OP_COMPUTES(X) \
    X(ADD) X(SUB) X(SLL) X(SLT) X(SLTU) X(XOR) X(SRL) X(SRA) X(OR) X(AND) \
    X(MUL) X(MULH) X(MULHSU) X(MULHU) X(DIV) X(DIVU) X(REM) X(REMU) \
    X(SH1ADD) X(SH2ADD) X(SH3ADD) \
    X(ANDN) X(ORN) X(XNOR) X(CLZ) X(CTZ) X(CPOP) X(MAX) X(MAXU) X(MIN) X(MINU) X(SEXT_B) X(SEXT_H) X(ZEXT_H) \
    X(ROL) X(ROR) X(ORC_B) X(REV8) \
    X(BCLR) X(BEXT) X(BINV) X(BSET) \
    X(CLMUL) X(CLMULH) X(CLMULR) \
    X(CZERO_EQZ) X(CZERO_NEZ) X(PACK) X(PACKH) X(BREV8) X(ZIP) X(UNZIP)

/* To the instruction's address + imm if rs1 and rs2 are so. */
#define ES_OP_BRANCHES(X) X(BEQ) X(BNE) X(BLT) X(BGE) X(BLTU) X(BGEU)

/* rd = memory at rs1 + imm; memory at rs1 + imm = rs2. */
#define ES_OP_LOADS(X) X(LB) X(LH) X(LW) X(LBU) X(LHU)
#define ES_OP_STORES(X) X(SB) X(SH) X(SW)

/* rd = memory at rs1, which becomes a function of itself and rs2. */
#define ES_OP_ATOMICS(X) \
    X(AMOSWAP) X(AMOADD) X(AMOXOR) X(AMOAND) X(AMOOR) X(AMOMIN) X(AMOMAX) X(AMOMINU) X(AMOMAXU)

/* Floating point, of singles or of doubles (`wide`). CVT_W is to an integer, CVT_OF_W from one; S_D from a double. */
#define ES_OP_FLOATS(X) \
    X(FMADD) X(FMSUB) X(FNMSUB) X(FNMADD) X(FADD) X(FSUB) X(FMUL) X(FDIV) X(FSQRT) \
    X(FSGNJ) X(FSGNJN) X(FSGNJX) X(FMIN) X(FMAX) X(FEQ) X(FLT) X(FLE) X(FCLASS) \
    X(FCVT_W) X(FCVT_WU) X(FCVT_OF_W) X(FCVT_OF_WU) X(FCVT_S_D) X(FCVT_D_S) X(FMV_X_W) X(FMV_W_X)

enum es_rv32_op {
    ES_OP_ILLEGAL,
    ES_OP_CONSTANT, /* rd = imm */
    ES_OP_ADDRESS,  /* rd = the instruction's address + imm */
#define X(name) ES_OP_##name,
    ES_OP_COMPUTES(X) ES_OP_BRANCHES(X) ES_OP_LOADS(X) ES_OP_STORES(X) ES_OP_ATOMICS(X)
#undef X
    ES_OP_FLOAD,  /* f[rd] = memory at rs1 + imm */
    ES_OP_FSTORE, /* memory at rs1 + imm = f[rs2] */
#define X(name) ES_OP_##name,
    ES_OP_FLOATS(X)
#undef X
    /* Several at once (Zcmp): the registers of `list` (es_rv32_listed), the last one highest, below sp; `imm`: by
     * how much sp moves */
    ES_OP_CM_PUSH,    /* they are stored below sp; sp -= imm */
    ES_OP_CM_POP,     /* they are loaded from below sp + imm; sp += imm */
    ES_OP_CM_POPRETZ, /* ... and a0 = 0; returns */
    ES_OP_CM_POPRET,
    ES_OP_CM_MVSA01, /* rs1 = a0, rs2 = a1 */
    ES_OP_CM_MVA01S, /* a0 = rs1, a1 = rs2 */
    ES_OP_CM_JT,     /* to what word imm of jvt's table says; rd = next */
    ES_OP_JAL,  /* rd = next; to the instruction's address + imm */
    ES_OP_JALR, /* rd = next; to (rs1 + imm) & ~1 */
    ES_OP_LR,
    ES_OP_SC,
    ES_OP_CSR_WRITE, /* rd = control register imm; it = rs1, or the number `rs1` (`immediate`) */
    ES_OP_CSR_SET,   /* ... gets the bits of it; rs1 0: is not written */
    ES_OP_CSR_CLEAR,
    ES_OP_FENCE,
    ES_OP_FENCE_I,
    ES_OP_ECALL,
    ES_OP_EBREAK,
    ES_OP_MRET,
    ES_OP_WFI,
    ES_OPS
};
/* clang-format on */

typedef struct es_rv32_operation {
    uint8_t op; /* enum es_rv32_op */
    uint8_t size;
    uint8_t rd, rs1, rs2;
    union {
        uint8_t rs3;  /* of floating point */
        uint8_t list; /* of Zcmp: as encoded, 4 to 15 */
    };
    uint8_t rm; /* ...: how it is rounded, as encoded; 7: as frm says */
    bool wide;  /* ...: of doubles */
    bool immediate;
    int32_t imm;
} es_rv32_operation;

/* What a processor has besides RV32I. */
enum es_rv32_extension {
    ES_HAS_M = 1 << 0,
    ES_HAS_DIVISION = 1 << 1, /* M has both, Zmmul the first alone */
    ES_HAS_C = 1 << 2,
    ES_HAS_ZICSR = 1 << 3,
    ES_HAS_ZIFENCEI = 1 << 4,
    ES_HAS_AMO = 1 << 5,
    ES_HAS_LRSC = 1 << 6,
    ES_HAS_ZBA = 1 << 7,
    ES_HAS_ZBB = 1 << 8,
    ES_HAS_ZBS = 1 << 9,
    ES_HAS_ZBC = 1 << 10,
    ES_HAS_ZBKB = 1 << 11,
    ES_HAS_ZBKC = 1 << 12,
    ES_HAS_ZICOND = 1 << 13,
    ES_HAS_ZCB = 1 << 14,
    ES_HAS_F = 1 << 15,
    ES_HAS_D = 1 << 16,
    ES_HAS_ZCF = 1 << 17, /* if F; C has it */
    ES_HAS_ZCD = 1 << 18, /* if D */
    ES_HAS_ALL = (1 << 19) - 1,
    ES_HAS_ZFINX = 1 << 19, /* floating point in the integer registers */
    ES_HAS_ZDINX = 1 << 20,
    ES_HAS_E = 1 << 21,     /* 16 registers only */
    ES_HAS_OTHER = 1 << 22, /* extensions that are not known here */
    ES_HAS_ZCMP = 1 << 23,
    ES_HAS_ZCMT = 1 << 24,
};

/* As enum es_rv32_extension, from what compilers write ("rv32imc_zicsr"); NULL: all that are known here. */
unsigned es_rv32_extensions(const char *arch);

/* Whether a program's instructions are those that are described here. */
bool es_rv32_executes(const es_isa *isa);

/* The instruction that begins with these four bytes; of 16 bits, the upper half does not matter. `extensions`: what the
 * processor has; what it has not is ES_OP_ILLEGAL. */
es_rv32_operation es_rv32_operation_of(uint32_t word, unsigned extensions);

/* Whether a list of Zcmp's has the register: ra, and so many of s0 to s11 as it says. */
bool es_rv32_listed(unsigned list, unsigned reg);

/* Control registers by their numbers. */
enum es_rv32_control {
    ES_CSR_FFLAGS = 0x001,
    ES_CSR_FRM = 0x002,
    ES_CSR_FCSR = 0x003,
    ES_CSR_JVT = 0x017, /* where Zcmt's table is: all but the lowest six bits, which are 0 */
    ES_CSR_MSTATUS = 0x300,
    ES_CSR_MISA = 0x301,
    ES_CSR_MIE = 0x304,
    ES_CSR_MTVEC = 0x305,
    ES_CSR_MCOUNTEREN = 0x306,
    ES_CSR_MSTATUSH = 0x310,
    ES_CSR_MCOUNTINHIBIT = 0x320,
    ES_CSR_MHPMEVENT3 = 0x323,
    ES_CSR_MHPMEVENT31 = 0x33F,
    ES_CSR_MSCRATCH = 0x340,
    ES_CSR_MEPC = 0x341,
    ES_CSR_MCAUSE = 0x342,
    ES_CSR_MTVAL = 0x343,
    ES_CSR_MIP = 0x344,
    ES_CSR_PMPCFG0 = 0x3A0,
    ES_CSR_PMPADDR63 = 0x3EF,
    ES_CSR_TSELECT = 0x7A0,
    ES_CSR_MCYCLE = 0xB00,
    ES_CSR_MINSTRET = 0xB02,
    ES_CSR_MHPMCOUNTER31 = 0xB1F,
    ES_CSR_CYCLE = 0xC00,
    ES_CSR_HPMCOUNTER31 = 0xC1F,
    ES_CSR_UPPER = 0x80, /* of a counter: the upper half's number is so much higher */
    ES_CSR_MVENDORID = 0xF11,
    ES_CSR_MCONFIGPTR = 0xF15,
};

/* It changes by itself: counters, and which interrupts are pending. */
bool es_rv32_control_is_volatile(unsigned number);

#endif
