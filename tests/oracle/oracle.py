#!/usr/bin/python3
"""oracle.py PROGRAM.elf RETIRE.log [-e STATEMENT | -s FILE]...: the hits that a run must have, as JSON Lines.

An independent evaluator of monitoring statements: it knows the program from its ELF file through pyelftools, and the run from the
log of retired instructions that retire-log wrote. It shares no code, no table and no measurement with host, firmware or RTL.
"""
import argparse
import copy
import json
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from arithmetic import BUS_HZ, MASK, Unknown, wrap  # noqa: E402
from operands import Snapshot  # noqa: E402
from tokens import StatementError  # noqa: E402
import begins  # noqa: E402
from holding import Deadline, Held, Holding, Past, Times  # noqa: E402
import language  # noqa: E402
import lives  # noqa: E402
from now import Now  # noqa: E402
from parts import Parts, State  # noqa: E402
from pointers import Pointers  # noqa: E402
from program import Program  # noqa: E402
from references import aged  # noqa: E402
from stack import CallStack  # noqa: E402
import tasks  # noqa: E402

RECORD = struct.Struct('<BBHIIIIQQ')
STORE, JUMP, TRAP, MRET, LOAD, END, AT, READ = range(8)
LANE_BITS = [sum(0xFF << 8 * lane for lane in range(4) if mask >> lane & 1) for mask in range(16)]
WINDOW = 1 << 18   # the probe sees memory below
DEVICES = 0x10000000  # addresses from here on are not memory
MARK = 1 << 16   # clocks after which a deadline that has passed is noticed at last
STACK_MAX = 64   # activations that a path shows; of a deeper one, those between the outermost and the innermost are left out, and it has no locals


class Memory:
    """The target's memory, and what of it the probe can know: a word becomes known by one access to all its lanes, or by accesses that
    cover them with no access to another unknown word between; a stack word that no referenced local fills also by any write. What is
    known stays so; of locals, activations know. The target's RAM starts as zeros, but the probe
    cannot know that."""

    def __init__(self, words):
        self.words = dict(words)
        self.known = set(words)
        self.part = (None, 0)    # the one word that is being covered, and the lanes so far
        self.covered = set()     # stack words that any write makes known

    def word(self, address):
        return self.words.get(address, 0)

    def is_known(self, address):
        return address in self.known

    def access(self, address, lanes):
        """Notes an access to a word that is not known."""
        if self.part[0] == address:
            lanes |= self.part[1]
        if lanes == 15:
            self.known.add(address)
        else:
            self.part = (address, lanes)


# What start-up code lets copy and clear for it.
COPYING = re.compile(r'_*(mem(cpy|set|move)|b(zero|copy)|aeabi_mem(cpy|set|clr|move)[48]?|(z|arch)_(bss_zero|data_copy)|'
                     r'(z|arch)_early_mem(set|cpy))')


