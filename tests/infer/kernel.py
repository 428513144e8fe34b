"""A kernel-like trace: CPUs that tasks are switched to, wake-ups, and losses as of a full buffer: what each sched_switch does to two tasks."""
import os

import machines
import score

MACHINE = os.path.join(os.path.dirname(__file__), "tasks.machine")


def events_of(rng, count, cpus, tasks):
    """(time, name, fields, [(task, from, to)]) in the order of the times."""
    kind = [rng.choice(("short", "long", "often")) for _ in range(tasks)]
    run_time = {"short": (7, 0.5), "long": (10, 0.4), "often": (8, 0.3)}
    wait_time = {"short": (10, 0.6), "long": (9, 0.5), "often": (8, 0.4)}
    state = ["ready"] * tasks
    running, until, wake, queue, rows, time = [None] * cpus, [0] * cpus, {}, list(range(tasks)), [], 1000
    while len(rows) < count:
        choices = [(until[c], "cpu", c) for c in range(cpus) if running[c] is not None or queue] + [(at, "wake", t) for t, at in wake.items()]
        at, what, which = min(choices)
        time = max(time + 1, at)
        if what == "wake":
            del wake[which]
            state[which] = "ready"
            queue.append(which)
            rows.append((time, "sched_wakeup", {"tid": which, "cpu": rng.randrange(cpus)}, [(which, "blocked", "ready")]))
            continue
        moves, old, fields = [], running[which], {"prev_tid": -1 - which, "prev_state": 0, "next_tid": -1 - which, "cpu": which}
        if old is not None:
            preempted = kind[old] == "long" and rng.random() < 0.8
            fields.update(prev_tid=old, prev_state=0 if preempted else rng.choice((1, 1, 1, 2)))
            state[old] = "ready" if preempted else "blocked"
            moves.append((old, "running", state[old]))
            if preempted:
                queue.append(old)
            else:
                wake[old] = time + int(rng.lognormvariate(*wait_time[kind[old]]))
        running[which] = queue.pop(0) if queue else None
        if running[which] is not None:
            new = running[which]
            fields["next_tid"] = new
            moves.append((new, "ready", "running"))
            state[new] = "running"
            until[which] = time + int(rng.lognormvariate(*run_time[kind[new]]))
        rows.append((time, "sched_switch", fields, moves))
    return rows


def measure(seed, count):
    rng = machines.new_rng(seed, "kernel")
    rows = events_of(rng, count, 4, 24)
    lost = machines.lose(rng, rows, "burst", 0.03)
    text, truth, _ = machines.cut(rows, lost)
    with open(MACHINE, encoding="utf-8") as file:
        return score.run(file.read(), text, truth)
