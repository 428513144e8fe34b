#!/usr/bin/python3
"""`earshot net from-program` and `recover` on real runs: the times that the command line gives are the truth's."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
LATENCY = 16


def run(*command, given=None):
    done = subprocess.run([str(c) for c in command], input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def recovered_marks(text):
    """[(time, site)] of each core, of the totally recovered; and the summary. The ids of marks' transitions end in core.site."""
    cores, summary = collections.defaultdict(list), None
    for line in text.splitlines():
        event = json.loads(line)
        if event["event"] == "summary":
            summary = event
        mark = re.fullmatch(r"[a-z]+ (\d+)\.(\d+)( peer \d+)?( \(\d+\))?", event.get("transition", ""))
        if event["event"] == "recovered" and event["class"] == "totally" and mark and mark[0].split()[0] not in ("now", "wait"):
            cores[int(mark[1])].append((event["time"], int(mark[2])))
    return cores, summary


def complaint(program, cores, net):
    elf, bare = f"{BUILD}/mp/{program}.elf", f"{BUILD}/mp/{program}.bare.elf"
    made = [f"{BUILD}/earshot", "net", "from-program", elf, "-c", cores, "-l", LATENCY]
    options = ["-c", cores, "-l", LATENCY]
    marked, truth = run(f"{BUILD}/mp/trace", *options, elf)[1], run(f"{BUILD}/mp/trace", *options, "-t", bare, elf)[1]
    status, _, text = run(*made, "-o", net)
    if status:
        return text
    status, firings, text = run(*made, "--complete", "--marks", "-", given=marked)
    if status:
        return text
    status, out, text = run(f"{BUILD}/earshot", "net", "recover", "-", "-n", net, "--json", given=firings)
    got, summary = recovered_marks(out)
    true = collections.defaultdict(list)
    for line in truth.splitlines():
        event = json.loads(line)
        true[event["core"]].append((event["time"], event["site"]))
    if not summary:
        return text
    for core, marks in got.items():
        if marks != true[core][:len(marks)]:
            return f"core {core}: not the true times"
    if summary["changes"] == 0 and any(len(got[c]) != len(true[c]) for c in true):
        return "not all marks recovered"
    if program.split("-")[0] in ("pipeline", "ring", "stencil") and summary["changes"]:
        return "a change that cannot be"
    return None if any(got.values()) else "nothing recovered"


def refusals():
    """(what is wrong, arguments, input, words of the message)"""
    elf = f"{BUILD}/mp/ring-1.elf"
    yield ([], None, "which program?")
    yield ([elf, elf, "-c", 3], None, "2 programs for 3 cores")
    yield ([elf, "-c", 9], None, "--cores takes a number from 1 to 8")
    yield ([elf, "-l", 3], None, "--latency takes a number from 4")
    yield ([f"{BUILD}/mp/ring-1.bare.elf", "-c", 2], None, "is it a build without marks?")
    yield ([elf, "-c", 2, "--marks", "-"], '{"time": 3}\n', "-:1: error: no mark")
    yield ([elf, "-c", 2, "--marks", "-"], "junk", "-:1: error: no mark")
    line = '{"time": 100, "delay": 3, "core": 0, "id": 77, "value": 0, "site": 99}\n'
    yield ([elf, "-c", 2, "--marks", "-"], line, "the mark 77 of core 0 at 100 (site 99, value 0)")


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as work:
        for number, program in enumerate(["producer-1", "pipeline-2", "workers-0", "ring-1", "stencil-1", "corners-2"]):
            for cores in (2, 4, 7):
                text = complaint(program, cores, f"{work}/net{'.pnml' if number % 2 else '.net'}")
                passed, failed = passed + (text is None), failed + (text is not None)
                if text:
                    print(f"{program}, {cores} cores: {text}")
    for arguments, given, words in refusals():
        status, out, text = run(f"{BUILD}/earshot", "net", "from-program", *arguments, given=given)
        good = status == 2 and words in text and not out
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"{arguments}: {status} {text}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
