#!/usr/bin/python3
"""soundness.py [--seeds N]: no run that `earshot check` guarantees ever loses anything or needs more than it says.

Generated programs with generated statements, each at several clock ratios; and the examples. The last lines tell how tight the
bounds are: what the FIFO was said to need over what it needed.
"""
import argparse
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, "tests/oracle")
import generate  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
BOUND = os.path.join(BUILD, "tests/check/bound")
WORK = os.path.join(BUILD, "tests/check/work")
RATIOS = [2, 8, 24, 64, 160]
EXAMPLES = ["thermostat", "recursion", "interrupts"]


def run(program, ratio, statements):
    done = subprocess.run([BOUND, program, str(ratio), statements], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=300, check=False)
    if done.returncode:
        return done.stderr.strip()
    return json.loads(done.stdout)


def judge(name, ratio, result):
    """What is wrong with a run; None: nothing."""
    if not isinstance(result, dict):
        return f"{name}, ratio {ratio}: {result}"
    if not result["done"]:
        return f"{name}, ratio {ratio}: the run did not end well: {result}"
    if result["guaranteed"]:
        if result["lost"] or result["dropped"] or result["fifo_max"] > result["fifo_needed"]:
            return f"{name}, ratio {ratio}: guaranteed, but {result}"
    elif not result["place"]:
        return f"{name}, ratio {ratio}: not guaranteed, and no place is named: {result}"
    return None


def alone(statement):
    """Whether a statement can stand without others: it names no counter that others count, and no other statement."""
    return not re.search(r"enable|disable|\b(set|reset|decrement)\b|(?<!count )\bc\d\b", statement)


def generated(seed):
    source, statements, level = generate.make(seed)
    statements = [statement for statement in statements if alone(statement)] or ["s: when write(g0) { print g0 }"]
    base = os.path.join(WORK, f"program{seed}")
    with open(base + ".c", "w", encoding="utf-8") as out:
        out.write(source)
    with open(base + ".watch", "w", encoding="utf-8") as out:
        out.write("\n".join(statements[:1 + seed % 5]) + "\n")
    subprocess.run(["scripts/target-cc", level, "-fwrapv", "-w", base + ".c", "-o", base + ".elf"], check=True)
    return [(f"seed {seed}", ratio, run(base + ".elf", ratio, base + ".watch")) for ratio in RATIOS]


def example(job):
    name, level = job
    program = os.path.join(BUILD, f"examples/{name}-{level}.elf")
    return [(f"{name}-{level}", ratio, run(program, ratio, f"examples/{name}/{name}.watch")) for ratio in RATIOS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="generated programs, each at five ratios")
    parser.add_argument("--first", type=int, default=int(os.environ.get("EARSHOT_SEED", "1")))
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    with multiprocessing.Pool(2) as pool:
        jobs = [(name, level) for name in EXAMPLES for level in ("O0", "Og", "O2")]
        rows = [row for rows in pool.map(example, jobs, 1) for row in rows]
        rows += [row for rows in pool.map(generated, range(options.first, options.first + options.seeds), 1) for row in rows]
    faults = [fault for fault in (judge(*row) for row in rows) if fault]
    good = [row[2] for row in rows if isinstance(row[2], dict)]
    yes = [result for result in good if result["guaranteed"]]
    tight = [result["fifo_needed"] / max(result["fifo_max"], 1) for result in yes]
    for fault in faults:
        print(fault)
    print(f"seeds {options.first} to {options.first + options.seeds - 1}: {len(rows)} runs, {len(yes)} guaranteed, "
          f"{sum(bool(r['lost'] or r['dropped']) for r in good)} lost something")
    if tight:
        print(f"FIFO said to need over needed: median {statistics.median(tight):.2f}, worst {max(tight):.2f}")
    if len(yes) < len(rows) // 10:
        faults.append("too few runs are guaranteed for this to show anything")
        print(faults[-1])
    print(f"{len(rows) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
