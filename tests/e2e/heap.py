#!/usr/bin/python3
"""heap.py: allocations and what is given back, as the same program says of itself when it runs on this machine."""
import collections
import json
import os
import sys

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/heap-work')


def build(seed, level):
    os.makedirs(WORK, exist_ok=True)
    base = os.path.join(WORK, f'heap{seed}{level}')
    must(['gcc', '-O1', '-w', '-DHOST', f'-DSEED={seed}u', 'tests/e2e/heap.c', '-o', base])
    plain = ['-march=rv32i_zicsr'] * (seed == 2)   # there picolibc's calloc calls malloc; else it ends with a jump to it, and counts there
    must([common.TARGET_CC, *plain, level, '-w', f'-DSEED={seed}u', 'tests/e2e/heap.c', '-o', f'{base}.elf'])
    lines = must([base]).split('\n')
    return f'{base}.elf', collections.Counter(lines), {line.split()[0]: int(line.split()[1]) for line in lines if ' ' in line}


def statistics(*command):
    code, out, err = common.run([common.EARSHOT, 'watch', '--json', *command])
    lines = [json.loads(line) for line in out.splitlines()]
    if code or not lines or lines[-1]['event'] != 'summary':
        raise Failure(f'exit {code}: {err}')
    return {(line['statement'], line['statistic']): line['groups'] for line in lines if line['event'] == 'statistic'}, lines[-1]


def check(seed, level):
    program, told, ends = build(seed, level)
    found, summary = statistics(program, '-e', 'heap', '-e', 'heap block_get, block_put')
    by = collections.Counter()
    for name, sign in (('malloc', ''), ('calloc', ''), ('free', '-')):
        for group in found.get((name, 'count by path'), []):
            by[sign + group['key'].split(' > ')[-2]] += group['n']
    by['block'] = sum(group['n'] for group in found['block_get', 'count by path'])
    by['-block'] = sum(group['n'] for group in found['block_put', 'count by path'])
    wanted = collections.Counter({name: n for name, n in told.items() if name and ' ' not in name})
    if by != wanted:
        raise Failure(f'{by}, but the program says {wanted}')
    peak = max(found[name, 'stats(heap_live)'][0]['max'] for name in ('malloc', 'calloc') if (name, 'stats(heap_live)') in found)
    if (summary['counters']['heap_live'], peak, summary['counters']['block_get_live']) != (ends['live'], ends['peak'], 2):
        raise Failure(f'{summary["counters"]}, at most {peak}; the program says {ends}')
    return f'{sum(by.values())} calls, {ends["live"]} left of at most {ends["peak"]}'


def check_bytes(seed):
    """How many bytes are asked for, where the stack has the size: of an allocator of one's own at -O0."""
    program, told, ends = build(seed, '-O0')
    found, _ = statistics(program, '-e', 'sizes: when enter(leaky) { stats(leaky\\size) by path }')
    groups = found['sizes', 'stats(leaky\\size) by path']
    asked = sum(round(group['n'] * group['mean']) for group in groups)
    if (sum(group['n'] for group in groups), asked, max(group['max'] for group in groups)) != (told['leaky'], ends['asked'], ends['most']):
        raise Failure(f'{groups}; the program says {told["leaky"]} times, {ends}')
    return f'{asked} bytes in {told["leaky"]} calls'


def check_expected():
    """An expectation on what is allocated."""
    program, _, ends = build(1, '-O0')
    for limit, code in ((ends['peak'], 0), (ends['peak'] - 1, 1)):
        done = common.run([common.EARSHOT, 'test', program, '-e', f'expect never enter(malloc) && heap_live > {limit} || enter(calloc) && heap_live > {limit}',
                           '-e', 'limit: expect never enter(round_of) && heap_live > ' + str(limit), '-e', 'heap'])
        if done[0] != code:
            raise Failure(f'{limit}: exit {done[0]}: {done[1]}{done[2]}')


def check_refused():
    program, _, _ = build(1, '-O0')
    for text, wanted in (('heap block_get', 'expected , and the procedure that gives back'), ('heap block_get, nothing', "no procedure 'nothing'"),
                         ('heap nothing, block_put', "no procedure 'nothing'")):
        code, _, err = common.run([common.EARSHOT, 'watch', program, '-e', text])
        if code != 2 or wanted not in err:
            raise Failure(f'{text}: exit {code}: {err}')
    code, _, err = common.run([common.EARSHOT, 'watch', os.path.join(common.EXAMPLES, 'nested-O0.elf'), '-e', 'heap'])
    if code != 2 or 'none of the usual allocators' not in err:
        raise Failure(f'exit {code}: {err}')


def main():
    runs = [(seed, level) for seed in (1, 2, 3) for level in ('-O0', '-O2')]
    return common.run_checks([(f'{seed} {level}', lambda seed=seed, level=level: check(seed, level)) for seed, level in runs] +
                             [(f'bytes {seed}', lambda seed=seed: check_bytes(seed)) for seed in (1, 2)] +
                             [('expected', check_expected), ('refused', check_refused)])


if __name__ == '__main__':
    sys.exit(main())
