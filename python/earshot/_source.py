"""Where the lines of a run come from. A Source gives JSON objects; what they mean is not its business."""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections import deque
from typing import IO, Any, Deque, Iterator, List, Mapping, Optional, Protocol, Sequence

from ._errors import EarshotError, UsageError, error_of

_PATIENCE = 10  # seconds for a run to end after it was asked to
_MESSAGES = 200  # lines of notes and warnings that are kept


class Source(Protocol):
    """A run somewhere: a process of one's own, or one that a daemon does."""

    def lines(self) -> Iterator[Mapping[str, Any]]:
        """The objects, until the run has ended."""

    def stop(self) -> None:
        """Asks the run to end; its last lines, with the summary, still come. Any number of times, also after the end."""

    def close(self) -> Optional[EarshotError]:
        """Ends it for good and frees what it holds. What went wrong with it; None: nothing."""

    @property
    def messages(self) -> List[str]:
        """Notes and warnings so far."""


class Process:
    """`earshot watch --json` as a process."""

    def __init__(self, program: str, arguments: Sequence[str]) -> None:
        found = shutil.which(program)
        if found is None:
            raise UsageError(f"{program} is not installed, or not found in PATH; watch(..., earshot=PATH) says where it is")
        self._process = subprocess.Popen([found, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._messages: Deque[str] = deque(maxlen=_MESSAGES)
        self._stopped = False
        assert self._process.stdout and self._process.stderr
        self._out: IO[bytes] = self._process.stdout
        # a process that has more to say than a pipe holds must not wait for who reads the other one
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listener.start()

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._messages.append(line.decode("utf-8", "replace").rstrip("\n"))

    def lines(self) -> Iterator[Mapping[str, Any]]:
        for line in self._out:
            yield json.loads(line)

    def stop(self) -> None:
        if not self._stopped and self._process.poll() is None:
            self._stopped = True
            self._process.terminate()  # not SIGINT, which is ignored from the start below nohup and in a script's background

    def close(self) -> Optional[EarshotError]:
        self.stop()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._out.close()
        self._listener.join()
        code = self._process.returncode
        if code == 0 or (self._stopped and code == -signal.SIGTERM):  # stopped before it was ready to be
            return None
        return error_of(code if code > 0 else 128 - code, "\n".join(line for line in self._messages if self._is_error(line)))

    @staticmethod
    def _is_error(line: str) -> bool:
        return not line.startswith(("earshot: warning: ", "target| "))

    @property
    def messages(self) -> List[str]:
        return [line[len("earshot: "):] if line.startswith("earshot: ") else line for line in self._messages]


def program_path(given: Optional[str]) -> str:
    """Which `earshot`: as given, else EARSHOT of the environment, else from PATH."""
    return given or os.environ.get("EARSHOT") or "earshot"
