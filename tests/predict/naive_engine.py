"""A naive engine: each core is a process that is stepped tick by tick, written from docs/predict.md."""
from fractions import Fraction
from math import lcm


class Cut(Exception):
    """A core is interrupted in its thread's code."""


class Stuck(Exception):
    pass


def take_from(waiting, order, priority):
    if not waiting:
        return None
    if order == 1:
        return waiting.pop()
    if order == 2:
        best = min(priority[t] for t in waiting)
        for t in waiting:
            if priority[t] == best:
                waiting.remove(t)
                return t
    return waiting.pop(0)


class Thread:
    def __init__(self, number):
        self.number, self.step, self.kind, self.again, self.rest = number, 0, "fork", False, None
        self.done, self.joiners, self.mutex, self.home = False, [], None, 0


class World:
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
        self.port_free, self.port_last = 0, machine["cores"] - 1
        self.lock_end, self.lock_last = None, machine["cores"] - 1

    def cost(self, name, kind=None, waits=None):
        if self.m["free"]:
            return 0
        key = (name, kind, waits) if name in ("hold", "after") else name
        return self.case["costs"].get(key, 0)

    def make_ready(self, t, core, asks=True):
        queue = core if self.m["scheduler"] == 3 else 0
        self.threads[t].home = queue
        seen_to = self.looks and not self.any_ready()
        self.ready[queue].append(t)
        if seen_to:
            return
        self.fresh += 1
        if asks and self.m["scheduler"] == 1 and len(self.sleepers()) < self.fresh:
            self.ask(t)

    def ask(self, t):
        """The core with the worst thread, if the new one is better, is to look who is ready."""
        priority = self.case["priority"]
        busy = [core for core in self.cores if core.thread is not None and not core.asked]
        worst = max(busy, key=lambda core: (priority[core.thread], -core.number), default=None)
        if worst and priority[worst.thread] > priority[t]:
            worst.asked = True
            self.asks[self.fresh - 1] = worst

    def stops(self, core):
        """Its thread, which was interrupted, for another one."""
        priority = self.case["priority"]
        return self.any_ready() and (self.m["scheduler"] == 2 or min(priority[t] for t in self.ready[0]) < priority[core.thread])

    def wake(self, t, by, again=False):
        self.threads[t].again = again
        self.make_ready(t, self.threads[t].home if by is None or self.threads[t].kind != "fork" else by)

    def any_ready(self):
        return sum(len(q) for q in self.ready)

    def take(self, core):
        priority = self.case["priority"]
        if not self.any_ready():
            return None
        if self.m["scheduler"] == 3:
            if self.ready[core]:
                return self.ready[core].pop(0)
            return max(self.ready, key=len).pop()
        if self.m["scheduler"] in (1, 4):
            return take_from(self.ready[0], 2, priority)
        return self.ready[0].pop(0)

    def choose(self, waiting):
        return take_from(waiting, self.m["order"], self.case["priority"])

    # --- events: True: the thread has to wait ---

    def give_back(self, o, core):
        t = self.choose(self.waiting[o])
        self.owner[o] = None
        if t is not None:
            if not self.m["barge"]:
                self.owner[o] = t
            self.wake(t, core, self.m["barge"])

    def item_there(self, o, core):
        t = self.choose(self.getters[o])
        if t is None or self.m["barge"]:
            self.value[o] += 1
        if t is not None:
            self.wake(t, core, self.m["barge"])
            if not self.m["barge"]:
                self.held[o] -= 1
                self.room_there(o, core)

    def send(self, o, core):
        if self.late:
            self.armed = self.armed or not self.timers
            self.timers.append((self.sent + self.m["latency"] * self.scale, o))
        else:
            self.item_there(o, core)

    def room_there(self, o, core):
        t = self.choose(self.waiting[o])
        if t is None:
            return
        self.wake(t, core, self.m["barge"])
        if not self.m["barge"]:
            self.held[o] += 1
            self.send(o, core)

    def event(self, core, t, kind, o, arg):
        me = self.threads[t]
        me.kind = kind
        self.asks, self.passed = {}, 0
        self.sent = self.now
        if kind == "end":
            me.done = True
            while (j := self.choose(me.joiners)) is not None:
                self.wake(j, core)
            return True
        if kind == "fork":
            self.wake(arg, core)
            return False
        if kind == "join":
            if self.threads[arg].done:
                return False
            return self.waits_in(self.threads[arg].joiners, t)
        if kind == "lock":
            if self.owner[o] is None:
                self.owner[o] = t
                return False
        elif kind == "unlock":
            self.give_back(o, core)
            return False
        elif kind == "barrier":
            self.value[o] += 1
            if self.value[o] == arg:
                self.value[o] = 0
                while (w := self.choose(self.waiting[o])) is not None:
                    self.wake(w, core)
                return False
        elif kind == "acquire":
            if self.value[o]:
                self.value[o] -= 1
                return False
        elif kind == "release":
            w = self.choose(self.waiting[o])
            if w is None or self.m["barge"]:
                self.value[o] += 1
            if w is not None:
                self.wake(w, core, self.m["barge"])
            return False
        elif kind == "put":
            capacity = self.case["objects"][o][1]
            if not capacity or self.held[o] < capacity:
                self.held[o] += 1
                self.send(o, core)
                return False
        elif kind == "get":
            if self.value[o]:
                self.value[o] -= 1
                self.held[o] -= 1
                self.room_there(o, core)
                return False
            return self.waits_in(self.getters[o], t)
        elif kind == "yield":
            if not self.any_ready():
                return False
            self.make_ready(t, core, False)
            return True
        return self.waits_in(self.waiting[o], t)

    def waits_in(self, waiting, t):
        """Where the best one goes on first, it passes all that are as good."""
        priority = self.case["priority"]
        if self.m["order"] == 2:
            self.passed = sum(priority[other] <= priority[t] for other in waiting)
        waiting.append(t)
        return True

    # --- time ---

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


