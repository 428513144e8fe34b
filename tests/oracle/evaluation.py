"""Whether a statement is true at an event, what it shows then, and what it does."""
from arithmetic import BUS_HZ, Unknown, wrap
from call_frames import STACK_MAX
from holding import Held
from now import Now
import lives

WINDOW = 1 << 18   # the probe sees memory below


def known_or(other, must, value):
    """A value that is printed: one that is not known takes none of the others with it, unless they must all be known."""
    try:
        return value()
    except Unknown:
        if must:
            raise
        return other


class Evaluation:
    """Of the statements of an oracle; what counters and switches are after the events so far."""

    def __init__(self, oracle, statements, emit):
        self.oracle, self.statements, self.emit = oracle, statements, emit
        self.counters = {name: 0 for s in statements for name in s.counters}
        self.unknown = 0         # evaluations that needed what nobody knows
        self.switches = {}       # name of a statement -> (enabled now, enabled before the last change, its time)
        self.stopped = False

    def at(self, statement, event, time, pc):
        """Evaluates the statement at an event, and acts. pc: None where no instruction is the event's."""
        if self.stopped or not self._enabled(statement, time) or not self._is_true(statement, event, time, pc):
            return
        late = isinstance(event, Held)   # whose values were kept together
        values = {}
        try:
            for text, reference, old in statement.printed:
                values[text] = known_or(None, late, lambda: reference.show(event.old(reference) if old else event.word(reference)))
            for key, length in statement.times:
                values[key] = known_or(None, late, lambda: length(event) * 1000000000 // BUS_HZ)
        except Unknown:
            self.unknown += 1
            return
        values.update({text: self._accessed(members, event) for text, members in statement.areas})
        values.update({snapshot.text: self._snapshot(snapshot) for snapshot in statement.snapshots})
        states = self._act(statement, time)
        values.update({text: states[done][name] for text, name, done in statement.kept})
        if statement.prints:
            self._tell(statement, values, time, pc)

    def _tell(self, statement, values, time, pc):
        tasks, position = self.oracle.tasks, pc is not None and self.oracle.program.line(pc)
        self.emit({'cycle': time, 'statement': statement.name, 'values': values,
                   'path': None if pc is None else [a.procedure.name for a in self._path()],
                   'file': position[0] if position else None, 'line': position[1] if position else None, 'pc': pc,
                   **({'task_pointer': tasks.address()} if tasks and pc is not None else {})})

    def _path(self):
        activations = self.oracle.stack.activations
        return activations if len(activations) <= STACK_MAX else activations[:STACK_MAX - 1] + activations[-1:]

    # --- conditions ------------------------------------------------------------------------------

    def _is_true(self, statement, event, time, pc):
        late, pointers, frames = isinstance(event, Held), self.oracle.pointers, self.oracle.frames
        if statement.compound and not self._complete(statement, event, time, pc):
            return False
        if late and event.is_unknown:
            self.unknown += 1
            return False
        if not statement.compound and not late:
            if not all(frames.get(frame) for frame in statement.frames()) or not pointers.exist(statement.needed()):
                return False
            if not self._surely_alive(statement.needed() + statement.snapshots, event, pc):
                return False
            if not all(existed for existed, _ in event.thens.values()):
                return False
        event.time = time
        try:
            return bool(statement.compound or late and statement.held_for or statement.evaluate(event))
        except Unknown:
            self.unknown += 1
            return False

    def _alive(self, references, event, pc):
        """Whether the stack holds all locals of optimised code among references."""
        return all(r.life.has(pc, not event.is_control() and not event.read, self.oracle.stack.activations) for r in references if r.life)

    def _surely_alive(self, references, event, pc):
        """The same; where that cannot be told, the evaluation is unknown."""
        try:
            return self._alive(references, event, pc)
        except lives.Border:
            self.unknown += 1
            return False

    def _complete(self, statement, event, time, pc):
        """Whether a compound event is complete with this one."""
        printed = [reference for _, reference, _ in statement.printed] + list(statement.aged_printed)
        compound = statement.compound

        def exists(condition):
            event.elapsed = time - compound.began
            needed = condition.references + condition.reads + (printed + statement.snapshots if condition.completes else [])
            variables = condition.references + condition.reads + (printed if condition.completes else [])
            olds = condition.olds + ([r for _, r, old in statement.printed if old] if condition.completes else [])
            if not all(event.thens.get(r, (True,))[0] for r in olds):
                return False
            return (self.oracle.frames.exist(needed) and self.oracle.pointers.exist(variables) and
                    self._alive(variables + (statement.snapshots if condition.completes else []), event, pc))
        event.time = time
        complete, unknown = compound.occurs(event, time, exists, event.conditions if isinstance(event, Held) else None)
        event.elapsed = time - compound.began
        self.unknown += unknown
        return complete

    # --- what is shown ---------------------------------------------------------------------------

    def _accessed(self, members, event):
        """Which of the members the event wrote or read: {text: value, None where that is not known}."""
        at, lanes = event.accessed
        place, memory = self.oracle.frames.place, self.oracle.memory
        met = [(r, lanes << at - place(r) & r.lanes if 0 <= at - place(r) < 4 * r.words else 0) for r in members]
        met = [(r, part) for r, part in met if part]
        shown = {}
        for r, part in met:
            words = [place(r) + 4 * i for i in range(r.words)]
            known = part == r.lanes or (len(met) == 1 and not r.procedure and all(map(memory.is_known, words)))
            shown[r.text] = r.show(sum(memory.word(word) << 32 * i for i, word in enumerate(words))) if known else None
        return shown

    def _snapshot(self, snapshot):
        address, pointers = snapshot.address, self.oracle.pointers
        if snapshot.pointer:
            if pointers.follows(snapshot) and pointers.follow(snapshot.pointer).rests:
                return None
            try:
                address = snapshot.pointer.value(Now(self.oracle).word(snapshot.pointer))
            except Unknown:
                return None
            if address <= 4 or address > WINDOW - 4 * ((snapshot.size + 6) // 4):
                return None
        elif snapshot.procedure:
            address += self.oracle.frames.base(snapshot)
        return snapshot.show(self.oracle.memory, address & 0xFFFFFFFF)

    # --- what it does ----------------------------------------------------------------------------

    def _enabled(self, statement, time):
        now, before, changed = self.switches.get(statement.name, (not statement.disabled, None, None))
        return before if changed == time else now

    def _act(self, statement, time):
        """All actions but the printing. Returns the counters as of each."""
        states = [dict(self.counters)]
        for verb, name, value in statement.actions:
            if verb in ('enable', 'disable'):
                target = next(s for s in self.statements if s.name == name)
                if verb == 'enable' and target.compound and not self.switches.get(name, (not target.disabled,))[0]:
                    target.compound.seen = None   # what it had seen when it was disabled
                self.switches[name] = (verb == 'enable', self._enabled(target, time), time)
            elif verb == 'stop':
                self.stopped = True
            else:
                change = {'count': self.counters[name] + 1, 'decrement': self.counters[name] - 1, 'set': value}[verb]
                self.counters[name] = wrap(change, True)
            states.append(dict(self.counters))
        return states
