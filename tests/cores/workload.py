"""The program of workload.c with its statements, on another processor: hits against the oracle's, and what it prints against what it prints
when it runs on this machine."""
import os

import common
import compare
import oracle
from common import Failure, must
from program import Program

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, 'workload.c')
LEVELS = ['-O0', '-O2', '-Os', '-Og']
STATEMENTS = {'workload.watch': LEVELS, 'workload_locals.watch': ['-O0']}   # locals only where they can be observed


def built(seed, rounds, output, compiler):
    must([*compiler, '-fwrapv', f'-DSEED={seed}', f'-DROUNDS={rounds}', SOURCE, '-o', output])
    return output


def of_this_machine(base, seed, rounds):
    """What the program prints here."""
    return must([built(seed, rounds, f'{base}.native', ['gcc', '-O1'])]).splitlines()


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
    program = built(seed, rounds, f'{base}.elf', [common.TARGET_CC, *common.TARGET_FLAGS, level])
    console = of_this_machine(base, seed, rounds)
    known, statements = Program(program), [os.path.join(HERE, name) for name, levels in STATEMENTS.items() if level in levels]
    if deaf:
        statements = [without_reads(name, f'{base}-{os.path.basename(name)}') for name in statements]
    log = compare.log_of(program, known, *statements)
    for name in statements:
        total += compare.compare(program, known, name, log, console)
    for ending in ('elf', 'native'):
        os.unlink(f'{base}.{ending}')
    return total
