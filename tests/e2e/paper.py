#!/usr/bin/python3
r"""paper.py: Plattner's own statements about his own programs (1984, Fig. 2 and 3), watched on the probe.

Each is written as in the paper and watched; the oracle, who does not know that notation, is given the same in plain words. The paper's
equations that never come true in Fig. 3 have neighbours that do.
"""
import os
import sys

import common
from common import Failure, must

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

WORK = os.path.join(common.BUILD, 'tests/e2e/work')

# program, what the paper writes, the same for the oracle, how many hits there are
EXAMPLES = [
    (1, r'control substate = 1:1\2', r'path == main:p2:p1\2', 1),
    (1, r'path == main:p2:p1\2', r'path == main:p2:p1\2', 1),
    (1, r'write(main\x)', r'write(main\x)', 1),
    (1, r'main\x == main\y', r'main\x == main\y', 1),
    (2, r'1:1\a >= 0', r'main:1:1\a >= 0', 2),
    (2, r'3:1\x >= 0', r'main:3:1\x >= 0', 2),
    (2, r'1:1:2\b > 0', r'main:1:1:2\b > 0', 4),
    (2, r'control substate = 1:1:2\5', r'path == main:1:1:2\5', 1),
    (2, r'Control substate = 1:1:2\5', r'path == main:1:1:2\5', 1),
    (2, r'control substate = 3:1\*', r'main:3:1', 1),
    (2, r'control substate = 3:1', r'path == main:3:1', 1),
    (2, r'1:3:1\a = 1:3\x', r'main:1:3:1\a == main:1:3\x', 0),
    (2, r'1:3:{1\a = x}', r'main:1:3:1\a == main:1:3\x', 0),
    (2, r'1:3:{1\a == x - 1}', r'main:1:3:1\a == main:1:3\x - 1', 2),
    (2, r'1:3:1\a + 1:3:1:2\b = 0', r'main:1:3:1\a + main:1:3:1:2\b == 0', 0),
    (2, r'1:3:1\a + 1:3:1:2\b = 1:3\x', r'main:1:3:1\a + main:1:3:1:2\b == main:1:3\x', 0),
    (2, r'3:3:1\a + 3:3:1:2\b = 3:3\x', r'main:3:3:1\a + main:3:3:1:2\b == main:3:3\x', 1),
    (2, r'3:3:{1\a + 1:2\b = x}', r'main:3:3:1\a + main:3:3:1:2\b == main:3:3\x', 1),
    (2, r'main:p2:p2\a == 1', r'main:p2:p2\a == 1', 4),
    (2, r'main:3:p2:2\b == 3', r'main:3:p2:2\b == 3', 2),
]


def plain(hits):
    """Hits as both tell them: the names of values are the notation's."""
    return [(hit['cycle'], list(hit['values'].values()), hit['path'], os.path.basename(hit['file']), hit['line']) for hit in hits]


def example(program, log, written, meant, count):
    expected, _ = oracle.hits(Program(program), [f'when {meant} {{ print }}'], log)
    watched = common.watch(program, '-e', written)
    if watched.code or plain(watched.hits) != plain(expected):
        raise Failure(f'{written}: watched {plain(watched.hits)}, expected {plain(expected)}\n  {watched.err}')
    if len(expected) != count:
        raise Failure(f'{written}: {len(expected)} hits; by the text of the program there are {count}')


def main():
    os.makedirs(WORK, exist_ok=True)
    failed = 0
    for number in (1, 2):
        program = os.path.join(WORK, f'plattner{number}.elf')
        must([common.TARGET_CC, '-O0', f'tests/lang/plattner{number}.c', '-o', program])
        mine = [row for row in EXAMPLES if row[0] == number]
        places = oracle.places(Program(program), [f'when {row[2]} {{ print }}' for row in mine])
        log = common.retire_log(program, os.path.join(WORK, f'plattner{number}.log'), *places)
        for _, *row in mine:
            try:
                example(program, log, *row)
            except Failure as failure:
                print(failure)
                failed += 1
    print(f'{len(EXAMPLES) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
