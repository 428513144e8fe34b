#!/usr/bin/python3
"""generate.py SEED [DIRECTORY]: a random C program for the reference target and statements about it.

The same seed always makes the same program. Every program ends: loops have constant trip counts, recursion counts down, and an estimate
of the cost bounds how often main repeats its work. Arithmetic wraps (-fwrapv), indices are masked, so no run is undefined.
"""
import random
import re

import generator

LEVELS = ['-O0', '-Og', '-O2']
INTS = {'int8_t': (-128, 127), 'uint8_t': (0, 255), 'int16_t': (-32768, 32767), 'uint16_t': (0, 65535), 'int': (-2**31, 2**31 - 1),
        'uint32_t': (0, 2**32 - 1), 'char': (0, 255), 'signed char': (-128, 127), 'bool': (0, 1)}
ENUMS = {'enum mode': ['IDLE', 'RUNNING', 'FAULT', 'DONE'], 'enum level': ['LOW', 'MIDDLE', 'HIGH', 'BELOW']}
CALL_COST, STATEMENT_COST = 14, 9   # instructions, roughly, at -O0
INSTRUCTIONS = 32000


class Place:
    """Something that can be assigned: C text, its type's range, and the text by which statements may know it (or None)."""

    def __init__(self, text, low, high, watch, enum=None):
        self.text, self.low, self.high, self.watch, self.enum = text, low, high, watch, enum


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.later = random.Random(f'later {seed}')
        self.level = LEVELS[seed % 3]
        self.places = []      # global scalars
        self.floats, self.pointers = [], []
        self.wide = None      # a 64-bit variable: traffic of two words, never watched
        self.structs = []     # names of global variables of type struct box
        self.arrays = []      # (name, length)
        self.lines = []
        self.costs = {}       # procedure -> estimated instructions
        self.locals = {}      # procedure -> [Place]
        self.counters = 0

    # --- declarations --------------------------------------------------------------------------

    def declare(self):
        out = self.lines
        out += ['#include <setjmp.h>', '#include <stdbool.h>', '#include <string.h>', '', '#include "target.h"', '']
        out += ['enum mode { IDLE, RUNNING = 3, FAULT = 200, DONE };', 'enum level { LOW = -2, MIDDLE, HIGH = 70000, BELOW = -70000 };']
        first, second = sorted(self.random.sample(range(2, 14), 2))
        out += ['struct box {', f'    unsigned narrow : {first};', f'    int middle : {second};', '    bool lid : 1;',
                '    uint16_t half;', '    signed char tiny[3];', '    union {', '        int32_t whole;', '        uint8_t parts[4];', '    };',
                '    enum mode state;', '    struct {', '        int16_t x, y;', '    } at;', '};']
        for i in range(self.random.randrange(5, 10)):
            type_ = self.pick(list(INTS))
            qualifier = self.pick(['', '', 'volatile ', 'static __attribute__((used)) ', 'static volatile __attribute__((used)) '])
            low, high = INTS[type_]
            start = f' = {self.random.randrange(max(low, -90), min(high, 90) + 1)}' if self.chance(50) else ''
            out.append(f'{qualifier}{type_} g{i}{start};')
            self.places.append(Place(f'g{i}', low, high, f'g{i}'))
        for i, name in enumerate(ENUMS):
            if self.chance(75):
                out.append(f'{name} e{i};')
                self.places.append(Place(f'e{i}', 0, 0, f'e{i}', name))
        for i in range(self.random.randrange(1, 3)):
            name = f'box{i}'
            out.append(f'struct box {name};')
            self.structs.append(name)
            self.places += [Place(f'{name}.narrow', 0, (1 << first) - 1, f'{name}.narrow'),
                            Place(f'{name}.middle', -(1 << second - 1), (1 << second - 1) - 1, f'{name}.middle'),
                            Place(f'{name}.lid', 0, 1, f'{name}.lid'), Place(f'{name}.half', 0, 65535, f'{name}.half'),
                            Place(f'{name}.tiny[1]', -128, 127, f'{name}.tiny[1]'),
                            Place(f'{name}.whole', -2**31, 2**31 - 1, f'{name}.whole'),
                            Place(f'{name}.parts[2]', 0, 255, f'{name}.parts[2]'),
                            Place(f'{name}.state', 0, 0, f'{name}.state', 'enum mode'),
                            Place(f'{name}.at.y', -32768, 32767, f'{name}.at.y')]
        for i in range(self.random.randrange(1, 3)):
            type_, length = self.pick(list(INTS)), self.pick([2, 4, 8])
            out.append(f'{type_} a{i}[{length}];')
            self.arrays.append((f'a{i}', length))
            low, high = INTS[type_]
            index = self.random.randrange(length)
            self.places.append(Place(f'a{i}[{index}]', low, high, f'a{i}[{index}]'))
        if self.chance(50):
            out.append('float fl0;')
            self.floats.append('fl0')
        if self.chance(50):
            out.append('volatile void *p0;')
            self.pointers.append('p0')
        if self.chance(30):
            out.append('uint64_t wide;')
            self.wide = 'wide'
        out.append('static jmp_buf bail;')
        out.append('')

    # --- expressions ---------------------------------------------------------------------------

    def value(self, scope, depth=0):
        """A C expression over global variables and those of `scope`."""
        roll = self.random.randrange(100)
        if depth > 2 or roll < 25:
            return self.pick(scope + self.places).text
        if roll < 40:
            return str(self.pick([0, 1, 2, 3, 5, 7, 17, 100, 255, 256, 1000, 32767, 65536, -1, -2, -100, 0x5A5A5A5A]))
        if roll < 70:
            return f'({self.value(scope, depth + 1)} {self.pick(["+", "-", "^", "&", "|"])} {self.value(scope, depth + 1)})'
        if roll < 78:
            return f'({self.value(scope, depth + 1)} {self.pick(["<<", ">>"])} {self.random.randrange(1, 12)})'
        if roll < 86:
            return f'({self.condition(scope, depth + 1)} ? {self.value(scope, depth + 1)} : {self.value(scope, depth + 1)})'
        if roll < 89:
            name, length = self.pick(self.arrays)
            return f'{name}[{self.value(scope, depth + 1)} & {length - 1}]'
        if roll < 91:
            return f'({self.value(scope, depth + 1)} * {self.random.randrange(3, 100)})'
        if roll < 94:
            return '(int)target_random()'
        return f'({self.pick(["-", "~", "!"])} {self.value(scope, depth + 1)})'

    def condition(self, scope, depth=0):
        return f'({self.value(scope, depth)} {self.pick(["<", "<=", ">", ">=", "==", "!="])} {self.value(scope, depth)})'

    # --- statements of C -------------------------------------------------------------------------

    def block(self, scope, callees, budget, indent, depth=0):
        """Statements of at most about `budget` instructions. Returns their estimated cost."""
        cost = 0
        for _ in range(self.random.randrange(2, 6)):
            if cost > budget:
                break
            cost += self.statement(scope, callees, budget - cost, indent, depth)
        return cost

    def put(self, indent, text):
        self.lines.append('    ' * indent + text)

    def statement(self, scope, callees, budget, indent, depth):
        roll = self.random.randrange(100)
        if roll < 12 and depth < 2:
            self.put(indent, f'if ({self.condition(scope)}) {{')
            cost = self.block(scope, callees, budget, indent + 1, depth + 1)
            if self.chance(40):
                self.put(indent, '} else {')
                cost += self.block(scope, callees, budget, indent + 1, depth + 1)
            self.put(indent, '}')
            return cost + STATEMENT_COST
        if roll < 22 and depth < 2:
            trips = self.random.randrange(2, 6)
            self.put(indent, f'for (int n{depth} = 0; n{depth} < {trips}; n{depth}++) {{')
            counter = Place(f'n{depth}', 0, trips, None)
            cost = self.block(scope, callees, budget // trips, indent + 1, depth + 1)
            self.put(indent + 1, f'{self.assigned(scope).text} += {counter.text};')
            self.put(indent, '}')
            return trips * (cost + 2 * STATEMENT_COST)
        if roll < 27 and depth < 2:
            self.put(indent, f'switch ({self.value(scope)} & 7) {{')
            for case in range(self.random.randrange(3, 8)):
                self.put(indent, f'case {case}:')
                self.put(indent + 1, f'{self.assigned(scope).text} = {self.value(scope)};')
                if self.chance(80):
                    self.put(indent + 1, 'break;')
            self.put(indent, 'default:')
            self.put(indent + 1, 'break;')
            self.put(indent, '}')
            return 4 * STATEMENT_COST
        affordable = [name for name in callees if self.costs[name] < budget]
        if roll < 50 and affordable:
            name = self.pick(affordable)
            self.put(indent, f'{self.assigned(scope).text} = {name}({self.value(scope)}, {self.value(scope)});')
            return self.costs[name] + CALL_COST
        if roll < 56 and len(self.structs) > 1:
            self.put(indent, self.pick([f'box0 = box{self.random.randrange(1, len(self.structs))};', 'memcpy(&box1, &box0, sizeof box1);',
                                        'box1.at = box0.at;', 'memcpy(box0.tiny, box1.tiny, sizeof box0.tiny);']))
            return 5 * STATEMENT_COST
        if roll < 60 and self.floats:
            self.put(indent, f'fl0 = {self.condition(scope)} ? {self.pick(["1.5f", "-0.25f", "3e10f", "0.0f"])} : '
                             f'{self.pick(["2.75f", "-1e-5f", "1.0f"])};')
            return 3 * STATEMENT_COST
        if roll < 64 and self.pointers:
            name, length = self.pick(self.arrays)
            self.put(indent, f'p0 = {self.pick(["&g0", f"{name} + ({self.value(scope)} & {length - 1})", "0"])};')
            return STATEMENT_COST
        if roll < 67 and self.wide:
            self.put(indent, f'wide += (uint64_t){self.value(scope)};')
            return 2 * STATEMENT_COST
        if roll < 72:
            name, length = self.pick(self.arrays)
            self.put(indent, f'{name}[{self.value(scope)} & {length - 1}] = {self.value(scope)};')
            return 2 * STATEMENT_COST
        place = self.assigned(scope)
        operator = '=' if place.enum or place.high == 1 else self.pick(['=', '=', '+=', '-=', '^=', '|=', '&='])
        text = self.pick(ENUMS[place.enum]) if place.enum and self.chance(90) else self.value(scope)
        self.put(indent, f'{place.text} {operator} {text};')
        return STATEMENT_COST

    def assigned(self, scope):
        return self.pick(scope) if scope and self.chance(35) else self.pick(self.places)

    # --- procedures ------------------------------------------------------------------------------

    def procedure(self, name, callees, budget, qualifier, second='int', tail=None):
        self.lines.append(f'{qualifier}int {name}(int {name}_a, {second} {name}_b)')
        self.lines.append('{')
        scope = [Place(f'{name}_a', -2**31, 2**31 - 1, f'{name}_a'), Place(f'{name}_b', -128, 255, f'{name}_b')]
        for i in range(self.random.randrange(0, 4)):
            type_ = self.pick(list(INTS))
            low, high = INTS[type_]
            self.put(1, f'{type_} {name}_v{i} = {self.value(scope)};')
            scope.append(Place(f'{name}_v{i}', low, high, f'{name}_v{i}'))
        if self.chance(30):
            self.put(1, f'static __attribute__((used)) uint16_t {name}_s;')
            self.put(1, f'{name}_s++;')
            # Outside of its procedure it has no name in C. A procedure that may be inlined everywhere may not be there as one.
            self.places.append(Place('g0', 0, 65535, f'{name}\\{name}_s' if 'noipa' in qualifier else f'{name}_s'))
        cost = CALL_COST + self.block(scope, callees, budget, 1)
        if tail:
            cost += self.costs[tail]
            self.put(1, f'return {tail}({self.value(scope)}, {self.value(scope)});')
        else:
            self.put(1, f'return {self.value(scope)};')
        self.lines += ['}', '']
        self.costs[name] = cost
        self.locals[name] = scope

    def procedures(self):
        watched = '__attribute__((noipa)) '
        leaves = []
        for i in range(self.random.randrange(1, 3)):
            self.procedure(f'leaf{i}', [], 120, watched if self.chance(60) else '__attribute__((noinline)) ')
            leaves.append(f'leaf{i}')
        # through pointers
        for i in range(2):
            self.procedure(f'by{i}', leaves, 200, watched)
        self.lines += ['static int (*const table[2])(int, int) = {by0, by1};', '']
        # recursive: counts down
        self.lines += [f'{watched}int again(int again_a, int again_b)', '{', f'    {self.assigned([]).text} += again_a;',
                       '    if (again_b <= 0)', f'        return {self.value([])};',
                       f'    int left = again(again_a + 1, again_b - {self.pick(["1", "2"])});',
                       f'    {self.assigned([]).text} ^= left;', '    return left + again_a;' if self.chance(50) else '    return left;',
                       '}', '']
        if self.chance(40):
            self.lines += ['int odd(int, int);', f'{watched}int even(int even_a, int even_b)', '{',
                           f'    {self.assigned([]).text}++;', '    return even_a <= 0 ? even_b : odd(even_a - 1, even_b + 1);', '}',
                           f'{watched}int odd(int odd_a, int odd_b)', '{', f'    {self.assigned([]).text}--;',
                           '    return odd_a <= 0 ? -odd_b : even(odd_a - 1, odd_b);', '}', '']
            self.costs['even'] = 20
        upper = list(leaves)
        for i in range(self.random.randrange(2, 5)):
            tail = self.pick(upper) if self.chance(35) else None
            qualifier = self.pick([watched, watched, '__attribute__((noinline)) ', 'static '])
            self.procedure(f'f{i}', upper[-3:], 500, qualifier, self.pick(['int', 'int16_t', 'uint8_t']), tail)
            upper.append(f'f{i}')
        self.upper = upper
        self.jumps = self.chance(15)
        if self.jumps:
            self.lines += [f'{watched}void throw(int depth)', '{', f'    {self.assigned([]).text} = depth;', '    if (depth > 2)',
                           '        longjmp(bail, depth);', '    throw(depth + 1);', f'    {self.assigned([]).text}++;', '}', '']
        self.interrupts = self.chance(35)
        if self.interrupts:
            self.lines += ['static uint64_t next_tick;', 'volatile uint32_t ticks;', '',
                           f'{watched}void isr_work(uint32_t tick)', '{', f'    {self.assigned([]).text} ^= tick;', '}', '',
                           '__attribute__((interrupt("machine"), aligned(4))) void isr(void)', '{',
                           f'    next_tick += {self.random.randrange(700, 3000)};',
                           f'    target_timer_at(ticks < {self.random.randrange(10, 60)} ? next_tick : UINT64_MAX);', '    ticks++;',
                           '    isr_work(ticks);' if self.chance(60) else f'    {self.assigned([]).text} = ticks;', '}', '']

    def main(self):
        self.lines += ['int main(void)', '{']
        if self.interrupts:
            self.lines += ['    next_tick = target_cycles() + 500;', '    target_timer_at(next_tick);', '    target_interrupts_on(isr);']
        before = len(self.lines)
        scope = []
        step = [Place('step', 0, 100, None)]
        cost = 40
        for name in self.upper[-5:] + (['even'] if 'even' in self.costs else []):
            self.put(2, f'{self.assigned(scope).text} += {name}(step + {self.value(step)}, {self.random.randrange(100)});'
                     if name != 'even' else f'{self.assigned(scope).text} = even(step & 7, step);')
            cost += self.costs[name] * (6 if name == 'even' else 1) + CALL_COST
        self.put(2, f'{self.assigned(scope).text} = table[{self.value(step)} & 1](step, {self.value(step)});')
        cost += max(self.costs['by0'], self.costs['by1']) + CALL_COST
        self.put(2, f'{self.assigned(scope).text} = again(step, {self.value(step)} & 7);')
        cost += 5 * 30
        if self.jumps:
            self.lines += ['        if (setjmp(bail) == 0)', '            throw(0);', '        else',
                           f'            {self.assigned(scope).text}++;']
            cost += 200
        body = self.lines[before:]
        del self.lines[before:]
        self.steps = max(2, min(120, INSTRUCTIONS // cost))
        if self.chance(10):  # deeper than the shadow stack of the probe holds
            self.lines.append(f'    {self.assigned(scope).text} = again(1, {self.random.randrange(70, 110)});')
        self.lines += [f'    for (int step = 0; step < {self.steps}; step++) {{'] + body + ['    }']
        if self.interrupts:
            self.lines.append('    target_interrupts_off();')
        self.lines += [f'    return (int)({self.value([])} & 63);', '}']

    # --- monitoring statements -----------------------------------------------------------------------

    def reference(self):
        return self.pick(self.watchable)

    def constant(self, place):
        if place.enum and self.chance(80):
            return self.pick(ENUMS[place.enum])
        near = [c for c in (0, 1, -1, 2, 3, 7, 10, 50, 100, 127, 200, 255, 1000, 30000, -5, -100, -20000, 100000, -2000000)
                if place.low <= c <= place.high] or [0, 3, 200]
        value = self.pick(near)
        return self.pick([str(value), hex(value)]) if value > 9 else str(value)

    def operand(self, place):
        """Something made of a variable and its fellows, by the operators that statements have."""
        roll = self.random.randrange(100)
        if roll < 60:
            return place.watch
        other = self.reference().watch
        return self.pick([f'({place.watch} + {other})', f'({place.watch} - {other})', f'({place.watch} ^ {other})', f'~{place.watch}',
                          f'-{place.watch}', f'({place.watch} & 0x{self.pick(["1", "f", "ff", "f0", "8000"])})',
                          f'({place.watch} << {self.random.randrange(1, 9)})', f'({place.watch} >> {self.random.randrange(1, 9)})',
                          f'({place.watch} | {other})', f'({place.watch} - old({place.watch}))', f'!{place.watch}'])

    def compare(self):
        place = self.reference()
        right = self.constant(place) if self.chance(75) else self.operand(self.reference())
        if self.chance(6):
            right = f'{self.random.randrange(100)}u'
        return f'{self.operand(place)} {self.pick(["<", "<=", ">", ">=", "==", "!="])} {right}'

    @staticmethod
    def whole(watch):
        """The array or struct that a place is a part of; itself, when it is none."""
        return re.sub(r'(\[\d+\]|\.\w+)$', '', watch)

    def term(self):
        roll = self.random.randrange(100)
        place = self.reference()
        if roll < 50:
            return self.compare()
        if roll < 60:
            return f'write({self.whole(place.watch) if self.chance(40) else place.watch})'
        if roll < 70:
            return f'{place.watch} {self.pick(["!=", ">", "<"])} old({place.watch})'
        if roll < 84:
            return f'{self.pick(["enter", "leave"])}({self.pick(self.named)})'
        if roll < 90:
            return f'!({self.compare()})'
        return f'({self.compare()} {self.pick(["&&", "||"])} {self.compare()})'

    def predicate(self):
        text = self.term()
        for _ in range(self.pick([0, 0, 1, 1, 2])):
            text += f' {self.pick(["&&", "&&", "||"])} {self.term()}'
        return text

    def actions(self):
        items = [self.reference().watch for _ in range(self.random.randrange(1, 4))]
        items = [f'old({item})' if self.chance(25) else item for item in items]
        if self.floats and self.chance(30):
            items.append('fl0')
        if self.pointers and self.chance(30):
            items.append('p0')
        text = self.pick(['print', 'print ' + ', '.join(items), 'print ' + ', '.join(items)])
        if self.chance(25):
            text += f'; count c{self.random.randrange(2)}'
        return text + self.more_actions()

    def more_actions(self):
        """Of a stream of their own, so that programs stay what they were before there were these."""
        random, text = self.later, ''
        while random.randrange(100) < 30:
            counter = f'c{random.randrange(3)}'
            text += '; ' + random.choice([f'count {counter}', f'decrement {counter}', f'set {counter} = {random.randrange(-3, 4)}',
                                          f'reset {counter}', f'print {counter}', f'disable s{random.randrange(14)}',
                                          f'enable s{random.randrange(14)}'])
        return text

    def statements(self):
        self.named = ['leaf0', 'by0', 'by1', 'again', 'main'] + ['isr_work', 'isr', 'isr'] * self.interrupts + ['throw'] * self.jumps
        self.named = [name for name in self.named + [f'f{i}' for i in range(9)] if self.is_watched(name)]
        made = []
        for i in range(self.random.randrange(6, 14)):
            # at -O0 many statements are over one procedure's locals, the others over what always exists
            self.watchable = list(self.places)
            small = []
            if self.level == '-O0' and self.chance(60):
                name = self.pick(sorted(self.reachable('main') & set(self.locals)))
                prefix = f'{name}\\' if self.chance(50) else ''
                local = [Place(p.text, p.low, p.high, prefix + p.watch) for p in self.locals[name]]
                small = [place for place in local if place.high - place.low < 0x10000]
                self.watchable = local * 3 + small * 4 + self.places
            predicate = self.predicate()
            if small and self.chance(40):
                # values narrower than their word are known by what is written of it: have them read beside others
                narrow, other = self.pick(small).watch, self.reference().watch
                predicate = self.pick([f'{narrow} {self.pick(["<", "!=", ">="])} {other}', f'{predicate} && {narrow} != {other}',
                                       f'{narrow} != old({narrow})', f'write({other}) && {narrow} >= 0'])
            if self.later.randrange(100) < 12:
                predicate = f'({predicate}) && c{self.later.randrange(3)} {self.later.choice(["<", ">=", "!="])} {self.later.randrange(-2, 5)}'
            disabled = 'disabled ' * (self.later.randrange(100) < 6)
            made.append(f's{i}: {disabled}when {predicate} {{ {self.actions()} }}')
        made.append('all: when enter(main) { reset c0; reset c1; reset c2 }')  # they are known wherever they are named
        return made

    def reachable(self, name):
        """Procedures that calls by name lead to from a procedure, itself included."""
        found, todo = set(), [name]
        while todo:
            caller = todo.pop()
            if caller not in found:
                found.add(caller)
                todo += self.called_by(caller)
        return found

    def called_by(self, caller):
        start = next(i for i, line in enumerate(self.lines) if f'int {caller}(' in line and not line.endswith(';'))
        body = '\n'.join(self.lines[start + 1:self.lines.index('}', start)])
        return [name for name in self.costs if f' {name}(' in body or f'({name}(' in body]

    def is_watched(self, name):
        return name == 'main' or any(('noipa' in line or 'interrupt(' in line) and f' {name}(' in line for line in self.lines)

    def make(self):
        self.declare()
        self.procedures()
        self.main()
        return '\n'.join(self.lines) + '\n', self.statements()


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    source, statements = made.make()
    return source, statements, made.level


if __name__ == '__main__':
    generator.main('seed', make)
