"""Runs that the daemon earshotd does, over its socket (docs/protocol.md)."""
from __future__ import annotations

import json
import os
import re
import socket
import stat
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ._errors import EarshotError, ExpectationError, LostError, OutputError, ProbeError, UsageError

PathLike = Union[str, "os.PathLike[str]"]

_PROTOCOL = 1
_GREETING = 5  # seconds
_PATIENCE = 30  # seconds for an answer, and for a run to end after it was asked to
_SYSTEM_SOCKET = "/run/earshot/earshotd.sock"
_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}
_FLAGS = {f"--{name.replace('_', '-')}": name for name in ("attach", "loaded", "start_up", "allow_halt", "times", "replay", "probe_only")}
_RECORDS = ("hit", "gap", "inferred", "console", "summary")
_ERRORS = {"expectation": ExpectationError, "usage": UsageError, "probe": ProbeError, "lost": LostError, "output": OutputError}


def socket_path(given: Union[bool, PathLike, None]) -> str:
    """The socket that was named, else the user's daemon's, else the system's. Raises ProbeError where there is none."""
    if given is not None and not isinstance(given, bool):
        return os.fspath(given)
    places = [_SYSTEM_SOCKET]
    if os.environ.get("XDG_RUNTIME_DIR"):
        places.insert(0, os.path.join(os.environ["XDG_RUNTIME_DIR"], "earshotd.sock"))
    for path in places:
        try:
            if stat.S_ISSOCK(os.stat(path).st_mode):
                return path
        except OSError:
            continue
    raise ProbeError("no daemon runs: start earshotd, or name its socket")


def _error_of(line: Mapping[str, Any]) -> EarshotError:
    text = "\n".join(part for part in (str(line.get("wrong") or "").rstrip("\n"), str(line.get("text") or "")) if part)
    return _ERRORS.get(str(line.get("code")), EarshotError)(text)


class _Connection:
    """Lines to and from a daemon. One thread reads; any may send."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._sending = threading.Lock()
        try:
            self._socket.settimeout(_GREETING)
            self._socket.connect(path)
            self._lines = self._socket.makefile("rb")
            hello = self.line()
        except OSError as error:
            self._socket.close()
            raise ProbeError(f"{path}: no daemon is reached: {error.strerror or error}") from error
        if hello is None or hello.get("event") != "hello":
            self.close()
            raise ProbeError(f"{path}: the daemon does not let this user in: it serves its own user, root, and members of its group")
        if hello.get("protocol") != _PROTOCOL:
            self.close()
            raise ProbeError(f"{path}: the daemon speaks version {hello.get('protocol')} of the protocol, this package {_PROTOCOL}")
        self._socket.settimeout(None)

    def patience(self) -> None:
        """From now on a daemon that says nothing for long is an error."""
        self._socket.settimeout(_PATIENCE)

    def send(self, request: Mapping[str, Any], file: Optional[int] = None) -> None:
        data = json.dumps(request).encode() + b"\n"
        with self._sending:
            try:
                if file is not None:
                    data = data[socket.send_fds(self._socket, [data], [file]):]
                self._socket.sendall(data)
            except OSError as error:
                raise ProbeError(f"the daemon has gone: {error.strerror or error}") from error

    def line(self) -> Optional[Dict[str, Any]]:
        """The next line; None: the connection has ended."""
        line = self._lines.readline()
        if not line.endswith(b"\n"):
            return None
        told = json.loads(line)
        return told if isinstance(told, dict) else {}

    def ask(self, request: Mapping[str, Any], file: Optional[int] = None) -> Dict[str, Any]:
        """The answer; raises what the daemon says against it. No run's lines come before that."""
        self.patience()
        self.send(request, file)
        try:
            answer = self.line()
        except OSError as error:
            raise ProbeError(f"the daemon does not answer: {error}") from error
        if answer is None:
            raise ProbeError("the daemon has ended the connection")
        if answer.get("event") == "error":
            raise _error_of(answer)
        self._socket.settimeout(None)
        return answer

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


