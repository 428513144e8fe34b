/* Instructions as assemblers write them: without aliases, but for `li` and `nop`; those of 16 bits as the ones of 32
 * that they stand for. What acquire, release and rounding modes they have is left out. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/rv32/operation.h"
#include "isa/rv32/rv32.h"

enum form {
    NONE,
    COMPUTE,
    ONE, /* operand: rd, rs1 */
    BRANCH,
    LOAD,
    STORE,
    ATOMIC,
    FLOAT,      /* f, f, f */
    FLOAT_ONE,  /* f, f */
    FLOAT_FOUR, /* f, f, f, f */
    COMPARE,    /* x, f, f */
    TO_INTEGER, /* x, f */
    OF_INTEGER, /* f, x */
};

static const struct {
    const char *name;
    enum form form;
} known[ES_OPS] = {
#define X(op) [ES_OP_##op] = {#op, COMPUTE},
    ES_OP_COMPUTES(X)
#undef X
#define X(op) [ES_OP_##op] = {#op, BRANCH},
        ES_OP_BRANCHES(X)
#undef X
#define X(op) [ES_OP_##op] = {#op, LOAD},
            ES_OP_LOADS(X)
#undef X
#define X(op) [ES_OP_##op] = {#op, STORE},
                ES_OP_STORES(X)
#undef X
#define X(op) [ES_OP_##op] = {#op ".w", ATOMIC},
                    ES_OP_ATOMICS(X)
#undef X
                        [ES_OP_FMADD] = {"fmadd.", FLOAT_FOUR},
    [ES_OP_FMSUB] = {"fmsub.", FLOAT_FOUR},
    [ES_OP_FNMSUB] = {"fnmsub.", FLOAT_FOUR},
    [ES_OP_FNMADD] = {"fnmadd.", FLOAT_FOUR},
    [ES_OP_FADD] = {"fadd.", FLOAT},
    [ES_OP_FSUB] = {"fsub.", FLOAT},
    [ES_OP_FMUL] = {"fmul.", FLOAT},
    [ES_OP_FDIV] = {"fdiv.", FLOAT},
    [ES_OP_FSQRT] = {"fsqrt.", FLOAT_ONE},
    [ES_OP_FSGNJ] = {"fsgnj.", FLOAT},
    [ES_OP_FSGNJN] = {"fsgnjn.", FLOAT},
    [ES_OP_FSGNJX] = {"fsgnjx.", FLOAT},
    [ES_OP_FMIN] = {"fmin.", FLOAT},
    [ES_OP_FMAX] = {"fmax.", FLOAT},
    [ES_OP_FEQ] = {"feq.", COMPARE},
    [ES_OP_FLT] = {"flt.", COMPARE},
    [ES_OP_FLE] = {"fle.", COMPARE},
    [ES_OP_FCLASS] = {"fclass.", TO_INTEGER},
    [ES_OP_FCVT_W] = {"fcvt.w.", TO_INTEGER},
    [ES_OP_FCVT_WU] = {"fcvt.wu.", TO_INTEGER},
    [ES_OP_FCVT_OF_W] = {"fcvt.?.w", OF_INTEGER},
    [ES_OP_FCVT_OF_WU] = {"fcvt.?.wu", OF_INTEGER},
    [ES_OP_FCVT_S_D] = {"fcvt.s.d", FLOAT_ONE},
    [ES_OP_FCVT_D_S] = {"fcvt.d.s", FLOAT_ONE},
    [ES_OP_FMV_X_W] = {"fmv.x.w", TO_INTEGER},
    [ES_OP_FMV_W_X] = {"fmv.w.x", OF_INTEGER},
    [ES_OP_FENCE] = {"fence", NONE},
    [ES_OP_FENCE_I] = {"fence.i", NONE},
    [ES_OP_ECALL] = {"ecall", NONE},
    [ES_OP_EBREAK] = {"ebreak", NONE},
    [ES_OP_MRET] = {"mret", NONE},
    [ES_OP_WFI] = {"wfi", NONE},
    [ES_OP_CM_PUSH] = {"cm.push", NONE},
    [ES_OP_CM_POP] = {"cm.pop", NONE},
    [ES_OP_CM_POPRETZ] = {"cm.popretz", NONE},
    [ES_OP_CM_POPRET] = {"cm.popret", NONE},
    [ES_OP_CM_MVSA01] = {"cm.mvsa01", NONE},
    [ES_OP_CM_MVA01S] = {"cm.mva01s", NONE},
    [ES_OP_CM_JT] = {"cm.jt", NONE},
};

/* A text of at most so many characters. */
typedef struct words {
    char *text;
    size_t size, length;
} words;

__attribute__((format(printf, 2, 3))) static void put(words *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(out->text + out->length, out->size - out->length, format, args);
    va_end(args);
    size_t left = out->size - 1 - out->length;
    out->length += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left;
}

static const char *x(unsigned reg)
{
    return es_rv32_names[reg];
}

static const char *f(unsigned reg)
{
    return es_rv32_names[32 + reg];
}

/* "SEXT_B" is sext.b; a ? is the format of the number, which stands at the end where a name ends with a point. */
static void put_name(words *out, const char *name, bool wide, bool immediate)
{
    size_t length = strlen(name);
    bool shift = immediate && length > 1 && strncmp(name, "SLTU", 4) == 0; /* sltiu */
    for (size_t i = 0; i < length - shift; i++) {
        char c = name[i];
        c = c == '_' ? '.' : c == '?' ? (wide ? 'd' : 's') : c;
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        put(out, "%c", c);
    }
    if (name[length - 1] == '.')
        put(out, "%s", wide ? "d" : "s");
    if (immediate)
        put(out, "%s", shift ? "iu" : "i");
    put(out, " ");
}

