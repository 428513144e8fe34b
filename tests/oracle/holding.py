"""Conditions that hold for a time, and what is shown when it is over."""
from arithmetic import Unknown
from statement import Event
from now import Now
from references import aged, chain, variable


class Times:
    """Among statements: notes when a variable is written, after all of them."""
    number = 1 << 32

    def __init__(self):
        self.last = {}   # what of a reference makes it one whose age is asked for (references.aged) -> time

    def note(self, reference, time):
        self.last[aged(reference)] = time

    def forget(self, reference):
        self.last.pop(aged(reference), None)


class Deadline:
    """Among statements, too: `x unchanged for T` of one of them. What a variable holds is known by writes to it and by the program file."""
    number = 1 << 33

    def __init__(self, statement, word):
        self.statement, (self.reference, self.clocks) = statement, statement.deadline
        self.changed, self.done, self.held = 0, False, word
        self.holds = True

    def write(self, word, time):
        if self.held is None or self.reference.value(word) != self.reference.value(self.held):
            self.changed, self.done = time, False
        self.held = word

    def statement_paths(self):
        return self.statement.condition.substates

    def forget(self):
        self.done, self.held = True, None

    def limit(self, time):
        return time


class Holding:
    """Among statements: `E for T` of one of them, or `x unchanged for T` that is more than one word of static storage. It is evaluated at
    writes to its variables (`events`) and when paths that it names begin or cease to be true, and ends when one that it needs ceases to be. What it shows is as of the deadline."""
    number = 1 << 33

    def __init__(self, oracle, statement, condition):
        """condition: the statement's, or one of several that are joined."""
        self.oracle, self.statement, self.held_for, self.condition = oracle, statement, condition.held_for, condition
        self.clocks = self.held_for or statement.deadline[1]
        named = list(dict.fromkeys(condition.references)) if self.held_for else chain(statement.deadline[0])
        self.events = {variable(r): r for r in named}
        shown = [] if not condition.completes else [r for _, r, _ in statement.printed]
        shown += [] if self.held_for else [r for _, r, _ in statement.named if r]
        self.shown = [r for r in shown if variable(r) not in self.events]
        self.watched = list(dict.fromkeys(named + [each for r in shown for each in chain(r)]))
        self.copied = named + shown   # variables are known by what they were at their last event: parts of a write do not count
        static = not any(r.procedure or r.via for r in self.watched)
        self.changed, self.done = 0, False
        self.holds = static and not self.held_for
        self.unknown = False    # something that is only shown is not known
        self.ended = None       # when something ceased to be
        self.value = None
        self.words = {}         # what it shows, as of the last event
        if self.holds:
            self.words = {r.text: self._initial(r) for r in self.copied}
            self.value = self.words[statement.deadline[0].text]
            self.unknown = self.value is None

    @staticmethod
    def bits(reference, word):
        """Its bits alone: where they stand in the word changes with a pointer."""
        return reference.number(word)

    def _known(self, now, reference):
        """The same, or None."""
        try:
            return self.bits(reference, now.word(reference))
        except Unknown:
            return None

    def _initial(self, reference):
        if reference.procedure or reference.via:
            return None
        words = [self.oracle.program.word_after_start(reference.address + 4 * i) for i in range(reference.words)]
        return None if None in words else self.bits(reference, sum(word << 32 * i for i, word in enumerate(words)))

    def limit(self, time):
        return time if self.ended is None else min(time, self.ended)

    def end(self, time):
        if self.holds and self.ended is None:
            self.ended = time

    def statement_paths(self):
        return self.condition.substates

    def forget(self):
        self.holds = False

    def needs(self, frame):
        return any(r.procedure and r.frame() == frame for r in self.watched)

    def moved(self, reference, target, time):
        """The pointer moves that one of the references goes through."""
        if reference in self.watched and (target is None or variable(reference) in self.events):
            self.end(time)

    def write(self, written, time):
        oracle = self.oracle
        now = Now(oracle)
        now.time = time
        if not oracle.frames.exist(self.watched) or not oracle.pointers.exist(self.watched):
            self.holds = False
            return
        if written is None or any(variable(r) in self.events for r in written):
            self._evaluate(now, time)
            if self.holds:
                self.words.update({r.text: self._known(now, r) for r in self.copied if variable(r) in self.events})
        if self.holds and self.ended is None:
            self.words.update({r.text: self._known(now, r) for r in self.shown})
            self.unknown = (not self.held_for and self.value is None) or any(self._known(now, r) is None for r in self.shown)

    def _evaluate(self, now, time):
        goes_on = self.holds and self.ended is None
        try:
            if self.held_for:
                self.holds = bool(self.condition.holds(now))
                if self.holds and self.condition.completes:
                    for _, reference, _ in self.statement.printed:
                        if reference and variable(reference) in self.events:
                            now.word(reference)
            else:
                reference = self.statement.deadline[0]
                value = self.bits(reference, now.word(reference))
                same = value == self.value
                goes_on, self.holds, self.value = goes_on and same, True, value
        except Unknown:
            self.holds = False
            self.oracle.evaluation.unknown += 1
        if self.holds and not goes_on:
            self.changed, self.done, self.ended = time, False, None


class Held(Event):
    """What a statement shows at such a deadline."""

    def __init__(self, oracle, holdings):
        """holdings: those whose time is over now."""
        self.oracle, self.words = oracle, {}
        for holding in holdings:
            self.words.update(holding.words)
        self.is_unknown = any(holding.unknown for holding in holdings)
        self.conditions = {holding.condition for holding in holdings}
        self.activations = oracle.kept

    def counter(self, name):
        return self.oracle.evaluation.counters[name]

    def word(self, reference):
        bits = self.words[reference.text]
        if bits is None:
            raise Unknown
        return reference.placed(bits)

    def old(self, reference):
        return self.word(reference)


class Past(Event):
    """What a statement sees at its deadline."""

    def __init__(self, oracle, deadline):
        self.oracle, self.held, self.activations = oracle, deadline.held, oracle.kept

    def counter(self, name):
        return self.oracle.evaluation.counters[name]

    def word(self, _):
        if self.held is None:
            raise Unknown
        return self.held

    def old(self, reference):
        return self.word(reference)
