#!/usr/bin/python3
"""What host/isa makes of RV32 instruction words, against binutils' disassembler (all compressed instructions, and random ones of 32 bits), and
against clang's assembler, which knows Zcb, Zcmp and Zcmt."""
import collections
import os
import random
import re
import struct
import subprocess
import sys

sys.path.insert(0, "tests/cli")
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
AS, OBJCOPY, OBJDUMP = (CROSS + tool for tool in ("as", "objcopy", "objdump"))
CLANG = os.environ.get("CLANG_ZC", "clang-19")
DECODED = os.path.join(BUILD, "tests/isa/decoded")
WORDS = os.path.join(BUILD, "tests/isa/words")
OPCODES = [0x03, 0x07, 0x0F, 0x13, 0x17, 0x23, 0x27, 0x2F, 0x33, 0x37, 0x43, 0x47, 0x4B, 0x4F, 0x53, 0x57, 0x63, 0x67, 0x6F, 0x73]
MARCH = "rv32imafdcv_zicsr_zifencei_zba_zbb_zbc_zbs"
FUNCT7 = [0x01, 0x04, 0x05, 0x10, 0x14, 0x20, 0x24, 0x30, 0x34]  # M, Zba, Zbb, Zbc, Zbs
SINGLE = [0x30200073, 0x00100073, 0x10500073, 0x00000073, 0x00008067, 0x00028067, 0x000280E7, 0x0000006F, 0x0FF0000F, 0xFFFFFFFF]
LINKS = (1, 5)
ABI = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", *(f"a{i}" for i in range(8)), *(f"s{i}" for i in range(2, 12)),
       "t3", "t4", "t5", "t6"]
