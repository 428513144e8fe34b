#!/usr/bin/python3
"""Traces and what disturbs them: writers that are killed, torn and damaged files, a full disk; and babeltrace2's reading of them.

usage: disturbed.py [SEED [KILLS]]
"""
import glob
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
WRITER = os.path.join(BUILD, "tests/store/write-made")
SEED = int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("EARSHOT_SEED", "1"))
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 4
RANDOM = random.Random(SEED)
PATIENCE = 60  # seconds


def run(*command, **options):
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)


def read(trace, *options):
    """Lines of a trace as JSON, and how the reading ended. Never by a signal or a checker."""
    done = run(EARSHOT, "read", trace, "--json", *options)
    assert done.returncode in (0, 2, 5) and b"Sanitizer" not in done.stderr, done
    return done.stdout.splitlines(), done


def events(trace):
    """How many babeltrace2 finds; None where it refuses the trace."""
    done = run("babeltrace2", "-o", "text", trace)
    return len(done.stdout.splitlines()) if done.returncode == 0 else None


def stream(trace):
    return sorted(glob.glob(os.path.join(trace, "chunk-*", "stream_0")))[-1]


def made(name, *arguments):
    trace = os.path.join(FOLDER, name)
    done = run(WRITER, trace, *arguments)
    assert done.returncode == 0 and not done.stderr, done
    return trace, done.stdout.splitlines()


def shown_as_it_was():
    """What `watch` prints while it writes a trace is what `read` prints of it, to the byte, errors' stream too."""
    for number, (program, options) in enumerate((("thermostat-O0", ["-s", "examples/thermostat/thermostat.watch"]),
                                                 ("tasks-O0", ["-s", "examples/tasks/tasks.watch", "--count", "30"]))):
        for form in [], ["--json"]:
            trace = os.path.join(FOLDER, f"shown{number}{len(form)}")
            live = run(EARSHOT, "watch", f"{BUILD}/examples/{program}.elf", *options, "--out", trace, *form)
            assert live.returncode == 0 and live.stdout, live
            again = run(EARSHOT, "read", trace, *form)
            # what a slow machine is told after 2 s without a hit is no part of the run
            told = b"".join(line for line in live.stderr.splitlines(True) if line != b"earshot: no hits yet:\n" and b" waits for " not in line)
            assert (again.returncode, again.stdout, again.stderr) == (0, live.stdout, told), (live, again)


def babeltrace_agrees():
    """Each value of a field that babeltrace2 prints is the one that was given; losses are its discarded events."""
    trace, lines = made("agrees", "all", "9000", str(SEED % 1000), "rotate-bytes=500000")
    records = [json.loads(line.decode("utf-8", "replace")) for line in lines]
    done = run("babeltrace2", trace)
    text = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0 and len(glob.glob(trace + "/chunk-*")) > 1, done.stderr
    values = re.findall(r"\] \(\S+\) (?:kinds|numbers): .* unknown = 0b([01]+), values = \{.* half = (\d+)", text)
    wanted = [record["values"]["half"] for record in records if "half" in record.get("values", {})]
    assert [None if bits[-5] == "1" else int(half) for bits, half in values] == wanted and len(wanted) > 500, len(wanted)
    lost = sum(map(int, re.findall(r"Tracer (?:discarded|may have discarded) (\d+) events? ", done.stderr.decode())))
    assert lost == sum(record["lost"] for record in records if record["event"] == "gap") > 0, lost
    unexpected = [line for line in done.stderr.decode().splitlines() if "Tracer discarded" not in line]
    assert not unexpected, unexpected


def kill_once(trace, pause):
    """Kills a writer in the middle. Returns how many records could be read of its trace just before. Half of the times that is awaited: what was given
    so far comes to the disk by itself, how soon the machine says."""
    with subprocess.Popen([WRITER, trace, "plain", "0", "1", f"pause-us={pause}"], stdout=subprocess.PIPE) as writer:
        end, waits, given, there = time.monotonic() + RANDOM.uniform(0.05, 1.8), RANDOM.random() < 0.5, -1, 0
        while time.monotonic() < end:
            given = int(writer.stdout.readline())
        end = time.monotonic() + PATIENCE
        while glob.glob(trace + "/chunk-*/metadata") and (there := len(read(trace)[0])) <= given and waits:
            assert time.monotonic() < end, (SEED, given, there)
            time.sleep(0.05)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    return there


