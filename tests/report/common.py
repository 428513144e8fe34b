"""What the tests of the report's page have in common: traces that were made up, their pages, their records as JSON."""
import json
import os
import subprocess
import sys

sys.path.insert(0, "tests/cli")  # of its harness

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")


def write_trace(folder, kind, hits=None):
    """A trace of tests/report/write_runs.c; returns its directory and its records."""
    directory = os.path.join(folder, kind)
    command = [os.path.join(BUILD, "tests/report/write-runs"), directory, kind] + ([str(hits)] if hits else [])
    done = subprocess.run(command, capture_output=True, check=True)
    return directory, [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines()]


def write_made(folder, count, seed):
    """A trace of tests/store/write_made.c: values of all kinds, objects, times that go back."""
    directory = os.path.join(folder, f"made-{seed}")
    command = [os.path.join(BUILD, "tests/store/write-made"), directory, "all", str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, check=True)
    return directory, [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines()]


def report(directory, *options, output=None):
    """Makes the page; returns its path."""
    path = output or directory.rstrip("/") + ".html"
    done = subprocess.run([EARSHOT, "report", directory, "-o", path, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return os.path.abspath(path)


def hits_of(records):
    return [record for record in records if record["event"] == "hit"]
