"""Which stores of the program belong to one assignment, and what a write to some bytes of a variable means to those who watch it.

The program's code is followed symbolically: an address is a tree of what it is made of, and two stores count from the same base when
their trees are the same. Nothing here is shared with host/symbols/parts.c and host/image/tables/parts.c.
"""
import instructions
import lives

SAVED = {2, 3, 4, 8, 9, *range(18, 28)}   # registers that calls keep
UNKNOWN = ('unknown',)


class Store:
    """A store instruction. base, offset: where it stores."""

    def __init__(self, pc, size, base, offset, location, piece):
        self.pc, self.size, self.base, self.offset, self.location, self.piece = pc, size, base, offset, location, piece
        self.alters = False         # what is stored is made of what was there
        self.run = self.rising = False
        self.group = [self]         # the stores of its assignment, as they are executed
        self.before, self.after = {}, {}   # those in other pieces: store -> its offset from this one's

    def is_direct(self):
        return self.base in (('const',), ('frame',))

    def overlaps(self, other):
        return self.offset < other.offset + other.size and other.offset < self.offset + self.size


def split(tree):
    """A tree as a base and an offset from it."""
    return tree if tree[0] == 'plus' else ('plus', tree, 0)


def plus(tree, number):
    _, base, offset = split(tree)
    return ('plus', base, (offset + number + (1 << 31)) % (1 << 32) - (1 << 31))


def add(a, b):
    for one, other in ((a, b), (b, a)):
        if split(other)[1] == ('const',):
            return plus(one, split(other)[2])
    return ('sum', a, b)


def leaves(tree):
    """Registers and loads that a tree is made of, with how far each is shifted; None: something else was done with one."""
    if tree[0] == 'plus':
        return leaves(tree[1])
    if tree[0] in ('const', 'frame'):
        return []
    if tree[0] in ('register', 'load'):
        return [(tree, 0)]
    if tree[0] == 'sum':
        first, second = leaves(tree[1]), leaves(tree[2])
        return None if first is None or second is None else first + second
    if tree[0] == 'shift':
        of = leaves(tree[1])
        return None if of is None else [(leaf, by + tree[2]) for leaf, by in of]
    if tree[0] == 'narrow':
        return leaves(tree[1])
    return None


def loads(tree):
    """Addresses of all that is loaded in a tree."""
    found = [tree[1]] if tree[0] == 'load' else []
    for part in tree[1:]:
        if isinstance(part, tuple):
            found += loads(part) if tree[0] != 'load' else []
    return found


