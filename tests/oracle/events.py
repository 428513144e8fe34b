"""The oracle's compound events: what `then`, `and`, `or` and `within` make of conditions that are true at one event after another.

Nodes never change. What has been seen of an event is a value of its own, None for nothing, that each step replaces.
"""


class When:
    """One condition. holds(event): whether it is true; concerns(event): whether it is evaluated at it."""

    def __init__(self):
        self.holds = None
        self.references, self.enters, self.leaves, self.places = [], set(), set(), set()
        self.olds = []          # references whose old value it asks for
        self.reads = []         # references whose reads it waits for
        self.ways = {}          # (verb, address of a procedure entered or left, or of a line) -> paths, None for whichever way it was called
        self.substates = []     # paths as conditions: (path, function of a call stack: whether it is true)
        self.completes = True   # the event may be complete with it: what is printed has to exist then
        self.within = None
        self.held_for = None    # clocks: it occurs when it has been true so long

    def concerns(self, event):
        return not self.held_for and (any(r in self.references for r in event.written) or any(r in self.reads for r in event.read) or
                self.comes('enter', event.entered, event) or self.comes('leave', event.left, event) or
                self.comes('at', event.reached, event) or self.comes('at', event.begun, event))

    def comes(self, verb, low, event):
        """Whether it waits for the innermost activation to be entered or left."""
        return any(not path or path.is_innermost(event.activations) for path in self.ways.get((verb, low), ()))

    def conditions(self):
        return [self]

    def begin(self, seen):   # pylint: disable=unused-argument
        return None

    def alive(self, seen, time):   # pylint: disable=unused-argument
        return None

    def step(self, seen, true, time):   # pylint: disable=unused-argument
        """true: conditions that are true at this event. Returns (what has been seen now, when what has just occurred began or
        None, whether the event was of use)."""
        return (None, time, True) if self in true else (None, None, False)


class Joined:
    def __init__(self, first, second):
        self.first, self.second, self.within = first, second, None

    def conditions(self):
        return self.first.conditions() + self.second.conditions()

    def parts(self, seen):
        """(node, what has been seen of it) of all that is under way, and times at which finished parts began."""
        raise NotImplementedError

    def begin(self, seen):
        """When what has been seen began; None: nothing has been seen."""
        if seen is None:
            return None
        nodes, times = self.parts(seen)
        times = times + [node.begin(of) for node, of in nodes]
        return min((t for t in times if t is not None), default=None)

    def lives(self, seen, time):
        began = self.begin(seen)
        return seen if began is not None and (self.within is None or time - began <= self.within) else None


class Then(Joined):
    """seen: (when the first began, what has been seen of the second), or (None, what has been seen of the first). own: the conditions of the
    whole chain `A then B then C` that it is a link of; no others come in between its parts."""

    def __init__(self, first, second):
        super().__init__(first, second)
        self.own = set()

    def parts(self, seen):
        return ([(self.first, seen[1])], []) if seen[0] is None else ([], [seen[0]])

    def alive(self, seen, time):
        if seen is not None:
            part = self.first if seen[0] is None else self.second
            seen = self.lives((seen[0], part.alive(seen[1], time)), time)
        return seen

    def step(self, seen, true, time):
        if seen is not None and seen[0] is not None:
            second, occurred, used = self.second.step(seen[1], true, time)
            if occurred is not None:
                return None, seen[0], True
            if used or not true & self.own:
                return (seen[0], second), None, used
            seen = None     # another of the chain came in between
        first, occurred, used = self.first.step(seen and seen[1], true, time)
        if occurred is not None:
            return (occurred, None), None, True
        return (None, first), None, used


class And(Joined):
    """seen: for each side (when its last occurrence began or None, what has been seen of its next one)."""

    def parts(self, seen):
        return [(self.first, seen[0][1]), (self.second, seen[1][1])], [seen[0][0], seen[1][0]]

    def alive(self, seen, time):
        if seen is not None:
            (a, first), (b, second) = seen
            seen = self.lives(((a, self.first.alive(first, time)), (b, self.second.alive(second, time))), time)
        return seen

    def step(self, seen, true, time):
        sides, any_used = [], False
        for node, (began, of) in zip((self.first, self.second), seen or ((None, None), (None, None))):
            of, occurred, used = node.step(of, true, time)
            any_used |= used
            sides.append((began if occurred is None else occurred, of))
        if sides[0][0] is not None and sides[1][0] is not None:
            return None, min(sides[0][0], sides[1][0]), True
        return tuple(sides), None, any_used


class Or(Joined):
    """seen: what has been seen of each side."""

    def parts(self, seen):
        return [(self.first, seen[0]), (self.second, seen[1])], []

    def alive(self, seen, time):
        return seen and (self.first.alive(seen[0], time), self.second.alive(seen[1], time))

    def step(self, seen, true, time):
        first, second = (node.step(of, true, time)
                         for node, of in zip((self.first, self.second), seen or (None, None)))
        occurred = [began for _, began, _ in (first, second) if began is not None]
        if occurred:
            return None, min(occurred), True
        return (first[0], second[0]), None, first[2] or second[2]


def mark(node, completes=True):
    """Tells conditions whether the event may be complete with them."""
    if isinstance(node, When):
        node.completes = completes
        return
    mark(node.first, completes and not isinstance(node, Then))
    mark(node.second, completes)


def claim(node, chain=None):
    """Tells each `then` which conditions are those of its chain."""
    if isinstance(node, When):
        return
    is_then = isinstance(node, Then)
    if is_then:
        node.own = chain or set(node.conditions())
    claim(node.first, node.own if is_then and isinstance(node.first, Then) else None)
    claim(node.second)


class Compound:
    """An event and what has been seen of it."""

    def __init__(self, root):
        self.root, self.seen, self.began = root, None, 0
        mark(root)
        claim(root)

    def occurs(self, event, time, exists, held=None):
        """exists(references): whether these all do. Returns (whether the event is complete, evaluations that met what is unknown).
        self.began is when it began then. held: conditions that have been true for their time now, instead of an event."""
        concerned = held or [c for c in self.root.conditions() if c.concerns(event)]
        if not concerned:
            return False, 0
        self.seen = self.root.alive(self.seen, time)
        began = self.root.begin(self.seen)
        self.began = time if began is None else began
        true, unknown = set(), 0
        for condition in concerned:
            if held:
                true.add(condition)
                continue
            if not exists(condition):
                continue
            try:
                if condition.holds(event):
                    true.add(condition)
            except event.unknown:
                unknown += 1
        if not true:
            return False, unknown
        self.seen, occurred, _ = self.root.step(self.seen, true, time)
        if occurred is None:
            return False, unknown
        self.began = occurred
        return True, unknown
