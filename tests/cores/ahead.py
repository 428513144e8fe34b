#!/usr/bin/python3
"""ahead.py: where the probe says that fetches prove nothing, what rests on them is refused, and all else is as it was."""
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../e2e')]

import common
from common import Failure

AHEAD = os.path.join(common.BUILD, 'cores/reference-ahead/earshot')
# a program, its statements that rest on nothing but data
EXACT = [('thermostat-O0', 'temp > 80 { print temp, old(temp), mode }'),
         ('thermostat-O2', 'write(temp) { print temp, age(temp) }'),
         ('thermostat-O0', 'mode becomes ARMED { print mode; count armed }'),
         ('thermostat-O0', 'temp > 70 for 100us { print temp }'),
         ('thermostat-O0', 'write(temp) then mode == ARMED within 1ms { print elapsed }'),
         ('thermostat-O0', 'write(plant) { print plant.steps }'),
         ('thermostat-O0', 'temp > 60 { print temp; hist(temp) }'),
         ('recursion-O0', 'write(items[0..47]) { print items[depth & 3], swaps }'),
         ('recursion-O2', 'write(tower) { print moves }'),
         ('tasks-O0', 'write(produced) { print produced, sum }')]
# what rests on fetches, and what the refusal names
REFUSED = [('enter(control)', 'a call, a return, a position or a path'),
           ('leave(control)', 'a call, a return, a position or a path'),
           ('at(control.c:50)', 'a call, a return, a position or a path'),
           ('read(temp)', 'read()'),
           ('write(temp) && path == main:control', 'a call, a return, a position or a path'),
           ('control\\hottest > 3', 'is a local'),
           ('temp > 80 { print temp; hist(temp) by path }', '`by path`'),
           ('temp > 80 { print temp; hist(temp) by place }', '`by place`'),
           ('profile control', 'a call, a return, a position or a path'),
           ('cover control.c', 'a call, a return, a position or a path'),
           ('heap plant_step, drive', 'a call, a return, a position or a path'),
           ('stack', 'a call, a return, a position or a path')]
REASON = 'needs to know which instructions are executed'


def watch(program, binary, statement):
    before, common.EARSHOT = common.EARSHOT, binary
    try:
        return common.watch(os.path.join(common.EXAMPLES, f'{program}.elf'), '--start-up', '-e', statement)
    finally:
        common.EARSHOT = before


def exact(program, statement):
    known, seen = watch(program, common.EARSHOT, statement), watch(program, AHEAD, statement)
    if known.code or not known.hits:
        raise Failure(f'exit {known.code}, {len(known.hits)} hits where all is known\n{known.err}')
    if seen.code or seen.summary is None or seen.summary['lost']:
        raise Failure(f'exit {seen.code}: {seen.err}')
    for hit in seen.hits:
        if hit['path'] is not None or hit['file'] is not None or hit['line'] is not None:
            raise Failure(f'a place or a path is told: {hit}')
    told = [[(hit['cycle'], hit['values']) for hit in run.hits] for run in (known, seen)]
    if told[0] != told[1]:
        raise Failure(f'{len(told[1])} hits, not {len(told[0])}: {[pair for pair in zip(*told) if pair[0] != pair[1]][:1]}')
    if known.summary['counters'] != seen.summary['counters']:
        raise Failure(f'counters {seen.summary["counters"]}, not {known.summary["counters"]}')
    if 'fetches ahead of what it executes' not in seen.err:
        raise Failure(f'nothing says so: {seen.err}')
    return f'{len(seen.hits)} hits'


def refused(statement, what):
    run = watch('thermostat-O0', AHEAD, statement)
    if run.code != 2 or run.hits or REASON not in run.err or what not in run.err:
        raise Failure(f'exit {run.code}, {len(run.hits)} hits: {run.err}')


def main():
    checks = [(f'{program}: {statement}', lambda p=program, s=statement: exact(p, s)) for program, statement in EXACT]
    checks += [(statement, lambda s=statement, w=what: refused(s, w)) for statement, what in REFUSED]
    common.run_checks(checks)


if __name__ == '__main__':
    main()