class Code:
    """The stores of one procedure."""

    def __init__(self, program, procedure):
        self.program, self.procedure = program, procedure
        self.insns = {pc: lives.Insn(pc, word, length) for pc, word, length in instructions.of(program, procedure.low, procedure.high)}
        self.begins = self._pieces()
        self.states = self._constants()
        self.stores, self.fresh = [], 0
        self.ends = {}              # piece -> what registers hold at its end, and its last instruction
        self._walk()
        self._runs()
        self._groups()
        Across(self)

    def _pieces(self):
        low, high = self.procedure.low, self.procedure.high
        begins = {low} | {word for word in self.program.code_words if low <= word < high}
        for insn in self.insns.values():
            begins |= {to for to in insn.goes if low <= to < high}
            if insn.goes or not insn.falls:
                begins.add(insn.next)
        return begins

    # --- what registers hold where a piece begins: constants and places in the frame -----------------

    def _constants(self):
        start = [UNKNOWN] * 32
        start[0], start[2] = ('plus', ('const',), 0), ('plus', ('frame',), 0)
        if self.program.global_pointer is not None:
            start[3] = plus(('const',), self.program.global_pointer)
        states, work = {self.procedure.low: start}, [self.procedure.low]
        while work:
            pc = work.pop()
            insn = self.insns.get(pc)
            if insn is None:
                continue
            after = list(states[pc])
            self._simple(insn, after)
            indirect = [to for to in self.begins if to in self.program.code_words] if insn.indirect else []
            for to in insn.goes + [insn.next] * insn.falls + indirect:
                if to not in self.insns:
                    continue
                old = states.get(to)
                new = after if old is None else [x if x == y else UNKNOWN for x, y in zip(old, after)]
                if new != old:
                    states[to] = list(new)
                    work.append(to)
        return states

    @staticmethod
    def _simple(insn, regs):
        if insn.is_call:
            for register in range(1, 32):
                if register not in SAVED:
                    regs[register] = UNKNOWN
            return
        result, function = UNKNOWN, insn.word >> 12 & 7
        if insn.opcode == 0x37:
            result = plus(('const',), lives.signed(insn.word & 0xFFFFF000, 32))
        elif insn.opcode == 0x17:
            result = plus(('const',), lives.signed(insn.word & 0xFFFFF000, 32) + insn.pc)
        elif insn.opcode == 0x13 and function == 0 and regs[insn.rs1] != UNKNOWN:
            result = plus(regs[insn.rs1], insn.imm)
        elif insn.opcode == 0x33 and function == 0 and not insn.word >> 25 and UNKNOWN not in (regs[insn.rs1], regs[insn.rs2]):
            result = add(regs[insn.rs1], regs[insn.rs2])
            result = result if result[0] == 'plus' else UNKNOWN
        if insn.rd:
            regs[insn.rd] = result

    # --- each piece ------------------------------------------------------------------------------------

    def _new(self):
        self.fresh += 1
        return ('new', self.fresh)

    def _walk(self):
        regs, memory, piece = [], {}, 0
        for pc in sorted(self.insns):
            if pc in self.begins or not regs:
                known = self.states.get(pc, [UNKNOWN] * 32)
                regs = [('register', number) if known[number] == UNKNOWN else known[number] for number in range(32)]
                regs[0], memory, piece = plus(('const',), 0), {}, pc
            insn = self.insns[pc]
            if insn.size:
                _, base, offset = split(plus(regs[insn.rs1], insn.imm))
                self._store(insn, base, offset, regs, memory, piece)
            elif insn.is_call:
                for register in range(1, 32):
                    if register not in SAVED:
                        regs[register] = self._new()
                for at in [at for at in memory if at[0] != ('frame',)]:
                    del memory[at]
            elif insn.rd:
                regs[insn.rd] = self._value(insn, regs, memory)
            if insn.next in self.begins or insn.next not in self.insns:
                self.ends[piece] = list(regs), insn

    def _store(self, insn, base, offset, regs, memory, piece):
        store = Store(insn.pc, insn.size, base, offset, self.program.location(insn.pc), piece)
        store.held = regs[insn.rs2]
        for at in loads(split(store.held)[1]):
            store.alters |= split(at)[1] == base and split(at)[2] >> 2 == offset >> 2
        self.stores.append(store)
        for at in [at for at in memory if at[0] == base and abs(at[1] - offset) < 4]:
            del memory[at]
        if insn.size == 4:
            memory[base, offset] = store.held

    def _value(self, insn, regs, memory):
        a, b, function = regs[insn.rs1], regs[insn.rs2], insn.word >> 12 & 7
        if insn.opcode in (0x37, 0x17) or (insn.opcode == 0x13 and function == 0):
            work = list(regs)
            if insn.opcode == 0x13:
                return plus(a, insn.imm)
            self._simple(insn, work)
            return work[insn.rd]
        if insn.opcode == 0x03:
            address = plus(a, insn.imm)
            return memory.get(split(address)[1:], ('load', address))
        if insn.opcode == 0x33 and function == 0 and not insn.word >> 25:
            return add(a, b)
        if insn.opcode == 0x13 and function == 1:
            return ('shift', a, insn.word >> 20 & 31)
        if insn.opcode == 0x13 and function == 7:
            return ('narrow', a, insn.imm)
        if insn.opcode == 0x13:
            return ('made', insn.word, a)
        if insn.opcode == 0x33:
            return ('made', insn.word, a, b)
        return self._new()

    # --- loops -----------------------------------------------------------------------------------------

    def _runs(self):
        for pc, insn in self.insns.items():
            for to in insn.goes:
                if self.procedure.low <= to <= pc:
                    inside = [s for s in self.stores if to <= s.pc <= pc]
                    for store in inside:
                        self._run(store, [self.insns[at] for at in range(to, pc + 2, 2) if at in self.insns], inside)

    @staticmethod
    def _steps(insns):
        """Registers that only additions of a constant change in each round: {register: sum}."""
        steps, others = {}, set()
        for insn in insns:
            if insn.is_call:
                others |= set(range(1, 32)) - SAVED
            elif insn.rd and insn.opcode == 0x13 and insn.word >> 12 & 7 == 0 and insn.rs1 == insn.rd:
                steps[insn.rd] = steps.get(insn.rd, 0) + insn.imm
            elif insn.rd:
                others.add(insn.rd)
        return {register: step for register, step in steps.items() if register not in others}

    def _run(self, store, insns, inside):
        of = leaves(store.base)
        if store.is_direct() or of is None:
            return
        steps, total, furthest = self._steps(insns), 0, 0
        for leaf, by in of:
            furthest = max(furthest, by)
            total += steps.get(leaf[1], 0) if leaf[0] == 'register' else self._moves(leaf, inside)
        if store.base[0] == 'register':
            together = sum(s.size for s in inside if s.base == store.base)
        else:
            together, total = store.size, total << furthest
        if total and abs(total) <= together:
            store.run, store.rising = True, total > 0

    @staticmethod
    def _moves(leaf, inside):
        total = 0
        for store in inside:
            if ('plus', store.base, store.offset) == leaf[1]:
                _, base, offset = split(store.held)
                if base != leaf:
                    return 0
                total += offset
        return total

    # --- assignments -------------------------------------------------------------------------------------

    def _groups(self):
        last = {}
        for store in self.stores:
            key = store.piece, store.location, store.base
            before = last.get(key)
            last[key] = store
            if before is None:
                continue
            again = [s for s in before.group if s.overlaps(store)]
            field = store.alters and len(again) < len(before.group) and before.overlaps(store) and before.offset == store.offset
            if not again or field:
                before.group.append(store)
                store.group = before.group


