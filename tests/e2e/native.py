#!/usr/bin/python3
"""native.py: statements about programs that, compiled for this machine, print what should be seen. old() of what is narrower than a word, through
pointers, and of bit-fields in elements with a variable index; such elements in compound events, and snapshots of them; which part of arrays and
structs is written or read; texts."""
import os
import sys

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/native-programs')
OLD = {'byte': '*p', 'short': '*q', 'reading': 's->reading', 'level': 's->level', 'second': 'r->second', 'mid': 'table[at].as.mid',
       'ticks': 'm->ticks', 'wide': 'wide[at]', 'total': 'accounts[row][at].total'}
AREAS = {'bytes': 'write(bytes[0..15])', 'shorts': 'write(shorts)', 'words': 'write(words[2..4])', 'grid': 'write(grid[0..1][2..3])',
         'wide': 'write(wide)', 'recs': 'write(recs)', 'through': 'write(*p)', 'odds': 'write(odds)', 'both': 'write(both)', 'reads': 'read(table)',
         'local': 'write(work\\local)', 'mine': 'write(work\\mine)'}
SOURCES = {'old_values': [f'{name}: when started && write({place}) {{ print {place}, old({place}) }}' for name, place in OLD.items()],
           'areas': [f'{name}: when {event}' for name, event in AREAS.items()],
           'strings': ['equal: name == "idle" { print name }', 'becomes: name becomes "idle"', 'differs: name != "idle" { print name }',
                       'pointed: when state == "idle" { print text(state) }', 'text: write(state) { print text(state) }',
                       'marked: write(marks) && tasks[1].name == "idle" && marks % 2 == 1 { print tasks[1].name }',
                       'full: small == "\\xe4bcd" { print small[3] }'],
           'joined': ['joined: when write(k) then a[i] > 3 { print i, a[i] }'],
           'shots': ['plain: when write(k) { snapshot table[i], bag->in[j], list[i - 2], smalls[i] }', 'counted: when write(k) { count c; snapshot table[c & 7] }',
                     'joined: when (write(i) or write(j)) then write(k) { snapshot table[i] }'],
           'counters': ['value: when p[n & 3].x > 100 { print p[n & 3].x }', 'old: when write(p[n & 3].x) { print p[n & 3].x, old(p[n & 3].x) }',
                        'aged: when write(p[n & 3].x) && age(p[n & 3].x) > 0us { print p[n & 3].x }',
                        'seen: when write(k) then write(p[n & 3].x) { print p[n & 3].x }',
                        'own: when a[m & 3]->x % 2 == 1 { count m; print a[m & 3]->x, m }', 'next: when write(k) { count n }',
                        'same: when write(p[3].x) { count n; print p[3].x }']}


def plain(value):
    """The numbers in a value, and - for what there is not; with the names of parts that an event wrote or read."""
    if isinstance(value, str) and '=' not in value:
        return [value.replace('\t', '_') + '.']
    if isinstance(value, str) and '=' in value:
        return [f'{name}={"-" if part is None else part}' for name, part in common.parts(value).items()]
    if isinstance(value, (dict, list)):
        return [number for part in (value.values() if isinstance(value, dict) else value) for number in plain(part)]
    return ['-' if value is None else str(value)]


def check(source, seed, level):
    os.makedirs(WORK, exist_ok=True)
    program, native = os.path.join(WORK, f'{source}{seed}{level}.elf'), os.path.join(WORK, f'{source}{seed}{level}.native')
    must([common.TARGET_CC, level, f'-DSEED={seed}u', f'tests/e2e/{source}.c', '-o', program])
    must(['gcc', '-O1', '-w', '-DHOST', f'-DSEED={seed}u', f'tests/e2e/{source}.c', '-o', native])
    wanted = [line.split() for line in must([native]).splitlines()]
    watched = common.watch(program, *(word for text in SOURCES[source] for word in ('-e', text)))
    if watched.code or not watched.summary:
        raise Failure(f'{source} {seed} {level}: exit {watched.code}: {watched.err}')
    found = [[hit['statement'], *plain(hit['values'])] for hit in watched.hits]
    for number, (want, got) in enumerate(zip(wanted + [None], found + [None])):
        if want != got:
            raise Failure(f'{source} {seed} {level}: hit {number}: {got}, but the program says {want}')
    return f'{len(found)} hits as the program says'


def main():
    runs = [(source, seed, level) for source in SOURCES for seed in range(1, 5) for level in ('-O0', '-O2')]
    return common.run_checks([(' '.join(map(str, run)), lambda run=run: check(*run)) for run in runs])


if __name__ == '__main__':
    sys.exit(main())
