#!/usr/bin/python3
"""task_ends.py: a task's first procedure is left, wherever an interrupt comes that switches tasks: between its return and the first instruction of
what ends tasks, too. What the program prints of itself, and the oracle, are the truth."""
import os
import re

import common
import compare
from common import Failure, must

from program import Program   # of tests/oracle, whose folder common.py adds to the path

STATEMENTS = ['tasks current', 'left: when leave(body) { print rounds, work }', 'ends: when enter(task_end) { print ended }',
              'begun: when enter(body) { print work }', 'ticks: when enter(timer_isr) { print rounds }',
              'inside: when task_end:timer_isr:tick && write(cut) { print cut }', 'switched: when write(current) { print rounds }']
# how late the first interrupt comes, in clocks, so that the first procedure has begun: before that, the bus tells nothing of a task that was made
# in the place of another (docs/tasks.md)
FIRST = {'-O0': 290, '-O2': 145}


def swept(level, march):
    """A run with an interrupt at each of the first procedure's instructions."""
    base = os.path.join(compare.WORK, f'task_ends{level}{march}')
    must([common.TARGET_CC, *common.TARGET_FLAGS, f'-march={march}', level, '-w', f'-DFIRST_SLICE={FIRST[level]}', 'tests/e2e/task_ends.c',
          '-o', f'{base}.elf'])
    with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
        stream.write('\n'.join(STATEMENTS) + '\n')
    known = Program(f'{base}.elf')
    count = compare.compare(f'{base}.elf', known, f'{base}.watch', compare.log_of(f'{base}.elf', known, f'{base}.watch'))
    watched = common.watch(f'{base}.elf', '-s', f'{base}.watch')
    cut, ended = map(int, re.search(r'cut (\d+) ended (\d+)', '\n'.join(watched.console)).groups())
    counts = {name: sum(hit['statement'] == name for hit in watched.hits) for name in ('left', 'ends', 'begun')}
    if not cut or set(counts.values()) != {ended}:
        raise Failure(f'the program ended {ended} tasks, {cut} with an interrupt right after the return, but {counts}')
    return f'{count} hits, {ended} ends of tasks, {cut} of them cut short'


def main():
    os.makedirs(compare.WORK, exist_ok=True)
    common.run_checks([(f'task ends {level} {march}', lambda level=level, march=march: swept(level, march))
                       for level in FIRST for march in ('rv32i_zicsr', 'rv32imc_zicsr')])


if __name__ == '__main__':
    os.chdir(common.ROOT)
    main()
