#!/usr/bin/python3
"""The machines that are installed (examples/machines): complete traces fit them, and after losses no state that is told as certain is wrong."""
import collections
import os
import re
import sys

import exclusive
import kernel
import machines
import score

SEED = int(os.environ.get("EARSHOT_SEED", "1"))
FOLDER = "examples/machines"
PTHREAD = {"want": "lock_req", "got": "lock_acq", "free": "unlock"}
AS_TOLD = {"outside": "idle", "waits": "wants", "owns": "holds"}


def as_lttng_kernel(rows):
    """Threads from 1 on, 0 for the idle ones; the CPU that tells it is in each event's context."""
    for time, name, fields, moves in rows:
        told = {key: max(0, value + 1) if key.endswith("tid") else value for key, value in fields.items() if key != "cpu"}
        yield time, name, {**told, "cpu_id": fields["cpu"]}, [("thread", task + 1, source, target) for task, source, target in moves]


def as_lttng_pthread(rows):
    for time, name, fields, moves in rows:
        told = {"vtid": fields["tid"], "mutex": fields["lock"], "status": 0}
        now = [("thread", tid, AS_TOLD[source], AS_TOLD[target]) for tid, source, target in moves]
        if name != "want":
            now.append(("mutex", fields["lock"], *(("free", "held") if name == "got" else ("held", "free"))))
        yield time, "lttng_ust_pthread:pthread_mutex_" + PTHREAD[name], told, now


def wrong_of(results, rows):
    """Certain states, before and after losses, that are not the true ones."""
    after = collections.defaultdict(set)  # a switch from a thread to itself is two moves
    for time, _, _, moves in rows:
        for machine, key, _, target in moves:
            after[machine, key, time].add(target)
    stretches = [r for r in results if r["type"] == "stretch"]
    return [r for r in stretches if any(r[state] not in after.get((r["machine"], r["key"], r[time]), {r[state]})
                                        for time, state in (("begin", "from"), ("end", "to")))], stretches


def hold(machine, rows, problems):
    path = os.path.join(FOLDER, machine)
    with score.Written(machines.list_of_fields(rows, [False] * len(rows))) as trace:
        summary = score.infer(trace, path)[-1]
        if summary["inconsistent"] or summary.get("foreign"):
            problems.append(f"{machine}: a complete trace does not fit: {summary}")
    with score.Written(machines.list_of_fields(rows, machines.lose(machines.new_rng(SEED, machine), rows, "burst", 0.03))) as trace:
        results = score.infer(trace, path)
        wrong, stretches = wrong_of(results, rows)
        print(f"{machine}: {results[-1]['losses_told']} losses, {len(stretches)} stretches, {len(wrong)} certain states wrong")
        if wrong or len(stretches) < 20:
            problems.append(f"{machine}: {[{key: r[key] for key in ('key', 'from', 'to', 'begin', 'end')} for r in wrong[:2]]}")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not re.search(r"^  exclusive ", text, re.MULTILINE):
        problems.append(f"{machine} has no exclusive")


def main():
    problems = []
    for cpus in 1, 4:
        hold("linux-sched.machine", list(as_lttng_kernel(kernel.events_of(machines.new_rng(SEED, cpus), 4000, cpus, 12))), problems)
    hold("pthread-mutex.machine", list(as_lttng_pthread(exclusive.lockers(machines.new_rng(SEED, "locks"), 4000, 8, 3))), problems)
    if sorted(os.listdir(FOLDER)) != ["linux-sched.machine", "pthread-mutex.machine"]:
        problems.append(f"{FOLDER} has others: {os.listdir(FOLDER)}")
    for text in problems:
        print("wrong:", text)
    print(f"{max(0, 4 - len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
