#!/usr/bin/python3
"""What earshot infer says was lost against what was: generated machines whose statistics depend on what came before, events deleted from
their complete traces, and the paper's method beside ours on the same traces. The table of docs/infer.md is made by this:
truth [--soak | --write]"""
import os
import re
import sys

import kernel
import machines
from score import Score, line, run

PAGE = "docs/infer.md"
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
CASES = [  # name, scenarios, how, part, told
    ("one scenario, 1 % lost", 1, "single", 0.01, True),
    ("one scenario, 5 % lost", 1, "single", 0.05, True),
    ("one scenario, bursts of 2 to 6", 1, "burst", 0.02, True),
    ("8 scenarios, 1 % lost", 8, "single", 0.01, True),
    ("8 scenarios, 2 % lost", 8, "single", 0.02, True),
    ("8 scenarios, 5 % lost", 8, "single", 0.05, True),
    ("8 scenarios, bursts of 2 to 6", 8, "burst", 0.02, True),
    ("8 scenarios, stretches of 8 to 25", 8, "stretch", 0.05, True),
    ("one scenario, 1 % lost, not told", 1, "single", 0.01, False),
    ("8 scenarios, 2 % lost, not told", 8, "single", 0.02, False),
    ("8 scenarios, bursts of 2 to 6, not told", 8, "burst", 0.02, False),
    ("3 to 5 states, 8 scenarios, 2 % lost, not told", 8, "single", 0.02, False),
    ("10 to 16 states, 8 scenarios, bursts of 2 to 6, not told", 8, "burst", 0.02, False),
]
USUAL = (5, 10), (4, 7), (2, 2.5, 3), 4  # states, events, ways out of a state, how uneven they are
OTHERS = {  # kinds of machines of which nothing in host/infer was found
    "3 to 5 states, 8 scenarios, 2 % lost, not told": ((3, 5), (3, 4), (1.5, 2), 2),
    "10 to 16 states, 8 scenarios, bursts of 2 to 6, not told": ((10, 16), (6, 10), (2, 2.5), 3),
}


def generated(seed, keys, how, part, told, count, kind=USUAL):
    rng = machines.new_rng(SEED, seed, keys, how)
    states, events, ways, skew = kind
    machine = machines.Machine(rng, rng.randint(*states), rng.randint(*events), rng.choice(ways), skew)
    rows = machines.trace_of(machine, rng, keys, count)
    lost = machines.lose(rng, rows, how, part)
    return run(machine.text("generated", keys > 1), machines.list_of(rows, machine.transitions, lost, told, keys > 1),
               machines.true_stretches(rows, machine.transitions, lost))


def calibration(totals):
    lines = []
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        cells = ""
        for total in totals:
            said = [pair for pair in total.said if low <= pair[0] < high]
            mean, true = (f"{100 * sum(pair[i] for pair in said) / len(said):.1f}" if said else "" for i in (0, 1))
            cells += f" {len(said)} | {mean} | {true} |"
        lines.append(f"| {low:.2f} to {min(high, 1):.2f} |{cells}")
    return lines


def measure(seeds, count):
    lines, total, untold, failed = [], Score(), Score(), []
    for name, keys, how, part, told in CASES:
        joint, paper = Score(), Score()
        for seed in seeds if told else range(100, 100 + max(6, len(seeds))):
            for score, more in zip((joint, paper), generated(seed, keys, how, part, told, count if told else max(6000, count),
                                                             OTHERS.get(name, USUAL))):
                score.add(more)
        lines.append(line(name, joint, paper))
        (total if told else untold).add(joint)
        if paper.percent() < 50 and joint.exact < 1.6 * paper.exact:
            failed.append(f"{name}: {joint.exact} exact, the paper's method {paper.exact}")
    joint, paper = kernel.measure(SEED, count)
    lines.append(line("kernel-like: 4 CPUs, 24 tasks, bursts", joint, paper))
    total.add(joint)
    return lines, total, untold, failed


def table(lines, *totals):
    head = ["| | stretches | exact, % | paper's, % | events, % | paper's, % | time off, % | paper's, % | within, % |", "|---|---|---|---|---|---|---|---|---|"]
    said = ["| said | told losses: alternatives | mean, % | true, % | losses not told: alternatives | mean, % | true, % |",
            "|---|---|---|---|---|---|---|"]
    return "\n".join([*head, *lines, "", *said, *calibration(totals)])


def main():
    soak = "--soak" in sys.argv
    lines, total, untold, failed = measure(range(12) if soak else range(2), 12000 if soak else 3000)
    made = table(lines, total, untold)
    print(made)
    passed = len(lines) - len(failed)
    for text in failed:
        print("not 1.6 times the paper's:", text)
    slack, bad = 0.01 if soak else 0.06, False  # few are said in the short run
    for name, score in ("told", total), ("not told", untold):
        near = [is_so for said, is_so in score.said if 0.85 <= said <= 0.95]
        true = sum(near) / max(1, len(near))
        print(f"losses {name}: said at 0.85 to 0.95: {len(near)}, of which {100 * true:.1f} % are so")
        bad |= not 0.85 - slack <= true <= 0.95 + slack
    if not soak and SEED == 1:
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        shown = re.search(r"<!-- truth -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
        if "--write" in sys.argv:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page.replace(shown.group(0), f"<!-- truth -->\n{made}\n<!-- end -->"))
        elif shown.group(1) != made:
            print(f"{PAGE} shows another table: make soak-infer WRITE=1")
            bad = True
    print(f"{passed + (not bad)} passed, {len(failed) + bad} failed")
    return 1 if failed or bad else 0


if __name__ == "__main__":
    sys.exit(main())
