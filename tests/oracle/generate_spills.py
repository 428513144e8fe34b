#!/usr/bin/python3
"""generate_spills.py SEED [DIRECTORY]: a random C program for optimised code, whose procedures have more locals than there are
registers, and more arguments; and statements about those of them that the stack holds at times.

The same seed always makes the same program. Every program ends: loops have constant trip counts, recursion counts down. Arithmetic
wraps (-fwrapv), shifts are masked, everything is initialised.
"""
import random

import generator

LEVELS = ['-Og', '-O2', '-Os', '-O1']
TYPES = ['int', 'int', 'int', 'uint32_t', 'int16_t', 'uint8_t', 'int8_t', 'uint16_t', 'bool']


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.random = random.Random(f'spills {seed}')
        self.level = LEVELS[seed % len(LEVELS)]
        self.lines = []
        self.globals = [f'g{i}' for i in range(self.random.randrange(3, 6))]
        self.procedures = []   # (name, parameters), callable by what follows
        self.locals = {}       # procedure -> names
        self.recursive = set()
        self.interrupts = seed % 5 == 4

    def value(self, names, depth=0):
        roll = self.random.randrange(100)
        if depth > 1 or roll < 45:
            return self.pick(names)
        if roll < 55:
            return str(self.pick([0, 1, 2, 3, 5, 100, 255, 1000, -1, -7]))
        if roll < 65:
            return self.pick(self.globals)
        if roll < 70:
            return f'({self.value(names, depth + 1)} >> {self.random.randrange(1, 5)})'
        return f'({self.value(names, depth + 1)} {self.pick(["+", "-", "^", "&", "|", "+"])} {self.value(names, depth + 1)})'

    def call(self, names):
        name, parameters = self.pick(self.procedures)
        return f'{name}({", ".join(self.value(names, 1) for _ in range(parameters))})'

    def statements(self, names, indent, count, depth):
        out = self.lines
        for _ in range(count):
            roll = self.random.randrange(100)
            if roll < 45:
                out.append(f'{indent}{self.pick(names)} {self.pick(["=", "+=", "^=", "-=", "+="])} {self.value(names)};')
            elif roll < 60:
                out.append(f'{indent}{self.pick(names + self.globals)} {self.pick(["=", "+="])} {self.call(names)};')
            elif roll < 78:
                out.append(f'{indent}{self.pick(self.globals)} = {self.value(names)};')
            elif roll < 88 and depth < 2:
                out.append(f'{indent}if ({self.value(names)} {self.pick(["<", ">", "==", "&"])} {self.value(names)}) {{')
                self.statements(names, indent + '    ', self.random.randrange(1, 4), depth + 1)
                if self.chance(40):
                    out.append(f'{indent}}} else {{')
                    self.statements(names, indent + '    ', self.random.randrange(1, 3), depth + 1)
                out.append(f'{indent}}}')
            elif depth < 1:
                i = f'i{len(out)}'
                out.append(f'{indent}for (int {i} = 0; {i} < {self.random.randrange(2, 4)}; {i}++) {{')
                self.statements(names + [i], indent + '    ', self.random.randrange(2, 5), 2)
                for line in range(len(out) - 1, 0, -1):   # the loop's own variable is only read
                    if out[line].startswith(f'{indent}for'):
                        break
                    head = out[line].split('=')[0]
                    if head.strip().rstrip('+-^ ') == i:
                        out[line] = f'{indent}    ;'
                out.append(f'{indent}}}')
            else:
                out.append(f'{indent}{self.pick(names)}++;')

    def procedure(self, number, recursive):
        name, out = f'f{number}', self.lines
        parameters = self.random.randrange(1, 13)
        kinds = [self.pick(TYPES) for _ in range(parameters)]
        if recursive:
            self.recursive.add(name)
            kinds[0] = 'int'
        out.append(f'__attribute__((noinline)) int {name}({", ".join(f"{kind} p{i}" for i, kind in enumerate(kinds))})')
        out.append('{')
        names = [f'p{i}' for i in range(1 if recursive else 0, parameters)]
        for i in range(self.random.randrange(6, 20)):
            out.append(f'    {self.pick(TYPES)} v{i} = {self.value(names or ["5"])} + in;')
            names.append(f'v{i}')
        self.locals[name] = names
        if recursive:
            arguments = ['(p0 & 3) - 1'] + [self.value(names, 1) for _ in range(parameters - 1)]
            out.append('    if ((p0 & 3) > 0)')
            out.append(f'        {self.pick(names)} += {name}({", ".join(arguments)});')
        self.statements(names, '    ', self.random.randrange(6, 14), 0)
        out.append(f'    return {" + ".join(self.pick(names) for _ in range(6))};')
        out += ['}', '']
        self.procedures.append((name, parameters))

    def make_source(self):
        out = self.lines
        out += ['#include <stdbool.h>', '#include <stdint.h>', '', '#include "target.h"', '', 'volatile int in = 3;']
        for name in self.globals:
            out.append(f'{self.pick(["", "volatile "])}int {name} = {self.random.randrange(50)};')
        out.append('')
        out += ['__attribute__((noinline)) int leaf(int a)', '{', '    in ^= 1;',
                f'    {self.pick(self.globals)} += a;', '    return a + in;', '}', '']
        self.procedures.append(('leaf', 1))
        for number in range(self.random.randrange(2, 5)):
            self.procedure(number, self.chance(20))
        if self.interrupts:    # what the others do does not depend on them
            out += ['volatile uint32_t ticks;', 'volatile uint64_t next_tick;', '',
                    '__attribute__((interrupt("machine"), aligned(4))) void isr(void)', '{', f'    next_tick += {self.random.randrange(180, 300)};',
                    '    target_timer_at(ticks < 60 ? next_tick : UINT64_MAX);', '    ticks++;', '}', '']
        out += ['int main(void)', '{']
        if self.interrupts:
            out += ['    next_tick = target_cycles() + 300;', '    target_timer_at(next_tick);', '    target_interrupts_on(isr);']
        for name, parameters in self.procedures:
            for _ in range(self.random.randrange(1, 3)):
                out.append(f'    g0 += {name}({", ".join(str(self.random.randrange(-90, 90)) for _ in range(parameters))});')
        out += ['    target_interrupts_off();'] * self.interrupts + ['    return 0;', '}', '']
        return '\n'.join(out)

    def about(self, observable):
        """Statements about [(procedure, name)] that the stack holds at times."""
        made = []
        for number, (procedure, name) in enumerate(observable):
            x, g = f'{procedure}\\{name}', self.pick(self.globals)
            made.append(f'w{number}: when write({x}) {{ print {x} }}')
            if self.chance(60):
                made.append(f'c{number}: when {x} {self.pick(["<", ">", "!=", "<="])} {self.pick(["0", "7", "100", g])} {{ print {x}, {g} }}')
            if self.chance(50):
                made.append(f'g{number}: when write({g}) {{ print {x} }}')
            if self.chance(30):
                other = '\\'.join(self.pick([pair for pair in observable if pair[0] == procedure]))
                made.append(f'o{number}: when {x} != {other} {{ print {x}, {other} }}')
            if self.chance(30):
                callee = self.pick(self.procedures)[0]
                made.append(f'e{number}: when {self.pick(["enter", "leave"])}({callee}) && {x} != 3 {{ print {x} }}')
            if self.interrupts:
                made.append(f'i{number}: when write(ticks) {{ print {x} }}')
            elif self.chance(25):
                made.append(f't{number}: when write({x}) {self.pick(["then", "and", "or"])} write({g}) {{ print {x} }}')
            if self.chance(40):
                made.append(self.pick([f'p{number}: when write({x}) {{ print {x}, old({x}) }}',
                                       f'p{number}: when {x} != old({x}) {{ print {x}, old({x}) }}',
                                       f'p{number}: when write({g}) && {x} == old({x}) {{ print old({x}), {g} }}']))
            if self.chance(25):
                made.append(self.pick([f's{number}: when write({g}) {{ snapshot {x} }}', f's{number}: when write({x}) then write({g}) {{ snapshot {x} }}']))
            if self.chance(30):
                made.append(self.pick([f'a{number}: when write({x}) {{ print {x}, age({x}) }}',
                                       f'a{number}: when write({g}) && age({x}) {self.pick("<>")} 30 cycles {{ print {x}, age({x}) }}']))
            if self.chance(40):
                made.append(self.pick([f'r{number}: when read({x}) {{ print {x} }}', f'r{number}: when read({x}) && {x} != 5 {{ print {x}, {g} }}',
                                       f'r{number}: when read({x}) && old({x}) < {g} {{ print }}',
                                       f'r{number}: when write({x}) then read({x}) {{ print {x}, elapsed }}']))
            if self.chance(20):
                made.append(f'n{number}: when enter({procedure}) && {x} > -5 {{ print {x} }}')
        return made


def make(seed):
    """Returns (C source, None: the statements depend on what of the compiled program can be observed, -O level)."""
    made = Generator(seed)
    return made.make_source(), None, made.level


if __name__ == '__main__':
    generator.main('spills', make)