class Across:
    """Stores of one assignment that are not in one piece of code: each assignment that a piece leaves open is followed on the ways that
    execution may take from there."""

    def __init__(self, code):
        self.code, self.shared = code, set()
        self.by_pc = {store.pc: store for store in code.stores}
        for piece in sorted(code.ends):
            for group in self._open(piece):
                self._follow(group, piece, code.ends[piece][0], {piece})
        for piece in sorted(code.ends):
            self._share(piece)

    def _open(self, piece):
        last = {(store.location, store.base): store.group for store in self.code.stores if store.piece == piece and store.location}
        return [group for group in last.values() if not any(store.run for store in group)]

    def _next(self, piece):
        insn = self.code.ends[piece][1]
        return [to for to in insn.goes + [insn.next] * insn.falls if to in self.code.ends]

    def _through(self, piece, regs):
        """The stores of a piece with where they store, when it begins with these values in registers; regs become those of its end."""
        pc, last = piece, self.code.ends[piece][1].pc
        while pc <= last:
            insn = self.code.insns[pc]
            if insn.size:
                _, base, offset = split(plus(regs[insn.rs1], insn.imm))
                yield self.by_pc[pc], base, offset
            elif insn.is_call:
                for register in range(1, 32):
                    if register not in SAVED:
                        regs[register] = self.code._new()
            elif insn.rd:
                regs[insn.rd] = self.code._new() if insn.opcode == 0x03 else self.code._value(insn, regs, {})
            pc = insn.next

    @staticmethod
    def _meets(store, offset, of):
        """Whether a store, when it is to this offset, writes bytes of another one."""
        return offset < of.offset + of.size and of.offset < offset + store.size

    def _follow(self, group, piece, regs, seen):
        for to in self._next(piece):
            if to in seen:
                continue
            seen.add(to)
            held, goes_on = list(regs), True
            for store, base, offset in self._through(to, held):
                if base != group[0].base:
                    continue
                if any(self._meets(other, offset + other.offset - store.offset, of) for of in group for other in store.group):
                    goes_on = False
                    break
                if store.location == group[0].location and not store.run:
                    self._pair(group, store.group, offset - store.offset)
                    self.shared.add(store.group[0])
                    goes_on = False
                    break
            if goes_on:
                self._follow(group, to, held, seen)

    @staticmethod
    def _pair(earlier, later, moved):
        """moved: what to add to the later ones' offsets, so that they count from what the earlier ones' do."""
        for one in earlier:
            for other in later:
                one.after[other] = other.offset + moved - one.offset
                other.before[one] = one.offset - moved - other.offset

    def _share(self, piece):
        """Stores that are followed by the end of an assignment that another branch has as well. That has its place in the source."""
        own = [store for store in self.code.stores if store.piece == piece]
        regs, at, seen = list(self.code.ends[piece][0]), piece, {piece}
        while len(self._next(at)) == 1 and self._next(at)[0] not in seen:
            at = self._next(at)[0]
            seen.add(at)
            for store, base, offset in self._through(at, regs):
                if store in self.shared and self._share_one(own, store, base, offset - store.offset):
                    return

    def _share_one(self, own, first, base, moved):
        taken = []
        for store in reversed(own):
            if store.base != base:
                continue
            if any(self._meets(other, other.offset + moved, store) for other in first.group):
                break
            if any(store.overlaps(other) and other.group is not store.group for other in taken):
                break
            taken.append(store)
            if not store.run:
                self._pair([store], first.group, moved)
        return bool(taken)


class State:
    """What has been written of a variable that is not evaluated yet."""

    def __init__(self):
        self.mask, self.run, self.cut = 0, False, False
        self.written = 0   # bytes, since the variable exists
        self.first = {}    # number of a word -> what it was before


