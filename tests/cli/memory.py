#!/usr/bin/python3
"""Probes with other sizes of memory than the boards': what is loaded lies within it, statements that need more are refused, and a size that cannot
be is, too. The probe is one that only answers; tests/litex/bios.py runs monitors on such ones."""
import subprocess
import sys
import threading

from endings import EARSHOT, FOREVER, Probe
from harness import run_all

WRITE, MEMORY_END = 0x10, 0x10000000


class Noting(Probe):
    """Keeps the words that are written to its memory."""

    def __init__(self, memory):
        self.written = set()
        super().__init__(0, memory)

    def take(self, words):
        if words[0] & 0xFF == WRITE and words[1] < MEMORY_END:
            self.written.update(range(words[1], words[1] + 4 * (len(words) - 2), 4))


def watched(memory, statements):
    """Exit code, or None where the statements were armed; the messages; addresses written in the probe's memory."""
    probe = Noting(memory)
    try:
        run = subprocess.Popen([EARSHOT, "watch", FOREVER, "--probe", f"uart:{probe.path}", *[word for text in statements for word in ("-e", text)]],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        guard = threading.Timer(60, run.kill)
        guard.start()
        said, armed = "", False
        for line in run.stderr:
            said += line
            if " armed: " in line:
                armed = True
                run.kill()
        run.wait()
        guard.cancel()
    finally:
        probe.close()
    return None if armed else run.returncode, said, probe.written


MANY = [f"when beat == {number} && beat < {number + 5} {{ print beat }}" for number in range(200)]


def what_is_loaded_lies_in_the_probes_memory():
    for memory, end in (0x8000, 0x8000), (0x10000, 0x10000), (0x40000, 0x10000):   # tables end at 64 KiB
        code, said, written = watched(memory, ["when beat > 5 { print beat }"])
        assert code is None, (memory, said)
        assert 0x6000 in written and 0x6000 < max(written) < end, (memory, hex(max(written)))


def what_does_not_fit_is_refused():
    code, said, written = watched(0x8000, MANY)
    assert code == 2 and "the probe has 8,192" in said, (code, said)
    assert not written
    code, said, _ = watched(0x10000, MANY)
    assert code is None, said


def a_size_that_cannot_be_is_refused():
    for memory in 0, 0x1000, 0x8001:
        code, said, written = watched(memory, ["when beat > 5 { print beat }"])
        assert code == 3 and f"the probe has {memory} bytes of memory" in said and not written, (memory, code, said)


if __name__ == "__main__":
    sys.exit(run_all([what_is_loaded_lies_in_the_probes_memory, what_does_not_fit_is_refused, a_size_that_cannot_be_is_refused]))
