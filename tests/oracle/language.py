"""The oracle's own reading of monitoring statements: text to trees bound to variables, and their values as C defines them."""
import fractions
import itertools
import math
import re
import struct

import events
import paths

TOKEN = re.compile(r"\s+|#[^\n]*|(?P<time>[0-9]+(?:\.[0-9]+)?\s*(?:ns|us|ms|s|cycles)\b)|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+\.[0-9]+f?|[0-9]+[uUlL]*)"
                   r"|(?P<char>'(?:\\.[^']*|[^'\\])')|(?P<name>[A-Za-z_]\w*)"
                   r"|(?P<op>\|\||&&|->|==|!=|<=|>=|<<|>>|[-+~!&|^<>()\[\]{}.,;:\\=*/%?])")
LEVELS = [('||',), ('&&',), ('|',), ('^',), ('&',), ('==', '!='), ('<', '<=', '>', '>='), ('<<', '>>'), ('+', '-'), ('*', '/', '%')]
ESCAPES = {'n': 10, 't': 9, 'r': 13, '0': 0, '\\': 92, "'": 39, '"': 34, 'a': 7, 'b': 8, 'f': 12, 'v': 11}
MASK = 0xFFFFFFFF
BUS_HZ = 10000000   # of the simulated target
UNITS = {'ns': 1, 'us': 1000, 'ms': 1000000, 's': 1000000000}   # in ns
# Types of values: True for int, False for unsigned, and these
LONG, ULONG, FLOAT, DOUBLE = 'long long', 'unsigned long long', 'float', 'double'
TIME = 'time'   # instead of a sign: a length of time in clocks
CONSTANTS = {'true': 1, 'false': 0, 'NULL': 0}


class StatementError(Exception):
    pass


class NoCode(StatementError):
    """A line without code."""


class Unknown(Exception):
    """A value that the evaluation needs is not known."""


