#include "check/firmware/live.h"

#include <stdbool.h>
#include <string.h>

#define ALL_REGS 0xFFFFFFFFu
#define ALL_WORDS UINT64_MAX
#define BIT(reg) (1u << (reg))

enum { RA = 1, SP = 2, T0 = 5 };

/* What a caller sees of its callee's registers: all but t0 to t6 and a2 to a7. */
static const uint32_t returned = ~(BIT(T0) | BIT(6) | BIT(7) | 0x3F000u | 0xF0000000u);

/* What callees see that are not known: a0, a1 and what is the same everywhere. */
static const uint32_t passed = ~(BIT(RA) | BIT(T0) | BIT(6) | BIT(7) | 0x3F000u | 0xF0000000u);

/* What a call does not write before it comes back. */
static const uint32_t kept_by_calls = ~(BIT(RA) | BIT(T0) | BIT(6) | BIT(7) | 0x3FC00u | 0xF0000000u);

static uint32_t jump_target(uint32_t at, uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    return at + ((sign << 20) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
}

static uint32_t branch_target(uint32_t at, uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    return at + ((sign << 12) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
}

static es_check_live at_address(const es_check_live *live, uint32_t size, uint32_t address)
{
    static const es_check_live all = {ALL_REGS, ALL_WORDS};
    return address % 4 || address >= size ? all : live[address / 4];
}

static es_check_live both(es_check_live a, es_check_live b)
{
    return (es_check_live){a.regs | b.regs, a.words | b.words};
}

/* The words as they count from the stack pointer before it was moved by so many bytes. */
static uint64_t moved(uint64_t words, int32_t bytes)
{
    int32_t by = bytes / 4;
    if (bytes % 4 || by > 63 || by < -63)
        return ALL_WORDS;
    if (by >= 0)
        return words << by | (words & ~(ALL_WORDS >> 1));
    return words >> -by | ~(ALL_WORDS >> -by);
}

static uint64_t word_bit(int32_t offset)
{
    return offset < 0 ? 0 : UINT64_C(1) << (offset / 4 < 63 ? offset / 4 : 63);
}

/* What is live before an instruction, by what is live after it. */
static es_check_live before(const es_check_live *live, uint32_t size, uint32_t at, uint32_t insn)
{
    es_check_live next = at_address(live, size, at + 4);
    unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31;
    int32_t immediate = (int32_t)insn >> 20;
    switch (insn & 0x7F) {
    case 0x37:
    case 0x17: next.regs &= ~BIT(rd); return next;
    case 0x13:
        if (rd == SP && rs1 == SP && !(insn >> 12 & 7))
            next.words = moved(next.words, immediate);
        else if (rs1 == SP)
            next.words = ALL_WORDS; /* an address of the stack */
        next.regs = (next.regs & ~BIT(rd)) | BIT(rs1);
        return next;
    case 0x33: next.regs = (next.regs & ~BIT(rd)) | BIT(rs1) | BIT(rs2); return next;
    case 0x03:
        next.regs = (next.regs & ~BIT(rd)) | BIT(rs1);
        if (rs1 == SP)
            next.words |= word_bit(immediate);
        return next;
    case 0x23:
        next.regs |= BIT(rs1) | BIT(rs2);
        immediate = ((int32_t)(insn & 0xFE000000u) >> 20) | (int32_t)rd;
        if (rs1 == SP && (insn >> 12 & 7) == 2 && immediate / 4 < 63)
            next.words &= ~word_bit(immediate);
        return next;
    case 0x63:
        next = both(next, at_address(live, size, branch_target(at, insn)));
        next.regs |= BIT(rs1) | BIT(rs2);
        return next;
    case 0x6F: {
        es_check_live there = at_address(live, size, jump_target(at, insn));
        if (rd == RA)
            return (es_check_live){(next.regs & kept_by_calls) | (there.regs & ~BIT(RA)), next.words};
        there.regs &= ~BIT(rd);
        return there;
    }
    case 0x67:
        if (rd == 0 && rs1 == RA)
            return (es_check_live){returned | BIT(RA), ALL_WORDS};
        if (rd == RA)
            return (es_check_live){(next.regs & kept_by_calls) | passed | BIT(rs1), next.words};
        return (es_check_live){ALL_REGS, ALL_WORDS};
    default: return (es_check_live){ALL_REGS, ALL_WORDS};
    }
}

const es_check_live *es_check_live_find(es_arena *arena, const uint8_t *code, uint32_t size)
{
    es_check_live *live = es_arena_alloc(arena, (size / 4 + 1) * sizeof *live);
    memset(live, 0, size / 4 * sizeof *live);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = size & ~3u; at;) {
            uint32_t insn;
            at -= 4;
            memcpy(&insn, code + at, sizeof insn);
            es_check_live now = before(live, size, at, insn);
            changed |= now.regs != live[at / 4].regs || now.words != live[at / 4].words;
            live[at / 4] = now;
        }
    }
    return live;
}
