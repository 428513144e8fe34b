"""What a statement sees at an event."""
from arithmetic import Unknown
from call_frames import is_new
from references import aged
from statement import Event


class Now(Event):
    """Memory at one event, as a statement sees it."""

    def __init__(self, oracle, entered=None, left=None, reached=None, begun=None, address=None, before=None):
        """begun: the prologue of the procedure with that first instruction is over."""
        self.oracle, self.entered, self.left, self.reached = oracle, entered, left, reached
        self.begun = begun
        self.activations = oracle.stack.activations
        self.address, self.before = address, before   # word written, and what it held (None: unknown)
        self.lanes = 0       # ... and which of its bytes were
        self.written = ()
        self.first = {}      # place of a reference -> what its word held before the first of several writes that made this event
        self.alone = False   # the statement is about nothing but the variable just written

    def is_control(self):
        return any(place is not None for place in (self.entered, self.left, self.reached))

    def counter(self, name):
        return self.oracle.evaluation.counters[name]

    def word(self, reference):
        address, memory = self.oracle.frames.place(reference), self.oracle.memory
        places = range(address, address + 4 * reference.words, 4)
        if is_new(reference):
            if not self.alone and not self.oracle.frames.is_written(reference, places):
                raise Unknown
            return sum(memory.word(place) << 32 * i for i, place in enumerate(places))
        if not self.alone and not all(map(memory.is_known, places)):
            raise Unknown
        return sum(memory.word(place) << 32 * i for i, place in enumerate(places))

    def age(self, reference):
        if aged(reference) not in self.oracle.times.last:
            raise Unknown
        return self.time - self.oracle.times.last[aged(reference)]

    def old(self, reference):
        if reference in self.thens:
            word = self.thens[reference][1]
            if word is None:
                raise Unknown
            return word
        if self.address is not None and is_new(reference):
            address = self.oracle.frames.place(reference)
            if address <= self.address < address + 4 * reference.words and (reference.words == 1 or reference.place() in self.first):
                if reference.lanes >> self.address - address & 15 & ~self.oracle.frames.lanes_before:
                    raise Unknown
        if reference.words > 1:
            before = self.first.get(reference.place())
            if before is None:
                return self.word(reference)
            if None in before.values():
                raise Unknown
            return sum(word << 32 * i for i, word in before.items())
        if self.address is None or self.oracle.frames.place(reference) != self.address:
            return self.word(reference)
        if reference.life and reference.lanes & self.lanes and not self.oracle.frames.held_before(reference):
            raise Unknown
        before = self.first.get(reference.place(), self.before)
        if before is None:
            raise Unknown
        return before
