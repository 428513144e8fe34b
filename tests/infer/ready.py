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


LEAVES = {  # what a thread is that was switched from, by prev_state as include/linux/sched.h has it: numbers, and labels since 4.14
    0: "ready", 1: "blocked", 2: "blocked", 4: "blocked", 8: "blocked", 16: "dead", 32: "dead", 128: "blocked", 256: "ready",
    "TASK_RUNNING": "ready", "TASK_INTERRUPTIBLE": "blocked", "EXIT_ZOMBIE": "dead", "TASK_PARKED": "blocked", "TASK_DEAD": "blocked",
    "TASK_WAKEKILL": "ready"}


def leave(problems):
    for value, state in LEAVES.items():
        trace = (f"10 sched_switch prev_tid=0 next_tid=7 cpu_id=0\n20 sched_switch prev_tid=7 prev_state={value} next_tid=0 cpu_id=0\nlost 20 30 0\n"
                 "30 sched_switch prev_tid=0 next_tid=7 cpu_id=0\n")
        with score.Written(trace) as path:
            said = [r["from"] for r in score.infer(path, os.path.join(FOLDER, "linux-sched.machine")) if r["type"] == "stretch" and r["key"] == 7]
        if said != [state]:
            problems.append(f"a thread that was switched from with {value} is {said}, not {state}")


LIVES = """50 sched_switch prev_tid=0 next_tid=1 cpu_id=0
100 sched_process_fork parent_tid=1 child_tid=5 cpu_id=0
110 sched_wakeup_new tid=5 cpu_id=0
120 sched_switch prev_tid=1 prev_state=1 next_tid=5 cpu_id=0
130 sched_process_exec tid=5 old_tid=5 cpu_id=0
140 sched_process_fork parent_tid=5 child_tid=6 cpu_id=0
150 sched_wakeup_new tid=6 cpu_id=0
160 sched_switch prev_tid=0 prev_state=0 next_tid=6 cpu_id=1
170 sched_process_exit tid=5 cpu_id=0
180 sched_switch prev_tid=5 prev_state=32 next_tid=0 cpu_id=0
190 sched_process_exec tid=5 old_tid=6 cpu_id=1
200 sched_switch prev_tid=5 prev_state=1 next_tid=0 cpu_id=1
"""


FAILS = "".join(f"{10 + 10 * i} lttng_ust_pthread:pthread_mutex_{name} vtid={tid} mutex=9" + f" status={status}\n" * (status is not None) + "\n"
                for i, (name, tid, status) in enumerate((("lock_req", 1, None), ("lock_acq", 1, 0), ("lock_req", 2, None), ("lock_acq", 2, 35),
                                                         ("unlock", 1, 0), ("lock_req", 2, None), ("lock_acq", 2, 130), ("unlock", 2, 0))))


def live(problems):
    """Threads from fork to exit; one that runs another program takes the number of its process' first thread. Locks that fail (35: EDEADLK), or whose
    owner has died (130)."""
    for machine, trace, lost in (("linux-sched", LIVES, 0), ("linux-sched", LIVES.replace("160", "#160"), 1),
                                 ("pthread-mutex", FAILS, 0), ("pthread-mutex", FAILS.replace("20 ", "#20 "), 1)):
        with score.Written(trace) as path:
            summary = score.infer(path, os.path.join(FOLDER, machine + ".machine"))[-1]
        if summary["inconsistent"] != lost or summary["foreign"]:
            problems.append(f"{machine}, {lost} do not fit: {summary}")


def main():
    problems = []
    leave(problems)
    live(problems)
    for cpus in 1, 4:
        hold("linux-sched.machine", list(as_lttng_kernel(kernel.events_of(machines.new_rng(SEED, cpus), 4000, cpus, 12))), problems)
    hold("pthread-mutex.machine", list(as_lttng_pthread(exclusive.lockers(machines.new_rng(SEED, "locks"), 4000, 8, 3))), problems)
    if sorted(os.listdir(FOLDER)) != ["linux-sched.machine", "pthread-mutex.machine"]:
        problems.append(f"{FOLDER} has others: {os.listdir(FOLDER)}")
    for text in problems:
        print("wrong:", text)
    print(f"{max(0, 6 - len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