class Reference:
    """One scalar: lanes of one word, at an absolute address, at an offset from the frame address of `procedure`, or at one from the
    value of the pointer that `via` refers to."""

    def __init__(self, name, type_, procedure, address, bit_first, bit_size, path=None, via=None):
        self.life = None    # of a local of optimised code: when the stack holds it
        self.path = path    # of a local: None stands for the innermost activation of its procedure
        self.text, self.type, self.procedure = name, type_, procedure
        self.via, self.offset, self.bit_first = via, address, bit_first
        self.bits = bits = bit_size or 8 * type_.size
        self._place(address)
        self.exists = not via
        self.signed = type_.signed
        # integer promotion: what an int can hold becomes an int
        self.promoted_signed = type_.kind != 'pointer' and (bits < 32 or type_.signed)
        if type_.kind == 'float':
            self.promoted_signed = DOUBLE if type_.size == 8 else FLOAT
        elif bits > 32:
            self.promoted_signed = LONG if type_.signed else ULONG

    def _place(self, address):
        first = 8 * address + self.bit_first
        self.address = first // 32 * 4   # of the word; an offset may be negative
        self.shift = first % 32
        low, high = self.shift // 8, (self.shift + self.bits - 1) // 8
        self.words = high // 4 + 1       # `lanes` has four bits for each
        self.lanes = sum(1 << lane for lane in range(low, high + 1))

    def move(self, target):
        """The pointer that it goes through points there; None: nowhere."""
        self.exists = target is not None
        if self.exists:
            self._place(target + self.offset & MASK)

    def place(self):
        """What tells variables apart that are written in parts: references to the same bytes are one."""
        return self.procedure, self.address, self.lanes

    def frame(self):
        """What tells activations apart that references mean."""
        return self.procedure, self.path and self.path.text

    def number(self, word):
        """Its bits alone, as an unsigned number."""
        shift = self.shift
        if self.type.big:   # `shift` counts from the other end
            word, shift = int.from_bytes(word.to_bytes(4 * self.words, 'little'), 'big'), 32 * self.words - shift - self.bits
        return word >> shift & (1 << self.bits) - 1

    def placed(self, number):
        """A word with these bits."""
        if self.type.big:
            return int.from_bytes((number << 32 * self.words - self.shift - self.bits).to_bytes(4 * self.words, 'big'), 'little')
        return number << self.shift

    def value(self, word):
        value = self.number(word)
        if self.type.kind == 'float':
            return struct.unpack('<d' if self.bits == 64 else '<f', value.to_bytes(self.bits // 8, 'little'))[0]
        if self.signed and value >> self.bits - 1:
            value -= 1 << self.bits
        return value

    def show(self, word):
        """The value as --json gives it."""
        value = self.value(word)
        if self.type.kind == 'bool':   # what no bool holds is shown as it is: the stack's bytes before the first write
            return bool(value) if value < 2 else value
        if self.type.kind == 'enum':
            return self.type.names.get(value, value)
        if self.type.kind == 'float':
            if math.isnan(value):
                return 'nan'   # JSON has no such numbers
            return value if math.isfinite(value) else 'inf' if value > 0 else '-inf'
        return value


class Element:
    """Where a reference with a variable index lies: what it is an offset from, instead of a pointer. `via`: the pointer before it, or None,
    when it is an array at a fixed address."""

    def __init__(self, via, address, align):
        self.via, self.address, self.align = via, address, align
        self.indices = []         # (function of an Event, stride, count or None)
        self.references = []      # that they name
        self.text = ''            # of the indices

    def add(self, index, references, stride, count, text):
        self.indices.append((index, stride, count))
        self.references += references
        self.text += f'[{text}*{stride}/{count}]'
        while stride % self.align:
            self.align //= 2

    def offset(self, event):
        """From the pointer's target or the address on; None: there is no such element. Raises Unknown."""
        total = 0
        for index, stride, count in self.indices:
            at = wrap(index(event), True)
            if count is not None and not 0 <= at < count:
                return None
            total += at * stride
        return total


class Snapshot:
    """Bytes of an object, or those with a bit-field: at an address, at an offset from a frame address, or where a pointer (a Reference)
    leads to."""

    life = None   # of a local of optimised code: when the stack holds it

    def __init__(self, text, type_, address, size, procedure=None, path=None, pointer=None, bits=(0, 0)):
        self.text, self.type, self.address, self.size, self.bits = text, type_, address, size, bits
        self.procedure, self.path, self.pointer = procedure, path, pointer

    def frame(self):
        return self.procedure, self.path and self.path.text

    def show(self, memory, address):
        """The object as --json gives it: what is not known is None."""
        return shown(self.type, memory, address, *self.bits) if self.type else [one_byte(memory, address + i) for i in range(self.size)]


def one_byte(memory, address):
    return memory.word(address & ~3) >> 8 * (address & 3) & 255 if memory.is_known(address & ~3) else None


def shown(type_, memory, address, bit_first=0, bit_size=0):
    if type_.kind == 'struct':
        found = {}
        for name, of, offset, first, size in type_.members:
            value = shown(of, memory, address + offset, first, size)
            found.update(value if name is None else {name: value})
        return found
    if type_.kind == 'array':
        return [shown(type_.of, memory, address + i * type_.of.size) for i in range(type_.count)]
    part = Reference('', type_, None, address, bit_first, bit_size)
    words = [part.address + 4 * i for i in range(part.words)]
    if not all(map(memory.is_known, words)):
        return None
    return part.show(sum(memory.word(at) << 32 * i for i, at in enumerate(words)))


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


def wrap(value, signed):
    if signed in (LONG, ULONG):
        value &= (1 << 64) - 1
        return value - (1 << 64) if signed == LONG and value >> 63 else value
    if signed in (FLOAT, DOUBLE):
        try:
            return struct.unpack('<f', struct.pack('<f', value))[0] if signed == FLOAT else float(value)
        except OverflowError:
            return float('inf') if value > 0 else -float('inf')
    value &= MASK
    return value - (1 << 32) if signed and value >> 31 else value


class Parser:
    def __init__(self, program, text):
        self.program = program
        self.tokens, self.lines = [], []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise StatementError(f'cannot read {text[at:at + 20]!r}')
            at = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group()))
                self.lines.append(text.count('\n', 0, match.start()))
        self.tokens.append(('end', ''))
        self.lines.append(-1)
        self.at = 0
        self.statement = None
        self.in_predicate = True # whether the references that are read now are events
        self.in_index = 0        # how many indices are being read
        self.condition = None    # the events.When that is being read

    def line(self):
        return self.lines[self.at]

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, expected=None):
        kind, value = self.tokens[self.at]
        if expected is not None and value != expected:
            raise StatementError(f'expected {expected!r}, found {value!r}')
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return value

    def accept(self, value):
        if self.peek() == value and self.tokens[self.at][0] != 'char':
            self.at += 1
            return True
        return False

    def name(self):
        if self.tokens[self.at][0] != 'name':
            raise StatementError(f'expected a name, found {self.peek()!r}')
        return self.take()

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

    # --- paths -----------------------------------------------------------------------------------

    def wait_for(self, verb, low, path):
        """The condition and its statement are about a procedure's beginning or end."""
        for one in (self.condition, self.statement):
            {'enter': one.enters, 'leave': one.leaves, 'at': one.places}[verb].add(low)
            one.ways.setdefault((verb, low), []).append(path)

    def begin_paths(self, condition):
        """A condition that consists of paths is evaluated where one of them begins."""
        if not condition.references and not condition.ways and not condition.reads:
            for path, _ in condition.substates:
                self.wait_for('enter', path.end().low, path)

    def procedure_named(self, name):
        found = [p for p in self.program.procedures if p.name == name]
        if len(found) != 1:
            raise StatementError(f'{name}: no procedure, or more than one')
        return found[0]

    def step(self, steps):
        """Adds a step of a path. False, and nothing taken: here is none."""
        kind, token = self.tokens[self.at]
        if token == '*' and kind == 'op':
            self.take()
            steps.append(('any',))
            return True
        if kind == 'number' and token.isdigit():
            if not steps:
                steps.append(('name', self.procedure_named(paths.MAIN)))
            number_ = int(self.take())
            found = steps[-1][0] != 'any' and paths.call(self.program, steps[-1][1], number_)
            if not found:
                raise StatementError(f'no call {number_} of a known procedure')
            steps.append(('call', *found))
            return True
        if kind != 'name' or not any(p.name == token for p in self.program.procedures):
            return False
        procedure = self.procedure_named(self.take())
        if not steps and procedure.name != paths.MAIN:
            steps.append(('any',))
        if self.accept('['):
            steps.append(('nested', procedure, number(self.take())[0](None)))
            self.take(']')
        else:
            steps.append(('name', procedure))
        return True

    def path(self, least=1):
        """A path of at least so many steps, or None, with nothing taken."""
        start, steps, count = self.at, [], 0
        try:
            while self.step(steps):
                count += 1
                if not (self.peek() == ':' and self.peek(1) != '{'):
                    break
                self.take(':')
            else:
                count = 0
        except StatementError:
            count = 0
        if count < least or steps[-1][0] == 'any':
            self.at = start
            return None
        return paths.Path(steps, ''.join(token for _, token in self.tokens[start:self.at]))

    def begins_path(self):
        """Whether a path with a variable stands here."""
        start = self.at
        found = self.path(2) or (self.path() if self.peek(1) == '[' else None)
        found = found and self.peek() == '\\'
        self.at = start
        return found

    # --- places in the source --------------------------------------------------------------------

    def place(self, addresses, path, what):
        """Execution comes to a line."""
        if not addresses:
            raise NoCode(f'{what}: no code')
        path = path if path and [step[0] for step in path.steps] != ['any', 'name'] else None
        for address in addresses:
            self.wait_for('at', address, path)
        return (lambda e: int((e.reached in addresses or e.begun in addresses) and (not path or path.is_innermost(e.activations)))), True

    def numbered(self):
        """path\\3, or None, with nothing taken."""
        start, path = self.at, self.path()
        if path and self.accept('\\') and self.tokens[self.at][0] == 'number':
            count = number(self.take())[0](None)
            return self.place(self.program.statement(path.end(), count), path, f'{path.text}\\{count}')
        self.at = start
        return None

    def at_place(self):
        self.take('at')
        self.take('(')
        found = self.numbered()
        if not found:
            name = self.name()
            while self.peek() != ':':
                name += self.take()
            self.take(':')
            line = number(self.take())[0](None)
            found = self.place(self.program.places(name, line), None, f'{name}:{line}')
        self.take(')')
        return found

    def substate(self):
        """A path as a condition, or None."""
        start = self.at
        place = self.numbered()
        if place:
            return place
        if self.peek() == 'path' and self.peek(1) == '==':
            self.take()
            self.take()
            place = self.numbered()
            if place:
                return place
            path = self.path()
            return self.active(path, path.is_innermost)
        path = self.path(2)
        if path and self.accept('\\') and not self.accept('*'):
            path = None
        if not path:
            self.at = start
            return None
        return self.active(path, path.exists)

    def active(self, path, is_true):
        self.condition.substates.append((path, is_true))
        return (lambda e: int(is_true(e.activations))), True

    def control(self, verb):
        self.take('(')
        path = self.path(2)
        if path:
            self.take(')')
            low = path.end().low
            self.wait_for(verb, low, path)
            if verb == 'enter':
                return (lambda e: int(e.entered == low and path.is_innermost(e.activations))), True
            return (lambda e: int(e.left == low and path.is_innermost(e.activations))), True
        name = self.name()
        self.take(')')
        lows = {p.low for p in self.program.procedures if p.name == name and not p.is_part}
        copies = getattr(self.program, 'inlined', {}).get(name, set()) if verb == 'enter' else set()
        if copies is None and hasattr(self.program, 'calls_alone'):   # whoever compares sees to it that this is said
            self.program.calls_alone.add(name)
            copies = set()
        if copies is None:
            raise StatementError(f'{name}: debug information leaves in doubt where inlined copies of it begin')
        if not lows and not copies:
            raise StatementError(f'no procedure {name}')
        for low in lows:
            self.wait_for(verb, low, None)
        for copy in copies:
            self.wait_for('at', copy, None)
        if verb == 'enter':
            return (lambda e: int(e.entered in lows or e.reached in copies)), True
        return (lambda e: int(e.left in lows)), True

    def named_place(self, in_predicate=False):
        """Reads a variable, or a part of one: (text, type, procedure of a local, address, path, (first bit, bits), pointer that it goes
        through)."""
        stars = 0
        while self.accept('*'):
            stars += 1
        start = self.at
        path = self.path(2) or (self.path() if self.peek(1) == '[' else None)
        if path and not self.accept('\\'):
            self.at, path = start, None
        text = name = self.name()
        procedure = None
        if path:
            procedure = path.end().name
            text = f'{path.text}\\{name}'
        elif self.accept('\\'):
            procedure, name = name, self.name()
            text = f'{procedure}\\{name}'
        variable = self.program.find(name, procedure)
        if not variable:
            raise StatementError(f'{text}: no such variable, or more than one')
        type_, address, bit_first, bit_size = variable.type, variable.address, 0, 0
        procedure, via = variable.procedure if variable.is_local else None, None
        life = variable.life

        element = None

        def settle():
            """The indices so far lead to an element."""
            nonlocal via, element
            if element:
                via, element = element, None

        def follow():
            nonlocal type_, address, bit_first, bit_size, procedure, via
            settle()
            via = self.noted(Reference(text, type_, procedure, address, bit_first, bit_size, None if via else path, via), in_predicate)
            type_, address, bit_first, bit_size, procedure = type_.of, 0, 0, 0, None
        while True:
            if self.peek() in ('.', '->'):
                if self.peek() == '->':
                    follow()
                text += self.take()
                member = self.name()
                text += member
                found = find_member(type_, member)
                if not found:
                    raise StatementError(f'{text}: no such member')
                type_, offset, bit_first, bit_size = found
                address += offset
            elif self.accept('['):
                negative = self.peek() == '-' and self.tokens[self.at + 1][0] == 'number' and self.peek(2) == ']'
                negative = negative and self.accept('-')
                if not (self.tokens[self.at][0] == 'number' and self.peek(1) == ']'):
                    start = self.at
                    bounded = type_.kind != 'pointer'
                    if not bounded:
                        follow()
                    seen, others = len(self.condition.references) if in_predicate else 0, self.statement.indices
                    before = len(others)
                    self.in_predicate, kept = in_predicate, self.in_predicate
                    named = len(self.statement.named)
                    self.in_index += 1
                    index = self.expression()[0]
                    self.in_index -= 1
                    self.in_predicate = kept
                    of_index = ''.join(token for _, token in self.tokens[start:self.at])
                    del self.statement.named[named:]
                    named_by = self.condition.references[seen:] if in_predicate else others[before:]
                    self.take(']')
                    text += f'[{of_index}]'
                    inner = type_.of if bounded else type_
                    if not element:
                        element = Element(via, address, alignment(via.type.of) if via else next(a for a in (4, 2, 1) if address % a == 0))
                        address = address if via else 0
                    element.add(index, list(named_by), inner.size, type_.count if bounded else None, of_index)
                    type_ = inner
                    continue
                index = number(self.take())[0](None) * (-1 if negative else 1)
                self.take(']')
                if type_.kind == 'pointer':
                    follow()
                    address += index * type_.size
                    text += f'[{index}]'
                    continue
                text += f'[{index}]'
                if type_.kind != 'array' or not 0 <= index < type_.count:
                    raise StatementError(f'{text}: no such element')
                type_ = type_.of
                address += index * type_.size
            else:
                break
        for _ in range(stars):
            follow()
            text = f'*{text}'
        if element and not element.via and not self.in_index:
            raise StatementError(f'{text}: an element of no pointer is not for this oracle')
        settle()
        self.life = life
        return text, type_, procedure, address, None if via else path, (bit_first, bit_size), via

    def reference(self, in_predicate):
        text, type_, procedure, address, path, (bit_first, bit_size), via = self.named_place(in_predicate)
        if type_.kind in ('struct', 'array', 'other') or type_.size > 8:
            raise StatementError(f'{text}: not a scalar of 1, 2, 4 or 8 bytes')
        made = Reference(text, type_, procedure, address, bit_first, bit_size, path, via)
        made.life = None if via else self.life
        return self.noted(made, in_predicate)

    def noted(self, made, in_predicate):
        """The statement's reference of that name; of the predicate, it is an event."""
        if not in_predicate:
            return made
        for known in self.statement.references:
            if known.text == made.text:
                self.condition.references.append(known)
                return known
        self.condition.references.append(made)
        self.statement.references.append(made)
        return made


