"""What a run tells: the lines of `earshot watch --json` as objects."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

# A value as JSON has it: numbers, enumerators and floats that are no numbers as texts, None where it is not known, structs and arrays.
Value = Union[int, float, str, bool, None, List[Any], Dict[str, Any]]


@dataclass(frozen=True)
class Hit:
    """A statement was true."""

    statement: str
    time: float  # seconds since the target's start
    time_ns: int
    cycle: int
    values: Mapping[str, Value]  # lengths of time end in _ns
    path: Optional[Tuple[Optional[str], ...]]  # procedures, outermost first; None: not known
    file: Optional[str]
    line: Optional[int]
    task: Optional[str]
    uncertain: bool  # what it depends on was lost: it may not have been one
    raw: Mapping[str, Any] = field(repr=False)  # the whole line

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    @property
    def unknown(self) -> Mapping[str, str]:
        """Why values are None, by their names."""
        why: Mapping[str, str] = self.raw.get("unknown", {})
        return why


@dataclass(frozen=True)
class Gap:
    """Something was lost: hits may be missing between these times."""

    lost: int
    what: str  # "bus", "events", "link", "host", "disk"
    cycle: int
    last_cycle: Optional[int]  # None: it has no end


@dataclass(frozen=True)
class Inferred:
    """Which call paths a hit before it may have had, whose path is None: no facts."""

    statement: str
    cycle: int  # the hit's
    hit: int  # which of the run's hits, from 1
    paths: Tuple[Tuple[Tuple[str, ...], float], ...]  # and how likely each is, the most likely one first
    other: float  # probability of all others
    only: bool  # the program's calls allow no other


@dataclass(frozen=True)
class Console:
    """A line that the target wrote to its console."""

    text: str


@dataclass(frozen=True)
class Summary:
    """Totals of a run."""

    hits: int
    lost: int
    exit_code: Optional[int]  # of the target's program; None: it did not end by itself
    cycles: Optional[int]  # that the target ran which was simulated or recorded
    statements: Mapping[str, int]  # hits of each
    counters: Mapping[str, Optional[int]]
    expectations: Mapping[str, Optional[bool]]  # None: not known
    why: Mapping[str, str]  # why an expectation was not met, or is not known to be
    unknown: int  # evaluations that met what was never seen written
    torn: int
    trapped: bool  # the program crashed
    complete: bool  # all figures of the probe arrived
    target: str  # what the run was of: simulated, recording, hardware
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def failed(self) -> Tuple[str, ...]:
        """Expectations that were not met."""
        return tuple(name for name, met in self.expectations.items() if met is False)


Record = Union[Hit, Gap, Inferred, Console, Summary]


def record_of(line: Mapping[str, Any]) -> Optional[Record]:
    """One line as an object; None for kinds that this version does not know."""
    kind = line.get("event")
    if kind == "hit":
        path = line["path"]
        return Hit(line["statement"], line["time_ns"] / 1e9, line["time_ns"], line["cycle"], line["values"],
                   None if path is None else tuple(path), line["file"], line["line"], line.get("task"), bool(line.get("uncertain")), line)
    if kind == "gap":
        return Gap(line["lost"], line["what"], line["cycle"], line["last_cycle"])
    if kind == "inferred":
        paths = tuple((tuple(item["path"]), item["probability"]) for item in line["path~"])
        return Inferred(line["statement"], line["cycle"], line["hit"], paths, line["other"], bool(line.get("only")))
    if kind == "console":
        return Console(line["text"])
    if kind == "summary":
        return Summary(line["hits"], line["lost"], line["exit_code"], line["cycles"], line["statements"], line["counters"],
                       line.get("expectations", {}), line.get("expectations_why", {}), line["unknown"], line["torn"],
                       bool(line.get("trapped")), not line.get("incomplete"), line["target"], line)
    return None
