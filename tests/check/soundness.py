#!/usr/bin/python3
"""soundness.py [--seeds N]: no run that `earshot check` guarantees ever loses anything or needs more than it says.

A combination is a program, statements, a clock ratio, a depth of the FIFO, and whether it is known how deep calls nest and how rare interrupts are.
Programs are generated ones, the examples, and those in tests/check/hard, which were written to break promises. A guaranteed depth must be enough for what the run needed, whatever depth the simulated
FIFO has. Every other program has compressed instructions, or all are for TARGET_CC_MARCH. The last lines tell how tight the bounds are.
"""
import argparse
import glob
import json
import os
import random
import re
import statistics
import subprocess
import sys

sys.path[:0] = ["tests/oracle", "tests/check", "tests/support"]
import generate  # noqa: E402
import generate_nested  # noqa: E402
import generate_objects  # noqa: E402
import generate_paths  # noqa: E402
import generate_pointers  # noqa: E402
import generate_reads  # noqa: E402
import generate_spills  # noqa: E402
import generate_tasks  # noqa: E402
import generate_times  # noqa: E402
import jobs  # noqa: E402
from program import Program  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
BOUND = os.path.join(BUILD, "tests/check/bound")
WORK = os.path.join(BUILD, "tests/check/work")
RATIOS = [2, 4, 8, 16, 24, 32, 48, 64, 96, 160]
DEPTHS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048]
SIMULATED = 4096      # records that the simulated probe's FIFO holds
NEST_MAX = 64         # activations of which the probe keeps the path: a condition of every promise about recursive programs
AWAKE = 16            # soft core clocks that waking takes, which are no part of an event's own
REFUSED = "the statements are refused"
SPECIAL = {"reads": generate_reads, "pointers": generate_pointers, "paths": generate_paths, "times": generate_times,
           "objects": generate_objects, "nested": generate_nested, "tasks": generate_tasks}
FIRST = {"tasks": ["tasks current"]}   # what stands before a sort's statements
LEVELS = ("O0", "Og", "O2")
ONCE = [("interrupts", "O0", "stack")]
EXAMPLES = {"thermostat": LEVELS, "recursion": LEVELS, "interrupts": LEVELS, "nested": ("O0",)}
PLAIN = os.path.join(BUILD, "tests/check/plain")   # some of them without compressed instructions
MARCHES = ("rv32im_zicsr", "rv32imc_zicsr")


def build(sources, base, level, number):
    march = os.environ.get("TARGET_CC_MARCH") or MARCHES[number % 2]
    subprocess.run(["scripts/target-cc", f"-march={march}", level, "-fwrapv", "-w", *sources, "-o", base + ".elf"], check=True)


def bound(program, statements, *ratios):
    return subprocess.run([BOUND, program, statements, *ratios], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900,
                          check=False)


def refusal(done):
    line = re.search(r':(\d+):\d+: error', done.stderr)
    return f"{REFUSED}: {line.group(1) if line else ''}"


def run(name, program, ratios, statements):
    """What happens in a run with each of the ratios, and what is promised of it: (name, ratio, that or what went wrong)."""
    depths = [random.Random(f"{name} {ratio}").choice(DEPTHS) for ratio in ratios]
    done = bound(program, statements, *(f"{ratio}:{SIMULATED},{depth}" for ratio, depth in zip(ratios, depths)))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = refusal(done) if done.returncode == 3 else done.stderr.strip() or f"ended with {done.returncode}"
    return [(name, ratio, result) for ratio, result in zip(ratios, told + [wrong] * (len(ratios) - len(told)))]


def refused(result):
    return isinstance(result, str) and result.startswith(REFUSED)


def judge_check(seen, said):
    """What is wrong with one promise about a run; None: nothing."""
    if seen["nest"] > NEST_MAX:
        return None  # no promise is about such a run
    if said["judged"] and any(driven > bound for bound, _, driven, _, _ in said["clocks"]):
        return "an event took longer on the model than its worst case"
    if said["judged"] and said["pass"][1] > said["pass"][0]:
        return "the host's mail took longer on the model than its worst case"
    if not seen["lost"] and said["judged"] and any(clocks > bound + AWAKE for bound, clocks, _, _, _ in said["clocks"]):
        return "an event took longer than its worst case"
    if said["guaranteed"]:
        if seen["lost"] or seen["dropped"]:
            return "guaranteed, but something was lost"
        if not seen["fifo_max"] <= said["fifo_needed"] <= said["depth"]:
            return "guaranteed, but the FIFO held more"
        if seen["backlog"] > said["backlog"]:
            return "guaranteed, but more work waited"
        if said["mail"] >= 0 and seen["busy"] > said["mail"]:
            return "guaranteed, but there was no pause for the host's mail as soon as was said"
    elif not said["place"]:
        return "not guaranteed, and no place is named"
    return None


