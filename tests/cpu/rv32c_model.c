#include "rv32c_model.h"

#include <stdlib.h>
#include <string.h>

/* Where a register's number is: the bits from there on, five of them or three (then x8 is 0); or which one it is. */
enum {
    NO = -1,
    HIGH = 7,
    LOW = 2,
    FEW_HIGH = 7 | 32,
    FEW_LOW = 2 | 32,
    ONE_OF_8 = 32,
    ZERO = 64,
    RA = 64 + 1,
    SP = 64 + 2
};

/* The tables of chapter "C" of the unprivileged manual. Immediates are written as there: which bits of the instruction,
 * and which of the immediate they are, high ones first; `-` in front: its top bit is a sign. Of several that match, the
 * first counts; those without a long form are reserved. */
static const struct {
    rv32c_insn insn;
    int rd, rs1, rs2;
    const char *imm;
} table[] = {
    {{"c.addi4spn 0", 0xffe3, 0x0000, NULL}, NO, NO, NO, ""},
    {{"c.addi4spn", 0xe003, 0x0000, "addi"}, FEW_LOW, SP, NO, "12:5=5:4|9:6|2|3"},
    {{"c.lw", 0xe003, 0x4000, "lw"}, FEW_LOW, FEW_HIGH, NO, "12:10=5:3 6:5=2|6"},
    {{"c.sw", 0xe003, 0xc000, "sw"}, NO, FEW_HIGH, FEW_LOW, "12:10=5:3 6:5=2|6"},
    {{"c.addi", 0xe003, 0x0001, "addi"}, HIGH, HIGH, NO, "-12=5 6:2=4:0"},
    {{"c.jal", 0xe003, 0x2001, "jal"}, RA, NO, NO, "-12:2=11|4|9:8|10|6|7|3:1|5"},
    {{"c.li", 0xe003, 0x4001, "addi"}, HIGH, ZERO, NO, "-12=5 6:2=4:0"},
    {{"c.lui 0", 0xf07f, 0x6001, NULL}, NO, NO, NO, ""},
    {{"c.addi16sp", 0xef83, 0x6101, "addi"}, SP, SP, NO, "-12=9 6:2=4|6|8:7|5"},
    {{"c.lui", 0xe003, 0x6001, "lui"}, HIGH, NO, NO, "-12=17 6:2=16:12"},
    {{"c.srli", 0xfc03, 0x8001, "srli"}, FEW_HIGH, FEW_HIGH, NO, "6:2=4:0"},
    {{"c.srai", 0xfc03, 0x8401, "srai"}, FEW_HIGH, FEW_HIGH, NO, "6:2=4:0"},
    {{"c.andi", 0xec03, 0x8801, "andi"}, FEW_HIGH, FEW_HIGH, NO, "-12=5 6:2=4:0"},
    {{"c.sub", 0xfc63, 0x8c01, "sub"}, FEW_HIGH, FEW_HIGH, FEW_LOW, ""},
    {{"c.xor", 0xfc63, 0x8c21, "xor"}, FEW_HIGH, FEW_HIGH, FEW_LOW, ""},
    {{"c.or", 0xfc63, 0x8c41, "or"}, FEW_HIGH, FEW_HIGH, FEW_LOW, ""},
    {{"c.and", 0xfc63, 0x8c61, "and"}, FEW_HIGH, FEW_HIGH, FEW_LOW, ""},
    {{"c.j", 0xe003, 0xa001, "jal"}, ZERO, NO, NO, "-12:2=11|4|9:8|10|6|7|3:1|5"},
    {{"c.beqz", 0xe003, 0xc001, "beq"}, NO, FEW_HIGH, ZERO, "-12:10=8|4:3 6:2=7:6|2:1|5"},
    {{"c.bnez", 0xe003, 0xe001, "bne"}, NO, FEW_HIGH, ZERO, "-12:10=8|4:3 6:2=7:6|2:1|5"},
    {{"c.slli", 0xf003, 0x0002, "slli"}, HIGH, HIGH, NO, "6:2=4:0"},
    {{"c.lwsp 0", 0xef83, 0x4002, NULL}, NO, NO, NO, ""},
    {{"c.lwsp", 0xe003, 0x4002, "lw"}, HIGH, SP, NO, "12=5 6:2=4:2|7:6"},
    {{"c.jr 0", 0xffff, 0x8002, NULL}, NO, NO, NO, ""},
    {{"c.jr", 0xf07f, 0x8002, "jalr"}, ZERO, HIGH, NO, ""},
    {{"c.mv", 0xf003, 0x8002, "add"}, HIGH, ZERO, LOW, ""},
    {{"c.ebreak", 0xffff, 0x9002, "ebreak"}, NO, NO, NO, ""},
    {{"c.jalr", 0xf07f, 0x9002, "jalr"}, RA, HIGH, NO, ""},
    {{"c.add", 0xf003, 0x9002, "add"}, HIGH, HIGH, LOW, ""},
    {{"c.swsp", 0xe003, 0xc002, "sw"}, NO, SP, LOW, "12:7=5:2|7:6"},
};
const size_t rv32c_table_size = sizeof table / sizeof *table;

const rv32c_insn *rv32c_table(size_t i)
{
    return &table[i].insn;
}

static uint32_t reg(uint32_t half, int place)
{
    if (place == NO)
        return 0;
    if (place >= ZERO)
        return (uint32_t)(place - ZERO);
    return place & ONE_OF_8 ? 8 + (half >> (place & 31) & 7) : half >> place & 31;
}

/* "12:10" or "12": its ends. */
static const char *range(const char *text, int *high, int *low)
{
    char *end;
    *high = *low = (int)strtol(text, &end, 10);
    if (*end == ':')
        *low = (int)strtol(end + 1, &end, 10);
    return end;
}

static uint32_t immediate(uint32_t half, const char *text)
{
    uint32_t value = 0;
    int from, to, high, low, sign = -1;
    bool is_signed = *text == '-';
    text += is_signed;
    while (*text) {
        text = range(text, &from, &to);
        do { /* after = or | */
            text = range(text + 1, &high, &low);
            if (is_signed && sign < 0)
                sign = high;
            for (; high >= low; high--, from--)
                value |= (half >> from & 1) << high;
        } while (*text == '|');
        if (from != to - 1)
            abort(); /* the table is wrong */
        text += *text == ' ';
    }
    return sign >= 0 && value >> sign & 1 ? value | ~0u << sign : value;
}

rv32c_operands rv32c_decode(uint32_t half)
{
    for (size_t i = 0; i < rv32c_table_size; i++)
        if ((half & table[i].insn.mask) == table[i].insn.match)
            return (rv32c_operands){table[i].insn.long_form ? &table[i].insn : NULL, reg(half, table[i].rd),
                                    reg(half, table[i].rs1), reg(half, table[i].rs2), immediate(half, table[i].imm)};
    return (rv32c_operands){.insn = NULL};
}
