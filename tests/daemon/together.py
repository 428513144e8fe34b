#!/usr/bin/python3
"""Several runs of the daemon on one time axis while they go on: `earshot watch --run LEFT --run RIGHT`, `--all`. Against virtual probes
that know when each hit really was, and against a daemon that is none: its lines come exactly when a test wants."""
import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from bench import EARSHOT, FOREVER, PATIENCE, Client, Daemon, earshot, until  # noqa: E402
from harness import run_all  # noqa: E402
from support.virtual import Virtual  # noqa: E402
from tmux import Terminal, width  # noqa: E402

HZ = 5000
PACES = {"LEFT": 5002, "RIGHT": 4997}  # what the probes' clocks make of that
STATEMENT = "when beat % 64 == 0 { print beat }"
MS = 1000000
BEGIN = {"event": "begin", "program": "p.elf", "clock_hz": 1000000, "tasks_by": None, "simulated": False, "times": False, "counters": [],
         "lives": []}


# --- probes whose truth is known ---------------------------------------------------------------------------------------------


def truths(log):
    """When each hit was, by the probe that sent it: {(run, beat): ns of CLOCK_MONOTONIC_RAW}."""
    found = {}
    with open(log, encoding="ascii") as file:
        for line in file:
            _, serial, _, when, _, beat = line.split()
            found[serial.lower(), int(beat)] = int(when)
    return {hit: when for hit, when in found.items() if when}


@contextlib.contextmanager
def killed(process):
    """Whatever happens, nobody waits for its end."""
    try:
        yield
    finally:
        process.kill()


def lines_of(process, enough):
    """Its JSON lines until enough(lines) says so."""
    lines, rest, end = [], b"", time.monotonic() + PATIENCE
    while not enough(lines):
        ready, _, _ = select.select([process.stdout], [], [], end - time.monotonic())
        assert ready, f"waited in vain: {[line for line in lines if line['event'] != 'hit'][-5:]} {lines[-3:]}"
        got = os.read(process.stdout.fileno(), 65536)
        assert got, (process.wait(), process.stderr.read(), lines[-3:])
        *whole, rest = (rest + got).split(b"\n")
        lines += [json.loads(line) for line in whole]
    return lines


def mapped(lines, probe):
    return [line for line in lines if line["event"] == "hit" and line["probe"] == probe and line["steady_ns"] is not None]


def two_probes_as_they_run():
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        paces = [word for pace in PACES.values() for word in ("--pace", str(pace))]
        with Virtual(FOREVER, "--start", "now", "--serial", "LEFT", "--serial", "RIGHT", *paces, "--log", log) as probe, \
                Daemon(environment=probe.env) as daemon, Client(daemon) as client:
            for serial in PACES:
                told = client.watch(FOREVER, STATEMENT, probe=f"ftdi:{serial}", name=serial.lower(), attach=True, clock_hz=HZ, keep=True, silent=True)
                assert told["event"] == "reply", told
            told = client.watch(FOREVER, "when beat % 4096 == 0 { print beat }", name="simulated", keep=True, silent=True)
            assert told["event"] == "reply", told
            for which in (["--run", "left", "--run", "right"], ["--all"]):
                command = [EARSHOT, "watch", f"--daemon={daemon.socket}", *which, "--json"]
                with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch, killed(watch):
                    lines = lines_of(watch, lambda lines: all(len(mapped(lines, run)) >= 8 for run in ("left", "right")))
                    watch.send_signal(signal.SIGINT)
                    watch.communicate(timeout=PATIENCE)
                probes = {line["probe"] for line in lines}
                assert probes == {"left", "right"} | ({"simulated"} if which == ["--all"] else set()), probes
                assert all(line["steady_ns"] is None for line in lines if line["event"] == "hit" and line["probe"] == "simulated")
                truth, last, count = truths(log), 0, 0
                for line in [line for line in lines if line["event"] == "hit" and line["steady_ns"] is not None]:
                    assert (line["steady_ns"] < last) == line.get("late", False), (line, last)
                    last = max(last, line["steady_ns"])
                    truly = truth.get((line["probe"], line["values"]["beat"]))
                    if truly:
                        assert abs(line["steady_ns"] - truly) <= line["error_ns"], (line, truly)
                        count += 1
                late = sum(line.get("late", False) for line in lines)
                print(f"{which}: {count} hits within their errors of the truth, {late} late")
                assert count >= 16
            answer = client.ask({"do": "runs"})  # who joins late need not wait for the next clock line
            clocks = {run["name"]: run.get("clock") for run in answer["runs"]}
            assert clocks["simulated"] is None and abs(clocks["left"]["drift_ppm"] - 400) <= clocks["left"]["drift_error_ppm"], clocks
            shown = earshot("runs", "--socket", daemon.socket).stdout.splitlines()
            told = [re.search(r"  clock ([+-][0-9.]+) ppm \((?:\+-|\u00b1)([0-9.]+)\), times (?:\+-|\u00b1)[0-9.]+.?s$", line) for line in sorted(shown)]
            assert told[0] and abs(float(told[0][1]) - 400) <= float(told[0][2]) + 0.1 and told[1] and not told[2], shown
            client.send({"do": "join", "run": "left", "form": "record"})
            first = [line["event"] for line, _ in zip(client.lines(), range(40)) if line["event"] not in ("name", "reply")]
            assert first[:2] == ["begin", "clock"], first


