/* A small assembler for RV32I with labels, for the image's code. */
#ifndef ES_IMAGE_RV32_H
#define ES_IMAGE_RV32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What interface/image.h keeps in the registers from RV_TP on: see there. */
enum {
    RV_ZERO = 0, RV_RA = 1, RV_SP = 2, RV_T0 = 5, RV_T1 = 6, RV_T2 = 7, RV_A0 = 10, RV_A1 = 11, RV_T3 = 28, RV_T4 = 29, RV_T5 = 30, RV_T6 = 31,
    RV_TP = 4, RV_REGS = 9, RV_TOP = 18, RV_LIST = 19, RV_KNOWN = 20, RV_SENT = 21, RV_ROOM = 22, RV_NP = 24, RV_PARTS = 27,
};

/* Operations by their encoding with all operands 0. */
enum rv_op {
    RV_ADD = 0x00000033, RV_SUB = 0x40000033, RV_SLL = 0x00001033, RV_SLT = 0x00002033, RV_SLTU = 0x00003033,
    RV_XOR = 0x00004033, RV_SRL = 0x00005033, RV_SRA = 0x40005033, RV_OR = 0x00006033, RV_AND = 0x00007033,
    RV_ADDI = 0x00000013, RV_SLTI = 0x00002013, RV_SLTIU = 0x00003013, RV_XORI = 0x00004013, RV_ORI = 0x00006013,
        RV_ANDI = 0x00007013,
    RV_SLLI = 0x00001013, RV_SRLI = 0x00005013, RV_SRAI = 0x40005013,
    RV_LB = 0x00000003, RV_LH = 0x00001003, RV_LW = 0x00002003, RV_LBU = 0x00004003, RV_LHU = 0x00005003,
    RV_SB = 0x00000023, RV_SW = 0x00002023, RV_LUI = 0x00000037, RV_JAL = 0x0000006F, RV_JALR = 0x00000067,
    RV_BEQ = 0x00000063, RV_BNE = 0x00001063, RV_BLT = 0x00004063, RV_BGE = 0x00005063, RV_BLTU = 0x00006063,
        RV_BGEU = 0x00007063,
};

typedef struct rv_code {
    uint32_t *words;
    size_t count, room;
    struct rv_fixup {
        size_t at;
        unsigned label;
    } *fixups;
    size_t fixup_count, fixup_room;
    long *labels; /* word index, -1 not placed yet */
    size_t label_count, label_room;
    uint32_t base; /* where words[0] will stand */
    bool far; /* branches are written as an inverted branch around a jal, so that they reach any place */
} rv_code;

void es_rv_free(rv_code *code);
void es_rv_reset(rv_code *code); /* empties it; `base` and `far` stay */

void es_rv_r(rv_code *code, enum rv_op op, unsigned rd, unsigned rs1, unsigned rs2);
/* ALU with immediate, loads; imm -2048 to 2047 (shifts: 0 to 31) */
void es_rv_i(rv_code *code, enum rv_op op, unsigned rd, unsigned rs1, int32_t imm);
void es_rv_store(rv_code *code, enum rv_op op, unsigned rs2, unsigned rs1, int32_t imm);
void es_rv_lui(rv_code *code, unsigned rd, uint32_t value);                         /* upper 20 bits of value */
void es_rv_li(rv_code *code, unsigned rd, uint32_t value);
void es_rv_return(rv_code *code, unsigned rs1); /* jr */
void es_rv_call(rv_code *code, unsigned rd, uint32_t target); /* jal to an address */

unsigned es_rv_label(rv_code *code);
void es_rv_place(rv_code *code, unsigned label);
void es_rv_branch(rv_code *code, enum rv_op op, unsigned rs1, unsigned rs2, unsigned label);
void es_rv_jump(rv_code *code, unsigned label);
void es_rv_link(rv_code *code, unsigned rd, unsigned label); /* jal */

/* Fills in the labels. False when a branch does not reach: set `far` and generate again. */
bool es_rv_finish(rv_code *code);

static inline bool rv_fits(uint32_t value) /* as a 12-bit immediate */
{
    return value + 2048u < 4096u;
}

/* Upper part for lui such that a signed 12-bit offset reaches the value, and that offset. */
static inline uint32_t rv_high(uint32_t value)
{
    return (value + 0x800u) & 0xFFFFF000u;
}

static inline int32_t rv_low(uint32_t value)
{
    return (int32_t)(value - rv_high(value));
}

#endif
