#!/usr/bin/python3
"""What pointers in registers point to, on the replay: that of the pointer's value at each hit, and nothing where that is not known. Truth: the
places of the program's objects (nm), and the same program without optimisation on the probe, which sees its pointers in memory."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli")]

from copies import hits  # noqa: E402
from harness import run_all  # noqa: E402

LEVELS = "O2", "Os", "Og"
SIZE = 12   # of a struct node


def program(folder, level, name="pointed"):
    path = os.path.join(folder, f"{name}-{level}.elf")
    subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", os.path.join(HERE, f"programs/{name}.c"), "-o", path], check=True)
    return path


def nodes(path):
    listed = subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", path], capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0], 16) for line in listed.splitlines() if line.endswith(" nodes"))


def places(found, name):
    """Where a hit's pointer points to, by time: a number, as JSON has it."""
    values = [(hit["cycle"], hit["values"][name]) for hit in found]
    return [(cycle, int(value["value"] if isinstance(value, dict) else value)) for cycle, value in values if value]


def as_the_pointer_says():
    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            path = program(folder, level)
            base = nodes(path)
            for name in "walk\\t", "walk\\q", "look\\w":
                at = places(hits(path, [f"write(sink) {{ print {name} }}"], "--replay"), name)
                assert len(at) > 3, (level, name, at)
                wanted = [(cycle, (value - base) // SIZE + 1) for cycle, value in at]
                told = [(hit["cycle"], hit["values"][name + "->v"]) for hit in hits(path, [f"write(sink) {{ print {name}->v }}"], "--replay")]
                assert told == wanted, (level, name, told, wanted)


def as_without_optimisation():
    with tempfile.TemporaryDirectory() as folder:
        for statement in ("enter(walk) { print walk\\t->v }", "enter(beyond) { print beyond\\k, first[beyond\\k].v }"):
            wanted = [(hit["path"], hit["values"]) for hit in hits(program(folder, "O0"), [statement], "--probe-only")]
            for level in LEVELS:
                told = [(hit["path"], hit["values"]) for hit in hits(program(folder, level), [statement], "--replay")]
                assert told == wanted, (level, told, wanted)


def as_freed():
    """Of a pointer whose object was freed nothing is told, whichever activation freed it; the program itself says when that is."""
    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            path = program(folder, level, "freed")
            for name, mine in ("walk\\t", lambda told: told < 400), ("gap\\p", lambda told: told >= 400):
                said = {hit["cycle"]: hit["values"] for hit in hits(path, [f"write(told) {{ print told, alive, holds, {name} }}"], "--replay")}
                told = {hit["cycle"]: hit["values"][name + "->v"] for hit in hits(path, [f"write(told) {{ print {name}->v }}"], "--replay")}
                wanted = {cycle: values["holds"] for cycle, values in said.items() if mine(values["told"]) and values["alive"] and values[name] is not None}
                assert told == wanted and len(said) > len(told) >= 2, (level, name, told, wanted)


if __name__ == "__main__":
    sys.exit(run_all([as_the_pointer_says, as_without_optimisation, as_freed]))
