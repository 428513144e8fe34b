"""A probe is unplugged and plugged in again at random moments, in the middle of transfers, of reopening it and of loading it: the session goes on, what came and
what was lost add up, and nothing leaks."""
import collections
import json
import os
import select
import signal
import subprocess
import tempfile
import time

import ground
from ground import EARSHOT, FOREVER, PATIENCE, SANITIZED, Wrong, expect
from usb import frames_of, frames_of_each
from virtual import Virtual

ABOUT = "a probe unplugged and plugged in again at random moments"
CASES = {"full": 14, "short": 1}
REPLUGS = {True: 10, False: 100}  # of a case; short or not
ENDS = {True: 2, False: 5}
SETTLED = 3                       # replugs after which nothing may grow any more: files, and memory but for what is rounded up
GROWTH_MOST = 1 << 20
LOADED = 200_000                  # bytes to the probe are several loads of a monitor, after which there have to be hits
EVERY = 16  # beats from hit to hit
STATEMENT = f"when beat % {EVERY} == 0 {{ print beat }}"
FORGETS = "It was without power"
UMOCKDEVS = "umockdev's socket"


def sockets_without_name():
    """Those of umockdev, which now and then keeps one of a device that is gone: all that libusb makes have a name in its test bed."""
    with open("/proc/net/unix", encoding="ascii") as file:
        rows = [line.split() for line in file][1:]
    return {f"socket:[{row[6]}]" for row in rows if len(row) == 7}


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
        """(how many open files of each kind, bytes of memory)"""
        here, kinds, foreign = f"/proc/{self.process.pid}", collections.Counter(), sockets_without_name()
        for number in os.listdir(here + "/fd"):
            name = os.readlink(f"{here}/fd/{number}")
            kinds[UMOCKDEVS if name in foreign else name.split(":")[0] if ":" in name else "file"] += 1
        with open(here + "/statm", encoding="ascii") as file:
            return kinds, int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def wait_for_hits(self, count, probe):
        """So many more. An order that waited for its bytes may unplug the probe meanwhile: each time, it may be loaded again."""
        aim, before, moved, since = self.text.count(b'"hit"') + count, {}, 0, time.monotonic()
        while not self.listen(1, hits=aim - self.text.count(b'"hit"')):
            now = probe.status()
            if now["unplugs"] != before.get("unplugs"):
                before, moved = now, now["to_probe"]
            if now["to_probe"] != moved:
                moved, since = now["to_probe"], time.monotonic()
            expect(time.monotonic() - since < PATIENCE, "no hit comes any more, and nothing goes to the probe", now, self.said())
            expect(moved - before["to_probe"] < LOADED, "no hit comes any more, however often the probe is loaded", now, self.said())

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


def account_of_each(lines, recording, notes, figures):
    """A probe with power from USB begins anew each time: all frames of each monitor came, and each loading is told as a loss."""
    came, summary = sum(line["event"] == "hit" for line in lines), lines[-1]
    look_at_order(lines)
    link, dropped, bus = (lost(lines, what) for what in ("link", "events", "bus"))
    loads = notes.count(FORGETS)
    expect(link == loads, f"{link} losses on the link are told, and it was loaded again {loads} times")
    for good, last in frames_of_each(recording):
        expect(good == last + 1, f"{good} frames came of a monitor whose last one is number {last}")
    expect(0 <= summary["hits"] - came <= dropped, f"{summary['hits']} hits counted, {came} came; told: {dropped} dropped by the probe")
    expect(summary["lost"] == dropped + link + bus, summary, dropped, link, bus)
    figures.add("loads of probes with power from USB", loads)
    figures.add("hits that came of these", came)


def at_rest(watch, probe):
    """What it holds while nothing happens to the probe. It may still have hits from before the last unplug, and open the probe after these: the least counts."""
    expect(probe.wait(lambda now: now["plugged"] and not now["waiting"], PATIENCE), "an order waits for its bytes", probe.status())
    held = []
    for _ in range(3):
        watch.wait_for_hits(20, probe)
        watch.listen(0.2)
        held.append(watch.holds())
    return min(held, key=lambda one: sum(one[0].values()))


