"""Runs of monitoring."""
from __future__ import annotations

import os
import weakref
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, Sequence, Type, Union

from . import _daemon
from ._daemon import Run, nanoseconds, options_of, run_of, socket_path
from ._errors import EarshotError, ExpectationError, UsageError
from ._records import Hit, Record, Summary, record_of
from ._source import Process, Source, program_path

PathLike = Union[str, "os.PathLike[str]"]


class Watch:
    """A run: iterate over it for hits, or over records() for all that it tells. Leaving the `with` block, or forgetting the object, ends
    it. Of several threads one reads it; the others may use stop() and messages."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = source.lines()
        self._summary: Optional[Summary] = None
        self._ended = False
        self._finalizer = weakref.finalize(self, source.close)

    # --- reading -------------------------------------------------------------------------------------------------------

    def _next(self) -> Optional[Record]:
        """The next record; None: the run has ended."""
        while not self._ended:
            line = next(self._lines, None)
            if line is None:
                self._end()
                return None
            record = record_of(line)
            if isinstance(record, Summary):
                self._summary = record
            if record is not None:
                return record
        return None

    def __iter__(self) -> Iterator[Hit]:
        return self

    def __next__(self) -> Hit:
        """The next hit; waits for it. Raises what went wrong."""
        while True:
            record = self._next()
            if record is None:
                raise StopIteration
            if isinstance(record, Hit):
                return record

    def records(self) -> Iterator[Record]:
        """Hits, gaps, what the target writes, and last the summary, as they come."""
        while True:
            record = self._next()
            if record is None:
                return
            yield record

    # --- ending --------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self._ended = True
        self._finalizer.detach()
        error = self._source.close()
        # what its expectations came to is in the summary, for who wants to know: check() raises it
        if error is not None and not (isinstance(error, ExpectationError) and self._summary is not None):
            raise error

    def stop(self) -> None:
        """Asks the run to end; what it has still to tell comes to who reads it."""
        self._source.stop()

    def close(self) -> Optional[Summary]:
        """Ends the run and returns its figures, None when it had not begun yet. Raises what went wrong; later calls do nothing."""
        if not self._ended:
            self._source.stop()
        return self.wait()

    def wait(self) -> Optional[Summary]:
        """Waits for the run's own end: the program's, or that of `duration` or `count`. Hits until then are not kept."""
        for _ in self.records():
            pass
        return self._summary

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        try:
            self.close()
        except EarshotError:
            if kind is None:
                raise  # else the block's own error is the one to tell

    # --- figures -------------------------------------------------------------------------------------------------------

    @property
    def summary(self) -> Summary:
        """The run's figures; waits for its own end, if it goes on."""
        self.wait()
        if self._summary is None:
            raise EarshotError("the run ended without a summary")
        return self._summary

    @property
    def messages(self) -> List[str]:
        """Notes and warnings so far."""
        return self._source.messages

    def check(self) -> Summary:
        """Waits for the run's own end and returns its figures; raises ExpectationError when an expectation was not met or is unknown, or the program crashed."""
        summary = self.summary
        wrong = [f"{name}: {summary.why.get(name, 'not met')}" for name, met in summary.expectations.items() if not met]
        if summary.trapped:
            wrong.append("a trap stopped the program")
        if wrong:
            raise ExpectationError("; ".join(wrong))
        return summary


def watch(program: PathLike, *statements: str, files: Sequence[PathLike] = (), probe: str = "sim", duration: Optional[str] = None,
          count: Optional[int] = None, seed: Optional[int] = None, ratio: Optional[int] = None, task: Optional[str] = None,
          record: Optional[PathLike] = None, fail_on_loss: bool = False, options: Sequence[str] = (),
          earshot: Optional[str] = None, daemon: Union[bool, PathLike] = False) -> Watch:
    """Begins to watch a program.

    program: path of the ELF file. statements: as after -e, any number; files: as after -s. probe: as after --probe. duration: "5ms", "2s";
    count: of hits; seed, ratio: of the simulated target; task: the variable that names the running task; record: keeps what the probe
    sends in this file; fail_on_loss: raises LostError at the end when anything was lost; options: more of earshot-watch(1), as they are
    there. earshot: the program to run (default: $EARSHOT, else `earshot`). daemon: True lets earshotd run it, at its usual socket, a path
    at that one; no `earshot` is needed then, and `record` is the daemon's own affair.

    What is wrong with program, statements or probe is raised by the first look at the run; that no daemon is there, at once."""
    if daemon is not False:
        if record is not None:
            raise UsageError("record: the daemon keeps traces itself (earshot record)")
        request: Dict[str, Any] = {"probe": probe, "seed": 1 if seed is None else seed, "statements": _statements(statements, files, task)}
        for member, number in (("for_ns", None if duration is None else nanoseconds(duration)), ("count", count), ("ratio", ratio)):
            if number is not None:
                request[member] = number
        return Watch(_daemon.begin(socket_path(daemon), {**request, **options_of(options)}, program, fail_on_loss))
    arguments: List[str] = ["watch", os.fspath(program), "--json", "--probe", probe]
    for text in statements:
        arguments += ["-e", text]
    for path in files:
        arguments += ["-s", os.fspath(path)]
    for name, value in (("--for", duration), ("--count", count), ("--seed", seed), ("--ratio", ratio), ("--task", task),
                        ("--record", record)):
        if value is not None:
            arguments += [name, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    arguments += ["--fail-on-loss"] * fail_on_loss + list(options)
    return Watch(Process(program_path(earshot), arguments))


def _statements(texts: Sequence[str], files: Sequence[PathLike], task: Optional[str]) -> List[Dict[str, str]]:
    """As `earshot watch` takes them from -e, -s and --task: what they are called is for messages."""
    made = [{"file": "-e" if len(texts) == 1 else f"-e {number}", "text": text} for number, text in enumerate(texts, 1)]
    for path in files:
        try:
            with open(path, encoding="utf-8") as file:
                made.append({"file": os.fspath(path), "text": file.read()})
        except OSError as error:
            raise UsageError(f"{os.fspath(path)}: {error.strerror}") from error
    return made + ([{"file": "--task", "text": f"tasks {task}"}] if task is not None else [])


def runs(daemon: Union[bool, PathLike] = True) -> List[Run]:
    """What the daemon monitors: at its usual socket, or at the one of this path. Raises ProbeError where there is none."""
    return [run_of(told) for told in _daemon.ask(socket_path(daemon), {"do": "runs"})["runs"]]


def join(run: Union[str, Run], daemon: Union[bool, PathLike] = True, fail_on_loss: bool = False) -> Watch:
    """Looks at a run of the daemon's, by its name, from now on. It goes on when this has ended."""
    return Watch(_daemon.attach(socket_path(daemon), run if isinstance(run, str) else run.name, fail_on_loss))


def stop(run: Union[str, Run], daemon: Union[bool, PathLike] = True) -> None:
    """Ends a run of the daemon's, and waits until its trace is complete. Raises OutputError where that could not be written as a whole."""
    _daemon.stop(socket_path(daemon), run if isinstance(run, str) else run.name)
