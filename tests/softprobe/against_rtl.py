#!/usr/bin/python3
"""against_rtl.py: the probe in software sends what the RTL sends, frame by frame, over the examples and over generated programs with
generated statements, of all sorts that the oracle's tests have. ES_SOFTPROBE_HITS: so many hits at least, else a few thousands."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

import generate  # of tests/oracle, whose folder common.py adds to the path
import generate_events
import generate_nested
import generate_parts
import generate_paths
import generate_places
import generate_pointers
import generate_reads
import generate_spills
import generate_tasks
import generate_times
import jobs as budget  # of tests/support

COMPARE = os.path.join(common.BUILD, 'tests/softprobe/compare')
WORK = os.path.join(common.BUILD, 'tests/softprobe/programs')
EXAMPLES = [(name, ['locals.watch', f'{name}.watch']) for name in ('thermostat', 'recursion', 'interrupts', 'nested')] + [('tasks', ['tasks.watch'])]
SORTS = {'seed': generate, 'parts': generate_parts, 'events': generate_events, 'paths': generate_paths, 'nested': generate_nested,
         'places': generate_places, 'reads': generate_reads, 'pointers': generate_pointers, 'spills': generate_spills, 'tasks': generate_tasks,
         'times': generate_times, 'everything': None}
HEADS = {'tasks': ['tasks current']}
MOST = 12   # statements of a run: more may need more memory than the probe has
HITS = int(os.environ.get('ES_SOFTPROBE_HITS', '0'))
FIRST = int(os.environ.get('EARSHOT_SEED', '1'))
SEEDS = 1   # of each sort, in the short test
FIGURES = re.compile(r'^(\d+) accesses, (\d+) hits, (\d+) frames, (\d+) refused$', re.MULTILINE)


def compare(program, path, seed):
    """Hits that were the same."""
    done = subprocess.run([COMPARE, program, path, str(seed)], capture_output=True, text=True, timeout=common.TIMEOUT, check=False)
    figures = FIGURES.search(done.stdout)
    if done.returncode == 3:
        return 0
    if done.returncode != 0 or not figures:
        raise Failure(f'{COMPARE} {program} {path} {seed}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return int(figures.group(2))


def example(name, level, file):
    return compare(os.path.join(common.EXAMPLES, f'{name}-{level}.elf'), os.path.join(common.ROOT, 'examples', name, file), FIRST)


def everything(seed):
    """A generated program, and each write of a dozen of its variables as a hit, again and again in other company."""
    made = generate.Generator(seed)
    source, _ = made.make()
    places = [place.watch for place in made.places] + ['ticks'] * made.interrupts
    statements = []
    for first in range(0, len(places), MOST // 2):
        few = places[first:first + MOST // 2]
        statements += [f'w{first + i}: when write({place}) {{ print {place} }}' for i, place in enumerate(few)]
        statements += [f'o{first + i}: when {place} != old({place}) {{ print {", ".join(few[:3])} }}' for i, place in enumerate(few)]
    return source, statements, made.level


def generated(sort, seed):
    if sort == 'everything':
        source, statements, level = everything(seed)
    elif sort == 'spills':
        made = generate_spills.Generator(seed)
        source, level = made.make_source(), made.level
        statements = made.about([(procedure, name) for procedure, names in made.locals.items() for name in names])
    else:
        source, statements, level = SORTS[sort].make(seed)
    base = os.path.join(WORK, f'{sort}{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(source)
    must([common.TARGET_CC, *['-march=rv32i_zicsr'] * (seed % 2), level, '-fwrapv', '-w', f'{base}.c', '-o', f'{base}.elf'])
    hits = 0
    for first in range(0, len(statements), MOST):
        with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
            stream.write('\n'.join(HEADS.get(sort, []) + statements[first:first + MOST]) + '\n')
        hits += compare(f'{base}.elf', f'{base}.watch', seed)
    for ending in ('c', 'elf', 'watch'):
        os.unlink(f'{base}.{ending}')
    return hits


def attempt(job):
    """Runs a job in a worker. Returns (name, hits, failure)."""
    name, function, arguments = job
    try:
        return name, function(*arguments), None
    except Failure as failure:
        return name, 0, str(failure)


def batch(first, count):
    return [(f'{sort} {seed}', generated, (sort, seed)) for sort in SORTS for seed in range(first, first + count)]


def main():
    os.makedirs(WORK, exist_ok=True)
    passed, failed, hits, seed = 0, 0, 0, FIRST
    work = [(f'{name} {level} {file}', example, (name, level, file)) for name, files in EXAMPLES for file in files for level in ('O0', 'O2')]
    while work:
        work += batch(seed, SEEDS)
        seed += SEEDS
        for name, found, failure in budget.spread(attempt, work):
            hits += found
            passed += failure is None
            failed += failure is not None
            if failure is not None and failed < 10:
                print(f'{name}: {failure}')
        work = [] if hits >= HITS or failed > 9 else batch(seed, 10 * SEEDS)
        seed += 10 * SEEDS if work else 0
    print(f'{hits} hits the same')
    if not HITS and hits < 2000:
        failed += 1
        print('too few to tell anything')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