class DaemonRun:
    """A Source: a run in the daemon."""

    def __init__(self, connection: _Connection, name: str, joined: bool, fail_on_loss: bool) -> None:
        self._connection, self._name, self._joined, self._fail_on_loss = connection, name, joined, fail_on_loss
        self._messages: List[str] = []
        self._error: Optional[EarshotError] = None
        self._lost = self._stopped = self._ended = False

    def lines(self) -> Iterator[Mapping[str, Any]]:
        while not self._ended:
            try:
                line = self._connection.line()
            except (OSError, ValueError) as error:
                line, self._error = None, ProbeError(f"the daemon does not answer: {error}")
            if line is None:
                self._ended = True
                self._error = self._error or ProbeError("the daemon has ended the connection")
            elif line.get("event") in _RECORDS:
                self._lost |= bool(line.get("event") == "summary" and (line.get("lost") or line.get("incomplete")))
                yield line
            else:
                self._take(line)

    def _take(self, line: Mapping[str, Any]) -> None:
        event = line.get("event")
        if event in ("note", "warning"):
            self._messages.append(str(line.get("text")))
        elif event == "end":
            self._ended = True
            if line.get("text"):
                self._error = _error_of(line)
        elif line.get("id") == "leave":
            self._ended = True

    def stop(self) -> None:
        if self._stopped or self._ended:
            return
        self._stopped = True
        self._connection.patience()
        try:
            # one that was only looked at goes on
            self._connection.send({"do": "leave" if self._joined else "stop", "run": self._name, **({"id": "leave"} if self._joined else {})})
        except ProbeError:
            pass  # whoever reads learns it

    def close(self) -> Optional[EarshotError]:
        self._ended = True
        self._connection.close()
        if self._error is None and self._lost and self._fail_on_loss:
            return LostError("data was lost")
        return self._error

    @property
    def messages(self) -> List[str]:
        return list(self._messages)


@dataclass(frozen=True)
class Run:
    """What a daemon says of one of its runs."""

    name: str
    program: str
    probe: str
    state: str  # "starting", "running", "waiting", "ended"
    hits: int
    lost: int
    trace: Optional[str]  # where it is kept; None: nowhere
    raw: Mapping[str, Any] = field(repr=False)


def begin(path: str, request: Mapping[str, Any], program: PathLike, fail_on_loss: bool) -> DaemonRun:
    """A run of one's own, which ends with its client."""
    try:
        file = os.open(program, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"{os.fspath(program)}: {error.strerror}") from error
    connection = None
    try:
        connection = _Connection(path)
        answer = connection.ask({"do": "watch", "program": os.fspath(program), **request}, file)
        return DaemonRun(connection, str(answer["probe"]), False, fail_on_loss)
    except EarshotError:
        if connection:
            connection.close()
        raise
    finally:
        os.close(file)


def attach(path: str, name: str, fail_on_loss: bool) -> DaemonRun:
    """A run that goes on, from now on."""
    connection = _Connection(path)
    try:
        connection.ask({"do": "join", "run": name})
    except EarshotError:
        connection.close()
        raise
    return DaemonRun(connection, name, True, fail_on_loss)


def ask(path: str, request: Mapping[str, Any]) -> Dict[str, Any]:
    """One request, one answer."""
    connection = _Connection(path)
    try:
        return connection.ask(request)
    finally:
        connection.close()


def stop(path: str, name: str) -> None:
    """Ends a run, and waits for its end: its trace is complete then. Raises OutputError where that could not be written as a whole."""
    connection = _Connection(path)
    try:
        connection.ask({"do": "stop", "run": name})
        line: Optional[Dict[str, Any]] = {}
        while line is not None and line.get("event") != "end":
            line = connection.line()
    except OSError as error:
        raise ProbeError(f"the daemon does not answer: {error}") from error
    finally:
        connection.close()
    if line is None:
        raise ProbeError("the daemon has ended the connection")
    if line.get("code") == "output":
        raise _error_of(line)


def run_of(told: Mapping[str, Any]) -> Run:
    return Run(told["name"], told["program"], told["probe"], told["state"], told["hits"], told["lost"], told.get("trace"), told)


def nanoseconds(text: str) -> int:
    """5ms, 2s, 100us; raises UsageError."""
    match = re.fullmatch(r"([0-9]+)(?:\.([0-9]{0,9}))?(ns|us|ms|s|min|h|d)", text)
    unit = _UNITS[match[3]] if match else 0
    amount = int(match[1]) * unit + int((match[2] or "").ljust(9, "0")) * unit // 10**9 if match else 0
    if not 0 < amount <= 10**18:
        raise UsageError(f"duration: '{text}' is no time from 1ns to 1000000000s: write 500us, 5ms, 2s")
    return amount


def options_of(options: Sequence[str]) -> Dict[str, Any]:
    """Options of earshot-watch(1) as members of a request; raises UsageError for those that a daemon has not."""
    members: Dict[str, Any] = {}
    rest = list(options)
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name in _FLAGS and not value:
            members[_FLAGS[name]] = True
        elif name == "--clock" and (value or rest):
            value = value or rest.pop(0)
            if not value.isdigit():
                raise UsageError(f"--clock: '{value}' is no number")
            members["clock_hz"] = int(value)
        else:
            raise UsageError(f"{name}: not for runs of the daemon, which take --clock, {', '.join(_FLAGS)}")
    return members
