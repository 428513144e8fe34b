#!/usr/bin/python3
"""lasting.py [SEED]: `unchanged for` of several variables, beside other events, and as a part of compound events; ages beside it. What should be
hit follows from the plain writes of the same run alone, by what docs/statements.md says. What lasts while a path does: lasting_paths.py."""
import os
import random
import sys

import common
import lasting_paths
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/lasting-programs')
PROGRAMS = 6
OF_PATHS = 8
FIRST = {'x': 5, 'y': 7, 'z': 0}
NEVER = float('inf')


def source(draw):
    def assignment():
        which = draw.choice([*'xxyyz', 'i', 'a', 'a', 'a'])
        if which == 'a':
            return f'a[{draw.randrange(4)}] = {draw.randrange(8)}'
        return f'{which} = {draw.randrange(4 if which == "i" else 8)}'
    lines = [f'    {assignment()}; pause({draw.choice((0, 1, 2, 5, 20, 60))});{draw.choice(("", "", " seen = z;"))}' for _ in range(140)]
    return '\n'.join([f'volatile unsigned x = {FIRST["x"]}, y = {FIRST["y"]}, z, seen, a[4] = {{ 1, 9, 3, 4 }}, i;',
                      'static void pause(unsigned n) { for (volatile unsigned i = 0; i < n; i++); }', 'int main(void) {', *lines,
                      '    return 0;', '}', ''])


class Run:
    """The plain writes and reads of a run, and what follows from them."""

    def __init__(self, hits, end):
        self.writes = [(hit['cycle'], hit['statement'][-1], hit['values'][hit['statement'][-1]]) for hit in hits
                       if hit['statement'].startswith('written_')]
        self.elements = [(hit['cycle'], hit['statement'].removeprefix('element_'), *hit['values'].values()) for hit in hits
                         if hit['statement'].startswith('element_')]
        self.reads = [hit['cycle'] for hit in hits if hit['statement'] == 'read_z']
        self.end = end

    def of(self, name):
        return [(time, value) for time, which, value in self.writes if which == name]

    def value(self, name, time):
        """Before what is written at that time."""
        return ([FIRST[name]] + [value for at, value in self.of(name) if at < time])[-1]

    def changes(self, name):
        """Times from which on it had another value than before; monitoring's beginning is the first."""
        times, now = [0], FIRST[name]
        for time, value in self.of(name):
            if value != now:
                times.append(time)
            now = value
        return times

    def moments(self, name, clocks):
        """When it had been unchanged for so long."""
        times = self.changes(name)
        return [time + clocks for time, later in zip(times, times[1:] + [NEVER]) if time + clocks <= min(later, self.end)]

    def unchanged(self, name, clocks, time):
        return time - max(change for change in self.changes(name) if change < time) >= clocks

    def of_element(self):
        """Writes to a[i] or to i: (time, the element, its value)."""
        values, i = [1, 9, 3, 4], 0
        for time, which, value in self.elements:
            if which == 'i':
                i = value
            else:
                values[int(which)] = value
            if which in ('i', str(i)):
                yield time, i, values[i]

    def element(self, time):
        """Its value, before what is written at that time."""
        return ([1] + [value for at, _, value in self.of_element() if at < time])[-1]

    def element_lasts(self, clocks, goes_on):
        """When it has been so for so long; goes_on(state before, state), of (element, value): None to begin, False when it is not so."""
        found, since, before = [], None, None
        for time, *state in [*self.of_element(), (NEVER, None, None)]:
            if since is not None and since + clocks <= min(time, self.end):
                found.append(since + clocks)
                since = NEVER
            if time != NEVER:
                same = goes_on(before, state)
                since = time if same is None or (same and since is None) else since if same else None
                before = state
        return found

    def age(self, name, time):
        """None: it has not been written."""
        times = [at for at, _ in self.of(name) if at < time]
        return time - times[-1] if times else None

    def held(self, name, above, clocks):
        """When it had been above a value for so long, from a write on."""
        found, since = [], None
        for time, value in self.of(name) + [(NEVER, 0)]:
            if since is not None and since + clocks <= min(time, self.end):
                found.append(since + clocks)
                since = NEVER
            since = (time if since is None else since) if value > above else None
        return found


def both(run, a, b):
    times = sorted(set(run.moments('x', a)) | set(run.moments('y', b)))
    return [(t, {name: run.value(name, t) for name in 'xy'}) for t in times if run.unchanged('x', a, t) and run.unchanged('y', b, t)]


def either(run, a):
    late = [(t, 0, {name: run.value(name, t) for name in 'xy'}) for t in run.moments('x', a)]
    writes = [(t, 1, {'x': run.value('x', t), 'y': value}) for t, value in run.of('y')]
    return [(t, values) for t, _, values in sorted(late + writes, key=lambda each: each[:2])]


def unread(run, a):
    """Nothing is read at a deadline."""
    return [(t, {'x': run.value('x', t), 'z': run.value('z', t)}) for t in run.moments('x', a)]


def above(run, a):
    return [(t, {'y': run.value('y', t)}) for t in run.moments('x', a) if run.value('y', t) > 3]


def read_or_not(run, a):
    late = [(t, 0) for t in run.moments('x', a)]
    reads = [(t, 1) for t in run.reads if run.value('y', t) > 3]
    return [(t, {name: run.value(name, t) for name in 'xy'}) for t, _ in sorted(late + reads)]


def after(run, a):
    """write(z) then x unchanged for a"""
    events = [(t, 1) for t, _ in run.of('z')] + [(t, 0) for t in run.moments('x', a)]
    found, began = [], None
    for time, is_write in sorted(events):
        if is_write:
            began = time
        elif began is not None:
            found.append((time, {'x': run.value('x', time), 'elapsed': time - began}))
            began = None
    return found


