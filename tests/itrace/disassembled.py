#!/usr/bin/python3
"""disassembled.py PROGRAM.elf...: instructions in words, assembled by binutils, are the same instructions; targets of branches and jumps are those
that objdump has."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
ARCH = "rv32imafdc_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb"
LISTED = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]{4}|[0-9a-f]{8}) +\t(\S+)(?:\t(.*))?$", re.MULTILINE)
FLOW = re.compile(r"b\w+ |jal ")  # with an address in them
# one of each that the programs may not have
OTHERS = ["lr.w a0,(a1)", "sc.w a2,a3,(a4)", "fence.i", "ecall", "ebreak", "mret", "wfi", "flw ft0,-4(sp)", "fsd fs11,8(a0)", "fld fa7,0(a0)",
          "fsw fa0,12(s1)", "li a0,-1", "lui a0,0x80000", "auipc t6,0xfffff", "csrrw t0,0x340,t1", "csrrsi zero,0x300,8", "csrrci a0,0x304,31"]
OTHERS += [f"amo{op}.w a0,a1,(a2)" for op in ("swap", "add", "xor", "and", "or", "min", "max", "minu", "maxu")]
OTHERS += [f"{op}.{form} fa0,fa1,fa2" for op in ("fadd", "fsub", "fmul", "fdiv", "fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax") for form in "sd"]
OTHERS += [f"{op}.{form} ft8,ft9,ft10,ft11" for op in ("fmadd", "fmsub", "fnmsub", "fnmadd") for form in "sd"]
OTHERS += [f"{op}.{form} a0,fs0,fs1" for op in ("feq", "flt", "fle") for form in "sd"]
OTHERS += [f"{op}.{form} a0,fa0" for op in ("fclass", "fcvt.w", "fcvt.wu") for form in "sd"] + ["fcvt.s.w fa0,a0", "fcvt.d.wu fa0,a0", "fcvt.s.d ft0,ft1",
                                                                                            "fcvt.d.s ft0,ft1", "fsqrt.s fa0,fa1", "fsqrt.d fa0,fa1",
                                                                                            "fmv.x.w a0,fa0", "fmv.w.x fa0,a0"]
OTHERS += [f"{op} a0,a1,a2" for op in ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu", "sh1add", "sh2add", "sh3add", "andn", "orn", "xnor", "max",
                                       "maxu", "min", "minu", "rol", "ror", "bclr", "bext", "binv", "bset", "clmul", "clmulh", "clmulr", "pack", "packh",
                                       "sltu", "slt")]
OTHERS += [f"{op} a0,a1,7" for op in ("rori", "bclri", "bexti", "binvi", "bseti", "sltiu", "slti", "xori", "slli", "srai")]
OTHERS += [f"{op} a0,a1" for op in ("clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "orc.b", "rev8", "brev8", "zip", "unzip")]


def said(*command, **options):
    return subprocess.run(command, capture_output=True, check=True, text=True, **options).stdout


def assembled(lines):
    """The instructions that lines of assembly become, as objdump shows them."""
    source, made = os.path.join(FOLDER, "it.S"), os.path.join(FOLDER, "it.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    said(CROSS + "gcc", f"-march={ARCH}", "-mabi=ilp32d", "-Wa,-mno-relax", "-c", source, "-o", made)
    return [match[1] for match in LISTED.findall(said(CROSS + "objdump", "-d", "-M", "no-aliases", made))]


def in_words(instructions):
    """Of pairs of address and word."""
    return said(f"{BUILD}/tests/itrace/disassemble", ARCH, input="".join(f"{pc} {word}\n" for pc, word in instructions)).splitlines()


def others_are_the_same():
    words = assembled(OTHERS)
    assert len(words) == len(OTHERS)
    told = in_words([("0", word) for word in words])
    assert assembled(told) == words, [(line, text) for line, text, a, b in zip(OTHERS, told, words, assembled(told)) if a != b]


def programs_are_the_same():
    seen = {}
    for program in sys.argv[1:]:
        for pc, word, name, operands in LISTED.findall(said(CROSS + "objdump", "-d", "-M", "no-aliases", program)):
            if not name.startswith(".") and "unimp" not in name and name != "fence":
                seen.setdefault(word if not FLOW.match(name.replace("c.", "") + " ") else (pc, word), (pc, word, operands))
    words = list(seen.values())
    told = in_words([(pc, word) for pc, word, _ in words])
    told = [re.sub(r"^jalr (zero|ra),0\((\w+)\)$", lambda it: f"{'jr' if it[1] == 'zero' else 'jalr'} {it[2]}", text) for text in told]  # only so is it shortened
    straight = [(text, word) for text, (_, word, _) in zip(told, words) if not FLOW.match(text)]
    # where there is a shorter one the assembler takes it, also for what the program has in full
    again = assembled([f".option {'rvc' if len(word) == 4 else 'norvc'}\n{text}" for text, word in straight])
    wrong = [(text, word, found) for (text, word), found in zip(straight, again) if found != word]
    assert len(again) == len(straight) > 1000 and not wrong, wrong[:5]
    flow = [(text, word, operands) for text, (_, word, operands) in zip(told, words) if FLOW.match(text)]
    for text, word, operands in flow:
        target = re.search(r"([0-9a-f]+)(?: <.*>)?$", operands).group(1)
        assert text.endswith(f"0x{target}"), (text, operands)
    long = [(text, word) for text, word, _ in flow if len(word) == 8]
    again = assembled([".option norvc\n" + re.sub("0x[0-9a-f]+$", ".", text) for text, _ in long])
    masks = [0x1FFF07F if text.startswith("b") else 0xFFF for text, _ in long]
    assert [int(word, 16) & mask for word, mask in zip(again, masks)] == [int(word, 16) & mask for (_, word), mask in zip(long, masks)]
    print(f"{len(straight)} different instructions, {len(flow)} branches and jumps")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_all([others_are_the_same, programs_are_the_same]))
