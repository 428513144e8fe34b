#!/usr/bin/python3
"""States that one scenario is in at a time (a CPU runs one thread, a lock has one owner): what earshot infer says with and without that line of
the machine, on the same traces with deleted events, against what was deleted. The table of docs/infer.md is made by this:
exclusive [--soak | --write]"""
import heapq
import os
import re
import sys
import tempfile

import kernel
import machines
from score import Score, infer, score

PAGE = "docs/infer.md"
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
THREADS = """machine thread
  key tid
  state ready running blocked
  exclusive running by cpu of CPUS
  ready -> running on on
  running -> ready on off
  running -> blocked on block
  blocked -> ready on wake
"""
LOCKS = """machine locker
  key tid
  state outside waits owns
  exclusive owns by lock
  outside -> waits on want
  waits -> owns on got
  owns -> outside on free
"""
RESOURCE = """machine user
  key tid
  state outside waits uses works
  exclusive uses works
  outside -> waits on want
  waits -> uses on got
  uses -> works on work
  works -> uses on rest
  uses -> outside on free
"""


def delay(rng, mean, sigma=0.8):
    return max(1, int(rng.lognormvariate(mean, sigma)))


def scheduler(rng, count, cpus, threads):
    """(time, name, fields, [(tid, from, to)]): threads that run, are preempted, and block."""
    queue, idle, todo, rows, number = list(range(threads)), list(range(cpus)), [], [], 0
    rng.shuffle(queue)
    time = 1000

    def start():
        nonlocal number, time
        while queue and idle:
            tid, cpu = queue.pop(0), idle.pop(rng.randrange(len(idle)))
            time += 1 + rng.randrange(20)
            rows.append((time, "on", {"tid": tid, "cpu": cpu}, [(tid, "ready", "running")]))
            number += 1
            heapq.heappush(todo, (time + delay(rng, 7 + tid % 3), number, "stop", tid, cpu))

    start()
    while len(rows) < count:
        at, _, what, tid, cpu = heapq.heappop(todo)
        time = max(time + 1, at)
        number += 1
        if what == "wake":
            queue.append(tid)
            rows.append((time, "wake", {"tid": tid}, [(tid, "blocked", "ready")]))
        elif rng.random() < 0.5:
            queue.append(tid)
            idle.append(cpu)
            rows.append((time, "off", {"tid": tid, "cpu": cpu}, [(tid, "running", "ready")]))
        else:
            idle.append(cpu)
            rows.append((time, "block", {"tid": tid, "cpu": cpu}, [(tid, "running", "blocked")]))
            heapq.heappush(todo, (time + delay(rng, 7), number, "wake", tid, 0))
        start()
    return rows


def lockers(rng, count, threads, locks, works=False):
    """The same of threads that wait for locks and own them; with `works`, what the owner does is in the trace, too."""
    owner, waiting, todo, rows = [None] * locks, [[] for _ in range(locks)], [], []
    for tid in range(threads):
        heapq.heappush(todo, (1000 + delay(rng, 7), tid, "want", rng.randrange(locks)))
    time = 0

    def got(tid, lock):
        owner[lock] = tid
        heapq.heappush(todo, (time + delay(rng, 4), tid, "got", lock))

    while len(rows) < count:
        at, tid, what, lock = heapq.heappop(todo)
        time = max(time + 1, at)
        move = {"want": ("outside", "waits"), "got": ("waits", "uses" if works else "owns"), "free": ("uses" if works else "owns", "outside"),
                "work": ("uses", "works"), "rest": ("works", "uses")}[what]
        rows.append((time, what, {"tid": tid, "lock": lock}, [(tid, *move)]))
        if what == "want":
            if owner[lock] is None:
                got(tid, lock)
            else:
                waiting[lock].append(tid)
        elif what == "work":
            heapq.heappush(todo, (time + delay(rng, 5), tid, "rest", lock))
        elif what in ("got", "rest"):
            follows = "work" if works and rng.random() < 0.6 else "free"
            heapq.heappush(todo, (time + delay(rng, 6), tid, follows, lock))
        else:
            owner[lock] = None
            if waiting[lock]:
                got(waiting[lock].pop(0), lock)
            heapq.heappush(todo, (time + delay(rng, 7), tid, "want", rng.randrange(locks)))
    return rows


