"""`earshot stats`: of runs, of the daemon's runs and of traces it shows what can be computed from the hits; on a terminal while it runs (tmux)."""
import collections
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "daemon"))
from bench import BUILD, EARSHOT, FOREVER, THERMOSTAT, Daemon, until  # noqa: E402
from harness import run_all  # noqa: E402
from tmux import Terminal, width  # noqa: E402

TICKS = f"{BUILD}/tests/cli/ticks.elf"
STATEMENTS = ["hot: when temp > 60 { print temp, mode, plant.steps }", "took: when enter(control) then leave(control) { hist(elapsed); print elapsed }",
              "many: when write(plant.steps) { count many }", "all: when write(plant.steps) { snapshot plant }", "silent: when temp > 500"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def arguments(statements):
    return [word for text in statements for word in ("-e", text)]


def run(*command, code=0, **options):
    done = subprocess.run([EARSHOT, *command], capture_output=True, text=True, timeout=120, check=False, **options)
    assert done.returncode == code, (command, done)
    return done


def lines(*command, **options):
    return [json.loads(line) for line in run(*command, "--json", **options).stdout.splitlines()]


def nearest(values, percent):
    return sorted(values)[max(math.ceil(percent / 100 * len(values)) - 1, 0)]


def flat(value, name):
    """The numbers in a value of a hit, by the names that they have in the source."""
    if isinstance(value, dict):
        return {key: number for member, inner in value.items() for key, number in flat(inner, f"{name}.{member}").items()}
    if isinstance(value, list):
        return {key: number for at, inner in enumerate(value) for key, number in flat(inner, f"{name}[{at}]").items()}
    return {name: value}


def computed(hits):
    """By statement: values of each name, over its hits."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for hit in hits:
        for name, value in hit["values"].items():
            for field, number in flat(value, name).items():
                values[hit["statement"]][field].append(number)
    return values


def agree(told, hits, stretch_ns, counts):
    """What is said about the hits is what follows from them."""
    rates = next(line for line in told if line["event"] == "rates" and line["last"])
    assert rates["to_ns"] - rates["from_ns"] == stretch_ns, rates
    values = computed(hits)
    for name, count in counts.items():
        rate, times = rates["statements"][name], [hit["time_ns"] for hit in hits if hit["statement"] == name]
        assert rate["hits"] == count and abs(rate["rate"] - count / stretch_ns * 1e9) < 1e-6 * (rate["rate"] + 1), (name, rate, count)
        assert (rate.get("first_ns"), rate.get("last_ns")) == ((times[0], times[-1]) if times else (None, None)), (name, rate)
    checked = 0
    for line in (line for line in told if line["event"] == "statistic" and line["last"]):
        kind, field = re.fullmatch(r"(stats|count by|hist)[ (]([^)]*)\)?", line["statistic"]).groups()
        want = values[line["statement"]].get(field, values[line["statement"]].get(f"{field}_ns", []))
        assert sum(group["n"] for group in line["groups"]) == len(want) or line.get("groups_left_out"), (line, len(want))
        checked += len(want)
        if kind == "count by":
            assert {group["key"]: group["n"] for group in line["groups"]} == dict(collections.Counter(map(str, want)).most_common(10)), (line, want)
        elif kind == "stats" and want:
            group = line["groups"][0]
            assert (group["min"], group["max"]) == (min(want), max(want)), (line, want)
            assert abs(group["mean"] - sum(want) / len(want)) <= 1e-9 * abs(sum(want)), line
            for percent in (50, 90, 99, 99.9):
                assert abs(group[f"p{percent}"] - nearest(want, percent)) <= abs(nearest(want, percent)) / 256, (line, percent)
    return checked


@test
def of_a_run():
    told = lines("stats", THERMOSTAT, *arguments(STATEMENTS), "-t", "40ms")
    seen = lines("watch", THERMOSTAT, *arguments(STATEMENTS), "-t", "40ms")
    hits = [line for line in seen if line["event"] == "hit"]
    alone = [line for line in lines("watch", THERMOSTAT, "-e", STATEMENTS[1], "-t", "40ms") if line["event"] == "hit"]
    assert alone, "hits of a statement that prints besides its statistics"
    assert not [line for line in told if line["event"] == "hit"] and told[-1] == seen[-1]
    counts = told[-1]["statements"]
    assert counts["many"] > 100 and counts["hot"] > 50 and counts["silent"] == 0
    assert agree(told, hits, 40_000_000, counts) > 1000
    names = {(line["statement"], line["statistic"]) for line in told if line["event"] == "statistic"}
    assert {("hot", "stats(temp)"), ("hot", "count by mode"), ("all", "stats(plant.zone[1].reading)"), ("took", "hist(elapsed)")} <= names, names
    text = run("stats", THERMOSTAT, *arguments(STATEMENTS), "-t", "40ms").stdout
    assert re.search(rf"^  hot +{counts['hot']} +\d+(\.\d+)? +[0-9.]+ ms +[0-9.]+ ms$", text, re.MULTILINE), text
    assert re.search(r"^  silent +0 +0 +- +-$", text, re.MULTILINE) and "in the target's time from 0.0000 ms to 40.0000 ms" in text, text
    assert re.search(rf"^hot\n +n +min +mean +p50 +p90 +p99 +p99.9 +max\n  temp +{counts['hot']} +61 ", text, re.MULTILINE), text
    assert "main > control" not in text and f"{told[-1]['hits']} hits, nothing lost" in text, text


@test
def a_value_once():
    """What the user asks statistics of is not shown again because it is printed, too."""
    told = lines("stats", THERMOSTAT, "-e", "hot: when temp > 60 { print temp, mode; stats(temp); hist(temp) }", "-t", "10ms")
    names = [line["statistic"] for line in told if line["event"] == "statistic"]
    assert sorted(names) == ["count by mode", "hist(temp)", "stats(temp)"], names
    told = lines("stats", THERMOSTAT, "-e", "hot: when temp > 60 { print temp; stats(temp) by path }", "-t", "10ms")
    assert sorted(line["statistic"] for line in told if line["event"] == "statistic") == ["stats(temp)", "stats(temp) by path"], told


@test
def of_a_trace():
    with tempfile.TemporaryDirectory() as folder:
        trace = f"{folder}/trace"
        run("watch", THERMOSTAT, *arguments(STATEMENTS), "-t", "40ms", "--out", trace)
        hits = [line for line in lines("read", trace) if line["event"] == "hit"]
        told = lines("stats", trace)
        # what statistics alone are of is in the trace, too
        live = lines("stats", THERMOSTAT, *arguments(STATEMENTS), "-t", "40ms")
        assert told == live, (told, live)
        assert agree(told, hits, 40_000_000, told[-1]["statements"]) > 1000
        part = [hit for hit in hits if 10_000_000 <= hit["time_ns"] <= 30_000_000]
        told = lines("stats", trace, "--from", "10ms", "--to", "30ms")
        counts = collections.Counter(hit["statement"] for hit in part)
        assert agree(told, part, 20_000_000, {name: counts[name] for name in ("hot", "took", "all", "silent")}) > 500
        assert told[-1]["event"] == "statistic"  # the summary is of the whole run
        one = lines("stats", trace, "--statement", "hot")
        assert {line["statement"] for line in one if line["event"] == "statistic" and line["groups"]} == {"hot"}, one
        assert "the trace has no statement 'warm'" in run("stats", trace, "--statement", "warm", code=2).stderr
        assert "holds no trace" in run("stats", folder, code=2).stderr
        assert "DIR" in run("stats", "--help").stdout


@test
def in_the_daemon():
    with Daemon() as daemon:
        command = ["stats", THERMOSTAT, *arguments(STATEMENTS), "-t", "20ms"]
        assert lines(*command, f"--daemon={daemon.socket}") == lines(*command)
        run("record", FOREVER, "-e", "beat != 0 { print beat }", f"--daemon={daemon.socket}", "--name", "long")
        until(lambda: lines("runs", f"--socket={daemon.socket}")[0]["hits"] > 0, "it has begun before it is looked at")
        looking = subprocess.Popen([EARSHOT, "stats", "--run", "long", f"--daemon={daemon.socket}", "--json", "--every", "1ms"], stdout=subprocess.PIPE, text=True)
        told = [{"event": ""}]
        while told[-1]["event"] != "rates" or told[-1]["statements"]["s1"]["hits"] <= 10:
            told.append(json.loads(looking.stdout.readline()))
        looking.terminate()
        told += [json.loads(line) for line in looking.stdout.read().splitlines()]
        assert looking.wait(timeout=60) == 0
        rates, values = told[-2:]
        group, hits = values["groups"][0], rates["statements"]["s1"]["hits"]
        # it has seen a part of the run: each beat of it, one after the other
        assert values["statistic"] == "stats(beat)" and group["n"] == hits > 10, told
        assert group["max"] - group["min"] + 1 == group["n"], group
        assert rates["from_ns"] > 0 and abs(rates["statements"]["s1"]["rate"] - hits / (rates["to_ns"] - rates["from_ns"]) * 1e9) < 1, rates
        run("runs", "--stop", "long", f"--socket={daemon.socket}")


@test
def while_it_runs():
    told = lines("stats", THERMOSTAT, "-e", "write(plant.steps) { print plant.steps }", "-t", "20ms", "--every", "3ms")
    counts = [line["statements"]["s1"]["hits"] for line in told if line["event"] == "rates"]
    assert len(counts) == 7 and counts == sorted(set(counts)), counts
    assert [line["last"] for line in told if line["event"] == "statistic"] == [False] * 6 + [True]


@test
def what_is_many_or_unknown():
    """More values than are kept apart are told as such."""
    text = run("stats", THERMOSTAT, "-e", "write(plant) { print }", "-t", "20ms").stdout
    assert re.search(r"^  \d+ more left out$", text, re.MULTILINE), text
    assert run("stats", THERMOSTAT, "-e", "tempp > 3", code=2).stderr.count("did you mean 'temp'") == 1
    assert "which program?" in run("stats", code=2).stderr


def count_of(screen):
    found = [re.match(r"  s1 +(\d+) ", line) for line in screen]
    return next((int(match[1]) for match in found if match), 0)


@test
def on_a_terminal():
    command = f"{EARSHOT} stats {TICKS} " + " ".join(f"-e '{text}'" for text in (
        "tick", "warm: 温度", "pair: write(tick) then write(tick) { print elapsed, tick; hist(elapsed) by path; count by 温度 }"))
    for columns in 40, 80, 200:
        with Terminal(columns) as t:
            t.run(f"clear; {command}")
            t.wait("0 lost", "statement", "space pause", now=True)
            t.until(lambda screen: count_of(screen) > 20, "hits are counted")
            before = count_of(t.until(count_of, "they are shown"))
            screen = t.until(lambda screen: count_of(screen) > before and "more lines" in screen[-1], "the tables are made again")
            assert max(map(width, screen)) <= columns and any("温度" in line for line in screen), screen
            rows = [line for line in screen if re.match(r"  (s1|warm|pair) ", line)]
            assert len({width(line) for line in rows}) == 1, rows  # columns stand below each other
            t.key("NPage")
            t.until(lambda screen: not any(re.match(r"  statement ", line) for line in screen), "the next page")
            t.type(" ")
            t.wait("PAUSED", now=True)
            t.type(" ")
            t.resize(columns + 7)
            time.sleep(0.8)
            t.key("q")
            ended = t.wait("nothing lost", "simulated", history=True)
            assert any(re.match(r"  s1 +\d+ ", line) for line in ended), ended
            t.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo)' | tr '\\n' ' '")
            t.wait("icanon echo", now=True)


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
