"""The oracle's pointers: where each pointer that statements follow points to, and when what it points to is gone.

A reference through a pointer is moved whenever the pointer's variable is written, becomes another one, or ceases to exist. A pointer points to
nothing while it is NULL, not known, not aligned as what it points to, or while not all that statements refer to through it lies in the
probe's memory; a local one also until its activation has written it. What the allocator writes into is gone: the pointer rests until it is written.
"""
import copy

from arithmetic import Unknown
from now import Now
from operands import Element, alignment

WINDOW = range(0, 0x40000)   # what the simulated probe holds
ALLOCATOR = ('malloc', 'free', 'calloc', 'realloc', '__malloc_malloc', '__malloc_free', '__malloc_grow_chunk', 'cfree')


class Pointer:
    """A variable, and all references that go on from it."""

    def __init__(self, reference, base):
        self.base = base            # the Pointer through which it is reached, or None
        self.variable = copy.copy(reference)
        self.procedure = reference.procedure
        self.through = []           # (statement, reference)
        self.align = alignment(reference.type.of)
        self.first, self.end = 0, 0     # bytes from the target on: itself, and what is referred to
        self.target, self.rests = None, False
        self.activation, self.rested = None, {}    # of a local: whose it is now; of others whether it rested when that changed

    element = None

    def add(self, statement, reference):
        self.through.append((statement, reference))
        self.first = min(self.first, reference.offset)
        self.end = max(self.end, reference.offset + reference.type.size)

    def guards(self):
        if self.element:
            return ()
        return self.target & ~3, (self.target & ~3) + 4


def words(reference):
    return range(reference.address, reference.address + 4 * reference.words, 4)


class Place(Pointer):
    """An element whose index is a variable, and all references that go on from it."""

    def __init__(self, element, base):  # pylint: disable=super-init-not-called
        self.base, self.element, self.variable, self.procedure = base, element, None, None
        self.through, self.align, self.first, self.end = [], element.align, 0, 0
        self.target, self.rests = None, False
        self.named = []     # variables of the indices

    def concerned(self, written, changed, moved, of):
        return any(variable in written or variable.frame() in changed or variable.via and of(variable) in moved for variable in self.named)


