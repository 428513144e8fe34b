#!/usr/bin/python3
"""parts.py: what several threads tell of a recording that they execute in parts is what one tells that executes all of it: each access and
each shadow cell, of programs with interrupts, tasks, exceptions, memory that others change, and registers of which nothing is known."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/parts-work')
PARTS = os.path.join(common.BUILD, 'tests/softprobe/parts')
PROGRAMS = ['examples/' + name for name in ('thermostat-O2', 'interrupts-O2', 'nested-Og', 'tasks-O2', 'recursion-O2')] + \
           ['tests/replay/corners-O2', 'tests/replay/dma-O2'] + [f'tests/shadow/{name}-O2' for name in ('clones', 'handed', 'halves', 'freed')]


def recorded(name):
    program, path = os.path.join(common.BUILD, name + '.elf'), os.path.join(WORK, os.path.basename(name) + '.inputs')
    must([common.EARSHOT, 'record', '--inputs', path, '--probe', 'sim:cores=1', program])
    return program, path


def the_same(program, path, *more):
    out = must([PARTS, path, program, *more])
    told = [int(number) for number in re.findall(r'(\d+) assignments', out)]
    if len(told) != 3 or max(told) < 100:
        raise Failure(out)
    return sum(told)


def longer():
    """Of several parts as they are for everybody."""
    program, path = os.path.join(common.BUILD, 'tests/replay/forever-O2.elf'), os.path.join(WORK, 'long.inputs')
    must([os.path.join(common.BUILD, 'tests/replay/long'), '700000', path])
    return the_same(program, path)


def cut():
    """What is left of a recording."""
    program, path = os.path.join(common.BUILD, 'tests/replay/forever-O2.elf'), os.path.join(WORK, 'cut.inputs')
    must([common.EARSHOT, 'record', '--inputs', path, program, '--for', '50ms'])
    os.truncate(path, os.path.getsize(path) * 3 // 4)
    return the_same(program, path)


def main():
    os.makedirs(WORK, exist_ok=True)
    checks = [(name, lambda name=name: the_same(*recorded(name))) for name in PROGRAMS]
    checks += [(f'{name}, unknown registers', lambda name=name: the_same(*recorded(name), 'unknown')) for name in PROGRAMS[1:4]]
    checks += [('longer', longer), ('cut', cut)]
    return common.run_checks(checks)


if __name__ == '__main__':
    sys.exit(main())
