#!/usr/bin/python3
"""generate_paths.py SEED [DIRECTORY]: a random C program of nested and recursive calls for the reference target, and statements with
paths of activations about it.

The same seed always makes the same program. Calls stand in lines of their own, so that their numbers are known; recursion counts down.
"""
import random

import generator

FUEL = 3000   # calls of one run, at most


class Generator(generator.Chooser):
    INTERRUPTS = 35   # percent of the programs that have them
    WORK = '1'        # what handlers hand on to what they call
    START = ['target_cycles', 'target_timer_at', 'target_interrupts_on']   # what main calls to begin them

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.calls = {}        # procedure -> callees in the order of the source; None through a pointer
        self.locals = {}       # procedure -> names
        self.lines = []

    # --- the program ---------------------------------------------------------------------------------

    def body(self, name, callees, interrupt=False, ending=()):
        self.calls[name] = callees
        self.locals[name] = [f'{name}_{i}' for i in range(self.random.randrange(1, 4))]
        value = 'ticks' if interrupt else 'n'
        for local in self.locals[name]:
            self.lines.append(f'    {self.pick(["int", "int", "short", "unsigned char"])} {local} = {value} + {self.random.randrange(9)};')
        if self.alloca and not interrupt and self.chance(40):   # what it calls has its frame anywhere
            self.lines += ['    volatile char room[(n & 7) + 1];', '    room[n & 7] = 1;']
        places = self.locals[name] + ['g0', 'g1', 'g2']
        for callee in callees:
            if self.chance(60):
                self.lines.append(f'    {self.pick(places)} += {self.random.randrange(1, 20)};')
            if self.chance(35):
                self.lines.append(f'    if (g{self.random.randrange(3)} & {self.pick([1, 2, 4])})')
            argument = f'{value} - 1' if not interrupt else self.WORK
            self.lines.append(f'    {callee or "table[" + self.pick(["g0", "g1"]) + " & 1]"}({argument});')
        self.lines.append(f'    {self.pick(places)} ^= {self.random.randrange(1, 20)};')
        self.lines += [*ending, '}', '']

    def handlers(self, names):
        self.lines += ['static unsigned long long next_tick;', 'volatile int ticks;', '',
                       '__attribute__((interrupt("machine"), aligned(4))) void isr(void)', '{',
                       f'    next_tick += {self.random.randrange(700, 3000)} + (target_random() & {self.pick([0, 63, 255])});',
                       '    ticks++;']
        self.lines.append(f'    target_timer_at(ticks < {self.random.randrange(10, 150)} ? next_tick : ~0ull);')
        self.body('isr', [names[-1]] if self.chance(60) else [], True)
        self.calls['isr'] = ['target_random', 'target_timer_at'] + self.calls['isr']
        self.isrs = ['isr']

    def start_interrupts(self):
        self.lines += ['    next_tick = target_cycles() + 500;', '    target_timer_at(next_tick);', '    target_interrupts_on(isr);']

    def make_program(self):
        count = self.random.randrange(3, 7)
        names = [f'p{i}' for i in range(count)]
        self.lines += ['#include "target.h"', '', 'volatile int g0, g1, g2, fuel;', '']
        self.lines += [f'void {name}(int n);' for name in names] + ['void b0(int n);', 'void b1(int n);',
                                                                 'static void (*const table[2])(int) = {b0, b1};', '']
        recursion, self.alloca = self.chance(70), self.chance(40)
        self.pointers = self.chance(40)
        guard = '    if (n <= 0 || ++fuel > LIMIT)\n        return;'
        for i, name in enumerate(names):
            later = names[i + 1:]
            callees = [self.pick(later) for _ in range(self.random.randrange(1, 4))] if later else []
            if recursion and self.chance(50):
                callees.insert(self.random.randrange(len(callees) + 1), self.pick(names[:i + 1]))
            if self.pointers and i < 3 and self.chance(50):
                callees.insert(self.random.randrange(len(callees) + 1), None)
            self.lines += [f'void {name}(int n)', '{', guard]
            self.body(name, callees)
        for name in ('b0', 'b1'):
            self.lines += [f'void {name}(int n)', '{', guard]
            self.body(name, [self.pick(names[-2:])] if self.chance(60) else [])
        self.interrupts, self.isrs = self.chance(self.INTERRUPTS), []
        if self.interrupts:
            self.handlers(names)
        self.lines += ['int main(void)', '{']
        tops = [self.pick(names[:2]) for _ in range(self.random.randrange(2, 5))]
        start = self.START if self.interrupts else []
        if self.interrupts:
            self.start_interrupts()
        self.lines.append('    int main_0 = 0;')
        deep = self.random.randrange(3, 8) if not recursion else self.pick([4, 6, 9, 80])
        self.lines.append('    for (int step = 1; step < 4; step++) {')
        for top in tops:
            self.lines += ['        main_0 += step;', '        fuel = 0;', f'        {top}({deep} + step);']
        self.lines.append('    }')
        if self.interrupts:
            self.lines.append('    target_interrupts_off();')
        self.lines += ['    return g0 & 63;', '}']
        self.calls['main'] = start + tops + (['target_interrupts_off'] if self.interrupts else [])
        self.locals['main'] = ['main_0']
        self.names = names
        limit = max(20, FUEL // (3 * len(tops) * 4))
        return '\n'.join(self.lines).replace('LIMIT', str(limit)) + '\n'

    # --- paths -------------------------------------------------------------------------------------------

    def callees(self, name):
        return [(i + 1, c) for i, c in enumerate(self.calls.get(name, [])) if c is None or c in self.calls]

    def reachable(self, name):
        found, todo = set(), [name]
        while todo:
            for _, callee in self.callees(todo.pop()):
                for c in [callee] if callee else ['b0', 'b1']:
                    if c not in found:
                        found.add(c)
                        todo.append(c)
        return found

    def is_recursive(self, name):
        return name in self.reachable(name)

    def walk(self, start, exact):
        """Steps of a path from `start`, and its last procedure. exact: nothing but names and numbers."""
        name = start
        steps = [name]
        for _ in range(self.random.randrange(1, 5)):
            after = self.callees(name)
            if not after:
                break
            number, callee = self.pick(after)
            if self.chance(35) and callee:
                steps.append(str(number))
                name = callee
                continue
            name = callee or self.pick(['b0', 'b1'])
            roll = self.random.randrange(100)
            if not exact and roll < 20:
                further = sorted(self.reachable(name))
                if further:
                    name = self.pick(further)
                steps.append('*')
            if not exact and self.is_recursive(name) and self.chance(50):
                steps.append(f'{name}[{self.random.randrange(1, 4)}]')
            else:
                steps.append(name)
        return steps, name

    def path(self, exact=False):
        while True:
            inner = [name for name in self.names if name in self.reachable('main')] + self.isrs
            start = 'main' if exact or self.chance(60) else self.pick(inner)
            steps, name = self.walk(start, exact)
            if len(steps) < 2:
                continue
            if start == 'main' and steps[1].isdigit() and self.chance(50):
                steps = steps[1:]
            if len(steps) < 2:
                continue
            return ':'.join(steps), name

    # --- statements ----------------------------------------------------------------------------------------

    def term(self):
        path, _ = self.path()
        roll = self.random.randrange(100)
        g = f'g{self.random.randrange(3)}'
        if roll < 25:
            return f'enter({path})'
        if roll < 45:
            return f'leave({path})'
        if roll < 65:
            return f'write({g}) && {path}'
        if roll < 75:
            return f'write({g}) && path == {path}'
        if roll < 80:
            return f'{path} && {self.path()[0]}'
        if roll < 85:
            return f'path == {path}'
        if roll < 90:
            return f'enter({self.pick(self.names)}) && !{path}'
        if roll < 95:
            return f'enter({self.pick(self.names)}) && {g} > {self.random.randrange(200)} && !enter({path})'
        return f'(enter({path}) || leave({self.path()[0]})) && {g} != old({g})' if self.chance(30) else f'enter({path}) || leave({path})'

    def local(self):
        """A local by a path, or of the innermost activation."""
        path, name = self.path(exact=self.chance(30))
        if self.chance(25):
            path = name
        names = self.locals[name] + (['n'] if name not in ['main'] + self.isrs else [])
        return f'{path}\\{self.pick(names)}'

    def loose_local(self):
        """One of any activation of a procedure, which no other reference excludes."""
        name = self.pick([name for name in self.names if name in self.reachable('main')])
        nest = f'[{self.random.randrange(1, 4)}]' if self.is_recursive(name) and self.chance(50) else ''
        return f'{name}{nest}\\{self.pick(self.locals[name] + ["n"])}'

    def local_term(self):
        local, roll = self.local(), self.random.randrange(100)
        if roll < 35:
            return f'{local} > {self.random.randrange(60)}'
        if roll < 50:
            return f'{local} != old({local})'
        if roll < 65:
            return f'write(g{self.random.randrange(3)}) && {local} != {self.random.randrange(9)}'
        if roll < 75:
            return f'{local} > main\\main_0'
        if roll < 90:
            return f'{local} != {self.loose_local()}'
        return f'write({local})'

    def statements(self):
        made = []
        for i in range(self.random.randrange(8, 16)):
            term = self.local_term() if self.chance(50) else self.term()
            # at an entry, a local whose frame has to be learned does not exist yet
            learned = 'enter' in term and (self.alloca or self.interrupts)
            also = f', {self.loose_local()}' if self.chance(15) and not learned else ''
            made.append(f's{i}: when {term} {{ print {self.pick(["g0", "g1", "g0, g2"])}{also} }}')
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    source = made.make_program()
    return source, made.statements(), '-O0'


if __name__ == '__main__':
    generator.main('paths', make)
