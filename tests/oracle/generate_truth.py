#!/usr/bin/python3
"""generate_truth.py SEED [DIRECTORY]: a random C program that tells itself what a debugger would show of its locals, and statements
that must show the same.

Compiled with -DNATIVE for the machine at hand it prints, at each event that a statement waits for, the statement's name and the values, as
C has them: `?` for one that this activation has not written yet. Nothing of the probe's rules or of the oracle's is in it.
"""
import random

import generator

TYPES = {'int8_t': 1, 'uint8_t': 1, 'int16_t': 2, 'uint16_t': 2, 'int32_t': 4, 'uint32_t': 4, 'int64_t': 8, 'float': 4, 'double': 8}
HEAD = """#include <stdint.h>
#ifdef NATIVE
#include <stdio.h>
#define NATIVELY(...) __VA_ARGS__
#else
#define NATIVELY(...)
#endif
#define INT(x) printf(" %lld", (long long)(x))
#define FLOAT(x) printf(" %.17g", (double)(x))
#define UNKNOWN() printf(" ?")
struct pair { int16_t a; int32_t b; };
void keep(void *local) { (void)local; }
"""


class Local(generator.Chooser):
    """A local or parameter: its name, its type, and whether it is written at the beginning."""

    def __init__(self, name, type_, parameter):
        self.name, self.type, self.parameter = name, type_, parameter

    def scalars(self):
        return [(f'{self.name}.a', 'int16_t'), (f'{self.name}.b', 'int32_t')] if self.type == 'struct pair' else [(self.name, self.type)]

    def size(self):
        return TYPES.get(self.type, 8)


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.random = random.Random(f'truth {seed}')
        self.lines, self.statements, self.globals = [], [], 0
        self.heads = []    # declarations of all procedures
        self.count = self.random.randrange(2, 5)
        self.parameters = [self._parameters(i) for i in range(self.count)]
        self.recursive = [self.chance(40) for _ in range(self.count)]

    def _parameters(self, number):
        types = [self.pick([*TYPES, 'int32_t', 'int32_t', 'struct pair']) for _ in range(self.random.randrange(1, 6 if self.chance(80) else 11))]
        return [Local('n', 'int32_t', True)] + [Local(f'p{i}', type_, True) for i, type_ in enumerate(types)]

    # --- values ----------------------------------------------------------------------------------

    def constant(self, type_):
        if type_ in ('float', 'double'):
            return f'{self.random.randrange(-4000, 4000) / 8}'
        if type_ == 'struct pair':
            return f'(struct pair){{{self.constant("int16_t")}, {self.constant("int32_t")}}}'
        bits = 8 * TYPES[type_]
        low = 0 if type_.startswith('u') else -(1 << bits - 1) + 1
        value = self.random.randrange(low, (1 << bits) - 1 + low) if self.chance(50) else self.random.randrange(min(100, (1 << bits - 1) - 1))
        return f'{value}ll' if bits == 64 else f'{value}u' if type_ == 'uint32_t' else str(value)

    def argument(self, scope, type_):
        """Of a call: something that depends on the caller's parameters, or a constant."""
        numbers = [local for local in scope if local.parameter and local.type not in ('struct pair', 'float', 'double')]
        if type_ in ('float', 'double', 'struct pair') or not numbers or self.chance(40):
            return self.constant(type_)
        return f'({type_})((uint32_t){self.pick(numbers).name} * {self.random.randrange(3, 90)}u + {self.random.randrange(100)}u)'

    # --- events ----------------------------------------------------------------------------------

    @staticmethod
    def shown(name, type_):
        return f'{"FLOAT" if type_ in ("float", "double") else "INT"}({name});'

    def note(self, number, event, procedure, local):
        """A statement about a scalar of a local at an event, and what prints the same natively."""
        name, type_ = self.pick(local.scalars())
        limit = self.constant(type_)
        said = name if self.chance(50) else None   # also a condition
        condition = f'{event} && {procedure}\\{name} > {limit}' if said else event
        self.statements.append(f's{number}: when {condition} {{ print {procedure}\\{name} }}')
        test = f'if ({name} > {limit}) ' if said else ''
        unknown = '' if local.parameter else f'if (~known_{local.name} & {(1 << local.size()) - 1}) {{ printf("s{number}"); UNKNOWN(); printf("\\n"); }} else '
        return f'    NATIVELY({unknown}{{ {test}{{ printf("s{number}"); {self.shown(name, type_)} printf("\\n"); }} }})'

    def entry(self, procedure, parameters):
        picked = [local for local in parameters if local.name == 'n' or self.chance(70)]
        number = len(self.statements)
        scalars = [scalar for local in picked for scalar in local.scalars()]
        self.statements.append(f's{number}: when enter({procedure}) {{ print {", ".join(f"{procedure}{chr(92)}{name}" for name, _ in scalars)} }}')
        self.lines.append(f'    NATIVELY(printf("s{number}"); {" ".join(self.shown(*scalar) for scalar in scalars)} printf("\\n");)')
        self.lines.append(self.note(len(self.statements), f'enter({procedure})', procedure, self.pick(parameters)))

    def point(self, procedure, scope):
        """A write to a global of its own, and what is known of a local then."""
        self.globals += 1
        name = f'g{self.globals}'
        self.lines.append(f'    {name} = {self.random.randrange(1000)};')
        for local in sorted({self.pick(scope), self.pick(scope)}, key=lambda l: l.name):
            self.lines.append(self.note(len(self.statements), f'write({name})', procedure, local))

    # --- code ------------------------------------------------------------------------------------

    def assign(self, local, indent):
        everything = f'NATIVELY(known_{local.name} = -1;)'
        if local.size() > 1 and self.chance(25) and local.type != 'struct pair':
            byte = self.random.randrange(local.size())
            return f'{indent}((volatile uint8_t *)&{local.name})[{byte}] = {self.random.randrange(128)}; NATIVELY(known_{local.name} |= 1 << {byte};)'
        if self.chance(20):
            return f'{indent}{{ {local.type} *p = &{local.name}; *p = {self.constant(local.type)}; }} {everything}'
        if local.type == 'struct pair':
            return f'{indent}{local.name}.a = {self.constant("int16_t")}; {local.name}.b = {self.constant("int32_t")}; {everything}'
        return f'{indent}{local.name} = {self.constant(local.type)}; {everything}'

    def call(self, number, scope, caller=None):
        arguments = [self.argument(scope, local.type) for local in self.parameters[number][1:]]
        depth = 'n - 1' if caller == number else str(self.random.randrange(1, 4))
        return f'f{number}({", ".join([depth, *arguments])});'

    def body(self, number, procedure, scope, locals_):
        for local in locals_:
            self.lines.append(f'    {local.type} {local.name}; NATIVELY(long known_{local.name} = 0;)')
        if number is not None:
            self.entry(procedure, self.parameters[number])
        for _ in range(self.random.randrange(3, 8)):
            roll = self.random.randrange(100)
            if roll < 40:
                self.point(procedure, scope)
            elif roll < 70 and locals_:
                condition = f'if ({self.pick(["n & 1", "n > 1", "n == 1"]) if number is not None else "turn & 1"}) '
                self.lines.append(f'    {condition if self.chance(60) else ""}{{ {self.assign(self.pick(locals_), "")} }}')
            elif number is not None and self.recursive[number] and roll < 82:
                self.lines.append(f'    if (n > 1) {self.call(number, scope, number)}')
            else:
                callees = [i for i in range(self.count) if number is None or i > number]
                if callees:
                    self.lines.append(f'    {self.call(self.pick(callees), scope)}')
        self.point(procedure, scope)
        self.lines += [f'    keep(&{local.name});' for local in locals_]   # each has a place, also one that is never assigned

    def make(self):
        bodies = []
        for number in range(self.count):
            head = ', '.join(f'{local.type} {local.name}' for local in self.parameters[number])
            self.heads.append(f'void f{number}({head});')
            locals_ = [Local(f'x{i}', self.pick([*TYPES, 'struct pair']), False) for i in range(self.random.randrange(1, 4))]
            self.lines = [f'void f{number}({head})', '{']
            self.body(number, f'f{number}', self.parameters[number] + locals_, locals_)
            bodies += self.lines + ['}']
        self.lines = ['int main(void)', '{', '    for (int turn = 0; turn < 4; turn++) {']
        turn = Local('m0', 'int32_t', False)
        self.lines.insert(2, '    int32_t m0; NATIVELY(long known_m0 = 0;)')
        self.body(None, 'main', [turn], [])
        self.lines += ['    if (turn == 1) { m0 = 77; NATIVELY(known_m0 = -1;) }']
        self.point('main', [turn])
        self.lines += [f'    {self.call(number, [turn])}' for number in range(self.count)]
        self.lines += ['    }', '    return 0;', '}']
        names = ', '.join(f'g{i + 1}' for i in range(self.globals))
        source = [HEAD, f'volatile int32_t {names};', *self.heads, *bodies, *self.lines]
        return '\n'.join(source) + '\n'


def make(seed):
    made = Generator(seed)
    return made.make(), made.statements, '-O0'


if __name__ == '__main__':
    generator.main('truth', make)
