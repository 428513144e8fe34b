#!/usr/bin/python3
"""Marks through the probe (docs/marks.md, "From tap to host"), and what is left when some are lost.

What the probe hands on is what the taps see, byte for byte, for all programs, densities and numbers of cores. On a probe that is too slow, what
comes is part of that, and the gaps name when the rest was lost and whose it is. Where marks of one core are lost, what is still called certain
is true; cores that have not heard of the loss are still certain, and in the end those that have are again, and it as well.
"""
import json
import os
import random
import subprocess
import sys

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = f"{BUILD}/earshot"
MP = f"{BUILD}/mp"
PROGRAMS = ("producer", "pipeline", "workers", "ring", "stencil")
OWN = ("grant", "take ", "put", "ok ", "arrive", "credit", "store", "ring ", "now", "wait")  # no marks

passed = failed = 0


def check(what, good, detail=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {what} {detail}"[:2000])


def run(*command, given=None):
    return subprocess.run([str(c) for c in command], input=given, capture_output=True, text=True, check=False)


def record(elf, cores, *options):
    done = run(EARSHOT, "net", "record", elf, "--cores", cores, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def same_as_taps():
    for number, program in enumerate(PROGRAMS):
        for cores in range(2, 9):
            for kind in (f"{program}-{(number + cores) % 3}", f"{program}-{cores % 2}.pad"):
                for option in ((), ("--stores",)):
                    elf = f"{MP}/{kind}.elf"
                    taps = record(elf, cores, "--taps", *option)
                    check(f"{kind} on {cores} cores {option}: as the taps see it", taps.count("\n") > 20
                          and taps == record(elf, cores, *option))


def slow_probe(work):
    """With one clock of the probe for each of the bus, marks come faster than they are told."""
    elf, cores = f"{MP}/long.elf", 8
    taps, recording = objects(record(elf, cores, "--taps")), f"{work}.probe"
    text = record(elf, cores, "--ratio", 1, "--record", recording)
    got = objects(text)
    check("a recording is the run again", text == record(elf, cores, "--probe", f"file:{recording}"))
    check("the target runs as without a probe", [m for m in got if "time" in m][-1]["time"] <= taps[-1]["time"])
    at, gaps, missing = 0, [], 0
    for event in got:
        if event.get("event") == "gap":
            gaps.append(event)
            continue
        lost = []
        while at < len(taps) and taps[at] != event:
            lost.append(taps[at])
            at += 1
        check("a mark that the taps saw", at < len(taps), event)
        at += 1
        missing += len(lost)
        for mark in lost:
            if not any(g["first"] <= mark["time"] <= g["last"] + 1 and mark["core"] in g["cores"] for g in gaps):
                check("a gap names each mark that is missing", False, (mark, gaps))
        if lost:
            gaps = []
    check("marks were lost, and not all", 1000 < missing < len(taps) - 1000, (missing, len(taps)))
    live = run(EARSHOT, "watch", elf, "--net", f"{work}.pnml", "--cores", cores, "--ratio", 1, "--json", "--fail-on-loss")
    check("--fail-on-loss", live.returncode == 4, live.stderr)
    return elf, cores, got


def recovered(elf, cores, trace, net):
    firings = run(EARSHOT, "net", "from-program", elf, "--cores", cores, "--complete", "--marks", "-",
                  given="".join(json.dumps(line) + "\n" for line in trace))
    check("the net's game goes on after a gap", firings.returncode == 0, firings.stderr)
    done = run(EARSHOT, "net", "recover", "-", "-n", net, "--json", given=firings.stdout)
    check("and so does recovery", done.returncode == 0, done.stderr)
    return [e for e in objects(done.stdout) if e["event"] == "recovered" and not e["transition"].startswith(OWN)]


def judge(what, events, marks, truth, since, core):
    """Certain events have the true time. How many other cores' events after the loss are certain, and how many of its own."""
    times, order = {}, {}
    for mark, true in zip(sorted(marks, key=lambda m: (m["core"], m["time"])), sorted(truth, key=lambda m: (m["core"], m["time"]))):
        assert (mark["core"], mark["site"]) == (true["core"], true["site"])
        times[mark["core"], mark["time"]] = true["time"]
        order[mark["core"], mark["time"]] = mark["site"]
    wrong = [e for e in events if e["class"] == "totally" and times[e["process"], e["observed"]] != e["time"]]
    check(f"{what}: what is certain is true", not wrong, wrong[:3])
    certain = [e for e in events if e["class"] == "totally" and e["observed"] > since]
    own = sum(e["process"] == core for e in certain)
    return len(certain) - own, own


def one_core(program, cores, net):
    elf, bare = f"{MP}/{program}-1.elf", f"{MP}/{program}-1.bare.elf"
    marks = objects(record(elf, cores, "--taps"))
    truth = objects(record(elf, cores, "--truth", bare))
    run(EARSHOT, "net", "from-program", elf, "--cores", cores, "-o", net)
    certain = again = after = 0
    for seed in range(8):
        chance = random.Random(seed * 100 + cores)
        core = chance.randrange(cores)
        mine = [i for i, m in enumerate(marks) if m["core"] == core]
        first = chance.randrange(1, len(mine))
        gone = mine[first:first + chance.choice((1, 1, 2, 7))]
        trace = [m for i, m in enumerate(marks) if i not in gone]
        trace.insert(gone[0], {"event": "gap", "cores": [core], "first": marks[gone[0]]["time"], "last": marks[gone[-1]]["time"],
                               "lost": len(gone), "where": "bus"})
        what = f"{program} on {cores} cores, core {core} loses {len(gone)} marks from its {first}th on"
        events = recovered(elf, cores, trace, net)
        check(f"{what}: all others are told", len(events) == len(marks) - len(gone), (len(events), len(marks), len(gone)))
        others, own = judge(what, events, marks, truth, marks[gone[0]]["time"], core)
        certain, again = certain + others, again + own
        after += sum(e["observed"] > marks[gone[0]]["time"] for e in events)
    check(f"{program} on {cores} cores: others stay certain for a while", certain > 8, certain)
    check(f"{program} on {cores} cores: certain again", again > 8 and 4 * (certain + again) > after, (again, certain, after))


def main():
    work = f"{MP}/losses"
    same_as_taps()
    run(EARSHOT, "net", "from-program", f"{MP}/long.elf", "--cores", 8, "-o", f"{work}.pnml")
    elf, cores, got = slow_probe(work)
    events = recovered(elf, cores, got, f"{work}.pnml")
    by_class = {c: sum(e["class"] == c for e in events) for c in ("totally", "lost")}
    check("after the losses of all nothing is certain, before them all", by_class["totally"] > 100 and by_class["lost"] > 100, by_class)
    for program in ("pipeline", "ring", "stencil"):
        for cores in (3, 8):
            one_core(program, cores, f"{work}.pnml")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
