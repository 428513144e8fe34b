#!/usr/bin/python3
"""A probe that is unplugged and comes back, over the virtual FT2232H: the session goes on, here and in the daemon, and what was lost is told."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from bench import EARSHOT, FOREVER, PATIENCE, Client, Daemon, until  # noqa: E402
from harness import run_all  # noqa: E402
from virtual import Virtual  # noqa: E402

STATEMENT = "when beat % 256 == 0 { print beat; count beats }"


class Watch:
    """earshot watch --json at a virtual probe; its notes go to a file."""

    def __init__(self, probe, *options):
        command = [EARSHOT, "watch", "--probe", "ftdi", "--attach", "--json", FOREVER, "-e", STATEMENT, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=probe.env)
        self.events = []

    def until(self, condition):
        for line in self.process.stdout:
            self.events.append(json.loads(line))
            if condition(self.events[-1]):
                return self.events[-1]
        raise AssertionError(f"it ended: {self.process.stderr.read()}")

    def hits(self, count):
        for _ in range(count):
            self.until(lambda event: event["event"] == "hit")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        hung = threading.Timer(PATIENCE, self.process.kill)
        hung.start()
        out, self.notes = self.process.stdout.read(), self.process.stderr.read()  # communicate() would leave out what is buffered here
        hung.cancel()
        self.process.wait()
        self.events += [json.loads(line) for line in out.splitlines()]
        return self.events[-1]


def check_order(events, step=256):
    """Times rise, values are those of the program, and between two hits that are neighbours without a gap nothing is missing."""
    last, whole = None, True
    for event in events:
        if event["event"] == "gap":
            whole = False
        elif event["event"] == "hit":
            beat = event["values"]["beat"]
            assert beat % step == 0
            if last:
                assert event["cycle"] > last["cycle"], (last, event)
                assert beat > last["values"]["beat"] and (not whole or beat == last["values"]["beat"] + step), (last, event)
            last, whole = event, True


def with_power_of_its_own():
    with Virtual(FOREVER, "--power", "own", "--start", "now") as probe:
        watch = Watch(probe)
        for number in range(1, 4):
            watch.hits(3)
            probe.tell("replug 50")
            while probe.status()["unplugs"] < number or not probe.status()["plugged"]:
                watch.hits(1)
        watch.hits(3)
        summary = watch.end()
        assert watch.process.returncode == 0, watch.notes  # it adds up, or it would be 3
        check_order(watch.events)
        # none where it was unplugged just between two frames
        gaps = [event["lost"] for event in watch.events if event["event"] == "gap" and event["what"] == "link"]
        assert len(gaps) <= 3 and "has had power and gone on" in watch.notes, (gaps, watch.notes)
        assert summary["lost"] >= sum(gaps) and "incomplete" not in summary, summary
        # what the firmware counted is what came and what is known to be lost, but for path frames among these
        told = sum(event["event"] == "hit" for event in watch.events)
        assert told <= summary["hits"] <= told + summary["lost"], (told, summary)


def recorded():
    """Unplugged in the middle of frames, by orders that wait at the same time: the recording tells the same as the run."""
    with Virtual(FOREVER, "--power", "own", "--start", "now") as probe, tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "recording")
        watch = Watch(probe, "--record", recording)
        watch.hits(3)
        for number, after in (2, 57), (4, 131):
            probe.tell(f"after {after} replug 20")
            probe.tell(f"after {after + 500} replug 20")
            while probe.status()["unplugs"] < number or not probe.status()["plugged"]:
                watch.hits(1)
        watch.hits(3)
        summary = watch.end()
        assert watch.process.returncode == 0, watch.notes
        check_order(watch.events)
        again = subprocess.run([EARSHOT, "watch", "--json", "--probe", f"file:{recording}", "--attach", FOREVER, "-e", STATEMENT], capture_output=True, text=True, check=False,
                               timeout=PATIENCE)
        kept = [json.loads(line) for line in again.stdout.splitlines()]
        results = ("hit", "gap")
        assert [event for event in kept if event["event"] in results] == [event for event in watch.events if event["event"] in results], again.stderr
        assert kept[-1]["lost"] == summary["lost"], (kept[-1], summary)


def while_it_ends():
    """Whatever is under way when the run ends and the probe is unplugged: an end, with what was seen, and a word about what is missing."""
    with Virtual(FOREVER, "--power", "own", "--start", "now") as probe:
        for after in 1, 20, 60, 150, 400:
            watch = Watch(probe)
            watch.hits(3)
            probe.tell(f"after {after} unplug")
            summary = watch.end()
            assert watch.process.returncode == 0, (after, watch.notes)
            assert summary["event"] == "summary" and check_order(watch.events) is None
            assert "incomplete" not in summary or (summary["lost"] and "was unplugged" in watch.notes), (after, summary, watch.notes)
            if probe.status()["plugged"]:
                probe.tell("unplug")
            probe.tell("plug")


def while_it_is_loaded():
    """At every step of loading: after the first answer, while old hits are dropped, between the parts of the monitor, before and after its first frame."""
    with Virtual(FOREVER, "--power", "usb", "--start", "now") as probe:
        watch = Watch(probe)
        watch.hits(1)
        load = probe.status()["to_host"]
        for after in (*range(1, load, load // 9), load - 60, load - 40, load - 20, load):
            before = probe.status()
            probe.tell("replug 1")
            probe.tell(f"after {after} replug 1")
            sent = probe.status()["to_host"]
            assert probe.wait(lambda now, n=before["unplugs"]: now["unplugs"] == n + 2 and now["plugged"]), (after, probe.status())
            # more than what came until the second unplug and what comes while it is loaded, at whatever moment this looks
            until(lambda n=sent + after + load: probe.status()["to_host"] > n, f"it is loaded again after an unplug after {after} bytes")
            watch.hits(2)
        summary = watch.end()
        assert watch.process.returncode == 0 and "incomplete" not in summary, watch.notes
        check_order(watch.events)


def damaged_while_it_is_loaded():
    """Many answers in a row, as at the first loading: a running monitor is taken for silent after fewer."""
    with Virtual(FOREVER, "--power", "usb", "--start", "now") as probe:
        watch = Watch(probe)
        watch.hits(2)
        probe.tell("replug 50")
        probe.tell("after 900 cut 12")
        watch.until(lambda event: event["event"] == "gap")
        watch.hits(2)
        watch.end()
        assert watch.process.returncode == 0 and watch.notes.count("was without power") == 1 and "not answered yet" in watch.notes, watch.notes


def without_power():
    with Virtual(FOREVER, "--power", "usb", "--start", "now") as probe:
        watch = Watch(probe)
        watch.hits(3)
        before = sum(event["event"] == "hit" for event in watch.events)
        probe.tell("unplug")
        until(lambda: probe.status()["plugged"] is False, "it is unplugged")
        probe.tell("plug")
        watch.until(lambda event: event["event"] == "gap")
        watch.hits(5)
        summary = watch.end()
        assert watch.process.returncode == 0, watch.notes
        check_order(watch.events)
        assert "was without power" in watch.notes and summary["lost"] >= 1 and "incomplete" not in summary, (watch.notes, summary)
        told = sum(event["event"] == "hit" for event in watch.events)
        assert summary["hits"] >= told >= before + 5, (told, summary)


def that_does_not_come_back():
    with Virtual(FOREVER, "--start", "now") as probe:
        watch = Watch(probe)
        watch.hits(3)
        probe.tell("unplug")
        until(lambda: probe.status()["plugged"] is False, "it is unplugged")
        summary = watch.end()
        assert watch.process.returncode == 0 and summary["incomplete"] and summary["lost"] >= 1, (summary, watch.notes)


def read(client, events, condition):
    """A daemon's lines up to the one that meets the condition, to the events."""
    end = time.monotonic() + PATIENCE
    for line in client.lines():
        events.append(line)
        if condition(line):
            return
        assert time.monotonic() < end, f"waited in vain: {events[-3:]}"
    raise AssertionError(f"it ended: {events[-3:]}")


