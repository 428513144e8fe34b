#!/usr/bin/python3
"""generate_reads.py SEED [DIRECTORY]: a random C program of generate.py (even seeds) or generate_pointers.py (odd ones) with statements about
reads of its variables.

The same seed always makes the same program and statements.
"""
import generate
import generate_pointers
import generator


class Moving(generate_pointers.Generator):
    """Reads through pointers, of elements, and of locals, in the programs of generate_pointers.py."""
    LOCALS = ['visit\\k', 'steps\\k', 'steps\\count', 'visit\\n', 'walk\\it', 'push\\k', 'main:visit\\k']

    def term(self):
        self.reading = 60
        if self.chance(25) and not self.in_compound:
            r = self.pick(['cells[i]', 'row[n]', 'pool[i].value', 'pool[i].a[n]', 'text[i + n]', 'at[i]', 'cells[at[i]]', 'pool[n].w'])
            return f'read({r}){self.pick(["", f" && {self.compare(self.pick(self.PLAIN))}", " || write(g)", f" || read({self.reference()})"])}'
        if self.chance(30):
            r = self.pick(self.LOCALS if self.level == '-O0' else ['pool[2].value', 'g'])
            return self.pick([f'read({r})', f'read({r}) && {self.compare(self.pick(self.PLAIN))}', f'read({r}) || write({r})', f'read({r}) || {self.compare(self.reference())}'])
        if self.chance(40):
            r = self.reference()
            return self.pick([f'read({r})', f'read({r}) && {self.compare(r)}', f'read({r}) || {self.compare(self.pick(self.PLAIN))}', f'read({r}) && {self.compare(self.reference())}'])
        return super().term()


class Generator(generate.Generator):
    def read(self):
        watch = self.pick(self.places).watch
        return f'read({self.whole(watch) if self.chance(30) else watch})'

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
    if seed % 2:
        made = Moving(seed)
        source = made.make_program()
        return source, made.statements(), made.level
    made = Generator(seed // 2)
    source, statements = made.make()
    return source, statements, made.level


if __name__ == '__main__':
    generator.main('reads', make)