REGISTERS = {name: i for i, name in enumerate(ABI)} | {f"x{i}": i for i in range(32)}
OPS = {"add", "sub", "and", "or", "xor", "sll", "srl", "sra", "slt", "sltu", "mul"}
CONDITIONS = {"beq": "eq", "bne": "ne", "blt": "lt", "bge": "ge", "bltu": "ltu", "bgeu": "geu"}
BYTES = {"b": 1, "h": 2, "w": 4, "d": 8, "q": 16}
CONTROLS = {"mstatus": "interrupts", "mtvec": "handler", "mepc": "number", "mcause": "number", "mie": "number", "mscratch": "anything"}
Insn = collections.namedtuple("Insn", "kind which size rd rs1 rs2 bytes immediate signed foreign writes foreign_rd untold imm")
NOTHING = Insn("", "-", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
FOREIGN = 32  # registers of floating point are counted from here on
BITS_OF_TWO = {"andn", "orn", "xnor", "min", "minu", "max", "maxu", "rol", "ror", "bclr", "bset", "binv", "bext", "clmul", "clmulh", "clmulr"}
BITS_OF_NUMBER = {"rori", "bclri", "bseti", "binvi", "bexti"}
BITS_OF_ONE = {"clz", "ctz", "cpop", "sext.b", "sext.h", "orc.b", "rev8"}
NUMBER = r"-?(?:0x[0-9a-f]+|\d+)"


def number(text):
    return int(text, 0)


def register(text):
    """Number of an integer register; None of another one."""
    return REGISTERS.get(text)


def signed(value):
    return (value + 2**31) % 2**32 - 2**31


def jump(size, rd, rs1, imm):
    kind = "call-register" if rd in LINKS else "return" if rs1 in LINKS else "jump-register"
    return NOTHING._replace(kind=kind, size=size, rd=rd, rs1=rs1, imm=imm)


def move(name, size, operands):
    """Loads and stores."""
    foreign = name.startswith("f")
    kind, width = re.fullmatch(r"f?(l|s)([bhwdq]u?)(?:sp)?", name).groups()
    reg, place = operands
    imm, base = re.fullmatch(rf"({NUMBER})\((\w+)\)", place).groups()
    out = NOTHING._replace(kind="load" if kind == "l" else "store", size=size, rs1=register(base), imm=number(imm), foreign=int(foreign),
                           bytes=BYTES[width[0]])
    if kind == "s":
        return out._replace(rs2=int(reg[1:]) if foreign else register(reg))
    if foreign:
        return out._replace(foreign_rd=FOREIGN + int(reg[1:]))
    return out._replace(rd=register(reg), signed=int(not width.endswith("u")))


def compute(name, size, operands, immediate):
    regs = [register(text) for text in operands[:2]]
    out = NOTHING._replace(kind="compute", which=name, size=size, rd=regs[0], rs1=regs[1], immediate=int(immediate))
    return out._replace(imm=number(operands[2])) if immediate else out._replace(rs2=register(operands[2]))


def control(name, operands):
    reads_only = name[4] != "w" and operands[2] in ("x0", "0")
    return NOTHING._replace(kind="control", which=CONTROLS.get(operands[1], ""), size=4, rd=register(operands[0]),
                            rs1=0 if name.endswith("i") else register(operands[2]), writes=int(not reads_only))


def expanded(name, operands):
    """A compressed instruction as the one of 32 bits that it stands for."""
    name = name[2:]
    if name in ("mul", "not", "zext.b", "zext.h", "sext.b", "sext.h"):  # of Zcb
        return name, [operands[0], *operands]
    if name in ("addi", "slli", "srli", "srai", "andi"):
        return name, [operands[0], operands[0], operands[1]]
    if name in ("add", "sub", "and", "or", "xor"):
        return name, [operands[0], operands[0], operands[1]]
    if name in ("addi16sp", "addi4spn"):
        return "addi", [operands[0], "x2", operands[-1]]
    if name == "li":
        return "addi", [operands[0], "x0", operands[1]]
    if name == "mv":
        return "addi", [operands[0], operands[1], "0"]
    if name in ("beqz", "bnez"):
        return name[:3], [operands[0], "x0", operands[1]]
    if name in ("j", "jal"):
        return "jal", ["x0" if name == "j" else "x1", operands[0]]
    if name in ("jr", "jalr"):
        return "jalr", ["x0" if name == "jr" else "x1", f"0({operands[0]})"]
    if name == "nop":
        return "addi", ["x0", "x0", operands[0] if operands else "0"]
    return name, operands


def floating(size, operands):
    """Arithmetic of floating point: it changes a register of one file or of the other."""
    to = register(operands[0])
    return NOTHING._replace(kind="other", size=size, rd=to or 0, foreign_rd=0 if to is not None else FOREIGN + int(operands[0][1:]))


def vector(name, size, operands):
    """Vectors change memory and registers that are not followed, but for these; loads and stores move as much as is said elsewhere."""
    if re.match(r"v[ls]", name) and any("(" in text for text in operands):
        base = register(next(text for text in operands if "(" in text).strip("()"))
        return NOTHING._replace(kind="load" if name[1] == "l" else "store", size=size, rs1=base, foreign=1)
    if name == "vfmv.f.s":
        return NOTHING._replace(kind="other", size=size, foreign_rd=FOREIGN + int(operands[0][1:]))
    return NOTHING._replace(kind="other", size=size, rd=register(operands[0]) or 0)


def expected(name, operands, address, size):
    """What it should be; None: nothing is said of it."""
    if name.startswith("c."):
        name, operands = expanded(name, operands)
    if re.fullmatch(r"s[lr][la]i", name) and number(operands[2]) > 31:
        return None
    if name in ("sh1add", "sh2add", "sh3add"):
        return compute("shadd", size, operands, False)._replace(imm=int(name[2]))
    if name in BITS_OF_TWO or name == "zext.h" and size == 4:
        return compute("other", size, (operands + ["x0"])[:3], False)
    if name in BITS_OF_NUMBER:
        return compute("other", size, operands, True)
    if name in BITS_OF_ONE:
        return compute("other", size, [*operands[:2], "0"], True)
    if name in ("zext.b", "zext.h"):
        return compute("and", size, [*operands[:2], "0xff" if name == "zext.b" else "0xffff"], True)
    if name == "not":
        return compute("xor", size, [*operands[:2], "-1"], True)
    if name.startswith("v"):
        return vector(name, size, operands)
    if re.match(r"lr\.w", name):
        return NOTHING._replace(kind="load", size=size, rd=register(operands[0]), rs1=register(operands[1].strip("()")), bytes=4, signed=1)
    if re.match(r"amo\w+\.w|sc\.w", name):
        return NOTHING._replace(kind="atomic", size=size, rd=register(operands[0]), rs1=register(operands[2].strip("()")),
                                rs2=register(operands[1]), bytes=4)
    if re.match(r"f(?!ence)", name) and not re.fullmatch(r"f[ls][whdq](sp)?", name):
        return floating(size, operands)
    if re.match(r"cm\.", name):
        return NOTHING._replace(kind="several", size=size, untold=int(name in ("cm.popret", "cm.popretz", "cm.jt", "cm.jalt")))
    if name in ("lui", "auipc"):
        value = signed(number(operands[1]) << 12)
        return NOTHING._replace(kind="constant" if name == "lui" else "address", size=size, rd=register(operands[0]), imm=value)
    if name in OPS:
        return compute(name, size, operands, False)
    if name in ("mulh", "mulhu", "mulhsu", "div", "divu", "rem", "remu"):
        return compute("mulh" if name.startswith("m") else "div", size, operands, False)
    if name in ("addi", "andi", "ori", "xori", "slli", "srli", "srai", "slti"):
        return compute(name[:-1], size, operands, True)
    if name == "sltiu":
        return compute("sltu", size, operands, True)
    if re.fullmatch(r"l[bhw]u?|s[bhw]|f[ls][whdq]|[ls]wsp|f[ls][wd]sp", name):
        return move(name, size, operands)
    if name in CONDITIONS:
        return NOTHING._replace(kind="branch", which=CONDITIONS[name], size=size, rs1=register(operands[0]), rs2=register(operands[1]),
                                imm=signed(number(operands[2]) - address))
    if name == "jal":
        rd = register(operands[0])
        return NOTHING._replace(kind="call" if rd in LINKS else "jump", size=size, rd=rd, imm=signed(number(operands[1]) - address))
    if name == "jalr":
        imm, base = re.fullmatch(rf"({NUMBER})\((\w+)\)", operands[1]).groups()
        return jump(size, register(operands[0]), register(base), number(imm))
    if name.startswith("csrr"):
        return control(name, operands)
    kind = {"mret": "trap-return", "ebreak": "break", "wfi": "wait", "ecall": "trap", "fence": "fence", "unimp": "illegal"}.get(name)
    return NOTHING._replace(kind=kind, size=size) if kind else None


def words():
    draw = random.Random(11)
    yield from ((half | 1 << 16, True) for half in range(1 << 16) if half & 3 != 3)  # and a c.nop
    for _ in range(60000):
        yield draw.getrandbits(32) & ~0x7F | draw.choice(OPCODES), False
    for _ in range(20000):  # most of these have no meaning when all their bits are random
        yield draw.getrandbits(25) & ~0x7F | draw.choice(FUNCT7) << 25 | draw.choice([0x13, 0x33]), False
        yield draw.getrandbits(32) & ~0x707F | 0x202F, False
    yield from ((word, False) for word in SINGLE)


def disassembled(path):
    """[(address, size, mnemonic, operands)], with all extensions that the disassembler knows: it asks the file's attributes for them."""
    source, elf = path + ".s", path + ".o"
    with open(source, "w") as file:
        file.write(f'.incbin "{path}"\n')
    subprocess.run([AS, f"-march={MARCH}", "-mabi=ilp32d", source, "-o", elf], check=True)
    subprocess.run([OBJCOPY, "--strip-all", elf], check=True)
    out = subprocess.run([OBJDUMP, "-D", "-z", "-j", ".text", "-M", "no-aliases,numeric", elf], capture_output=True, text=True, check=True).stdout
    for address, raw, name, operands in re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]+)\s+(\S+)(?:\t([^#\n]*))?", out, re.MULTILINE):
        operands = re.sub(r"\s*<.*>|\s", "", operands or "")
        yield int(address, 16), len(raw) // 2, name, operands.split(",") if operands else []


def ours_of(words, isa):
    """What host/isa makes of the words of a file."""
    with open(words, "rb") as file:
        lines = subprocess.run([DECODED, isa], stdin=file, capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        kind, which, *rest = line.split()
        yield Insn(kind, which, *map(int, rest))


def decodes_as_the_disassembler():
    given = list(words())
    with open(WORDS, "wb") as file:
        file.write(b"".join(struct.pack("<I", word) for word, _ in given))
    ours = list(ours_of(WORDS, "rv32c"))
    seen = collections.Counter()
    for address, size, name, operands in disassembled(WORDS):
        if address % 4:
            continue
        want = expected(name, operands, address, size)
        if not want:
            continue
        got = ours[address // 4]
        if want.kind in ("trap", "fence", "illegal", "break", "wait", "trap-return"):
            got = NOTHING._replace(kind=got.kind, size=got.size)
        if want.kind == "compute" and want.which == "other" and want.immediate:
            got = got._replace(imm=want.imm)
        if want.foreign and not want.bytes:
            got = got._replace(rs2=0, imm=0)
        if want.kind == "control":
            got = got._replace(imm=0, which=got.which if want.which else "")
        assert got == want, (hex(given[address // 4][0]), name, operands, got, want)
        seen[want.kind, size] += 1
        seen[want.which, "which"] += 1
    assert min(seen[which, "which"] for which in ("shadd", "other", "mul", "div")) > 100, seen
    assert min(seen["load", 4], seen["store", 4], seen["atomic", 4], seen["other", 4]) > 1000, seen
    assert len({kind for kind, _ in seen}) >= 17 and sum(seen.values()) > 65000, seen
    assert min(seen[kind, 2] for kind in ("compute", "load", "store", "branch", "jump", "call", "jump-register", "constant")) > 20, seen


def without_compression_16_bits_are_none():
    halves = b"".join(struct.pack("<HH", half, 0x8082) for half in range(1 << 16) if half & 3 != 3)
    ours = subprocess.run([DECODED, "rv32"], input=halves, capture_output=True, check=True).stdout.splitlines()
    assert len(ours) == 3 << 14 and set(ours) == {b"illegal - 4 0 0 0 0 0 0 0 0 0 0 0"}, ours[:3]


def zc():
    """All instructions of Zcb, Zcmp and Zcmt, as an assembler takes them."""
    small = ["s0", "s1", *(f"a{i}" for i in range(6))]
    for a in small:
        for name in ("zext.b", "sext.b", "zext.h", "sext.h", "not"):
            yield f"c.{name} {a}"
        for b in small:
            yield f"c.mul {a}, {b}"
            yield from (f"c.{name} {a}, {n}({b})" for name in ("lbu", "sb") for n in range(4))
            yield from (f"c.{name} {a}, {n}({b})" for name in ("lhu", "lh", "sh") for n in (0, 2))
    saved = [f"s{i}" for i in range(12)]
    for count in (0, *range(1, 11), 12):
        listed = "{ra" + (", s0" if count else "") + (f"-s{count - 1}" if count > 1 else "") + "}"
        least = -(-4 * (count + 1) // 16) * 16
        for room in range(least, least + 64, 16):
            yield f"cm.push {listed}, -{room}"
            yield from (f"cm.{name} {listed}, {room}" for name in ("pop", "popret", "popretz"))
    for a in saved[:8]:
        for b in saved[:8]:
            yield f"cm.mva01s {a}, {b}"
            if a != b:
                yield f"cm.mvsa01 {a}, {b}"
    yield from (f"cm.jt {n}" for n in range(32))
    yield from (f"cm.jalt {n}" for n in range(32, 256))


def decodes_what_the_assembler_makes_of_zc():
    lines = list(zc())
    source, elf = WORDS + ".s", WORDS + ".o"
    with open(source, "w") as file:
        file.write("".join(f"{line}\nc.nop\n" for line in lines))
    subprocess.run([CLANG, "--target=riscv32-unknown-elf", "-march=rv32imc_zba_zbb_zcb_zcmp_zcmt", "-mabi=ilp32", "-c", source, "-o", elf], check=True)
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".text", elf, WORDS], check=True)
    seen = collections.Counter()
    for line, got in zip(lines, ours_of(WORDS, "zcm"), strict=True):
        name, *operands = line.replace(",", "").split()
        want = expected(name, operands, 0, 2)
        if want.which == "other":
            got = got._replace(imm=0)
        assert got == want, (line, got, want)
        seen[want.kind] += 1
    assert min(seen.values()) > 100 and set(seen) == {"load", "store", "compute", "several"}, seen
    without = list(ours_of(WORDS, "rv32c"))  # there, Zcmp's and Zcmt's are stores of doubles; Zcb's are the same
    for line, got, had in zip(lines, without, ours_of(WORDS, "zcm"), strict=True):
        assert (got.kind, got.bytes, got.foreign) == ("store", 8, 1) if line.startswith("cm.") else got == had, (line, got, had)


def floating_point_in_integer_registers():
    """Zfinx has the encodings of F, with the numbers of integer registers; of doubles a pair of them."""
    draw = random.Random(5)
    given = [draw.getrandbits(32) & ~0x7F | draw.choice([0x43, 0x47, 0x4B, 0x4F, 0x53]) for _ in range(2000)]
    with open(WORDS, "wb") as file:
        file.write(b"".join(struct.pack("<I", word) for word in given))
    for word, got in zip(given, ours_of(WORDS, "zfinx"), strict=True):
        to_integer = word & 0x7F == 0x53 and word >> 27 in (0x14, 0x18, 0x1C)
        pair = word >> 25 & 3 == 1 and not to_integer
        want = NOTHING._replace(kind="several", size=4) if pair else NOTHING._replace(kind="other", size=4, rd=word >> 7 & 31)
        assert got == want, (hex(word), got, want)


FLOW = ("jal", "jalr", "beq", "bne")


def told_as_what_they_do_to_the_flow():
    """A compressed instruction is told as one of 32 bits, but for bit 1, that goes to the same place: as the disassembler says of both."""
    halves = [half for half in range(1 << 16) if half & 3 != 3]
    with open(WORDS, "wb") as file:
        file.write(b"".join(struct.pack("<HH", half, 1) for half in halves))
    with open(WORDS, "rb") as file:
        told = subprocess.run([DECODED, "told"], stdin=file, capture_output=True, text=True, check=True).stdout.split()
    assert len(told) == len(halves) and not any(int(word, 16) & 2 for word in told)
    originals = {address: (name, operands) for address, size, name, operands in disassembled(WORDS) if size == 2 and address % 4 == 0}
    with open(WORDS, "wb") as file:
        file.write(b"".join(struct.pack("<I", int(word, 16) | 2) for word in told))
    seen = collections.Counter()
    for address, _, name, operands in disassembled(WORDS):
        before = originals[address]
        was = expanded(*before) if before[0].startswith("c.") else before
        if was[0] not in FLOW:
            was = "addi", ["x0", "x0", "0"]
        assert (name, operands) == (was[0], was[1]), (hex(halves[address // 4]), before, name, operands)
        seen[name] += 1
    assert min(seen[name] for name in FLOW) > 50 and sum(seen.values()) == len(halves), seen


if __name__ == "__main__":
    sys.exit(run_all([decodes_as_the_disassembler, decodes_what_the_assembler_makes_of_zc, floating_point_in_integer_registers,
                      without_compression_16_bits_are_none, told_as_what_they_do_to_the_flow]))
