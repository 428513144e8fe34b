#!/usr/bin/python3
"""Stores hits and reads them back on one core, and has babeltrace2 read and write the same trace: rates, and ratios of one run.

usage: bench.py BENCH HITS
"""
import os
import subprocess
import sys
import tempfile


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def seconds(*command):
    """The processor's time that a command takes: others on the machine do not count, nor does waiting for the disk."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, preexec_fn=one_core)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    program, hits = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(dir=os.path.dirname(program)) as folder:
        trace = os.path.join(folder, "trace")
        told = subprocess.run([program, trace, str(hits)], check=True, capture_output=True, text=True, preexec_fn=one_core).stdout
        waited_store, waited_read, stored, read = map(float, told.split())
        size = sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(trace) for name in names)
        dummy = seconds("babeltrace2", trace, "-o", "dummy")
        copied = seconds("babeltrace2", trace, "-o", "ctf", "-w", os.path.join(folder, "copy")) - dummy
    million = hits / 1e6
    print(f"traces: {million:.1f} million hits of {size / hits:.0f} bytes, one core; million hits per second of the processor's time")
    print(f"  stored     {million / stored:5.1f}  ({waited_store:.2f} s with all waiting), {copied / stored:.1f} times"
          f" babeltrace2's ctf sink ({million / max(copied, 1e-9):.1f})")
    print(f"  read back  {million / read:5.1f}  ({waited_read:.2f} s with all waiting), {dummy / read:.1f} times"
          f" babeltrace2 -o dummy ({million / dummy:.1f})")


if __name__ == "__main__":
    main()
