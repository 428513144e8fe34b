#!/usr/bin/python3
"""Programs for instruction sets of all combinations are listed, watched and judged; where an extension matters, it is named."""
import os
import re
import subprocess
import sys

sys.path.insert(0, "tests/cli")
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
CLANG = os.environ.get("CLANG_ZC", "clang-19")
EARSHOT = os.path.join(BUILD, "earshot")
SCRATCH = os.path.join(BUILD, "tests/isa")
SOURCE = "tests/isa/programs.c"
ISAS = ["rv32i", "rv32im", "rv32ima", "rv32imac", "rv32imafc", "rv32imafdc", "rv32imc_zicsr_zifencei", "rv32imac_zba_zbb_zbs", "rv32ic_zfinx"]
ZC = ["rv32imc_zcb", "rv32imac_zba_zbb_zbs_zcb", "rv32imc_zcb_zcmp"]
DATA = ["total > 1.0 { print total }", "gain > 1.0 { print gain }", "samples[1] > 2.0 { print samples[1] }", "record.b > 1 { print record.b, record.h }",
        "lock > 2 { print lock }", "bits > 3 { count bits }", "record.d > 1.0 { print record.d }"]
FLOW = ["enter(mix) { print path }", "leave(walk) { count left }", "at(mix\\2) { count at }", "where->w > 3 { print where->w }",
        "read(gain) { count reads }"]
LOCALS = ["walk\\below > 3 { print walk\\below }", "filter\\i > 1 { print filter\\i }", "scale\\z > 2.0 { print scale\\z }"]
UNTOLD = "push, pop and return, or jump through a table, at once (Zcmp, Zcmt)"


def earshot(*arguments):
    return subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, check=False)


def built(march, level="-O0"):
    """By GCC and its linker."""
    program = os.path.join(SCRATCH, f"programs-{march}{level}.elf")
    subprocess.run(["scripts/target-cc", "-march=" + march, level, SOURCE, "-o", program], check=True, stderr=subprocess.DEVNULL)
    return program


def built_by_clang(march, level):
    """By clang, without a library; GNU's linker knows no relocations of its DWARF 5."""
    program = os.path.join(SCRATCH, f"programs-{march}{level}.elf")
    subprocess.run([CLANG, "--target=riscv32-unknown-elf", "-march=" + march, "-mabi=ilp32", "-mno-relax", "-ffreestanding", "-DWHOLE_NUMBERS",
                    level, "-gdwarf-4", "-c", SOURCE, "-o", program + ".o"], check=True)
    subprocess.run([CROSS + "ld", "-m", "elf32lriscv", "--no-relax", "-Ttext=0", "-Tdata=0x20000", "-e", "main", "--defsym=__stack_top=0x40000", program + ".o",
                    "-o", program], check=True, stderr=subprocess.DEVNULL)
    return program


def judged(program, statements):
    """check's answer: it can be given, of all code."""
    arguments = [argument for statement in statements for argument in ("-e", "when " + statement)]
    result = earshot("check", *arguments, program)
    assert result.returncode in (0, 1) and "cannot be followed" not in result.stdout, (program, result.stdout, result.stderr)


def arch_of(program):
    out = subprocess.run([CROSS + "readelf", "-A", program], capture_output=True, text=True, check=True).stdout
    return re.search(r'Tag_RISCV_arch: "(\w+)"', out)[1]


def statements_on_all_of_them():
    for march in ISAS:
        judged(built(march), DATA + FLOW + LOCALS)
        judged(built(march, "-O2"), DATA + FLOW)


def listed_alike():
    def names(march):
        out = earshot("list", built(march)).stdout
        return [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    first = names("rv32i")
    assert "total" in first and "filter\\now" in first, first
    for march in ISAS[1:]:
        assert names(march) == first, march


def newer_compressed_instructions():
    for march in ZC[:2]:
        for level in "-O0", "-Os":
            program = built_by_clang(march, level)
            assert "zcb" in arch_of(program)
            judged(program, DATA + FLOW)


def pushes_are_refused_where_they_matter():
    march = ZC[2]
    program = built_by_clang(march, "-Os")
    disassembled = subprocess.run([CROSS + "objdump", "-d", program], capture_output=True, text=True, check=True).stdout
    assert re.search(r"\tb[89]..  ", disassembled), "no cm.push was made"
    for statement in FLOW:
        result = earshot("check", "-e", "when " + statement, program)
        assert result.returncode == 2 and UNTOLD in result.stderr and "without zcmp" in result.stderr, (statement, result)
    for statement in DATA:
        result = earshot("check", "-e", "when " + statement, program)
        assert result.returncode == 1 and re.search(r"programs\.c:\d+ \(\w+\): has an instruction that does what several do", result.stdout), result
    judged(built_by_clang(march, "-O0"), DATA + FLOW)  # named, but not made: nothing is refused


def the_simulated_target_names_what_it_lacks():
    for march, lacking in ("rv32imac_zba_zbb_zbs", "a, zba, zbb, zbs"), ("rv32imafdc", "a, f, d"), ("rv32ic_zfinx", "zfinx"):
        result = earshot("watch", built(march), "-e", "when out > 1")
        assert result.returncode == 2 and re.search(rf", without {lacking}; compile and link it with scripts/target-cc -march=rv32imc_zicsr_zifencei, ",
                                                    result.stderr), result.stderr
    result = earshot("watch", built_by_clang(ZC[2], "-Os"), "-e", "when out > 1")
    assert result.returncode == 2 and "without zcb, zcmp; compile" in result.stderr, result.stderr


def the_other_order_of_bytes_is_refused_as_such():
    """No -march makes the program little endian."""
    source, program = os.path.join(SCRATCH, "big.c"), os.path.join(SCRATCH, "big.elf")
    with open(source, "w", encoding="utf-8") as file:
        file.write("volatile int out;\nint main(void)\n{\n    out = 2;\n    return 0;\n}\n")
    subprocess.run(["scripts/target-cc", "-O2", "-mbig-endian", source, "-o", program], check=True)
    result = earshot("watch", program, "-e", "when out > 1")
    assert result.returncode == 2 and "big-endian" in result.stderr and "compile it without -mbig-endian" in result.stderr, result.stderr
    assert "-march" not in result.stderr, result.stderr


if __name__ == "__main__":
    sys.exit(run_all([statements_on_all_of_them, listed_alike, newer_compressed_instructions, pushes_are_refused_where_they_matter,
                      the_simulated_target_names_what_it_lacks, the_other_order_of_bytes_is_refused_as_such]))
