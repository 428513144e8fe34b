"""A probe is unplugged and plugged in again at random moments, in the middle of transfers and of reopening it: the session goes on, what came and what was lost
add up, and nothing leaks."""
import json
import os
import select
import signal
import subprocess
import tempfile
import time

import ground
from ground import EARSHOT, FOREVER, PATIENCE, SANITIZED, Wrong, expect
from usb import frames_of
from virtual import Virtual

ABOUT = "a probe unplugged and plugged in again at random moments"
CASES = {"full": 10, "short": 1}
REPLUGS = {True: 10, False: 100}  # of a case; short or not
SETTLED = 3                       # replugs after which nothing may grow any more: files, and memory but for what is rounded up
GROWTH_MOST = 1 << 20
EVERY = 16  # beats from hit to hit
STATEMENT = f"when beat % {EVERY} == 0 {{ print beat }}"
FORGETS = "It was without power"


class Watch:
    """earshot watch --json, read while it runs."""

    def __init__(self, probe, recording):
        command = [EARSHOT, "watch", "--probe", "ftdi", "--attach", "--json", "--record", recording, os.fspath(FOREVER), "-e", STATEMENT]
        self.notes = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.notes, env=probe.env)
        self.text = bytearray()

    def listen(self, seconds, hits=0):
        """Takes what comes for so long, or until so many more hits came."""
        end, aim = time.monotonic() + seconds, self.text.count(b'"hit"') + hits
        while (left := end - time.monotonic()) > 0 and not (hits and self.text.count(b'"hit"') >= aim):
            if select.select([self.process.stdout], [], [], left)[0]:
                part = os.read(self.process.stdout.fileno(), 1 << 16)
                expect(part, f"it ended: {self.said()}")
                self.text += part
        return not hits or self.text.count(b'"hit"') >= aim

    def holds(self):
        """(open files, bytes of memory). Sockets are umockdev's, which now and then keeps one of a device that is gone."""
        here = f"/proc/{self.process.pid}"
        names = [os.readlink(f"{here}/fd/{number}") for number in os.listdir(here + "/fd")]
        with open(here + "/statm", encoding="ascii") as file:
            return sum(not name.startswith("socket:") for name in names), int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.text += self.process.communicate(timeout=PATIENCE)[0]
        return [json.loads(line) for line in self.text.splitlines()]

    def said(self):
        self.notes.seek(0)
        return self.notes.read().decode()


def look_at_order(lines):
    """Times and values rise, and where no gap is told between two hits, nothing is missing. How many hits are between those that came."""
    last, whole, missing = None, True, 0
    for line in lines:
        if line["event"] == "gap":
            whole = False
        elif line["event"] == "hit":
            beat = line["values"]["beat"]
            expect(beat % EVERY == 0 and (last is None or (line["cycle"] > last["cycle"] and beat > last["values"]["beat"])), last, line)
            expect(last is None or not whole or beat == last["values"]["beat"] + EVERY, "hits are missing, and nothing is said of it", last, line)
            missing += (beat - last["values"]["beat"]) // EVERY - 1 if last else 0
            last, whole = line, True
    return missing


def lost(lines, what):
    return sum(line["lost"] for line in lines if line["event"] == "gap" and line["what"] == what)


def account(lines, recording, figures):
    """A probe that had power all the time: what it sent, by its own numbers and its own counts, came or was told as lost."""
    came, between, summary = sum(line["event"] == "hit" for line in lines), look_at_order(lines), lines[-1]
    link, dropped, bus = (lost(lines, what) for what in ("link", "events", "bus"))
    good, last = frames_of(recording)
    missing = summary["hits"] - came
    expect(good + link == last + 1, f"{good} frames came, {link} are told as lost, the last one is number {last}")
    expect(dropped <= missing <= dropped + link, f"{missing} hits are missing; told: {dropped} dropped by the probe, {link} frames lost")
    expect(summary["lost"] == dropped + link + bus, summary, dropped, link, bus)
    expect(bus or between <= missing, f"{between} hits are missing between others, {missing} in all")
    figures.add("hits that came", came)
    figures.add("hits that did not, all counted", missing)
    figures.add("frames sent", last + 1)
    figures.add("frames told as lost", link)


def replug(watch, probe, chance, count, figures):
    """Unplugs at random moments; some while the host is still busy with the last time."""
    settled = None
    for number in range(count):
        when = f"after {chance.randrange(3000)} " if chance.random() < 0.7 else ""
        probe.tell(f"{when}replug {chance.randrange(1, 200)}")
        watch.listen(chance.choice((0.02, 0.1, 0.5)) * chance.random())
        if number < count - 1 and chance.random() < 0.5:
            expect(watch.listen(PATIENCE, hits=chance.randrange(1, 60)), "no hit comes any more")
        if number == min(SETTLED, count // 2):
            expect(watch.listen(PATIENCE, hits=20), "no hit comes any more")
            settled = watch.holds()
    for _ in range(2):  # an order that still waited for its bytes may come between
        expect(watch.listen(PATIENCE, hits=60), "no hit comes any more")
    files, memory = watch.holds()
    expect(files <= settled[0], f"{files} open files after {count} times, {settled[0]} in the beginning")
    expect(memory - settled[1] < GROWTH_MOST or SANITIZED, f"memory grew by {memory - settled[1]} bytes")
    figures.most("kB that memory grew", (memory - settled[1]) / 1000)


def case(chance, figures):
    power = "own" if chance.random() < 0.7 or ground.SHORT else "usb"  # usb: see docs/reliability.md, "Known, not mended"
    with tempfile.TemporaryDirectory() as folder, Virtual(FOREVER, "--power", power, "--start", "now", "--fault-seed", str(chance.randrange(1 << 31))) as probe:
        recording = os.path.join(folder, "recording")
        watch = Watch(probe, recording)
        try:
            expect(watch.listen(PATIENCE, hits=5), "no hit comes")
            replug(watch, probe, chance, REPLUGS[ground.SHORT], figures)
            lines = watch.end()
            figures.add("unplugs", probe.status()["unplugs"])
            figures.add("unplugs of probes with power of their own", probe.status()["unplugs"] if power == "own" else 0)
            expect(watch.process.returncode == 0, f"exit {watch.process.returncode}: {watch.said()}")
            expect(lines[-1]["event"] == "summary" and "incomplete" not in lines[-1], lines[-1])
            if power == "own":
                expect(FORGETS not in watch.said(), watch.said())
                with open(recording, "rb") as file:
                    account(lines, file.read(), figures)
            else:
                look_at_order(lines)
        except subprocess.TimeoutExpired:
            raise Wrong(f"hangs: {watch.said()}") from None
        finally:
            watch.process.kill()
            watch.process.wait()
