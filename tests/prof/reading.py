"""Reads profiles in the formats in which they are written."""
import re
from collections import Counter

FLAT = re.compile(r" *([\d.]+) +(\d+) +(\d+) +(\d+|\?) +(?:([\d.]+) +([\d.]+))? +(\S.*)$")
MAIN = re.compile(r"\[(\d+)\] +([\d.]+) +(\d+) +(\d+) +(\d+) +(\d+|\?) +(\S.*)$")
EDGE = re.compile(r" +([\d.]+) +(\d+) +(\d+) +(\d+|\?)/(\d+|\?) +(\S.*?)(?: \[\d+\])?$")


class Profile:
    """What a profile for people says: by function, in instructions; edges as (caller, callee): (calls, instructions)."""

    def __init__(self, text):
        head, rest = text.split("\nFlat profile\n\n")
        flat, rest = rest.split("\nCallers and callees: ")
        graph, stacks = rest.split("Tasks and interrupts\n\n")
        self.instructions = int(re.search(r": (\d+) instructions", head).group(1))
        self.own, self.calls, self.total, self.edges = {}, {}, {}, {}
        for line in flat.splitlines()[1:]:
            _, own, _, calls, _, _, name = FLAT.fullmatch(line).groups()
            assert name not in self.own, name
            self.own[name], self.calls[name] = int(own), None if calls == "?" else int(calls)
        for block in graph.split("\n\n", 1)[1].split("\n", 1)[1].split("\n\n"):
            self._take(block)
        self.stacks = {line.split(None, 4)[4]: tuple(map(int, line.split()[1:4])) for line in stacks.splitlines()[1:]}

    def _take(self, block):
        lines = block.splitlines()
        at = next((i for i, line in enumerate(lines) if line.startswith("[")), None)
        if at is None:
            return
        _, _, own, total, _, calls, name = MAIN.fullmatch(lines[at]).groups()
        assert self.own[name] == int(own) and self.calls[name] == (None if calls == "?" else int(calls)), block
        self.total[name] = int(total)
        for i, line in enumerate(lines):
            if i != at:
                _, cost, _, times, of, other = EDGE.fullmatch(line).groups()
                edge = (other, name) if i < at else (name, other)
                assert (None if of == "?" else int(of)) == self.calls[edge[1]], line
                what = (None if times == "?" else int(times), int(cost))
                assert self.edges.setdefault(edge, what) == what, (edge, what, self.edges[edge])


def callgrind(text):
    """Own costs by function and by file, line; calls as (caller, callee): (calls, instructions); the sum that it gives."""
    names, own, lines, edges = {}, Counter(), Counter(), {}
    summary = function = called = times = file = None

    def name_of(word):
        number, _, name = word.partition(" ")
        if name:
            assert names.setdefault(number, name) == name
        return names[number]

    for line in text.splitlines():
        key, _, value = line.partition("=")
        if line.startswith("summary: "):
            summary = int(line.split()[1])
        elif key == "fn":
            function = name_of(value)
        elif key in ("fl", "fi", "fe"):
            file = value
        elif key == "cfn":
            called = name_of(value)
        elif key == "calls":
            times = int(value.split()[0])
        elif line.startswith("0x"):
            _, number, cost, _ = line.split()
            if called:
                before = edges.get((function, called), (0, 0))
                edges[function, called] = (before[0] + times, before[1] + int(cost))
                called = None
            else:
                own[function] += int(cost)
                lines[file, int(number)] += int(cost)
    return own, lines, edges, summary
