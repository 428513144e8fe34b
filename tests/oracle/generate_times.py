#!/usr/bin/python3
"""generate_times.py SEED [DIRECTORY]: a random C program with statements about what lasts: `E for T`, `x unchanged for T`.

The programs are those of generate.py (locals, recursion, interrupts), generate_pointers.py and generate_tasks.py in turn. The same seed always
makes the same program and statements.
"""
import random
import re

import generate
import generate_pointers
import generate_tasks
import generator

LENGTHS = ['400ns', '1us', '77 cycles', '3us', '5us', '10us', '25us', '50us', '100us', '300us', '1ms']


class Maker(generator.Chooser):
    """Statements over the program of another generator."""

    def __init__(self, base, kind, seed):
        self.base, self.kind = base, kind
        self.random = random.Random(f'times {seed}')

    def variables(self):
        """What one statement may name: several that may exist at once."""
        base = self.base
        if self.kind == 'pointers':
            local = base.level == '-O0' and self.chance(30)
            few = [self.pick(base.GLOBAL) for _ in range(5)] + [self.pick(base.INDEXED) for _ in range(3)]   # there are not pointers without end
            return [self.pick(base.LOCAL + base.INDEXED_LOCAL)] * 4 + few if local else few + base.PLAIN[:-1]
        if self.kind == 'tasks':
            path, name = base.path()
            return [f'{path if self.chance(30) else name}\\{local}' for local in base.locals[name]] * 2 + ['g0', 'g1', 'g2']
        found = [p.watch for p in base.places] + ['wide'] * 3 * (base.wide is not None) + base.floats
        if base.level == '-O0' and self.chance(70):
            name = self.pick(sorted(base.reachable('main') & set(base.locals)))
            found += [f'{name}\\{p.watch}' for p in base.locals[name]] * 6
        return found

    def compare(self, names):
        name = self.pick(names)
        if name == '*pp':
            return '*pp != NULL'
        right = self.pick(names) if self.chance(10) else self.pick(['0', '0', '1', '-1', '3', '10', '100', '5'])
        if right in ('*pp', 'p0') or (right == 'fl0') != (name == 'fl0'):
            right = '2'
        return f'{name} {self.pick(["<", ">", "!=", "==", ">=", "<="])} {right}'

    def shown(self, names):
        items = [self.pick(names) for _ in range(self.random.randrange(1, 3))]
        items = [f'old({item})' if self.chance(15) else item for item in items]
        text = self.pick(['print', 'print', f'print {", ".join(items)}'])
        return text + self.pick(['', '', '; count c0', '; print c0', '; count c1; print c1', '; disable w0', '; enable w0; print c1'])

    def plain(self, number):
        """A statement about writes, which shares counters with those that wait and switches them."""
        event = self.pick(['write({})', 'write({}) || c0 == 3']).replace('{}', self.pick(self.variables()))
        return f'w{number}: when {event} {{ {self.pick(["count c0; print c1", "print c0; count c1", "disable s0; print c0", "enable s0", "disable s1"])} }}'

    def aged(self, names):
        """A condition about the age of what a pointer leads to."""
        name = self.pick([name for name in names if name != '*pp'])
        compare = f'age({name}) {self.pick(["<", ">", ">=", "<="])} {self.pick(LENGTHS)}'
        return self.pick([f'write({name}) && {compare}', f'write({self.pick(names)}) && {compare}', compare,
                          f'write({name}) then (write({self.pick(names)}) && {compare})'])

    def path(self):
        """A path as a condition: of recursive procedures and interrupt handlers, too."""
        names = ['main', *(self.base.locals if self.kind == 'tasks' else self.base.named)]
        shape = self.pick(['*:{}', '*:{}', '*:{}', 'path == *:{}', 'path == *:{}', 'path == *:{}', '*:{}:*:{}'])
        return shape.replace('{}', self.pick(names), 1).replace('{}', self.pick(names))

    def active(self, event):
        """With a path, or about paths alone."""
        path = self.path()
        if self.chance(15):
            path = f'!({path})'
        elif self.chance(10):
            path = f'({path} {self.pick(["&&", "||"])} {self.path()})'
        if self.chance(25):
            return path
        joined = self.pick(['&&', '&&', '||'])
        return f'({path}) {joined} ({event})' if self.chance(60) else f'({event}) {joined} ({path})'

    def joined(self, names, event):
        """An event of several parts, some of which last."""
        parts = []
        for _ in range(self.pick([2, 2, 3])):
            compare = self.compare(names)
            lasts = compare if self.chance(60) else f'{compare} && {self.compare(names)}'
            parts.append(f'({lasts} for {self.pick(LENGTHS)})' if self.chance(55) else self.pick([compare, f'write({self.pick(names)})']))
        if not any(' for ' in part for part in parts):
            parts[0] = event if ' for ' in event and 'unchanged' not in event else f'({self.compare(names)} for {self.pick(LENGTHS)})'
        made = parts[0]
        for part in parts[1:]:
            made = f'({made}) {self.pick(["then", "then", "and", "or"])} {part}'
        return made + (f' within {self.pick(LENGTHS)}' if self.chance(20) and f' or {part}' not in made else '')

    def statements(self):
        made = []
        for i in range(self.random.randrange(6, 12)):
            names = self.variables()
            if self.chance(40):
                name = self.pick(names)
                event = f'{name} unchanged for {self.pick(LENGTHS)}'
                if self.chance(30):
                    event += f' && {self.compare([name])}'
                if self.chance(20):
                    event += f' && {self.compare(names)}'
                if self.kind != 'pointers' and self.chance(35):
                    path = self.pick(['', '!']) + f'({self.path()})'
                    event = f'{event} && {path}' if self.chance(50) else f'{path} && {event}'
            else:
                event = self.compare(names)
                while self.chance(35):
                    event = f'{event} {self.pick(["&&", "&&", "||"])} {self.compare(names)}'
                if self.kind != 'pointers' and self.chance(50):
                    event = self.active(event)
                event = f'{event} for {self.pick(LENGTHS)}'
            if self.chance(35):
                event = self.joined(names, event)
            if self.kind == 'pointers' and self.chance(25):
                event = self.aged(names)
            shown = self.shown(names)
            if self.kind == 'pointers' and any(f' {word} ' in event for word in ('then', 'and', 'or')):
                shown = re.sub(r'old\((.*?)\)(?=[,; ]|$)', r'\1', shown)   # not of what pointers lead to
            shown += '; stop' * self.chance(2)
            made.append(f's{i}: {"disabled " * self.chance(5)}when {event} {{ {shown} }}')
        made += [self.plain(i) for i in range(self.random.randrange(1, 4))]
        if self.kind == 'calls':
            made.append('all: when enter(main) { set c0 = 1; reset c1; enable s0 }')
        else:
            made.append('all: when write(g0) { count c0; count c1 }' if self.kind == 'tasks' else 'all: when write(g) { count c0; count c1 }')
        return made


KINDS = ['calls', 'calls', 'pointers', 'tasks']


def arguments(seed):
    """What goes before the statements."""
    return {'head': ['tasks current']} if KINDS[seed % 4] == 'tasks' else {}


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    kind = KINDS[seed % 4]
    if kind == 'calls':
        base = generate.Generator(seed // 4)
        source, _ = base.make()
    else:
        base = (generate_pointers if kind == 'pointers' else generate_tasks).Generator(seed // 4)
        source = base.make_program()
    level = '-O0' if kind == 'tasks' else base.level
    statements = Maker(base, kind, seed).statements()
    if 'int body0_n' in source:   # a task begins: the path is true before anybody knows where the activation has its frame
        statements.append('begun: when (path == *:body0) for 2us { print body0\\body0_n }')
    return source, statements, level


if __name__ == '__main__':
    generator.main('times', make, lambda seed: ''.join(line + '\n' for line in arguments(seed).get('head', [])))
