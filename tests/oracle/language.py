"""The oracle's own reading of monitoring statements: text to functions bound to variables."""
import itertools

import events
from arithmetic import CONSTANTS, TIME, binary, character, clocks, common, number, wrap
from operands import Reference, Snapshot, scalars
from statement import Statement
from tokens import StatementError
from variables import Variables

LEVELS = [('||',), ('&&',), ('|',), ('^',), ('&',), ('==', '!='), ('<', '<=', '>', '>='), ('<<', '>>'), ('+', '-'), ('*', '/', '%')]
ELAPSED = ('elapsed_ns', lambda e: e.elapsed)


class Parser(Variables):
    # --- statements ----------------------------------------------------------------------------

    def statements(self, first_number):
        made = []
        while self.tokens[self.at][0] != 'end':
            if self.accept(';'):
                continue
            number = first_number + len(made)
            self.statement = statement = Statement(number, None)
            if self.tokens[self.at][0] == 'name' and self.peek(1) == ':':
                statement.name = self.take()
                self.take(':')
            if self.peek() == 'disabled' and self.tokens[self.at + 1][0] == 'name':
                self.take()
                statement.disabled = True
            self.accept('when')
            self.accept('expect') and (self.accept('never') or self.accept('eventually'))
            event = self.sequence()
            if isinstance(event, events.When):
                statement.evaluate, statement.held_for, statement.condition = event.holds, event.held_for, event
            else:
                statement.compound = events.Compound(event)
            if self.tokens[self.at][0] == 'end':
                self.print_all()
            else:
                self.actions()
            made.append(statement)
        return made

    # --- events: each gives a node of events.py ---------------------------------------------------

    def sequence(self):
        node = self.joined('or', self.joined_and)
        while self.accept('then'):
            node = events.Then(node, self.joined('or', self.joined_and))
        if self.accept('within'):
            node.within = clocks(self.take())
        return node

    def joined(self, word, below):
        node = below()
        while self.accept(word):
            node = (events.Or if word == 'or' else events.And)(node, below())
        return node

    def joined_and(self):
        return self.joined('and', self.held)

    def held(self):
        """A condition, or an event in parentheses: these hold a word that joins events."""
        if self.peek() == '(':
            depth, ahead = 0, 0
            while True:
                token = self.peek(ahead)
                depth += (token == '(') - (token == ')')
                lasts = token == 'for' and self.peek(ahead - 1) != 'unchanged'
                if (token in ('then', 'and', 'or', 'within') or lasts) and token not in self.program.globals:
                    self.take('(')
                    node = self.sequence()
                    self.take(')')
                    return node
                ahead += 1
                if depth == 0 or self.at + ahead >= len(self.tokens):
                    break
        self.condition = node = events.When()
        node.holds = self.expression()[0]
        if self.accept('for'):
            node.held_for = clocks(self.take())
            self.statement.waits = True
        self.begin_paths(node)
        return node

    def actions(self):
        self.take('{')
        while not self.accept('}'):
            if self.accept(';'):
                continue
            line = self.line()
            verb = self.name()
            if verb == 'print':
                self.statement.prints = True
                if self.peek() in (';', '}') or self.line() != line:
                    self.print_all()
                else:
                    self.print_item()
                    while self.accept(','):
                        self.print_item()
            elif verb in ('count', 'increment', 'decrement', 'set', 'reset'):
                name, value = self.name(), 0
                if verb == 'set':
                    self.take('=')
                    negative = self.accept('-')
                    value = number(self.take())[0](None)
                    value = wrap(-value if negative else value, True)
                self.statement.counters.add(name)
                self.statement.actions.append(('set' if verb == 'reset' else 'count' if verb == 'increment' else verb, name, value))
            elif verb in ('enable', 'disable'):
                self.statement.actions.append((verb, self.name(), 0))
            elif verb == 'stop':
                self.statement.actions.append((verb, None, 0))
            elif verb == 'snapshot':
                self.statement.prints = True
                self.snapshot()
                while self.accept(','):
                    self.snapshot()
            else:
                raise StatementError(f'unknown action {verb!r}')

    def snapshot(self):
        if self.peek() == 'memory' and self.peek(1) == '(':
            self.take()
            self.take()
            address = number(self.take())[0](None)
            self.take(',')
            count = number(self.take())[0](None)
            self.take(')')
            self.statement.snapshots.append(Snapshot(f'memory(0x{address:x},{count})', None, address, count))
            return
        follow = self.accept('*')
        text, type_, local, address, path, bits, _ = self.named_place()
        if not follow:
            self.statement.snapshots.append(Snapshot(text, type_, address, type_.size, local, path, bits=bits))
            self.statement.snapshots[-1].life = self.life
            return
        pointer = Reference(text, type_, local, address, *bits, path)
        self.statement.snapshots.append(Snapshot(f'*{text}', type_.of, 0, type_.of.size, local, path, pointer))

    def keep(self, name):
        """A counter is printed: what is printed already is shown again only when it has changed since."""
        actions, kept = self.statement.actions, self.statement.kept
        before = [done for _, counter, done in kept if counter == name]
        changed = before and any(verb in ('count', 'decrement', 'set') and counter == name for verb, counter, _ in actions[before[-1]:])
        if not before or changed:
            kept.append((f'{name}#{len(before) + 1}' if before else name, name, len(actions)))

    def print_all(self):
        self.statement.prints = True
        for text, reference, old in self.statement.named:
            if reference:
                self.statement.printed.append((text, reference, old))
            else:
                self.keep(text)
        self.statement.times += self.statement.named_times
        self.statement.areas += [] if self.statement.waits else self.statement.named_areas

    def is_counter(self):
        kind, token = self.tokens[self.at]
        return kind == 'name' and self.peek(1) not in ('.', '[', '\\', '->', ':') and not self.program.find(token)

    def print_item(self):
        if self.peek() == 'old' and self.peek(1) == '(':
            self.take()
            self.take('(')
            reference = self.reference(False)
            self.take(')')
            self.statement.printed.append((f'old({reference.text})', reference, True))
        elif self.peek() == 'age' and self.peek(1) == '(':
            self.statement.times.append(self.age(False))
        elif self.peek() == 'elapsed' and 'elapsed' not in self.program.globals:
            self.take()
            self.statement.times.append(ELAPSED)
        elif self.is_counter():
            name = self.name()
            self.statement.counters.add(name)
            self.keep(name)
        else:
            reference = self.reference(False)
            self.statement.printed.append((reference.text, reference, False))

    # --- expressions: each gives (function of an event, is signed) ----------------------------------

    def expression(self, level=-1):
        if level < 0:
            return self.choice()
        if level == len(LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.tokens[self.at][0] == 'op' and self.peek() in LEVELS[level]:
            op = self.take()
            left = binary(op, left, self.expression(level + 1))
        return left

    def choice(self):
        condition = self.expression(0)
        if not self.accept('?'):
            return condition
        (a, a_type), _, (b, b_type) = self.choice(), self.take(':'), self.choice()
        type_ = common(a_type, b_type)
        return (lambda e: wrap(a(e) if condition[0](e) else b(e), type_)), type_

    def unary(self):
        if self.accept('-'):
            value, signed = self.unary()
            return lambda e: wrap(-value(e), signed), signed
        if self.accept('+'):
            return self.unary()
        if self.accept('~'):
            value, signed = self.unary()
            return lambda e: wrap(~value(e), signed), signed
        if self.accept('!'):
            value, _ = self.unary()
            return lambda e: int(not value(e)), True
        return self.primary()

    def primary(self):
        substate = self.substate()
        if substate:
            return substate
        kind, token = self.tokens[self.at]
        if kind == 'op' and self.accept('('):
            inner = self.expression()
            self.take(')')
            return inner
        if self.begins_path():
            return self.variable()
        if kind == 'number':
            return number(self.take())
        if kind == 'time':
            length = clocks(self.take())
            return (lambda e: length), TIME
        if kind == 'char':
            value = character(self.take()[1:-1])
            return (lambda e: value), True
        call = self.peek(1) == '('
        if kind == 'name' and call and token == 'at':
            return self.at_place()
        if kind == 'name' and call and token in ('enter', 'leave'):
            return self.control(self.take())
        if kind == 'name' and call and token == 'age':
            self.statement.named_times.append(self.age(True))
            return self.statement.named_times[-1][1], TIME
        area = self.area(token) if kind == 'name' and call and token in ('read', 'write') else None
        if area:
            return area
        if kind == 'name' and call and token in ('old', 'write'):
            self.take()
            self.take('(')
            reference = self.reference(True)
            self.take(')')
            self.statement.named.append((reference.text, reference, False) if token == 'write'
                                        else (f'old({reference.text})', reference, True))
            if token == 'write':
                return (lambda e: int(reference in e.written)), True
            self.condition.olds.append(reference)
            return (lambda e: reference.value(e.old(reference))), reference.promoted_signed
        if kind == 'name' and call and token == 'read':
            self.take()
            self.take('(')
            self.in_index += 1
            reference = self.reference(False)
            self.in_index -= 1
            self.take(')')
            self.statement.named.append((reference.text, reference, False))
            self.statement.reads.append(reference)
            self.condition.reads.append(reference)
            return (lambda e: int(reference in e.read)), True
        plain = kind == 'name' and self.peek(1) not in ('.', '[', '\\') and token not in self.program.globals
        if plain and token == 'elapsed':
            self.take()
            self.statement.named_times.append(ELAPSED)
            return ELAPSED[1], TIME
        if plain and token in CONSTANTS:
            value = CONSTANTS[self.take()]
            return (lambda e: value), True
        if plain and token in self.program.enumerators:
            value = self.program.enumerators[self.take()]
            signed = value <= 0x7FFFFFFF
            return (lambda e: wrap(value, signed)), signed
        if kind == 'name' and self.is_counter():
            name = self.name()
            self.statement.counters.add(name)
            self.statement.named.append((name, None, False))
            return (lambda e: e.counter(name)), True
        return self.variable()

    def area(self, verb):
        """write(x), read(x) of an array or a struct; else None."""
        start, write = self.at, verb == 'write'
        end = self.tokens.index(('op', ')'), start)
        if any(token == '[' and self.tokens[at + 1][0] != 'number' for at, (_, token) in enumerate(self.tokens[start:end], start)):
            return None   # an element with a variable index is no whole
        self.take()
        self.take('(')
        references, noted = len(self.statement.references), len(self.condition.references)
        self.in_index += not write
        text, type_, procedure, address, path, _, via = self.named_place(write)
        self.in_index -= not write
        if type_.kind not in ('struct', 'array'):
            del self.statement.references[references:], self.condition.references[noted:]
            self.at = start
            return None
        self.take(')')
        life = None if via else self.life
        members = []
        for name, of, at, bit_first, bits in scalars(text, type_, address):
            made = Reference(name, of, procedure, at, bit_first, bits, path, via)
            made.life = life
            members.append(self.noted(made, write))
        if not write:
            self.statement.reads += members
            self.condition.reads += members
        if text not in [name for name, _ in self.statement.named_areas]:
            self.statement.named_areas.append((text, members))
        return (lambda e: int(any(r in (e.written if write else e.read) for r in members))), True

    def variable(self):
        reference = self.reference(self.in_predicate)
        if not self.in_predicate:
            self.statement.indices.append(reference)
        self.statement.named.append((reference.text, reference, False))
        if self.peek() == 'unchanged' and self.peek(1) == 'for':
            self.take('unchanged')
            self.take('for')
            self.statement.waits = True
            self.statement.deadline = reference, clocks(self.take())
            return (lambda e: 1), True
        return (lambda e: reference.value(e.word(reference))), reference.promoted_signed

    def age(self, in_predicate):
        """(key, function of an event) of age(x)."""
        self.take('age')
        self.take('(')
        reference = self.reference(in_predicate)
        self.take(')')
        self.statement.aged.add(reference)
        if not in_predicate:
            self.statement.aged_printed.add(reference)
        return f'age({reference.text})_ns', lambda e: e.age(reference)


def parse(program, texts):
    """All statements of several texts, numbered in order."""
    made = []
    for text in texts:
        made += Parser(program, text).statements(len(made))
    names = {statement.name for statement in made}
    free = (name for name in map('s{}'.format, itertools.count(1)) if name not in names)
    for statement in made:
        statement.name = statement.name or next(free)
    return made
