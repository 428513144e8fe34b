#!/usr/bin/python3
"""riscv_tests.py DIR...: the tests of riscv-tests. DIR: a checkout of riscv-software-src/riscv-tests, or a folder with some of its sources.
Each is assembled for the simulated target and run on host/machine; what the reference target's processor has is run there, too, and compared
with it instruction by instruction, recorded and replayed."""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CC = os.environ.get("CROSS", "riscv64-unknown-elf-") + "gcc"
SETS = {  # folder: instruction set, whether the reference target has it
    "rv32ui": ("rv32i_zicsr_zifencei", True), "rv32um": ("rv32im_zicsr", True), "rv32uc": ("rv32imc_zicsr", True),
    "rv32ua": ("rv32ima_zicsr", False), "rv32uf": ("rv32imf_zicsr", False), "rv32ud": ("rv32imfd_zicsr", False),
    "rv32uzba": ("rv32i_zicsr_zba", False), "rv32uzbb": ("rv32i_zicsr_zbb", False), "rv32uzbc": ("rv32i_zicsr_zbc", False),
    "rv32uzbs": ("rv32i_zicsr_zbs", False), "rv32uzbkb": ("rv32i_zicsr_zbkb", False), "": ("rv32im_zicsr_zifencei", True)}
NOT_HERE = {("rv32ui", "ma_data"): "misaligned accesses are exceptions here", ("rv32ud", "move"): "moves doubles to registers of 64 bits"}


def said(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def assemble(source, folder, name, arch):
    elf = os.path.join(FOLDER, f"{name}-{os.path.basename(source)[:-2]}.elf")
    macros = os.path.join(folder, "..", "macros", "scalar") if name else folder
    done = subprocess.run([CC, f"-march={arch}", "-mabi=ilp32", "-g", "-nostdlib", "-static", "-Wl,--no-warn-rwx-segments", f"-I{HERE}/env", f"-I{macros}",
                           f"-T{HERE}/env/link.ld", "-include", f"{HERE}/env/riscv_test.h", "-D_ENV_PICORV32_TEST_H", *([] if name else ["-DTESTNUM=x28"]), source, "-o", elf],
                          capture_output=True, check=False, text=True)
    return (elf, None) if done.returncode == 0 else (None, done.stderr)


def replayed(elf):
    """Recorded from the simulated target's bus; all that was replayed is written down up to the store that ends it."""
    recording = elf + ".inputs"
    done = subprocess.run([f"{BUILD}/earshot", "record", elf, "--probe", "sim:cores=1", "--inputs", recording], capture_output=True, check=False, text=True)
    assert "the target's program ended" in done.stderr and done.returncode == 0, (elf, done.stdout, done.stderr)
    lines = said(f"{BUILD}/earshot", "export", recording, elf, "-f", "spike").splitlines()
    assert lines[-1].endswith(" mem 0x10000004 0x00000000"), (elf, lines[-1])
    return len(lines)


def test_of(folder, name):
    arch, on_target = SETS[name]

    def run():
        sources, elves, left = sorted(glob.glob(os.path.join(folder, "*.S"))), [], []
        for source in sources:
            short = os.path.basename(source)[:-2]
            elf, why = (None, NOT_HERE[name, short]) if (name, short) in NOT_HERE else assemble(source, folder, name, arch)
            (elves if elf else left).append(elf or f"{short}: {why}")
        assert elves, (folder, left)
        assert all(any(text in line for text in NOT_HERE.values()) for line in left), left
        print(f"{name or folder}: {len(elves)} tests" + "".join(f"\n  not {line}" for line in left))
        runs = [[f"{BUILD}/tests/riscv/machine", *elves]]
        if on_target:
            runs.append([f"{BUILD}/tests/machine/run_retired", *elves])
        for command in runs:
            done = subprocess.run(command, capture_output=True, check=False, text=True)
            print("  " + os.path.basename(command[0]) + ": " + ", ".join(done.stdout.splitlines()[-2:]))
            assert done.returncode == 0, done.stdout
        if on_target:
            print(f"  replayed: {sum(map(replayed, elves))} instructions")
    run.__name__ = name or os.path.basename(folder)
    return run


def tests_of(folder):
    if os.path.isdir(os.path.join(folder, "isa", "rv32ui")):
        return [test_of(os.path.join(folder, "isa", name), name) for name in SETS if name]
    return [test_of(folder, "")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_all([test for folder in sys.argv[1:] for test in tests_of(folder)]))
