"""A probe at a virtual FT2232H whose cable, chip and host misbehave. What comes is what the undisturbed run tells; what does not come is counted, exactly."""
import binascii
import functools
import json
import os
import signal
import struct
import subprocess
import tempfile
import threading
import time

from ground import BUILD, EARSHOT, PATIENCE, Wrong, expect
from virtual import SCRIPT

ABOUT = "faults of a virtual FT2232H, its cable and its host"
CASES = {"full": 150, "short": 2}
PROGRAM = os.path.join(BUILD, "examples/thermostat-O0.elf")
STATEMENTS = ["-e", "when write(plant.steps) { print plant.steps, temp, mode; count steps }", "-s", "examples/thermostat/thermostat.watch"]
HELLO, RESPONSE = 0x01, 0x80
TRIES_HEARD, TRIES_UNHEARD = 25, 10  # of earshot for one command (docs/link.md)
COMPARED = "cycle", "statement", "values", "file", "line"


# --- what happens ------------------------------------------------------------------------------------------------------

def anywhere(chance):
    return f"after {chance.randrange(chance.choice((1800, 26000)))} " if chance.random() < 0.8 else f"in {chance.randrange(3000)} "


HARMLESS = [lambda chance: f"short {chance.choice((1, 5, 50, 1000))}{chance.choice(('', ' 3', ' 1', ' 62', ' 512'))}", lambda chance: "late %d" % chance.randrange(1, 100),
            lambda chance: "stall %d" % chance.randrange(1, 1200), lambda chance: "error %d" % chance.choice((1, 2, 20))]
HARMFUL = [lambda chance: "flip %d" % chance.choice((1, 1, 2, 5)), lambda chance: "cut %d" % chance.choice((1, 1, 2, 5)), lambda chance: "flip-out %d" % chance.choice((1, 2))]


def may_be_the_first(fault):
    """Whether it may fall on the first answer, before the host knows that there is a probe."""
    when, number = fault.split()[:2]
    return when == "in" or int(number) < 100


def damaged(faults):
    """At most so many tries of one command in vain: a bit may be that of the end of a frame, and then damages two."""
    return sum(2 * int(number) for _, _, kind, number in (fault.split()[:4] for fault in faults) if kind in ("flip", "cut", "flip-out"))


def is_bounded(faults):
    """What earshot has to come through (docs/link.md)."""
    return damaged(faults) < TRIES_HEARD and damaged(filter(may_be_the_first, faults)) < TRIES_UNHEARD


def draw_faults(chance, figures):
    kinds, faults = HARMLESS + (HARMFUL if chance.random() < 0.6 else []), []
    for _ in range(chance.randrange(3, 10)):
        fault = anywhere(chance) + chance.choice(kinds)(chance)
        faults += [fault] if is_bounded(faults + [fault]) else []
    for fault in faults:
        figures.add("times " + fault.split()[2])
    return faults


def stop_now_and_then(chance, process_file, ended, figures):
    """The host stands still for a while: SIGSTOP, SIGCONT."""
    while not ended.wait(chance.uniform(0.1, 1.5)):
        try:
            with open(process_file, encoding="ascii") as file:
                number = int(file.read() or 0)
            os.kill(number, signal.SIGSTOP)
            figures.add("times host stopped")
            ended.wait(chance.uniform(0.01, 1.5))
            os.kill(number, signal.SIGCONT)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            pass


# --- what came ---------------------------------------------------------------------------------------------------------

def unstuff(piece):
    """Bytes of a COBS block, None: it is none."""
    made, at = bytearray(), 0
    while at < len(piece):
        code = piece[at]
        if at + code > len(piece):
            return None
        made += piece[at + 1:at + code] + b"\0"
        at += code
    return bytes(made[:-1])


def numbers_of(recording):
    """(kind, number) of the event frames that are good: an account of its own of what a recording has."""
    for piece in recording.split(b"\0"):
        frame = unstuff(piece) if piece else None
        if not frame or len(frame) < 6 or len(frame) % 4 != 2 or binascii.crc_hqx(frame, 0xFFFF):
            continue
        kind, words, number = struct.unpack_from("<BBH", frame)
        if kind != RESPONSE and words == len(frame) // 4 - 1:
            yield kind, number


