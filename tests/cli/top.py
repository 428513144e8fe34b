"""`earshot top` on a real terminal (tmux): what the screen shows, keys, widths, and how it ends; and its figures as JSON."""
import json
import os
import re
import signal
import subprocess
import sys
import time

from harness import run_all
from tmux import Terminal, width

BUILD = os.environ.get("EARSHOT_BUILD", "build")
TICKS = f"{BUILD}/tests/cli/ticks.elf"
STATEMENTS = ["tick", "never", "pair: write(tick) then write(tick) { print elapsed }", "warm: 温度"]
TOP = f"{BUILD}/earshot top {TICKS} " + " ".join(f"-e '{statement}'" for statement in STATEMENTS)
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def rows(lines):
    """By statement: hits, and its line."""
    found = [re.match(r"(s1|s2|pair|warm) +(\d+) ", line) for line in lines]
    return {match.group(1): (int(match.group(2)), match.string) for match in found if match}


def hits_of_s1(lines):
    """0: none yet, or nothing is drawn."""
    return rows(lines).get("s1", (0,))[0]


def totals(lines):
    return {name: int(hits) for name, hits in re.findall(r"^  (s1|s2|pair|warm) +(\d+)$", "\n".join(lines), re.MULTILINE)}


@test
def what_it_shows():
    for columns in 40, 80, 200:
        with Terminal(columns) as t:
            t.run(f"clear; {TOP}")
            t.wait("0 lost", "statement", "space pause", now=True)
            lines = t.until(lambda lines: hits_of_s1(lines) >= 30 and len(rows(lines)) == 4, "hits are counted")
            shown = rows(lines)
            assert max(map(width, lines)) <= columns, lines
            assert list(shown) == ["s1", "s2", "pair", "warm"] and shown["s2"][0] == 0, lines
            if columns >= 80:
                assert f"tick={shown['s1'][0]}" in shown["s1"][1], shown  # the last value is that of the last hit
                assert re.search(r" 2\d\d\.\d+µs|  4\d\d", shown["pair"][1]) or "elapsed=" in shown["pair"][1], shown
                assert "温度=" in shown["warm"][1] and re.search("[▁-█]{8}", shown["s1"][1]), shown
            t.key("q")
            ended = t.wait("nothing lost", "simulated", now=True)
            assert totals(ended)["s1"] >= shown["s1"][0] and totals(ended)["s2"] == 0, ended
            t.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo)' | tr '\\n' ' '")
            t.wait("icanon echo", now=True)


@test
def keys_and_widths():
    with Terminal(90) as t:
        t.run(f"clear; {TOP}")
        t.wait("sort: as written", now=True)
        t.type("h")
        t.wait("sort: hits", now=True)
        t.until(lambda lines: list(rows(lines))[-1:] == ["s2"], "the one without hits is the last")
        t.type("s")
        t.wait("sort: rate", now=True)
        t.type(" ")
        t.wait("PAUSED", now=True)
        before = hits_of_s1(t.until(hits_of_s1, "hits are shown"))
        time.sleep(0.7)  # time for what should not happen
        assert hits_of_s1(t.until(hits_of_s1, "hits are shown")) == before, "it is held"
        t.type(" ")
        t.wait("sort: rate", without=["PAUSED"], now=True)
        t.until(lambda lines: hits_of_s1(lines) > before, "it goes on")
        t.type("?")
        t.wait("other statements, where not all fit", now=True)
        t.type("?")
        for columns in 45, 120:
            before = hits_of_s1(t.until(hits_of_s1, "hits are shown"))
            t.resize(columns)
            t.until(lambda lines, columns=columns, before=before: hits_of_s1(lines) > before and len(rows(lines)) == 4 and
                    max(map(width, lines)) <= columns and any("0 lost" in line for line in lines), f"it is drawn with {columns} columns")
        t.key("C-c")
        t.wait("nothing lost", now=True)


@test
def long_names():
    """Whole where there is room, else shortened in the middle."""
    name = "a_rather_long_name_of_a_statement"
    for columns, shown in (80, "a_rather_"), (200, name):
        with Terminal(columns) as t:
            t.run(f"clear; {BUILD}/earshot top {TICKS} -e '{name}: tick'")
            lines = t.wait("0 lost", "statement", "space pause", now=True)
            assert any(line.startswith(shown) and (name in line) == (shown == name) for line in lines), lines
            t.key("q")
            t.wait("nothing lost", now=True)


@test
def stopped_and_continued():
    with Terminal(80) as t:
        t.run(f"clear; {TOP}")
        t.wait("sort: as written", now=True)
        t.key("C-z")
        t.wait("Stopped", now=True)
        t.run("clear; fg")
        t.wait("sort: as written", now=True)
        t.key("q")
        t.wait("nothing lost", now=True)


@test
def without_colours():
    for environment, wanted in ({}, True), ({"NO_COLOR": "1"}, False):
        with Terminal(80, **environment) as t:
            t.run(f"clear; {TOP}")
            lines = t.wait("sort: as written", "statement", now=True, colors=True)
            assert any(re.search(r"\x1b\[[0-9;]*3[0-7]", line) for line in lines) == wanted, lines
            t.key("q")
            t.wait("nothing lost", now=True)


@test
def figures_as_json():
    command = [f"{BUILD}/earshot", "top", TICKS, "--json"] + [word for statement in STATEMENTS for word in ("-e", statement)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    while not 0 < lines[-2]["statements"]["s1"]["hits"] < lines[-1]["statements"]["s1"]["hits"]:  # a slow machine has none at first, or no new ones
        lines.append(json.loads(process.stdout.readline()))
    lines = lines[-2:]
    process.send_signal(signal.SIGINT)
    rest, told = process.stdout.read(), process.stderr.read()  # communicate() would leave out what is buffered here
    assert process.wait(timeout=60) == 0, told
    summary = json.loads(rest.splitlines()[-1])
    hits = [line["statements"]["s1"]["hits"] for line in lines] + [summary["statements"]["s1"]]
    assert all(line["event"] == "top" for line in lines) and 0 < hits[0] < hits[1] <= hits[2], (lines, summary)
    assert lines[1]["statements"]["s1"]["last"] == f"tick={hits[1]}" and "last" not in lines[1]["statements"]["s2"], lines
    # two rounds of the loop are as far apart as their times say
    exact = subprocess.run([f"{BUILD}/earshot", "watch", TICKS, "--json", "-n", "9", "-e", STATEMENTS[2]], capture_output=True, text=True,
                           timeout=60, check=True)
    longest = max(next(iter(json.loads(line)["values"].values())) for line in exact.stdout.splitlines() if '"hit"' in line)
    assert lines[1]["statements"]["pair"]["worst_ns"] >= longest, (lines, longest)


@test
def refusals():
    said = subprocess.run([f"{BUILD}/earshot", "top", TICKS, "-e", "tick"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert said.returncode == 2 and "needs a terminal" in said.stderr and said.stdout == "", said
    said = subprocess.run([f"{BUILD}/earshot", "top", TICKS, "-e", "tikc", "--json"], capture_output=True, text=True, check=False)
    assert said.returncode == 2 and "tick" in said.stderr, said
    with Terminal(80) as t:
        t.run(f"clear; {BUILD}/earshot top {TICKS} -e tikc; echo code $?")
        t.wait("-e:1:1: error", "code 2", now=True)


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
