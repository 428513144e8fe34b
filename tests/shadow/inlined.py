#!/usr/bin/python3
"""Inlined copies as activations of their own. Truth: the same source compiled for this computer without inlining, where -finstrument-functions tells each
entry and each end with the calls that led there; and gdb, in whose backtraces at the same instructions the copies are. --random N [SEED]: of N made up
programs, too."""
import difflib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb"), HERE]

from harness import run_all  # noqa: E402
from inlined_made import made_up  # noqa: E402
from serving import EARSHOT, Recorded, in_gdb  # noqa: E402

SOURCE = os.path.join(HERE, "programs/inlined.c")
LEVELS = "Og", "O1", "O2", "Os"
# each before those that it calls: what begins at one instruction is told in the order of the statements
NAMES = ["several", "looping", "in_a_row", "recursive", "around", "asked", "chosen", "further", "nests", "loops", "early", "calls", "stores", "twice",
         "called"]


def program(folder, level, source=SOURCE, options=()):
    path = os.path.join(folder, f"inlined-{level}.elf")
    # what a copy ends with is in it, also where that is a call
    subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", "-w", "-fno-optimize-sibling-calls", *options, source, "-o", path], check=True)
    return path


def natively(folder, source=SOURCE):
    """What happened: (enter, leave or write, path, value)."""
    path = os.path.join(folder, "inlined")
    subprocess.run(["gcc", "-O0", "-w", "-DNATIVE", "-finstrument-functions", source, "-o", path], check=True)
    lines = subprocess.run([path], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    return [(what, way.split(":"), int(value)) for what, way, value in (line.split() for line in lines)]


def run(path, statements, *options):
    command = [EARSHOT, "watch", path, "--json", *options, *[word for text in statements for word in ("-e", text)]]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def hits(path, statements, *options):
    done = run(path, statements, *options)
    assert done.returncode == 0, done.stderr
    return [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"], done.stderr


def differences(found, wanted):
    matcher = difflib.SequenceMatcher(None, wanted, found, autojunk=False)
    return [(tag, wanted[a:b], found[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"][:3]


def events_of(path, names, *options):
    """(enter or leave, name) in their order, of those whose copies' beginnings are all known."""
    statements = [f"{what}_{name}: {what}({name})" for name in names for what in ("enter", "leave")]
    while True:
        done = run(path, statements, *options)
        unknown = re.findall(r"of '(\w+)' there are inlined copies only|there is no procedure '(\w+)'|'(\w+)' has no code|inlined the beginning of '(\w+)'", done.stderr)
        left = [text for text in statements if not any(f"({name})" in text for found in unknown for name in found if name)]
        if done.returncode == 0 or left == statements:
            break
        statements = left
    assert done.returncode == 0, done.stderr
    partly = set(re.findall(r"warning: \w+\((\w+)\) is not true for inlined copies", done.stderr))
    known = {text.split(":")[0].split("_", 1)[1] for text in statements} - partly
    told = [event["statement"].split("_", 1) for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"]
    return [(what, name) for what, name in told if name in known], known


def entries_and_ends_are_the_sources():
    """In one order, with all that is called: copies in loops, in each other, with calls, several ways out, in recursive procedures."""
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in LEVELS:
            found, known = events_of(program(folder, level), NAMES, "--replay")
            assert set(NAMES) - known <= {"loops"}, (level, known)
            wanted = [(what, way[-1]) for what, way, _ in happened if what != "write" and way[-1] in known]
            assert found == wanted, (level, len(found), len(wanted), differences(found, wanted))


def stores_lie_in_between():
    """A copy ends after its last store, and before the next one of what called it. (At -Os and above the compiler puts a store of the next copy between
    those of a copy.)"""
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in "Og", "O1", "O2":
            told, _ = hits(program(folder, level), ["write(out) { print out }"] + [f"{name}: leave({name})" for name in NAMES if name != "loops"], "--replay")
            found = [("write", hit["values"]["out"]) if hit["statement"] == "s1" else ("leave", hit["statement"]) for hit in told]
            wanted = [(what, value if what == "write" else way[-1]) for what, way, value in happened if what == "write" or (what == "leave" and way[-1] in NAMES)]
            wanted = [each for each in wanted if each != ("leave", "loops")]
            assert found[:len(wanted)] == wanted, (level, differences(found, wanted))


def all_threads_tell_the_same():
    """A recording that several threads search has the hits of the run itself."""
    with tempfile.TemporaryDirectory() as folder:
        path, kept = program(folder, "O2"), os.path.join(folder, "kept")
        statements = [f"{what}({name}) {{ print }}" for name in NAMES for what in ("enter", "leave")] + ["leave(nests:twice) { print nests:twice\\doubled }"]
        live, _ = hits(path, statements, "--replay")
        subprocess.run([EARSHOT, "record", path, "--inputs", kept], capture_output=True, check=True, timeout=300)
        for jobs in "1", "3":
            done = subprocess.run([EARSHOT, "read", kept, path, "--json", "--jobs", jobs, *[word for text in statements for word in ("-e", text)]],
                                  capture_output=True, text=True, timeout=300, check=False)
            read = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"]
            strip = [[{key: value for key, value in hit.items() if key not in ("cycle", "time_ns")} for hit in each] for each in (live, read)]
            assert strip[0] == strip[1] and len(live) > 400, (jobs, len(live), len(read), done.stderr)


PATHS = {   # statement: of what happens, which is a hit
    "enter(several:twice)": lambda what, way: what == "enter" and way[-2:] == ["several", "twice"],
    "leave(several:twice)": lambda what, way: what == "leave" and way[-2:] == ["several", "twice"],
    "leave(main:looping:early)": lambda what, way: what == "leave" and way == ["main", "looping", "early"],
    "enter(nests:twice)": lambda what, way: what == "enter" and way[-2:] == ["nests", "twice"],
    "leave(recursive:nests:early)": lambda what, way: what == "leave" and way[-3:] == ["recursive", "nests", "early"],
    "leave(main:recursive:recursive:nests)": lambda what, way: what == "leave" and way == ["main", "recursive", "recursive", "nests"],
    "leave(main:*:calls)": lambda what, way: what == "leave" and way[-1] == "calls",
    "enter(looping:calls:called)": lambda what, way: what == "enter" and way[-3:] == ["looping", "calls", "called"],
    "leave(nests:early:called)": lambda what, way: what == "leave" and way[-3:] == ["nests", "early", "called"],
    "enter(main:around:further:around:further)": lambda what, way: what == "enter" and way == ["main", "around", "further", "around", "further"],
    "several:calls": lambda what, way: what == "enter" and way[-2:] == ["several", "calls"],
    "enter(called) && in_a_row:calls": lambda what, way: what == "enter" and way[-3:] == ["in_a_row", "calls", "called"],
    "enter(called) && *:nests": lambda what, way: what == "enter" and way[-1] == "called" and "nests" in way,
    "enter(called) && !(*:nests)": lambda what, way: what == "enter" and way[-1] == "called" and "nests" not in way,
}


def paths_lead_through_copies():
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in LEVELS:
            told, _ = hits(program(folder, level), [f"{text} {{ print }}" for text in PATHS], "--replay")
            for number, (text, is_hit) in enumerate(PATHS.items(), 1):
                found = sum(hit["statement"] == f"s{number}" for hit in told)
                wanted = sum(is_hit(what, way) for what, way, _ in happened)
                assert found == wanted > 0, (level, text, found, wanted)


def what_is_left_is_the_same_in_parts():
    """What debug information has of a copy's local after its last instruction may be in registers that it needs for nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        path, kept = program(folder, "O1", os.path.join(HERE, "programs/inlined_last.c"), ["-fwrapv"]), os.path.join(folder, "kept")
        statement = "leave(outer) { print outer\\v }"
        live, _ = hits(path, [statement], "--replay")
        subprocess.run([EARSHOT, "record", path, "--inputs", kept], capture_output=True, check=True, timeout=300)
        for jobs in "1", "2":
            done = subprocess.run([EARSHOT, "read", kept, path, "--json", "--jobs", jobs, "-e", statement], capture_output=True, text=True, timeout=300, check=False)
            read = [event["values"] for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"]
            assert read == [hit["values"] for hit in live] and any(values["outer\\v"] for values in read), (jobs, read, live)


def paths_are_whole():
    """A hit's path does not hang on what else is asked: all calls that lead to a copy are followed for its sake, too. With other statements, they are
    followed anyway."""
    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            path, kept = program(folder, level), os.path.join(folder, "kept")
            subprocess.run([EARSHOT, "record", path, "--inputs", kept], capture_output=True, check=True, timeout=300)
            own = {text.split()[-1] for text in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines()}
            other = [word for name in NAMES if name in own for word in ("-e", f"leave({name})")]
            for name in NAMES:
                read = [EARSHOT, "read", kept, path, "--json", "-e", f"asked: leave({name}) {{ print path }}"]
                alone, among = ([{key: event[key] for key in ("cycle", "path")} for event in map(json.loads, done.stdout.splitlines())
                                 if event["event"] == "hit" and event["statement"] == "asked"]
                                for done in (subprocess.run(command, capture_output=True, text=True, timeout=300, check=False) for command in (read, read + other)))
                assert alone == among and all(hit["path"][0] == "main" for hit in alone), (level, name, alone[:3], among[:3])


def the_probe_knows_beginnings():
    """Paths that no replay is needed for mean the same on the probe alone."""
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        texts = [text for text in PATHS if text.startswith("enter(") and "&&" not in text] + ["leave(nests:early:called)"]
        for level in "O2", "Og":
            told, _ = hits(program(folder, level), texts, "--probe-only")
            for number, text in enumerate(texts, 1):
                assert sum(hit["statement"] == f"s{number}" for hit in told) == sum(PATHS[text](what, way) for what, way, _ in happened), (level, text)


def locals_are_those_of_the_copy():
    """At its end, a copy's variables are as it has left them: what it has stored last, and what its caller makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in LEVELS:
            wanted = {"several": [], "looping": []}
            last = None
            for what, way, value in happened:
                last = value if what == "write" and way[-1] == "twice" else last
                if what == "leave" and way[-2:] == ["several", "twice"]:
                    wanted["several"].append(last)
            told, _ = hits(program(folder, level), ["leave(several:twice) { print several:twice\\doubled, several:twice\\value }"], "--replay")
            values = [(hit["values"]["several:twice\\doubled"], hit["values"]["several:twice\\value"]) for hit in told]
            assert len(values) == len(wanted["several"]), level
            for (doubled, value), right in zip(values, wanted["several"]):
                assert doubled in (None, right) and value in (None, right // 2), (level, values, wanted["several"])
            assert sum(doubled is not None for doubled, _ in values) >= len(values) // 2, (level, values)


def what_copies_return_is_not_told():
    """Debug information has no place for it. What a call has returned before is not shown for it."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "both.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("volatile int in = 5, out;\nstatic inline int both(int n)\n{\n    out = n;\n    return n * 3;\n}\nint (*volatile kept)(int) = both;\n"
                       "int main(void)\n{\n    int sum = 0;\n    for (int i = 0; i < 4; i++) {\n        sum += kept(in + i);\n        sum += both(sum);\n    }\n    out = sum;\n    return 0;\n}\n")
        for level in "O2", "Og":
            path = program(folder, level, source, ["-finline-functions"])
            told, said = hits(path, ["leave(both) { print result(both) }", "write(out) { print result(both) }"], "--replay")
            values = [hit["values"]["result(both)"] for hit in told if hit["statement"] == "s1"]
            assert values == [15, None, 18, None, 21, None, 24, None], (level, values)
            assert "result(both) is unknown after inlined copies of it, as in main" in said, said
            after = [hit["values"]["result(both)"] for hit in told if hit["statement"] == "s2"]
            assert after == [None, 15, None, 18, None, 21, None, 24, None], (level, after)
            done = run(path, ["leave(both:main)"])  # both has code of its own and copies, and no way leads on from either
            assert done.returncode == 2 and "both does not call main" in done.stderr, (level, done.returncode, done.stderr)
        done = run(program(folder, "O2"), ["write(out) { print result(twice) }"])
        assert done.returncode == 2 and "there is no result(twice): it was inlined wherever it is called" in done.stderr, done.stderr


FRAME = re.compile(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) ", re.MULTILINE)
CALLED = ["several:calls", "looping:calls", "looping:early", "in_a_row:calls", "nests:early", "chosen:calls", "chosen:nests:early", "main:recursive:nests:early"]


def gdb_is_in_the_same_copies():
    """Where what copies call begins, gdb's backtraces have the copies that paths name."""
    with tempfile.TemporaryDirectory() as folder:
        for level in "O2", "Og":
            path = program(folder, level)
            stops = in_gdb(path, "breakpoint", "*called", server=Recorded)["forward"]
            ways = [list(reversed(FRAME.findall(bt))) for _, _, _, bt in stops]
            told, _ = hits(path, [f"enter({way}:called)" for way in CALLED] + ["enter(called)"], "--replay")
            assert len(ways) == sum(hit["statement"] == f"s{len(CALLED) + 1}" for hit in told) > 20, level
            for number, text in enumerate(CALLED, 1):
                steps = text.split(":") + ["called"]
                wanted = sum(way[-len(steps):] == steps for way in ways)
                assert sum(hit["statement"] == f"s{number}" for hit in told) == wanted > 0, (level, text, wanted)


def interrupts_end_no_copy():
    """A timer interrupts copies anywhere: they go on afterwards, and end once."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(HERE, "programs/inlined_ticks.c")
        for level in "O2", "Og":
            path = program(folder, level, source)
            asked = ["sum", "sum:inner", "tick", "tick:inner"]
            told, _ = hits(path, [f"{what}({way})" for way in asked for what in ("enter", "leave")], "--replay")
            order = [int(hit["statement"][1]) for hit in told]
            for number, count in enumerate((40, 200, None, None)):
                pair = [2 * number + 1, 2 * number + 2]
                found = [each for each in order if each in pair]
                assert found == pair * (len(found) // 2) and len(found) == 2 * (count or len(found) // 2) > 40, (level, asked[number], found)
            assert order.count(7) == order.count(5) and sum(a == 3 and b == 5 for a, b in zip(order, order[1:])) > 3, (level, order)


def a_call_ends_what_is_done():
    """A copy whose beginning is marked at the caller's next call, after all its code, is not active in what that calls."""
    with tempfile.TemporaryDirectory() as folder:
        path = program(folder, "O2", os.path.join(HERE, "programs/inlined_before.c"))
        asked = ["enter(first)", "leave(first)", "enter(second)", "leave(second)", "enter(second) && *:first"]
        told, _ = hits(path, asked, "--replay")
        assert [int(hit["statement"][1]) for hit in told] == [1, 2, 3, 1, 2, 4] * 12, [hit["statement"] for hit in told][:12]


def made_up_programs(count, seed):
    """Their events are the sources', but where the beginning of a copy is told after a call that it makes."""
    late = events = 0
    for number in range(seed, seed + count):
        text, names = made_up(random.Random(number))
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "made.c")
            with open(source, "w", encoding="ascii") as file:
                file.write(text)
            happened = natively(folder, source)
            for level in LEVELS:
                found, known = events_of(program(folder, level, source), names, "--replay")
                wanted = [(what, way[-1]) for what, way, _ in happened if way[-1] in known]
                events += len(wanted)
                if sorted(found) != sorted(wanted) or [each for each in found if each[0] == "leave"] != [each for each in wanted if each[0] == "leave"]:
                    raise AssertionError((f"--random 1 {number}", level, differences(found, wanted)))
                late += found != wanted
    print(f"{count} programs from seed {seed} on: {events} entries and ends; in {late} runs an entry is told late")


TESTS = [entries_and_ends_are_the_sources, stores_lie_in_between, all_threads_tell_the_same, what_is_left_is_the_same_in_parts,
         paths_lead_through_copies, paths_are_whole, the_probe_knows_beginnings, locals_are_those_of_the_copy, what_copies_return_is_not_told,
         gdb_is_in_the_same_copies, interrupts_end_no_copy, a_call_ends_what_is_done]

if __name__ == "__main__":
    if sys.argv[1:2] == ["--random"]:
        made_up_programs(int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 30))
        sys.exit(0)
    sys.exit(run_all(TESTS))
