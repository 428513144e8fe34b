"""Of the naive engine: a core, as a process: its thread's events, and what it does in the kernel."""
from fractions import Fraction

from naive_code import Code, Cut


class Core(Code):
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
            self.left, w.fresh = hold + more, 0
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
        yield from self.holds(hold, not waits, w.passed * w.cost("pass") + w.further * w.cost("wake"))
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
