"""What statements read: scalars, elements with a variable index, bytes of whole objects; and how they lie in words of memory."""
import math
import struct

from arithmetic import DOUBLE, FLOAT, LONG, MASK, ULONG, wrap


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