def killed():
    torn = 0
    for number in range(KILLS):
        trace, pause = os.path.join(FOLDER, f"killed{number}"), 3000 if number % 3 else 1000
        before = kill_once(trace, pause)
        if not glob.glob(trace + "/chunk-*/metadata"):
            assert not before, (SEED, number)
            continue
        lines, done = read(trace)
        assert done.returncode == 0 and b"the trace has no end" in done.stderr, (SEED, number, done)
        times = [json.loads(line)["cycle"] for line in lines]
        assert times == list(range(len(times))) and len(times) >= before, (SEED, number, before, len(times))
        was_torn = b"are a part of a packet" in done.stderr
        assert (events(trace) is None) == was_torn, (SEED, number)
        torn += was_torn
        repaired = run(EARSHOT, "read", trace, "--repair")
        assert repaired.returncode == 0, repaired
        assert events(trace) == len(times) and read(trace)[0] == lines, (SEED, number)
        shutil.rmtree(trace)
    print(f"{KILLS} writers killed, {torn} torn ends")


def torn():
    """Cut anywhere: all packets before are there, and after --repair babeltrace2 reads the same."""
    trace, _ = made("whole", "all", "2000", "3")
    lines, _ = read(trace)
    size = os.path.getsize(stream(trace))
    for number in range(6):
        copy = os.path.join(FOLDER, "torn")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(trace, copy)
        os.truncate(stream(copy), RANDOM.randrange(size))
        found, done = read(copy)
        assert done.returncode == 0 and found == lines[:len(found)] and b"the trace has no end" in done.stderr, (SEED, number, done)
        assert run(EARSHOT, "read", copy, "--repair").returncode == 0
        assert read(copy)[0] == found and events(copy) is not None, (SEED, number)


def damaged():
    """Bits flipped anywhere: what is shown is what was written, what is not shown is told."""
    trace, _ = made("sound", "all", "1500", "4")
    lines, _ = read(trace)
    for number in range(30):
        copy = os.path.join(FOLDER, "flipped")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(trace, copy)
        path = stream(copy) if number % 3 else os.path.join(copy, "chunk-000001", "metadata")
        with open(path, "r+b") as file:
            data = bytearray(file.read())
            for _ in range(RANDOM.choice((1, 1, 3))):
                data[RANDOM.randrange(len(data))] ^= 1 << RANDOM.randrange(8)
            file.seek(0)
            file.write(data)
        found, done = read(copy)
        rest = iter(lines)
        assert all(line in rest for line in found if b'"event":"statistic"' not in line), (SEED, number)
        told = done.returncode == 2 or b"part of a packet" in done.stderr
        assert told or found == lines, (SEED, number, done)


def full():
    """A disk that takes no more: the writer goes on, says so, and what is there is whole."""
    trace = os.path.join(FOLDER, "full")
    done = run(WRITER, trace, "plain", "200000", "1", "queue-bytes=1000000", "pause-us=300",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000000, 3000000)))
    assert done.returncode == 1 and b"fails: " in done.stderr and b"File too large" in done.stderr, done
    assert b"loses: " in done.stderr and b"end of the trace could not be written" in done.stderr, done
    lines, done = read(trace)
    records = [json.loads(line) for line in lines]
    following = 0
    for record in records:
        assert record["cycle"] == following, (record, following)
        following += record.get("lost", 1)
    assert sum(record["event"] == "hit" for record in records) > 10000
    assert events(trace) == len(records) + done.stderr.count(b"left out of the trace")  # the trace itself says why


def full_to_the_end():
    """`earshot record` then says what is wrong, and not that the trace is all there."""
    done = run(EARSHOT, "record", f"{BUILD}/examples/thermostat-O0.elf", "-e", "temp > 1 { print temp }", "-o", os.path.join(FOLDER, "ended"),
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    assert done.returncode == 5 and b"the end of the trace could not be written" in done.stderr, done
    assert b"the trace is in" not in done.stderr, done
    done = run(EARSHOT, "record", f"{BUILD}/examples/thermostat-O0.elf", "-e", "temp > 1 { print temp }", "-o", os.path.join(FOLDER, "finished"))
    assert done.returncode == 0 and b"the trace is in" in done.stderr, done


if __name__ == "__main__":
    print(f"seed {SEED}")
    with tempfile.TemporaryDirectory() as FOLDER:
        FAILED = run_all([shown_as_it_was, babeltrace_agrees, killed, torn, damaged, full, full_to_the_end])
    sys.exit(FAILED)
