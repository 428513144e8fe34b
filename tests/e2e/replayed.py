#!/usr/bin/python3
"""replayed.py [--big]: the same statements on the probe and on the replay of what its recorder tells: the same hits in the same order, with values,
paths and lines, but for times, which the replay knows to a heartbeat. --big: of programs whose data are big endian."""
import os
import random
import re
import sys

import common
from common import Failure, must

import generate  # of tests/oracle, whose folder common.py adds to the path
import generate_events
import generate_paths
import generate_places
import generate_pointers
import generate_reads
import generate_tasks

BIG = '--big' in sys.argv[1:]
if BIG:
    common.EARSHOT = os.path.join(common.BUILD, 'cores/reference-data-big/earshot')
WORK = os.path.join(common.BUILD, f'tests/e2e/replayed-programs{"-big" if BIG else ""}')
TWICE = 'uint64_t wide : 40'   # big endian, gcc stores one word of it twice (docs/statements.md, "Orders of bytes")
CORES = os.path.join(common.ROOT, 'tests/cores')
FIRST = int(os.environ.get('EARSHOT_SEED', '1'))   # of a soak's programs
EXAMPLES = [(name, [f'{name}.watch', 'locals.watch']) for name in ('thermostat', 'recursion', 'interrupts', 'nested')] + [('tasks', ['tasks.watch'])]
SORTS = {'values': generate, 'events': generate_events, 'paths': generate_paths, 'places': generate_places, 'pointers': generate_pointers,
         'reads': generate_reads, 'tasks': generate_tasks}
MOST = 12   # statements of a generated program
DENSE = 44  # ... of a workload in a soak: most of the time goes into clocks without a hit, so many statements make it four times faster
SEEDS = int(os.environ.get('ES_SEEDS', '1'))
REFUSED = re.compile(r':(\d+):\d+: error:')
HEARTBEAT = 2 ** 13   # clocks from one to the next
PLACE = re.compile(r'workload\.c:\d')   # a line that another level of optimisation may not have
# what a statement makes of the target's time, which the replay knows only so well
TIME = re.compile(r'\b(within|elapsed|age|for|unchanged|time|rate|period)\b')


def told(hit):
    """All of a hit but its time."""
    return {key: value for key, value in hit.items() if key not in ('cycle', 'time_ns')}


def watch(program, statements, *options):
    """The run with those of the statements that the probe can evaluate."""
    left = list(enumerate(statements, 1))
    while True:
        if not left:   # the probe can evaluate none of them
            return [], [], None
        path = os.path.join(WORK, os.path.basename(program) + '.watch')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(text if (number, text) in left else '' for number, text in enumerate(statements, 1)) + '\n')
        watched = common.watch(program, '-s', path, *options)
        wrong = REFUSED.search(watched.err) if watched.code == 2 else None
        if not wrong:
            break
        fewer = [each for each in left if each[0] != int(wrong.group(1))]
        if len(fewer) == len(left):
            raise Failure(f'{program} {options}: {watched.err}')
        left = fewer
    if watched.code not in (0, 1) or not watched.summary or watched.gaps:
        raise Failure(f'{program} {options}: exit {watched.code}: {watched.err}')
    return watched.hits, [text for _, text in left], (''.join(watched.console), watched.summary.get('exit_code'))


def same(sources, statements, name, level, march=None):
    program = os.path.join(WORK, f'{name}{level}.elf')
    must([common.TARGET_CC, *(['-mbig-endian'] if BIG else []), *([f'-march={march}'] if march else []), level, '-fwrapv', *sources, '-o', program])
    statements = [text for text in statements if not TIME.search(text)]
    wanted, good, end = watch(program, statements, '--probe-only')
    hits, kept, replayed_end = watch(program, good, '--replay')
    if end != replayed_end:
        raise Failure(f'{name}{level}: console and exit code are {replayed_end} on the replay, {end} on the probe')
    if kept != good:
        raise Failure(f'{name}{level}: the probe evaluates {set(good) - set(kept)}, the replay refuses')
    last = 0
    for number, (want, got) in enumerate(zip(wanted + [None], hits + [None])):
        if want is None and got is None:
            break
        if want is None or got is None or told(want) != told(got):
            raise Failure(f'{name}{level}: hit {number}: {got} on the replay, {want} on the probe')
        if got['cycle'] < last or abs(got['cycle'] - want['cycle']) > HEARTBEAT:
            raise Failure(f'{name}{level}: hit {number} at {got["cycle"]} on the replay, at {want["cycle"]} on the probe')
        last = got['cycle']
    return len(hits)