# --- a daemon that is none ---------------------------------------------------------------------------------------------------


class Puppet:
    """Listens as a daemon does, answers what it is asked, and otherwise says what it is told to. runs: their names."""

    def __init__(self, runs):
        self.folder = tempfile.TemporaryDirectory()
        self.path, self.runs, self.joined = os.path.join(self.folder.name, "socket"), runs, []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.kept = None  # what is to be sent at once
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        with contextlib.suppress(OSError, ValueError):
            self.client, _ = self.listener.accept()
            self.say({"event": "hello", "protocol": 1, "version": "0", "authenticate": False})
            for line in self.client.makefile("r", encoding="utf-8"):
                request = json.loads(line)
                if request["do"] == "runs":
                    self.say({"event": "reply", "runs": [{"name": name, "state": "running"} for name in self.runs]})
                elif request["run"] not in self.runs:
                    self.say({"event": "error", "id": request["id"], "code": "usage", "text": "there is no such run"})
                else:
                    self.say({"event": "reply", "id": request["id"]})
                    self.joined.append(request["run"])
                if set(self.joined) == set(self.runs):
                    self.ready.set()

    def say(self, *lines):
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        if self.kept is None:
            self.client.sendall(data)
        else:
            self.kept += data

    @contextlib.contextmanager
    def at_once(self):
        """What is said meanwhile comes in one piece, whatever this process is kept from."""
        self.kept = b""
        yield
        data, self.kept = self.kept, None
        self.client.sendall(data)

    def begin(self, run, ahead_us=0, statement="s1", clock=True):
        """A run whose clock of 1 MHz is known to within 2 us: at 0 of it it was 1 s and ahead_us by the computer's."""
        fields = [{"name": "x", "type": "int", "kind": "int", "bits": 32, "signed": True}]
        statements = [{"name": statement, "text": "x", "file": "-e", "line": 1, "values": 1, "fields": fields, "objects": []}]
        self.say({**BEGIN, "probe": run, "statements": statements})
        if clock:
            self.say({"event": "clock", "probe": run, "cycle": 0, "time_ns": 0, "steady_ns": 1000 * MS + ahead_us * 1000, "unix_ns": 10**18,
                      "error_ns": 2000, "drift_ppm": 0.0, "drift_error_ppm": 0.0, "from_cycle": 0, "restarts": 0, "computer": "c"})

    def hit(self, run, cycle, value):
        self.say({"event": "hit", "probe": run, "record": [0, cycle, 0, 0, 0, 0, 0, 0, 0, 0, [], [value], []]})

    def end(self, run, text=None):
        self.say({"event": "end", "probe": run, "code": "probe" if text else "ok", "text": text, "wrong": None})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.folder.cleanup()


@contextlib.contextmanager
def watching(runs, *options):
    with Puppet(runs) as puppet:
        which = [word for run in runs for word in ("--run", run)]
        command = [EARSHOT, "watch", f"--daemon={puppet.path}", *which, *options]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as watch, killed(watch):
            assert puppet.ready.wait(PATIENCE), watch.poll()
            yield puppet, watch


def values(lines):
    return [(line["probe"], line["values"]["x"], line.get("late", False)) for line in lines if line["event"] == "hit"]


