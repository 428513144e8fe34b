/* What instructions of floating point compute with. */
#include "isa/rv32/operation.h"
#include "isa/rv32/rv32.h"

typedef struct list {
    uint8_t *registers;
    unsigned count;
    bool inside; /* floating point is in the integer registers: doubles in pairs (Zfinx, Zdinx) */
} list;

static void add_float(list *l, unsigned reg, bool wide)
{
    l->registers[l->count++] = (uint8_t)(l->inside ? reg : ES_INSN_FOREIGN + reg);
    if (l->inside && wide && reg)
        l->registers[l->count++] = (uint8_t)(reg + 1);
}

static unsigned operands(const uint8_t *bytes, size_t count, uint8_t *registers, bool inside)
{
    enum { SEPARATE = ES_HAS_ALL, INSIDE = (ES_HAS_ALL & ~(ES_HAS_F | ES_HAS_D)) | ES_HAS_ZFINX | ES_HAS_ZDINX };
    list l = {registers, 0, inside};
    if (count < 4 || (bytes[0] & 3) != 3)
        return 0;
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    es_rv32_operation it = es_rv32_operation_of(word, inside ? INSIDE : SEPARATE);
    bool wide = it.op == ES_OP_FCVT_S_D || (it.wide && it.op != ES_OP_FCVT_D_S);
    switch (it.op) {
    case ES_OP_FMADD:
    case ES_OP_FMSUB:
    case ES_OP_FNMSUB:
    case ES_OP_FNMADD:
        add_float(&l, it.rs1, wide);
        add_float(&l, it.rs2, wide);
        add_float(&l, it.rs3, wide);
        break;
    case ES_OP_FADD:
    case ES_OP_FSUB:
    case ES_OP_FMUL:
    case ES_OP_FDIV:
    case ES_OP_FSGNJ:
    case ES_OP_FSGNJN:
    case ES_OP_FSGNJX:
    case ES_OP_FMIN:
    case ES_OP_FMAX:
    case ES_OP_FEQ:
    case ES_OP_FLT:
    case ES_OP_FLE:
        add_float(&l, it.rs1, wide);
        add_float(&l, it.rs2, wide);
        break;
    case ES_OP_FSQRT:
    case ES_OP_FCLASS:
    case ES_OP_FCVT_W:
    case ES_OP_FCVT_WU:
    case ES_OP_FCVT_S_D:
    case ES_OP_FCVT_D_S:
    case ES_OP_FMV_X_W: add_float(&l, it.rs1, wide); break;
    case ES_OP_FCVT_OF_W:
    case ES_OP_FCVT_OF_WU:
    case ES_OP_FMV_W_X: registers[l.count++] = it.rs1; break;
    default: break;
    }
    return l.count;
}

unsigned es_rv32_operands(const uint8_t *bytes, size_t count, uint8_t *registers)
{
    return operands(bytes, count, registers, false);
}

unsigned es_rv32_operands_zfinx(const uint8_t *bytes, size_t count, uint8_t *registers)
{
    return operands(bytes, count, registers, true);
}