FETCH = 64  # in a gap: it is an instruction's, before which interrupts may come


def plain(more):
    """Code of which the length is known alone, as gaps, and what is left of it."""
    gaps, at = [], 0
    while more >= [2, 1, 2, 2, 2][at]:
        gaps.append([2, 1, 2, 2, 2][at])
        more -= gaps[-1]
        at = (at + 1) % 5
        if at and more < [2, 1, 2, 2, 2][at] and more >= 2:
            at = 0
    return gaps, more


class Core:
    def __init__(self, world, number):
        self.w, self.number, self.due, self.thread = world, number, None, 0 if number == 0 else None
        self.idle = self.runs = self.dozes = self.asked = False
        self.gaps, self.ask = [], 0
        self.pending, self.begins = None, {}  # from when on an interrupt is; own code from each time that one may come
        self.woken, self.new, self.scheduled = False, number > 0, False
        self.touches = False  # the lock, when what it does now is over
        self.queued = None    # for that, until then
        self.rings, self.left, self.aside, self.more = 0, 0, None, 0
        self.tick = Fraction(world.scale) / world.m["speeds"][number]
        self.life = self.live()

    def go(self):
        next(self.life)

    def is_interrupted(self):
        now = self.w.now
        if not self.runs or self.pending is None or self.pending > now:
            return False
        if self.begins is None:
            return self.gaps and self.ask == now and self.gaps[0] >= FETCH
        return now in self.begins

    def interrupt(self):
        self.rest = self.gaps if self.begins is None else self.begins[self.w.now]
        self.due, self.gaps, self.pending = None, [], None
        self.life.throw(Cut)

    def own_code(self, gaps):
        self.begins = None
        if self.w.m["memory"] != 1:
            time, self.begins = self.w.now, {}
            for i, gap in enumerate(gaps):
                if gap >= FETCH:
                    self.begins[time] = gaps[i:]
                time += int(gap % FETCH * self.tick) + self.w.m["wait"] * self.w.scale
        self.runs = True
        yield from self.busy(gaps)

    def busy(self, gaps, more=0):
        """Code with these gaps, from now on, and `more` clocks where the port is its own."""
        w = self.w
        if w.m["memory"] == 1 and gaps:
            after, self.more = plain(more)
            self.gaps, self.ask = list(gaps) + after, w.now
        else:
            speed = w.m["speeds"][self.number]
            ticks = Fraction(sum(g % FETCH for g in gaps) + more) / speed * w.scale + (len(gaps) + more * 5 // 9) * w.m["wait"] * w.scale
            assert ticks.denominator == 1
            self.due = w.now + int(ticks)
        yield

    def section(self, clocks, more=0, begin=0):
        """Code of which the length is known alone: the simplest instructions. more: it takes longer than they; begin:
        the same before it."""
        gaps = [2] * (begin // 2) + [1] * (begin % 2) + [2] * (clocks // 2) + [1] * (clocks % 2)
        yield from self.busy(gaps, more)

    def walked(self, gap):
        """One access of it is over: it may go aside to ring, and comes back."""
        if not self.aside:
            self.left -= gap
        while True:
            while self.rings and not self.aside and self.left <= self.w.cost("tail") + (self.rings - 1) * self.w.cost("wake"):
                self.number_rung, self.rings = self.ring_count - self.rings, self.rings - 1
                if self.w.sleepers() or self.number_rung in self.w.asks:
                    self.aside = (self.gaps, self.more)
                    self.gaps, self.more = plain(self.w.cost("bell"))
            if self.gaps:
                return
            if not self.aside:
                break
            self.ask += self.more
            self.w.ring_for(self.number_rung, self.ask)
            (self.gaps, self.more), self.aside = self.aside, None
        self.due = self.ask + self.more

    def touch(self):
        """The port of the kernel's lock: one access at a time, who comes after the last one first."""
        w = self.w
        access = int(self.tick) + w.m["wait"] * w.scale
        while w.cost("spin"):
            late = None
            if w.lock_end is not None and w.now < w.lock_end + access:
                late = w.lock_end + access
            else:
                turn = lambda core: (core.number - w.lock_last - 1) % len(w.cores)
                before = [core for core in w.cores if core is not self and core.touches and turn(core) < turn(self)]
                if any(core.due == w.now for core in before):
                    late = w.now + access
                else:
                    late = max((core.due + access for core in before if core.due is not None and core.queued == core.due > w.now), default=None)
            if late is None:
                w.lock_end, w.lock_last = w.now, self.number
                break
            self.due = self.queued = late
            yield
        self.touches = False

    def rest_of(self, work):
        """Of code that has been started."""
        yield
        yield from work

    def acquire(self):
        w = self.w
        queue = w.__dict__.setdefault("queue", [])
        if w.lock is not None:
            if w.cost("spin"):
                while w.lock is not None:
                    self.touches = True
                    yield from self.section(w.cost("spin"))
                    yield from self.touch()
            else:
                queue.append(self)
                while w.lock is not self:
                    yield
        w.lock = self

    def release(self):
        w = self.w
        queue = w.__dict__.setdefault("queue", [])
        w.lock = None
        if queue:
            other = queue.pop(0)
            w.lock = other
            other.go()

    def live(self):
        w = self.w
        if self.thread is not None:
            w.threads[0].kind = "yield"
            self.slice_begins()
        while True:
            if self.thread is None:
                yield from self.wait_idle()
            else:
                yield from self.run_thread()

    def slice_begins(self):
        if self.w.m["scheduler"] == 2:
            self.pending = self.w.now + self.w.m["quantum"] * self.w.scale

    def wait_idle(self):
        w = self.w
        self.idle = True
        while not self.woken or self.due is not None:
            yield
        self.idle, self.woken = False, False
        new, self.new = self.new, False
        self.touches = True
        yield from self.section(w.cost("notice_first" if new else "notice"))
        yield from self.touch()
        yield from self.acquire()
        yield from self.dispatch("pick", "empty")

    def holds(self, hold, touches, more=0):
        """Code of a length with the kernel's lock, in which it rings for who has become ready."""
        w = self.w
        walked = w.m["memory"] == 1 and hold
        work = self.section(hold, more)
        self.touches = touches
        next(work)
        bell, wait = w.cost("bell"), w.m["wait"] * w.scale
        bell = int(bell * self.tick) + bell * 5 // 9 * wait
        if not walked:
            self.due += w.bells() * bell
        if walked and w.fresh:
            self.rings = self.ring_count = w.fresh
            self.left, w.fresh = hold, 0
        elif w.fresh:
            gaps = [2] * (hold // 2) + [1] * (hold % 2)
            last = [n for n in range(len(gaps)) if sum(gaps[n:]) <= w.cost("tail")]
            tail = int(w.cost("tail") * self.tick) + len(last) * wait
            if tail <= self.due - w.now:
                w.ring(self.due - tail, int(w.cost("wake") * self.tick) + w.cost("wake") * 5 // 9 * wait, bell)
            else:
                w.ring(w.now, 0, 0)
        yield from self.rest_of(work)

    def dispatch(self, found, none):
        """Another thread, or none; the kernel's lock is given back. What has arrived is found first."""
        w = self.w
        looked = w.now
        while w.late and w.timers and w.timers[0][0] <= looked:
            o, self.thread = w.timers.pop(0)[1], None
            w.sent, w.looks, w.asks = looked, True, {}
            w.item_there(o, None)
            w.looks = False
            yield from self.holds(w.cost("arrive"), False)
        w.armed = bool(w.timers)
        self.thread = w.take(self.number)
        self.asked = False
        begin, self.scheduled = 0 if self.scheduled else w.cost("begin"), True
        self.touches = True
        if self.thread is None:
            yield from self.section(w.cost(none), 0, begin)
            yield from self.touch()
            self.idle = self.dozes = True
            if self.pending is not None and w.m["scheduler"] == 1:
                self.woken, self.rung = True, max(0, self.pending - w.m["bell"] * w.scale)
            self.pending = None
            self.release()
            yield from self.section(w.cost("doze"))
            self.dozes = False
            if self.woken:
                self.due = max(w.now, self.rung + w.m["bell"] * w.scale)
            return
        t = w.threads[self.thread]
        yield from self.section(w.cost(found), 0, begin)
        yield from self.touch()
        self.slice_begins()
        if t.rest is None and t.kind != "fork" and not t.again:
            t.step += 1
        kind, t.kind = t.kind, "yield"
        self.release()
        self.touches = t.again
        back = w.cost("back") if t.rest is not None else 0
        yield from self.section(back or w.cost("after", kind, 1) if kind != "fork" else 0)

    def trapped(self):
        """Its thread was interrupted: the handler."""
        w, t = self.w, self.w.threads[self.thread]
        self.touches = True
        yield from self.section(w.cost("trap"))
        yield from self.touch()
        yield from self.acquire()
        if w.stops(self):
            yield from self.section(w.cost("cut") or w.cost("pick"))
            w.make_ready(t.number, self.number, False)
            w.fresh -= 1
            yield from self.dispatch("take", "idle")
            return
        self.asked, self.touches = False, True
        yield from self.section(w.cost("keep"))
        yield from self.touch()
        self.release()
        self.slice_begins()
        yield from self.section(w.cost("kept"))

    def run_thread(self):
        """From where its thread is to where the core has another one, or none."""
        w, t = self.w, self.w.threads[self.thread]
        kind, o, arg = w.case["threads"][t.number][t.step][1]
        last = kind == "end" and t.number == 0
        if t.again:
            yield from self.touch()
            t.again = False
        else:
            try:
                self.touches = not last
                code = t.rest if t.rest is not None else [g for b in w.case["threads"][t.number][t.step][0]
                                                          for g in w.case["blocks"][b]]
                t.rest = None
                yield from self.own_code(code)
                if not last:
                    yield from self.touch()
                self.runs = False
            except Cut:
                self.runs = False
                t.rest, t.kind = self.rest, "yield"
                yield from self.trapped()
                return
        if last:
            w.over = True
            yield
        yield from self.acquire()
        waits = w.event(self.number, t.number, kind, o, arg)
        if waits and kind != "end":
            key = o if o >= 0 else len(w.case["objects"])
            w.waits[key] = w.waits.get(key, 0) + 1
        how = int(waits) + 2 * (w.fresh > 0 and kind != "yield")
        hold = w.cost("hold", kind, how)
        yield from self.holds(hold, not waits, w.passed * w.cost("pass"))
        for core in w.cores:
            if core.idle and core.woken and (core.due is not None or core.dozes) and core.rung > w.now:
                core.rung = w.now
                if not core.dozes:
                    core.due = w.now + w.m["bell"] * w.scale
        if waits:
            yield from self.dispatch("take", "idle")
        else:
            yield from self.touch()
            t.step += 1
            self.release()
            yield from self.section(w.cost("after", kind, 0))
