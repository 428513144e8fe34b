"""Of the naive engine: what events do to threads and to what they share."""


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


class Events:
    """Of a machine that has threads, objects, lists of ready threads, and cores that sleep."""

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
        self.asks, self.passed, self.further = {}, 0, 0
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
                self.further = arg - self.meet
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
