#!/usr/bin/python3
"""matrix.py CORE ISA... [--programs N] [--workloads N] [--rounds N] [--first SEED]: hits on another processor in the reference target's place
against the oracle's, which its own retire port feeds: all examples, generated programs at all levels of optimisation, and the longer one of
workload.py, compiled for each ISA.

What differs is printed with the commands that show it again."""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '../e2e')]
BASE = os.environ.get('EARSHOT_BUILD', 'build')
CORE = sys.argv[1]
os.environ['EARSHOT_BUILD'] = os.path.join(BASE, 'cores', CORE)

import common
import compare
import jobs as budget
import workload

# What a processor, as its node connects it, has no means for: in examples, and words of generated programs.
INTERRUPTS, HANDLER, ALARM, WAITING = 'target_interrupts_on(', 'csrw mtvec', 'target_alarm_at(', 'target_wait('
# ... and what its probe has no means for, in statements
UNHEARD = {'picorv32-followed': ['reads', 'spills']}   # sorts of programs: its bus does not say which bytes are read
LACKS = {**dict.fromkeys(['picorv32-retired', 'picorv32-followed', 'picorv32_c-retired', 'serv-executed', 'ibex-retired'], [INTERRUPTS, HANDLER]),
         'serv-retired': [ALARM, WAITING],   # it takes wfi for ebreak
         'reference-data-big': ['uint64_t wide : 40'],   # gcc stores one word of it twice (docs/statements.md, "Orders of bytes")
         **dict.fromkeys(['vexriscv-retired', 'vexriscv_min-retired', 'vexriscv_lite-retired', 'vexriscv_imac-retired'], [ALARM])}
NEEDS = {'interrupts': [INTERRUPTS, WAITING], 'nested': [INTERRUPTS, ALARM, WAITING], 'tasks': [INTERRUPTS, WAITING]}
SORTS = ['seed', 'parts', 'events', 'paths', 'nested', 'places', 'reads', 'pointers', 'spills', 'tasks', 'unnamed', 'times']


def source_of(sort, seed):
    generator = compare.SORTS[sort][0]
    if sort == 'spills':
        return generator.Generator(seed).make_source()
    return (compare.generate_tasks if sort == 'unnamed' else generator).make(seed)[0]


def compiled_for(isa, function, arguments):
    """Runs a comparison with programs for an ISA."""
    common.TARGET_FLAGS[:] = [f'-march={isa}', *(['-mbig-endian'] if CORE == 'reference-data-big' else [])]
    compare.WORK = os.path.join(common.BUILD, 'tests/e2e/work', isa)
    os.makedirs(compare.WORK, exist_ok=True)
    return function(*arguments)


def jobs_of(isa, place, options, lacks, sorts):
    """Of one ISA, which is the place-th."""
    for level in compare.generate.LEVELS if CORE != "reference-data-big" else []:   # these need a library
        for name in ('numbers', 'snapshots'):
            yield f'{isa} {name} {level}', compiled_for, (isa, compare.values, (name, level))
    for number in range(options.first + place, options.first + place + options.workloads):   # other levels for each ISA, if there are few
        yield f'{isa} workload {number}', compiled_for, (isa, workload.compared, (number, options.rounds, 'reads' not in sorts))
    if 'a' in isa.split('_')[0]:
        for level in workload.LEVELS:
            yield f'{isa} atomics {level}', compiled_for, (isa, workload.atomics, (level,))
    made, tried = 0, 0
    while made < options.programs:   # of all sorts in turn, but for those that need what there is not
        sort, seed = sorts[tried % len(sorts)], options.first + tried // len(sorts)
        tried += 1
        if not any(word in source_of(sort, seed) for word in lacks):
            made += 1
            yield f'{isa} {sort} {seed}', compiled_for, (isa, compare.of_sort, (sort, seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('core')
    parser.add_argument('isa', nargs='+')
    parser.add_argument('--programs', type=int, default=12, help='how many generated programs for each ISA')
    parser.add_argument('--workloads', type=int, default=1, help='how many programs of workload.py, the same')
    parser.add_argument('--rounds', type=int, default=1, help='how long each of these is')
    parser.add_argument('--first', type=int, default=int(os.environ.get('EARSHOT_SEED', '1')), help='seed of the first')
    options = parser.parse_args()
    os.chdir(common.ROOT)
    lacks = LACKS.get(options.core, [])
    sorts = [sort for sort in SORTS if sort not in UNHEARD.get(options.core, [])]
    os.makedirs(compare.WORK, exist_ok=True)
    jobs = [job for job in compare.jobs_of_examples() if not set(NEEDS.get(job[0].split()[0], [])) & set(lacks)]
    for place, isa in enumerate(options.isa):
        jobs += jobs_of(isa, place, options, lacks, sorts)
    start, failed, hits = time.monotonic(), 0, 0
    for name, found, failure in budget.spread(compare.attempt, jobs):
        hits += found
        if failure is not None:
            failed += 1
            print(f'{name}: {failure[:2000]}')
    print(f'{options.core}, {" ".join(options.isa)}: {len(jobs)} programs with their statements, {hits} hits the same in {time.monotonic() - start:.0f} s')
    print(f'{len(jobs) - failed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
