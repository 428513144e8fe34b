#!/usr/bin/python3
"""Recordings of inputs as files: what is kept when the recorder is killed, the disk is full or nobody reads its output; keyframes that are
written later; and what is no recording."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
LONG = os.path.join(BUILD, "tests/replay/long")
FOREVER = os.path.join(BUILD, "tests/replay/forever-O2.elf")
INTERRUPTS = os.path.join(BUILD, "examples/interrupts-O2.elf")
PATIENCE = 300   # seconds


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=PATIENCE, **more)


def why_at_end(path, program, variable):
    done = run(EARSHOT, "why", path, program, f"{variable} at end")
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[0]


def killed():
    """By SIGKILL, without a word: what came until shortly before is there."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs")
        with subprocess.Popen([EARSHOT, "record", FOREVER, "--inputs", path], stderr=subprocess.DEVNULL) as record:
            last = 0
            end = time.monotonic() + PATIENCE
            for _ in range(5):   # it grows, block by block
                while os.path.getsize(path) <= last if os.path.exists(path) else True:
                    assert time.monotonic() < end and record.poll() is None
                    time.sleep(0.01)
                last = os.path.getsize(path)
            record.send_signal(signal.SIGKILL)
        found = why_at_end(path, FOREVER, "rounds")
        rounds = int(found.split()[2])
        assert rounds >= 20, found   # five blocks of 20 ms of the target's, of 1.9 ms a round
        told = run(EARSHOT, "read", path, FOREVER, "-e", "when rounds == 15 { print rounds }")
        assert "rounds=15" in told.stdout and "cut off" in told.stderr, told


def begins_elsewhere():
    """A core that begins where nobody said: no empty recording is taken for a good one."""
    convoy, probe = os.path.join(BUILD, "tests/threads/convoy.elf"), "sim:cores=2,core=1"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs")
        for address, code in ("0", 2), ("0x400", 0):
            done = run(EARSHOT, "record", convoy, "--probe", probe, "--inputs", path, "--reset", address)
            assert done.returncode == code and ("--reset ADDRESS" in done.stderr) == (code != 0), done
            assert os.path.exists(path) == (code == 0), "a recording of nothing stays"
        done = run(EARSHOT, "record", convoy, "--probe", probe, "-e", "enter(main)", "--reset", "0x400")
        assert done.returncode == 2 and "--inputs" in done.stderr, done


def full():
    """A disk that is full at once, and one that becomes so."""
    done = run(EARSHOT, "record", INTERRUPTS, "--inputs", "/dev/full")
    assert done.returncode == 5 and "No space left" in done.stderr, done
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs")

        def small():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        done = run(EARSHOT, "record", FOREVER, "--inputs", path, preexec_fn=small)
        assert done.returncode == 5 and "cannot be written" in done.stderr and "can be read" in done.stderr, done
        assert os.path.getsize(path) == 4000
        assert why_at_end(path, FOREVER, "rounds").startswith("rounds = ")


def nobody_reads():
    """A closed pipe for what the target writes costs nothing of the recording."""
    with tempfile.TemporaryDirectory() as folder:
        path, other = os.path.join(folder, "inputs"), os.path.join(folder, "other")
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([EARSHOT, "record", INTERRUPTS, "--inputs", path], stdout=writing, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE)
        os.close(writing)
        assert done.returncode == 0 and done.stderr.count("cannot be shown any more") == 1, done
        assert run(EARSHOT, "record", INTERRUPTS, "--inputs", other).returncode == 0
        with open(path, "rb") as first, open(other, "rb") as second:
            assert first.read() == second.read()


