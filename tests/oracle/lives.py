"""When the stack holds a local of optimised code: its location list as pyelftools reads it, compared with the code.

Nothing here is shared with host/symbols/held.c, which the same rules were written for a second time: a list alone is not believed,
because compilers let it begin before the store that it stands for.
"""
from elftools.dwarf.callframe import FDE
from elftools.dwarf.locationlists import BaseAddressEntry, LocationEntry, LocationParser

import instructions

FBREG, BREG0, REG0, LIT0, STACK_VALUE, CALL_FRAME_CFA = 0x91, 0x70, 0x50, 0x30, 0x9F, 0x9C
SP, RA, T0, ZERO = 2, 1, 5, 0
KEPT = {ZERO, 8, 9, *range(18, 28)}   # by calls
TWICE = {'setjmp', '_setjmp', 'sigsetjmp', '__sigsetjmp', 'getcontext', 'vfork'}


def sleb(data, at):
    """Reads a signed LEB128 number from a list of bytes."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value - (1 << shift) if byte & 0x40 else value


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


class Insn:
    """What one RV32I instruction, in its form of 32 bits, does to control flow, registers and the stack."""

    def __init__(self, pc, word, length=4):
        self.next = pc + length
        self.pc, self.word, self.opcode = pc, word, word & 0x7F
        self.rd, self.rs1, self.rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
        self.imm, function = signed(word >> 20, 12), word >> 12 & 7
        self.size = 0   # of a store
        self.goes, self.falls, self.indirect = [], True, False
        if self.opcode == 0x23:
            self.imm = signed(word >> 25 << 5 | word >> 7 & 31, 12)
            self.rd, self.size = 0, 1 << function
        elif self.opcode == 0x63:
            self.rd = 0
            self.goes = [pc + signed((word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1, 13)]
        elif self.opcode == 0x6F:
            target = pc + signed((word >> 31) << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1, 21)
            if self.rd == 0:
                self.goes, self.falls = [target], False
        elif self.opcode == 0x67 and self.rd == 0:
            self.falls, self.indirect = False, self.rs1 not in (RA, T0)
        elif self.opcode == 0x0F:
            self.rd = 0
        self.is_call = self.opcode in (0x6F, 0x67) and self.rd in (RA, T0)

    def writes(self, register):
        return register != ZERO and self.rd == register

    def copies(self, register):
        """The register that a plain move of `register` writes, or None."""
        return self.rd if self.opcode == 0x13 and self.word >> 12 & 7 == 0 and self.imm == 0 and self.rs1 == register else None


class Frames:
    """Bytes from the stack pointer to the CFA, by address."""

    def __init__(self, dwarf):
        self.rows = []
        for entries in (dwarf.CFI_entries() if dwarf.has_CFI() else [], dwarf.EH_CFI_entries() if dwarf.has_EH_CFI() else []):
            for entry in entries:
                if isinstance(entry, FDE):
                    low, end = entry['initial_location'], entry['initial_location'] + entry['address_range']
                    table = entry.get_decoded().table
                    for i, row in enumerate(table):
                        high = table[i + 1]['pc'] if i + 1 < len(table) else end
                        if low <= row['pc'] < high:
                            self.rows.append((row['pc'], high, row['cfa'].reg, row['cfa'].offset))

    def at(self, address):
        """(register, offset, end of the row) that the CFA is made of, or None."""
        for low, high, reg, offset in self.rows:
            if low <= address < high:
                return reg, offset, high
        return None

    def depth(self, address):
        row = self.at(address)
        return row[1] if row and row[0] == SP else None


class Border(Exception):
    """An interrupt came where it cannot be told whether the stack held the variable."""


class Life:
    """holds: addresses before whose instruction the stack holds the variable; during: calls while which it does."""

    def __init__(self, holds, during, procedure, code):
        self.holds, self.during, self.procedure, self.code = holds, during, procedure, code

    def around(self, pc):
        """Before or after the instruction at pc, which is where an interrupt came as far as fetches tell."""
        insn = self.code.insns[pc]
        if insn.is_call:
            states = {pc in self.during}
        elif insn.opcode == 0x67:
            states = {False}
        else:
            states = {to in self.holds for to in insn.goes + [insn.next] * insn.falls}
        states.add(pc in self.holds)
        if len(states) > 1:
            raise Border
        return states.pop()

    def has(self, pc, is_write, activations):
        """At an event of the instruction at pc."""
        low, high = self.procedure.low, self.procedure.high
        if pc is not None and low <= pc < high:
            return (self.code.insns[pc].next if is_write else pc) in self.holds
        for activation in reversed(activations):
            site = activation.after
            if site is not None and low <= site < high:
                return self.around(site) if activation.is_interrupt else site in self.during
        return False


class Code:
    """A procedure's instructions, and its stack pointer's way."""

    def __init__(self, program, procedure, frames):
        self.low, self.high = procedure.low, procedure.high
        self.insns = {pc: Insn(pc, word, length) for pc, word, length in instructions.of(program, self.low, self.high)}
        self.frames = frames
        self.table = {word for word in program.words.values() if self.low < word < self.high}
        self.ways = {}
        for pc, insn in self.insns.items():
            goes = set(insn.goes) | ({insn.next} if insn.falls else set()) | (self.table if insn.indirect else set())
            self.ways[pc] = {to for to in goes if to in self.insns}

    def stored(self, insn, offset, size):
        """What a store covers of a place in the frame: 'none', 'some', 'all'. Only by the stack pointer, as compilers spill."""
        if not insn.size or insn.rs1 != SP or self.frames.depth(insn.pc) is None:
            return 'none'
        low = insn.imm - self.frames.depth(insn.pc)
        if low >= offset + size or low + insn.size <= offset:
            return 'none'
        return 'all' if low == offset and low + insn.size >= offset + size else 'some'


class Search:
    def __init__(self, code, entries, offset, size):
        self.code, self.entries, self.offset, self.size = code, entries, offset, size
        self.listed = {pc: self.says(pc, pc) for pc in code.insns}

    def says(self, address, insn):
        """What the list says at an address in the instruction that begins at another: ('stack', 0), ('register', number) or None."""
        found = None
        depth = self.code.frames.depth(insn)
        for low, high, kind, value in self.entries:
            if not low <= address < high:
                continue
            if kind == 'stack' and value == self.offset and (depth is None or value >= -depth):
                return 'stack', 0
            if kind == 'register' and not found:
                found = kind, value
        return found

    def comes_to_the_place(self, pc, register):
        """Whether what the instruction at pc put into the register, or a copy, is stored to the place later."""
        seen, todo = set(), list(self.code.ways[pc])
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            insn = self.code.insns[at]
            if self.code.stored(insn, self.offset, self.size) != 'none':
                if insn.rs2 == register:
                    return True
                continue
            if insn.copies(register) not in (None, register):
                return True
            if insn.rd != register and (not insn.is_call or register in KEPT):
                todo += self.code.ways[at]
        return False

    def after(self, pc, to, holds):
        """Whether the place holds the variable when execution goes on at `to` after pc."""
        insn, before, after = self.code.insns[pc], self.listed[pc], self.listed[to]
        if not after:
            return False
        stored = self.code.stored(insn, self.offset, self.size)
        if stored == 'some':
            return False
        if stored == 'all':
            if ('register', insn.rs2) in (before, after):
                return True
            if after[0] == 'stack' and (not before or before[0] != 'stack'):
                return any(kind == 'stack' and value == self.offset and low == to for low, _, kind, value in self.entries)
            return after[0] == 'stack' and holds[pc]
        if not holds[pc]:
            return False
        if insn.is_call:
            return after[0] == 'stack' or (before == after and after[1] in KEPT)
        if after[0] == 'stack':
            return before[0] == 'stack' or not insn.writes(before[1]) or not self.comes_to_the_place(pc, before[1])
        if before == after:
            return not insn.writes(after[1])
        if before[0] == 'register':
            return insn.copies(before[1]) == after[1]
        width = {0: 1, 1: 2, 2: 4, 4: 1, 5: 2}.get(insn.word >> 12 & 7, 0)
        depth = self.code.frames.depth(pc)
        return (insn.opcode == 0x03 and insn.rd == after[1] and insn.rs1 == SP and depth is not None and
                insn.imm - depth == self.offset and width >= self.size)

    def run(self):
        holds = {pc: bool(says) for pc, says in self.listed.items()}
        low = self.code.low
        holds[low] = self.listed[low] == ('stack', 0) and self.offset >= 0
        todo = list(self.code.insns)
        while todo:
            pc = todo.pop()
            for to in self.code.ways[pc]:
                if holds[to] and not self.after(pc, to, holds):
                    holds[to] = False
                    todo.append(to)
        return {pc for pc, value in holds.items() if value}


def entries_of(die, location, dwarf, frames):
    """[(low, high, 'stack' or 'register', offset from the CFA or number)]"""
    parser = LocationParser(dwarf.location_lists())
    unit = die.cu.get_top_DIE()
    base = unit.attributes['DW_AT_low_pc'].value if 'DW_AT_low_pc' in unit.attributes else 0
    found = []
    for entry in parser.parse_from_attribute(location, die.cu['version'], die):
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
        if not isinstance(entry, LocationEntry):
            continue
        start = 0 if entry.is_absolute else base
        low, high, op = start + entry.begin_offset, start + entry.end_offset, entry.loc_expr
        if low >= high or not op:
            continue
        if len(op) == 1 and REG0 < op[0] < REG0 + 32:
            found.append((low, high, 'register', op[0] - REG0))
        elif op == [LIT0, STACK_VALUE]:
            found.append((low, high, 'register', ZERO))
        elif op[0] == FBREG and all(b & 0x80 for b in op[1:-1]):
            found.append((low, high, 'stack', sleb(op, 1)))
        elif BREG0 <= op[0] < BREG0 + 32 and all(b & 0x80 for b in op[1:-1]):
            row = frames.at(low)
            if row and row[0] == op[0] - BREG0 and row[2] >= high:
                found.append((low, high, 'stack', sleb(op, 1) - row[1]))
    return found


def find(program, die, location, type_, procedure, dwarf, frames):
    """(offset from the CFA, Life, or None for all the time) of a local with a location list; None where the stack never surely holds it."""
    if type_.kind in ('struct', 'array', 'other') or type_.size not in (1, 2, 4) or not procedure.low < procedure.high:
        return None
    frame = die
    while frame.tag != 'DW_TAG_subprogram':
        frame = frame.get_parent()
    base = frame.attributes.get('DW_AT_frame_base')
    if not base or base.value != [CALL_FRAME_CFA] or any(pc not in program.words for pc in range(procedure.low & ~3, procedure.high, 4)):
        return None
    entries = entries_of(die, location, dwarf, frames)
    offsets = []
    for _, _, kind, value in entries:
        if kind == 'stack' and value not in offsets and value % type_.size == 0:
            offsets.append(value)
    if not offsets:
        return None
    code = Code(program, procedure, frames)
    for pc, insn in code.insns.items():
        target = pc + signed((insn.word >> 31) << 20 | (insn.word >> 12 & 255) << 12 | (insn.word >> 20 & 1) << 11 |
                             (insn.word >> 21 & 1023) << 1, 21)
        if insn.opcode == 0x6F and insn.is_call and target in program.entries and program.entries[target].name in TWICE:
            return None
    best = None
    for offset in offsets:
        search = Search(code, entries, offset, type_.size)
        holds = search.run()
        if holds and (not best or len(holds) > len(best[2])):
            best = offset, search, holds
    if not best:
        return None
    offset, search, holds = best
    during = {pc for pc in holds if not code.insns[pc].is_call or search.says(code.insns[pc].next - 1, pc)}
    if len(during) == len(code.insns):
        return offset, None   # an argument that stays there is like any other local
    return offset, Life(holds, during, procedure, code)


def truth(values, allowed):
    """Whether values come in the order of allowed ones, each any number of times, others left out."""
    at = 0
    for value in values:
        while at < len(allowed) and allowed[at] != value:
            at += 1
        if at == len(allowed):
            return False
    return True
