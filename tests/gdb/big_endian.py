#!/usr/bin/python3
"""The real gdb at a recording of a big-endian program, of which nobody tells it the order of bytes but the program's file: arguments in registers,
pairs of registers, structs, and memory, forwards and backwards, are what the same source prints where it runs natively."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../e2e")]
from harness import run_all  # noqa: E402
import in_registers  # noqa: E402
import serving  # noqa: E402

serving.EARSHOT = in_registers.BIG
TOLD = in_registers.native()
SCRATCH = tempfile.TemporaryDirectory()
# procedures, and their arguments as gdb has them where debuggers stop
PROCEDURES = {"wide": ("w_x", "w_k"), "minus": ("m_k", "m_x"), "narrow": ("n_a", "n_b", "n_c", "n_d", "n_e", "n_f"),
              "structs": ("t2.a", "t3.b", "t4.b", "t4.c", "tf.x", "tf.y", "tf.z"), "larger": ("t5.d", "t6.b", "t6.c", "t8.a", "t8.d"),
              "split": ("s_a", "s_g", "s_x"), "stacked": ("k_i", "k_j", "k_k.a", "k_k.c", "k_l.c", "k_m"), "doubled": ("d_x", "d_y")}


def program(level):
    path = os.path.join(SCRATCH.name, f"registers{level}.elf")
    if not os.path.exists(path):
        subprocess.run(["scripts/target-cc", "-mbig-endian", level, in_registers.SOURCE, "-o", path], check=True)
    return path


def compare(level, where, wanted, expressions):
    """wanted: for each expression its values, in their order."""
    found = serving.in_gdb(program(level), "expressions", where, expressions, server=serving.Recorded)
    rows = [list(row) for row in zip(*wanted)]
    assert found["forward"] == rows and len(rows) == in_registers.ROUNDS, (where, expressions, rows, found["forward"])
    assert found["backward"] == rows[::-1], (where, expressions, found["backward"])


def arguments_in_memory():
    for procedure, names in PROCEDURES.items():
        compare("-O0", procedure, [TOLD[procedure][f"{procedure}\\{name}"] for name in names], names)


def arguments_in_registers():
    """Of others debug information has what is not there yet."""
    for level in "-Og", "-O2":
        for procedure in "wide", "minus", "narrow" if level == "-Og" else "byte_of", "doubled":
            names = PROCEDURES.get(procedure, ("b_x",))
            compare(level, procedure, [TOLD[procedure][f"{procedure}\\{name}"] for name in names], names)


def registers_and_memory():
    """A pair's first register has the upper half; memory has the first byte of a number at its address."""
    wide = [int(value) for value in TOLD["wide"]["wide\\w_x"]]
    address = serving.symbol(program("-O2"), "wide")
    compare("-O2", f"*{address}", [[float(value >> 32) for value in wide], [float(value & 0xFFFFFFFF) for value in wide]],
            ["(unsigned)$a0", "(unsigned)$a1"])
    compare("-O0", "byte_of", [TOLD["byte_of"]["byte_of\\b_x"], [float(int(value) >> 24) for value in TOLD["byte_of"]["byte_of\\b_x"]]],
            ["b_x", "*(unsigned char *)&b_x"])


if __name__ == "__main__":
    sys.exit(run_all([arguments_in_memory, arguments_in_registers, registers_and_memory]))
