"""The activations whose locals statements mean, as the call stack changes."""
import copy

from arithmetic import MASK
from operands import Snapshot
from references import aged
import begins
import lives

STACK_MAX = 64   # activations that a path shows; of a deeper one, those between the outermost and the innermost are left out, and it has no locals


def is_new(reference):
    """Whether an activation knows it only once it has written it: what the caller has put on the stack is there before."""
    return bool(reference.procedure and not reference.via and not reference.life and lives.signed(reference.address & MASK, 32) < 0)


def covers(pairs):
    """What must be written of a procedure's locals until a word of its frame is known: {offset of the word: lanes}."""
    lanes, filled, needed = {}, set(), set()
    for statement, reference in pairs:
        for i in range(reference.words):
            address, part = reference.address + 4 * i, reference.lanes >> 4 * i & 15
            lanes[address] = lanes.get(address, 0) | part
            if part == 15:
                filled.add(address)
            if not statement.is_alone() or statement.needs_old() or statement.held_for or statement.deadline:
                needed.add(address)
    return {offset: lanes[offset] for offset in needed - filled}


class Frames:
    """A frame is what Reference.frame() says: a procedure's innermost activation, or that which a path leads to."""

    def __init__(self, oracle, statements):
        self.oracle = oracle
        self.now = {}            # frame -> the activation that is meant now
        self.paths = {}          # frame -> its path
        self.local = {}          # frame -> [(statement, reference)]
        everywhere = {}          # the same by procedure, also of what is only printed
        for statement in statements:
            for snapshot in statement.snapshots:
                if snapshot.procedure:
                    self.paths[snapshot.frame()] = snapshot.path
            for holding in oracle.owners.get(statement, ()):
                for reference in holding.watched:
                    if reference.procedure:
                        everywhere.setdefault(reference.procedure, []).append((statement, reference))
                        self.follow(holding, reference)
            others = [item[1] for item in statement.printed] + list(statement.aged) + statement.indices + statement.reads
            single = statement in oracle.owners and not statement.compound
            for place, reference in enumerate([] if single else statement.references + others):
                if not reference.procedure:
                    continue
                everywhere.setdefault(reference.procedure, []).append((statement, reference))
                if place < len(statement.references):
                    self.follow(statement, reference)
                else:
                    self.paths[reference.frame()] = reference.path
        self.covers = {procedure: covers(pairs) for procedure, pairs in everywhere.items()}
        self.fresh = {}          # procedure -> offsets of words of locals that are not known when it is entered
        for reference in begins.named(statements):
            if not isinstance(reference, Snapshot) and is_new(reference):
                self.fresh.setdefault(reference.procedure, set()).update(reference.address + 4 * i for i in range(reference.words))
        self.activation_at = {}  # such a word -> the activation
        self.lanes_before = 15   # that this had written before the event
        self.spilled = {aged(r): copy.copy(r) for s in statements for r in s.needed() if r.life}   # locals that the stack holds at times
        self.holds = {}          # of these -> the activation that has written what lies in its place now

    def follow(self, statement, reference):
        """A write to the local is an event of the statement, in the activation that is meant."""
        self.paths[reference.frame()] = reference.path
        self.local.setdefault(reference.frame(), []).append((statement, reference))

    def get(self, frame):
        """The activation that it means now, or None."""
        return self.now.get(frame)

    def exist(self, references):
        """Whether there are the activations of all that are locals."""
        return all(self.now.get(reference.frame()) for reference in references if reference.procedure)

    def place(self, reference):
        """Where it lies now."""
        if not reference.procedure:
            return reference.address
        return self.base(reference) + reference.address & MASK

    def base(self, reference):
        """The canonical frame address of the activation."""
        return self.now[reference.frame()].cfa

    # --- the stack changes -----------------------------------------------------------------------

    def _meant(self, frame):
        path, activations = self.paths[frame], self.oracle.stack.activations
        if path:
            found = path.find(activations)
        else:
            found = next((at for at in range(len(activations) - 1, -1, -1) if activations[at].procedure is frame[0]), None)
        return None if found is None or found >= STACK_MAX else activations[found]

    def settle(self):
        """Follows the activations that are meant after the stack has changed."""
        before, changed = {id(a): a for a in self.now.values()}, set()
        for frame in self.paths:
            meant, old = self._meant(frame), self.now.get(frame)
            if meant is old:
                continue
            changed.add(frame)
            for holding in [holding for row in self.oracle.owners.values() for holding in row]:
                if holding.needs(frame):
                    holding.end(self.oracle.time)
            self._unwatch(frame)
            if meant is None:
                self.now.pop(frame)
            else:
                self.now[frame] = meant
                self._watch(frame)
        now = {id(a): a for a in self.now.values()}
        for gone in before.keys() - now.keys():
            for address in self._words(before[gone], self.fresh):
                self.activation_at.pop(address, None)
            self.oracle.memory.covered -= self._words(before[gone], self.covers)
        if changed:
            self.oracle.pointers.update(changed=changed)
        for new in now.keys() - before.keys():
            self.activation_at.update(dict.fromkeys(self._words(now[new], self.fresh), now[new]))
            self.oracle.memory.covered |= self._words(now[new], self.covers)

    @staticmethod
    def _words(activation, offsets):
        return {activation.cfa + offset & MASK for offset in offsets.get(activation.procedure, ())}

    def _watch(self, frame):
        for key in [key for key in self.holds if key[0] == frame]:
            del self.holds[key]
        for statement, reference in self.local.get(frame, ()):
            self.oracle.watched.forget_parts(statement, reference)
            if statement is self.oracle.times:
                self.oracle.times.forget(reference)
            self.oracle.watched.add(statement, reference)

    def _unwatch(self, frame):
        if frame in self.now:
            for statement, reference in self.local.get(frame, ()):
                self.oracle.watched.remove(statement, reference)

    # --- what activations have written -----------------------------------------------------------

    def is_written(self, reference, places):
        written = self.now[reference.frame()].written
        own = [(i, place) for i, place in enumerate(places) if lives.signed(reference.address + 4 * i & MASK, 32) < 0]
        return not any(reference.lanes >> 4 * i & 15 & ~written.get(place, 0) for i, place in own)

    def held_before(self, reference):
        """Whether what lay in its place before the event at hand is what this activation had written last of the local."""
        return self.holds.get(aged(reference)) is self.now[reference.frame()]

    def note_spilled(self, address, lanes, pc):
        """Something was written where the stack holds locals of optimised code at times: one of them, or something else."""
        for key, reference in self.spilled.items():
            if not self.now.get(reference.frame()) or self.place(reference) != address or not reference.lanes & lanes:
                continue
            try:
                own = reference.life.has(pc, True, self.oracle.stack.activations)
            except lives.Border:
                own = False
            if not own:
                self.holds.pop(key, None)
            elif not reference.lanes & ~lanes:
                self.holds[key] = self.now[reference.frame()]
