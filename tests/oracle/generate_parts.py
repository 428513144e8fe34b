#!/usr/bin/python3
"""generate_parts.py SEED [DIRECTORY]: a random C program that writes its variables in parts, and statements about them.

Packed structs through pointers that promise no alignment, unions, memcpy of any length, stores of halves and bytes into words, bit-fields, and
writes that are never completed; globals, and at -O0 locals. The same seed always makes the same program.
"""
import random

import generator

LEVELS = ['-O0', '-Og', '-O2', '-Os']
# kind -> (C type, scalars: (member, bits))
KINDS = {
    'union mixed': [('whole', 32), ('half[0]', 16), ('half[1]', 16)] + [(f'byte[{i}]', 8) for i in range(4)],
    'struct packed': [('tag', 8), ('kind', 8), ('length', 16), ('value', 32), ('low', 16), ('high', 16)],
    'struct fields': [('tiny', 3), ('middle', 7), ('sign', 6), ('wide', 11), ('rest', 5), ('next', 12), ('last', 20)],
    'uint32_t': [('', 32)], 'int16_t': [('', 16)], 'uint64_t': [('', 64)],
    'struct shared': [('lead', 24), ('wide', 40), ('tail', 24)],
}
SIZES = {'union mixed': 4, 'struct packed': 12, 'struct fields': 8, 'uint32_t': 4, 'int16_t': 2, 'uint64_t': 8, 'struct shared': 16}
PLAIN = ('uint32_t', 'int16_t', 'uint64_t')
HEAD = '''#include <stdint.h>
#include <string.h>

#include "target.h"

#define KEPT __attribute__((noipa))

union mixed { uint32_t whole; uint16_t half[2]; uint8_t byte[4]; };
struct __attribute__((packed)) packed { uint8_t tag, kind; uint16_t length; uint32_t value; int16_t low; uint16_t high; };
struct shared { uint32_t lead : 24; uint64_t wide : 40; uint32_t tail : 24; uint32_t rest : 8; };
struct fields { unsigned tiny : 3; unsigned middle : 7; int sign : 6; unsigned wide : 11; unsigned rest : 5; int next : 12; unsigned last : 20; };

static uint8_t bytes[16];

KEPT void put_packed(struct packed *to, int which, uint32_t value)
{
    switch (which) {
    case 0: to->tag = (uint8_t)value; break;
    case 1: to->length = (uint16_t)value; break;
    case 2: to->value = value; break;
    case 3: to->low = (int16_t)value; break;
    default: to->high += (uint16_t)value; break;
    }
}

KEPT void put_fields(struct fields *to, int which, uint32_t value)
{
    switch (which) {
    case 0: to->tiny = value & 7; break;
    case 1: to->middle = value & 127; break;
    case 2: to->middle |= 1; break;
    case 3: to->sign = (int)(value & 31); break;
    case 4: to->wide += value; break;
    case 5: to->rest ^= 9; break;
    case 6: to->next = (int)(value & 1023) - 500; break;
    default: to->last |= 0x30; break;
    }
}

KEPT void alter(uint64_t *to, int which, uint32_t value)
{
    switch (which) {
    case 0: *to ^= 1; break;
    case 1: *to |= 1ull << 40; break;
    case 2: *to = (uint64_t)value << 32 | value; break;
    case 3: *to += value; break;
    case 4: *to &= 0xffffffffull; break;
    default: *to = -*to; break;
    }
}

KEPT void put_bytes(volatile uint8_t *to, unsigned from, unsigned count, uint32_t value)
{
    for (unsigned i = from; i < from + count; i++, value = value >> 7 | value << 25)
        to[i] = (uint8_t)value;
}

KEPT void put_half(volatile uint16_t *to, uint32_t value)
{
    *to = (uint16_t)value;
}

KEPT void copy(void *to, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < sizeof bytes; i++, value = value * 5 + 17)
        bytes[i] = (uint8_t)(value >> 8);
    memcpy(to, bytes, count);
}
'''


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.random = random.Random(f'parts {seed}')
        self.level = LEVELS[seed % len(LEVELS)]
        self.globals = []   # (name, kind)
        self.locals = []

    def value(self):
        return self.pick(['(uint32_t)step', 'step * 257u', f'{self.random.randrange(1 << 32)}u', 'target_random()', 'step & 1u',
                          f'step + {self.random.randrange(300)}u'])

    def write(self, name, kind):
        """C statements that write a variable in one part or in several, or not all of it."""
        size, roll = SIZES[kind], self.random.randrange(100)
        if roll < 30 and size > 1:
            start = self.random.randrange(size)
            count = self.random.randrange(1, size - start + 1)
            return [f'put_bytes((volatile uint8_t *)&{name}, {start}, {count}, {self.value()});']
        if roll < 42:
            return [f'put_half((volatile uint16_t *)&{name} + {self.random.randrange(size // 2)}, {self.value()});']
        if roll < 57:
            return [f'copy(&{name}, {self.value()}, {self.random.randrange(1, size + 1)});']
        if kind == 'union mixed':
            order = self.random.sample(range(4), self.random.randrange(1, 5))
            return self.pick([[f'{name}.byte[{i}] = (uint8_t)({self.value()} >> {i});' for i in order],
                              [f'{name}.half[{self.random.randrange(2)}] = (uint16_t){self.value()};', f'{name}.byte[1]++;'],
                              [f'{name}.whole = {self.value()};']])
        if kind == 'struct packed':
            return self.pick([[f'put_packed(&{name}, {self.random.randrange(5)}, {self.value()});'],
                              [f'{name}.value = {self.value()};'], [f'{name}.length++;', f'{name}.tag ^= 1;']])
        if kind == 'struct fields':
            return self.pick([[f'put_fields(&{name}, {self.random.randrange(8)}, {self.value()});'], [f'{name}.middle = {self.value()} & 127;'],
                              [f'{name}.wide++;', f'{name}.tiny = 1;'], [f'{name}.middle |= 64;'], [f'{name}.last &= ~3u;']])
        if kind == 'struct shared':
            member = self.pick(['lead', 'wide', 'tail', 'rest'])
            return self.pick([[f'{name}.{member} = {self.value()};'], [f'{name}.wide = (uint64_t){self.value()} << 8;'], [f'{name}.{member} |= 5;'],
                              [f'{name}.wide++;']])
        if kind == 'uint64_t' and self.chance(70):
            which = self.random.randrange(6)
            return self.pick([[f'alter(&{name}, {which}, {self.value()});'], [f'{name} ^= 1;'], [f'{name} |= 1ull << 62;'],
                              [f'{name} = (uint64_t){self.value()} << 17;']])
        return [f'{name} = ({kind}){self.value()};'] if self.chance(60) else [f'{name} += 3;']

    def source(self):
        lines = [HEAD]
        for i in range(self.random.randrange(3, 6)):
            kind = self.pick(list(KINDS))
            start = ' = 0' if kind in PLAIN and self.chance(50) else ''
            lines.append(f'{kind} g{i} __attribute__((aligned(4))){start};')
            self.globals.append((f'g{i}', kind))
        body = []
        if self.level == '-O0':
            for i in range(self.random.randrange(1, 3)):
                kind = self.pick(list(KINDS))
                body.append(f'{kind} local{i} __attribute__((aligned(4)));')
                body.append(f'memset(&local{i}, 0, {"sizeof local" + str(i) if self.chance(70) else 1});')
                self.locals.append((f'local{i}', kind))
        lines += ['', 'KEPT void work(unsigned step)', '{']
        for _ in range(self.random.randrange(4, 11)):
            name, kind = self.pick(self.globals + self.locals)
            part = self.write(name, kind)
            if self.chance(25):
                body += [f'if (step % {self.random.randrange(2, 5)} == 0) {{'] + part + ['}']
            else:
                body += part
        lines += [f'    {line}' for line in body] + ['}', '', 'int main(void)', '{']
        lines += [f'    for (unsigned step = 0; step < {self.random.randrange(6, 20)}; step++)', '        work(step);', '    return 0;', '}']
        return '\n'.join(lines) + '\n'

    def scalar(self, place):
        name, kind = place
        member, _ = self.pick(KINDS[kind])
        return f'{name}.{member}' if member else name

    def statements(self):
        made = []
        for i in range(self.random.randrange(6, 12)):
            places = self.globals + self.locals * 2
            one = self.pick(places)
            x = self.scalar(one)
            y = self.scalar(one if self.chance(50) else self.pick(places))
            predicate = self.pick([f'write({x})', f'{x} != old({x})', f'{x} > old({x})', f'{x} == old({x})', f'write({x}) || write({y})',
                                   f'{x} != old({x}) && {y} == old({y})', f'{x} > {y}', f'{x} - old({x}) > 3 || old({y}) != {y}',
                                   f'write({x}) && old({y}) <= {y}', f'enter(work) && {x} >= old({y})'])
            printed = ', '.join(dict.fromkeys([x, f'old({x})'] + ([y, f'old({y})'] if self.chance(50) else [])))
            made.append(f's{i}: when {predicate} {{ print {printed} }}')
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    return made.source(), made.statements(), made.level


if __name__ == '__main__':
    generator.main('parts', make)
