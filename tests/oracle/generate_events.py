#!/usr/bin/python3
"""generate_events.py SEED [DIRECTORY]: a random C program of generate.py with statements about compound events and times.

The same seed always makes the same program and statements.
"""
import generate
import generator


class Generator(generate.Generator):
    def length(self):
        return self.pick(['3us', '10us', '25us', '50us', '100us', '300us', '1ms', '77 cycles', '1.5us', '400ns', '2000 cycles'])

    def simple(self):
        """A condition that is often true: events are what this is about."""
        place = self.reference()
        roll = self.random.randrange(100)
        if roll < 35:
            return f'write({place.watch})'
        if roll < 65:
            return f'{self.pick(["enter", "leave"])}({self.pick(self.named)})'
        if roll < 80:
            return f'{place.watch} != old({place.watch})'
        if roll < 90:
            return self.compare()
        return f'{self.pick(["enter", "leave"])}({self.pick(self.named)}) && {self.compare()}'

    def timed(self):
        text = self.simple()
        if self.chance(20):
            text = f'{text} && elapsed {self.pick(["<", ">", "<=", ">="])} {self.length()}'
        return text

    def unchanged(self):
        """One condition about a variable that stays as it is, and what it shows."""
        place = self.pick(self.places)
        more = f' && {place.watch} {self.pick(["<", ">=", "!="])} {self.constant(place)}' if self.chance(40) else ''
        return f'{place.watch} unchanged for {self.length()}{more}', self.pick(['print', 'count c0', f'print {place.watch}; count c1'])

    def aged(self):
        """One condition about ages."""
        x, y = self.reference().watch, self.reference().watch
        compare = self.pick(['<', '>', '<=', '>='])
        return self.pick([f'write({x}) && age({x}) {compare} {self.length()}', f'{x} != old({x}) && age({y}) {compare} {self.length()}',
                          f'age({x}) + {self.length()} {compare} age({y})', f'{self.simple()} && age({x}) {compare} {self.length()}',
                          f'age({x}) > {self.length()}'])

    def event(self, parts, first=True):
        """An event of so many conditions; `first`: nothing has come before it."""
        if parts == 1:
            return self.simple() if first else self.timed()
        left = self.random.randrange(1, parts)
        word = self.pick(['then', 'then', 'then', 'and', 'or'])
        first = first and word != 'and'
        text = f'{self.part(left, first)} {word} {self.part(parts - left, first and word == "or")}'
        if word != 'or' and self.chance(40):
            text += f' within {self.length()}'
        return text

    def part(self, parts, first):
        text = self.event(parts, first)
        return text if parts == 1 else f'({text})'

    def shown(self, event):
        text = self.actions()
        takes_time = ' then ' in event or ' and ' in event
        if 'print ' in text and self.chance(20):
            text = text.replace('print ', f'print age({self.reference().watch}), ', 1)
        return text.replace('print ', 'print elapsed, ', 1) if takes_time and 'print ' in text and self.chance(60) else text

    def statements(self):
        super().statements()     # self.named
        made = []
        for i in range(self.random.randrange(8, 16)):
            self.watchable = list(self.places)
            if self.level == '-O0' and self.chance(40):
                name = self.pick(sorted(self.reachable('main') & set(self.locals)))
                self.watchable = [generate.Place(p.text, p.low, p.high, f'{name}\\{p.watch}') for p in self.locals[name]] * 2 + self.places
            disabled = 'disabled ' * self.chance(8)
            event = self.aged() if self.chance(30) else self.event(self.pick([2, 2, 2, 3, 3, 4]))
            actions = self.shown(event)
            if self.chance(15):
                disabled = ''
                event, actions = self.unchanged()
            made.append(f's{i}: {disabled}when {event} {{ {actions} }}')
        made.append('all: when enter(main) { reset c0; reset c1; reset c2 }')  # they are known wherever they are named
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    source, statements = made.make()
    return source, statements, made.level


if __name__ == '__main__':
    generator.main('events', make)
