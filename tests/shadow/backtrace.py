#!/usr/bin/python3
"""print backtrace: activations, places in them and inlined copies, in optimised code, are what gdb's bt says at the same moments of the same
program; on the replay, and on the monitor alone."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb")]

from harness import run_all  # noqa: E402
from serving import BUILD, EARSHOT, Recorded, in_gdb  # noqa: E402

FRAME = re.compile(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) .*? at (?:.*/)?([^/\s]+):(\d+)$")


def program(folder, level):
    path = os.path.join(folder, f"chain-{level}.elf")
    subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", os.path.join(HERE, "programs/chain.c"), "-o", path], check=True)
    return path


def told(path, statement, *options):
    command = [EARSHOT, "watch", path, "--json", "-e", statement, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    found = [hit["values"]["backtrace"] for hit in hits if hit["event"] == "hit"]
    assert found, done.stderr
    return found


def frames(text):
    """Outermost first: name, file, line."""
    return [re.fullmatch(r"(\w+)(?: inlined)? \((.*):(\d+)\)", part).groups() for part in text.split(" > ")]


def in_bt(text):
    found = [FRAME.match(line) for line in text.replace("\n    ", " ").splitlines() if line.startswith("#")]
    assert all(found), text
    return [match.groups() for match in reversed(found)]


def check(path, procedure, *jumped):
    """jumped: what gdb guesses to have ended with a jump to another one. The probe's path does not have them."""
    stops = in_gdb(path, "breakpoint", f"*{procedure}", server=Recorded)["forward"]
    wanted = [[frame for frame in in_bt(bt) if frame[0] not in jumped] for _, _, _, bt in stops]
    for options in (["--replay"], ["--probe-only"]):
        found = [frames(text) for text in told(path, f"when enter({procedure}) {{ print backtrace }}", *options)]
        assert found == wanted, (path, procedure, options, [pair for pair in zip(found, wanted) if pair[0] != pair[1]][:2], len(found), len(wanted))
    return wanted


def through_copies():
    with tempfile.TemporaryDirectory() as folder:
        for level in "O2", "Os", "Og":
            chains = check(program(folder, level), "leaf", *(["last"] if level != "Og" else []))
            assert len(chains) == 2 * 6 + 4 and any([name for name, _, _ in chain] == ["main", "middle", "outer", "inner", "through", "leaf"] for chain in chains)


def examples():
    for name, procedure in ("thermostat", "plant_step"), ("recursion", "fact"):
        for level in ("O2", "Og") if name == "thermostat" else ("Og",):
            path = os.path.join(BUILD, f"examples/{name}-{level}.elf")
            if re.search(rf" [Tt] {procedure}$", subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", path], capture_output=True, text=True,
                                                                  check=True).stdout, re.MULTILINE):
                check(path, procedure)


def beside_values():
    """With values before and after it, alone, and where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = program(folder, "O2")
        for statement in ("when write(sink) { print sink, backtrace }", "when write(sink) { print backtrace, sink, in }",
                          "when write(sink) { print backtrace; snapshot sink }", "when enter(leaf) { print leaf\\n, backtrace }"):
            assert len(told(path, statement)) == 16, statement
        late = told(path, "when sink unchanged for 1us { print backtrace }")
        assert set(late) == {None}, late


if __name__ == "__main__":
    sys.exit(run_all([through_copies, examples, beside_values]))