def example(name, files, level):
    folder = os.path.join('examples', name)
    statements = []
    for file in files:
        with open(os.path.join(folder, file), encoding='utf-8') as text:
            statements += text.read().split('\n')
    return same([os.path.join(folder, each) for each in sorted(os.listdir(folder)) if each.endswith('.c')], statements, name, level)


def generated(sort, seed, level, march):
    source, statements, *_ = SORTS[sort].make(seed)
    while BIG and TWICE in source:
        seed += 1000
        source, statements, *_ = SORTS[sort].make(seed)
    statements = statements[:MOST]   # or there is not room for all that they need
    path = os.path.join(WORK, f'{sort}{seed}.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(source)
    head = getattr(SORTS[sort], 'head', lambda seed: '')(seed)
    return same([path], [*head.split('\n'), *statements] if head else statements, f'{sort}{seed}', level, march)


def workload(seed, level, march, rounds, most=MOST):
    """Of the benchmarks' kind, as long as one likes: other statements of its lists with each seed."""
    statements = []
    for name in ('workload.watch', 'workload_locals.watch'):
        with open(os.path.join(CORES, name), encoding='utf-8') as file:
            statements += [text for text in file.read().split('\n') if text and text[0] != '#' and not PLACE.search(text)]
    statements = random.Random(f'{seed}{level}').sample(statements, most)
    flags = ['-w', '-I' + CORES, f'-DROUNDS={rounds}', f'-DSEED={seed}']
    return same([*flags, os.path.join(CORES, 'workload.c')], statements, f'workload{seed}', level, march)


def soak(hits):
    """Cases until so many hits were compared: workloads at all levels, and of the generated ones one after the other."""
    os.makedirs(WORK, exist_ok=True)
    common.TIMEOUT = 3600   # on a busy machine
    rounds = int(os.environ.get('ES_ROUNDS', '30'))
    total = failed = 0
    for seed in range(FIRST, FIRST + 100000):
        for number, level in enumerate(('-O0', '-Og', '-O2', '-Os')):
            march = (None, 'rv32im_zicsr')[(seed + number) % 2]
            sort = list(SORTS)[(4 * seed + number) % len(SORTS)]
            for title, case in ((f'workload {seed} {level}', lambda: workload(seed, level, march, rounds, DENSE)),
                                (f'{sort} {seed} {level}', lambda: generated(sort, seed, level, march))):
                try:
                    total += case()
                except Failure as failure:
                    failed += 1
                    print(f'FAILED {title}: {failure}', file=sys.stderr)
                print(f'{title}: {total} hits the same so far, {failed} failed', flush=True)
                if total >= hits:
                    return failed
    return failed


def main():
    os.makedirs(WORK, exist_ok=True)
    cases = [(f'{name} {level}', lambda name=name, files=files, level=level: example(name, files, level))
             for name, files in EXAMPLES for level in ('-O0', '-O2')]
    for seed in range(1, SEEDS + 1):
        if not BIG:   # it needs a library
            cases.append((f'workload {seed} -Os', lambda seed=seed: workload(seed, '-Os', None, 1)))
        for number, sort in enumerate(SORTS):
            level, march = (('-O0', None), ('-Og', 'rv32im_zicsr'), ('-O2', None))[(number + seed) % 3]
            cases.append((f'{sort} {seed} {level}', lambda sort=sort, seed=seed, level=level, march=march: generated(sort, seed, level, march)))
    return cases


if __name__ == '__main__':
    if len(sys.argv) > 2 and sys.argv[1] == '--hits':   # so many, in a soak
        sys.exit(soak(int(sys.argv[2])) > 0)
    passed, failed, total = 0, 0, 0
    for title, case in main():
        try:
            total += case()
            passed += 1
        except Failure as failure:
            failed += 1
            print(f'FAILED {title}: {failure}', file=sys.stderr)
    print(f'{total} hits the same on the probe and on the replay')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed > 0 or total == 0)
