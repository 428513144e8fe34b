#!/usr/bin/python3
"""assigned.py [-k NAME]: what `write(v) { print v }` shows of variables that the processor stores in parts, against what the source assigns.

Each program runs twice: on this machine, where SAW(v) prints each value that was assigned, and on the target, where SAW is nothing and
the probe tells. So the truth is the source's, not a rule of ours about stores. A value that was never assigned is always an error; one that is
missing is one unless the program says how many may be torn (CASES), and then the summary has to count it.
"""
import argparse
import os
import re
import sys

import common
from common import Failure, must

import assigned_cases

WORK = os.path.join(common.BUILD, 'tests/e2e/assigned-work')
HEAD = '''#include <stdint.h>
#include <string.h>
#ifdef __riscv
#include "target.h"
#define SAW(...) ((void)0)
#else
#include <stdio.h>
#define SAW(format, ...) printf(format "\\n", __VA_ARGS__)
#endif
#define KEPT __attribute__((noipa))
'''


def native(base):
    must(['gcc', '-w', '-O1', '-fwrapv', f'{base}.c', '-o', f'{base}-native'])
    return must([f'{base}-native']).split()


def shown(value):
    """A value as SAW prints it."""
    return repr(float(value)) if isinstance(value, float) else str(value)


def same(said, value):
    return float(said) == float(value) if re.search('[.e]', said) else said == shown(value)


def check(case, level):
    """Raises Failure on any difference; returns the number of values."""
    base = os.path.join(WORK, case.name + level)
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(HEAD + case.source)
    must([common.TARGET_CC, level, '-fwrapv', '-w', f'{base}.c', '-o', f'{base}.elf'])
    said = case.values() if case.values else native(base)
    watched = common.watch(f'{base}.elf', '-e', f's1: when {case.event} {{ print {case.printed} }}')
    if watched.summary is None:
        raise Failure(f'{case.name} {level}: exit {watched.code}: {watched.err.strip()}')
    found = [hit['values'][case.printed] for hit in watched.hits if hit['path']]  # not those of start-up code
    torn = watched.summary['torn']
    left, missing = list(said), []
    for number, value in enumerate(found):
        while left and not same(left[0], value):
            missing.append(left.pop(0))
        if not left:
            raise Failure(f'{case.name} {level}: hit {number} shows {value}, which is not what was assigned then; the program assigned '
                          f'{said}, hits showed {found}')
        left.pop(0)
    missing += left
    if len(missing) > min(case.torn, torn):
        raise Failure(f'{case.name} {level}: {missing} of {said} are missing; hits showed {found}, torn: {torn}')
    if torn > case.torn:
        raise Failure(f'{case.name} {level}: {torn} are torn, at most {case.torn} can be')
    return len(found)


def check_between(name, source, level):
    """The same of a program whose main is interrupted. What each assigns comes in order, and nothing else does."""
    base = os.path.join(WORK, name + level)
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(HEAD + source)
    must([common.TARGET_CC, level, '-fwrapv', '-w', f'{base}.c', '-o', f'{base}.elf'])
    watched = common.watch(f'{base}.elf', '-e', 's1: when write(v) { print v, ticks }')
    if watched.summary is None or watched.summary['unknown'] > 2:   # when start-up code clears v, ticks is not known
        raise Failure(f'{name} {level}: exit {watched.code}: {watched.err.strip()}')
    found = [hit['values']['v'] for hit in watched.hits if hit['path']]
    last, seen = {True: 0, False: 0}, {True: 0, False: 0}
    for number, value in enumerate(found):
        high, low = value >> 32 & 0x7FFFFFFF, value & 0x7FFFFFFF   # without the bit that turn() changes
        handled = bool(low & 0x40000000)
        again = name.endswith('turn')
        if high != low or (low < last[handled] if again else low <= last[handled]):
            raise Failure(f'{name} {level}: hit {number} shows {value:#x}, which was not assigned then: after '
                          f'{[hex(v) for v in found[max(0, number - 3):number]]}')
        seen[handled] += low != last[handled]
        last[handled] = low
    torn, ticks = watched.summary['torn'], watched.hits[-1]['values']['ticks']
    missing = 600 - seen[False] + (0 if name.endswith('turn') else ticks - seen[True])
    if missing > torn or torn > 2 * ticks:
        raise Failure(f'{name} {level}: {missing} are missing, {torn} are torn; {ticks} interrupts')
    return len(found), torn


def check_verdict():
    """What was torn leaves an expectation open: it may be just what was expected never to be."""
    source = next(case.source for case in assigned_cases.CASES if case.name == 'left-out')
    base = os.path.join(WORK, 'left-out-verdict')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(HEAD + source)
    must([common.TARGET_CC, '-O2', '-w', f'{base}.c', '-o', f'{base}.elf'])
    for statement, verdict in (('expect never v == 34359738369', None), ('expect never v == 5', False), ('expect eventually v == 5', True)):
        watched = common.watch(f'{base}.elf', '-e', f's1: {statement}')
        told = watched.summary and watched.summary['expectations']['s1']
        if not watched.summary or told is not verdict:
            raise Failure(f'{statement}: {told} instead of {verdict}; exit {watched.code}: {watched.err.strip()}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('-k', metavar='NAME', help='only this case')
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    failures = passed = 0
    for case in assigned_cases.CASES:
        if options.k and options.k != case.name:
            continue
        for level in case.levels:
            try:
                print(f'{case.name} {level}: {check(case, level)} values')
                passed += 1
            except Failure as failure:
                failures += 1
                print(f'FAILED {failure}')
    try:
        check_verdict()
    except Failure as failure:
        failures += 1
        print(f'FAILED {failure}')
    for name, source, levels in assigned_cases.BETWEEN:
        for level in () if options.k and options.k != name else levels:
            try:
                count, torn = check_between(name, source, level)
                print(f'interrupted {name} {level}: {count} values, {torn} torn')
                passed += 1
            except Failure as failure:
                failures += 1
                print(f'FAILED {failure}')
    print(f'{passed} passed, {failures} failed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