class Oracle:
    def __init__(self, program, statements, emit, task=None):
        self.program, self.statements, self.emit = program, statements, emit
        self.memory = Memory(program.words)
        self.watched = {}        # word address -> [(statement, reference)]
        self.frames = {}         # Reference.frame() -> the activation that is meant now
        self.half = {}           # (statement, reference) -> State of what has been written in parts
        self.parts = Parts(program)
        self.counters = {name: 0 for s in statements for name in s.counters}
        self.unknown_evaluations = 0
        self.switches = {}       # name of a statement -> (enabled now, enabled before the last change, its time)
        self.stopped = False
        self.begins = {s: begins.places(program, s) for s in statements}
        self.waiting_by = {}     # (first instruction, prologue's end that is elsewhere) -> statements that wait for it
        for statement, places in self.begins.items():
            for low, end in places.items():
                if end != low:
                    self.waiting_by.setdefault((low, end), []).append(statement)
        self.entered_by, self.left_by, self.reached_by = {}, {}, {}
        self.read_by = {}        # word address -> [(statement, reference)]
        self.moving_reads = []   # of variables whose place is not fixed
        self.told = None         # (address, time) of the procedure entered last: its first instruction counts as reached
        self.deadlines, self.next_mark = [], MARK
        self.owners = {}         # statement -> its Holdings
        self.time = 0            # time of the event at hand
        for statement in statements:
            if statement.held_for or (statement.deadline and not statement.deadline_is_plain()):
                self._wait(statement, Holding(self, statement, statement.condition))
                continue
            if statement.deadline:
                deadline = Deadline(statement, program.word_after_start(statement.deadline[0].address & ~3))
                self.deadlines.append(deadline)
                self._watch(deadline.reference.address, deadline, deadline.reference)
                continue
            for condition in statement.compound.root.conditions() if statement.compound else ():
                if condition.held_for:
                    self._wait(statement, Holding(self, statement, condition))
            for reference in statement.references:
                if not reference.procedure and not reference.via:
                    self.watch_words(reference, statement)
            for low in statement.enters:
                self.entered_by.setdefault(low, []).append(statement)
            for low in statement.leaves:
                self.left_by.setdefault(low, []).append(statement)
            for reference in statement.reads:
                if reference.procedure or reference.via:
                    self.moving_reads.append((statement, reference))
                    continue
                for word in range(reference.words):
                    self.read_by.setdefault(reference.address + 4 * word, []).append((statement, reference))
            for address in statement.places:
                self.reached_by.setdefault(address, []).append(statement)
        self.local = {}          # Reference.frame() -> [(statement, reference)]
        everywhere = {}          # the same by procedure, also of what is only printed
        self.paths = {}          # Reference.frame() -> its path
        for statement in statements:
            others = [item[1] for item in statement.printed] + list(statement.aged) + statement.indices + statement.reads
            for snapshot in statement.snapshots:
                if snapshot.procedure:
                    self.paths[snapshot.frame()] = snapshot.path
            for holding in self.owners.get(statement, ()):
                for reference in holding.watched:
                    if reference.procedure:
                        self.paths[reference.frame()] = reference.path
                        everywhere.setdefault(reference.procedure, []).append((statement, reference))
                        self.local.setdefault(reference.frame(), []).append((holding, reference))
            single = statement in self.owners and not statement.compound
            for place, reference in enumerate([] if single else statement.references + others):
                if not reference.procedure:
                    continue
                self.paths[reference.frame()] = reference.path
                everywhere.setdefault(reference.procedure, []).append((statement, reference))
                if place < len(statement.references):
                    self.local.setdefault(reference.frame(), []).append((statement, reference))
        self.covers = {procedure: self._covers(pairs) for procedure, pairs in everywhere.items()}
        self.fresh = {}          # procedure -> offsets of words of locals that are not known when it is entered
        for reference in begins.named(statements):
            if not isinstance(reference, Snapshot) and self.is_new(reference):
                self.fresh.setdefault(reference.procedure, set()).update(reference.address + 4 * i for i in range(reference.words))
        self.activation_at = {}  # such a word -> the activation
        self.lanes_before = 15   # that this had written before the event
        self.last_written = {}   # (frame, place) of a reference whose age is asked for -> time
        self.times = Times()
        self.spilled = {aged(r): copy.copy(r) for s in statements for r in s.needed() if r.life}   # locals that the stack holds at times
        self.holds = {}          # of these -> the activation that has written what lies in its place now
        through = []
        for reference in {aged(r): r for s in statements for r in s.aged}.values():
            if reference.via:
                through.append(copy.copy(reference))
            elif reference.procedure:
                self.local.setdefault(reference.frame(), []).append((self.times, copy.copy(reference)))
            else:
                self._watch(reference.address, self.times, copy.copy(reference))
        self.pointers = Pointers(self, statements)
        for reference in through:
            self.pointers.of(reference).add(self.times, reference)
        for variable in self.pointers.fixed():
            if variable.procedure:
                self.paths[variable.frame()] = variable.path
                self.local.setdefault(variable.frame(), []).append((self.pointers, variable))
            else:
                self.watch_words(variable, self.pointers)
        self.turning = [deadline for deadline in self.deadlines if deadline.statement_paths()]
        self.kept = []           # the call stack as of the last event at which it changed, for these
        self.stack = CallStack(program, self._entered, self._left, self._settle, self._settle, self._restarted)
        self.pointers.update(start=True)
        self.tasks = tasks.Tasks(program, self, task) if task else None

    def _wait(self, statement, holding):
        self.deadlines.append(holding)
        self.owners.setdefault(statement, []).append(holding)
        for reference in holding.watched:
            if not reference.procedure and not reference.via:
                self.watch_words(reference, holding)

    # --- places --------------------------------------------------------------------------------

    def _watch(self, address, statement, reference):
        row = self.watched.setdefault(address & MASK, [])
        row.append((statement, reference))
        row.sort(key=lambda pair: pair[0].number)

    def unwatch_words(self, reference, statement):
        for place in range(self.place(reference), self.place(reference) + 4 * reference.words, 4):
            self.watched[place].remove((statement, reference))
            if not self.watched[place]:
                del self.watched[place]

    def watch_words(self, reference, statement):
        for i in range(reference.words):
            self._watch(self.place(reference) + 4 * i, statement, reference)

    @staticmethod
    def _covers(pairs):
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

    @staticmethod
    def is_new(reference):
        """Whether an activation knows it only once it has written it: what the caller has put on the stack is there before."""
        return bool(reference.procedure and not reference.via and not reference.life and lives.signed(reference.address & MASK, 32) < 0)

    def is_written(self, reference, places):
        written = self.frames[reference.frame()].written
        own = [(i, place) for i, place in enumerate(places) if lives.signed(reference.address + 4 * i & MASK, 32) < 0]
        return not any(reference.lanes >> 4 * i & 15 & ~written.get(place, 0) for i, place in own)

    def now(self):
        """Memory as it is."""
        return Now(self)

    def place(self, reference):
        if not reference.procedure:
            return reference.address
        return self.frames[reference.frame()].cfa + reference.address & MASK

    def _meant(self, frame):
        """The activation that a reference's frame means now, or None."""
        path, activations = self.paths[frame], self.stack.activations
        if path:
            found = path.find(activations)
        else:
            found = next((at for at in range(len(activations) - 1, -1, -1) if activations[at].procedure is frame[0]), None)
        return None if found is None or found >= STACK_MAX else activations[found]

    def settle(self):
        """Another task's activations are on the stack now."""
        self._settle(None)

    def _settle(self, _activation):
        """Follows the activations that are meant after the stack has changed."""
        before, changed = {id(a): a for a in self.frames.values()}, set()
        for frame in self.paths:
            meant, old = self._meant(frame), self.frames.get(frame)
            if meant is old:
                continue
            changed.add(frame)
            for holding in [holding for row in self.owners.values() for holding in row]:
                if holding.needs(frame):
                    holding.end(self.time)
            self._unwatch_locals(frame)
            if meant is None:
                self.frames.pop(frame)
            else:
                self.frames[frame] = meant
                self._watch_locals(frame)
        now = {id(a): a for a in self.frames.values()}
        for gone in before.keys() - now.keys():
            for offset in self.fresh.get(before[gone].procedure, ()):
                self.activation_at.pop(before[gone].cfa + offset & MASK, None)
            self.memory.covered -= {before[gone].cfa + offset & MASK for offset in self.covers.get(before[gone].procedure, ())}
        if changed:
            self.pointers.update(changed=changed)
        for new in now.keys() - before.keys():
            for offset in self.fresh.get(now[new].procedure, ()):
                self.activation_at[now[new].cfa + offset & MASK] = now[new]
            self.memory.covered |= {now[new].cfa + offset & MASK for offset in self.covers.get(now[new].procedure, ())}

    def held_before(self, reference):
        """Whether what lay in its place before the event at hand is what this activation had written last of the local."""
        return self.holds.get(aged(reference)) is self.frames[reference.frame()]

    def _note_spilled(self, address, lanes, pc):
        """Something was written where the stack holds locals of optimised code at times: one of them, or something else."""
        for key, reference in self.spilled.items():
            if not self.frames.get(reference.frame()) or self.place(reference) != address or not reference.lanes & lanes:
                continue
            try:
                own = reference.life.has(pc, True, self.stack.activations)
            except lives.Border:
                own = False
            if not own:
                self.holds.pop(key, None)
            elif not reference.lanes & ~lanes:
                self.holds[key] = self.frames[reference.frame()]

    def forget_age(self, reference):
        self.last_written.pop(aged(reference), None)

    def _watch_locals(self, frame):
        for key in [key for key in self.holds if key[0] == frame]:
            del self.holds[key]
        for statement, reference in self.local.get(frame, ()):
            self.half.pop((statement, reference), None)
            if statement is self.times:
                self.forget_age(reference)
            self.watch_words(reference, statement)

    def _unwatch_locals(self, frame):
        if frame in self.frames:
            for statement, reference in self.local.get(frame, ()):
                self.unwatch_words(reference, statement)

    # --- events --------------------------------------------------------------------------------

    def _entered(self, time):
        self.pass_deadlines(time)
        procedure = self.stack.activations[-1].procedure
        low, activations = procedure.low, self.stack.activations
        reached = self.reached_by.get(low, [])
        self.told = low, time
        for statement in sorted({*self.entered_by.get(low, ()), *reached}, key=lambda s: s.number):
            if self.begins[statement].get(low, low) != low or statement.held_for or statement.deadline:
                continue   # it waits for the prologue's end, or its deadlines are its events
            if statement.concerns('enter', low, activations) or statement.concerns('at', low, activations):
                self._evaluate(statement, Now(self, entered=low, reached=low), time, low)

    def _reached(self, address, time):
        self.pass_deadlines(time)
        if self.told == (address, time):
            return
        activations, begun = self.stack.activations, None
        procedure = activations[-1].procedure if activations else None
        waiting = self.waiting_by.get((procedure.low, address), ()) if procedure else ()
        if waiting and not activations[-1].begun:
            activations[-1].begun, begun = True, procedure.low
        for statement in sorted({*self.reached_by.get(address, ()), *waiting}, key=lambda s: s.number):
            low = begun if statement in waiting else None
            here = statement.concerns('at', address, activations)
            if statement.held_for or statement.deadline:
                continue   # its deadlines are its events
            if here or low is not None and (statement.concerns('enter', low, activations) or statement.concerns('at', low, activations)):
                self._evaluate(statement, Now(self, entered=low, reached=address, begun=low), time, address)

    def _read(self, address, lanes, time, pc):
        self.pass_deadlines(time)
        concerned = {}
        moving = [(s, r) for s, r in self.moving_reads if r.exists and (not r.procedure or self.frames.get(r.frame())) and
                  0 <= address - self.place(r) < 4 * r.words]
        if not moving and address not in self.read_by:
            return
        for statement, reference in [*self.read_by.get(address, ()), *moving]:
            if reference.lanes >> address - self.place(reference) & lanes:
                concerned.setdefault(statement, []).append(reference)
        for statement, references in sorted(concerned.items(), key=lambda item: item[0].number):
            event = Now(self)
            event.read = references
            event.accessed = address, lanes
            self._evaluate(statement, event, time, pc)

    def _left(self, time, pc):
        self.pass_deadlines(time)
        procedure = self.stack.activations[-1].procedure
        for statement in self.left_by.get(procedure.low, ()):
            if statement.concerns('leave', procedure.low, self.stack.activations):
                self._evaluate(statement, Now(self, left=procedure.low), time, pc)

    def _is_start_up(self, pc):
        """The store at pc is the start-up code's, or made for it."""
        return (all(COPYING.fullmatch(a.procedure.name) for a in self.stack.activations) and not self.stack.unknown and
                not (self.tasks and (self.tasks.here or self.tasks.main)) and
                (self.stack.activations or self._is_entry(pc)))

    def _is_entry(self, pc):
        entry = self.program.entry
        return any(p.low <= pc < p.high and p.low <= entry < p.high for p in self.program.procedures)

    def _restarted(self, time):
        """The program starts anew: what was begun before is over. Memory is as it was, and counters go on."""
        self.pass_deadlines(time)
        self.kept = []
        for deadline in self.deadlines:
            deadline.forget()
        for statement in self.statements:
            if statement.compound:
                statement.compound.seen = None
        self.last_written.clear()
        self.half.clear()
        if self.tasks:
            self.tasks.restart()

    def _written(self, address, before, lanes, time, pc):
        self.pass_deadlines(time)
        concerned, firsts, begun = {}, {}, []
        gone = self.pointers.gone(address, pc)
        for statement, reference in self.watched.get(address, ()):
            if reference.via and self.pointers.of_gone(reference, gone):
                continue
            place = self.place(reference)
            word = (address - place) // 4
            covered = reference.lanes & lanes << 4 * word
            if not covered:
                continue
            state = self.half.setdefault((statement, reference), State())
            ends, part = self.parts.write(state, pc, address, lanes, place, reference.lanes, covered, reference.words == 1,
                                          before is not None)
            if not part & 15 << 4 * word:
                state.first = {**(state.first if part else {}), word: before}
            if not ends:
                begun += [reference] if statement is self.pointers else []
                continue
            if reference.words > 1:
                firsts[reference.place()] = {i: state.first[i] if part & 15 << 4 * i or i == word else self._known(place + 4 * i)
                                             for i in range(reference.words)}
            elif part:
                firsts[reference.place()] = state.first[0]
            concerned.setdefault(statement, []).append(reference)
        done, pointers = concerned.pop(self.times, ()), concerned.pop(self.pointers, ())
        late = [(deadline, concerned.pop(deadline)) for deadline in self.deadlines if deadline in concerned]
        thens = {statement: {r: self._then(r, references, address, before, firsts) for r in statement.olds_through()}
                 for statement, references in concerned.items()}
        if pointers or gone or begun:
            self.pointers.update(written=pointers, gone=gone, begun=begun)
        for deadline, references in late:
            if isinstance(deadline, Holding):
                deadline.write(references, time)
            else:
                deadline.write(self.memory.word(address), time)
        for statement, references in concerned.items():
            event = Now(self, address=address, before=before)
            event.lanes = lanes
            event.thens = thens[statement]
            event.first = firsts
            event.written = references
            event.accessed = address, lanes
            event.alone = statement.is_alone()
            self._evaluate(statement, event, time, pc)
        for reference in done:
            try:
                if not reference.life or reference.life.has(pc, True, self.stack.activations):
                    self.last_written[aged(reference)] = time
            except lives.Border:
                self.forget_age(reference)

    def _turned(self, time):
        """The stack has changed, and statements about that have been evaluated: paths may be true now that were not, and the other way round."""
        if self.turning:
            now = self.stack.activations
            changed = [d for d in self.turning if any(is_true(now) != is_true(self.kept) for _, is_true in d.statement_paths())]
            if changed:
                self.pass_deadlines(time)
            self.kept = list(now)
            for deadline in changed:
                if isinstance(deadline, Holding) and deadline.held_for:
                    deadline.write(None, time)

    def _known(self, address):
        """What the word holds, or None."""
        return self.memory.word(address) if self.memory.is_known(address) else None

    def _then(self, reference, written, address, before, firsts):
        """The words of a reference through a pointer as of before an event: (whether it existed, the value of them or None for what is not known)."""
        if not reference.exists:
            return False, None
        first = firsts.get(reference.place()) if reference.text in [w.text for w in written] else None
        places = range(reference.address, reference.address + 4 * reference.words, 4)
        if isinstance(first, dict):
            words = [first[i] for i in range(reference.words)]
        elif reference.place() in firsts and reference.words == 1 and reference.text in [w.text for w in written]:
            words = [first]
        else:
            words = [before if at == address else self.memory.word(at) if self.memory.is_known(at) else None for at in places]
        return True, None if None in words else sum(word << 32 * i for i, word in enumerate(words))

    def pass_deadlines(self, time):
        """Evaluates all statements whose deadlines have passed by a time, in the order of these."""
        while self.deadlines:
            due = [d for d in self.deadlines if d.holds and not d.done and d.changed + d.clocks <= d.limit(time)]
            if not due:
                return
            passed = min(d.changed + d.clocks for d in due)
            statement = min((d.statement for d in due if d.changed + d.clocks == passed), key=lambda s: s.number)
            due = [d for d in due if d.statement is statement and d.changed + d.clocks == passed]
            for deadline in due:
                deadline.done = True
            self._evaluate(statement, Past(self, due[0]) if isinstance(due[0], Deadline) else Held(self, due), passed, None)

    def _marks(self, time):
        while self.next_mark <= time:
            self.pass_deadlines(self.next_mark)
            self.next_mark += MARK

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

    def _evaluate(self, statement, event, time, pc):
        if self.stopped or not self._enabled(statement, time):
            return
        if statement.compound:
            if not self._complete(statement, event, time, pc):
                return
            if isinstance(event, Held) and event.is_unknown:
                self.unknown_evaluations += 1
                return
        elif isinstance(event, Held):
            if event.is_unknown:
                self.unknown_evaluations += 1
                return
        elif not all(self.frames.get(frame) for frame in statement.frames()) or not self.pointers.exist(statement.needed()):
            return
        elif not self._surely_alive(statement.needed() + statement.snapshots, event, pc):
            return
        elif not all(existed for existed, _ in event.thens.values()):
            return
        event.time = time
        try:
            waited = isinstance(event, Held) and statement.held_for
            if not statement.compound and not waited and not statement.evaluate(event):
                return
        except Unknown:
            self.unknown_evaluations += 1
            return
        late = isinstance(event, Held)   # whose values were kept together
        values = {}
        try:
            for text, reference, old in statement.printed:
                values[text] = self._known_or(None, late, lambda: reference.show(event.old(reference) if old else event.word(reference)))
            for key, length in statement.times:
                values[key] = self._known_or(None, late, lambda: length(event) * 1000000000 // BUS_HZ)
        except Unknown:
            self.unknown_evaluations += 1
            return
        values.update({text: self._accessed(members, event) for text, members in statement.areas})
        values.update({snapshot.text: self._snapshot(snapshot) for snapshot in statement.snapshots})
        states = self._act(statement, time)
        values.update({text: states[done][name] for text, name, done in statement.kept})
        if statement.prints:
            position = pc is not None and self.program.line(pc)
            self.emit({'cycle': time, 'statement': statement.name, 'values': values,
                       'path': None if pc is None else [a.procedure.name for a in self._path()],
                       'file': position[0] if position else None, 'line': position[1] if position else None, 'pc': pc,
                       **({'task_pointer': self.tasks.address()} if self.tasks and pc is not None else {})})

    @staticmethod
    def _known_or(other, must, value):
        """A value that is printed: one that is not known takes none of the others with it, unless they must all be known."""
        try:
            return value()
        except Unknown:
            if must:
                raise
            return other

    def _accessed(self, members, event):
        """Which of the members the event wrote or read: {text: value, None where that is not known}."""
        at, lanes = event.accessed
        met = [(r, lanes << at - self.place(r) & r.lanes if 0 <= at - self.place(r) < 4 * r.words else 0) for r in members]
        met = [(r, part) for r, part in met if part]
        shown = {}
        for r, part in met:
            words = [self.place(r) + 4 * i for i in range(r.words)]
            known = part == r.lanes or (len(met) == 1 and not r.procedure and all(map(self.memory.is_known, words)))
            shown[r.text] = r.show(sum(self.memory.word(word) << 32 * i for i, word in enumerate(words))) if known else None
        return shown

    def _snapshot(self, snapshot):
        address = snapshot.address
        if snapshot.pointer:
            if self.pointers.follows(snapshot) and self.pointers.follow(snapshot.pointer).rests:
                return None
            try:
                address = snapshot.pointer.value(Now(self).word(snapshot.pointer))
            except Unknown:
                return None
            if address <= 4 or address > WINDOW - 4 * ((snapshot.size + 6) // 4):
                return None
        elif snapshot.procedure:
            address += self.frames[snapshot.frame()].cfa
        return snapshot.show(self.memory, address & 0xFFFFFFFF)

    def _alive(self, references, event, pc):
        """Whether the stack holds all locals of optimised code among references."""
        return all(r.life.has(pc, not event.is_control() and not event.read, self.stack.activations) for r in references if r.life)

    def _surely_alive(self, references, event, pc):
        """The same; where that cannot be told, the evaluation is unknown."""
        try:
            return self._alive(references, event, pc)
        except lives.Border:
            self.unknown_evaluations += 1
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
            return (all(self.frames.get(r.frame()) for r in needed if r.procedure) and self.pointers.exist(variables) and
                    self._alive(variables + (statement.snapshots if condition.completes else []), event, pc))
        event.time = time
        complete, unknown = compound.occurs(event, time, exists, event.conditions if isinstance(event, Held) else None)
        event.elapsed = time - compound.began
        self.unknown_evaluations += unknown
        return complete

    def _path(self):
        activations = self.stack.activations
        return activations if len(activations) <= STACK_MAX else activations[:STACK_MAX - 1] + activations[-1:]

    # --- replay --------------------------------------------------------------------------------

    def replay(self, log):
        """Takes all records. Returns (exit code, state, bus clocks)."""
        memory, words, known, watched, stack = self.memory, self.memory.words, self.memory.known, self.watched, self.stack
        activation_at, guarded = self.activation_at, self.pointers.guarded
        deferred = None  # arguments of stack.jump(): an interrupt may come before the jump's target is fetched
        for kind, lanes, _, pc, a, b, c, time, fetch in RECORD.iter_unpack(log):
            if time >= self.next_mark and not (deferred and deferred[-1] < self.next_mark):
                self._marks(time)
            if deferred:
                self.time = deferred[-1]
                if kind == TRAP and time == deferred[-1]:
                    if self.tasks:
                        self.tasks.arrive(deferred[3])
                        self.tasks.interrupted()
                    stack.interrupt(pc, a, c, time, deferred, b)
                    self._turned(time)
                    deferred = None
                    continue
                if self.tasks:
                    self.tasks.arrive(deferred[3])
                stack.jump(*deferred)
                self._turned(self.time)
                deferred = None
                if time >= self.next_mark:
                    self._marks(time)
            self.time = time
            if kind == STORE:
                before = words.get(a, 0)
                words[a] = b if lanes == 15 else before & ~LANE_BITS[lanes] | b & LANE_BITS[lanes]
                if a not in known:
                    before = None
                    if a < DEVICES:
                        memory.access(a, lanes)
                if a in memory.covered:
                    known.add(a)
                if a in activation_at:
                    written = activation_at[a].written
                    self.lanes_before = written.get(a, 0)
                    written[a] = self.lanes_before | lanes
                if (a in watched or a in guarded) and self._is_start_up(pc):
                    self.pointers.update(written=[r for s, r in watched.get(a, ()) if s is self.pointers])
                elif a in watched or a in guarded:
                    self._written(a, before, lanes, time, pc)
                if self.spilled:
                    self._note_spilled(a, lanes, pc)
                if self.tasks and a == self.tasks.pointer & ~3:
                    self.tasks.written()
            elif kind == JUMP:
                deferred = (pc, a, b, c, time)
            elif kind == MRET:
                pending, found = stack.mret(pc, fetch)
                new = False
                if self.tasks:
                    new, pending = self.tasks.arrive(c, pending, found, a)
                self._turned(fetch)
                if new and not pending and not stack.activations:
                    deferred = (None, a, 0, c, time)
                if pending and pending[1] == a:
                    deferred = pending[:-1] + (time,)
            elif kind == TRAP:
                if self.tasks:
                    self.tasks.interrupted()
                stack.interrupt(pc, a, c, time, None, b)
                self._turned(time)
            elif kind == LOAD:
                if a not in known:
                    memory.access(a, lanes)
            elif kind == READ:
                self._read(a, lanes, time, pc)
            elif kind == AT:
                self._reached(pc, time)
            else:
                self.pass_deadlines(time)   # at the end, what has passed is told
                return a, b, time
        raise ValueError('the log has no end')


def places(program, texts):
    """Options of retire-log for what the statements need."""
    statements = language.parse(program, tasks.split(texts)[1])
    addresses = sorted(set().union(*(statement.places for statement in statements),
                                   *(begins.places(program, statement).values() for statement in statements)))
    if any(r.procedure or r.via for s in statements for r in s.reads):
        return [word for address in addresses for word in ('--at', str(address))] + ['--reads']
    reads = sorted({r.address + 4 * word for s in statements for r in s.reads for word in range(r.words)})
    return [word for address in addresses for word in ('--at', str(address))] + [word for a in reads for word in ('--read', str(a))]


def hits(program, texts, log):
    """Replays a log. Returns (list of hits, summary)."""
    found = []
    task, texts = tasks.split(texts)
    oracle = Oracle(program, language.parse(program, texts), found.append, task)
    code, _, cycles = oracle.replay(log)
    if oracle.stopped:   # how far the target comes until the host knows is nobody's promise
        code = cycles = None
    return found, {'exit_code': code, 'cycles': cycles, 'counters': oracle.counters, 'unknown': oracle.unknown_evaluations}


class Text(argparse.Action):
    """Keeps -e and -s in the order given."""

    def __call__(self, parser, namespace, value, option=None):
        if option == '-s':
            with open(value, encoding='utf-8') as stream:
                value = stream.read()
        namespace.texts = (namespace.texts or []) + [value]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('program')
    parser.add_argument('log')
    parser.add_argument('-e', dest='texts', action=Text, metavar='STATEMENT')
    parser.add_argument('-s', dest='texts', action=Text, metavar='FILE')
    options = parser.parse_args()
    with open(options.log, 'rb') as stream:
        log = stream.read()
    try:
        found, summary = hits(Program(options.program), options.texts or [], log)
    except StatementError as error:
        sys.exit(f'oracle.py: {error}')
    for hit in found:
        print(json.dumps(hit))
    print(json.dumps(summary))


if __name__ == '__main__':
    main()
