#!/usr/bin/python3
"""Truth for `path~`: co-simulated programs, heard by a probe that is too slow for their bus and loses accesses. Another run of the same, with a
probe that loses nothing, says what the paths were. The tables of docs/infer.md are made by this: paths [--soak | --write]"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

import score

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
PAGE = "docs/infer.md"
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
PROGRAMS = ["thermostat-O0", "thermostat-O2", "interrupts-O0", "nested-Og", "nested-O0", "recursion-O0"]
QUICK = [("thermostat-O0", "calls", 2), ("interrupts-O0", "calls", 3), ("thermostat-O0", "some calls", 1), ("nested-Og", "writes", 2)]
BOUNDS = [0, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1.01]


def program(name):
    return os.path.join(BUILD, "examples", name + ".elf")


def statements_of(name, kind):
    """All calls and returns, those of every third procedure, or writes to all variables."""
    calls = subprocess.run([EARSHOT, "infer", "--statements", program(name)], capture_output=True, text=True, check=True).stdout
    if kind == "calls":
        return calls
    lines = calls.splitlines()
    if kind == "some calls":
        return "\n".join(lines[i] for i in range(len(lines)) if i // 2 % 3 == 1) + "\n"
    listed = subprocess.run([EARSHOT, "list", program(name), "--json"], capture_output=True, text=True, check=True).stdout
    variables = [v["name"] for v in map(json.loads, listed.splitlines()) if v["kind"] == "variable" and v["place"] == "memory"]
    return "".join(f"write_{i}: when write({name}) {{ print }}\n" for i, name in enumerate(variables))


def records_of(name, statements, *options):
    done = subprocess.run([EARSHOT, "watch", program(name), "-s", statements, "-j", "-q", *options], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def names(path):
    return tuple(path) if path is not None else None


class Tally:
    """What was said of paths that were not known, and what is so."""

    def __init__(self):
        self.losses = self.unknown = self.inferred = self.first = self.usual = self.only = self.wrong_only = self.by_itself = 0
        self.said = []  # (probability, is it so) of what is not the only one

    def add(self, other):
        for key, value in vars(other).items():
            setattr(self, key, getattr(self, key) + value)

    def line(self, label):
        def share(part):
            return f"{100 * part / self.inferred:.1f}" if self.inferred else "-"
        sure = [is_so for said, is_so in self.said if said >= 0.9]
        right = f"{100 * sum(sure) / len(sure):.1f}" if sure else "-"
        return f"| {label} | {self.losses} | {self.unknown} | {self.inferred} | {share(self.first)} | {share(self.usual)} | {self.only} | {len(sure)} | {right} |"


def measure(name, kind, ratios, seed, problems):
    """Runs it whole and with losses."""
    tally = Tally()
    with score.Written(statements_of(name, kind)) as statements:
        whole = records_of(name, statements, "--seed", str(seed))
        if any(record["event"] in ("inferred", "gap") for record in whole):
            problems.append(f"{name}, {kind}: something is lost or inferred where nothing is lost")
        truth = {(hit["cycle"], hit["statement"]): names(hit["path"]) for hit in whole if hit["event"] == "hit"}
        for ratio in ratios:
            look_at(records_of(name, statements, "--seed", str(seed), "--ratio", str(ratio)), truth, tally, f"{name}, {kind}, ratio {ratio}, seed {seed}", problems)
    return tally


def look_at(records, truth, tally, label, problems):
    number, hits, seen = 0, {}, collections.defaultdict(collections.Counter)
    guesses = {}  # by hit: the path that was most frequent there before
    for record in records:
        if record["event"] == "gap":
            tally.losses += 1
        elif record["event"] == "hit":
            number += 1
            hits[number] = record
            place = record["statement"], record["file"], record["line"]
            if record["path"] is not None:
                seen[place][names(record["path"])] += 1
                continue
            tally.unknown += 1
            guesses[number] = seen[place].most_common(1)[0][0] if seen[place] else None
        elif record["event"] == "inferred":
            hit = hits[record["hit"]]
            if hit["path"] is not None or (hit["cycle"], hit["statement"]) != (record["cycle"], record["statement"]) or record["hit"] not in guesses:
                problems.append(f"{label}: {record} is of {hit}")
                continue
            count(record, truth.get((hit["cycle"], hit["statement"])), guesses.pop(record["hit"]), tally, label, problems)


def count(record, true, usual, tally, label, problems):
    said = [(names(p["path"]), p["probability"]) for p in record["path~"]]
    total = sum(p for _, p in said) + record["other"]
    if not said or abs(total - 1) > 1e-6 or said != sorted(said, key=lambda item: -item[1]):
        problems.append(f"{label}: probabilities of {record}")
    tally.inferred += 1
    tally.first += said[0][0] == true
    tally.usual += usual == true
    if not record.get("only"):
        tally.said += [(p, path == true) for path, p in said]
        return
    tally.only += 1
    if said[0][0] != true:
        problems.append(f"{label}: the only path {said[0][0]} is not the true one, {true}")


def calibration(said):
    lines = ["| said | paths | mean, % | true, % |", "|---|---|---|---|"]
    for low, high in zip(BOUNDS, BOUNDS[1:]):
        part = [(p, is_so) for p, is_so in said if low <= p < high]
        if part:
            mean, true = (100 * sum(values) / len(part) for values in zip(*part))
            lines.append(f"| {low:.2f} to {min(high, 1):.2f} | {len(part)} | {mean:.1f} | {true:.1f} |")
    return "\n".join(lines)


def tables(seeds, problems):
    lines = ["| | losses | paths not known | inferred | most likely is true, % | the usual one would be, % | only one | said at 0.9 or more | true, % |",
             "|---|---|---|---|---|---|---|---|---|"]
    total = Tally()
    for name in PROGRAMS:
        for kind in "calls", "some calls", "writes":
            tally = Tally()
            for seed in seeds:
                tally.add(measure(name, kind, (1, 2, 3, 4, 5), seed, problems))
            if tally.unknown:
                lines.append(tally.line(f"{name}: {kind}"))
            total.add(tally)
    lines.append(total.line("all"))
    return "\n".join(lines) + "\n\n" + calibration(total.said), total


def quick(problems):
    total = Tally()
    for name, kind, ratio in QUICK:
        tally = measure(name, kind, (ratio,), SEED, problems)
        print(tally.line(f"{name}: {kind}"))
        total.add(tally)
    if not total.only or total.inferred < 0.6 * total.unknown or total.first < 0.9 * total.inferred or total.first <= total.usual:
        problems.append("too little is inferred, or right")
    return total


def kept(problems):
    """A trace has what was inferred, and gives it back; statistics show none of it."""
    with score.Written(statements_of("thermostat-O0", "calls")) as statements, tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace")
        options = ["-n", "300", "--ratio", "1"]
        lines = [r for r in records_of("thermostat-O0", statements, *options, "--out", trace) if r["event"] in ("hit", "gap", "inferred")]
        read = subprocess.run([EARSHOT, "read", trace, "-j", "-q"], capture_output=True, text=True, check=True).stdout
        if [r for r in map(json.loads, read.splitlines()) if r["event"] in ("hit", "gap", "inferred")] != lines or not any(r["event"] == "inferred" for r in lines):
            problems.append("the trace tells something else")
        text = subprocess.run([EARSHOT, "read", trace], capture_output=True, text=True, check=True).stdout
        if len(re.findall(r" ~ \w+ +path~ main > ", text)) != sum(r["event"] == "inferred" for r in lines):
            problems.append("text shows something else")
        if "path~" in subprocess.run([EARSHOT, "read", trace, "--stats"], capture_output=True, text=True, check=False).stdout:
            problems.append("statistics show paths of hits")
        page = os.path.join(scratch, "page.html")
        subprocess.run([EARSHOT, "report", trace, "-o", page], capture_output=True, check=True)


def main():
    problems = []
    if "--soak" in sys.argv or "--write" in sys.argv:
        made, _ = tables([SEED + 1 + i for i in range(2)], problems)
        print(made)
        if "--write" in sys.argv:
            with open(PAGE, encoding="utf-8") as file:
                page = file.read()
            shown = re.search(r"<!-- paths -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page.replace(shown.group(0), f"<!-- paths -->\n{made}\n<!-- end -->"))
    else:
        quick(problems)
        kept(problems)
    for text in problems:
        print("wrong:", text)
    print(f"{len(QUICK) + 4} passed, {len(problems)} failed" if not problems else f"{len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