def cut(rows, lost, counted, told=True):
    """The trace as a list without what was lost, what of each scenario was lost, and its true states: {(key, time): (before, after)}."""
    lines, gap, last, before, gone, truth, states = [], 0, 0, {}, {}, {}, {}
    for (time, name, fields, moves), is_lost in zip(rows, lost):
        for key, source, target in moves:
            if is_lost:
                gone.setdefault(key, []).append((time, source, target))
                continue
            if gone.get(key) and key in before:
                truth[key, before[key], time] = gone[key]
            gone[key], before[key] = [], time
            states[key, time] = source, target
        if is_lost:
            gap += 1
            continue
        if gap and told:
            lines.append(f"lost {last} {time} {gap if counted else 0}")
        gap, last = 0, time
        lines.append(f"{time} {name} " + " ".join(f"{key}={value}" for key, value in fields.items()))
    return "\n".join(lines) + "\n", truth, states


def wrong_states(results, states):
    """How many ends of stretches, which are certain, are not where the scenario was."""
    wrong = 0
    for result in results:
        if result["type"] == "stretch" and result["alternatives"]:
            key = result["key"]
            if (key, result["begin"]) in states:
                wrong += states[key, result["begin"]][1] != result["from"]
            wrong += states[key, result["end"]][1] != result["to"]
    return wrong


def measure(machine, rows, how, part, seed, counted, told=True):
    """Scores without and with the exclusive states, and how many certain states were wrong with them."""
    text, truth, states = cut(rows, machines.lose(machines.new_rng(SEED, seed, how, part, counted), rows, how, part), counted, told)
    with tempfile.TemporaryDirectory() as scratch:
        paths = [os.path.join(scratch, name) for name in ("without", "with", "trace")]
        for path, content in zip(paths, (re.sub(r"  exclusive .*\n", "", machine), machine, text)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        without, results = infer(paths[2], paths[0]), infer(paths[2], paths[1])
        return score(without, truth), score(results, truth), wrong_states(results, states)


def tasks(cpus):
    with open(kernel.MACHINE, encoding="utf-8") as file:
        return file.read().replace("  running -> ready ", f"  exclusive running by cpu of {cpus}\n  running -> ready ", 1)


def rows_of(kind, size, seed, count):
    rng = machines.new_rng(SEED, kind, size, seed)
    if kind == "threads":
        return THREADS.replace("CPUS", str(size)), scheduler(rng, count, size, 4 * size)
    if kind == "locks":
        return LOCKS, lockers(rng, count, 8, size)
    if kind == "resource":
        return RESOURCE, lockers(rng, count, 6, 1, True)
    return tasks(size), kernel.events_of(rng, count, size, 6 * size)


def main():
    seeds, count = (range(6), 10000) if "--soak" in sys.argv else (range(1), 3000)
    for kind, sizes in (("threads", (1, 2, 4)), ("locks", (1, 3)), ("resource", (1,)), ("switch", (1, 4))):
        for size in sizes:
            for how, part, counted in (("single", 0.02, True), ("single", 0.05, False), ("burst", 0.05, True), ("burst", 0.05, False), ("stretch", 0.1, False)):
                scores, wrong = (Score(), Score()), 0
                for seed in seeds:
                    *more, bad = measure(*rows_of(kind, size, seed, count), how, part, seed, counted)
                    for one, other in zip(scores, more):
                        one.add(other)
                    wrong += bad
                said = [[(sum(p for p, _ in s.said if 0.85 <= p <= 0.95), sum(t for p, t in s.said if 0.85 <= p <= 0.95)) for s in (one,)][0] for one in scores]
                print(f"{kind} {size}, {how} {part}{'' if counted else ', not counted'}: {scores[0].stretches} "
                      f"exact {scores[0].percent():.1f} -> {scores[1].percent():.1f} events {100*scores[0].right/scores[0].lost:.1f} -> {100*scores[1].right/scores[1].lost:.1f} wrong {wrong} said {said}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