def hits_wait_for_earlier_ones():
    """What comes within 100 ms is put in its place; what comes later is shown all the same, and marked."""
    with watching(["a", "b"], "--json") as (puppet, watch):
        with puppet.at_once():
            puppet.begin("a")
            puppet.begin("b", ahead_us=500)
            puppet.hit("a", 1000, 1)  # 1.0010 s
            puppet.hit("a", 2000, 3)  # 1.0020 s
            puppet.hit("b", 1000, 2)  # 1.0015 s
            puppet.hit("b", 2000, 4)  # 1.0025 s
        shown = lines_of(watch, lambda lines: len(values(lines)) == 4)
        assert values(shown) == [("a", 1, False), ("b", 2, False), ("a", 3, False), ("b", 4, False)], values(shown)
        hits = [line for line in shown if line["event"] == "hit"]
        assert [line["steady_ns"] - 1000 * MS for line in hits] == [MS, 1500000, 2 * MS, 2500000], hits
        assert all(2000 <= line["error_ns"] <= 2010 and line["unix_ns"] == 10**18 + line["steady_ns"] - 1000 * MS for line in hits), hits
        puppet.hit("a", 9000, 6)
        shown = lines_of(watch, lambda lines: len(values(lines)) == 1)  # alone: it does not wait for ever
        puppet.hit("b", 5000, 5)
        shown += lines_of(watch, lambda lines: len(values(lines)) == 1)
        puppet.hit("b", 9500, 7)
        puppet.end("a")
        shown += lines_of(watch, lambda lines: len(values(lines)) == 1)
        assert values(shown) == [("a", 6, False), ("b", 5, True), ("b", 7, False)], values(shown)
        puppet.end("b")
        assert watch.wait(PATIENCE) == 0


