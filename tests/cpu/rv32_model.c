#include "rv32_model.h"

#include <string.h>

#include "rv32c_model.h"

/* "Instruction Set Listings" of the unprivileged manual, in its order; then Zicsr, the privileged instructions, and M. */
enum {
    F3 = 0x0000707f,  /* opcode and funct3 */
    F7 = 0xfe00707f,  /* ... and funct7 */
    OPC = 0x0000007f, /* opcode */
    ALL = 0xffffffff
};

const rv32_insn rv32_table[] = {
    {"lui", OPC, 0x00000037, RV32_U, RV32_ALU, 0},
    {"auipc", OPC, 0x00000017, RV32_U, RV32_AUIPC, 0},
    {"jal", OPC, 0x0000006f, RV32_J, RV32_JAL, 0},
    {"jalr", F3, 0x00000067, RV32_I, RV32_JALR, 0},
    {"beq", F3, 0x00000063, RV32_B, RV32_BRANCH, 0},
    {"bne", F3, 0x00001063, RV32_B, RV32_BRANCH, 0},
    {"blt", F3, 0x00004063, RV32_B, RV32_BRANCH, 0},
    {"bge", F3, 0x00005063, RV32_B, RV32_BRANCH, 0},
    {"bltu", F3, 0x00006063, RV32_B, RV32_BRANCH, 0},
    {"bgeu", F3, 0x00007063, RV32_B, RV32_BRANCH, 0},
    {"lb", F3, 0x00000003, RV32_I, RV32_LOAD, 0},
    {"lh", F3, 0x00001003, RV32_I, RV32_LOAD, 0},
    {"lw", F3, 0x00002003, RV32_I, RV32_LOAD, 0},
    {"lbu", F3, 0x00004003, RV32_I, RV32_LOAD, 0},
    {"lhu", F3, 0x00005003, RV32_I, RV32_LOAD, 0},
    {"sb", F3, 0x00000023, RV32_S, RV32_STORE, 0},
    {"sh", F3, 0x00001023, RV32_S, RV32_STORE, 0},
    {"sw", F3, 0x00002023, RV32_S, RV32_STORE, 0},
    {"addi", F3, 0x00000013, RV32_I, RV32_ALU, 0},
    {"slti", F3, 0x00002013, RV32_I, RV32_ALU, 0},
    {"sltiu", F3, 0x00003013, RV32_I, RV32_ALU, 0},
    {"xori", F3, 0x00004013, RV32_I, RV32_ALU, 0},
    {"ori", F3, 0x00006013, RV32_I, RV32_ALU, 0},
    {"andi", F3, 0x00007013, RV32_I, RV32_ALU, 0},
    {"slli", F7, 0x00001013, RV32_I, RV32_SHIFT, 0},
    {"srli", F7, 0x00005013, RV32_I, RV32_SHIFT, 0},
    {"srai", F7, 0x40005013, RV32_I, RV32_SHIFT, 0},
    {"add", F7, 0x00000033, RV32_R, RV32_ALU, 0},
    {"sub", F7, 0x40000033, RV32_R, RV32_ALU, 0},
    {"sll", F7, 0x00001033, RV32_R, RV32_SHIFT, 0},
    {"slt", F7, 0x00002033, RV32_R, RV32_ALU, 0},
    {"sltu", F7, 0x00003033, RV32_R, RV32_ALU, 0},
    {"xor", F7, 0x00004033, RV32_R, RV32_ALU, 0},
    {"srl", F7, 0x00005033, RV32_R, RV32_SHIFT, 0},
    {"sra", F7, 0x40005033, RV32_R, RV32_SHIFT, 0},
    {"or", F7, 0x00006033, RV32_R, RV32_ALU, 0},
    {"and", F7, 0x00007033, RV32_R, RV32_ALU, 0},
    {"fence", F3, 0x0000000f, RV32_N, RV32_ALU, 0},
    {"fence.i", F3, 0x0000100f, RV32_N, RV32_ALU, RV32_TRAPS},
    {"ecall", ALL, 0x00000073, RV32_N, RV32_SYSTEM, 0},
    {"ebreak", ALL, 0x00100073, RV32_N, RV32_SYSTEM, 0},
    {"wfi", ALL, 0x10500073, RV32_N, RV32_WFI, 0},
    {"mret", ALL, 0x30200073, RV32_N, RV32_MRET, RV32_TRAPS},
    {"csrrw", F3, 0x00001073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"csrrs", F3, 0x00002073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"csrrc", F3, 0x00003073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"csrrwi", F3, 0x00005073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"csrrsi", F3, 0x00006073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"csrrci", F3, 0x00007073, RV32_Z, RV32_CSR, RV32_TRAPS},
    {"mul", F7, 0x02000033, RV32_R, RV32_MUL, RV32_MULDIV},
    {"mulh", F7, 0x02001033, RV32_R, RV32_MUL, RV32_MULDIV},
    {"mulhsu", F7, 0x02002033, RV32_R, RV32_MUL, RV32_MULDIV},
    {"mulhu", F7, 0x02003033, RV32_R, RV32_MUL, RV32_MULDIV},
    {"div", F7, 0x02004033, RV32_R, RV32_DIV, RV32_MULDIV},
    {"divu", F7, 0x02005033, RV32_R, RV32_DIV, RV32_MULDIV},
    {"rem", F7, 0x02006033, RV32_R, RV32_DIV, RV32_MULDIV},
    {"remu", F7, 0x02007033, RV32_R, RV32_DIV, RV32_MULDIV},
};
const size_t rv32_table_size = sizeof rv32_table / sizeof *rv32_table;

