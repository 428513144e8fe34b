#!/usr/bin/python3
"""`earshot why` of memory that others change: a DMA device, whose writes' clocks follow from the stores that began it; other cores, whose stores
their own retire logs have. What it says of who and when is held against these."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
EARSHOT = os.path.join(BUILD, "earshot")
CLOCK = 1e-7   # seconds
DMA = {name: 0x10003000 + offset for name, offset in (("destination", 4), ("control", 8), ("count", 12))}
TABLE = [3, 1, 4, 1, 5, 9, 2, 6]
FOREIGN = re.compile(r"changed by something else than the program, (?:before|between ([\d.]+) (\S+) and) ([\d.]+) (\S+)")
UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}
SCRATCH = tempfile.TemporaryDirectory()


def recorded(program, target):
    recording = os.path.join(SCRATCH.name, os.path.basename(program) + target.replace(",", "-"))
    done = subprocess.run([EARSHOT, "record", program, "--probe", f"sim:{target}", "--inputs", recording], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return recording


def why(recording, program, question):
    """All that it says came in from outside: what, and how."""
    done = subprocess.run([EARSHOT, "why", recording, program, question, "--json", "--most", "200"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, (question, done.stderr)
    return {(value["value"], value["end"]) for line in json.loads(done.stdout)["lines"] if "jumped" not in line for value in line["of"] if "end" in value}


def stores(program, target):
    """(core, clock, address, word) of all stores."""
    log = subprocess.run([f"{BUILD}/shared-run", "-q", "-t", target, "--stores", "-l", "-", program], capture_output=True, text=True, check=True).stdout
    for line in log.splitlines():
        core, _, ended, _, *store = line.split()
        if store:
            yield int(core), int(ended), int(store[0], 16), int(store[2], 16)


def symbols(program):
    lines = subprocess.run([CROSS + "nm", program], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}


def by_dma(program):
    """Clocks in which the device writes a word, by its address, as docs/target.md has it."""
    written, registers = {}, {}
    for _, clock, address, word in stores(program, "cores=1"):
        if address == DMA["count"]:
            for i in range(word):   # read and written, then the pause
                written.setdefault(registers[DMA["destination"]] + 4 * i, []).append(clock + 2 + i * (2 + (registers[DMA["control"]] >> 8)))
        registers[address] = word
    return written


def bounds(end):
    found = FOREIGN.fullmatch(end)
    assert found, end
    low = float(found.group(1)) * UNITS[found.group(2)] if found.group(1) else 0
    return low, float(found.group(3)) * UNITS[found.group(4)]


def check_time(end, clocks):
    low, high = bounds(end)
    slack = 1e-9 + high * 1e-4   # of its rounded numbers
    assert any(low - slack <= clock * CLOCK <= high + slack for clock in clocks), (end, [clock * CLOCK for clock in clocks])


def dma():
    for level in "O0", "Og", "O2":
        program = f"{BUILD}/examples/dma-{level}.elf"
        recording, written, at = recorded(program, "cores=1"), by_dma(program), symbols(program)
        for i, value in enumerate(TABLE):
            (told, end), = why(recording, program, f"copied[{i}] at end")
            assert told == f"copied[{i}] = {value}", told
            check_time(end, written[at["copied"] + 4 * i])
        (_, end), = why(recording, program, "level at end")
        check_time(end, written[at["level"]])
        assert len(written[at["level"]]) == 2
        assert bounds(end)[0] > 0   # it was read once before
        samples = [(told, end) for told, end in why(recording, program, "highest at end") if told.startswith("samples")]
        assert samples, level
        for told, end in samples:
            half, i = map(int, re.match(r"samples\[(\d+)\]\[(\d+)\] = ", told).groups())
            check_time(end, written[at["samples"] + 64 * half + 4 * i])
        assert not any("something else" in end for _, end in why(recording, program, "filled at end")), level


def cores():
    """A counter that all cores raise under a mutex: one core's last value of it has come from another's store, or is its own."""
    program, target = f"{BUILD}/tests/threads/convoy.elf", "cores=4"
    entries, foreign = symbols(program)["entries"], 0
    all_stores = list(stores(program, target))
    for core in range(4):
        recording = recorded(program, f"{target},core={core}")
        for told, end in why(recording, program, "entries at end"):
            if not told.startswith("entries = "):
                continue
            value = int(told.split()[-1])
            clocks = [clock for who, clock, address, word in all_stores if who != core and address == entries and word == value]
            foreign += 1
            check_time(end, clocks)
    assert foreign, "no core heard that another has stored"


def found():
    """What another core has stored before this one read it first is not said to be changed, and not to be its own."""
    program = f"{BUILD}/tests/threads/convoy.elf"
    at = symbols(program)["threads"]
    recording = recorded(program, "cores=2,core=1")
    own = {address for core, _, address, _ in stores(program, "cores=2") if core == 1}
    (told, end), = why(recording, program, "threads[2].argument at end")
    assert end == "memory that the program had not written when it first read it", (told, end)
    value = int(told.split()[-1], 0)
    by_others = {address for core, _, address, word in stores(program, "cores=2") if core == 0 and at <= address < at + 1024 and word == value}
    assert by_others - own, told


if __name__ == "__main__":
    sys.exit(run_all([dma, cores, found]))
