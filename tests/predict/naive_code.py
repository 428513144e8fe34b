"""Of the naive engine: a core that goes through code, which others, interrupts and the kernel's lock hold up."""
from fractions import Fraction


class Cut(Exception):
    """A core is interrupted in its thread's code."""


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


class Code:
    """Of a core."""

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
