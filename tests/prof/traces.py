#!/usr/bin/python3
"""Recordings as CTF: every call and return, as the same source makes them natively and as statements tell them; interrupts and stacks; and what
other readers make of it."""
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402
from reading import Profile  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
LEVELS = "O0", "Og", "O2", "Os"
DEEPEST = 64  # activations of a path that are told


def said(*command, **options):
    return subprocess.run(command, capture_output=True, check=True, text=True, **options).stdout


def elf(name):
    return f"{BUILD}/tests/prof/{name}.elf" if name.startswith(("calls", "jumps")) else f"{BUILD}/examples/{name}.elf"


def recording(name):
    path = os.path.join(FOLDER, name + ".inputs")
    if not os.path.exists(path):
        said(EARSHOT, "record", elf(name), "--probe", "sim:cores=1", "--inputs", path)
    return path


def trace(name, *part):
    path = os.path.join(FOLDER, "-".join([name, *part]) + ".ctf")
    if not os.path.exists(path):
        said(EARSHOT, "export", recording(name), elf(name), "--format", "ctf", "-o", path, *part)
    return path


def hits(text):
    return [record for record in map(json.loads, text.splitlines()) if record["event"] == "hit"]


def events(name, *part):
    return hits(said(EARSHOT, "read", trace(name, *part), "--json"))


def profile(name):
    return Profile(said(EARSHOT, "export", recording(name), elf(name), "--format", "profile"))


def names_of(step):
    return [part["name"] if isinstance(part, dict) else part for part in step]


def call(hit):
    """Of an entry or an end: ("+" or "-", procedure)."""
    what, _, name = hit["statement"].partition("_")
    return {"enter": "+", "leave": "-"}[what], name


def calls_of(name):
    return [hit for hit in events(name) if hit["statement"].startswith(("enter_", "leave_"))]


def in_source(name):
    """The procedure of the source: of a clone, f.constprop.0, as it is in a statement's name."""
    return re.sub(r"_(constprop|isra|part)_.*", "", name)


# --- against native runs ---


def native(level):
    """What it enters and leaves, in its order: ("+" or "-", procedure)."""
    program, part = os.path.join(FOLDER, f"native-{level}"), os.path.join(FOLDER, f"native-{level}.o")
    said("gcc", f"-{level}", "-w", "-no-pie", "-finstrument-functions", "-c", "tests/prof/programs/calls.c", "-o", part)
    said("gcc", "-O1", "-w", "-no-pie", part, "tests/prof/programs/order.c", "-o", program)
    names = {int(line.split()[0], 16): line.split()[2] for line in said("nm", program).splitlines() if line[0] != " "}
    return [(line[0], names[int(line[2:], 16)]) for line in said(program).splitlines()]


def calls_are_the_sources():
    """Without optimisation each call and return, in order, with its path."""
    wanted, path = [], []
    for what, name in native("O0"):
        path += [name] if what == "+" else []
        wanted.append((what, name, path[:DEEPEST - 1] + path[-1:] if len(path) > DEEPEST else path[:], len(path) > DEEPEST))
        path = path[:-1] if what == "-" else path
    told = [(*call(hit), names_of(hit["path"]), "path_cut" in hit) for hit in calls_of("calls-O0")]
    told = [hit for hit in told if hit[1] in {name for _, name, *_ in wanted}]
    assert told == wanted, next(pair for pair in zip(told, wanted) if pair[0] != pair[1])
    assert len(told) > 5000 and any(cut for *_, cut in told)


def optimised_calls_are_the_sources():
    """Of what was inlined nowhere, in its order; each leaves as often as it is entered. (Where one ends with a jump to another, it leaves before.)"""
    for level in LEVELS[1:]:
        inlined = {name.split(" ")[0].split(".")[0] for name in profile("calls-" + level).own if "(inlined)" in name}
        known = {name for _, name in native(level)} - inlined
        assert {"leaf", "last", "odd", "through", "twice", "main"} <= known, known
        told = [(what, in_source(name)) for what, name in map(call, calls_of("calls-" + level))]
        entered = [name for what, name in told if what == "+" and name in known]
        assert entered == [name for what, name in native(level) if what == "+" and name in known], level
        assert Counter(entered) == Counter(name for what, name in told if what == "-" and name in known), level


# --- against statements and the profile ---


def hits_of_statements(name):
    path = os.path.join(FOLDER, "calls.watch")
    with open(path, "w", encoding="utf-8") as file:
        file.write(said(EARSHOT, "infer", "--statements", elf(name)))
    return hits(said(EARSHOT, "read", recording(name), elf(name), "-s", path, "--json"))


def events_are_those_of_statements():
    """The hits of what `earshot infer --statements` asks for: procedures, paths, places and times. With interrupts, how many: where one comes
    between a call and the first instruction called, statements tell the entry after it."""
    for name in "calls-O0", "calls-O2", "nested-O0":
        wanted = hits_of_statements(name)
        known = {hit["statement"] for hit in wanted}
        told = [hit for hit in calls_of(name) if hit["statement"] in known]
        assert len(wanted) > 1000
        if name == "nested-O0":
            told, wanted = (Counter((hit["statement"], hit["file"], hit["line"]) for hit in side) for side in (told, wanted))
        assert told == wanted, (name, next(pair for pair in zip(told, wanted) if pair[0] != pair[1]))


