#!/usr/bin/python3
"""Procedures of which the compiler has made several: results, entries and paths of f mean all of them. Truth: the same source compiled for this
computer without optimisation, where -finstrument-functions tells each entry, result and way; and gdb, which sets a breakpoint on each copy."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb")]

from harness import run_all  # noqa: E402
from serving import EARSHOT, Recorded, in_gdb  # noqa: E402

SOURCE = os.path.join(HERE, "programs/copies.c")
LEVELS = "O2", "O3", "Os", "O0"
MADE = {"O2": r"scale\.constprop|wide\.constprop|partly\.isra|drop\.isra|outer\.constprop\.1", "O3": r"partly\.constprop", "Os": r"drop\.isra"}
WHOLE = "scale", "pick", "wide", "outer"   # each copy returns something, and none ends with a jump


def program(folder, level):
    path = os.path.join(folder, f"copies-{level}.elf")
    subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", "-fipa-cp-clone", SOURCE, "-o", path], check=True)
    symbols = subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", path], capture_output=True, text=True, check=True).stdout
    for name in MADE.get(level, "").split("|"):
        assert re.search(name, symbols), f"this compiler makes no {name} at -{level}: the test shows less than it should"
    return path


def natively(folder):
    """What happened: (enter or leave, path, result)."""
    path = os.path.join(folder, "copies")
    subprocess.run(["gcc", "-O0", "-w", "-DNATIVE", "-finstrument-functions", SOURCE, "-o", path], check=True)
    lines = subprocess.run([path], capture_output=True, text=True, check=True).stdout.splitlines()
    return [(what, way.split(":"), int(result)) for what, way, result in (line.split() for line in lines)]


def run(path, statements, *options):
    command = [EARSHOT, "watch", path, "--json", *options, *[word for text in statements for word in ("-e", text)]]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def hits(path, statements, *options):
    done = run(path, statements, *options)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    found = [event for event in found if event["event"] == "hit"]
    assert found, done.stderr
    return found


def results_are_the_sources():
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in LEVELS:
            path = program(folder, level)
            wanted = [(way[-1], way, result) for what, way, result in happened if what == "leave" and way[-1] in WHOLE and "handed" not in way]
            told = hits(path, [f"{name}: when leave({name}) {{ print result({name}) }}" for name in WHOLE], "--replay")
            found = [(hit["statement"], hit["path"], hit["values"][f"result({hit['statement']})"]) for hit in told]
            # pick's last instruction is handed's, where handed ends with a jump to it
            found = [each for each in found if each[0] != "pick" or level == "O0" or each[2] is not None]
            jumped = [(way[-1], way, result) for what, way, result in happened if what == "leave" and way == ["main", "handed", "pick"]]
            if level == "O0":
                found = [each for each in found if "handed" not in each[1]]
            else:
                assert sum(each[1] == ["main", "pick"] for each in found) == sum(each[1] == ["main", "pick"] for each in wanted) + len(jumped), level
                wanted = [(name, [step for step in way if step != "handed"], result) for name, way, result in
                          ((way[-1], way, result) for what, way, result in happened if what == "leave" and way[-1] in WHOLE)]
            assert found == wanted, (level, [pair for pair in zip(found, wanted) if pair[0] != pair[1]][:3], len(found), len(wanted))


def what_was_left_out_is_unknown():
    """GCC's f.isra.0 may return nothing: its register holds anything. That is never told; results of other copies are."""
    with tempfile.TemporaryDirectory() as folder:
        kept = [result for what, way, result in natively(folder) if what == "leave" and way[-1] == "partly"]
        path = program(folder, "O2")
        done = run(path, ["leave(partly) { print result(partly) }"])
        assert "result(partly) is unknown when the copy of partly at 0x" in done.stderr, done.stderr
        told = [event["values"]["result(partly)"] for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"]
        assert told == [value if i % 2 == 0 else None for i, value in enumerate(kept)], (told, kept)
        done = run(path, ["leave(drop) { print result(drop) }"])
        assert done.returncode == 2 and "there is no result(drop): drop has no result that a caller of it is seen to take" in done.stderr, done.stderr
        # without optimisation there is one
        wanted = [result for what, way, result in natively(folder) if what == "leave" and way[-1] == "drop"]
        assert [hit["values"]["result(drop)"] for hit in hits(program(folder, "O0"), ["leave(drop) { print result(drop) }"])] == wanted


PATHS = {   # statement: of what happens, which is a hit
    "enter(outer:scale)": lambda what, way: what == "enter" and way == ["main", "outer", "scale"],
    "leave(main:outer:scale)": lambda what, way: what == "leave" and way == ["main", "outer", "scale"],
    "enter(main:scale)": lambda what, way: what == "enter" and way == ["main", "scale"],
    "leave(main:*:scale)": lambda what, way: what == "leave" and way[-1] == "scale",
    "outer:scale": lambda what, way: what == "enter" and way == ["main", "outer", "scale"],
    "leave(scale[1])": lambda what, way: what == "leave" and way[-1] == "scale",
    "enter(scale[2])": lambda what, way: False,
    "enter(scale) && main:outer": lambda what, way: what == "enter" and way == ["main", "outer", "scale"],
    "enter(scale) && !(main:outer)": lambda what, way: what == "enter" and way == ["main", "scale"],
    "enter(wide) && path == main:wide": lambda what, way: what == "enter" and way == ["main", "wide"],
    "leave(main:partly)": lambda what, way: what == "leave" and way[-1] == "partly",
}


def paths_mean_all_copies():
    with tempfile.TemporaryDirectory() as folder:
        happened = natively(folder)
        for level in LEVELS:
            path = program(folder, level)
            for options in ["--replay"], ["--probe-only"]:
                told = hits(path, [f"{text} {{ print }}" for text in PATHS], *options)
                for number, (text, is_hit) in enumerate(PATHS.items(), 1):
                    found = [hit["path"] for hit in told if hit["statement"] == f"s{number}"]
                    wanted = [way for what, way, _ in happened if is_hit(what, way)]
                    assert found == wanted, (level, options, text, found[:4], wanted[:4], len(found), len(wanted))
                # within each, all in one order
                order = [hit["cycle"] for hit in told]
                assert order == sorted(order), (level, options)


def variables_behind_paths():
    """main:outer:scale\\value: of whichever copy of scale runs, called by whichever of outer."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = hits(program(folder, "O0"), ["enter(outer:scale) { print scale\\value, main:outer:scale\\limit, out }",
                                              "leave(main:outer) { print outer\\sum }"], "--probe-only")
        for level in "O2", "O3", "Os":
            path = program(folder, level)
            told = hits(path, ["enter(outer:scale) { print scale\\value, main:outer:scale\\limit, out }", "leave(main:outer) { print outer\\sum }"])
            strip = [(hit["statement"], hit["path"], {name: value for name, value in hit["values"].items() if value is not None}) for hit in told]
            assert len(strip) == len(wanted), level
            for found, want in zip(strip, wanted):
                assert found[:2] == (want["statement"], want["path"]) and found[2].items() <= want["values"].items(), (level, found, want)
            # arguments are known at the entry
            assert all(len(found[2]) == 3 for found in strip if found[0] == "s1"), (level, strip[:3])


def variables_of_one_moment():
    """What is printed where a variable of an inlined copy is assigned: the others are as after the same instruction, though the copy before has
    ended there."""
    with tempfile.TemporaryDirectory() as folder:
        for level in "Og", "O2", "Os":
            path = os.path.join(folder, f"moments-{level}.elf")
            source = os.path.join(HERE, "programs/moments.c")
            subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", source, "-o", path], check=True)
            for printed in "twice\\w, twice\\q", "twice\\q, twice\\w":
                told = [hit["values"] for hit in hits(path, [f"write(twice\\w) {{ print {printed} }}"], "--replay")]
                assert len(told) == 24, (level, len(told))
                wrong = [each for each in told if each["twice\\q"] is not None and each["twice\\w"] != 2 * each["twice\\q"]]
                assert not wrong and sum(each["twice\\q"] is not None for each in told) >= 12, (level, printed, told)
        # GCC says that x is in its register from the first instruction on, where the caller's value still is
        told = [hit["values"]["outer\\x"] for hit in hits(os.path.join(folder, "moments-O2.elf"), ["write(outer\\x) { print outer\\x }"])]
        assert told == [2 * i + 1 for i in range(12)], told


def computed_of_pairs():
    """What debug information computes of a number in two registers has both of them."""
    with tempfile.TemporaryDirectory() as folder:
        for level in "O2", "Os":
            path = os.path.join(folder, f"moments-{level}.elf")
            source = os.path.join(HERE, "programs/moments.c")
            subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", source, "-o", path], check=True)
            told = [hit["values"]["lazy\\x"] for hit in hits(path, ["write(lazy\\x) { print lazy\\x }"])]
            assert len(told) % 3 == 0 and told[::len(told) // 3] == [n * (n + 1) << 33 for n in range(1, 4)], (level, told)


def statements_by_number():
    """at(scale\\1) is in the code of each copy."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = sum(what == "enter" and way[-1] == "scale" for what, way, _ in natively(folder))
        for level in "O2", "O0":
            assert len(hits(program(folder, level), ["at(*:scale\\1) { count all; print }"], "--probe-only")) == wanted, level


def call_numbers_are_of_one_copy():
    with tempfile.TemporaryDirectory() as folder:
        done = run(program(folder, "O2"), ["enter(outer:1)"])
        assert done.returncode == 2 and "the compiler has made 2 procedures of outer, with other calls in each" in done.stderr, done.stderr


def gdb_says_the_same():
    with tempfile.TemporaryDirectory() as folder:
        for level in "O2", "Os":
            path = program(folder, level)
            for name in "scale", "wide":
                told = [hit["values"][f"result({name})"] for hit in hits(path, [f"leave({name}) {{ print result({name}) }}"])]
                found = in_gdb(path, "finish", name, 12 if name == "scale" else 8, server=Recorded)["finished"]
                wanted = [int(re.search(r"-?\d+", each["value"]).group()) for each in found]
                assert len(wanted) > 4 and told[:len(wanted)] == wanted, (level, name, told, wanted)


if __name__ == "__main__":
    sys.exit(run_all([results_are_the_sources, what_was_left_out_is_unknown, paths_mean_all_copies, variables_behind_paths, variables_of_one_moment, computed_of_pairs,
                      statements_by_number, call_numbers_are_of_one_copy, gdb_says_the_same]))
