#!/usr/bin/python3
"""Clocks of probes in the computer's time: two virtual probes, whose clocks are a little fast and a little slow, and which know when
each hit really was."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from bench import EARSHOT, FOREVER, PATIENCE, Client, Daemon, earshot  # noqa: E402
from harness import run_all  # noqa: E402
from support.virtual import Virtual  # noqa: E402

HZ = 5000  # what the probes' clocks should make
PACES = {"LEFT": 5002, "RIGHT": 4997}  # and what they do: 400 ppm more, 600 ppm less
STATEMENT = "when beat % 64 == 0 { print beat }"


def virtual(log, *options):
    paces = [word for pace in PACES.values() for word in ("--pace", str(pace))]
    return Virtual(FOREVER, "--start", "now", "--serial", "LEFT", "--serial", "RIGHT", *paces, "--log", log, *options)


def truths(log):
    """When each hit was, by the probe that sent it: {(serial, beat): ns of CLOCK_MONOTONIC_RAW}."""
    found = {}
    with open(log, encoding="ascii") as file:
        for line in file:
            _, serial, _, when, _, beat = line.split()
            found[serial, int(beat)] = int(when)
    return {hit: when for hit, when in found.items() if when}  # 0: just before its clock got its pace


def mapped(clock, cycle):
    """As docs/protocol.md says: when it was, and how far off that may be, by what a clock line tells."""
    ns = (cycle - clock["cycle"]) * 1e9 / HZ / (1 + clock["drift_ppm"] * 1e-6)
    return clock["steady_ns"] + ns, clock["error_ns"] + abs(ns) * (clock["drift_error_ppm"] + 1) * 1e-6


def check(lines, serial, truth):
    """Each hit really was when the latest clock line says that it was, within what that says; so is the drift. (how many, largest error)"""
    clock, count, largest = None, 0, 0
    for line in lines:
        if line["event"] == "clock":
            clock = line if line["error_ns"] is not None else None
            if not clock:
                continue
            drift = (PACES[serial] / HZ - 1) * 1e6
            assert abs(clock["drift_ppm"] - drift) <= clock["drift_error_ppm"], (clock, drift)
        elif line["event"] == "hit" and clock and line["cycle"] >= clock["from_cycle"]:
            when, error = mapped(clock, line["cycle"])
            truly = truth.get((serial, line["values"]["beat"]))
            if truly is None:
                continue
            assert abs(when - truly) <= error, (serial, line, clock, when - truly)
            count, largest = count + 1, max(largest, error)
    return count, largest


def off_by(hit, truth):
    """Of a hit of merged traces."""
    return abs(hit["steady_ns"] - truth.get((hit["probe"].split(":")[1], hit["values"]["beat"]), hit["steady_ns"]))


class Run:
    """A run of a daemon on one of the probes, with a client of its own."""

    def __init__(self, daemon, serial):
        self.client = Client(daemon)
        self.serial, self.lines = serial, []
        answer = self.client.watch(FOREVER, STATEMENT, probe=f"ftdi:{serial}", name=serial.lower(), attach=True, clock_hz=HZ, record=True)
        assert answer["event"] == "reply", answer
        self.number = answer["run"]

    def until(self, condition):
        for line in self.client.lines():
            self.lines.append(line)
            # what a busy machine may be told does not matter here: that the probe has not answered for a while
            assert line["event"] not in ("end", "warning") or re.search("unplugged|is back|answer", line["text"]), line
            if condition(line):
                return line
        raise AssertionError("the connection ended")

    def clocks(self, count):
        for _ in range(count):
            self.until(lambda line: line["event"] == "clock")
        return self.lines[-1]

    def hits(self, count):
        for _ in range(count):
            self.until(lambda line: line["event"] == "hit")

    def end(self):
        self.client.send({"do": "stop", "run": self.number})
        for line in self.client.lines():
            self.lines.append(line)
            if line["event"] == "end":
                assert line["code"] == "ok", line
                break
        self.client.close()


def runs_of_two(log, act, *options):
    """Runs on both probes; act(probe, runs) while they go on. (the lines of each, what `earshot read` of both traces prints as text and as JSON)"""
    with virtual(log, *options) as probe, Daemon(environment=probe.env) as daemon:
        runs = [Run(daemon, serial) for serial in PACES]
        act(probe, runs)
        for run in runs:
            run.end()
        traces = [os.path.join(daemon.traces, name) for name in sorted(os.listdir(daemon.traces))]
        shown = [earshot("read", *traces, *more) for more in ([], ["--json"])]
        one = earshot("read", "--json", traces[0])
        for done in *shown, one:
            assert done.returncode == 0, done.stderr
        told = [json.loads(line) for line in one.stdout.splitlines()]
        return {run.serial: run.lines for run in runs}, shown[0].stdout, [json.loads(line) for line in shown[1].stdout.splitlines()], told


def two_probes_on_one_axis():
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")

        def act(_, runs):
            for run in runs:
                run.clocks(4)
                run.hits(15)

        lines, text, merged, kept = runs_of_two(log, act)
        truth = truths(log)
        for serial, told in lines.items():
            count, largest = check(told, serial, truth)
            last = [line for line in told if line["event"] == "clock"][-1]
            print(f"{serial}: {count} hits; largest error told {largest / 1e6:.3f} ms; drift {last['drift_ppm']:.0f} +- {last['drift_error_ppm']:.0f} ppm")
            assert count > 10 and last["restarts"] == 0 and last["from_cycle"] == 0, (count, last)
            assert last["unix_ns"] > 1.7e18 and last["probe"] == serial.lower(), last
        # the trace has what the daemon told
        results = ("hit", "clock", "gap", "summary")
        bare = [{key: value for key, value in line.items() if key != "probe"} for line in lines["LEFT"] if line["event"] in results]
        assert [line for line in kept if line["event"] in results] == bare
        # and both traces together are in the order of their times, each within its error of the truth
        hits = [line for line in merged if line["event"] == "hit"]
        assert sum(line["event"] == "hit" for told in lines.values() for line in told) == len(hits)
        times = [line["steady_ns"] for line in hits]
        assert times == sorted(times) and {line["probe"] for line in hits} == {"ftdi:LEFT", "ftdi:RIGHT"}, hits[0]
        for line in hits:
            off = off_by(line, truth)
            assert off <= line["error_ns"] and line["unix_ns"] - line["steady_ns"] == hits[0]["unix_ns"] - hits[0]["steady_ns"], (line, off)
        shown = [line for line in text.splitlines() if " s1 " in line and "beat=" in line]
        assert len(shown) == len(hits), (len(shown), len(hits))
        assert all(f"beat={hit['values']['beat']} " in line and hit["probe"] in line for line, hit in zip(shown, hits)), shown[:3]


def a_probe_that_is_unplugged():
    """With power of its own its clock goes on; without, it is another one."""
    for power, restarts in ("own", 0), ("usb", 1):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")

            def act(probe, runs):
                for run in runs:
                    run.clocks(2)
                probe.tell("@LEFT replug 300")
                assert probe.wait(lambda left: left["unplugs"] == 1 and left["plugged"], serial="LEFT")
                runs[0].clocks(3)
                for run in runs:
                    run.hits(10)

            lines, _, merged, _ = runs_of_two(log, act, "--power", power)
            truth = truths(log)
            last = [line for line in lines["LEFT"] if line["event"] == "clock"][-1]
            assert last["restarts"] == restarts and (last["from_cycle"] > 0) == (restarts > 0), (power, last)
            assert check(lines["LEFT"], "LEFT", truth)[0] > 5 and check(lines["RIGHT"], "RIGHT", truth)[0] > 5
            mapped_hits = [line for line in merged if line["event"] == "hit" and line["steady_ns"] is not None]
            for line in mapped_hits:
                off = off_by(line, truth)
                assert off <= line["error_ns"], (power, line, off)
            assert len(mapped_hits) > 10
            known = [line["steady_ns"] is not None for line in lines["LEFT"] if line["event"] == "clock"]
            assert known.count(False) == restarts and known[0] and known[-1], known


def a_clock_given_wrongly():
    """--clock of half of what it is: said, and nothing is mapped by it."""
    with tempfile.TemporaryDirectory() as folder, virtual(os.path.join(folder, "log")) as probe:
        command = [EARSHOT, "watch", "--probe", "ftdi:LEFT", "--attach", "--clock", str(HZ // 2), "--json", FOREVER, "-e", STATEMENT]
        watch = subprocess.Popen(command, env=probe.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in watch.stderr:
            if "clock makes about" in line:
                break
        watch.terminate()
        watch.communicate(timeout=PATIENCE)
        assert "not the 0.0025 MHz that --clock says" in line, line


def what_has_no_clock():
    """A simulation's time is no computer's: no clock is told, and traces of it are not put together."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        watched = earshot("watch", "--for", "2ms", "--json", "--out", trace, FOREVER, "-e", STATEMENT)
        assert watched.returncode == 0 and '"event":"clock"' not in watched.stdout, watched
        together = earshot("read", trace, trace)
        assert together.returncode == 2 and "simulated ones have no clock" in together.stderr and not together.stdout, together
        assert earshot("read", trace, trace, "--from", "1ms").returncode == 2


TESTS = [two_probes_on_one_axis, a_probe_that_is_unplugged, a_clock_given_wrongly, what_has_no_clock]
sys.exit(run_all([test for test in TESTS if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]))
