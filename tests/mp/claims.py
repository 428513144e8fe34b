#!/usr/bin/python3
"""What earshot_mark.h promises, compared with the bytes: nothing is left of marks that are compiled out, and the two programs that the assembler
makes of one compiler output differ in nothing but the marks."""
import os
import re
import struct
import subprocess
import sys
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
PROGRAMS = ["producer", "pipeline", "workers", "ring", "stencil", "corners"]


def target_cc(*options):
    subprocess.run(["scripts/target-cc", *options], check=True)


def section(path, name):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([CROSS + "objcopy", "-O", "binary", "--only-section=" + name, "--set-section-flags", name + "=alloc", path, out.name],
                       check=True, capture_output=True)
        return open(out.name, "rb").read()


def words(data):
    return struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4])


def nothing_left(options, density):
    """Compiled out against never written: the same object files, to the byte."""
    with tempfile.TemporaryDirectory() as work:
        for kind in ("out", "never"):
            os.mkdir(f"{work}/{kind}")
            for name, folder in (("claims.c", "tests/mp"), ("mp.h", "examples/mp")):
                text = open(f"{folder}/{name}", encoding="utf-8").read()
                if kind == "never" and name == "claims.c":
                    text = "\n".join("" if re.search(r"earshot_mark|/\* mark \*/", line) else line for line in text.split("\n"))
                if kind == "never" and name == "mp.h":
                    text = text.replace('#include "earshot_mark.h"', "")
                    text = re.sub(r"^.*earshot_mark_value\(.*$", "", text, flags=re.M)
                    text = re.sub(r"EARSHOT_MARK_ASM\([^()]*\)", '""', text)
                    assert "EARSHOT" not in text
                open(f"{work}/{kind}/{name}", "w", encoding="utf-8").write(text)
            subprocess.run([os.path.abspath("scripts/target-cc"), *options, "-g0", "-DEARSHOT_MARKS=0", f"-DMARK_DENSITY={density}", "-I.", "-c",
                            "claims.c", "-o", "claims.o"], cwd=f"{work}/{kind}", check=True)
        return open(f"{work}/out/claims.o", "rb").read() == open(f"{work}/never/claims.o", "rb").read()


class Insn:
    """An instruction as the disassembler says it, long and short forms alike."""

    def __init__(self, address, encoded, name, operands, comment):
        self.address, self.size = address, len(encoded) // 2
        self.encoded, self.name = int(encoded, 16), name
        self.operands = [operand.strip() for operand in operands.split(",")] if operands else []
        self.jumps = name in JUMPS
        self.target = int(self.operands.pop(), 16) if self.jumps else None
        self.made = int(comment, 16) if comment else None  # the address that it makes, with what lui or auipc left

    def is_padding(self):
        return self.name in ("nop", "unimp", ".2byte") and self.size == 2

    def without_constant(self):
        return self.name, [re.sub(r"^-?(0x)?[0-9a-f]+(?=$|\()", "", operand) for operand in self.operands]