class Pointers:
    """Among statements: comes before all of them."""
    number = -1

    def __init__(self, oracle, statements):
        self.oracle = oracle
        self.keys = {}
        self.indices = []           # variables that elements depend on
        self.guarded = {}           # word address -> pointers to an object that begins there
        for statement in statements:
            for holding in oracle.owners.get(statement, ()):
                for reference in holding.watched:
                    if reference.via:
                        self.of(reference).add(holding, reference)
            if statement in oracle.owners and not statement.compound:
                continue
            printed = [reference for _, reference, _ in statement.printed] + statement.reads
            for reference in dict.fromkeys(statement.references + printed + list(statement.aged)):
                if reference.via:
                    self.of(reference).add(statement if reference in statement.references else None, reference)
        self.allocator = [range(p.low, p.high) for p in oracle.program.procedures if p.name in ALLOCATOR]
        for snapshot in [s for statement in statements for s in statement.snapshots if self.follows(s)]:
            self.follow(snapshot.pointer)

    def of(self, reference):
        """The pointer that a reference goes through."""
        return self.follow(reference.via)

    def follows(self, snapshot):
        """Whether what it shows may be freed, or is what another activation left in a local."""
        return snapshot.pointer and (self.allocator or snapshot.pointer.procedure)

    def follow(self, variable):
        """The pointer of a variable."""
        if isinstance(variable, Element):
            return self._element(variable)
        base = self.of(variable) if variable.via else None
        path = variable.path and variable.path.text
        key = base, variable.procedure, path, variable.offset, alignment(variable.type.of)
        if key not in self.keys:
            self.keys[key] = made = Pointer(variable, base)
            if base:
                base.add(self, made.variable)
        return self.keys[key]

    def _element(self, element):
        base = self.of(element) if element.via else None
        for named in element.references:    # after what they are reached through
            if named.via:
                self.of(named).add(None, named)
        frames = tuple(named.frame() for named in element.references)
        key = base, element.address if not element.via else None, element.text, frames
        if key not in self.keys:
            self.keys[key] = made = Place(element, base)
            for named in element.references:
                variable = copy.copy(named)
                made.named.append(variable)
                if variable.via:
                    self.of(variable).add(self, variable)
                else:
                    self.indices.append(variable)
        return self.keys[key]

    def fixed(self):
        """The variables that do not move with another."""
        return [pointer.variable for pointer in self.keys.values() if not pointer.base and not pointer.element] + self.indices

    @staticmethod
    def exist(references):
        return all(reference.exists for reference in references)

    def gone(self, address, pc):
        """The pointers to an object that the allocator has written into."""
        if not any(pc in code for code in self.allocator):
            return set()
        return {pointer.base if pointer.element else pointer for pointer in self.keys.values() if pointer.target is not None and
                (address in pointer.guards() or any(statement and address in words(r) for statement, r in pointer.through))} - {None}

    def of_gone(self, reference, gone):
        """Whether an object that is gone is what a reference goes through."""
        pointer = self.of(reference)
        return (pointer.base if pointer.element else pointer) in gone

    def _value(self, pointer):
        """What a pointer's variable leads to, or None."""
        if pointer.element:
            return self._place(pointer)
        variable, memory = pointer.variable, self.oracle.memory
        if not variable.exists or pointer.procedure and not self.oracle.frames.get(variable.frame()):
            return None
        address = self.oracle.frames.place(variable)
        value = self.oracle.program.number(memory.word(address))
        if not memory.is_known(address) or not value or value % pointer.align:
            return None
        return self._inside(pointer, value)

    @staticmethod
    def _inside(pointer, value):
        if not value or value % pointer.align:
            return None
        return value if value + pointer.first in WINDOW and value + pointer.end - 1 in WINDOW else None

    def _place(self, pointer):
        """Where an element lies, or None."""
        element = pointer.element
        if element.via and pointer.base.target is None:
            return None
        if not self.exist(element.references) or not self.oracle.frames.exist(element.references):
            return None
        try:
            offset = element.offset(Now(self.oracle))
        except Unknown:
            return None
        start = pointer.base.target if element.via else element.address
        return None if offset is None else self._inside(pointer, start + offset & 0xFFFFFFFF)

    def plain(self, pointer):
        """Whether it is an element of an array that no pointer leads to or goes on from: its index is as memory has it."""
        return pointer.element and not pointer.base and all(statement is not self for statement, _ in pointer.through)

    def update(self, written=(), gone=(), changed=(), start=False, begun=()):
        """Variables that were written, pointers whose object is gone, frames that have come or gone. A pointer that nothing of this concerns leads to
        where it did, even while its variable is half written (begun)."""
        moved = set()
        for pointer in self.keys.values():   # each after the one that it is reached through
            if pointer.variable and pointer.variable in written or pointer.base in moved:
                pointer.rests = False
            if not pointer.element and pointer.procedure and pointer.variable.frame() in changed:
                pointer.rested[pointer.activation] = pointer.rests
                pointer.activation = self.oracle.frames.get(pointer.variable.frame())
                pointer.rests = pointer.rested.pop(pointer.activation, True) or not pointer.activation
            if pointer in gone:
                pointer.rests = True
            local = pointer.procedure and pointer.variable.frame() in changed
            if not (start or local or pointer in gone or pointer.base in moved or pointer.variable and pointer.variable in written or
                    pointer.element and pointer.concerned(written, changed, moved, self.of) or
                    self.plain(pointer) and pointer.concerned(begun, (), (), self.of)):
                continue
            target = None if pointer.rests else self._value(pointer)
            if target != pointer.target:
                self._move(pointer, target)
                moved.add(pointer)

    def _move(self, pointer, target):
        if pointer.target is not None:
            for guard in pointer.guards():
                self.guarded[guard].remove(pointer)
        for statement, reference in pointer.through:
            if reference.exists and statement:
                self.oracle.watched.remove(statement, reference)
            self.oracle.watched.forget_parts(statement, reference)
            if statement is self.oracle.times:
                self.oracle.times.forget(reference)
            if hasattr(statement, 'moved'):
                statement.moved(reference, target, self.oracle.time)
        pointer.target = target
        for statement, reference in pointer.through:
            reference.move(target)
            if reference.exists and statement:
                self.oracle.watched.add(statement, reference)
        if target is not None:
            for guard in pointer.guards():
                self.guarded.setdefault(guard, []).append(pointer)
