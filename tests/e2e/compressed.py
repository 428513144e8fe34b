#!/usr/bin/python3
"""compressed.py: programs with instructions of 16 bits. The same source without them, at the same level, has the same calls, values and lines
at -O0; and what programs say of themselves, compiled for this machine, does not depend on the target's instruction set at all.

Then where such code differs: calls whose return address is in the middle of a word, positions and interrupts there, tail calls."""
import os
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
import native

WORK = os.path.join(common.BUILD, 'tests/e2e/compressed-programs')
PLAIN, COMPRESSED = 'rv32im_zicsr', 'rv32imc_zicsr'
EXAMPLES = [(name, [f'{name}.watch', 'locals.watch']) for name in ('thermostat', 'recursion', 'interrupts', 'nested')] + [('tasks', ['tasks.watch'])]
SORTS = {'values': generate, 'events': generate_events, 'paths': generate_paths, 'places': generate_places, 'pointers': generate_pointers,
         'reads': generate_reads}
MOST = 12   # statements of a generated program
SEEDS = int(os.environ.get('ES_SEEDS', '3'))
REFUSED = re.compile(r':(\d+):\d+: error:')


def build(march, level, sources, name):
    program = os.path.join(WORK, f'{name}-{march}{level}.elf')
    must([common.TARGET_CC, f'-march={march}', level, '-fwrapv', *sources, '-o', program])
    return program


def told(hits):
    """Hits but for what the target's own time is part of."""
    return [{key: value for key, value in hit.items() if key not in ('cycle', 'time_ns', 'task_pointer')} for hit in hits]


def watch(program, statements):
    """Hits of those of the statements that can be watched, and the lines of the others."""
    left, refused = list(enumerate(statements, 1)), []
    while True:
        path = os.path.join(WORK, 'statements.watch')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(text if (number, text) in left else '' for number, text in enumerate(statements, 1)) + '\n')
        watched = common.watch(program, '-s', path)
        wrong = REFUSED.search(watched.err) if watched.code == 2 else None
        if not wrong:
            break
        refused.append(int(wrong.group(1)))
        left = [each for each in left if each[0] != refused[-1]]
    if watched.code not in (0, 1) or not watched.summary or watched.gaps:
        raise Failure(f'{program}: exit {watched.code}: {watched.err}')
    return watched.hits, refused


def same(sources, statements, name, level='-O0'):
    found = [watch(build(march, level, sources, name), statements) for march in (PLAIN, COMPRESSED)]
    (wanted, out), (hits, refused) = found
    if out != refused:
        raise Failure(f'{name}: without compressed instructions lines {out} are refused, with them {refused}')
    for number, (want, got) in enumerate(zip(told(wanted) + [None], told(hits) + [None])):
        if want != got:
            raise Failure(f'{name}: hit {number}: {got}, without compressed instructions {want}')
    if not hits:
        raise Failure(f'{name}: no hits')
    return f'{len(hits)} hits the same'


def example(name, files):
    folder = os.path.join('examples', name)
    statements = []
    for file in files:
        with open(os.path.join(folder, file), encoding='utf-8') as text:
            statements += text.read().split('\n')
    return same([os.path.join(folder, each) for each in sorted(os.listdir(folder)) if each.endswith('.c')], statements, name)


