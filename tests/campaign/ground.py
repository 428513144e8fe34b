"""What the parts of the campaign share: where truth comes from, and what is kept of what was found."""
import functools
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name) for name in ("daemon", "support")]
from bench import BUILD, EARSHOT, FOREVER, PATIENCE, earshot  # noqa: E402

BEATS = "when beat != 0 { print beat }"  # a hit for every write of tests/cli/forever.c
SHORT = False  # campaign.py says so
SANITIZED = BUILD.endswith("san")


class Wrong(Exception):
    """Something was not as it has to be."""


def expect(condition, *told):
    if not condition:
        raise Wrong("; ".join(str(part) for part in told))


class Figures:
    """What was done and found: sums, and the most of what was measured."""

    def __init__(self):
        self.sums, self.mosts = {}, {}

    def add(self, name, number=1):
        self.sums[name] = self.sums.get(name, 0) + number

    def most(self, name, value):
        self.mosts[name] = max(value, self.mosts.get(name, value))

    def __str__(self):
        return ", ".join([f"{number} {name}" for name, number in self.sums.items()] +
                         [f"{name} at most {value:.3g}" for name, value in self.mosts.items()])


@functools.cache
def clocks_of_beats():
    """(first, step): when the undisturbed program writes 1, and the clocks until each next number."""
    done = earshot("watch", FOREVER, "-e", BEATS, "--count", "3000", "--json")
    hits = hits_of(done.stdout)
    first, step = hits[0][0], hits[1][0] - hits[0][0]
    expect(done.returncode == 0 and hits == [(first + step * i, i + 1) for i in range(3000)], "the program's beats are not even")
    return first, step


def hits_of(text):
    """(cycle, beat) of the hits among lines of JSON."""
    return [(line["cycle"], line["values"]["beat"]) for line in map(json.loads, text.splitlines()) if line["event"] == "hit"]


def are_true(hits):
    """Whether each is a hit of the undisturbed program, in its order."""
    first, step = clocks_of_beats()
    last = 0
    for cycle, beat in hits:
        if beat <= last or cycle != first + step * (beat - 1):
            return False
        last = beat
    return True


def read_trace(directory):
    """What `earshot read` makes of a trace: (hits, lines of other kinds). None: it says that there is nothing to read yet."""
    done = earshot("read", directory, "--json")
    if done.returncode == 2 and not done.stdout:
        return None
    expect(done.returncode == 0, f"earshot read: exit {done.returncode}: {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [(line["cycle"], line["values"]["beat"]) for line in lines if line["event"] == "hit"], [line for line in lines if line["event"] != "hit"]


def babeltrace(directory):
    """(exit code, how many hits it counts, what it complains of)"""
    done = subprocess.run(["babeltrace2", directory], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, sum(" s1: " in line for line in done.stdout.splitlines()), done.stderr


__all__ = ["BEATS", "BUILD", "EARSHOT", "FOREVER", "HERE", "PATIENCE", "SANITIZED", "Figures", "Wrong", "are_true", "babeltrace", "clocks_of_beats", "earshot",
           "expect", "hits_of", "read_trace"]
