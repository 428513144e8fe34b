#!/usr/bin/python3
"""How long a hit takes from the probe to a client's screen: from the moment when it leaves the virtual probe, over USB, earshotd and
`earshot watch --daemon`, until its line can be read from the terminal."""
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from bench import EARSHOT, FOREVER, PATIENCE, Daemon  # noqa: E402
from virtual import Virtual  # noqa: E402

HZ = 20000
HITS = 200
RATES = {"some hits": 256, "many hits": 8}  # one in so many writes: about 5 and 170 a second


def steady():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


def seen_on_screen(command, environment):
    """{value of the hit: when its line could be read} of a command on a terminal of 100 columns."""
    seen, text = {}, b""
    process, screen = pty.fork()
    if process == 0:
        os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color", "COLUMNS": "100"})
    end = time.monotonic() + PATIENCE
    while len(seen) < HITS and time.monotonic() < end:
        if not select.select([screen], [], [], 1)[0]:
            continue
        try:
            text += os.read(screen, 65536)
        except OSError:
            break
        now = steady()
        *lines, text = text.split(b"\n")
        for line in lines:
            found = re.search(rb"beat=(\d+)", line)
            if found:
                seen.setdefault(int(found[1]), now)
    os.kill(process, signal.SIGINT)
    while True:
        try:
            if not os.read(screen, 65536):
                break
        except OSError:
            break
    os.waitpid(process, 0)
    os.close(screen)
    return seen


def sent_by_probe(log):
    with open(log, encoding="ascii") as file:
        return {int(line.split()[5]): int(line.split()[4]) for line in file}


def measure(log, every):
    """Milliseconds, sorted."""
    options = ("--start", "now", "--pace", str(HZ), "--log", log)
    with Virtual(FOREVER, *options) as probe, Daemon(environment=probe.env) as daemon:
        command = [EARSHOT, "watch", f"--daemon={daemon.socket}", "--probe", "ftdi", "--attach", "--clock", str(HZ), FOREVER,
                   "-e", f"when beat % {every} == 0 {{ print beat }}"]
        seen = seen_on_screen(command, probe.env)
    sent = sent_by_probe(log)
    return sorted((when - sent[beat]) / 1e6 for beat, when in seen.items())


def main():
    print("from a hit's leaving the virtual probe to its line on a terminal: USB, earshotd, earshot watch --daemon")
    with tempfile.TemporaryDirectory() as folder:
        for name, every in RATES.items():
            times = measure(os.path.join(folder, "log"), every)
            if not times:
                print(f"{name}: none came")
                return 1
            part = {percent: times[min(len(times) - 1, len(times) * percent // 100)] for percent in (50, 90, 99)}
            late = sum(time > 50 for time in times)
            print(f"{name}: {len(times)} hits: least {times[0]:.2f} ms, median {part[50]:.2f} ms, 90 % {part[90]:.2f} ms, 99 % {part[99]:.2f} ms, "
                  f"most {times[-1]:.2f} ms; later than 50 ms: {late}")
    return 0


sys.exit(main())
