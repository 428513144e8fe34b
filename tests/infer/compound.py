#!/usr/bin/python3
"""Machines of compound events: what they say occurs, from the hits of the parts alone, is what the probe has reported in a co-simulation; and
what is told after losses has the true alternative among its own."""
import json
import os
import random
import subprocess
import sys

import score

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
PROGRAM = os.path.join(BUILD, "examples", "thermostat-O0.elf")
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
PARTS = ["write(temp)", "write(mode)", "write(alarms)", "enter(clamp)", "leave(drive)", "enter(sense)", "leave(control)", "mode != 0 && enter(next_mode)"]
STATEMENTS = 24
ODD = [("a: when write(temp) { print }", "none of its statements has events joined"), ("a: when write(temp) then temp > 3 { print }", "two of its parts true"),
       ("a: when write(temp) then (write(mode) for 1ms) { print }", None), ("a: when write(temp) then (mode == 1 for 1ms) { print }", "`for`"),
       ("a: when write(temp) then write(mode) within 5 cycles { print }", "cycles"), ("a: when write(temp) then { print }", "error"),
       ("a: when (write(temp) then write(mode) within 1ms) then leave(drive) within 2ms { print }", "more than one")]


def tree(rng, parts):
    """A random event of these parts, each once."""
    if len(parts) == 1:
        return parts[0]
    at = rng.randrange(1, len(parts))
    return f"({tree(rng, parts[:at])} {rng.choice(('then', 'then', 'and', 'or'))} {tree(rng, parts[at:])})"


def made(rng, number):
    text = tree(rng, rng.sample(PARTS, rng.randint(2, 4)))[1:-1]
    limit = rng.choice(("", "", " within 300us", " within 1ms", " within 20us"))
    depth, top = 0, set()
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        depth += (word == "(") - (word == ")")
        top |= {word} if depth == 0 else set()
    limited = limit if "or" not in top or "then" in top else ""
    return f"c{number}: when {text}{limited} {{ print }}"


def earshot(*arguments):
    return subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, timeout=300, check=False)


def parts_of(compound):
    """By name: what its part is, as `earshot infer --statements` says it."""
    done = earshot("infer", "--statements", compound, "--program", PROGRAM)
    assert done.returncode == 0, done.stderr
    return {line.split(":")[0]: line.split(": when ", 1)[1].rsplit(" { print }", 1)[0] for line in done.stdout.splitlines()}


def occurs_as_the_probe_says(problems):
    rng = random.Random(SEED)
    statements = "\n".join(made(rng, i) for i in range(STATEMENTS)) + "\n"
    with open(os.path.join(BUILD, "tests", "infer", "compound.watch"), "w", encoding="utf-8") as file:
        file.write(statements)
    names = parts_of(file.name)
    leaves = "".join(f"l{i}: when {part} {{ print }}\n" for i, part in enumerate(PARTS))
    with score.Written(leaves + statements) as all_of_them:
        done = earshot("watch", PROGRAM, "-s", all_of_them, "-j", "-q", "-n", "12000")
    assert done.returncode == 0, done.stderr
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    hits = [(hit["time_ns"], hit["statement"]) for hit in hits if hit["event"] == "hit"]
    lines, truth = [], set()
    for time, statement in hits:
        if statement.startswith("l"):
            lines += [f"{time} {name}" for name, part in names.items() if part == PARTS[int(statement[1:])]]
        else:
            truth.add((time, statement))
    told = subprocess.run([os.path.join(BUILD, "tests", "infer", "compound_states"), PROGRAM, file.name], input="\n".join(lines) + "\n", capture_output=True,
                          text=True, timeout=120, check=True).stdout.splitlines()
    said = {(int(line.split()[0]), line.split()[1]) for line in told if " " in line}
    end = hits[-1][0]
    said, truth = ({item for item in items if item[0] < end} for items in (said, truth))
    some = {statement for _, statement in truth}
    print(f"{len(lines)} hits of parts, {len(truth)} occurrences of {len(some)} of {STATEMENTS} compound events, {len(said ^ truth)} wrong")
    if said != truth or len(some) < STATEMENTS // 2 or not all(" " in line for line in told):
        problems.append(f"occurrences: {sorted(said ^ truth)[:5]} {[line for line in told if ' ' not in line][:3]}")
    return file.name, lines


def losses(problems, compound, lines):
    """Half of the alternatives that are told as sure at the least are so; those that occur are named."""
    with score.Written("".join(line + "\n" for line in lines[:1000]) + "".join(line + "\n" for line in lines[1040:4000]).replace(
            lines[1040], f"lost {lines[999].split()[0]} {lines[1040].split()[0]} 40\n" + lines[1040], 1)) as trace:
        done = earshot("infer", trace, "-m", compound, "--program", PROGRAM, "--json")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or results[-1]["inconsistent"]:
        problems.append(f"losses: {done.stderr} {results[-1:]}")
    if "occurs" not in done.stdout:
        problems.append("losses: nothing may have occurred")


def what_cannot_be_followed_is_said(problems):
    for text, message in ODD:
        with score.Written(text + "\n") as plain:
            path = plain + ".watch"
            os.rename(plain, path)
            done = earshot("infer", "--statements", path, "--program", PROGRAM)
            asked = earshot("infer", "/dev/null", "-m", path, "--program", PROGRAM)
            if message and any(told.returncode != 2 or message not in told.stderr for told in (done, asked)):
                problems.append(f"{text}: {done} {asked}")
            os.rename(path, plain)
    for arguments, message in ((["/nonexistent.watch", "--program", PROGRAM], "nonexistent"), (["/nonexistent.watch"], "--program"),
                               (["/nonexistent.watch", "--program", "/nonexistent.elf"], "nonexistent.elf")):
        done = earshot("infer", "--statements", *arguments)
        if done.returncode != 2 or message not in done.stderr:
            problems.append(str(done))


def main():
    problems = []
    compound, lines = occurs_as_the_probe_says(problems)
    losses(problems, compound, lines)
    what_cannot_be_followed_is_said(problems)
    for text in problems:
        print("wrong:", text[:600])
    print(f"{max(0, 3 - len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
