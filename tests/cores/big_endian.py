#!/usr/bin/python3
"""big_endian.py: on a bus whose topmost lane has the lowest address all is as it is on the other one."""
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../e2e')]

import common
from common import Failure

BIG = os.path.join(common.BUILD, 'cores/reference-big/earshot')
# Values of one, two and four bytes, in structures and arrays; places, paths, arguments, reads.
STATEMENTS = [('thermostat-O0', 'temp > 80 { print temp, old(temp), mode }'),
              ('thermostat-O0', 'write(plant) { print plant.steps }'),
              ('thermostat-O2', 'mode becomes ARMED { print mode, temp }'),
              ('thermostat-O0', 'enter(control) { print temp }'),
              ('thermostat-O0', 'leave(control) { print temp, mode }'),
              ('thermostat-O0', 'read(temp) { print temp; hist(temp) by place }'),
              ('recursion-O0', 'write(items[0..47]) { print items[depth & 3], swaps }'),
              ('tasks-O0', 'write(produced) { print produced, sum }')]


def watch(program, binary, statement):
    before, common.EARSHOT = common.EARSHOT, binary
    try:
        return common.watch(os.path.join(common.EXAMPLES, f'{program}.elf'), '-e', statement)
    finally:
        common.EARSHOT = before


def same(program, statement):
    known, seen = watch(program, common.EARSHOT, statement), watch(program, BIG, statement)
    if known.code or seen.code or not known.hits or known.summary['lost'] or seen.summary['lost']:
        raise Failure(f'exits {known.code}, {seen.code}, {len(known.hits)} hits\n{known.err}{seen.err}')
    if len(known.hits) != len(seen.hits):
        raise Failure(f'{len(seen.hits)} hits, not {len(known.hits)}')
    for one, other in zip(known.hits, seen.hits):
        if one != other:
            raise Failure(f'{other}, not {one}')
    if known.summary['counters'] != seen.summary['counters']:
        raise Failure(f'counters {seen.summary["counters"]}, not {known.summary["counters"]}')
    return f'{len(seen.hits)} hits'


def main():
    common.run_checks([(f'{program}: {statement}', lambda p=program, s=statement: same(p, s)) for program, statement in STATEMENTS])


if __name__ == '__main__':
    main()