def stops(process):
    """Returns when it stands still."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)


def who_was_kept_from_reading():
    """An earlier hit that came in time is in its place, also where the machine lets nobody look at it until that time is over."""
    with watching(["a", "b"], "--json") as (puppet, watch):
        puppet.begin("a")
        puppet.begin("b")
        tried = number = 0
        while tried < 8:
            number += 2
            begun = time.monotonic()
            puppet.hit("a", 1000 * number + 500, number + 1)
            time.sleep(0.005 * (tried % 4))
            stops(watch)
            in_time = time.monotonic() - begun < 0.05  # else it may have been given already
            with puppet.at_once():
                puppet.say({"event": "note", "probe": "another", "text": "in front of it"})
                puppet.hit("b", 1000 * number, number)
            time.sleep(0.11)
            watch.send_signal(signal.SIGCONT)
            shown = values(lines_of(watch, lambda lines: len(values(lines)) == 2))
            assert not in_time or shown == [("b", number, False), ("a", number + 1, False)], shown
            tried += in_time


def waiting_is_bounded():
    """Hits of one run while the other is silent: each on the screen 100 ms after it came, and what a busy machine adds."""
    with watching(["a", "b"], "--json") as (puppet, watch):
        puppet.begin("a")
        puppet.begin("b")
        took = []
        for number in range(10):
            begun = time.monotonic()
            puppet.hit("a", 1000 * (number + 1), number)
            lines_of(watch, lambda lines: len(values(lines)) == 1)
            took.append(time.monotonic() - begun)
        print(f"alone: shown after {min(took) * 1e3:.0f} ms at least, {max(took) * 1e3:.0f} ms at most")
        assert min(took) >= 0.09, took
        # more than are kept go at once; nothing is lost
        flood = threading.Thread(target=lambda: [puppet.hit("a", 100000 + number, number) for number in range(20000)])
        flood.start()
        assert len(values(lines_of(watch, lambda lines: len(lines) >= 20000))) == 20000
        flood.join()


def what_is_not_known_is_said():
    """A run without a clock beside one that has one, and one whose clock is lost: in words, and not in the way of the other."""
    with watching(["a", "b"]) as (puppet, watch):
        puppet.begin("a")
        puppet.begin("b", clock=False)
        puppet.hit("b", 5000, 1)
        puppet.hit("a", 1000, 2)
        for run in "a", "b":
            puppet.say({"event": "summary", "probe": run, "hits": 1, "lost": 0, "exit_code": None, "cycles": None, "statements": {"s1": 1},
                        "counters": {}, "unknown": 0, "torn": 0, "exact": [0, 0, 0, 1.0]})
            puppet.end(run)
        out, err = (text.decode() for text in watch.communicate(timeout=PATIENCE))
        assert watch.returncode == 0 and "earshot: b: nothing is known of its clock (yet): its lines are shown as they come\n" in err, err
        first, second = [line.split() for line in out.splitlines() if "x=" in line]
        assert first[:3] == ["?", "s", "b"] and second[:4] == ["0.000000", "s", "\u00b13\u00b5s", "a"], out
        assert out.count("  the probe's clock beside this computer's: +0.0 ppm (\u00b10.0), times \u00b12\u00b5s\n") == 1, out


def a_run_that_fails():
    with watching(["a", "b"]) as (puppet, watch):
        puppet.begin("a", statement="first")
        puppet.begin("b", statement="second")
        puppet.hit("a", 1000, 1)
        puppet.end("a", "no probe: plug it in")
        puppet.hit("b", 3000, 2)
        puppet.end("b")
        out, err = (text.decode() for text in watch.communicate(timeout=PATIENCE))
        assert watch.returncode == 3, (watch.returncode, out, err)
        assert "earshot: a: no probe: plug it in\n" in err and "times begin at 2001-09-09 01:46:40.001000 UTC" in err, err
        first, second = out.splitlines()
        assert first.split() == ["0.000000", "s", "\u00b13\u00b5s", "a", "0.001000", "s", "first", "x=1", "(start-up)", "0x00000000"], first
        assert second.split()[:5] == ["0.002000", "s", "\u00b13\u00b5s", "b", "0.003000"], second


def marks_on_a_terminal():
    """A line is never wider than the terminal; what came late is marked, and told what that means."""
    for columns in (60, 80, 130):
        with Puppet(["a-probe", "b"]) as puppet, Terminal(columns) as terminal:
            terminal.run(f"{os.path.abspath(EARSHOT)} watch --daemon={puppet.path} --run a-probe --run b")
            assert puppet.ready.wait(PATIENCE)
            puppet.begin("a-probe", statement="a_statement_with_a_name")
            puppet.begin("b")
            puppet.hit("a-probe", 5000, 77)
            terminal.wait("x=77")
            puppet.hit("b", 1000, 55)
            puppet.hit("b", 7000, 66)
            terminal.wait("x=66")
            shown = terminal.screen()
            late = [line for line in shown if "x=55" in line]
            assert len(late) == 1 and " ^b " in late[0] and "-    0.004000 s" in late[0], shown
            assert any("marked ^ came too late" in line for line in shown), shown
            hits = [line for line in shown if " s \u00b1" in line]  # three of them: none is wrapped
            assert [sum(word in line for line in hits) for word in ("x=77", "x=55", "x=66", "a-probe")] == [1] * 4, shown
            assert all(width(line) <= columns for line in shown) and shown[-2:] == hits[1:], shown


def all_runs_also_those_that_begin():
    with Puppet(["a"]) as puppet:
        command = [EARSHOT, "watch", f"--daemon={puppet.path}", "--all", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch, killed(watch):
            assert puppet.ready.wait(PATIENCE)
            puppet.begin("a")
            puppet.hit("a", 1000, 1)
            puppet.runs = ["a", "later"]
            until(lambda: "later" in puppet.joined, "it is asked for")
            puppet.begin("later")
            puppet.end("a")
            puppet.hit("later", 2000, 2)
            assert values(lines_of(watch, lambda lines: len(values(lines)) == 2)) == [("a", 1, False), ("later", 2, False)]
            watch.send_signal(signal.SIGTERM)
            assert watch.wait(PATIENCE) == 0


def what_is_refused():
    for options, why in ((["--run", "a", "--all"], "--all looks at all runs"), (["--all", "-e", "x > 1"], "it takes no program"),
                         (["--run", "a", "-n", "3"], "--count is of whoever begins it"),
                         (["--run", "a", "--run", "b", "--out", "d"], "--out is of one run")):
        done = earshot("watch", *options)
        assert done.returncode == 2 and why in done.stderr, (options, done)
    done = earshot("top", "--run", "a", "--run", "b")
    assert done.returncode == 2 and "earshot watch shows several" in done.stderr, done
    with Puppet(["a"]) as puppet:
        done = earshot("watch", f"--daemon={puppet.path}", "--run", "a", "--run", "nobody")
        assert done.returncode == 2 and "there is no such run" in done.stderr, done


TESTS = [two_probes_as_they_run, hits_wait_for_earlier_ones, who_was_kept_from_reading, waiting_is_bounded, what_is_not_known_is_said, a_run_that_fails,
         marks_on_a_terminal, all_runs_also_those_that_begin, what_is_refused]
sys.exit(run_all([test for test in TESTS if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]))