ELAPSED = ('elapsed_ns', lambda e: e.elapsed)


def clocks(token):
    """A length of time in clocks of the target's bus, rounded up."""
    count, unit = re.fullmatch(r'([0-9.]+)\s*([a-z]+)', token).groups()
    if unit == 'cycles':
        return int(count)
    return -(-fractions.Fraction(count) * UNITS[unit] * BUS_HZ // 1000000000)


def alignment(type_):
    """1, 2 or 4: more does not matter to words of four bytes."""
    if type_.kind == 'array':
        return alignment(type_.of)
    if type_.kind == 'struct':
        inner = [(offset, alignment(of)) for _, of, offset, _, _ in type_.members]
        most = max((a for _, a in inner), default=1)
        packed = any(offset % a for offset, a in inner) or type_.size % most
        return 1 if packed else most
    return {0: 1, 1: 1, 2: 2}.get(type_.size, 4)


def scalars(text, type_, address, bit_first=0, bits=0):
    """(name, type, address, first bit, bits) of all that an object consists of; of a union, its largest member."""
    inside = f'({text})' if text.startswith('*') else text
    if type_.kind == 'array':
        return [each for i in range(type_.count) for each in scalars(f'{inside}[{i}]', type_.of, address + i * type_.of.size)]
    if type_.kind != 'struct':
        return [(text, type_, address, bit_first, bits)]
    members = type_.members
    if len(members) > 1 and not any(offset or first or size for _, _, offset, first, size in members):
        members = [max(members, key=lambda member: member[1].size)]
    return [each for name, of, offset, first, size in members
            for each in scalars(f'{inside}.{name}' if name else text, of, address + offset, first, size)]


def find_member(type_, name):
    if type_.kind != 'struct':
        return None
    for member, of, offset, bit_first, bit_size in type_.members:
        if member == name:
            return of, offset, bit_first, bit_size
        if member is None:
            inner = find_member(of, name)
            if inner:
                return inner[0], inner[1] + offset, inner[2], inner[3]
    return None


def common(left, right):
    """The type that C's usual arithmetic conversions lead to."""
    for wide in (DOUBLE, FLOAT, ULONG, LONG):
        if wide in (left, right):
            return wide
    return left and right


def number(token):
    if '.' in token:
        value = float(token.rstrip('f'))
        type_ = FLOAT if token[-1] == 'f' else DOUBLE
        return (lambda e: wrap(value, type_)), type_
    digits = token.rstrip('uUlL')
    hexadecimal = digits[:2] in ('0x', '0X')
    value = int(digits, 16 if hexadecimal else 8 if len(digits) > 1 and digits[0] == '0' else 10)
    if value > MASK or (value > 0x7FFFFFFF and not hexadecimal and 'u' not in token.lower()):
        return (lambda e: value), LONG if value < 1 << 63 else ULONG
    unsigned = 'u' in token[len(digits):].lower() or value > 0x7FFFFFFF
    value = wrap(value, not unsigned)
    return (lambda e: value), not unsigned


def character(body):
    if body[0] != '\\':
        return ord(body)
    if body[1] == 'x':
        return wrap(int(body[2:], 16) << 24, True) >> 24
    return ESCAPES[body[1]] if body[1] in ESCAPES and len(body) == 2 else int(body[1:], 8)


def divide(x, y):
    """Quotient and remainder, of integers towards 0."""
    if isinstance(x, float):
        if y:
            return x / y, None
        infinite = math.copysign(math.inf, x) * math.copysign(1, y)
        return (math.nan if x == 0 or math.isnan(x) or math.isnan(y) else infinite), None
    if y == 0:
        raise Unknown
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient, x - quotient * y


def binary(op, left, right):
    (a, a_signed), (b, b_signed) = left, right
    if op == '&&':
        return (lambda e: int(bool(a(e)) and bool(b(e)))), True
    if op == '||':
        return (lambda e: int(bool(a(e)) or bool(b(e)))), True
    if op == '<<':
        width = 63 if a_signed in (LONG, ULONG) else 31
        return (lambda e: wrap(a(e) << (b(e) & width), a_signed)), a_signed
    if op == '>>':
        width = 63 if a_signed in (LONG, ULONG) else 31
        return (lambda e: a(e) >> (b(e) & width)), a_signed
    if TIME in (a_signed, b_signed):
        apply = {'+': lambda x, y: x + y, '-': lambda x, y: x - y, '==': lambda x, y: int(x == y), '!=': lambda x, y: int(x != y),
                 '<': lambda x, y: int(x < y), '<=': lambda x, y: int(x <= y), '>': lambda x, y: int(x > y),
                 '>=': lambda x, y: int(x >= y)}[op]
        return (lambda e: apply(a(e), b(e))), TIME if op in '+-' else True
    signed = common(a_signed, b_signed)
    apply = {
        '*': lambda x, y: wrap(x * y, signed), '/': lambda x, y: wrap(divide(x, y)[0], signed),
        '%': lambda x, y: wrap(divide(x, y)[1], signed),
        '+': lambda x, y: wrap(x + y, signed), '-': lambda x, y: wrap(x - y, signed),
        '&': lambda x, y: wrap(x & y, signed), '|': lambda x, y: wrap(x | y, signed), '^': lambda x, y: wrap(x ^ y, signed),
        '==': lambda x, y: int(x == y), '!=': lambda x, y: int(x != y),
        '<': lambda x, y: int(x < y), '<=': lambda x, y: int(x <= y), '>': lambda x, y: int(x > y), '>=': lambda x, y: int(x >= y),
    }[op]
    result_signed = signed if op in '+-*/%&|^' else True
    return (lambda e: apply(wrap(a(e), signed), wrap(b(e), signed))), result_signed


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
