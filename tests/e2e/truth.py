#!/usr/bin/python3
"""truth.py [COUNT] [--seed S]: what statements show of locals and arguments is what the program itself says of them, run on this machine.

The truth comes from outside: the same source, compiled for this machine, prints the values where the events are."""
import argparse
import collections
import os
import sys

import common
from common import Failure, must

import generate_truth

WORK = os.path.join(common.BUILD, 'tests/e2e/truth-work')


def numbers(texts):
    return [common.single(float(text)) if text not in ('?',) and any(c in text for c in '.eni') else text if text == '?' else int(text)
            for text in texts]


def compare(seed):
    source, statements, level = generate_truth.make(seed)
    base = os.path.join(WORK, f'truth{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(source)
    with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
        stream.write('\n'.join(statements) + '\n')
    must(['gcc', '-DNATIVE', '-O0', '-fwrapv', '-w', f'{base}.c', '-o', base])
    must([common.TARGET_CC, *common.TARGET_FLAGS, level, '-fwrapv', '-w', f'{base}.c', '-o', f'{base}.elf'])
    told, unknown = collections.defaultdict(list), 0
    conditional = {s.split(':')[0]: ' && ' in s.split('{')[0] for s in statements}
    for line in must([base]).splitlines():
        name, *texts = line.split()
        if '?' in texts and conditional[name]:
            unknown += 1   # no hit
        elif '?' in texts:
            told[name].append([None])
        else:
            told[name].append(numbers(texts))
    watched = common.watch(f'{base}.elf', '-s', f'{base}.watch')
    if watched.code != 0 or watched.summary is None or watched.summary['lost']:
        raise Failure(f'exit {watched.code}: {watched.err}')
    seen = collections.defaultdict(list)
    for hit in watched.hits:
        seen[hit['statement']].append([common.single(value) for value in hit['values'].values()])
    for name, statement in zip([s.split(':')[0] for s in statements], statements):
        if [list(map(exact, v)) for v in told[name]] != [list(map(exact, v)) for v in seen[name]]:
            raise Failure(f'{statement}\n  the program: {told[name][:12]}\n  earshot:     {seen[name][:12]}\n  {" ".join(watched.command)}')
    if watched.summary['unknown'] != unknown:
        raise Failure(f'unknown: {watched.summary["unknown"]}, the program says {unknown}')
    return len(watched.hits), unknown


def exact(value):
    return None if value is None else float(value)


ONE_LINE = """int g;
void set_speed(int rpm) { g += rpm; }
int twice(int n) { return n > 1 ? twice(n - 1) + n : n; }
int main(void) { set_speed(1); set_speed(600); set_speed(3); return twice(3) != 6; }
"""
CASES = [   # statement, what it prints, exit code
    ('enter(set_speed) && set_speed\\rpm > 500 { print set_speed\\rpm, g }', [[600, 1]], 0),
    ('enter(set_speed) { print g }', [[0], [1], [601]], 0),
    ('at(set_speed\\1) { print set_speed\\rpm }', [[1], [600], [3]], 0),
    ('at(one.c:2) && set_speed\\rpm < 9 { print set_speed\\rpm }', [[1], [3]], 0),
    ('expect never enter(set_speed) && set_speed\\rpm > 500', [[600]], 1),
    ('expect never enter(set_speed) && set_speed\\rpm > 600', [], 0),
    ('enter(set_speed) && set_speed\\rpm > 3 then leave(set_speed) { print set_speed\\rpm, g }', [[600, 601]], 0),
    ('enter(main:set_speed) && set_speed\\rpm != 1 { print set_speed\\rpm }', [[600], [3]], 0),
    ('enter(twice) && twice\\n < 3 { print twice\\n }', [[2], [1]], 0),
    ('enter(twice[2]) { print twice[2]\\n, twice[1]\\n }', [[2, 3]], 0),
]


def one_line():
    """Procedures of one line, whose body no row of the line table but their head's has."""
    base = os.path.join(WORK, 'one')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(ONE_LINE)
    must([common.TARGET_CC, *common.TARGET_FLAGS, '-O0', f'{base}.c', '-o', f'{base}.elf'])
    for statement, values, code in CASES:
        watched = common.watch(f'{base}.elf', '-e', statement)
        found = [list(hit['values'].values()) for hit in watched.hits]
        if (found, watched.code) != (values, code):
            raise Failure(f'{statement}: exit {watched.code}, {found}, not {values}\n  {watched.err}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('count', nargs='?', type=int, default=12)
    parser.add_argument('--seed', type=int, default=int(os.environ.get('EARSHOT_SEED', '1')), help='the first one')
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    hits = unknown = failed = 0
    try:
        one_line()
    except Failure as failure:
        print(failure)
        return 1
    for seed in range(options.seed, options.seed + options.count):
        try:
            more, not_known = compare(seed)
            hits, unknown = hits + more, unknown + not_known
        except Failure as failure:
            failed += 1
            print(f'seed {seed}: {failure}')
    print(f'{options.count} programs from seed {options.seed}: {hits} hits as the programs say, {unknown} evaluations met what was not written')
    print(f'{options.count - failed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