def counts_are_the_profiles():
    """All calls that it counts, interrupts, and how often each stack goes on."""
    for name in "calls-O2", "tasks-O2", "nested-O0", "jumps-O0":
        it, all_hits = profile(name), events(name)
        found = Counter(hit["statement"] for hit in all_hits)
        for procedure, times in it.calls.items():
            if "(inlined)" not in procedure and procedure != "_start":
                assert found["enter_" + re.sub(r"\W", "_", procedure)] == times, (name, procedure)
        interrupts = it.stacks.get("interrupts and exceptions", (0, 0, 0))[2]
        assert found["interrupt"] == interrupts and found["interrupt_end"] in (interrupts, interrupts - 1)
        stacks = {stack.split(" ", 2)[2]: cost[2] for stack, cost in it.stacks.items() if stack.startswith("stack of ")}
        if len(stacks) > 1:
            assert Counter(hit["task"] for hit in all_hits if hit["statement"] == "runs") == stacks, stacks
            assert all(hit["task"] == "_start" or hit["path"][0] in (hit["task"], "task_end") for hit in all_hits), name
    assert sum(hit["statement"] == "unwound" for hit in events("jumps-O0")) == sum(range(1, 11)) + 10  # dives, and longjmp itself


def each_end_has_its_beginning():
    """By stack: what ends is what began last, also where handlers and other tasks come between."""
    for name in "calls-O2", "tasks-O2", "nested-O0", "jumps-O0":
        active = {}
        for hit in events(name):
            stack, statement = active.setdefault(hit.get("task"), []), hit["statement"]
            if statement.startswith("enter_") or statement in ("interrupt", "exception"):
                stack.append(statement)
            elif statement.endswith("_end") and statement in ("interrupt_end", "exception_end"):
                assert stack.pop() == statement[:-4], hit
            elif statement.startswith("leave_"):
                assert stack.pop() == "enter" + statement[5:], hit
            elif statement == "unwound":
                assert stack.pop().startswith("enter_"), hit


def parts_add_up():
    """Of a part, paths that lead to before it are not known; what is told is as in the whole."""
    name, moments = "tasks-O2", ("start", "5001", "11003", "end")
    parts = [hit for pair in zip(moments, moments[1:]) for hit in events(name, "--from", pair[0], "--to", pair[1])]
    whole = [hit for hit in events(name) if hit["statement"] != "runs"]
    parts = [hit for hit in parts if hit["statement"] != "runs"]
    assert len(parts) == len(whole) and any(hit["path"] is None for hit in parts), (len(parts), len(whole))
    for part, hit in zip(parts, whole):
        for key in hit:
            assert part.get(key) == hit[key] or (key in ("path", "task") and part.get(key) is None) or (key in ("cycle", "time_ns")), (part, hit)


# --- readers ---


def babeltrace_reads_it():
    for name in "calls-O0", "tasks-O2":
        lines = said("babeltrace2", trace(name))
        found = re.findall(r"^\[[\d:.]+\] \(\S+\) ([\w:]+): .*?path = \( \"(\S+)\"", lines, re.MULTILINE)
        assert [what for what, _ in found if ":" not in what] == [hit["statement"] for hit in events(name)], name
        assert [path for what, path in found if what == "enter_main"] == ["main"]


def calls_fit_the_programs_graph():
    for name, options in (("calls-O0", ()), ("calls-O2", ()), ("nested-O0", ()), ("tasks-O2", ("--key", "task"))):
        report = said(EARSHOT, "infer", trace(name), "--machine", elf(name), "--check", *options)
        assert re.search(r" 0 uncertain, 0 inconsistent; the trace tells 0 losses$", report, re.MULTILINE), (name, report)


def other_formats_are_made_of_it():
    table = said(EARSHOT, "export", trace("calls-O2"), "--format", "csv", "--statement", "enter_leaf")
    assert len(table.splitlines()) - 1 == profile("calls-O2").calls["leaf"]


def the_page_shows_what_is_printed():
    with open("docs/traces.md", encoding="utf-8") as file:
        shown = file.read().split("**As a trace**", 1)[1].split("| event |", 1)[0]
    words = {"tasks.inputs": recording("tasks-O2"), "build/examples/tasks-O2.elf": elf("tasks-O2"), "tasks.ctf": trace("tasks-O2")}
    commands = re.findall(r"^\$ earshot (.*)\n((?:[^$`].*\n)+)", shown, re.MULTILINE)
    assert len(commands) == 2
    for command, printed in commands:
        assert said(EARSHOT, *[words.get(word, word) for word in command.split()]) == printed, command


def mistakes_are_explained():
    name, path = "calls-O2", trace("calls-O2")
    for words, code, message in (((), 2, "a trace is a directory: name one with -o"), (("-o", path), 5, "holds a trace already"),
                                 (("-o", path + "/no/such"), 5, "no trace can be written there")):
        done = subprocess.run([EARSHOT, "export", recording(name), elf(name), "-f", "ctf", *words], capture_output=True, check=False, text=True)
        assert done.returncode == code and message in done.stderr and not done.stdout, (words, done)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_all([calls_are_the_sources, optimised_calls_are_the_sources, events_are_those_of_statements, counts_are_the_profiles,
                          each_end_has_its_beginning, parts_add_up, babeltrace_reads_it, calls_fit_the_programs_graph,
                          other_formats_are_made_of_it, the_page_shows_what_is_printed, mistakes_are_explained]))
