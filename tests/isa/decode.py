#!/usr/bin/python3
"""What host/isa makes of RV32 instruction words, against binutils' disassembler: all compressed instructions, and random ones of 32 bits."""
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
DECODED = os.path.join(BUILD, "tests/isa/decoded")
WORDS = os.path.join(BUILD, "tests/isa/words")
OPCODES = [0x03, 0x07, 0x0F, 0x13, 0x17, 0x23, 0x27, 0x2F, 0x33, 0x37, 0x43, 0x53, 0x63, 0x67, 0x6F, 0x73]
SINGLE = [0x30200073, 0x00100073, 0x10500073, 0x00000073, 0x00008067, 0x00028067, 0x000280E7, 0x0000006F, 0x0FF0000F, 0xFFFFFFFF]
LINKS = (1, 5)
ABI = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", *(f"a{i}" for i in range(8)), *(f"s{i}" for i in range(2, 12)),
       "t3", "t4", "t5", "t6"]
REGISTERS = {name: i for i, name in enumerate(ABI)} | {f"x{i}": i for i in range(32)}
OPS = {"add", "sub", "and", "or", "xor", "sll", "srl", "sra", "slt", "sltu", "mul"}
CONDITIONS = {"beq": "eq", "bne": "ne", "blt": "lt", "bge": "ge", "bltu": "ltu", "bgeu": "geu"}
BYTES = {"b": 1, "h": 2, "w": 4, "d": 8, "q": 16}
CONTROLS = {"mstatus": "interrupts", "mtvec": "handler", "mepc": "number", "mcause": "number", "mie": "number", "mscratch": "anything"}
Insn = collections.namedtuple("Insn", "kind which size rd rs1 rs2 bytes immediate signed foreign writes imm")
NOTHING = Insn("", "-", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
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
    return out._replace(rd=0 if foreign else register(reg), signed=int(not foreign and not width.endswith("u")))


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


def expected(name, operands, address, size):
    """What it should be; None: nothing is said of it."""
    if name.startswith("c."):
        name, operands = expanded(name, operands)
    if re.fullmatch(r"s[lr][la]i", name) and number(operands[2]) > 31:
        return None
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
    kind = "atomic" if re.match(r"amo|lr\.w|sc\.w", name) else kind
    return NOTHING._replace(kind=kind, size=size) if kind else None


def words():
    draw = random.Random(11)
    yield from ((half | 1 << 16, True) for half in range(1 << 16) if half & 3 != 3)  # and a c.nop
    for _ in range(60000):
        yield draw.getrandbits(32) & ~0x7F | draw.choice(OPCODES), False
    yield from ((word, False) for word in SINGLE)


def disassembled(path):
    """[(address, size, mnemonic, operands)]"""
    out = subprocess.run([CROSS + "objdump", "-D", "-z", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases,numeric", path],
                         capture_output=True, text=True, check=True).stdout
    for address, raw, name, operands in re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]+)\s+(\S+)(?:\t([^#\n]*))?", out, re.MULTILINE):
        operands = re.sub(r"\s*<.*>|\s", "", operands or "")
        yield int(address, 16), len(raw) // 2, name, operands.split(",") if operands else []


def decodes_as_the_disassembler():
    given = list(words())
    with open(WORDS, "wb") as file:
        file.write(b"".join(struct.pack("<I", word) for word, _ in given))
    with open(WORDS, "rb") as file:
        ours = subprocess.run([DECODED, "rv32c"], stdin=file, capture_output=True, text=True, check=True).stdout.splitlines()
    seen = collections.Counter()
    for address, size, name, operands in disassembled(WORDS):
        if address % 4:
            continue
        want = expected(name, operands, address, size)
        if not want:
            continue
        kind, which, *rest = ours[address // 4].split()
        got = Insn(kind, which, *map(int, rest))
        if want.kind in ("atomic", "trap", "fence", "illegal", "break", "wait", "trap-return"):
            got = NOTHING._replace(kind=got.kind, size=got.size)
        if want.kind == "compute" and want.which == "other":
            got = got._replace(imm=0)
        if want.kind == "control":
            got = got._replace(imm=0, which=got.which if want.which else "")
        assert got == want, (hex(given[address // 4][0]), name, operands, got, want)
        seen[want.kind, size] += 1
    assert len({kind for kind, _ in seen}) >= 17 and sum(seen.values()) > 65000, seen
    assert min(seen[kind, 2] for kind in ("compute", "load", "store", "branch", "jump", "call", "jump-register", "constant")) > 20, seen


def without_compression_16_bits_are_none():
    halves = b"".join(struct.pack("<HH", half, 0x8082) for half in range(1 << 16) if half & 3 != 3)
    ours = subprocess.run([DECODED, "rv32"], input=halves, capture_output=True, check=True).stdout.splitlines()
    assert len(ours) == 3 << 14 and set(ours) == {b"illegal - 4 0 0 0 0 0 0 0 0 0"}, ours[:3]


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
    sys.exit(run_all([decodes_as_the_disassembler, without_compression_16_bits_are_none, told_as_what_they_do_to_the_flow]))