enum { MSTATUS_MIE = 1 << 3, MSTATUS_MPIE = 1 << 7 };

void rv32_reset(rv32 *m, uint32_t pc)
{
    m->pc = pc;
    m->mstatus = m->mtvec = m->mscratch = m->mepc = m->mcause = m->mie = 0;
}

const rv32_insn *rv32_find(const rv32 *m, uint32_t word)
{
    for (size_t i = 0; i < rv32_table_size; i++)
        if ((word & rv32_table[i].mask) == rv32_table[i].match)
            return rv32_table[i].needs & ~m->has ? NULL : &rv32_table[i];
    return NULL;
}

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

static uint32_t sign_extend(uint32_t value, unsigned width)
{
    return bits(value, width - 1, width - 1) ? value | ~(uint32_t)((UINT64_C(1) << width) - 1) : value;
}

static uint32_t immediate(uint32_t w, enum rv32_format format)
{
    switch (format) {
    case RV32_I: return sign_extend(bits(w, 31, 20), 12);
    case RV32_S: return sign_extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12);
    case RV32_B:
        return sign_extend(bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1,
                           13);
    case RV32_U: return bits(w, 31, 12) << 12;
    case RV32_J:
        return sign_extend(bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1,
                           21);
    default: return 0;
    }
}

/* Where a CSR's value is kept (NULL: it is a constant) and which bits a write changes. */
struct csr {
    bool exists;
    uint32_t value, *place, writable;
};

static uint32_t misa(const rv32 *m)
{
    return 1u << 30 | 1u << ('I' - 'A') | (m->has & RV32_COMPRESSED ? 1u << ('C' - 'A') : 0) |
           (m->has & RV32_MULDIV ? 1u << ('M' - 'A') : 0);
}

static struct csr find_csr(rv32 *m, uint32_t number)
{
    switch (number) {
    case 0x300: return (struct csr){true, m->mstatus | 3u << 11, &m->mstatus, MSTATUS_MIE | MSTATUS_MPIE};
    case 0x301: return (struct csr){true, misa(m), NULL, 0};
    case 0x304: return (struct csr){true, m->mie, &m->mie, RV32_MTI | RV32_MEI};
    case 0x305: return (struct csr){true, m->mtvec, &m->mtvec, ~3u};
    case 0x340: return (struct csr){true, m->mscratch, &m->mscratch, ~0u};
    case 0x341: return (struct csr){true, m->mepc, &m->mepc, m->has & RV32_COMPRESSED ? ~1u : ~3u};
    case 0x342: return (struct csr){true, m->mcause, &m->mcause, 0x8000000f};
    case 0x344: return (struct csr){true, m->mip, NULL, 0};
    case 0x310:
    case 0x343:
    case 0xf11:
    case 0xf12:
    case 0xf13:
    case 0xf14:
    case 0xf15: return (struct csr){.exists = true};
    default: return (struct csr){.exists = false};
    }
}

/* False: illegal. */
static bool csr_step(rv32 *m, uint32_t w, uint32_t rs1_value, uint32_t *old)
{
    struct csr csr = find_csr(m, bits(w, 31, 20));
    bool write = bits(w, 13, 12) == 1 || bits(w, 19, 15) != 0;
    bool read_only = bits(w, 31, 30) == 3;
    if (!csr.exists || (write && read_only))
        return false;
    uint32_t operand = bits(w, 14, 14) ? bits(w, 19, 15) : rs1_value;
    uint32_t value = operand;
    if (bits(w, 13, 12) == 2)
        value = csr.value | operand;
    else if (bits(w, 13, 12) == 3)
        value = csr.value & ~operand;
    if (write && csr.place)
        *csr.place = (*csr.place & ~csr.writable) | (value & csr.writable);
    *old = csr.value;
    return true;
}