def judge(name, ratio, result):
    if not isinstance(result, dict):
        return [f"{name}, ratio {ratio}: {result}"]
    if not result["done"]:
        return [f"{name}, ratio {ratio}: the run did not end well: {result}"]
    if result["strays"] and any(said["judged"] for said in result["checks"]): # of what is refused, nothing was said
        return [f"{name}: stores went elsewhere than was said, the first one at 0x{result['stray']:08x}"]
    if result["overruns"]:
        return [f"{name}: loops ran longer than was said, the first one at 0x{result['overrun']:08x}"]
    faults = []
    for said in result["checks"]:
        fault = judge_check(result, said)
        if fault:
            over = [event for event in said["clocks"] if event[1] > event[0] + AWAKE or event[2] > event[0]]
            seen = {key: value for key, value in result.items() if key != "checks"}
            said = {key: value for key, value in said.items() if key != "clocks"}
            faults.append(f"{name}, ratio {ratio}: {fault}: {over} {said} {seen}")
    return faults


def alone(statement):
    """Whether a statement can stand without others: it names no counter that others count, and no other statement."""
    return not re.search(r"enable|disable|\b(set|reset|decrement)\b|(?<!count )\bc\d\b", statement)


def judged(sort, seed, base, ratios):
    return run(f"{sort} {seed}", base + ".elf", ratios, base + ".watch")


def accepted(base, statements):
    """Leaves out statements that are refused: its line may have no code, its variable no place, or it can never be true."""
    while True:
        with open(base + ".watch", "w", encoding="utf-8") as out:
            out.write("\n".join(statements or ["s: when write(g0) { print g0 }"]) + "\n")
        done = bound(base + ".elf", base + ".watch")
        if done.returncode != 3 or not statements:
            return
        line = refusal(done).rsplit(" ", maxsplit=1)[1]
        del statements[int(line) - 1 if line else 0]


def spills(seed):
    """Optimised code, with statements about locals that the stack holds at times."""
    generator = generate_spills.Generator(seed)
    base = os.path.join(WORK, f"spills{seed}")
    with open(base + ".c", "w", encoding="utf-8") as out:
        out.write(generator.make_source())
    build([base + ".c"], base, generator.level, seed)
    known = Program(base + ".elf")
    statements = generator.about([(procedure, name) for procedure, names in generator.locals.items() for name in names
                                  if known.find(name, procedure)])
    chosen = random.Random(f"spills {seed}")
    chosen.shuffle(statements)
    del statements[1 + seed % 4:]
    accepted(base, statements)
    return judged("spills", seed, base, [160] + chosen.sample(RATIOS[2:], 2))


def special(job):
    """A program of one of the other generators, with some of its statements: as many as are not refused."""
    sort, seed = job
    if sort == "spills":
        return spills(seed)
    source, statements, level = SPECIAL[sort].make(seed)
    chosen = random.Random(f"{sort} {seed}")
    statements = [statement for statement in statements if alone(statement)]
    chosen.shuffle(statements)
    base = os.path.join(WORK, f"{sort}{seed}")
    with open(base + ".c", "w", encoding="utf-8") as out:
        out.write(source)
    build([base + ".c"], base, level, seed + list(SPECIAL).index(sort))
    others = chosen.sample(RATIOS[2:], 2)
    for count in range(1 + seed % 4, 0, -1):
        with open(base + ".watch", "w", encoding="utf-8") as out:
            out.write("\n".join(FIRST.get(sort, []) + statements[:count]) + "\n")
        rows = judged(sort, seed, base, [160, *others])
        if not refused(rows[0][2]):
            return rows
    return []


def generated(seed):
    source, statements, level = generate.make(seed)
    statements = [statement for statement in statements if alone(statement)] or ["s: when write(g0) { print g0 }"]
    base = os.path.join(WORK, f"program{seed}")
    more = [[f"quiet: when g0 unchanged for {1000 << seed % 7} cycles {{ print g0 }}"],
            [f"long: when g0 >= 0 for {100 << seed % 7} cycles {{ print g0 }}"],
            ["line: when at(main\\2) && g0 != 1 { print g0 }"],
            ["whole: when g0 != old(g0) { snapshot box0 }"],
            [f"alone: when path == main || g0 > 3 for {100 << seed % 7} cycles {{ print g0 }}"],
            [f"still: when g0 unchanged for {100 << seed % 7} cycles && !(path == main) {{ print g0 }}"]][seed % 6]
    with open(base + ".c", "w", encoding="utf-8") as out:
        out.write(source)
    build([base + ".c"], base, level, seed)
    chosen = (more + statements)[:1 + seed % 5]
    accepted(base, chosen)
    ratios = random.Random(f"ratios {seed}").sample(RATIOS, 4)
    return judged("any", seed, base, ratios)


