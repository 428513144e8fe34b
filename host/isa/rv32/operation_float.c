#include "isa/rv32/operation_float.h"

#include "isa/rv32/fields.h"

enum { SINGLE = 0, DOUBLE = 1 };

/* Of OP-FP: by funct7 without the format. `low`: what rs2 has to be, or ANY; `three`: what funct3 has to be. */
enum { ANY = 0xFF, ROUNDED = 0xFE };
static const struct {
    uint8_t funct5, rs2, funct3;
    uint8_t op;
} table[] = {
    {0x00, ANY, ROUNDED, ES_OP_FADD},   {0x01, ANY, ROUNDED, ES_OP_FSUB},    {0x02, ANY, ROUNDED, ES_OP_FMUL},
    {0x03, ANY, ROUNDED, ES_OP_FDIV},   {0x0B, 0, ROUNDED, ES_OP_FSQRT},     {0x04, ANY, 0, ES_OP_FSGNJ},
    {0x04, ANY, 1, ES_OP_FSGNJN},       {0x04, ANY, 2, ES_OP_FSGNJX},        {0x05, ANY, 0, ES_OP_FMIN},
    {0x05, ANY, 1, ES_OP_FMAX},         {0x14, ANY, 2, ES_OP_FEQ},           {0x14, ANY, 1, ES_OP_FLT},
    {0x14, ANY, 0, ES_OP_FLE},          {0x1C, 0, 1, ES_OP_FCLASS},          {0x18, 0, ROUNDED, ES_OP_FCVT_W},
    {0x18, 1, ROUNDED, ES_OP_FCVT_WU},  {0x1A, 0, ROUNDED, ES_OP_FCVT_OF_W}, {0x1A, 1, ROUNDED, ES_OP_FCVT_OF_WU},
    {0x08, 1, ROUNDED, ES_OP_FCVT_S_D}, {0x08, 0, ROUNDED, ES_OP_FCVT_D_S},  {0x1C, 0, 0, ES_OP_FMV_X_W},
    {0x1E, 0, 0, ES_OP_FMV_W_X},
};

static es_rv32_operation made(unsigned op, uint32_t word)
{
    return (es_rv32_operation){.op = (uint8_t)op,
                               .size = 4,
                               .rd = (uint8_t)rv32_field(word, 7, 5),
                               .rs1 = (uint8_t)rv32_field(word, 15, 5),
                               .rs2 = (uint8_t)rv32_field(word, 20, 5),
                               .rs3 = (uint8_t)(word >> 27),
                               .rm = (uint8_t)rv32_field(word, 12, 3),
                               .wide = rv32_field(word, 25, 2) == DOUBLE};
}

static es_rv32_operation illegal(void)
{
    return (es_rv32_operation){.op = ES_OP_ILLEGAL, .size = 4};
}

static es_rv32_operation moves(uint32_t word, bool store, unsigned has)
{
    enum { WORD = 2, PAIR = 3 };
    unsigned funct3 = rv32_field(word, 12, 3);
    es_rv32_operation it = made(store ? ES_OP_FSTORE : ES_OP_FLOAD, word);
    if (!(funct3 == WORD && has & ES_HAS_F) && !(funct3 == PAIR && has & ES_HAS_D))
        return illegal();
    it.wide = funct3 == PAIR;
    it.imm = rv32_sign_extend(store ? word >> 25 << 5 | it.rd : word >> 20, 12);
    if (store)
        it.rd = 0;
    else
        it.rs2 = 0;
    return it;
}

static unsigned op_of(uint32_t word)
{
    static const uint8_t fused[] = {ES_OP_FMADD, ES_OP_FMSUB, ES_OP_FNMSUB, ES_OP_FNMADD};
    unsigned opcode = rv32_field(word, 2, 5), rs2 = rv32_field(word, 20, 5), funct3 = rv32_field(word, 12, 3);
    if (opcode < 0x14)
        return funct3 == 5 || funct3 == 6 ? ES_OP_ILLEGAL : fused[opcode - 0x10];
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        bool rounds = table[i].funct3 == ROUNDED && funct3 != 5 && funct3 != 6;
        if (table[i].funct5 == word >> 27 && (table[i].rs2 == ANY || table[i].rs2 == rs2) &&
            (rounds || table[i].funct3 == funct3))
            return table[i].op;
    }
    return ES_OP_ILLEGAL;
}

/* Doubles in pairs of integer registers have even numbers. */
static bool odd_pair(es_rv32_operation it)
{
    bool rd = it.op != ES_OP_FEQ && it.op != ES_OP_FLT && it.op != ES_OP_FLE && it.op != ES_OP_FCLASS &&
              it.op != ES_OP_FCVT_W && it.op != ES_OP_FCVT_WU && it.op != ES_OP_FCVT_S_D;
    bool rs1 = it.op != ES_OP_FCVT_OF_W && it.op != ES_OP_FCVT_OF_WU && it.op != ES_OP_FCVT_D_S;
    bool rs2 = it.op <= ES_OP_FLE && it.op != ES_OP_FSQRT, rs3 = it.op <= ES_OP_FNMADD;
    return ((rd ? it.rd : 0) | (rs1 ? it.rs1 : 0) | (rs2 ? it.rs2 : 0) | (rs3 ? it.rs3 : 0)) & 1;
}

es_rv32_operation es_rv32_float_operation(uint32_t word, unsigned extensions)
{
    unsigned opcode = rv32_field(word, 2, 5), format = rv32_field(word, 25, 2);
    bool inside = extensions & ES_HAS_ZFINX;
    if (opcode == 0x01 || opcode == 0x09)
        return moves(word, opcode == 0x09, extensions);
    es_rv32_operation it = made(op_of(word), word);
    bool moves_bits = it.op == ES_OP_FMV_X_W || it.op == ES_OP_FMV_W_X;
    bool converts = it.op == ES_OP_FCVT_S_D || it.op == ES_OP_FCVT_D_S;
    bool is_double = it.wide || converts;
    bool there = extensions & (is_double ? ES_HAS_D | ES_HAS_ZDINX : ES_HAS_F | ES_HAS_ZFINX);
    if (!there || format > DOUBLE || (moves_bits && (inside || it.wide)) ||
        (converts && it.wide != (it.op == ES_OP_FCVT_D_S)) || (inside && is_double && odd_pair(it)))
        return illegal();
    if (opcode == 0x14)
        it.rs3 = 0;
    return it;
}