static void enter_trap(rv32 *m, uint32_t cause)
{
    m->mepc = m->pc;
    m->mcause = cause;
    m->mstatus = m->mstatus & MSTATUS_MIE ? MSTATUS_MPIE : 0;
    m->pc = m->mtvec;
}

static void exception(rv32 *m, rv32_effect *e, uint32_t cause)
{
    e->trap = true;
    e->cause = cause;
    e->rd = e->rd_value = e->rmask = e->wmask = 0;
    e->next_pc = m->mtvec;
    e->halt = !(m->has & RV32_TRAPS) || m->mtvec == 0;
    enter_trap(m, cause);
}

uint32_t rv32_load_word(const rv32 *m, uint32_t address)
{
    const uint8_t *p = m->mem + address % RV32_MEM_SIZE / 4 * 4;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void load_store(rv32 *m, uint32_t address, rv32_effect *e)
{
    uint32_t w = e->insn->match;
    bool store = e->insn->class_ == RV32_STORE;
    unsigned size = 1u << bits(w, 13, 12);
    if (address % size) {
        exception(m, e, store ? 6 : 4);
        return;
    }
    e->mem_addr = address & ~3u;
    uint32_t mask = ((1u << size) - 1) << (address & 3);
    if (store) {
        e->wmask = mask;
        for (unsigned i = 0; i < size; i++) {
            uint8_t byte = (uint8_t)(e->rs2_value >> 8 * (m->big ? size - 1 - i : i));
            m->mem[(address + i) % RV32_MEM_SIZE] = byte;
            e->wdata |= (uint32_t)byte << 8 * ((address + i) & 3);
        }
        return;
    }
    e->rmask = mask;
    e->rdata = rv32_load_word(m, address);
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)m->mem[(address + i) % RV32_MEM_SIZE] << 8 * (m->big ? size - 1 - i : i);
    e->rd_value = bits(w, 14, 14) ? value : sign_extend(value, 8 * size);
}

static bool less_signed(uint32_t a, uint32_t b)
{
    return (int64_t)(int32_t)a < (int64_t)(int32_t)b;
}

static bool branch_taken(uint32_t funct3, uint32_t a, uint32_t b)
{
    switch (funct3) {
    case 0: return a == b;
    case 1: return a != b;
    case 4: return less_signed(a, b);
    case 5: return !less_signed(a, b);
    case 6: return a < b;
    default: return a >= b;
    }
}

static uint32_t arithmetic(uint32_t funct3, bool alternative, uint32_t a, uint32_t b)
{
    unsigned amount = b & 31;
    switch (funct3) {
    case 0: return alternative ? a - b : a + b;
    case 1: return a << amount;
    case 2: return less_signed(a, b);
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return alternative && a >> 31 ? ~(~a >> amount) : a >> amount;
    case 6: return a | b;
    default: return a & b;
    }
}

static uint32_t multiplied(uint32_t funct3, uint32_t a, uint32_t b)
{
    int64_t sa = (int32_t)a, sb = (int32_t)b;
    switch (funct3) {
    case 0: return a * b;
    case 1: return (uint32_t)(sa * sb >> 32);
    case 2: return (uint32_t)(sa * (int64_t)b >> 32);
    default: return (uint32_t)((uint64_t)a * b >> 32);
    }
}

static uint32_t divided(uint32_t funct3, uint32_t a, uint32_t b)
{
    if (b == 0)
        return funct3 & 2 ? a : ~0u;
    int64_t sa = (int32_t)a, sb = (int32_t)b;
    switch (funct3) {
    case 4: return (uint32_t)(sa / sb);
    case 5: return a / b;
    case 6: return (uint32_t)(sa % sb);
    default: return a % b;
    }
}

static void control_transfer(rv32 *m, rv32_effect *e, uint32_t target)
{
    if (target & (m->has & RV32_COMPRESSED ? 1 : 3))
        exception(m, e, 0);
    else
        e->next_pc = target;
}

