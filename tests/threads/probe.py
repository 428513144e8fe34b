#!/usr/bin/python3
"""The probe at one core of a target with several: what it tells of that core's code and stores is what that core retired, at the same
clocks, whatever the other cores do meanwhile. The same on the replay of that core's inputs, live and from a recording, which tells
arguments in registers, too, and what it reads of memory that others have written."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/support")
import jobs

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CASES = [  # program, target, cores to listen to
    ("convoy", "cores=4", (0, 1, 3)),
    ("readwrite", "cores=8,ports=data", (0, 5)),
    ("fine", "cores=3,ports=one,wait=1", (0, 2)),
]
ENTERED = ["mutex_lock", "queue_send", "thread_ready", "scheduler", "thread_idle"]
MAIN_CODE = 0x800  # before is the start-up code, whose clearing of memory is no event
ARGUMENTS = {"mutex_lock": ("m", "a0"), "queue_send": ("word", "a1"), "thread_ready": ("which", "a0")}  # in registers: a0 is x10
READ = {"convoy": "entries", "readwrite": "reads", "fine": None}
WRITTEN = {"convoy": "entries", "readwrite": "reads", "fine": None}


def symbols(program):
    """Addresses by name."""
    lines = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines}


def retired(program, target):
    """(core, clock of the fetch, clock of the end, pc, store or None) of each instruction, in order."""
    log = subprocess.run([f"{BUILD}/shared-run", "-q", "-t", target, "--stores", "-l", "-", program], capture_output=True, text=True, check=True)
    for line in log.stdout.splitlines():
        core, fetched, ended, pc, *store = line.split()
        yield int(core), int(fetched), int(ended), int(pc, 16), [int(word, 16) for word in store]


def expected(program, target, core, written):
    """Hits of core's code: (clock, statement, value)."""
    at = symbols(program)
    entries = {at[name]: name for name in ENTERED if name in at}
    own = [record for record in retired(program, target) if record[0] == core]
    for _, fetched, ended, pc, store in own:
        if pc in entries:
            yield fetched, entries[pc], None
        if written and store and store[0] == at[written] and pc >= MAIN_CODE:
            assert store[1] == 15
            yield ended, "stored", store[2]


def told(program, target, core, written):
    """What the probe at this core tells."""
    at = symbols(program)
    statements = [word for name in ENTERED if name in at for word in ("-e", f"{name}: when enter({name})")]
    if written:
        statements += ["-e", f"stored: when write({written}) {{ print {written} }}"]
    run = subprocess.run([f"{BUILD}/earshot", "watch", program, "--json", "--probe", f"sim:{target},core={core}", *statements],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for record in map(json.loads, run.stdout.splitlines()):
        if record["event"] == "hit":
            yield record["cycle"], record["statement"], record["values"].get(written)
        assert record["event"] not in ("gap", "lost"), record


def check(case):
    """What went wrong, or None; and the hits."""
    name, target, core = case
    program = f"{BUILD}/tests/threads/{name}.elf"
    want, got = sorted(expected(program, target, core, WRITTEN[name]), key=str), sorted(told(program, target, core, WRITTEN[name]), key=str)
    return compare(case, want, got)


def compare(case, want, got):
    if want == got and want:
        return None, len(got)
    missing, invented = [hit for hit in want if hit not in got][:3], [hit for hit in got if hit not in want][:3]
    return f"{case}: {len(want)} hits expected, {len(got)} told; missing {missing}, invented {invented}", 0


def executed(program, target, core, variable):
    """What the replay has to tell, in order: (statement, value)."""
    at = symbols(program)
    entries = {at[name]: name for name in ARGUMENTS if name in at}
    registers = [0] * 32
    log = subprocess.run([f"{BUILD}/shared-run", "-q", "-t", target, "--stores", "--sets", "-l", "-", program], capture_output=True, text=True, check=True)
    for line in log.stdout.splitlines():
        number, _, _, pc, *rest = line.split()
        if int(number) != core:
            continue
        pc = int(pc, 16)
        if pc in entries:
            yield entries[pc], registers[int(ARGUMENTS[entries[pc]][1][1:]) + 10]
        if rest and rest[0].startswith("x"):
            registers[int(rest[0][1:])] = int(rest[1], 16)
        elif variable and len(rest) == 3 and int(rest[0], 16) == at[variable] and pc >= MAIN_CODE:
            yield "stored", int(rest[2], 16)


def on_the_replay(program, probe, core, variable):
    at = symbols(program)
    statements = [word for name, (argument, _) in ARGUMENTS.items() if name in at for word in ("-e", f"{name}: when enter({name}) {{ print {name}\\{argument} }}")]
    if variable:
        statements += ["-e", f"stored: when write({variable}) {{ print {variable} }}"]
    run = subprocess.run([f"{BUILD}/earshot", "watch", program, "--json", "--replay", "--probe", probe, "--task", f"running[{core}]", *statements], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for record in map(json.loads, run.stdout.splitlines()):
        assert record["event"] not in ("gap", "lost"), record
        if record["event"] == "hit":
            value, = record["values"].values()
            yield record["statement"], int(value, 16) if isinstance(value, str) else value


def check_replay(case):
    """The same of the replay: live, and from a recording."""
    name, target, core = case
    program, probe = f"{BUILD}/tests/threads/{name}.elf", f"sim:{target},core={core}"
    want = list(executed(program, target, core, READ[name]))
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "inputs")
        done = subprocess.run([f"{BUILD}/earshot", "record", program, "--probe", probe, "--inputs", recording], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for how in probe, f"file:{recording}":
            wrong, hits = compare((case, how), want, list(on_the_replay(program, how, core, READ[name])))
            if wrong:
                return wrong, 0
    return None, 2 * hits


def main():
    """Runs all, and prints what failed."""
    cases = [(name, target, core) for name, target, cores in CASES for core in cores]
    results = list(jobs.spread(check, cases)) + list(jobs.spread(check_replay, cases))
    for wrong, _ in results:
        if wrong:
            print("FAIL", wrong)
    failed = sum(wrong is not None for wrong, _ in results)
    print(f"{sum(hits for _, hits in results)} hits as retired")
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