def in_the_daemon():
    with Virtual(FOREVER, "--power", "own", "--start", "now") as probe, Daemon(environment=probe.env) as daemon, Client(daemon) as client:
        begun = client.watch(FOREVER, STATEMENT, probe="ftdi", attach=True, record=True)
        assert begun["event"] == "reply", begun
        events = []
        for number in 1, 2:
            read(client, events, lambda line: line["event"] == "hit")
            probe.tell("replug 50")
            while probe.status()["unplugs"] < number or not probe.status()["plugged"]:
                read(client, events, lambda line: line["event"] == "hit")
        read(client, events, lambda line: line["event"] == "hit")
        client.send({"do": "stop", "run": begun["run"]})
        read(client, events, lambda line: line["event"] == "end")
        assert events[-1]["code"] == "ok", events[-1]
        check_order(events)
        trace = next(os.path.join(daemon.traces, name) for name in os.listdir(daemon.traces))
        shown = subprocess.run([EARSHOT, "read", "--json", trace], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert shown.returncode == 0, shown.stderr
        kept = [json.loads(line) for line in shown.stdout.splitlines()]
        for event in events:
            event.pop("probe", None)
        results = ("hit", "gap", "console", "summary")
        assert [event for event in kept if event["event"] in results] == [event for event in events if event["event"] in results]


def replayed():
    """A run on the replay ends, with what was confirmed, and says why it cannot go on."""
    with Virtual(FOREVER, "--start", "each") as probe:
        command = [EARSHOT, "watch", "--replay", "--probe", "ftdi", "--loaded", "--json", FOREVER, "-e", STATEMENT]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=probe.env) as watch:
            events = []
            for line in watch.stdout:
                events.append(json.loads(line))
                if sum(event["event"] == "hit" for event in events) == 3 and probe.status()["plugged"]:
                    probe.tell("unplug")
            notes = watch.stderr.read()
        assert watch.returncode == 3 and "cannot go on after a gap" in notes, (watch.returncode, notes)
        assert events[-1]["event"] == "summary" and events[-1]["lost"] == 1 and events[-1]["hits"] >= 3, events[-1]
        assert events[-1]["target"] == "hardware" and events[-1]["cycles"] is None, events[-1]
        check_order(events)