def keyframes_later():
    """Written into a recording that was cut: it says the same afterwards, and that it was cut."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long")
        done = run(LONG, 60000000, path)
        assert done.returncode == 0, done
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) * 3 // 4)
        before = why_at_end(path, FOREVER, "rounds")
        read = [EARSHOT, "read", path, FOREVER, "-q", "-e", "when rounds % 1024 == 0 { print rounds, last }"]
        told = run(*read)
        done = run(EARSHOT, "record", FOREVER, "--index", path)
        assert done.returncode == 0 and "has keyframes now" in done.stderr and os.listdir(folder) == ["long"], done
        with open(path, "rb") as file:
            assert b"KEYF" in file.read()
        assert why_at_end(path, FOREVER, "rounds") == before
        again = run(*read)
        assert told.stdout and again.stdout == told.stdout, (told, again)
        assert "cut off" in run(EARSHOT, "read", path, FOREVER, "-e", "when rounds == 1").stderr
        done = run(EARSHOT, "record", INTERRUPTS, "--index", path)
        assert done.returncode == 2 and "another program" in done.stderr and os.listdir(folder) == ["long"], done


def no_recordings():
    """Files and devices that are none end with a sentence."""
    for path, words in ("/dev/zero", "no frame of a probe"), ("/dev/null", "not a recording"), (INTERRUPTS, "not a recording"):
        done = run(EARSHOT, "watch", INTERRUPTS, "--probe", f"file:{path}", "-e", "when enter(main)")
        assert done.returncode == 2 and words in done.stderr, (path, done)
    done = run(EARSHOT, "why", "/dev/zero", INTERRUPTS, "ticks at end")
    assert done.returncode == 2 and "is no recording" in done.stderr, done


def cut_anywhere():
    """What is left is told; where nothing is, a sentence says so, and nothing is taken for a run without hits."""
    with tempfile.TemporaryDirectory() as folder:
        path, cut = os.path.join(folder, "inputs"), os.path.join(folder, "cut")
        assert run(EARSHOT, "record", INTERRUPTS, "--inputs", path).returncode == 0
        with open(path, "rb") as file:
            recording = file.read()
        sizes = [0, 1, 7, 8, 9, 100, 255, 256, 257, 295, 296, 300, 1000, 3000, 3500, 4096, 5000, 6000] + [len(recording) * i // 12 for i in range(1, 12)] + [len(recording) - 1]
        told, whole = 0, run(EARSHOT, "read", path, INTERRUPTS, "-e", "when write(ticks) { print ticks }").stdout.count(" s1 ")
        for size in sizes:
            with open(cut, "wb") as file:
                file.write(recording[:size])
            read = run(EARSHOT, "read", cut, INTERRUPTS, "-e", "when write(ticks) { print ticks }")
            why = run(EARSHOT, "why", cut, INTERRUPTS, "ticks at end") if size % 3 or size < 300 else read
            hits = " s1  ticks=" in read.stdout
            told += hits
            assert read.returncode == (0 if hits else 2) and why.returncode == read.returncode, (size, read, why)
            assert hits or cut in read.stderr or "nothing of the target can be told" in read.stderr, (size, read)
            assert "cut" in read.stderr or cut in read.stderr or read.stdout.count(" s1 ") == whole, (size, read)
            assert "before 0x00000000" not in read.stderr + why.stderr and "invalid option" not in read.stderr, (size, read, why)
        assert 1 < told < len(sizes) - 8, told


def not_recordings():
    """What is given in a recording's place, with statements or without: a sentence about it, and exit status 2."""
    with tempfile.TemporaryDirectory() as folder:
        path, trace, empty, pipe, secret = (os.path.join(folder, name) for name in ("inputs", "trace", "empty", "pipe", "secret"))
        assert run(EARSHOT, "record", INTERRUPTS, "--inputs", path).returncode == 0
        assert run(EARSHOT, "watch", INTERRUPTS, "-e", "write(ticks)", "-n", "1", "--out", trace).returncode == 0
        os.mkfifo(pipe)
        for name in empty, secret:
            with open(name, "wb"):
                pass
        os.chmod(secret, 0)
        cases = [(empty, "is empty"), (trace, "a directory"), (folder, "a directory"), (pipe, "is no file"), (INTERRUPTS, "no recording of inputs"),
                 (os.path.join(folder, "none"), "No such file")] + ([(secret, "Permission denied")] if os.geteuid() else [])
        for name, words in cases:
            done = run(EARSHOT, "read", name, INTERRUPTS, "-e", "write(ticks)")
            assert done.returncode == 2 and words in done.stderr and name in done.stderr, done
        for name in path, empty:   # without statements it is no trace
            done = run(EARSHOT, "read", name)
            assert done.returncode == 2 and ("is no trace" in done.stderr or "which program" in done.stderr), done
        done = run(EARSHOT, "read", path, FOREVER, "-e", "write(rounds)")
        assert done.returncode == 2 and "another program" in done.stderr, done
        for moment, words in ("-5", "is no moment"), ("1h", "ends at"), ("99999999999999999999999", "ends at instruction"), ("", "is no moment"):
            done = run(EARSHOT, "why", path, INTERRUPTS, f"ticks at {moment}")
            assert done.returncode == 2 and words in done.stderr, done


def memory_beyond():
    """Memory that the recorder knows is no input; where it is a device's, the replay cannot know what was read, and says so."""
    with tempfile.TemporaryDirectory() as folder:
        path, other = os.path.join(folder, "inputs"), os.path.join(folder, "other")
        assert run(EARSHOT, "record", INTERRUPTS, "--inputs", path).returncode == 0
        statement = ["-e", "when ticks % 10 == 0 && write(ticks) { print ticks, sum }"]
        for memory in "0x80000000:8M", "0x40000:64K":   # far from the window, and next to it
            assert run(EARSHOT, "record", INTERRUPTS, "--inputs", other, "--memory", memory).returncode == 0
            first, second = (run(EARSHOT, "read", name, INTERRUPTS, "-q", *statement) for name in (path, other))
            assert first.stdout and first.stdout == second.stdout, (first, second)
            assert run(EARSHOT, "watch", INTERRUPTS, "--replay", "-q", "--memory", memory, *statement).stdout == first.stdout
        done = run(EARSHOT, "record", INTERRUPTS, "--inputs", other, "--memory", "0x10000000:4K")
        assert done.returncode == 4 and "cannot be replayed" in done.stderr, done
        for memory, words in ("0x80000000:3K", "power of two"), ("0x20000:4K", "overlaps"), ("8M", "an address and a size"):
            done = run(EARSHOT, "record", INTERRUPTS, "--inputs", other, "--memory", memory)
            assert done.returncode == 2 and words in done.stderr, done


def its_own_clock():
    """Times are by the clock that it was recorded with, whatever a session thinks."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs")
        assert run(EARSHOT, "record", INTERRUPTS, "--inputs", path, "--clock", 25000000).returncode == 0
        for more in [], ["--clock", "10000000"]:
            done = run(EARSHOT, "read", path, INTERRUPTS, "-e", "when ticks == 100 { print ticks }", *more)
            assert done.returncode == 0 and "recorded 0.008071 s: 201779 target cycles" in done.stdout, done


TESTS = [killed, begins_elsewhere, full, nobody_reads, keyframes_later, no_recordings, not_recordings, cut_anywhere, memory_beyond, its_own_clock]
sys.exit(run_all([test for test in TESTS if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]))