class Parts:
    """All of the program's stores."""

    def __init__(self, program):
        self.program, self.stores, self.done = program, {}, set()
        self.pieces = {}     # beginning of a piece -> its stores

    def at(self, pc):
        procedure = self.program.procedure_at(pc)
        if procedure and procedure not in self.done:
            self.done.add(procedure)
            for store in Code(self.program, procedure).stores:
                self.stores[store.pc] = store
                self.pieces.setdefault(store.piece, []).append(store)
        return self.stores.get(pc)

    @staticmethod
    def _bits(store, other, address, place, all_bits):
        """Bytes of the variable at `place` that `other` stores, where `store` stores to `address`."""
        at = address + other.offset - store.offset - place
        bits = (1 << other.size) - 1
        return (bits << at if at >= 0 else bits >> -at) & all_bits

    def _joined(self, store, address, place, all_bits):
        """The stores of several assignments which together are one of the whole variable, or None."""
        if not store.is_direct():
            return None
        units = []    # [stores, bits, alone]
        for other in self.pieces[store.piece]:
            bits = other.base == store.base and self._bits(store, other, address, place, all_bits)
            if not bits:
                continue
            if not units or units[-1][0][0].group is not other.group:
                units.append([[], 0, False])
            units[-1][0].append(other)
            units[-1][1] |= bits
            units[-1][2] |= other.alters or other.run
        first = 0
        while first < len(units):
            total, end = 0, first
            while end < len(units) and total != all_bits and not units[end][2] and not total & units[end][1]:
                total |= units[end][1]
                end += 1
            if total == all_bits and end > first + 1:
                members = [s for unit in units[first:end] for s in unit[0]]
                if store in members:
                    return members
                first = end
            else:
                first += 1
        return None

    def _around(self, store, members, address, place, all_bits):
        """Bytes that are written before and after a store for the same assignment."""
        earlier = later = 0
        if store in members:
            at = members.index(store)
            for number, other in enumerate(members):
                bits = self._bits(store, other, address, place, all_bits)
                earlier |= bits if number < at else 0
                later |= bits if number > at else 0
        if members is store.group:
            at = address - place
            earlier |= self._shifted(store.before, at, all_bits)
            later |= self._shifted(store.after, at, all_bits)
        return earlier, later

    @staticmethod
    def _shifted(stores, at, all_bits):
        sum_of = 0
        for store, offset in stores.items():
            bits, to = (1 << store.size) - 1, at + offset
            sum_of |= bits << to if 0 <= to < 8 else bits >> -to if -8 < to < 0 else 0
        return sum_of & all_bits

    def write(self, state, pc, address, lanes, place, all_bits, now, one_word, known):
        """A store of some lanes of the word at an address to bytes `now` of a variable whose first word is at `place`, whose bytes are
        all_bits. known: the word was, before. Returns (whether an assignment ends, bytes that were written for it before)."""
        state.written |= now
        if now == all_bits:
            state.mask = 0
            return True, 0
        store = self.at(pc)
        address += (lanes & -lanes).bit_length() - 1
        earlier = later = 0
        run = False
        if store:
            members = self._joined(store, address, place, all_bits) or store.group
            earlier, later = self._around(store, members, address, place, all_bits)
            if earlier | later | now != all_bits:
                earlier, later = self._around(store, store.group, address, place, all_bits)
                run = store.run
        ends, before = self._round(state, now, all_bits, store.rising) if run else self._straight(state, now, earlier, later)
        return ends and (not one_word or known or state.written == all_bits), before

    def _give_up(self, state):
        if state.mask and state.run:
            state.mask, state.cut = 0, self.program.traps

    def _straight(self, state, now, earlier, later):
        if earlier:
            before = state.mask
            if state.run or earlier & ~before:
                state.mask &= ~now
                return False, before
            state.mask = before | now if later else 0
            return not later, before
        if later:
            self._give_up(state)
            state.mask, state.run = now, False
            return False, 0
        if not self.program.traps:
            self._give_up(state)
        rest = state.mask & ~now
        if state.mask and state.run:   # a loop may go on after the interrupt that this is in
            state.mask, state.cut = 0, True
        else:
            state.mask = rest
        return not rest, 0

    def _round(self, state, now, all_bits, rising):
        lowest, before = all_bits & -all_bits, state.mask
        if now & lowest or not state.run or not before << 1 & now or before & now:
            self._give_up(state)
            before, state.run = 0, True
        state.mask = before | now
        if not state.mask & all_bits + lowest >> 1:
            return False, before
        whole, cut = state.mask == all_bits, state.cut
        state.mask, state.run = 0, False
        if not whole:
            state.cut = False
        return whole or (rising and not cut), before
