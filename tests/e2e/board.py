#!/usr/bin/python3
"""The probe with the iCEBreaker's parameters, over its serial line: the same hits as on the usual simulated target, save for their times."""
import os
import sys

import common
from common import Failure

OVER_BOARD = os.path.join(common.BUILD, 'tests/e2e/over-board')
PROGRAMS = os.path.join(common.BUILD, 'tests/e2e/board')
RUNS = [('thermostat', '-O0', ['-s', 'examples/thermostat/thermostat.watch']),
        ('thermostat', '-O0', ['-s', 'examples/thermostat/locals.watch']),
        ('thermostat', '-Og', ['-s', 'examples/thermostat/thermostat.watch']),
        ('recursion', '-O2', ['-s', 'examples/recursion/recursion.watch']),
        ('thermostat', '-O0', ['-e', 'read(temp) || read(plant.steps) { print temp, plant.steps }'])]
REFUSED = [(['-e', 'temp > 80 { trigger 0 }'], "`trigger` needs pins, and this probe's bitstream drives none"),
           (['-e', 'temp > 80 { halt }', '--allow-halt'], "`halt` needs a pin, and this probe's bitstream drives none"),
           (['-e', 'temp > 80', '--times'], "this probe's bitstream does not have it: leave out --times")]


def without_times(hits):
    return [{key: value for key, value in common.same_place(hit).items() if key != 'cycle'} for hit in hits]


def check(name, level, statements):
    usual = common.watch(os.path.join(common.EXAMPLES, f'{name}{level}.elf'), *statements)
    command = [OVER_BOARD, os.path.join(PROGRAMS, f'{name}{level}.elf'), '--json', "--loaded", *statements]
    board = common.Watched(command, *common.run(command))
    if board.code != 0 or not board.summary:
        raise Failure(f'exit {board.code}: {board.err}')
    if board.summary['lost'] or board.gaps:
        raise Failure(f'lost {board.summary["lost"]}, gaps {board.gaps}')
    if f'the target exited with {usual.summary["exit_code"]}' not in board.err:
        raise Failure(f'the target did not end: {board.err}')
    expected, found = without_times(usual.hits), without_times(board.hits)
    for number, (one, other) in enumerate(zip(expected, found)):
        if one != other:
            raise Failure(f'hit {number} differs\n  usual: {one}\n  board: {other}')
    if len(expected) != len(found) or not found:
        raise Failure(f'{len(expected)} hits, on the board {len(found)}')
    for key in ('hits', 'counters', 'statements'):
        if usual.summary[key] != board.summary[key]:
            raise Failure(f'{key}: {usual.summary[key]}, on the board {board.summary[key]}')
    return len(found)


def refuse(arguments, message):
    """What this board's probe does not have."""
    command = [OVER_BOARD, os.path.join(PROGRAMS, 'thermostat-O0.elf'), *arguments]
    code, out, err = common.run(command)
    if code != 2 or out or message not in err:
        raise Failure(f'{command}: exit {code}: {err}')


def main():
    os.chdir(common.ROOT)
    passed = failed = 0
    for arguments, message in REFUSED:
        try:
            refuse(arguments, message)
            passed += 1
        except Failure as failure:
            print(failure)
            failed += 1
    for name, level, statements in RUNS:
        try:
            hits = check(name, level, statements)
            print(f'{name} {level} {statements[-1]}: {hits} hits the same')
            passed += 1
        except Failure as failure:
            print(f'{name} {level} {statements[-1]}: {failure}')
            failed += 1
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
