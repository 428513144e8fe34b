#!/usr/bin/python3
"""enter(f) of procedures that the compiler has inlined: the hits are the oracle's, which reads for itself where the copies begin, and as many as
the program counts calls."""
import os
import sys

import common
import language
import oracle
from common import Failure, must
from program import Program
from tokens import StatementError

WORK = os.path.join(common.BUILD, 'tests/e2e/copies')
NAMES = ('scale', 'partly', 'spin', 'nested', 'clone', 'user')
SURE = 12   # at least so many comparisons are about inlined copies


def statements(known, name):
    """None: the oracle does not know."""
    made = [f'entered: when enter({name}) {{ print sum }}']
    if name != 'user':
        made.append(f'counted: when write(calls_of_{name}) && calls_of_{name} > 0 {{ print calls_of_{name} }}')
    try:
        language.parse(known, made)
    except StatementError:
        return None
    return made


def compare(program, known, name):
    """Whether it is about inlined copies, and is known."""
    made = statements(known, name)
    if not made:
        return False
    log = common.retire_log(program, f'{program}.log', *oracle.places(known, made))
    expected, _ = oracle.hits(known, made, log)
    watched = common.watch(program, *[argument for text in made for argument in ('-e', text)])
    wanted, got = ([common.same_place(hit) for hit in hits] for hits in (expected, watched.hits))
    if wanted != got or watched.code:
        raise Failure(f'{program}: enter({name})\n  oracle:  {wanted}\n  earshot: {got}\n  {watched.err}')
    count = [hit['statement'] for hit in watched.hits].count
    if name != 'user' and count('entered') != count('counted'):
        raise Failure(f'{program}: enter({name}) {count("entered")} times, but the program counts {count("counted")}')
    return bool(known.inlined.get(name))


def main():
    os.makedirs(WORK, exist_ok=True)
    failed = passed = sure = 0
    for level in ('-O0', '-Og', '-O1', '-Os', '-O2', '-O3'):
        program = os.path.join(WORK, f'inlined{level}.elf')
        must([common.TARGET_CC, level, 'tests/builds/inlined.c', '-o', program])
        known = Program(program)
        for name in NAMES:
            try:
                sure += compare(program, known, name)
                passed += 1
            except Failure as failure:
                print(failure)
                failed += 1
    if sure < SURE:
        print(f'only {sure} comparisons are about inlined copies')
        failed += 1
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    os.chdir(common.ROOT)
    main()
