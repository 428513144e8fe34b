"""Instructions as the oracle reads them: those of 16 bits as the one of 32 bits that does the same, by the "C" chapter of the unprivileged
manual. Nothing here is shared with host/isa."""

SP, RA = 2, 1
EBREAK = 0x100073


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def gather(half, *fields):
    """An immediate: (highest bit in the instruction, lowest one, lowest one in the immediate) of each field."""
    return sum((half >> low & (1 << high - low + 1) - 1) << to for high, low, to in fields)


def r_type(function, rd, rs1, rs2, more=0):
    return more << 25 | rs2 << 20 | rs1 << 15 | function << 12 | rd << 7 | 0x33


def i_type(opcode, function, rd, rs1, imm):
    return (imm & 0xFFF) << 20 | rs1 << 15 | function << 12 | rd << 7 | opcode


def s_type(rs1, rs2, imm, opcode=0x23):
    return (imm >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (imm & 31) << 7 | opcode


def j_type(rd, offset):
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 1023) << 21 | (offset >> 11 & 1) << 20 | (offset >> 12 & 255) << 12 | rd << 7 | 0x6F


def b_type(function, rs1, rs2, offset):
    return ((offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | function << 12 | (offset >> 1 & 15) << 8 |
            (offset >> 11 & 1) << 7 | 0x63)


def quadrant_0(half):
    function, rs1, other = half >> 13, 8 + (half >> 7 & 7), 8 + (half >> 2 & 7)
    word = gather(half, (12, 10, 3), (6, 6, 2), (5, 5, 6))
    if function == 0:
        imm = gather(half, (12, 11, 4), (10, 7, 6), (6, 6, 2), (5, 5, 3))
        return i_type(0x13, 0, other, SP, imm) if imm else 0
    if function in (2, 3):   # c.lw, c.flw
        return i_type(0x03 if function == 2 else 0x07, 2, other, rs1, word)
    if function in (6, 7):   # c.sw, c.fsw
        return s_type(rs1, other, word, 0x23 if function == 6 else 0x27)
    return 0


def arithmetic(half):
    rd, rs2, imm = 8 + (half >> 7 & 7), 8 + (half >> 2 & 7), gather(half, (12, 12, 5), (6, 2, 0))
    what = half >> 10 & 3
    if what < 2:
        return i_type(0x13, 5, rd, rd, imm | what << 10)
    if what == 2:
        return i_type(0x13, 7, rd, rd, signed(imm, 6))
    if half >> 12 & 1:
        return 0
    return (r_type(0, rd, rd, rs2, 32), r_type(4, rd, rd, rs2), r_type(6, rd, rd, rs2), r_type(7, rd, rd, rs2))[half >> 5 & 3]


def quadrant_1(half):
    function, rd, imm = half >> 13, half >> 7 & 31, signed(gather(half, (12, 12, 5), (6, 2, 0)), 6)
    jump = signed(gather(half, (12, 12, 11), (11, 11, 4), (10, 9, 8), (8, 8, 10), (7, 7, 6), (6, 6, 7), (5, 3, 1), (2, 2, 5)), 12)
    branch = signed(gather(half, (12, 12, 8), (11, 10, 3), (6, 5, 6), (4, 3, 1), (2, 2, 5)), 9)
    if function == 0:
        return i_type(0x13, 0, rd, rd, imm)
    if function in (1, 5):
        return j_type(RA if function == 1 else 0, jump)
    if function == 2:
        return i_type(0x13, 0, rd, 0, imm)
    if function == 3 and rd == SP:
        return i_type(0x13, 0, SP, SP, signed(gather(half, (12, 12, 9), (6, 6, 4), (5, 5, 6), (4, 3, 7), (2, 2, 5)), 10))
    if function == 3:
        return (imm & 0xFFFFF) << 12 | rd << 7 | 0x37
    if function == 4:
        return arithmetic(half)
    return b_type(function - 6, 8 + (half >> 7 & 7), 0, branch)


def quadrant_2(half):
    function, rd, rs2 = half >> 13, half >> 7 & 31, half >> 2 & 31
    if function == 0:
        return i_type(0x13, 1, rd, rd, gather(half, (12, 12, 5), (6, 2, 0)))
    if function in (2, 3):   # c.lwsp, c.flwsp
        return i_type(0x03 if function == 2 else 0x07, 2, rd, SP, gather(half, (12, 12, 5), (6, 4, 2), (3, 2, 6)))
    if function in (6, 7):   # c.swsp, c.fswsp
        return s_type(SP, rs2, gather(half, (12, 9, 2), (8, 7, 6)), 0x23 if function == 6 else 0x27)
    if function != 4:
        return 0
    link = half >> 12 & 1
    if rs2:   # c.mv as what compilers write for it elsewhere
        return r_type(0, rd, rd, rs2) if link else i_type(0x13, 0, rd, rs2, 0)
    if rd:
        return i_type(0x67, 0, link, rd, 0)
    return EBREAK if link else 0


def expand(half):
    """0: none that is known."""
    return (quadrant_0, quadrant_1, quadrant_2)[half & 3](half)


def at(program, pc):
    """(the instruction in its form of 32 bits, its bytes) at an address; None: the program has none there."""
    word = program.words.get(pc & ~3)
    if word is None:
        return None
    half = word >> 8 * (pc & 2) & 0xFFFF
    if half & 3 != 3:
        return expand(half), 2
    if pc & 2:
        rest = program.words.get(pc + 2)
        return None if rest is None else (half | (rest & 0xFFFF) << 16, 4)
    return word, 4


def of(program, low, high):
    """(address, the instruction in its form of 32 bits, its bytes) of each one, as one comes after the other."""
    while low < high:
        found = at(program, low)
        if found and low + found[1] <= high:
            yield low, *found
        low += found[1] if found else 4