/* Everything but loads and stores. */
static void execute(rv32 *m, uint32_t w, uint32_t imm, rv32_effect *e)
{
    uint32_t a = e->rs1_value, b = e->insn->format == RV32_R ? e->rs2_value : imm;
    uint32_t funct3 = bits(e->insn->match, 14, 12);
    switch (e->insn->class_) {
    case RV32_AUIPC: e->rd_value = m->pc + imm; break;
    case RV32_JAL:
        e->rd_value = e->next_pc;
        control_transfer(m, e, m->pc + imm);
        break;
    case RV32_JALR:
        e->rd_value = e->next_pc;
        control_transfer(m, e, (a + imm) & ~1u);
        break;
    case RV32_BRANCH:
        if (branch_taken(funct3, a, e->rs2_value))
            control_transfer(m, e, m->pc + imm);
        break;
    case RV32_ALU:
    case RV32_SHIFT:
        if (e->insn->format == RV32_U)
            e->rd_value = imm;
        else if (e->insn->format != RV32_N)
            e->rd_value = arithmetic(funct3, e->insn->match >> 30 & 1, a, b);
        break;
    case RV32_MUL: e->rd_value = multiplied(funct3, a, b); break;
    case RV32_DIV: e->rd_value = divided(funct3, a, b); break;
    case RV32_CSR:
        if (!csr_step(m, w, a, &e->rd_value)) {
            e->insn = NULL;
            exception(m, e, 2);
        }
        break;
    case RV32_MRET:
        e->next_pc = m->mepc;
        m->mstatus = MSTATUS_MPIE | (m->mstatus & MSTATUS_MPIE ? MSTATUS_MIE : 0);
        break;
    case RV32_SYSTEM: exception(m, e, e->insn->match == 0x73 ? 11 : 3); break;
    default: break;
    }
}

const rv32_insn *rv32_named(const char *name)
{
    for (size_t i = 0; i < rv32_table_size; i++)
        if (strcmp(name, rv32_table[i].name) == 0)
            return &rv32_table[i];
    return NULL;
}

static uint32_t decode_compressed(uint32_t half, rv32_effect *e)
{
    rv32c_operands o = rv32c_decode(half);
    e->compressed = o.insn;
    if (!o.insn)
        return 0;
    e->insn = rv32_named(o.insn->long_form);
    e->rd = o.rd;
    e->rs1 = o.rs1;
    e->rs2 = o.rs2;
    return o.imm;
}

static uint32_t decode_word(const rv32 *m, uint32_t w, rv32_effect *e)
{
    e->insn = rv32_find(m, w);
    if (!e->insn)
        return 0;
    enum rv32_format f = e->insn->format;
    bool csr_immediate = f == RV32_Z && bits(w, 14, 14);
    if (f == RV32_R || f == RV32_I || f == RV32_S || f == RV32_B || (f == RV32_Z && !csr_immediate))
        e->rs1 = bits(w, 19, 15);
    if (f == RV32_R || f == RV32_S || f == RV32_B)
        e->rs2 = bits(w, 24, 20);
    if (f == RV32_R || f == RV32_I || f == RV32_U || f == RV32_J || f == RV32_Z)
        e->rd = bits(w, 11, 7);
    return immediate(w, f);
}

uint32_t rv32_decode(const rv32 *m, uint32_t w, rv32_effect *e)
{
    memset(e, 0, sizeof *e);
    bool is_short = m->has & RV32_COMPRESSED && (w & 3) != 3;
    uint32_t imm = is_short ? decode_compressed(w & 0xffff, e) : decode_word(m, w, e);
    e->pc = m->pc;
    e->next_pc = m->pc + (is_short ? 2 : 4);
    e->rs1_value = m->x[e->rs1];
    e->rs2_value = m->x[e->rs2];
    return imm;
}

void rv32_step(rv32 *m, uint32_t w, rv32_effect *e)
{
    uint32_t imm = rv32_decode(m, w, e);
    if (!e->insn) {
        exception(m, e, 2);
        return;
    }
    if (e->insn->class_ == RV32_LOAD || e->insn->class_ == RV32_STORE)
        load_store(m, e->rs1_value + imm, e);
    else
        execute(m, w, imm, e);
    if (e->trap)
        return;
    if (e->rd)
        m->x[e->rd] = e->rd_value;
    else
        e->rd_value = 0;
    m->pc = e->next_pc;
}

bool rv32_irq(const rv32 *m)
{
    return (m->has & RV32_TRAPS) && m->mip & m->mie && m->mstatus & MSTATUS_MIE;
}

void rv32_interrupt(rv32 *m)
{
    enter_trap(m, m->mip & m->mie & RV32_MEI ? 0x8000000b : 0x80000007);
}