def inputs_recorded():
    """What came until then is a recording, and opens."""
    with Virtual(FOREVER, "--start", "each") as probe, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs")
        command = [EARSHOT, "record", "--probe", "ftdi", "--loaded", FOREVER, "--inputs", path]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=probe.env) as record:
            until(lambda: os.path.exists(path) and os.path.getsize(path) > 1000, "something is kept")
            probe.tell("unplug")
            notes = record.stderr.read()
        assert record.returncode == 3 and "was unplugged" in notes and "instructions confirmed" in notes, (record.returncode, notes)
        why = subprocess.run([EARSHOT, "why", path, FOREVER, "beat at end"], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert why.returncode == 0 and why.stdout.startswith("beat = "), (why.stdout, why.stderr)


def replayed_in_the_daemon():
    """There such a run begins anew when the probe is back, from the target's reset."""
    with Virtual(FOREVER, "--start", "each") as probe, Daemon(environment=probe.env) as daemon, Client(daemon) as client:
        begun = client.watch(FOREVER, STATEMENT, probe="ftdi", loaded=True, replay=True, returns=True)
        assert begun["event"] == "reply", begun
        events = []
        read(client, events, lambda line: line["event"] == "begin")
        assert events[-1]["target"] == "hardware" and "simulated" not in events[-1], events[-1]
        for number in 1, 2:
            read(client, events, lambda line: line["event"] == "hit")
            probe.tell("replug 50")
            until(lambda n=number: probe.status()["unplugs"] == n and probe.status()["plugged"], "it is back")
        read(client, events, lambda line: line["event"] == "begin")
        del events[:]
        read(client, events, lambda line: line["event"] == "hit")
        assert events[-1]["values"]["beat"] == 256, events[-1]
        client.send({"do": "stop", "run": begun["run"]})
        read(client, events, lambda line: line["event"] == "end")
        assert events[-1]["code"] == "ok", events[-1]


STILL = 1000000  # clocks of the target, with a hit in 480 of them: the probe keeps up, but so many do not fit on the way


def a_daemon_that_stands_still():
    """SIGSTOP while more hits come than fit on the way: they are counted, nothing is wrong, and it adds up (or the end were no "ok")."""
    with Virtual(FOREVER, "--start", "now") as probe, Daemon(environment=probe.env) as daemon, Client(daemon) as client:
        begun = client.watch(FOREVER, "when beat % 32 == 0 { print beat }", probe="ftdi", attach=True, record=True)
        assert begun["event"] == "reply", begun
        events = [client.until("hit")]
        for _ in range(2):
            daemon.process.send_signal(signal.SIGSTOP)
            probe.tell("stall")  # the chip is full
            begin = probe.status()["clocks"]
            until(lambda begin=begin: probe.status()["clocks"] > begin + STILL, "the target runs on")
            probe.tell("go")
            daemon.process.send_signal(signal.SIGCONT)
            read(client, events, lambda line: line["event"] == "gap" and line["what"] == "events")
        client.send({"do": "stop", "run": begun["run"]})
        read(client, events, lambda line: line["event"] == "end")
        warnings = [line for line in events if line["event"] == "warning" and "answer" not in line["text"]]  # it stands still for long on a slow machine
        assert events[-1]["code"] == "ok" and not warnings, (events[-1], warnings)
        trace = next(os.path.join(daemon.traces, name) for name in os.listdir(daemon.traces))
        kept = subprocess.run([EARSHOT, "read", "--json", trace], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert kept.returncode == 0 and json.loads(kept.stdout.splitlines()[-1])["event"] == "summary", kept.stderr
        check_order(events, 32)
        summary = next(line for line in events if line["event"] == "summary")
        told = sum(event["event"] == "hit" for event in events)
        lost = sum(event["lost"] for event in events if event["event"] == "gap" and event["what"] == "events")
        left = sum(event["lost"] for event in events if event["event"] == "gap" and event["what"] == "host")
        print(f"{told} hits, {lost} events lost while it stood still")
        assert lost > 0 and summary["lost"] >= lost and told + left <= summary["hits"] <= told + left + summary["lost"], (told, lost, left, summary)


TESTS = [with_power_of_its_own, recorded, while_it_ends, while_it_is_loaded, damaged_while_it_is_loaded, without_power, that_does_not_come_back, in_the_daemon, replayed, inputs_recorded, replayed_in_the_daemon, a_daemon_that_stands_still]
sys.exit(run_all([test for test in TESTS if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]))
