#!/usr/bin/python3
"""Rates on one core, and ratios of one run: hits stored and read back; and the whole way from the link's bytes, as a real run sent
them, over decoder and symbols to the trace. babeltrace2 reads and writes the same traces.

usage: bench.py BENCH CHAIN EARSHOT PROGRAM.elf STATEMENTS HITS
"""
import os
import subprocess
import sys
import tempfile


REPORTED = 1000000


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def seconds(*command):
    """The processor's time that a command takes: others on the machine do not count, nor does waiting for the disk."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, preexec_fn=one_core)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def babeltrace2(trace, copy):
    """Seconds that it takes to read a trace, and beyond that to write it again."""
    read = seconds("babeltrace2", trace, "-o", "dummy")
    both = seconds("babeltrace2", trace, "-o", "ctf", "-w", copy)
    return read, max(both - read, 1e-9)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=one_core).stdout


def bench_store(program, hits, folder):
    trace = os.path.join(folder, "trace")
    waited_store, waited_read, stored, read = map(float, output(program, trace, str(hits)).split())
    size = sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(trace) for name in names)
    dummy, copied = babeltrace2(trace, os.path.join(folder, "copy"))
    million = hits / 1e6
    print(f"traces: {million:.1f} million hits of {size / hits:.0f} bytes, one core; million hits per second of the processor's time")
    print(f"  stored     {million / stored:5.1f}  ({waited_store:.2f} s with all waiting), {copied / stored:.1f} times"
          f" babeltrace2's ctf sink ({million / copied:.1f})")
    print(f"  read back  {million / read:5.1f}  ({waited_read:.2f} s with all waiting), {dummy / read:.1f} times"
          f" babeltrace2 -o dummy ({million / dummy:.1f})")


class Chain:
    """Traces of hits that a real run has sent, as often as wanted."""

    def __init__(self, command, earshot, program, statements, folder):
        self.command, self.program, self.statements, self.folder = command, program, statements, folder
        self.recording = os.path.join(folder, "run.rec")
        output(earshot, "watch", program, "-s", statements, "--record", self.recording)

    def store(self, hits, name):
        """Returns the trace, the seconds it took, and the bytes of the link."""
        made, trace = os.path.join(self.folder, "made.rec"), os.path.join(self.folder, name)
        output(self.command, "repeat", self.recording, made, str(hits))
        told, taken = output(self.command, "store", self.program, self.statements, made, trace).split()
        assert int(told) == hits, told
        return trace, float(taken), os.path.getsize(made)


def bench_chain(chain, hits, folder):
    trace, taken, size = chain.store(hits, "chain")
    copied = babeltrace2(trace, os.path.join(folder, "chain-copy"))[1]
    million = hits / 1e6
    print(f"  from the link's bytes to the trace {million / taken:5.1f} (decoded, in the source's words, stored: one way,"
          f" {size / hits:.0f} bytes of the link a hit), {copied / taken:.1f} times babeltrace2's ctf sink alone ({million / copied:.1f})")


def bench_report(chain, earshot, folder):
    page = os.path.join(folder, "page.html")
    trace = chain.store(REPORTED, "reported")[0]
    read = seconds(earshot, "read", trace, "--json")
    taken = seconds(earshot, "report", trace, "-o", page)
    print(f"  as a page of HTML  {REPORTED / 1e6:5.1f} million hits, {taken / REPORTED * 1e9:.0f} ns each, {taken / read:.2f} times"
          f" the time as JSON Lines; {os.path.getsize(page) / 1e6:.1f} MB")


def main():
    bench, command, earshot, program, statements = sys.argv[1:6]
    hits = int(sys.argv[6])
    with tempfile.TemporaryDirectory(dir=os.path.dirname(bench)) as folder:
        bench_store(bench, hits, folder)
        chain = Chain(command, earshot, program, statements, folder)
        bench_chain(chain, hits, folder)
        bench_report(chain, earshot, folder)


main()
