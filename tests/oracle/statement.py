"""One monitoring statement as the oracle keeps it, and what its functions look at when it is evaluated."""
from arithmetic import Unknown


class Statement:
    def __init__(self, number, name):
        self.number, self.name = number, name
        self.references = []      # of the predicate: writes to these are events
        self.named = []           # what the predicate reads, as for `printed`: shown by a bare print
        self.printed = []         # (text, reference, is old)
        self.prints = False
        self.counters = set()     # all that it names
        self.actions = []         # but printing: (verb, name of counter or statement, value)
        self.kept = []            # counters printed: (text, counter, actions before)
        self.disabled = False
        self.enters, self.leaves, self.places = set(), set(), set()   # addresses of procedures, of lines' instructions
        self.reads = []           # references whose reads are events
        self.ways = {}            # (verb, such an address) -> paths, None for whichever way it was called
        self.evaluate = None      # function of an Event: an int
        self.compound = None      # an events.Compound, for what is more than one condition
        self.deadline = None      # (reference, clocks): it is evaluated when the variable has not changed for so long
        self.condition = None     # the events.When, when it is a single one
        self.held_for = None      # clocks: it is evaluated when the condition has been true for so long
        self.aged = set()         # references whose age is asked for
        self.aged_printed = set() # those that are printed
        self.snapshots = []
        self.areas = []           # (text, references): of what is printed as the part that the event wrote or read
        self.named_areas = []
        self.waits = False        # for a time to be over
        self.indices = []         # references that are named by indices of what is only printed
        self.times = []           # (key, function of an Event): lengths of time that are printed
        self.named_times = []     # those that the predicate names

    def is_alone(self):
        """Whether all it needs is in the same lanes of one word, so that a write brings along all it needs."""
        if self.snapshots or self.indices or self.named_areas or any(r.via for r in self.references + [item[1] for item in self.printed] + list(self.aged)):
            return False
        places = {(r.procedure, r.address, r.lanes) for r in self.references + [item[1] for item in self.printed] + list(self.aged)}
        return len(places) == 1 and all(r.words == 1 for r in self.references) and not self.compound and not self.ways and not self.reads

    def deadline_is_plain(self):
        """Whether it is about one variable of static storage, in one word, and nothing else."""
        first = self.deadline[0]
        return first.words == 1 and not any(r.procedure or r.via or (r.address, r.lanes, r.shift, r.bits) !=
                                            (first.address, first.lanes, first.shift, first.bits)
                                            for r in self.references + [item[1] for item in self.printed])

    def concerns(self, verb, low, activations):
        """Whether it waits for the innermost activation to be entered or left."""
        return any(not path or path.is_innermost(activations) for path in self.ways.get((verb, low), ()))

    def olds_through(self):
        """References through pointers whose old value is asked for."""
        return {reference for _, reference, old in self.named + self.printed if old and reference.via}

    def needs_old(self):
        return any(old for _, _, old in self.named + self.printed)

    def needed(self):
        return self.references + [item[1] for item in self.printed] + list(self.aged) + self.indices + self.reads

    def frames(self):
        """What activations must exist."""
        return {r.frame() for r in self.needed() + self.snapshots if r.procedure}


class Event:
    """What an evaluation looks at. word(reference), old(reference) raise Unknown; counter(name)."""
    entered = left = None  # address of the procedure's first instruction
    reached = None         # address of an instruction that some statement waits for
    begun = None           # the first instruction of the procedure whose prologue has just ended
    activations = ()       # the call stack, outermost first
    written = ()           # references that this event wrote
    thens = {}             # reference through a pointer -> (whether it existed before the event, its word then or None)
    read = ()              # references that it read bytes of
    accessed = 0, 0        # the word that it wrote or read, and which lanes
    unknown = Unknown
    elapsed = 0            # clocks since the compound event began
