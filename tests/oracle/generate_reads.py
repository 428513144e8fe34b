#!/usr/bin/python3
"""generate_reads.py SEED [DIRECTORY]: a random C program of generate.py with statements about reads of its variables.

The same seed always makes the same program and statements.
"""
import generate


class Generator(generate.Generator):
    def read(self):
        return f'read({self.pick(self.places).watch})'

    def waiting(self):
        roll = self.random.randrange(100)
        if roll < 25:
            return self.read()
        if roll < 55:
            return f'{self.read()} && {self.term()}'
        if roll < 70:
            return f'{self.read()} || {self.read()}'
        if roll < 80:
            return f'({self.read()} || {self.term()}) && {self.compare()}'
        if roll < 90:
            place = self.pick(self.places).watch
            return f'read({place}) || write({place})'
        return f'!({self.read()}) && {self.compare()}'

    def statements(self):
        super().statements()     # self.named
        made = []
        for i in range(self.random.randrange(10, 20)):
            self.watchable = list(self.places)
            if self.level == '-O0' and self.chance(30):
                name = self.pick(sorted(self.reachable('main') & set(self.locals)))
                self.watchable = [generate.Place(p.text, p.low, p.high, f'{name}\\{p.watch}') for p in self.locals[name]] * 2 + self.places
            event = self.waiting()
            if self.chance(25):
                event = f'({event}) {self.pick(["then", "then", "and", "or"])} ({self.pick([self.read(), self.waiting()])})'
            made.append(f's{i}: when {event} {{ {self.actions()} }}')
        made.append('all: when enter(main) { reset c0; reset c1; reset c2 }')  # they are known wherever they are named
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    generator = Generator(seed)
    source, statements = generator.make()
    return source, statements, generator.level
