"""Random programs with threads, machines for them, and both as text for run_text."""
from fractions import Fraction

from naive_engine import FETCH

KINDS = ["end", "fork", "join", "lock", "unlock", "barrier", "acquire", "release", "put", "get", "yield"]


def make_case(r):
    """Threads that may wait for each other and come to an end on every machine: a tree of forks, joined; locks in
    the order of their numbers; semaphores and queues from lower to higher threads; barriers of all children, and before
    them of some."""
    n = r.randint(1, 7)
    blocks = [[r.randint(1, 4) + FETCH * (r.random() < 0.6) for _ in range(r.randint(1, 6))] for _ in range(6)]
    objects = [("lock", 0)] * 2 + [("acquire", r.randint(0, 2)), ("put", r.randint(0, 3)), ("barrier", 0), ("barrier", 0)]
    parent = [0] + [r.randint(0, i - 1) if r.random() < 0.3 else 0 for i in range(1, n)]
    some = 0
    if n > 4 and r.random() < 0.5:
        parent, some = [0] * n, r.randint(2, n - 3)
    bodies = [[] for _ in range(n)]

    def code():
        return [r.randrange(6) for _ in range(r.choice([0, 1, 2, 5, 12]))]

    def add(t, kind, o=-1, arg=-1):
        bodies[t].append((code(), (kind, o, arg)))
    for t in range(n):
        for child in range(1, n):
            if parent[child] == t:
                add(t, "fork", -1, child)
        for _ in range(r.randint(0, 5)):
            what = r.random()
            if what < 0.5:
                locks = [o for o in (0, 1) if r.random() < 0.6]
                for o in locks:
                    add(t, "lock", o)
                for o in reversed(locks):
                    add(t, "unlock", o)
            elif what < 0.6:
                add(t, "yield")
            elif what < 0.75:
                add(t, "release", 2)
        if t and n > 2 and all(p == 0 for p in parent) and t < n - 1:
            if t <= some:
                add(t, "barrier", 5, some)
            add(t, "barrier", 4, n - 2)
    if n > 2:
        for _ in range(r.randint(0, 6)):
            add(n - 2, "put", 3)
            add(n - 1, "get", 3)
    for t in range(n):
        for child in range(1, n):
            if parent[child] == t:
                add(t, "join", -1, child)
        add(t, "end")
    costs = {}
    if r.random() < 0.8:
        for kind in KINDS:
            for how in range(4):
                costs["hold", kind, how] = r.randint(1, 9)
            for waits in (0, 1):
                costs["after", kind, waits] = r.randint(1, 9)
        for name in ("take", "idle", "pick", "empty", "bell", "tail", "notice", "notice_first", "begin", "wake", "doze", "arrive", "pass"):
            costs[name] = r.randint(1, 9)
        for name in ("trap", "cut", "back", "keep", "kept"):
            if r.random() < 0.7:
                costs[name] = r.randint(1, 9)
        if r.random() < 0.5:
            costs["spin"] = r.randint(2, 9)
    return {"threads": bodies, "priority": [r.randint(0, 3) for _ in range(n)], "blocks": blocks, "objects": objects,
            "costs": costs}


def make_machine(r):
    cores = r.randint(1, 5)
    memory = int(r.random() < 0.35)
    speeds = [Fraction(r.choice(["1", "2", "1.5", "0.5"])) if not memory and r.random() < 0.3 else Fraction(1)
              for _ in range(cores)]
    scheduler = r.randrange(5)
    return {"cores": cores, "scheduler": scheduler, "quantum": r.randint(12, 60) + (200 if memory else 0), "order": r.randrange(3),
            "barge": r.randrange(2), "memory": memory, "wait": r.choice([0, 0, 1, 3]),
            "latency": r.choice([0, 0, 7, 40]), "bell": r.choice([0, 0, 5, 60]), "free": r.random() < 0.1, "speeds": speeds}


def as_text(case, machines):
    lines = ["new"]
    lines += [f"object {kind} {value}" for kind, value in case["objects"]]
    lines += ["block " + " ".join(map(str, gaps)) for gaps in case["blocks"]]
    for t, body in enumerate(case["threads"]):
        lines.append(f"thread {case['priority'][t]}")
        for blocks, (kind, o, arg) in body:
            if blocks:
                lines.append("run " + " ".join(map(str, blocks)))
            lines.append(f"event {kind} {o} {arg}")
    for key, value in case["costs"].items():
        if isinstance(key, tuple):
            lines.append(" ".join(map(str, key)) + f" {value}")
        else:
            lines.append(f"{key} {value}")
    for m in machines:
        for each in (0, 1):
            lines.append(f"machine {m['cores']} {m['scheduler']} {m['quantum']} {m['order']} {m['barge']} "
                         f"{2 * m['memory']} {m['wait']} {m['latency']} {m['bell']} {int(m['free'])} {each} "
                         + " ".join(str(float(s)) for s in m["speeds"]))
    return "\n".join(lines) + "\n"
