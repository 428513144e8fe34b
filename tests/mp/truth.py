#!/usr/bin/python3
"""Message-passing programs with marks and without, on the simulated multi-core target.

usage: truth.py              the tests
       truth.py FOLDER       writes the traces of all programs, densities and core counts to FOLDER: NAME.marked.jsonl and NAME.truth.jsonl

The tests hold the truth (when the program without marks passed the marks' places) against what the marked run and tests/mp/model.py say it
was: the model's constants are those that docs/marks.md gives, so a clock too many anywhere in target, library or document fails here."""
import os
import subprocess
import sys

import model

BUILD = os.environ.get("EARSHOT_BUILD", "build")
PROGRAMS = ["producer", "pipeline", "workers", "ring", "stencil", "corners"]
ORDERED = ["pipeline", "ring", "stencil"]  # programs that do the same in whatever time


def trace(*options):
    done = subprocess.run([f"{BUILD}/earshot", "net", "record", *map(str, options)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"record {' '.join(map(str, options))}: {done.stderr}")
    return done.stdout


def traces(program, density, kind, cores, latency):
    """What the taps see of the marked run, and the truth."""
    name = f"{BUILD}/mp/{program}-{density}"
    options = ["-c", cores, "-l", latency]
    return trace(*options, f"{name}{kind}.elf"), trace(*options, "-t", f"{name}.bare.elf", f"{name}{kind}.elf")


def ends_alike(change, truth):
    """The truth takes the other way at the change, and no other."""
    event = truth[change.core][change.index]
    if event.id == model.ANY_FOUND:
        return event.value == change.recovered != change.observed
    return (event.id == model.RECV_BEGIN) == change.recovered != change.observed and event.id in (model.RECV_BEGIN, model.TEST_NONE)


def complaint(program, density, kind, cores, latency):
    """What is wrong with one pair of runs, or None; and whether there was a behavioural change."""
    marked, truth = (model.read(text) for text in traces(program, density, kind, cores, latency))
    for name, events in (("marked", marked), ("truth", truth)):
        wrong = model.misfits(events, latency)
        if wrong:
            return f"{name}: {wrong[0]}", False
    delay = 3 + (50 if kind else 0)
    for core, events in marked.items():
        if any(e.end - e.begin != delay for e in events):
            return f"core {core}: a mark does not take {delay} clocks", False
    times, change = model.recover(marked, latency)
    for core, recovered in times.items():
        if recovered != [e.end for e in truth[core][:len(recovered)]]:
            return f"core {core}: recovered times are not the true ones", False
        if [e[3:] for e in marked[core][:len(recovered)]] != [e[3:] for e in truth[core][:len(recovered)]]:
            return f"core {core}: other marks or values", False
    if change:
        if program in ORDERED:
            return f"a change that cannot be: {change}", True
        if not ends_alike(change, truth):
            return f"a change that is none: {change}", True
    elif any(len(times[core]) != len(truth[core]) for core in truth):
        return "not all events recovered", False
    return None, change is not None


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for program in PROGRAMS:
        for density in range(3):
            for kind in ("", ".pad"):
                for cores in range(2, 9):
                    pair = traces(program, density, kind, cores, 16)
                    for name, text in zip(("marked", "truth"), pair):
                        with open(f"{folder}/{program}-{density}{kind}-{cores}.{name}.jsonl", "w", encoding="utf-8") as out:
                            out.write(text)


def main():
    if len(sys.argv) == 2:
        return write(sys.argv[1])
    passed = failed = changes = 0
    for program in PROGRAMS:
        for density in range(3):
            for kind in ("", ".pad"):
                for cores, latency in ((2, 4), (2, 60), (3, 16), (4, 5), (5, 16), (8, 16)):
                    text, changed = complaint(program, density, kind, cores, latency)
                    changes += changed
                    passed, failed = passed + (text is None), failed + (text is not None)
                    if text:
                        print(f"{program}-{density}{kind}, {cores} cores, latency {latency}: {text}")
    # Both kinds of result must have come up, or the programs show nothing.
    shown = 20 <= changes <= passed - 50
    print(f"{changes} runs with a behavioural change")
    print(f"{passed + shown} passed, {failed + (not shown)} failed")
    return failed or not shown


if __name__ == "__main__":
    sys.exit(main())