JUMPS = {"j", "jal", "beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz", "bgt", "ble", "bgtu", "bleu"}
LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]+) +\t?([a-z0-9.]+)(?:\t([^#<\n]*[^#<\n ]))?(?: <[^>]*>)?(?: # ([0-9a-f]+))?", re.M)


def instructions(path):
    out = subprocess.run([CROSS + "objdump", "-d", "-z", "-j", ".text", path], check=True, capture_output=True, text=True).stdout
    return [Insn(int(address, 16), *rest) for address, *rest in LINE.findall(out)]


def differences(marked, bare):
    """Differences of two programs that are no marks, as text."""
    code, plain = instructions(marked), instructions(bare)
    table, plain_table = words(section(marked, ".earshot_marks")), words(section(bare, ".earshot_marks"))
    found = []
    if table[2::3] != plain_table[2::3] or plain_table[0::3] != plain_table[1::3]:
        found.append("the tables of marks")
    in_marks = set()
    for begin, end, what in zip(table[0::3], table[1::3], table[2::3]):
        offset = 4 * (what & 0xFFFF) - 2048
        store = (what >> 16) << 20 | 0x2023 | (offset & 0xFE0) << 20 | (offset & 0x1F) << 7
        mark = [insn for insn in code if begin <= insn.address < end]
        in_marks.update(insn.address for insn in mark)
        if not mark or mark[-1].encoded != store or any(insn.name != "nop" for insn in mark[:-1]):
            found.append(f"the code of the mark at {begin:#x}")
    # Pairs of instructions. Where an address without marks may be with them: at the instruction, or at one of the marks before it.
    pairs, places, before, there = [], {}, [], 0
    for insn in code:
        if insn.address in in_marks:
            before.append(insn.address)
            continue
        # what fills the space before an instruction at a multiple of 4 may be needed in one of the two alone
        if there < len(plain) and plain[there].is_padding() and not insn.is_padding():
            there += 1
        elif insn.is_padding() and (there == len(plain) or not plain[there].is_padding()):
            continue
        if there == len(plain):
            found.append(f"{insn.address:#x} has no counterpart")
            break
        pairs.append((insn, plain[there]))
        places[plain[there].address] = {insn.address, *before}
        before = []
        there += 1
    if any(not insn.is_padding() for insn in plain[there:]):
        found.append(f"{plain[there].address:#x} of the program without marks has no counterpart")
    size, plain_size = (len(section(path, ".text")) for path in (marked, bare))

    def correspond(here, there):
        return here == there or here in places.get(there, set()) or there >= plain_size and abs(here - there - (size - plain_size)) <= 8

    open_upper = {}  # what lui and auipc left in a register, where the two differ
    for insn, other in pairs:
        same = (insn.name, insn.operands) == (other.name, other.operands)
        if insn.name in ("lui", "auipc") and insn.name == other.name and insn.operands[0] == other.operands[0]:
            if not same or insn.name == "auipc":
                open_upper[insn.operands[0]] = insn.address
        elif insn.jumps:
            if not same or insn.target not in places.get(other.target, {None}):
                found.append(f"{insn.address:#x}: a jump to {insn.target:#x}, without marks to {other.target}")
        elif insn.made is not None and other.made is not None:
            if insn.without_constant() != other.without_constant() or not correspond(insn.made, other.made):
                found.append(f"{insn.address:#x}: makes the address {insn.made:#x}, without marks {other.made:#x}")
            open_upper.pop(insn.operands[-1].rstrip(")").split("(")[-1], None)
            open_upper.pop(insn.operands[1] if len(insn.operands) > 2 else None, None)
        elif not same:
            found.append(f"{insn.address:#x}: {insn.encoded:x} {other.encoded:x}")
    found += [f"{address:#x}: lui or auipc" for address in open_upper.values()]
    for name in (".data", ".rodata"):
        if section(marked, name) != section(bare, name):
            found.append(name)
    return found


def main():
    passed = failed = 0
    for options in (["-O0"], ["-Og"], ["-O2"], ["-Os"], ["-O2", "-march=rv32i_zicsr"]):
        same = nothing_left(options, 2)
        passed, failed = passed + same, failed + (not same)
        if not same:
            print(f"{options}: marks that are compiled out leave something")
    for program in PROGRAMS:
        for density in range(3):
            for kind in ("", ".pad"):
                name = f"{BUILD}/mp/{program}-{density}"
                found = differences(f"{name}{kind}.elf", f"{name}.bare.elf")
                passed, failed = passed + (not found), failed + bool(found)
                for line in found[:5]:
                    print(f"{name}{kind}: {line}")
    # The comparison itself: a program against another one.
    found = differences(f"{BUILD}/mp/ring-0.elf", f"{BUILD}/mp/ring-2.bare.elf")
    passed, failed = passed + bool(found), failed + (not found)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
