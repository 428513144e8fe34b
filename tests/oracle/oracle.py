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
from call_frames import Frames  # noqa: E402
from evaluation import Evaluation  # noqa: E402
from holding import Deadline, Held, Holding, Past, Times  # noqa: E402
from memory import Memory  # noqa: E402
from now import Now  # noqa: E402
from parts import Parts  # noqa: E402
from pointers import Pointers  # noqa: E402
from program import Program  # noqa: E402
from references import aged  # noqa: E402
from stack import CallStack  # noqa: E402
from tokens import StatementError  # noqa: E402
from watched import Watched  # noqa: E402
import begins  # noqa: E402
import language  # noqa: E402
import lives  # noqa: E402
import tasks  # noqa: E402

RECORD = struct.Struct('<BBHIIIIQQ')
STORE, JUMP, TRAP, MRET, LOAD, END, AT, READ = range(8)
LANE_BITS = [sum(0xFF << 8 * lane for lane in range(4) if mask >> lane & 1) for mask in range(16)]
DEVICES = 0x10000000  # addresses from here on are not memory
MARK = 1 << 16   # clocks after which a deadline that has passed is noticed at last

# What start-up code lets copy and clear for it.
COPYING = re.compile(r'_*(mem(cpy|set|move)|b(zero|copy)|aeabi_mem(cpy|set|clr|move)[48]?|(z|arch)_(bss_zero|data_copy)|'
                     r'(z|arch)_early_mem(set|cpy))')


