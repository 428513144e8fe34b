#!/usr/bin/python3
"""sram.py: the board's own tap on 8 bits of an asynchronous bus, and the whole probe after it, against the oracle.

Programs run on a target whose words go over that bus as single bytes, at times that vary within what the tap allows (sim/shim/sram_bus.hpp). Every
hit is what the oracle makes of the same run's retired instructions: its values, its path, its place, and its time to the clock of the tap (of a
store that of its last byte).
"""
import os

import common
import compare
from common import Failure, must

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

OVER_BOARD = os.path.join(common.BUILD, 'tests/e2e/over-board')
WORK = os.path.join(common.BUILD, 'tests/e2e/sram-work')
TAP_CLOCKS = 3    # from the clock in which a strobe ends to the one that the tap's time tells
# the last: how long the bus rests, so that the probe's link keeps up with the hits
GENERATED = [('seed', 1, 600), ('parts', 1, 1000), ('parts', 2, 600), ('parts', 4, 600), ('parts', 5, 600),
             ('paths', 1, 600), ('paths', 3, 600), ('paths', 5, 600)]


def watch(program, statements, rest):
    os.environ['OVER_BOARD_SRAM'] = str(rest)
    command = [OVER_BOARD, program, '--json', '--loaded', '-s', statements]
    return common.Watched(command, *common.run(command))


def against_oracle(base, statements, rest):
    """rest: the bus rests for so many clocks of the tap before each word, at most, as the probe is to keep up. Returns the number of hits."""
    known = Program(f'{base}.elf')
    lines = compare.with_code(known, statements)
    log = common.retire_log(f'{base}.elf', f'{base}.log', '--sram', str(rest), *oracle.places(known, compare.among_themselves(lines)))
    chosen = compare.choose(known, lines, log)
    with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
        stream.write(chosen)
    expected, summary = oracle.hits(known, [chosen], log)
    watched = watch(f'{base}.elf', f'{base}.watch', rest)
    for hit in expected:
        hit['cycle'] += TAP_CLOCKS
    wrong = f'refused: {watched.err}' if watched.code == 2 else common.difference(expected, watched.hits)
    wrong = wrong or summary_differs(watched, summary)
    if wrong:
        raise Failure(f'{wrong}\n  OVER_BOARD_SRAM={rest} {" ".join(watched.command)}\n  {watched.err.strip()[:1000]}')
    if not expected:
        raise Failure('no hits')
    return f'{len(expected)} hits the same'


def summary_differs(watched, expected):
    """None, or what is different between the two summaries. (How the program ends is told by over-board.)"""
    if watched.summary is None:
        return f'no summary; exit {watched.code}'
    if watched.summary['lost'] or watched.gaps:
        return f'lost {watched.summary["lost"]}'
    if watched.summary['counters'] != expected['counters']:
        return f'counters: oracle {expected["counters"]}, board {watched.summary["counters"]}'
    if f'the target exited with {expected["exit_code"]}\n' not in watched.err:
        return 'the target did not end as it should'
    return None


def generated(sort, seed, rest):
    source, statements, level = compare.SORTS[sort][0].make(seed)
    base = os.path.join(WORK, f'{sort}{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(source)
    must([*common.SMALL_CC, level, '-fwrapv', '-w', f'{base}.c', '-o', f'{base}.elf'])
    return against_oracle(base, statements, rest)


def interrupted(level):
    """sram.c: all widths, and an interrupt."""
    base = os.path.join(WORK, f'sram{level}')
    must([*common.SMALL_CC, level, '-Wall', '-Wextra', '-Werror', 'tests/e2e/sram.c', '-o', f'{base}.elf'])
    with open('tests/e2e/sram.watch', encoding='utf-8') as stream:
        return against_oracle(base, stream.read().splitlines(), 2000)


def main():
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    checks = [('sram.c -O0', lambda: interrupted('-O0'))]
    checks += [(f'{sort} {seed}', lambda sort=sort, seed=seed, rest=rest: generated(sort, seed, rest)) for sort, seed, rest in GENERATED]
    common.run_checks(checks)


if __name__ == '__main__':
    main()
