#!/usr/bin/python3
"""How a run ends: by signals, one or several, and by force; and what a recording then holds."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("EARSHOT_BUILD", "build"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
import frames   # noqa: E402
from harness import run_all   # noqa: E402

EARSHOT = os.path.join(BUILD, "earshot")
FOREVER = os.path.join(BUILD, "tests/cli/forever.elf")
PROBE_ID, CONFIG = 0x45530002, 0x2020 | 0x100000 | 28 << 24   # 32 address bits, 32 data bits, one tap
READ = 0x11


class Probe:
    """At the other end of a pseudo-terminal: answers each command after `delay` seconds, if it answers at all."""

    def __init__(self, delay, memory=0x10000):
        # ID, CONFIG, FIFO_DEPTH, WINDOW_BASE, WINDOW_SIZE and, apart from these, MEM_SIZE
        self.registers = dict(zip(range(0x10000048, 0x10000060, 4), (PROBE_ID, CONFIG, 256, 0, 0x40000)))
        self.registers[0x1000007C] = memory
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave, termios.TCSANOW)
        self.path, self.delay, self.stop, self.asked = os.ttyname(self.slave), delay, False, threading.Event()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        data = b""
        while not self.stop:
            if not select.select([self.master], [], [], 0.02)[0]:
                continue
            data += os.read(self.master, 4096)
            self.asked.set()
            for words, end in list(frames.decode(data)):
                self.take(words)
                count = words[2] if words[0] & 0xFF == READ else 0
                answer = [self.registers.get(words[1] + 4 * i, 0) for i in range(count)]
                if self.delay is not None:
                    time.sleep(self.delay)
                    os.write(self.master, frames.encode([0x80 | 1 + count << 8 | words[0] & 0xFFFF0000, 0, *answer]))
                rest = end
            data = data[rest:] if b"\0" in data and list(frames.decode(data)) else data

    def take(self, words):
        """Each command that comes."""

    def close(self):
        self.stop = True
        self.thread.join()
        os.close(self.master)
        os.close(self.slave)


def watch(*arguments):
    return subprocess.Popen([EARSHOT, "watch", FOREVER, "--json", "-e", "beat", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start(*arguments):
    process = watch(*arguments)
    assert '"hit"' in process.stdout.readline()
    return process


def recording_of(path):
    return subprocess.run([EARSHOT, "watch", FOREVER, "--json", "-e", "beat", "--probe", f"file:{path}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60, check=False)


LATE = 3   # seconds after the first signal, from which on a second one ends the run by force


def unless_disturbed(attempt):
    """Until the machine lets it: attempt() returns whether it could keep to its times. A machine that stands still that often is out of order."""
    for _ in range(10):
        if attempt():
            return
    raise AssertionError("the machine does not keep to any times")


def two_signals_leave_summary_and_recording():
    """As `timeout` sends them: at the same time, or one after the other."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "run.bin")

        def attempt(pause):
            process, first = start("--record", path, "--ratio", "1"), time.monotonic()
            process.send_signal(signal.SIGTERM)
            time.sleep(pause)
            process.send_signal(signal.SIGINT)   # another one, so that the two are not taken for one
            late = time.monotonic() - first >= LATE
            output = process.communicate(timeout=60)[0]
            if late and process.returncode == 128 + signal.SIGINT:
                return False
            assert process.returncode == 0, (pause, process.returncode)
            summary = json.loads(output.splitlines()[-1])
            assert summary["event"] == "summary" and not summary.get("incomplete"), summary
            again = recording_of(path)
            assert again.returncode == 0 and json.loads(again.stdout.splitlines()[-1])["hits"] == summary["hits"], again.stderr
            return True

        for pause in 0, 0.001, 0.005, 0.02, 0.1:
            unless_disturbed(lambda pause=pause: attempt(pause))