static bool has_one_operand(unsigned op)
{
    static const uint8_t ones[] = {ES_OP_CLZ,   ES_OP_CTZ,  ES_OP_CPOP,  ES_OP_SEXT_B, ES_OP_SEXT_H, ES_OP_ZEXT_H,
                                   ES_OP_ORC_B, ES_OP_REV8, ES_OP_BREV8, ES_OP_ZIP,    ES_OP_UNZIP};
    return memchr(ones, (int)op, sizeof ones) != NULL;
}

static void put_operands(words *out, const es_rv32_operation *it, enum form form, uint32_t pc)
{
    switch (form) {
    case COMPUTE:
        if (it->immediate)
            put(out, "%s,%s,%" PRId32, x(it->rd), x(it->rs1), it->imm);
        else
            put(out, "%s,%s,%s", x(it->rd), x(it->rs1), x(it->rs2));
        return;
    case ONE: put(out, "%s,%s", x(it->rd), x(it->rs1)); return;
    case BRANCH: put(out, "%s,%s,0x%" PRIx32, x(it->rs1), x(it->rs2), pc + (uint32_t)it->imm); return;
    case LOAD: put(out, "%s,%" PRId32 "(%s)", x(it->rd), it->imm, x(it->rs1)); return;
    case STORE: put(out, "%s,%" PRId32 "(%s)", x(it->rs2), it->imm, x(it->rs1)); return;
    case ATOMIC: put(out, "%s,%s,(%s)", x(it->rd), x(it->rs2), x(it->rs1)); return;
    case FLOAT: put(out, "%s,%s,%s", f(it->rd), f(it->rs1), f(it->rs2)); return;
    case FLOAT_ONE: put(out, "%s,%s", f(it->rd), f(it->rs1)); return;
    case FLOAT_FOUR: put(out, "%s,%s,%s,%s", f(it->rd), f(it->rs1), f(it->rs2), f(it->rs3)); return;
    case COMPARE: put(out, "%s,%s,%s", x(it->rd), f(it->rs1), f(it->rs2)); return;
    case TO_INTEGER: put(out, "%s,%s", x(it->rd), f(it->rs1)); return;
    case OF_INTEGER: put(out, "%s,%s", f(it->rd), x(it->rs1)); return;
    default: return;
    }
}

/* Those that are written in a way of their own. */
static bool put_other(words *out, const es_rv32_operation *it, uint32_t pc)
{
    static const char *const controls[] = {"csrrw", "csrrs", "csrrc"};
    uint32_t upper = (uint32_t)it->imm >> 12;
    switch (it->op) {
    case ES_OP_CONSTANT:
        if (it->imm & 0xFFF)
            put(out, "li %s,%" PRId32, x(it->rd), it->imm);
        else
            put(out, "lui %s,0x%" PRIx32, x(it->rd), upper);
        return true;
    case ES_OP_ADDRESS: put(out, "auipc %s,0x%" PRIx32, x(it->rd), upper); return true;
    case ES_OP_JAL: put(out, "jal %s,0x%" PRIx32, x(it->rd), pc + (uint32_t)it->imm); return true;
    case ES_OP_JALR: put(out, "jalr %s,%" PRId32 "(%s)", x(it->rd), it->imm, x(it->rs1)); return true;
    case ES_OP_LR: put(out, "lr.w %s,(%s)", x(it->rd), x(it->rs1)); return true;
    case ES_OP_SC: put(out, "sc.w %s,%s,(%s)", x(it->rd), x(it->rs2), x(it->rs1)); return true;
    case ES_OP_FLOAD:
        put(out, "%s %s,%" PRId32 "(%s)", it->wide ? "fld" : "flw", f(it->rd), it->imm, x(it->rs1));
        return true;
    case ES_OP_FSTORE:
        put(out, "%s %s,%" PRId32 "(%s)", it->wide ? "fsd" : "fsw", f(it->rs2), it->imm, x(it->rs1));
        return true;
    case ES_OP_CSR_WRITE:
    case ES_OP_CSR_SET:
    case ES_OP_CSR_CLEAR:
        put(out, "%s%s %s,0x%" PRIx32 ",", controls[it->op - ES_OP_CSR_WRITE], it->immediate ? "i" : "", x(it->rd),
            (uint32_t)it->imm);
        if (it->immediate)
            put(out, "%u", it->rs1);
        else
            put(out, "%s", x(it->rs1));
        return true;
    default: return false;
    }
}

void es_rv32_disassemble(char *text, size_t size, uint32_t word, uint32_t pc, const char *arch)
{
    es_rv32_operation it = es_rv32_operation_of(word, es_rv32_extensions(arch));
    enum form form = known[it.op].form;
    words out = {text, size, 0};
    *text = 0;
    if (put_other(&out, &it, pc) || !known[it.op].name)
        return;
    if (form == COMPUTE && has_one_operand(it.op))
        form = ONE;
    if (form == COMPUTE && it.immediate && it.op == ES_OP_ADD && !it.rd && !it.rs1 && !it.imm) {
        put(&out, "nop");
        return;
    }
    put_name(&out, known[it.op].name, it.wide, form == COMPUTE && it.immediate);
    put_operands(&out, &it, form, pc);
    if (text[out.length - 1] == ' ')
        text[out.length - 1] = 0;
}