def example(job):
    name, level = job
    program = os.path.join(BUILD, f"examples/{name}-{level}.elf")
    return run(f"{name}-{level}", program, (8, 32, 160), f"examples/{name}/{name}.watch")


def plain_example(name):
    return run(f"{name}, plain", os.path.join(PLAIN, name), (8, 160), "examples/{0}/{0}.watch".format(name.split("-")[0]))


def once(job):
    """Statements whose words are told once: those of `stack` are written by everything that has a frame."""
    name, level, statements = job
    base = os.path.join(WORK, f"once-{name}-{level}-{statements.split()[0]}")
    with open(base + ".watch", "w", encoding="utf-8") as out:
        out.write(statements + "\n")
    return run(base, os.path.join(BUILD, f"examples/{name}-{level}.elf"), (8, 160), base + ".watch")


def hard(job):
    """A program written to break promises; its first lines hold its statements."""
    path, level = job
    base = os.path.join(WORK, f"{os.path.basename(path)[:-2]}-{level}")
    with open(path, encoding="utf-8") as source, open(base + ".watch", "w", encoding="utf-8") as out:
        out.writelines(line.split("watch: ")[1] for line in source if "watch: " in line)
    build([path], base, "-" + level, level == "O2")
    return [row for row in run(base, base + ".elf", (2, 4, 32), base + ".watch") if not refused(row[2])]


def rows_of(piece):
    function, argument = piece
    return function(argument)


def tell(what, figures):
    if figures:
        print(f"  {what}: median {statistics.median(figures):.2f}, worst {max(figures):.2f}, of {len(figures)}")


def sorted_events(check):
    """(sort, said, seen in the program's own run, seen on the model) of each event. Writes stand for themselves where words move."""
    moves = any(what.startswith("0x00000000 write") for _, _, _, _, what in check["clocks"])
    return [(sort + " where words move" if moves and sort.startswith("write") else sort, said, seen, driven)
            for said, seen, driven, sort, _ in check["clocks"]]


def tell_tightness(good, facts):
    pairs = [(result, said) for result in good for said in result["checks"]
             if said["depth"] == SIMULATED and said["facts"] == facts]
    yes = [(result, said) for result, said in pairs if said["guaranteed"]]
    print("bound over observed, " + ("when nesting and interrupts are known:" if facts else "when nothing is known of the program:"))
    events = [event for result, check in pairs if check["judged"] and result["nest"] <= NEST_MAX for event in sorted_events(check)]
    for sort in sorted({event[0] for event in events}):
        own = [event[1:] for event in events if event[0] == sort]
        tell(f"clocks of {sort}, the program's own run", [said / seen for said, seen, _ in own if seen])
        tell(f"clocks of {sort}, over all runs driven", [said / max(seen, driven) for said, seen, driven in own if seen or driven])
    tell("backlog, clocks", [said["backlog"] / result["backlog"] for result, said in yes if result["backlog"]])
    tell("FIFO, records", [said["fifo_needed"] / max(result["fifo_max"], 1) for result, said in yes])
    return yes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=8, help="generated programs, each at four ratios with four promises")
    parser.add_argument("--first", type=int, default=int(os.environ.get("EARSHOT_SEED", "1")))
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    work = [(hard, (path, level)) for path in sorted(glob.glob("tests/check/hard/*.c")) for level in ("O0", "O2")]
    work += [(once, job) for job in ONCE]
    seeds = range(options.first, options.first + options.seeds)
    few = range(options.first, options.first + (options.seeds + 7) // 8)
    work += [(special, (sort, seed)) for sort in [*SPECIAL, "spills"] for seed in few]
    work += [(generated, seed) for seed in seeds]
    work += [(example, (name, level)) for name, levels in EXAMPLES.items() for level in levels]
    work += [(plain_example, name) for name in sorted(os.listdir(PLAIN))]
    rows = [row for found in jobs.spread(rows_of, work) for row in found]
    faults = [fault for row in rows for fault in judge(*row)]
    good = [row[2] for row in rows if isinstance(row[2], dict)]
    for fault in faults:
        print(fault)
    count = sum(len(result["checks"]) for result in good)
    yes = sum(said["guaranteed"] for result in good for said in result["checks"])
    print(f"seeds {options.first} to {options.first + options.seeds - 1}: {count} combinations over {len(rows)} runs, {yes} guaranteed, "
          f"{sum(bool(r['lost'] or r['dropped']) for r in good)} runs lost something")
    for facts in (False, True):
        tell_tightness(good, facts)
    if not any(said["guaranteed"] for name, _, result in rows if name.startswith("objects") and isinstance(result, dict)
               for said in result["checks"]):
        faults.append("no run with pointers is guaranteed")
        print(faults[-1])
    if yes < count // 10:
        faults.append("too few runs are guaranteed for this to show anything")
        print(faults[-1])
    print(f"{max(count - len(faults), 0)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