def replug(watch, probe, chance, count, figures):
    """Unplugs at random moments; some while the host is still busy with the last time."""
    settled = None
    while (number := probe.status()["unplugs"]) < count:
        when = f"after {chance.randrange(3000)} " if chance.random() < 0.7 else ""
        probe.tell(f"{when}replug {chance.randrange(1, 200)}")
        watch.listen(chance.choice((0.02, 0.1, 0.5)) * chance.random())
        if chance.random() < 0.5:
            watch.wait_for_hits(chance.randrange(1, 60), probe)
        if number >= min(SETTLED, count // 2) and not settled:
            settled = at_rest(watch, probe)
    (before, room), (files, memory) = settled, at_rest(watch, probe)
    figures.most("sockets that umockdev kept", files.pop(UMOCKDEVS, 0) - before.pop(UMOCKDEVS, 0))
    expect(not files - before, f"open files after {count} times: {files}; in the beginning: {before}")
    expect(memory - room < GROWTH_MOST or SANITIZED, f"memory grew by {memory - room} bytes")
    figures.most("kB that memory grew", (memory - room) / 1000)


def end_unplugged(probe, chance, folder, figures):
    """The run is ended in the moment in which the probe is unplugged: that is an end like others, and what is missing is said."""
    watch = Watch(probe, os.path.join(folder, "another"))
    try:
        watch.wait_for_hits(5, probe)
        probe.tell(f"after {chance.randrange(600)} replug {chance.randrange(1, 300)}")
        watch.listen(0.1 * chance.random())
        lines, notes = watch.end(), watch.said()
        expect(watch.process.returncode == 0, f"exit {watch.process.returncode}: {notes}")
        expect(lines[-1]["event"] == "summary", lines[-1], notes)
        expect("incomplete" not in lines[-1] or "unplugged" in notes, lines[-1], notes)
        figures.add("ends while unplugged", "incomplete" in lines[-1])
    except subprocess.TimeoutExpired:
        raise Wrong(f"hangs: {watch.said()}") from None
    finally:
        watch.process.kill()
        watch.process.wait()
    expect(probe.wait(lambda now: now["plugged"]), "it is not plugged in again", probe.status())


def case(chance, figures):
    for power in ("own", "usb") if ground.SHORT else ("own" if chance.random() < 0.7 else "usb",):
        run(power, chance, figures)


def run(power, chance, figures):
    with tempfile.TemporaryDirectory() as folder, Virtual(FOREVER, "--power", power, "--start", "now", "--fault-seed", str(chance.randrange(1 << 31))) as probe:
        recording = os.path.join(folder, "recording")
        watch = Watch(probe, recording)
        try:
            watch.wait_for_hits(5, probe)
            replug(watch, probe, chance, REPLUGS[ground.SHORT], figures)
            lines = watch.end()
            figures.add("unplugs", probe.status()["unplugs"])
            figures.add("unplugs of probes with power of their own", probe.status()["unplugs"] if power == "own" else 0)
            expect(watch.process.returncode == 0, f"exit {watch.process.returncode}: {watch.said()}")
            expect(lines[-1]["event"] == "summary" and "incomplete" not in lines[-1], lines[-1])
            with open(recording, "rb") as file:
                content = file.read()
            if power == "own":
                expect(FORGETS not in watch.said(), watch.said())
                account(lines, content, figures)
            else:
                account_of_each(lines, content, watch.said(), figures)
            for _ in range(ENDS[ground.SHORT]):
                end_unplugged(probe, chance, folder, figures)
        except subprocess.TimeoutExpired:
            raise Wrong(f"hangs: {watch.said()}") from None
        finally:
            watch.process.kill()
            watch.process.wait()
