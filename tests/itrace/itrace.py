#!/usr/bin/python3
"""itrace.py PROGRAM.elf...: instruction traces of recordings against what the target's retire port says, line by line."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
PROGRAMS = sys.argv[1:]
TEXT = re.compile(r" *(\d+) +(\d+\.\d{4}) ms  ([0-9a-f]{8})  ([0-9a-f]{4}|[0-9a-f]{8})  +(\S+)(.*?)(?:  # (\S+):(\d+))?$")


def said(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def export(program, *options):
    return said(EARSHOT, "export", os.path.join(FOLDER, os.path.basename(program)), program, *options).splitlines()


def retired(program):
    return [line.split() for line in said(os.path.join(BUILD, "tests/itrace/retired"), program).splitlines()]


def as_spike(it):
    """A line of Spike's commit log (riscv-isa-sim, riscv/execute.cc) of what retired."""
    pc, insn, rd, value, read, write, _ = it
    insn = insn if int(insn[-1], 16) & 3 == 3 else insn[4:]
    line = f"core   0: 3 0x{pc} (0x{insn})"
    line += f" x{rd:<2} 0x{value}" if rd != "0" else ""
    line += f" mem 0x{read}" if read != "-" else ""
    return line + ("" if write == "-" else " mem 0x{} 0x{}".format(*write.split(":")))


def same(told, wanted):
    """Digits that are not known are shown as ?."""
    return told == wanted or (len(told) == len(wanted) and all(a in (b, "?") for a, b in zip(told, wanted)))


def compare(program):
    """How many lines there were, digits that are not known, and instructions that raised exceptions, which have no line."""
    wanted, told, at, raised = retired(program), export(program, "--format", "spike"), 0, 0
    for i, it in enumerate(wanted):
        if at < len(told) and same(told[at], as_spike(it)):
            at += 1
            continue
        assert i + 1 < len(wanted) and wanted[i + 1][-1] == "1", (program, i, as_spike(it), told[at] if at < len(told) else None)
        raised += 1
    assert at == len(told), (program, at, len(told))
    return at, sum(line.count("?") for line in told), raised


def spike_is_as_retired():
    total = 0
    for program in PROGRAMS:
        lines, unknown, raised = compare(program)
        exceptions = sum(" exception " in line for line in export(program, "--format", "instructions"))
        assert raised == exceptions, (program, raised, exceptions)
        # only what is made of the cycle counter, and polls of what may be pending, may stay unknown
        most = lines // 4 if "corners" in program or "torture" in program else 0
        assert lines > 10000 and unknown <= most, (program, lines, unknown)
        total += lines
    print(f"{total} lines are as retired")


def text_has_the_same():
    """Numbers, places, encodings, interrupts; procedures and lines as binutils have them."""
    program = next(path for path in PROGRAMS if "tasks-O2" in path)
    wanted, lines = retired(program), export(program, "--format", "instructions")
    traps = [line for line in lines if not TEXT.fullmatch(line)]
    told = [TEXT.fullmatch(line).groups() for line in lines if TEXT.fullmatch(line)]
    assert len(told) == len(wanted)
    assert len(traps) == sum(it[-1] == "1" for it in wanted) > 10 and all("interrupt 7" in line for line in traps), traps[:3]
    for i, (line, it) in enumerate(zip(told, wanted)):
        assert (int(line[0]), line[2], int(line[3], 16)) == (i, it[0], int(it[1], 16)), (line, it)
    assert all(float(a[1]) <= float(b[1]) for a, b in zip(told, told[1:]))
    places = sorted({line[2] for line in told})
    found = said("riscv64-unknown-elf-addr2line", "-f", "-e", program, *places).splitlines()
    names = {place: (found[2 * i], found[2 * i + 1]) for i, place in enumerate(places)}
    for line in told:
        procedure, place = names[line[2]]
        if procedure != "??" and "?" not in place and ":0" not in place and line[6]:
            file, number = place.rsplit("/", 1)[-1].split(" ")[0].split(":")
            assert (line[6], line[7]) == (file, number), (line, place)


def parts_make_the_whole():
    program = next(path for path in PROGRAMS if "nested-Og" in path)
    for form in "spike", "instructions":
        whole = export(program, "--format", form)
        parts = [line for a, b in (("start", "12345"), ("12345", "70001"), ("70001", "end"))
                 for line in export(program, "--format", form, "--from", a, "--to", b)]
        assert parts == whole, next((a, b) for a, b in zip(parts, whole) if a != b)


def closed_pipes_are_no_errors():
    program = next(path for path in PROGRAMS if "nested-Og" in path)
    command = f"{EARSHOT} export {os.path.join(FOLDER, os.path.basename(program))} {program} -f spike | head -n 3"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False, text=True)
    assert len(done.stdout.splitlines()) == 3 and not done.stderr, done
    done = subprocess.run([EARSHOT, "export", os.path.join(FOLDER, os.path.basename(program)), program, "-f", "spike", "-o", "/dev/full"],
                          capture_output=True, check=False, text=True)
    assert done.returncode == 5 and "/dev/full: cannot be written" in done.stderr, done


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        for elf in PROGRAMS:
            said(EARSHOT, "record", elf, "--probe", "sim:cores=1", "--inputs", os.path.join(FOLDER, os.path.basename(elf)))
        sys.exit(run_all([spike_is_as_retired, text_has_the_same, parts_make_the_whole, closed_pipes_are_no_errors]))
