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


def nothing_left(level, density):
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
            subprocess.run([os.path.abspath("scripts/target-cc"), level, "-g0", "-DEARSHOT_MARKS=0", f"-DMARK_DENSITY={density}", "-I.", "-c",
                            "claims.c", "-o", "claims.o"], cwd=f"{work}/{kind}", check=True)
        return open(f"{work}/out/claims.o", "rb").read() == open(f"{work}/never/claims.o", "rb").read()


def jump_target(word, address):
    """Where a branch or jal goes; None for other instructions."""
    sign = -1 if word >> 31 else 0
    if word & 0x7F == 0x63:
        return address + (sign << 12 | (word << 4 & 0x800) | (word >> 20 & 0x7E0) | (word >> 7 & 0x1E))
    if word & 0x7F == 0x6F:
        return address + (sign << 20 | (word & 0xFF000) | (word >> 9 & 0x800) | (word >> 20 & 0x7FE))
    return None


JUMP_FIELDS = {0x63: 0x01FFF07F, 0x6F: 0x00000FFF}  # what is left of an instruction without its target


def differences(marked, bare):
    """Differences of two programs that are no marks, as text."""
    code, plain = words(section(marked, ".text")), words(section(bare, ".text"))
    table, plain_table = words(section(marked, ".earshot_marks")), words(section(bare, ".earshot_marks"))
    begins, ends = table[0::3], table[1::3]
    found = []
    if table[2::3] != plain_table[2::3] or plain_table[0::3] != plain_table[1::3]:
        found.append("the tables of marks")
    in_marks = {address for begin, end in zip(begins, ends) for address in range(begin, end, 4)}
    for begin, end, what in zip(begins, ends, table[2::3]):
        store = (what >> 16) << 20 | 0x2023 | ((4 * (what & 0xFFFF) - 2048) & 0xFE0) << 20 | ((4 * (what & 0xFFFF) - 2048) & 0x1F) << 7
        if code[end // 4 - 1] != store or any(code[a // 4] != 0x13 for a in range(begin, end - 4, 4)):
            found.append(f"the code of the mark at {begin:#x}")
    kept = [address for address in range(0, 4 * len(code), 4) if address not in in_marks]
    # Where an address without marks may be with them: at the instruction, or at one of the marks before it.
    places, before = {}, []
    bare_of = {}
    for address in range(0, 4 * len(code), 4):
        if address in in_marks:
            before.append(address)
            continue
        number = len(bare_of)
        bare_of[address] = 4 * number
        places[4 * number] = {address, *before}
        before = []
    moved = 4 * (len(code) - len(plain))  # what lies after the code moves by that, give or take its alignment
    upper, open_upper = {}, {}  # what lui and auipc left in a register: with marks and without; where the two differ
    for address in kept:
        at = bare_of[address]
        if at // 4 >= len(plain):
            if code[address // 4] != 0:
                found.append(f"{address:#x} has no counterpart")
            continue
        with_mark, without = code[address // 4], plain[at // 4]
        target, to = jump_target(with_mark, address), with_mark >> 7 & 31
        written = to if with_mark & 0x7F not in (0x63, 0x23) else 0
        known = dict(upper)
        upper.pop(written, None)
        if target is not None:
            fields = JUMP_FIELDS[with_mark & 0x7F]
            there = jump_target(without, at)
            if with_mark & fields != without & fields or target not in places.get(there, {None}):
                found.append(f"{address:#x}: a jump to {target:#x}, without marks to {there}")
        elif with_mark & 0xFFF == without & 0xFFF and with_mark & 0x5F == 0x17:  # lui, auipc
            base = 0 if with_mark & 0x20 else 1
            upper[to] = (with_mark & 0xFFFFF000) + base * address, (without & 0xFFFFF000) + base * at
            if with_mark != without:
                open_upper[to] = address
        elif with_mark & 0xFFFFF == without & 0xFFFFF and with_mark & 0x707F == 0x13 and (with_mark >> 15 & 31) in known:
            base = with_mark >> 15 & 31
            there, here = (known[base][i] + (w >> 20) - (w >> 31 << 12) for i, w in ((1, without), (0, with_mark)))
            open_upper.pop(base, None)
            if here != there and here not in places.get(there, set()) and not (there >= 4 * len(plain) and abs(here - there - moved) <= 8):
                found.append(f"{address:#x}: makes the address {here:#x}, without marks {there:#x}")
        elif with_mark != without:
            found.append(f"{address:#x}: {with_mark:08x} {without:08x}")
    found += [f"{address:#x}: lui or auipc" for address in open_upper.values()]
    for name in (".data", ".rodata"):
        if section(marked, name) != section(bare, name):
            found.append(name)
    return found


def main():
    passed = failed = 0
    for level in ("-O0", "-Og", "-O2", "-Os"):
        same = nothing_left(level, 2)
        passed, failed = passed + same, failed + (not same)
        if not same:
            print(f"{level}: marks that are compiled out leave something")
    for program in PROGRAMS:
        for density in range(3):
            for kind in ("", ".pad"):
                name = f"{BUILD}/mp/{program}-{density}"
                found = differences(f"{name}{kind}.elf", f"{name}.bare.elf")
                passed, failed = passed + (not found), failed + bool(found)
                for line in found[:5]:
                    print(f"{name}{kind}: {line}")
    # The comparison itself: a program against another one.
    found = differences(f"{BUILD}/mp/ring-1.elf", f"{BUILD}/mp/ring-2.bare.elf")
    passed, failed = passed + bool(found), failed + (not found)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