def frames_of_each(recording):
    """(good frames, the number of the last one) of each monitor: those from a HELLO with number 0 on."""
    all_of_them, good, last, wraps = [], 0, -1, 0
    for kind, number in numbers_of(recording):
        if kind == HELLO and number == 0 and good:
            all_of_them.append((good, last))
            good, last, wraps = 0, -1, 0
        if last >= 0 and number < last % 65536:
            wraps += 1
        last = wraps * 65536 + number
        good += 1
    return all_of_them + [(good, last)]


def frames_of(recording):
    """The same, where there was one monitor."""
    monitors = frames_of_each(recording)
    expect(len(monitors) == 1, f"{len(monitors)} monitors said HELLO")
    return monitors[0]


class Told:
    """What `earshot watch --json` said."""

    def __init__(self, text):
        lines = [json.loads(line) for line in text.splitlines()]
        self.hits = [line for line in lines if line["event"] == "hit"]
        self.gaps = [line for line in lines if line["event"] == "gap"]
        self.summary = next((line for line in lines if line["event"] == "summary"), None)

    def lost(self, what):
        return sum(gap["lost"] for gap in self.gaps if gap["what"] == what)


@functools.cache
def truth():
    done = subprocess.run([EARSHOT, "watch", "--json", PROGRAM, *STATEMENTS], capture_output=True, text=True, timeout=PATIENCE, check=True)
    return Told(done.stdout)


def are_among(hits, true):
    """Each is one of the true ones, in their order: equal values, places and times; a path is equal or unknown."""
    remaining = iter(true)
    for hit in hits:
        if not any(all(hit[key] == other[key] for key in COMPARED) and hit["path"] in (None, other["path"]) for other in remaining):
            return False
    return True


def account(told, recording, figures):
    true = truth()
    expect(told.summary is not None, "no summary")
    expect(are_among(told.hits, true.hits), "hits that are none of the undisturbed run's")
    good, last = frames_of(recording)
    link, dropped = told.lost("link"), told.lost("events")
    expect(good + link == last + 1, f"{good} frames came, {link} are told as lost, the last one is number {last}")
    missing = len(true.hits) - len(told.hits)
    expect(dropped <= missing <= dropped + link, f"{missing} hits are missing; told: {dropped} dropped by the probe, {link} frames lost")
    expect(told.summary["lost"] == dropped + link, told.summary, told.gaps)
    for key in "statements", "counters":
        expect(told.summary[key] == true.summary[key], f"{key}: {told.summary[key]}, not {true.summary[key]}")
    figures.add("hits that came", len(told.hits))
    figures.add("hits that did not", missing)
    figures.add("frames told as lost", link)


# --- a case ------------------------------------------------------------------------------------------------------------

def watch(faults, chance, folder, figures):
    """Runs to the program's end. (exit code, stdout, stderr)"""
    number, recording = os.path.join(folder, "pid"), os.path.join(folder, "recording")
    given = [word for fault in faults for word in ("--fault", fault)]
    command = [SCRIPT, "--interrupt", "--fault-seed", str(chance.randrange(1 << 31)), *given, PROGRAM, "--", "sh", "-c", 'echo $$ > "$0"; exec "$@"', number,
               EARSHOT, "watch", "--json", "--loaded", "--probe", "ftdi", "--record", recording, PROGRAM, *STATEMENTS]
    ended, stopper = threading.Event(), None
    if chance.random() < 0.4:
        stopper = threading.Thread(target=stop_now_and_then, args=(chance, number, ended, figures))
        stopper.start()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        out, err = process.communicate(timeout=3 * PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise Wrong(f"hangs: {process.communicate()[1]}") from None
    finally:
        ended.set()
        if stopper:
            stopper.join()
    return process.returncode, out, err, recording


def case(chance, figures):
    faults, begin = draw_faults(chance, figures), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        code, out, err, recording = watch(faults, chance, folder, figures)
        try:
            expect(code == 0, f"exit {code}: {err}")
            with open(recording, "rb") as file:
                account(Told(out), file.read(), figures)
        except Wrong as why:
            raise Wrong(f"{why}\n  faults: {faults}") from None
    figures.most("seconds of a run", time.monotonic() - begin)