def generated(sort, seed):
    source, statements, _ = SORTS[sort].make(seed)
    while 'target_interrupts_on' in source or 'target_timer_at' in source:   # where one comes depends on the code
        seed += 1000
        source, statements, _ = SORTS[sort].make(seed)
    del statements[MOST:]   # or there is not room for all that they need
    path = os.path.join(WORK, f'{sort}{seed}.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(source)
    head = getattr(SORTS[sort], 'head', lambda seed: '')(seed)
    return same([path], [*head.split('\n'), *statements] if head else statements, f'{sort}{seed}')


def as_native(source, seed, level):
    os.environ['TARGET_CC_MARCH'] = COMPRESSED
    try:
        return native.check(source, seed, level)
    finally:
        del os.environ['TARGET_CC_MARCH']


def returns(program):
    """Of the disassembler: where calls of `leaf` end, and how often in the middle of a word."""
    text = must([os.environ.get('CROSS', 'riscv64-unknown-elf-') + 'objdump', '-d', '--no-show-raw-insn', program])
    calls = [int(m.group(1), 16) for m in re.finditer(r'^ +([0-9a-f]+):\t(?:jal|jalr)\b', text, re.M)]
    starts = sorted(int(m.group(1), 16) for m in re.finditer(r'^ +([0-9a-f]+):\t', text, re.M))
    return {min(at for at in starts if at > call) for call in calls if call != starts[-1]}


def middle_of_words():
    """`at` each line of a program, with its path: as often as its instructions say, by a count of its own."""
    program = build(COMPRESSED, '-O1', ['tests/e2e/halves.c'], 'halves')
    if not any(at % 4 for at in returns(program)):
        raise Failure('no return address is in the middle of a word')
    with open('tests/e2e/halves.c', encoding='utf-8') as file:
        lines = [(number, text.split('//')[1].split()) for number, text in enumerate(file, 1) if '// ' in text]
    statements = [f'l{number}: at(halves.c:{number})' for number, _ in lines] + ['in: enter(leaf)', 'out: leave(leaf)', 'last: enter(tail)']
    watched = common.watch(program, *(word for text in statements for word in ('-e', text)))
    counts = {name: sum(hit['statement'] == name for hit in watched.hits) for name in [text.split(':')[0] for text in statements]}
    wanted = {f'l{number}': int(times) for number, (times, *_) in lines} | {'in': 18, 'out': 18, 'last': 6}
    if counts != wanted:
        raise Failure(f'{counts}, but the source says {wanted}')
    paths = {tuple(hit['path']) for hit in watched.hits if hit['statement'] == 'in'}
    if paths != {('main', 'leaf'), ('main', 'twice', 'leaf')}:
        raise Failure(f'paths of leaf: {paths}')
    return f'{len(watched.hits)} hits as the source says'


def calls_that_load():
    """A call of a procedure that only loads is followed where reads are events, wherever in a word its load begins."""
    path = os.path.join(WORK, 'loads.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write("""int x[64] = {[41] = 9};
                      __attribute__((noipa)) int pick(int *p) { p++; __asm__("" : "+r"(p) : : "memory"); return p[40]; }
                      int main(void) { return pick(x) + pick(x) == 18 ? 0 : 1; }""")
    program = build(COMPRESSED, '-O2', [path], 'loads')
    code = must([os.environ.get('CROSS', 'riscv64-unknown-elf-') + 'objdump', '-d', program])
    entry, load = (int(re.search(pattern, code.split('<pick>:')[1], re.M).group(1), 16) for pattern in (r'^ +([0-9a-f]+):', r'^ +([0-9a-f]+):.*\tlw\t'))
    if (load - entry) % 4 != 2:
        raise Failure('the load lies where each fourth byte is looked at')
    watched = common.watch(program, '-e', 'when read(x[41]) { print x[41] }')
    if [hit['path'] for hit in watched.hits] != [['main', 'pick']] * 2:
        raise Failure(f'{watched.hits}')
    return f'{len(watched.hits)} paths'


def without_halves():
    """A probe that takes instructions of four bytes only, as the board's: what rests on fetches is refused, and values are exact."""
    program = os.path.join(WORK, 'small.elf')
    must([common.TARGET_CC, f'-march={COMPRESSED}', '-O1', '-Wl,--defsym=__target_size=0x10000', 'tests/e2e/halves.c', '-o', program])
    board = os.path.join(common.BUILD, 'tests/e2e/over-board')
    for statement in ('enter(leaf)', 'at(halves.c:9)', 'main:leaf && write(sum)'):
        code, _, err = common.run([board, program, '-e', statement])
        if code != 2 or 'built for instructions of four bytes' not in err or 'COMPRESSED' not in err:
            raise Failure(f'{statement}: exit {code}: {err}')
    command = [board, program, '--json', '-e', 'when write(sum) { print sum }', '-e', 'when write(last) { print last }']
    watched = common.Watched(command, *common.run(command))
    values = [hit['values'].get('sum') for hit in watched.hits if 'sum' in hit['values']]
    wanted, total = [0], 0   # what start-up code writes counts there
    for i in range(6):
        for by in (i, i, i + 1):
            total += by
            wanted.append(total)
    if watched.code or values != wanted or any(hit.get('line') or hit.get('path') for hit in watched.hits):
        raise Failure(f'exit {watched.code}: {values}, the source says {wanted}: {watched.err}')
    return f'{len(watched.hits)} values as the source says'


def main():
    os.makedirs(WORK, exist_ok=True)
    checks = [(name, lambda name=name, files=files: example(name, files)) for name, files in EXAMPLES]
    checks += [(f'{sort} {seed}', lambda sort=sort, seed=seed: generated(sort, seed)) for sort in SORTS for seed in range(1, SEEDS + 1)]
    checks += [(f'native {source} {level}', lambda source=source, level=level: as_native(source, 2, level))
               for source in native.SOURCES for level in ('-O0', '-O2')]
    checks += [('middle of words', middle_of_words), ('calls that load', calls_that_load), ('without halves', without_halves)]
    common.run_checks(checks)


if __name__ == '__main__':
    sys.exit(main())
