#!/usr/bin/python3
"""Losses in a complete trace of LTTng's pthread wrapper, which babeltrace2 reads: lttng.py TRACE. Not one of the tests: it needs such a trace
(LD_PRELOAD=liblttng-ust-pthread-wrapper.so, with the context vtid)."""
import re
import subprocess
import sys

import machines
import truth
from score import run

MACHINE = "tests/infer/mutex.machine"
WAYS = {("idle", "lock_req"): "wants", ("wants", "lock_acq"): "holds", ("holds", "lock_req"): "wants_second", ("wants_second", "lock_acq"): "holds_two",
        ("holds_two", "unlock"): "holds", ("holds", "unlock"): "idle"}


def rows_of(trace):
    """(time, key, name, fields, (from, to)) of the threads whose events all fit from the first on."""
    printed = subprocess.run(["babeltrace2", "--clock-seconds", trace], capture_output=True, text=True, check=True).stdout
    state, bad, rows = {}, set(), []
    for line in printed.splitlines():
        seconds, nanos, kind, tid, status = re.match(r"\[(\d+)\.(\d+)\].*pthread_mutex_(\w+): .*vtid = (\d+) .*?(?:status = (-?\d+) )?\}$", line).groups()
        before = state.get(tid, "idle")
        to = WAYS.get((before, kind))
        if kind == "trylock" and before == "idle":
            to = "holds" if status == "0" else "idle"
        if not to:
            bad.add(tid)
        state[tid] = to or before
        rows.append((int(seconds) * 10**9 + int(nanos), tid, f"lttng_ust_pthread:pthread_mutex_{kind}", status, (before, to)))
    return [row for row in rows if row[1] not in bad]


def main():
    rows = rows_of(sys.argv[1])
    with open(MACHINE, encoding="utf-8") as file:
        machine = file.read()
    for how, part in (("single", 0.01), ("single", 0.05), ("burst", 0.02), ("stretch", 0.05)):
        lost = machines.lose(machines.new_rng(1, how, part), rows, how, part)
        before, gone, wanted = {}, {}, {}
        for (time, tid, _, _, move), is_lost in zip(rows, lost):
            key = int(tid)
            if is_lost:
                gone.setdefault(key, []).append((time, *move))
                continue
            if gone.get(key) and key in before:
                wanted[key, before[key], time] = gone[key]
            gone[key], before[key] = [], time
        events = ((time, f"{name} vtid={tid}" + (f" status={status}" if status else "")) for time, tid, name, status, _ in rows)
        joint, paper = run(machine, machines.as_list(events, lost), wanted)
        print(truth.line(f"LTTng, 4 threads and 3 mutexes, {how}, {100 * part:.0f} %", joint, paper), flush=True)


if __name__ == "__main__":
    sys.exit(main())
