#!/usr/bin/python3
"""The oracle's own tests: parser, C arithmetic, call stack and replay on hand-made programs whose hits are known."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle  # noqa: E402
import paths  # noqa: E402
from program import Procedure, Type, Variable  # noqa: E402
from stack import Activation, CallStack  # noqa: E402

RET, CALL, JUMP, SWITCH = 0x00008067, 0x000000EF, 0x0000006F, 0x00078067
SP = 0x40000


class FakeProgram:
    """Procedures at 0x100, 0x200, ...; variables of every size from 0x20000 on."""

    traps = False

    def __init__(self):
        self.entry = 0x100
        self.words = {0x20000 + 4 * i: 0 for i in range(16)}
        self.row_counts = {}
        self.procedures = [Procedure(name, 0x100 * (i + 1), 0x100 * (i + 1) + 0x80)
                           for i, name in enumerate(['_start', 'main', 'f', 'g', 'h', 'isr'])]
        self.procedures[-1].is_interrupt = True
        self.entries = {p.low: p for p in self.procedures}
        mode = Type('enum', 4)
        mode.names = {0: 'IDLE', 5: 'ARMED'}
        pair = Type('struct', 8)
        pair.members = [('low', Type('int', 4), 0, 0, 3), ('next', Type('int', 4, True), 0, 3, 7), ('tail', Type('int', 2, True), 4, 0, 0)]
        row = Type('array', 4)
        row.of, row.count = Type('int', 1), 4
        types = [Type('int', 4, True), Type('int', 4), Type('int', 2, True), Type('int', 1, True), Type('bool', 1), Type('char', 1),
                 mode, pair, Type('pointer', 4), Type('float', 4), row]
        self.globals, self.enumerators, at = {}, {'IDLE': 0, 'ARMED': 5}, 0x20000
        for name, type_ in zip(['i', 'u', 's', 'b', 'flag', 'c', 'mode', 'pair', 'p', 'fl', 'row'], types):
            self.globals[name] = Variable(name, type_, at)
            at += max(4, type_.size)
        self.locals = {name: Variable(name, type_, at, self.entries[0x300], True) for name, type_, at in
                       (('x', types[0], -8), ('tiny', types[3], -11), ('half', types[2], -10))}

    def find(self, name, procedure=None):
        if procedure:
            return self.locals.get(name) if procedure == 'f' else None
        return self.globals.get(name)

    def line(self, address):
        return 'fake.c', address

    def places(self, _, line):
        return {line}

    def word_after_start(self, address):
        return self.words.get(address)

    def procedure_at(self, _):
        return None   # it has no code: each store is an assignment

    def statement(self, procedure, number):
        return {procedure.low + 4 * number}


def store(variable, value, size=4, time=1, pc=0x210):
    lane = variable & 3
    return oracle.RECORD.pack(oracle.STORE, (1 << size) - 1 << lane, 0, pc, variable & ~3,
                              (value & (1 << 8 * size) - 1) << 8 * lane, SP, time, time)


def jump(pc, target, insn, time, sp=SP):
    return oracle.RECORD.pack(oracle.JUMP, 0, 0, pc, target, insn, sp, time, time - 1)


def trap(pc, place, time, sp=SP):
    return oracle.RECORD.pack(oracle.TRAP, 0, 0, pc, place, 0, sp, time, time)


def mret(pc, target, fetched, time, sp=SP):
    return oracle.RECORD.pack(oracle.MRET, 0, 0, pc, target, 0x30200073, sp, time, fetched)


END = oracle.RECORD.pack(oracle.END, 0, 0, 0, 7, 1, 0, 999, 0)
START = jump(0x110, 0x200, CALL, 2)


def run(statements, *records):
    return oracle.hits(FakeProgram(), [statements], b''.join(records) + END)


def values(statements, *records):
    return [hit['values'] for hit in run(statements, *records)[0]]


class Values(unittest.TestCase):
    def holds(self, expression, *stores):
        """Whether an expression is true at the last of the stores."""
        found, _ = run(f'when {expression} {{ print }}', *[store(*s, time=10 + i) for i, s in enumerate(stores)])
        return bool(found) and found[-1]['cycle'] == 9 + len(stores)

    def test_signs(self):
        self.assertTrue(self.holds('i < 0', (0x20000, -1)))
        self.assertFalse(self.holds('u < 0', (0x20004, -1)))
        self.assertTrue(self.holds('u > 1', (0x20004, -1)))
        self.assertTrue(self.holds('i > 4u', (0x20000, -1)))            # converted to unsigned
        self.assertTrue(self.holds('s == -2', (0x20008, -2, 2)))
        self.assertTrue(self.holds('b < 0u + 1 == 0', (0x2000C, -1, 1)))
        self.assertTrue(self.holds('c == 200', (0x20014, 200, 1)))

    def test_shifts_and_bits(self):
        self.assertTrue(self.holds('i >> 4 == -1', (0x20000, -16)))
        self.assertTrue(self.holds('u >> 28 == 15', (0x20004, -16)))
        self.assertTrue(self.holds('i << 31 < 0', (0x20000, 1)))
        self.assertTrue(self.holds('~i == 0 && -i == 1 && !i == 0', (0x20000, -1)))
        self.assertTrue(self.holds('(i & 6 | 1 ^ 3) == 6', (0x20000, 4)))
        self.assertTrue(self.holds('i + 1 < 0', (0x20000, 0x7FFFFFFF)))

    def test_precedence(self):
        self.assertTrue(self.holds('i == 1 | 2', (0x20000, 7)))          # (i == 1) | 2
        self.assertTrue(self.holds('i - 1 - 1 == 5', (0x20000, 7)))
        self.assertTrue(self.holds('1 << 1 + 1 == i', (0x20000, 4)))

    def test_constants(self):
        self.assertTrue(self.holds("c == 'a' || c == '\\n'", (0x20014, 10, 1)))
        self.assertTrue(self.holds('i == 0x7f && u == 010', (0x20000, 127), (0x20004, 8)))
        self.assertTrue(self.holds('mode == ARMED', (0x20018, 5)))

    def test_bit_fields(self):
        self.assertTrue(self.holds('pair.low == 5 && pair.next == -3', (0x2001C, 5 | (-3 & 127) << 3)))
        self.assertTrue(self.holds('row[2] == 9', (0x2002E, 9, 1)))

    def test_shown(self):
        shown = values('when write(i) { print flag, c, mode, p, fl, pair.next, old(i) }', store(0x20010, 1, 1), store(0x20018, 5),
                       store(0x20024, 0x20000), store(0x20028, 0x3FC00000), store(0x20000, 3))
        self.assertEqual(shown, [{'flag': True, 'c': 0, 'mode': 'ARMED', 'p': 0x20000, 'fl': 1.5, 'pair.next': 0, 'old(i)': 0}])
        self.assertEqual(values('write(fl)', store(0x20028, 0x7FC00000)), [{'fl': 'nan'}])
        self.assertEqual(values('write(mode)', store(0x20018, 3)), [{'mode': 3}])


class Events(unittest.TestCase):
    def test_old(self):
        found = values('when i != old(i) && u == old(u) { print }', store(0x20000, 3), store(0x20000, 3), store(0x20000, 4))
        self.assertEqual(found, [{'i': 3, 'old(i)': 0, 'u': 0, 'old(u)': 0}, {'i': 4, 'old(i)': 3, 'u': 0, 'old(u)': 0}])

    def test_bytes_that_stand_alone(self):
        found, _ = run('write(i)', store(0x20000, 1, 2, 5), store(0x20002, 3, 2, 7), store(0x20003, 1, 1, 8))
        self.assertEqual([(hit['cycle'], hit['values']) for hit in found], [(5, {'i': 1}), (7, {'i': 0x30001}), (8, {'i': 0x1030001})])
        found, _ = run('when i != old(i) { print old(i) }', store(0x20000, 4, 4, 4), store(0x20000, 5, 1, 5), store(0x20000, 9, 4, 9))
        self.assertEqual([(hit['cycle'], hit['values']['old(i)']) for hit in found], [(4, 0), (5, 4), (9, 5)])

    def test_neighbours_are_no_event(self):
        self.assertEqual(values('write(row[1])', store(0x2002C, 1, 1), store(0x2002E, 1, 1)), [])

    def test_order_and_counts(self):
        found, summary = run('a: when i > 0 && i > u { print; count n } b: when write(i) { print } c: when i == 2 { count n }',
                             store(0x20000, 1), store(0x20000, 2))
        self.assertEqual([hit['statement'] for hit in found], ['a', 'b', 'a', 'b'])
        self.assertEqual(summary['counters'], {'n': 3})
        self.assertEqual((summary['exit_code'], summary['cycles']), (7, 999))

    def test_names(self):
        found, _ = run('when write(i) { print } named: when write(i) { print } write(i)', store(0x20000, 1))
        self.assertEqual([hit['statement'] for hit in found], ['s1', 'named', 's2'])

    def test_locals_live_with_their_activation(self):
        statement = 'when f\\x > 0 { print }'
        inside = [START, jump(0x220, 0x300, CALL, 20, SP - 16), store(SP - 24, 5, time=25), jump(0x340, 0x224, RET, 30, SP - 16)]
        found, _ = run(statement, *inside, store(SP - 24, 6, time=40))
        self.assertEqual([(hit['cycle'], hit['path']) for hit in found], [(25, ['main', 'f'])])
        self.assertEqual(run(statement, START, store(SP - 24, 6))[0], [])

    def test_unknown(self):
        statement = 'when enter(f) && f\\x >= 0 { print }'
        found, summary = run(statement, START, jump(0x220, 0x300, CALL, 20, SP - 16))
        self.assertEqual((found, summary['unknown']), ([], 1))

    def test_small_locals(self):
        call, ret = jump(0x220, 0x300, CALL, 20, SP - 16), jump(0x340, 0x224, RET, 30, SP - 16)
        tiny, pair = SP - 27, SP - 28   # f's `tiny` and `half` in one word, of which one byte is nobody's
        statement = 'when f\\tiny > i || f\\half > i { print i }'
        half = store(pair + 2, 7, 2, 23)
        # each byte is known from its first write in the activation on: hits, evaluations that met what was not written
        for writes, told in (([store(tiny, 5, 1, 22)], (1, 0)), ([store(tiny, 5, 1, 22), half], (2, 0)), ([half, half], (0, 2)),
                             ([store(tiny, 5, 1, 22), ret, call, half], (1, 1)), ([store(tiny, 5, 1, 22), half, ret, call, half], (2, 1)),
                             ([store(tiny, 5, 1, 22), store(pair + 3, 0, 1), store(pair + 2, 7, 1, 23)], (3, 0))):
            found, summary = run(statement, START, call, *writes)
            self.assertEqual((len(found), summary['unknown']), told)
        # a local that is only printed; one alone in its statement, whose write brings its value along
        found, _ = run('when write(i) { print f\\tiny }', START, call, store(tiny, 5, 1, 22), store(0x20000, 1, time=23))
        self.assertEqual([hit['values'] for hit in found], [{'f\\tiny': 5}])
        found, summary = run('when f\\tiny != old(f\\tiny) { print }', START, call, store(tiny, 5, 1, 22), store(tiny, 6, 1, 23))
        self.assertEqual((len(found), summary['unknown']), (1, 1))


class Compound(unittest.TestCase):
    """Writes to i (A), u (B), flag (C) and mode (D), each at its time."""
    PLACES = {'A': 0x20000, 'B': 0x20004, 'C': 0x20010, 'D': 0x20018}

    def times(self, event, writes):
        """Times of hits, and how long each event took. writes: 'A1 B2 C30'."""
        for name, variable in (('A', 'i'), ('B', 'u'), ('C', 'flag'), ('D', 'mode')):
            event = event.replace(name, f'write({variable})')
        found, _ = run(f'when {event} {{ print elapsed }}',
                       *[store(self.PLACES[w[0]], 1, 1 if w[0] == 'C' else 4, int(w[1:])) for w in writes.split()])
        return [(hit['cycle'], hit['values']['elapsed_ns'] // 100) for hit in found]

    def test_then(self):
        self.assertEqual(self.times('A then B', 'A1 B3 B4 A5 A6 B9'), [(3, 2), (9, 3)])
        self.assertEqual(self.times('A then B then C', 'A1 B2 C3 A4 C5 B6 C7 A8 A9 B10 B11 C12 A13 B14 A15 B16 C17'), [(3, 2), (17, 2)])

    def test_and_or(self):
        self.assertEqual(self.times('A and B', 'A1 B3 B4 B5 A9'), [(3, 2), (9, 4)])
        self.assertEqual(self.times('(A and B) then C', 'A1 C2 B3 C4 B5 A6 B7 C8'), [(4, 3)])
        self.assertEqual(self.times('A then (B and C)', 'A1 C2 B3 A4 B5 B6 C7'), [(3, 2), (7, 3)])
        self.assertEqual(self.times('(A then B) or C', 'A1 C2 B3 A4 B5'), [(2, 0), (5, 1)])

    def test_then_has_its_own_parts(self):
        either = '(A then B) or (C then D)'
        self.assertEqual(self.times(either, 'A1 C2 B3 D4 A5 C6 D7 A8 C9 A10 B11'), [(3, 2), (7, 1), (11, 1)])
        self.assertEqual(self.times('((A then B) and D) then C', 'A1 D2 C3 B4 C5 A6 D7 B8 A9 C10'), [(5, 4)])

    def test_within(self):
        self.assertEqual(self.times('A then B within 3 cycles', 'A1 B4 A5 B9 A10 B11'), [(4, 3), (11, 1)])
        self.assertEqual(self.times('(A then B within 300ns) then C within 5 cycles', 'A1 B4 C6 A10 B14 C15 A20 B21 C26'), [(6, 5)])

    def test_elapsed(self):
        self.assertEqual(self.times('A then B && elapsed > 0.3us', 'A1 B4 B5 A6 B7 A8 B12'), [(5, 4), (12, 4)])


class Times(unittest.TestCase):
    def test_age(self):
        found, summary = run('when write(i) && age(i) > 5 cycles { print age(u) }', store(0x20000, 1, time=1), store(0x20004, 1, time=2),
                             store(0x20000, 2, time=6), store(0x20000, 3, time=12))
        self.assertEqual([(hit['cycle'], hit['values']['age(u)_ns']) for hit in found], [(12, 1000)])
        self.assertEqual(summary['unknown'], 1)   # nobody had written i

    def test_for(self):
        found, _ = run('when i > 2 && u < 9 for 10 cycles { print }', store(0x20000, 3, time=4), store(0x20000, 5, time=9), store(0x20000, 1, time=20),
                       store(0x20000, 7, time=22), store(0x20004, 9, time=31), store(0x20004, 8, time=40), store(0x20000, 8, time=50))
        self.assertEqual([(hit['cycle'], hit['values']) for hit in found], [(14, {'i': 5, 'u': 0}), (50, {'i': 7, 'u': 8})])

    def test_unchanged(self):
        found, _ = run('when i unchanged for 10 cycles { print }', store(0x20000, 0, time=4), store(0x20000, 7, time=12),
                       store(0x20000, 7, time=20), store(0x20000, 8, time=22), store(0x20000, 9, time=31), store(0x20000, 9, time=70000))
        self.assertEqual([(hit['cycle'], hit['values'], hit['path']) for hit in found],
                         [(10, {'i': 0}, None), (22, {'i': 7}, None), (41, {'i': 9}, None)])


class Places(unittest.TestCase):
    def test_at(self):
        call = jump(0x220, 0x300, CALL, 20, SP - 16)
        reach = [oracle.RECORD.pack(oracle.AT, 0, 0, pc, 0, 0, 0, time, time) for pc, time in ((0x300, 20), (0x308, 22), (0x300, 30))]
        found, _ = run('when enter(f) || at(fake.c:768) { print } when f\\2 || path == f:g\\1 { print }', START, call, *reach)
        self.assertEqual([(hit['statement'], hit['cycle'], hit['pc']) for hit in found], [('s1', 20, 0x300), ('s2', 22, 0x308), ('s1', 30, 0x300)])


class Stack(unittest.TestCase):
    def walk(self, *steps):
        """Runs steps on a call stack; returns events as text."""
        events = []
        stack = CallStack(FakeProgram(), lambda time: events.append(f'+{path(stack)}@{time}'),
                          lambda time, pc: events.append(f'-{path(stack)}@{time}'), lambda a: None, lambda a: None)
        for step, *args in steps:
            getattr(stack, step)(*args)
        return events, path(stack)

    MAIN = ('jump', 0x110, 0x200, CALL, SP, 1)
    F = ('jump', 0x210, 0x300, CALL, SP - 16, 2)
    G = ('jump', 0x310, 0x400, CALL, SP - 32, 3)

    def test_call_and_return(self):
        events, rest = self.walk(self.MAIN, self.F, ('jump', 0x320, 0x214, RET, SP - 16, 9))
        self.assertEqual((events, rest), (['+main@1', '+main:f@2', '-main:f@9'], 'main'))

    def test_tail_call(self):
        events, rest = self.walk(self.MAIN, self.F, ('jump', 0x320, 0x400, JUMP, SP - 16, 5), ('jump', 0x420, 0x214, RET, SP - 16, 9))
        self.assertEqual((events[2:], rest), (['-main:f@5', '+main:g@5', '-main:g@9'], 'main'))

    def test_jumps_inside_are_no_events(self):
        for target, insn in ((0x300, JUMP), (0x330, JUMP), (0x330, SWITCH), (0x300, SWITCH)):
            events, rest = self.walk(self.MAIN, self.F, ('jump', 0x320, target, insn, SP - 48, 5))
            self.assertEqual((len(events), rest), (2, 'main:f'))

    def test_recursion(self):
        again = ('jump', 0x310, 0x300, CALL, SP - 32, 4)
        events, rest = self.walk(self.MAIN, self.F, again, ('jump', 0x320, 0x314, JUMP, SP - 48, 5),  # a loop through the return point
                                 ('jump', 0x330, 0x314, RET, SP - 32, 6), ('jump', 0x330, 0x214, RET, SP - 16, 7))
        self.assertEqual((events[2:], rest), (['+main:f:f@4', '-main:f:f@6', '-main:f@7'], 'main'))

    def test_longjmp(self):
        events, rest = self.walk(self.MAIN, self.F, self.G, ('jump', 0x410, 0x500, CALL, SP - 48, 4),
                                 ('jump', 0x510, 0x230, SWITCH, SP - 16, 9))
        self.assertEqual((len(events), rest), (4, 'main'))
        events, rest = self.walk(self.MAIN, self.F, self.G, ('jump', 0x420, 0x214, RET, SP - 16, 9))
        self.assertEqual((events[3:], rest), (['-main:f@9'], 'main'))

    def test_interrupt(self):
        events, rest = self.walk(self.MAIN, ('interrupt', 0x600, 0x220, SP - 16, 3, None), ('jump', 0x610, 0x400, CALL, SP - 32, 4),
                                 ('jump', 0x410, 0x614, RET, SP - 32, 5), ('mret', 0x620, 6))
        self.assertEqual((events[1:], rest), (['+main:isr@3', '+main:isr:g@4', '-main:isr:g@5', '-main:isr@6'], 'main'))

    def test_interrupt_between_jump_and_arrival(self):
        found, _ = run('when enter(f) || leave(isr) { print }', START, jump(0x210, 0x300, CALL, 20, SP - 16), trap(0x600, 0x300, 20),
                       mret(0x640, 0x300, 30, 33), store(0x20000, 1, time=40))
        self.assertEqual([(hit['cycle'], hit['path']) for hit in found], [(30, ['main', 'isr']), (33, ['main', 'f'])])

    def test_start_code_is_not_in_paths(self):
        self.assertEqual(self.walk(self.MAIN)[1], 'main')


def path(stack):
    return ':'.join(a.procedure.name for a in stack.activations)


class Paths(unittest.TestCase):
    """Which activation a path denotes. A stack is written as 'main f f g': f called at 0x214, g at 0x314 (by f), h by an interrupt."""
    SITES = {'main': 0x110, 'f': 0x214, 'g': 0x314, 'h': 0x414}

    def setUp(self):
        self.named = {p.name: p for p in FakeProgram().procedures}

    def find(self, text, stack):
        steps = []
        for step in text.split(':'):
            if step == '*':
                steps.append(('any',))
            elif '[' in step:
                steps.append(('nested', self.named[step[0]], int(step[2])))
            elif '@' in step:
                name, site = step.split('@')
                steps.append(('call', self.named[name], int(site, 16)))
            else:
                steps.append(('name', self.named[step]))
        activations = [Activation(self.named[name.strip('!')], self.SITES.get(name.strip('!')), None, SP, name.endswith('!'))
                       for name in stack.split()]
        return paths.Path(steps, text).find(activations)

    def test_names_follow_one_another(self):
        self.assertEqual(self.find('main:f', 'main f'), 1)
        self.assertEqual(self.find('main:f', 'main f g'), 1)       # it exists, further out
        self.assertIsNone(self.find('main:g', 'main f g'))
        self.assertIsNone(self.find('f', 'main f'))                # begins at the bottom
        self.assertIsNone(self.find('main:f:g', 'main f'))
        self.assertIsNone(self.find('main', ''))

    def test_gaps(self):
        self.assertEqual(self.find('*:g', 'main f g'), 2)
        self.assertEqual(self.find('*:f', 'main f f g'), 2)        # the innermost
        self.assertEqual(self.find('main:*:f', 'main f'), 1)       # no activation between
        self.assertEqual(self.find('main:*:f:*:g', 'main g f h g g'), 5)
        self.assertIsNone(self.find('main:*:f:g', 'main f h g'))
        self.assertEqual(self.find('*:f:g', 'main f g f h g'), 2)

    def test_nested(self):
        self.assertEqual(self.find('main:f[1]', 'main f f f'), 1)
        self.assertEqual(self.find('main:f[3]', 'main f f f f'), 3)
        self.assertEqual(self.find('main:f[2]', 'main f g h f'), 4)    # anything in between
        self.assertIsNone(self.find('main:f[2]', 'main f g'))
        self.assertIsNone(self.find('main:f[2]', 'main g f f'))        # the first stands right there
        self.assertEqual(self.find('*:f[2]', 'main g f h f f'), 4)     # counted from the outer end of the gap
        self.assertEqual(self.find('main:f[2]:g', 'main f f g'), 3)
        self.assertIsNone(self.find('main:f[2]:g', 'main f f f g'))
        self.assertEqual(self.find('main:g:*:f[2]', 'main g f f f'), 3)

    def test_call_sites_and_interrupts(self):
        self.assertEqual(self.find('main:f@214', 'main f'), 1)
        self.assertIsNone(self.find('main:f@218', 'main f'))
        self.assertIsNone(self.find('main:f@214', 'main f!'))          # an interrupt is no call
        self.assertEqual(self.find('main:h', 'main h!'), 1)

    def test_innermost(self):
        path = paths.Path([('any',), ('name', self.named['f'])], '*:f')
        stack = [Activation(self.named[name], 0, None, SP) for name in ('main', 'f', 'g')]
        self.assertTrue(path.is_innermost(stack[:2]))
        self.assertFalse(path.is_innermost(stack) or path.is_innermost([]))
        self.assertTrue(path.exists(stack))

    def test_calls_are_numbered_by_line_then_address(self):
        program = FakeProgram()
        lines = {0x200: 9, 0x208: 7, 0x210: 7, 0x218: 8}

        def jal(at, to):
            offset = to - at
            return 0xEF | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 | (offset >> 12 & 0xFF) << 12 | (offset >> 20 & 1) << 31
        program.line = lambda address: ('fake.c', lines.get(address, 0))
        program.words.update({0x200: jal(0x200, 0x300), 0x208: jal(0x208, 0x400), 0x210: jal(0x210, 0x500), 0x218: 0x000780E7})
        main = program.entries[0x200]
        self.assertEqual([paths.call(program, main, n) for n in (1, 2)], [(program.entries[0x400], 0x208), (program.entries[0x500], 0x210)])
        self.assertIsNone(paths.call(program, main, 3))        # through a pointer: no name
        self.assertEqual(paths.call(program, main, 4), (program.entries[0x300], 0x200))
        self.assertIsNone(paths.call(program, main, 5))
        program.entries[0x400].name = '__mulsi3'                # the compiler's own calls do not count
        self.assertEqual(paths.call(program, main, 1), (program.entries[0x500], 0x210))


if __name__ == '__main__':
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(
        unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    failed = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - failed} passed, {failed} failed')
    sys.exit(failed != 0)
