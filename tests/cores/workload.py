"""The programs workload.c and atomics.c with their statements, on another processor: hits against the oracle's, and what they print against
what they print when they run on this machine."""
import os

import common
import compare
from common import must
from program import Program

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ['-O0', '-O2', '-Os', '-Og']
STATEMENTS = {'workload.watch': LEVELS, 'workload_locals.watch': ['-O0']}   # locals only where they can be observed


def built(name, output, compiler):
    must([*compiler, '-fwrapv', os.path.join(HERE, name), '-o', output])
    return output


def of_this_machine(name, base, *options):
    """What the program prints here."""
    return must([built(name, f'{base}.native', ['gcc', '-O1', *options])]).splitlines()


def without_reads(statements, output):
    """The same statements without those about reads."""
    with open(statements, encoding='utf-8') as stream:
        kept = [line for line in stream if 'read(' not in line]
    with open(output, 'w', encoding='utf-8') as stream:
        stream.writelines(kept)
    return output


def compared(number, rounds, deaf):
    """The number-th program: levels of optimisation in turn, all of them with the same random numbers. deaf: the probe hears no reads.
    Returns the number of hits."""
    level, seed = LEVELS[number % len(LEVELS)], 1 + number // len(LEVELS)
    base, total = os.path.join(compare.WORK, f'workload{level}-{seed}'), 0
    options = [f'-DSEED={seed}', f'-DROUNDS={rounds}']
    program = built('workload.c', f'{base}.elf', [common.TARGET_CC, *common.TARGET_FLAGS, level, *options])
    console = of_this_machine('workload.c', base, *options)
    known, statements = Program(program), [os.path.join(HERE, name) for name, levels in STATEMENTS.items() if level in levels]
    if deaf:
        statements = [without_reads(name, f'{base}-{os.path.basename(name)}') for name in statements]
    log = compare.log_of(program, known, *statements)
    for name in statements:
        total += compare.compare(program, known, name, log, console)
    for ending in ('elf', 'native'):
        os.unlink(f'{base}.{ending}')
    return total


def atomics(level):
    """Of a processor with lr and sc. Returns the number of hits."""
    base, statements = os.path.join(compare.WORK, f'atomics{level}'), os.path.join(HERE, 'atomics.watch')
    program = built('atomics.c', f'{base}.elf', [common.TARGET_CC, *common.TARGET_FLAGS, level])
    known = Program(program)
    return compare.compare(program, known, statements, compare.log_of(program, known, statements), of_this_machine('atomics.c', base))
