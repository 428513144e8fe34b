#!/usr/bin/python3
"""lasting.py [SEED]: `unchanged for` of several variables, beside other events, and as a part of compound events; ages beside it. What should be
hit follows from the plain writes of the same run alone, by what docs/statements.md says."""
import os
import random
import sys

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/lasting-programs')
PROGRAMS = 6
FIRST = {'x': 5, 'y': 7, 'z': 0}
NEVER = float('inf')


def source(draw):
    lines = [f'    {draw.choice("xxyyz")} = {draw.randrange(8)}; pause({draw.choice((0, 1, 2, 5, 20, 60))});{draw.choice(("", "", " seen = z;"))}'
             for _ in range(80)]
    return '\n'.join([f'volatile unsigned x = {FIRST["x"]}, y = {FIRST["y"]}, z, seen;',
                      'static void pause(unsigned n) { for (volatile unsigned i = 0; i < n; i++); }', 'int main(void) {', *lines,
                      '    return 0;', '}', ''])


class Run:
    """The plain writes and reads of a run, and what follows from them."""

    def __init__(self, hits, end):
        self.writes = [(hit['cycle'], hit['statement'][-1], hit['values'][hit['statement'][-1]]) for hit in hits
                       if hit['statement'].startswith('written_')]
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
    texts = [f'written_{name}: when write({name}) {{ print {name} }}' for name in 'xyz'] + ['read_z: when read(z) { print z }']
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
    return common.run_checks([(f'seed {seed}', lambda seed=seed: check(seed)) for seed in range(first, first + PROGRAMS)])


if __name__ == '__main__':
    sys.exit(main())