def aged(run, a):
    return [(t, {'x': run.value('x', t), 'age(y)': run.age('y', t)}) for t in run.moments('x', a) if run.age('y', t) is not None]


def old_enough(run, a, b):
    return [(t, {'y': run.value('y', t)}) for t in run.moments('x', a) if (run.age('y', t) or 0) > b]


def one_of(run, a, b):
    times = sorted(set(run.moments('x', a)) | set(run.held('y', 3, b)))
    return [(t, {name: run.value(name, t) for name in 'xy'}) for t in times]


def element_held(run, clocks):
    return run.element_lasts(clocks, lambda before, now: now[1] > 3 and (True if before and before[0] == now[0] and before[1] > 3 else None))


def element_unchanged(run, clocks):
    return run.element_lasts(clocks, lambda before, now: True if before == now else None)


def after_held(run, clocks):
    """write(z) then (a[i] > 3 for T)"""
    events = [(t, 1) for t, _ in run.of('z')] + [(t, 0) for t in element_held(run, clocks)]
    found, began = [], None
    for time, is_write in sorted(events):
        if not is_write and began is not None:
            found.append((time, {'a[i]': run.element(time), 'elapsed': time - began}))
        began = time if is_write else None
    return found


def beside_writes(run, times):
    """Deadlines, or write(y)."""
    late = [(t, 0, {'a[i]': run.element(t), 'y': run.value('y', t)}) for t in times]
    writes = [(t, 1, {'a[i]': run.element(t), 'y': value}) for t, value in run.of('y')]
    return [(t, values) for t, _, values in sorted(late + writes, key=lambda each: each[:2])]


def statements(draw):
    """(text, what should be hit) by name."""
    a, b = (draw.choice((150, 300, 500, 900, 2000)) for _ in 'ab')
    return {
        'both': (f'x unchanged for {a} cycles && y unchanged for {b} cycles {{ print x, y }}', lambda run: both(run, a, b)),
        'either': (f'x unchanged for {a} cycles || write(y) {{ print x, y }}', lambda run: either(run, a)),
        'unread': (f'x unchanged for {a} cycles && !read(z) {{ print x, z }}', lambda run: unread(run, a)),
        'above': (f'x unchanged for {b} cycles && (read(z) || y > 3) {{ print y }}', lambda run: above(run, b)),
        'read_or_not': (f'x unchanged for {a} cycles && !read(z) || read(z) && y > 3 {{ print x, y }}', lambda run: read_or_not(run, a)),
        'after': (f'write(z) then x unchanged for {a} cycles {{ print x, elapsed }}', lambda run: after(run, a)),
        'aged': (f'x unchanged for {a} cycles {{ print x, age(y) }}', lambda run: aged(run, a)),
        'old_enough': (f'x unchanged for {a} cycles && age(y) > {b} cycles {{ print y }}', lambda run: old_enough(run, a, b)),
        'after_held': (f'write(z) then (a[i] > 3 for {b} cycles) {{ print a[i], elapsed }}', lambda run: after_held(run, b)),
        'or_held': (f'(a[i] > 3 for {a} cycles) or write(y) {{ print a[i], y }}', lambda run: beside_writes(run, element_held(run, a))),
        'or_unchanged': (f'a[i] unchanged for {b} cycles || write(y) {{ print a[i], y }}', lambda run: beside_writes(run, element_unchanged(run, b))),
        'one_of': (f'(x unchanged for {a} cycles) or (y > 3 for {b} cycles) {{ print x, y }}', lambda run: one_of(run, a, b)),
    }


def plain(hit):
    per_cycle = hit['time_ns'] // hit['cycle']
    return hit['cycle'], {name.removesuffix('_ns'): value // per_cycle if name.endswith('_ns') else value
                          for name, value in hit['values'].items()}


def check(seed):
    draw = random.Random(seed)
    os.makedirs(WORK, exist_ok=True)
    path = os.path.join(WORK, f'{seed}.c')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(source(draw))
    program = path[:-2] + '.elf'
    must([common.TARGET_CC, '-O1', path, '-o', program])
    made = statements(draw)
    texts = [f'written_{name}: when write({name}) {{ print {name} }}' for name in 'xyz'] + ['read_z: when read(z) { print z }', 'element_i: when write(i) { print i }']
    texts += [f'element_{k}: when write(a[{k}]) {{ print a[{k}] }}' for k in range(4)]
    texts += [f'{name}: when {text}' for name, (text, _) in made.items()]
    watched = common.watch(program, *(word for text in texts for word in ('-e', text)))
    if watched.code or not watched.summary:
        raise Failure(f'seed {seed}: exit {watched.code}: {watched.err}')
    run = Run(watched.hits, watched.summary['cycles'])
    count = 0
    for name, (text, should) in made.items():
        found, wanted = [plain(hit) for hit in watched.hits if hit['statement'] == name], should(run)
        for number, (want, got) in enumerate(zip(wanted + [None], found + [None])):
            if want != got:
                raise Failure(f'seed {seed}: {text}\n  hit {number}: {got}, but the writes say {want}')
        count += len(found)
    return f'{count} hits as the writes of the run say'


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    checks = [(f'seed {seed}', lambda seed=seed: check(seed)) for seed in range(first, first + PROGRAMS)]
    checks += [(f'paths {seed}', lambda seed=seed: lasting_paths.check(seed)) for seed in range(first, first + OF_PATHS)]
    return common.run_checks(checks)


if __name__ == '__main__':
    sys.exit(main())
