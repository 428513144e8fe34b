"""A naive engine: each core is a process that is stepped tick by tick, written from docs/predict.md."""
from math import lcm

from naive_code import FETCH
from naive_core import Core
from naive_events import Events, Thread


class Stuck(Exception):
    pass


class World(Events):
    """One machine; times are ticks."""

    def __init__(self, case, machine):
        self.case, self.m = case, machine
        self.scale = lcm(*[f.numerator for f in machine["speeds"]])
        self.threads = [Thread(i) for i in range(len(case["threads"]))]
        self.owner, self.value, self.waiting, self.getters, self.held = {}, {}, {}, {}, {}
        for o, (kind, value) in enumerate(case["objects"]):
            self.owner[o], self.value[o] = None, value if kind == "acquire" else 0
            self.waiting[o], self.getters[o], self.held[o] = [], [], 0
        self.ready = [[] for _ in range(machine["cores"])]
        self.asks = {}
        self.late, self.armed, self.looks, self.sent = machine["latency"] > 0, False, False, 0
        self.fresh, self.now, self.lock, self.timers, self.over = 0, 0, None, [], False
        self.cores = [Core(self, c) for c in range(machine["cores"])]
        self.waits = {}
        # the smallest barrier, of which costs tell; further threads of a larger one take time of their own
        self.meet = min((arg for body in case["threads"] for _, (kind, _, arg) in body if kind == "barrier"), default=0)
        self.port_free, self.port_last = 0, machine["cores"] - 1
        self.lock_end, self.lock_last = None, machine["cores"] - 1

    def cost(self, name, kind=None, waits=None):
        if self.m["free"]:
            return 0
        key = (name, kind, waits) if name in ("hold", "after") else name
        return self.case["costs"].get(key, 0)

    def sleepers(self):
        return [core for core in self.cores if core.idle and not core.woken]

    def ring_one(self, core, time):
        core.rung, core.woken = time, True
        if not core.dozes:
            core.due = time + self.m["bell"] * self.scale

    def timer_rings(self, hear):
        """The first core is woken now; a bell that would have woken it later is for the next one."""
        time = self.now
        for core in hear:
            later = core.rung if core.woken else None
            self.ring_one(core, time)
            if later is None:
                return
            time = later

    def ring(self, last, apart, bell):
        """A core is woken for each thread that has become ready, the first that sleep; last: when the last one is."""
        bells = self.bells()
        for number in range(self.fresh):
            if number not in self.asks and not self.sleepers():
                continue
            bells -= 1
            time = max(self.now, last - (self.fresh - 1 - number) * apart - bells * bell)
            self.ring_for(number, time)
        self.fresh, self.asks = 0, {}

    def bells(self):
        return min(self.fresh, len(self.sleepers())) + len(self.asks)

    def ring_for(self, number, time):
        if number in self.asks:
            self.asks[number].pending = time + (self.m["bell"] + 1) * self.scale
        elif self.sleepers():
            self.ring_one(self.sleepers()[0], time)

    def look(self):
        if self.fresh:
            self.ring(self.now, 0, 0)

    def run(self):
        for core in self.cores:
            core.go()
        for _ in range(150000):
            while True:
                hear = [core for core in self.cores if core.idle and (not core.woken or core.rung > self.now)]
                if self.armed and self.timers and self.timers[0][0] <= self.now and hear:
                    self.armed = False
                    self.timer_rings(hear)
                else:
                    due = [core for core in self.cores if core.due is not None and core.due <= self.now]
                    over = [core for core in self.cores if core.is_interrupted()]
                    if due:
                        due[0].due = None
                        due[0].go()
                    elif over:
                        over[0].interrupt()
                    else:
                        break
                self.look()
                if self.over:
                    return self.now
            if all(core.idle and not core.dozes for core in self.cores) and not self.any_ready() and not self.timers:
                raise Stuck
            if self.m["memory"] == 1:
                self.port()
            self.now += 1
        raise Stuck

    def port(self):
        asks = [core for core in self.cores if core.gaps and core.ask <= self.now]
        if not asks or self.now < self.port_free:
            return
        n = len(self.cores)
        core = min(asks, key=lambda k: (k.number - self.port_last - 1) % n)
        self.port_last, self.port_free = core.number, self.now + 1 + self.m["wait"]
        gap = core.gaps.pop(0) % FETCH
        core.ask = self.now + self.m["wait"] + gap
        core.walked(gap)