def a_terminal_that_goes_leaves_summary_and_trace():
    """SIGHUP, as when its terminal is closed; under nohup the run goes on."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace")
        process = start("--out", trace)
        process.send_signal(signal.SIGHUP)
        output = process.communicate(timeout=60)[0]
        assert process.returncode == 0, process.returncode
        summary = json.loads(output.splitlines()[-1])
        assert summary["event"] == "summary" and not summary.get("incomplete"), summary
        again = subprocess.run([EARSHOT, "read", "--json", trace], capture_output=True, text=True, timeout=60, check=True)
        assert json.loads(again.stdout.splitlines()[-1]) == summary, again.stdout[-300:]
    process = subprocess.Popen(["nohup", EARSHOT, "watch", FOREVER, "--json", "-e", "beat"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    for _ in range(100):
        assert '"hit"' in process.stdout.readline()
    process.terminate()
    assert process.communicate(timeout=60)[0] and process.returncode == 0, process.returncode


def fill(reading):
    """To the last byte, what a pipe still takes where its last page has room."""
    writing = os.open(f"/proc/self/fd/{reading}", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(writing, b"\n")
    except BlockingIOError:
        os.close(writing)


def signals_while_nobody_reads():
    """A full pipe: who reads it late gets everything; where nobody does, the summary is told beside it, and what is missing."""
    for more in [], ["--json"]:
        for late in True, False:
            reading, writing = os.pipe()
            process = subprocess.Popen([EARSHOT, "watch", FOREVER, "-e", "beat", *more], stdout=writing, stderr=subprocess.PIPE, text=True)
            while select.select([], [writing], [], 0)[1]:   # until nothing more goes in
                assert process.poll() is None, process.stderr.read()
                time.sleep(0.02)
            if not late:
                fill(reading)
            os.close(writing)
            process.stdout = os.fdopen(reading, encoding="utf-8")
            process.send_signal(signal.SIGTERM)
            if late:
                time.sleep(0.5)
                shown, told = process.communicate(timeout=60)
                assert process.returncode == 0 and "cannot be written" not in told, told
            else:
                assert process.wait(timeout=60) == 5
                shown, told = process.communicate()
                assert "Interrupted" not in told and "results cannot be written: who reads them takes no more" in told, told
            hits = shown.count("beat=") or shown.count('"event":"hit"')
            summary = shown if late else told
            counted = int(re.search(r'"summary","hits":(\d+)' if more else r"(\d+) hits, nothing lost", summary).group(1))
            missing = 0 if late else int(re.search(r"(\d+) results? w", told).group(1)) - 1   # the last one that was written in part is none of these
            assert hits in (counted - missing, counted - missing - 1, counted - missing + 1) if not late else hits == counted, (hits, counted, missing)


def pipes_that_nobody_holds():
    """Whatever writes into a pipe whose reader has gone ends as if it had been read."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace")
        subprocess.run([EARSHOT, "watch", FOREVER, "-e", "beat", "-q", "--count", "3000", "--out", trace], stdout=subprocess.DEVNULL, check=True)
        commands = [["watch", FOREVER, "-e", "beat"], ["watch", FOREVER, "-e", "beat", "--json"], ["read", trace], ["read", trace, "--json"],
                    ["stats", trace], ["stats", trace, "--json"], ["list", FOREVER], ["list", FOREVER, "--json"], ["probes"], ["probes", "--json"],
                    ["check", FOREVER, "-e", "beat"], ["test", FOREVER, "-e", "never_one: expect never beat == -1", "--for", "1ms"],
                    ["test", FOREVER, "-e", "expect never beat == -1", "--for", "1ms", "--json"],
                    ["test", FOREVER, "-e", "expect never beat == -1", "--for", "1ms", "--junit", "/dev/stdout"],
                    ["top", FOREVER, "-e", "beat", "--json", "--for", "1ms"], ["report", trace, "-o", "-"], ["report", trace, "-o", "/dev/stdout"],
                    *(["export", trace, "--format", form, *to] for form in ("csv", "json", "vcd", "perfetto") for to in ([], ["-o", "/dev/stdout"]))]
        for command in commands:
            usual = subprocess.run([EARSHOT, *command, *(["--for", "1ms"] if command[0] == "watch" else [])], capture_output=True, timeout=60, check=False)
            process = subprocess.Popen([EARSHOT, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.close()
            told = process.communicate(timeout=60)[1]
            assert process.returncode == usual.returncode and "written" not in told, (command, process.returncode, told)


def forced_end_leaves_recording():
    """Every hit that was shown before kill -9 is in the recording."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "run.bin")
        for shown in 1, 10, 200:
            process = watch("--record", path)
            lines = [process.stdout.readline() for _ in range(shown)]
            process.kill()
            process.communicate(timeout=60)
            again = recording_of(path)
            assert again.returncode == 0, again.stderr
            assert again.stdout.splitlines()[:shown] == [line.rstrip("\n") for line in lines], (shown, again.stdout[:300])


def take_signal(process, number):
    """Sends it, and returns when the process has taken it: the next one is another one then."""
    process.send_signal(number)
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            pending = re.findall(r"^S\w+Pnd:\s+([0-9a-f]+)$", file.read(), re.MULTILINE)
        if not any(int(bits, 16) >> (number - 1) & 1 for bits in pending):
            return
        time.sleep(0.001)


def signals_end(pause, *numbers):
    """Whether these signals, the second one after a pause, end a run whose probe is so slow that it would take minutes; the last of them does it,
    by what its exit code says. False: it could not be seen, for the probe's thread or this one has stood still."""
    probe = Probe(0.2)
    try:
        process = subprocess.Popen([EARSHOT, "watch", FOREVER, "-e", "beat", "--probe", f"uart:{probe.path}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        assert probe.asked.wait(60)   # it catches signals from before it asks
        first = time.monotonic()
        take_signal(process, numbers[0])
        time.sleep(pause)
        for number in numbers[1:-1]:
            take_signal(process, number)
        second = time.monotonic() - first
        early = process.poll() is not None
        process.send_signal(numbers[-1])
        error = process.communicate(timeout=60)[1]
        if "the probe does not answer" in error or (early and second >= LATE):
            return False
        assert process.returncode == 128 + numbers[-1] and not early, (process.returncode, error)
        return True
    finally:
        probe.close()


def third_signal_ends_at_once():
    unless_disturbed(lambda: signals_end(0, signal.SIGTERM, signal.SIGINT, signal.SIGTERM))


def late_signal_ends_at_once():
    unless_disturbed(lambda: signals_end(LATE + 0.2, signal.SIGTERM, signal.SIGINT))


def garbage_is_told():
    """A serial line that brings bytes without end, none of them a frame: another speed, another device. How soon, tests/transport/command_check.c looks at."""
    master, slave = pty.openpty()
    tty.setraw(slave, termios.TCSANOW)
    os.set_blocking(master, False)
    process = subprocess.Popen([EARSHOT, "watch", FOREVER, "-e", "beat", "--probe", f"uart:{os.ttyname(slave)}"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    end, told = time.monotonic() + 120, None
    while process.poll() is None and time.monotonic() < end:
        if select.select([], [master], [], 0.01)[1]:
            try:
                os.write(master, os.urandom(50))
            except BlockingIOError:
                pass
        if told is None and select.select([process.stderr], [], [], 0)[0]:
            told = process.stderr.readline()
        time.sleep(0.001)
    process.kill()
    error = process.communicate()[1]
    os.close(master)
    os.close(slave)
    assert process.returncode == 3 and "no whole frame" in error and "another speed" in error, (process.returncode, error)
    assert told and "has not answered yet" in told, told


if __name__ == "__main__":
    sys.exit(run_all([two_signals_leave_summary_and_recording, a_terminal_that_goes_leaves_summary_and_trace, signals_while_nobody_reads,
                      pipes_that_nobody_holds, forced_end_leaves_recording,
                      third_signal_ends_at_once, late_signal_ends_at_once, garbage_is_told]))
