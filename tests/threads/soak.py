#!/usr/bin/python3
"""soak.py COUNT [--seed N]: programs with threads of random sizes, compiled in random ways, each on all targets of `runs`: checksums as
with POSIX threads, clocks as the page says. With --seed that one alone."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/support")
import jobs

BUILD = os.environ.get("EARSHOT_BUILD", "build")
LIBRARY = [f"examples/threads/{name}" for name in ("kernel.c", "objects.c", "switch.S")]
SIZES = {  # parameters and between what they lie
    "sor": {"THREADS": (1, 9), "SIZE": (6, 20), "SWEEPS": (1, 5)},
    "pipeline": {"STAGES": (1, 12), "ITEMS": (1, 12), "ROOM": (1, 4), "WORK": (1, 60)},
    "producer": {"CONSUMERS": (1, 10), "ITEMS": (1, 24), "ROOM": (1, 6), "WORK": (8, 60)},
    "forkjoin": {"DEPTH": (0, 4), "WORK": (16, 60), "THREADS_WORK": (0, 1)},
    "convoy": {"THREADS": (1, 12), "ROUNDS": (1, 6), "WORK": (1, 60), "HELD": (1, 60)},
    "readwrite": {"READERS": (1, 7), "WRITERS": (1, 4), "ROUNDS": (1, 4), "WORK": (8, 40)},
    "urgent": {"WORKERS": (1, 9), "CARRIERS": (1, 4), "PARCELS": (1, 6), "WORK": (8, 60), "THREADS_PRIORITIES": (1, 4)},
    "mix": {"THREADS": (1, 9), "ROUNDS": (1, 5), "WORK": (1, 20), "ROOM": (1, 4), "THREADS_WORK": (0, 1)},
}
OPTIMISED = ["-O0", "-Og", "-O1", "-O2", "-Os", "-O3"]


def source_of(name):
    """Path of the program."""
    return f"tests/threads/programs/{name}.c" if name == "mix" else f"examples/threads/{name}.c"


def check(seed):
    """What went wrong with the program of a seed, or None."""
    draw = random.Random(seed)
    name = draw.choice(sorted(SIZES))
    defines = [f"-D{what}={draw.randint(*limits)}" for what, limits in SIZES[name].items()]
    level = draw.choice(OPTIMISED)
    with tempfile.TemporaryDirectory() as folder:
        for path in (source_of(name), "examples/threads/work.h"):
            shutil.copy(path, folder)
        native, target = f"{folder}/native", f"{folder}/target.elf"
        commands = [["gcc", "-O2", "-Itests/threads/native", *defines, f"{folder}/{name}.c", "tests/threads/native/threads.c", "-o", native, "-pthread"],
                    ["scripts/target-cc", level, "-Iexamples/threads", *defines, source_of(name), *LIBRARY, "-o", target],
                    [f"{BUILD}/tests/threads/run_runs", "--any", target, native]]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"--seed {seed}: {name} {' '.join(defines)} {level}: {(done.stdout + done.stderr).strip()}"
    return None


def main():
    """Prints what failed, and how to run that alone."""
    first = int(os.environ.get("EARSHOT_SEED", "1"))
    seeds = [int(sys.argv[3])] if sys.argv[2:3] == ["--seed"] else list(range(first, first + int(sys.argv[1])))
    wrong = [text for text in jobs.spread(check, seeds) if text]
    for text in wrong:
        print("FAIL", text)
    print(f"{len(seeds) - len(wrong)} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
