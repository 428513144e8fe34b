#!/usr/bin/python3
"""generate_places.py SEED [DIRECTORY]: a random C program of generate.py with statements about lines that execution comes to,
and with snapshots, and with conditions that hold for some time.

The same seed always makes the same program and statements; some of these name lines without code, which whoever knows the program has
to leave out. The source is to be called generate_placesSEED.c.
"""
import generate
import generator


class Generator(generate.Generator):
    def place(self):
        if self.chance(60):
            return f'at(generate_places{self.seed}.c:{self.pick(self.inside)})'
        where = self.pick(self.named)
        if self.chance(25):
            where = f'{self.pick(["main", self.pick(self.named)])}:*:{where}'
        place = f'{where}\\{self.random.randrange(1, 6)}'
        return f'at({place})' if self.chance(60) else f'path == {place}' if self.chance(40) else place

    def waiting(self):
        roll = self.random.randrange(100)
        if roll < 40:
            return self.place()
        if roll < 75:
            return f'{self.place()} && {self.term()}'
        if roll < 85:
            return f'{self.place()} || {self.place()}'
        return f'{self.pick(["enter", "leave"])}({self.pick(self.named)}) || {self.place()}'

    def held(self):
        """A condition that holds for some time, on values that always exist."""
        self.watchable = list(self.places)
        condition = self.compare()
        for _ in range(self.random.randrange(2)):
            condition += f' {self.pick(["&&", "||"])} {self.compare()}'
        if 'old(' in condition:
            return self.held()
        return f'{condition} for {self.pick(["3us", "10us", "25us", "50us", "100us", "400ns", "77 cycles", "300us"])}'

    def snapshot(self):
        if not self.chance(30):
            return ''
        objects = self.structs + [name for name, _ in self.arrays] + [f'{name}.at' for name in self.structs] + [f'{name}.tiny' for name in self.structs]
        objects += [f'memory(0x{0x20000 + self.random.randrange(60):x}, {self.random.randrange(1, 80)})', self.pick(self.places).watch]
        return f'; snapshot {self.pick(objects)}' + (f', {self.pick(objects)}' if self.chance(40) else '')

    def statements(self):
        super().statements()     # self.named
        self.inside, depth = [], 0
        for number, line in enumerate(self.lines, 1):
            depth += line.count('{') - line.count('}')
            if depth:
                self.inside.append(number)
        made = []
        for i in range(self.random.randrange(14, 26)):
            self.watchable = list(self.places)
            if self.level == '-O0' and self.chance(40):
                name = self.pick(sorted(self.reachable('main') & set(self.locals)))
                self.watchable = [generate.Place(p.text, p.low, p.high, f'{name}\\{p.watch}') for p in self.locals[name]] * 2 + self.places
            event = self.waiting()
            if self.chance(25):
                event = f'({event}) {self.pick(["then", "then", "and", "or"])} ({self.pick([self.place(), self.waiting()])})'
            made.append(f's{i}: when {event} {{ {self.actions()}{self.snapshot()} }}')
        for i in range(self.random.randrange(1, 4)):
            made.append(f'h{i}: when {self.held()} {{ {self.pick(["print", "print; count c0", "count c1", "print c0; count c0; print c0, c0"])} }}')
        made.append('all: when enter(main) { reset c0; reset c1; reset c2 }')  # they are known wherever they are named
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    made.seed = seed
    source, statements = made.make()
    return source, statements, made.level


if __name__ == '__main__':
    generator.main('places', make)