class Oracle:
    """What happens in a run, event by event: memory and the call stack follow it, and statements are evaluated whose event it is."""

    def __init__(self, program, statements, emit, task=None):
        self.program, self.statements = program, statements
        self.memory = Memory(program.words)
        self.parts = Parts(program)
        self.evaluation = Evaluation(self, statements, emit)
        self.begins = {s: begins.places(program, s) for s in statements}
        self.waiting_by = {}     # (first instruction, prologue's end that is elsewhere) -> statements that wait for it
        for statement, places in self.begins.items():
            for low, end in places.items():
                if end != low:
                    self.waiting_by.setdefault((low, end), []).append(statement)
        self.told = None         # (address, time) of the procedure entered last: its first instruction counts as reached
        self.time = 0            # time of the event at hand
        self.deadlines, self.next_mark = [], MARK
        self.owners = {}         # statement -> its Holdings
        for statement in statements:
            self._add_deadlines(statement)
        self.turning = [deadline for deadline in self.deadlines if deadline.statement_paths()]
        self.kept = []           # the call stack as of the last event at which it changed, for these
        self.frames = Frames(self, statements)
        self.watched = Watched(self.frames.place)
        self.entered_by, self.left_by, self.reached_by = {}, {}, {}
        self.read_by = {}        # word address -> [(statement, reference)]
        self.moving_reads = []   # of variables whose place is not fixed
        for deadline in self.deadlines:
            self._watch_deadline(deadline)
        for statement in statements:
            if not self._is_over_deadlines(statement):
                self._listen(statement)
        self.times = Times()
        through = self._listen_for_ages()
        self.pointers = Pointers(self, statements)
        for reference in through:
            self.pointers.of(reference).add(self.times, reference)
        for variable in self.pointers.fixed():
            self._follow(self.pointers, variable)
        self.stack = CallStack(program, self._entered, self._left, self._settle, self._settle, self._restarted)
        self.pointers.update(start=True)
        self.tasks = tasks.Tasks(program, self, task) if task else None

    # --- what is listened for --------------------------------------------------------------------

    @staticmethod
    def _is_over_deadlines(statement):
        """Whether it is evaluated when a time is over, and at nothing else."""
        return statement.held_for or statement.deadline

    def _add_deadlines(self, statement):
        if statement.held_for or (statement.deadline and not statement.deadline_is_plain()):
            conditions = [statement.condition]
        elif statement.deadline:
            self.deadlines.append(Deadline(statement, self.program.word_after_start(statement.deadline[0].address & ~3)))
            return
        else:
            conditions = [c for c in statement.compound.root.conditions() if c.held_for] if statement.compound else []
        for condition in conditions:
            holding = Holding(self, statement, condition)
            self.deadlines.append(holding)
            self.owners.setdefault(statement, []).append(holding)

    def _watch_deadline(self, deadline):
        if isinstance(deadline, Deadline):
            self.watched.add_word(deadline.reference.address, deadline, deadline.reference)
            return
        for reference in deadline.watched:
            if not reference.procedure and not reference.via:
                self.watched.add(deadline, reference)

    def _listen(self, statement):
        for reference in statement.references:
            if not reference.procedure and not reference.via:
                self.watched.add(statement, reference)
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

    def _listen_for_ages(self):
        """Of variables whose age is asked for. Returns those that pointers lead to."""
        through = []
        for reference in {aged(r): copy.copy(r) for s in self.statements for r in s.aged}.values():
            if reference.via:
                through.append(reference)
            else:
                self._follow(self.times, reference)
        return through

    def _follow(self, listener, reference):
        if reference.procedure:
            self.frames.follow(listener, reference)
        else:
            self.watched.add(listener, reference)

    # --- events --------------------------------------------------------------------------------

    def _settle(self, _activation):
        """An activation has come or gone."""
        self.frames.settle()

    def _entered(self, time):
        self.pass_deadlines(time)
        procedure = self.stack.activations[-1].procedure
        low, activations = procedure.low, self.stack.activations
        reached = self.reached_by.get(low, [])
        self.told = low, time
        for statement in sorted({*self.entered_by.get(low, ()), *reached}, key=lambda s: s.number):
            if self.begins[statement].get(low, low) != low or self._is_over_deadlines(statement):
                continue   # it waits for the prologue's end, or its deadlines are its events
            if statement.concerns('enter', low, activations) or statement.concerns('at', low, activations):
                self.evaluation.at(statement, Now(self, entered=low, reached=low), time, low)

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
            if self._is_over_deadlines(statement):
                continue   # its deadlines are its events
            if here or low is not None and (statement.concerns('enter', low, activations) or statement.concerns('at', low, activations)):
                self.evaluation.at(statement, Now(self, entered=low, reached=address, begun=low), time, address)

    def _read(self, address, lanes, time, pc):
        self.pass_deadlines(time)
        concerned = {}
        moving = [(s, r) for s, r in self.moving_reads if r.exists and self.frames.exist([r]) and 0 <= address - self.frames.place(r) < 4 * r.words]
        if not moving and address not in self.read_by:
            return
        for statement, reference in [*self.read_by.get(address, ()), *moving]:
            if reference.lanes >> address - self.frames.place(reference) & lanes:
                concerned.setdefault(statement, []).append(reference)
        for statement, references in sorted(concerned.items(), key=lambda item: item[0].number):
            event = Now(self)
            event.read = references
            event.accessed = address, lanes
            self.evaluation.at(statement, event, time, pc)

    def _left(self, time, pc):
        self.pass_deadlines(time)
        procedure = self.stack.activations[-1].procedure
        for statement in self.left_by.get(procedure.low, ()):
            if statement.concerns('leave', procedure.low, self.stack.activations):
                self.evaluation.at(statement, Now(self, left=procedure.low), time, pc)

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
        self.times.last.clear()
        self.watched.forget_all_parts()
        if self.tasks:
            self.tasks.restart()

    def _written(self, address, before, lanes, time, pc):
        self.pass_deadlines(time)
        concerned, firsts, begun = {}, {}, []
        gone = self.pointers.gone(address, pc)
        for statement, reference in self.watched.at(address):
            if reference.via and self.pointers.of_gone(reference, gone):
                continue
            place = self.frames.place(reference)
            word = (address - place) // 4
            covered = reference.lanes & lanes << 4 * word
            if not covered:
                continue
            state = self.watched.state(statement, reference)
            ends, part = self.parts.write(state, pc, address, lanes, place, reference.lanes, covered, reference.words == 1,
                                          before is not None)
            if not part & 15 << 4 * word:
                state.first = {**(state.first if part else {}), word: before}
            if not ends:
                begun += [reference] if statement is self.pointers else []
                continue
            if reference.words > 1:
                firsts[reference.place()] = {i: state.first[i] if part & 15 << 4 * i or i == word else self.memory.known_word(place + 4 * i)
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
            self.evaluation.at(statement, event, time, pc)
        for reference in done:
            try:
                if not reference.life or reference.life.has(pc, True, self.stack.activations):
                    self.times.note(reference, time)
            except lives.Border:
                self.times.forget(reference)

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
            words = [before if at == address else self.memory.known_word(at) for at in places]
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
            self.evaluation.at(statement, Past(self, due[0]) if isinstance(due[0], Deadline) else Held(self, due), passed, None)

    def _marks(self, time):
        while self.next_mark <= time:
            self.pass_deadlines(self.next_mark)
            self.next_mark += MARK

    # --- replay --------------------------------------------------------------------------------

    def replay(self, log):
        """Takes all records. Returns (exit code, state, bus clocks)."""
        memory, words, known, watched, stack = self.memory, self.memory.words, self.memory.known, self.watched, self.stack
        activation_at, guarded = self.frames.activation_at, self.pointers.guarded
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
                    self.frames.lanes_before = written.get(a, 0)
                    written[a] = self.frames.lanes_before | lanes
                if (a in watched or a in guarded) and self._is_start_up(pc):
                    self.pointers.update(written=[r for s, r in watched.at(a) if s is self.pointers])
                elif a in watched or a in guarded:
                    self._written(a, before, lanes, time, pc)
                if self.frames.spilled:
                    self.frames.note_spilled(a, lanes, pc)
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
    if oracle.evaluation.stopped:   # how far the target comes until the host knows is nobody's promise
        code = cycles = None
    return found, {'exit_code': code, 'cycles': cycles, 'counters': oracle.evaluation.counters, 'unknown': oracle.evaluation.unknown}


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
