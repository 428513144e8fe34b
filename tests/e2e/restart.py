#!/usr/bin/python3
"""restart.py: a program that starts anew, by jumps, calls, through a pointer, out of an interrupt and a deep recursion. What the program
says of itself on its console is the truth: each of its words stands for one write of a variable, and the path begins with main each time."""
import os

import common
from common import Failure, must

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
STATEMENTS = {   # word on the console -> statement, name of the value, how the path ends
    'loc': (r'when write(deep\loc) && deep\loc != 0 { print deep\loc }', r'deep\loc', ['deep']),
    'main': (r'when write(main\mine) { print main\mine }', r'main\mine', ['main']),
    'jump': (r'when write(jump\loc) { print jump\loc }', r'jump\loc', ['main', 'jump']),
    'direct': (r'when write(direct\loc) { print direct\loc }', r'direct\loc', ['main', 'direct']),
    'wait': (r'when write(wait\loc) { print wait\loc }', r'wait\loc', ['main', 'wait']),
    'cause': (r'when write(isr\cause) { print isr\cause }', r'isr\cause', ['isr']),
    'total': (r'when write(total) && total { print total }', 'total', ['main']),
    'seen': (r'when current->seen > 0 { print current->seen }', 'current->seen', ['main']),
}
LEVEL = '-O0'   # where the locals are that it looks at
RUNS = 8
NO_LOCALS = 60 + 63   # deep(70, 60) below main: an activation deeper than 64 has no locals (docs/statements.md)


def watch_all(program):
    statements = [f'{word}: {text}' for word, (text, _, _) in STATEMENTS.items()]
    watched = common.watch(program, *[argument for text in statements for argument in ('-e', text)])
    if watched.code or not watched.summary or watched.summary['lost']:
        raise Failure(f'exit {watched.code}: {watched.err}')
    return watched


def check_values(watched, level):
    """Every value that the program told, in its order."""
    told = [line.split() for line in '\n'.join(watched.console).split('\n') if line]
    expected = [(word, int(value)) for word, value in told]
    found = [(hit['statement'], hit['values'][STATEMENTS[hit['statement']][1]]) for hit in watched.hits]
    if [value for word, value in expected if word == 'main'] != [100 * run for run in range(1, RUNS + 1)]:
        raise Failure(f'{level}: the program did not begin {RUNS} times: {expected}')
    expected = [(word, value) for word, value in expected if word != 'loc' or value < NO_LOCALS]
    for number, (want, got) in enumerate(zip(expected, found)):
        if want != got:
            raise Failure(f'{level}: value {number}: the program says {want}, earshot {got}')
    if len(expected) != len(found):
        raise Failure(f'{level}: the program tells {len(expected)} values, earshot {len(found)}')
    return len(found)


def check_paths(watched, level):
    for hit in watched.hits:
        path, (_, _, end) = hit['path'], STATEMENTS[hit['statement']]
        if path is None or path[0] != 'main' or '_start' in path or path.count('main') != 1 or path[-len(end):] != end:
            raise Failure(f'{level}: {hit["statement"]} {hit["values"]}: path {path}')
    if not any(len(hit['path']) == 64 for hit in watched.hits):
        raise Failure(f'{level}: no path is deep')


def check_forgotten(program, level):
    """What was begun before is over: a sequence, an age, a time."""
    watched = common.watch(program, '-e', r'sequence: when enter(jump) then enter(direct) { print run }',
                           '-e', r'age: when write(run) && age(run) >= 0ns { print run }',
                           '-e', r'lasting: when steady unchanged for 1ms { print steady }',
                           '-e', r'count: when enter(main) { count begun }')
    if watched.code:
        raise Failure(f'exit {watched.code}: {watched.err}')
    if watched.hits:
        raise Failure(f'{level}: what ended with the reset goes on: {watched.hits[0]}')
    if watched.summary['counters'] != {'begun': RUNS}:
        raise Failure(f'{level}: counters {watched.summary["counters"]}')


def check_oracle(program, level):
    statements = ['when write(total) && age(total) >= 0ns { print total }', 'when write(run) then write(total) { print elapsed }',
                  'when total > 2 for 100us { print total }', r'when leave(deep) { print run }', r'when at(main\3) { print }',
                  r'when main:deep:deep[2]\loc > 20 { print }', r'when main:wait && write(sink) { count spins }',
                  r'when enter(isr) { print }', r'when write(current) { print current->seen }']
    log = common.retire_log(program, os.path.join(WORK, 'restart.log'), *oracle.places(Program(program), statements))
    expected, summary = oracle.hits(Program(program), statements, log)
    watched = common.watch(program, *[argument for text in statements for argument in ('-e', text)])
    expected.sort(key=lambda hit: hit['cycle'])   # deadlines are noticed later than they are
    watched.hits.sort(key=lambda hit: hit['cycle'])
    reason = common.difference(expected, watched.hits) or common.check_summary(watched, summary)
    if reason:
        raise Failure(f'{level}: {reason}')
    return len(expected)


def check_all(program):
    watched = watch_all(program)
    count = check_values(watched, LEVEL)
    check_paths(watched, LEVEL)
    check_forgotten(program, LEVEL)
    check_oracle(program, LEVEL)
    return f'{count} values as the program tells them, in {RUNS} runs'


def main():
    os.makedirs(WORK, exist_ok=True)
    program = os.path.join(WORK, f'restart{LEVEL}.elf')
    must([common.TARGET_CC, LEVEL, '-w', 'tests/e2e/restart.c', '-o', program])
    common.run_checks([(f'restart {LEVEL}', lambda: check_all(program))])


if __name__ == '__main__':
    os.chdir(common.ROOT)
    main()
