#!/usr/bin/python3
"""Processes of nets as machines: complete traces of marks of message-passing programs fit them, and of firings that are deleted it is told which
they were; no state that is told as certain is wrong."""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import score

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
PROGRAMS = ["pipeline-2", "ring-2", "workers-2"]
CORES = 4
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
NAMESPACE = "{http://www.pnml.org/version-2009/grammar/pnml}"


def run(*arguments):
    return subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, timeout=300, check=True).stdout


def processes_of(path):
    """By transition: the name of its process."""
    root = ElementTree.parse(path).getroot()
    names = {p.get("number"): p.get("name") for p in root.iter(NAMESPACE + "process")}
    found = {}
    for transition in root.iter(NAMESPACE + "transition"):
        original, timing = transition.find(f".//{NAMESPACE}original"), transition.find(f".//{NAMESPACE}timing")
        found[transition.get("id") if original is None else original.get("id")] = names.get(timing.get("process"))
    return found


def without(rng, firings):
    """The lines of a trace of which bursts are lost, and what was lost: [(line number, firing)]."""
    lines, lost, at = [], [], 0
    while at < len(firings):
        if 40 < at < len(firings) - 40 and rng.random() < 0.01:
            gone = rng.randint(2, 8)
            lost += firings[at:at + gone]
            lines.append(json.dumps({"event": "gap", "processes": list(range(CORES))}))
            at += gone
            continue
        lines.append(json.dumps(firings[at]))
        at += 1
    return lines + ['{"event":"end"}'], lost


def look_at(results, firings, lost, process, name, problems):
    """How many stretches, and of how many the most likely alternative is what was lost."""
    stretches = [r for r in results if r["type"] == "stretch"]
    at = collections.defaultdict(set)
    for firing in firings:
        at[process[firing["transition"]], firing["time"]].add("after " + firing["transition"])
    known = collections.defaultdict(set)  # by machine: what it has as events
    for r in stretches:
        for alternative in r["alternatives"]:
            known[r["machine"]] |= {event["event"] for event in alternative["events"]}
    exact = 0
    for r in stretches:
        for time, state in ((r["begin"], r["from"]), (r["end"], r["to"])):
            if state not in at[r["machine"], time] and state != "begins":
                problems.append(f"{name}: {r['machine']} is not {state} at {time}")
        true = [f["transition"] for f in lost if process[f["transition"]] == r["machine"] and f["transition"] in known[r["machine"]] and
                r["begin"] <= f["time"] <= r["end"]]
        said = [event["event"] for event in r["alternatives"][0]["events"] if event["type"] == "inferred"] if r["alternatives"] else None
        exact += said == true
    return len(stretches), exact


def main():
    problems, all_stretches, all_exact = [], 0, 0
    for name in PROGRAMS:
        rng, elf = random.Random(f"{SEED} {name}"), os.path.join(BUILD, "mp", name + ".elf")
        with tempfile.TemporaryDirectory() as scratch:
            net, marks = os.path.join(scratch, "n.pnml"), os.path.join(scratch, "marks")
            run("net", "record", elf, "--cores", str(CORES), "-o", marks)
            run("net", "from-program", elf, "--cores", str(CORES), "-o", net)
            told = run("net", "from-program", elf, "--cores", str(CORES), "--complete", "--marks", marks)
            firings = [line for line in map(json.loads, told.splitlines()) if line["event"] == "firing"]
            with score.Written(told) as trace:
                summary = score.infer(trace, net)[-1]
            if summary["inconsistent"] or summary["certain"] < len(firings) / 2:
                problems.append(f"{name}: a complete trace does not fit: {summary}")
            lines, lost = without(rng, firings)
            with score.Written("\n".join(lines) + "\n") as trace:
                results = score.infer(trace, net)
            stretches, exact = look_at(results, firings, lost, processes_of(net), name, problems)
            print(f"{name}: {len(firings)} firings, {len(lost)} lost, {stretches} stretches, {exact} exact")
            all_stretches += stretches
            all_exact += exact
    with score.Written("<pnml") as path:
        os.rename(path, path + ".pnml")
        done = subprocess.run([EARSHOT, "infer", "/dev/null", "-m", path + ".pnml"], capture_output=True, text=True, check=False)
        os.rename(path + ".pnml", path)
        if done.returncode != 2:
            problems.append(f"a broken net: {done}")
    if all_exact < 0.6 * all_stretches or not all_stretches:
        problems.append(f"only {all_exact} of {all_stretches} are exact")
    for text in problems:
        print("wrong:", text[:500])
    print(f"{max(0, len(PROGRAMS) + 1 - len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
