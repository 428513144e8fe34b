#!/usr/bin/python3
"""start_up.py: start-up code's copying and clearing is no event, and what it leaves is known. Two kinds of it: that of the reference target, which
clears .bss itself, and one for a program in flash, which calls memcpy and memset. The program's own words on its console are the truth."""
import functools
import os
import re
import shutil

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/start_up')
STATEMENTS = {'level': 'level: when write(level) { print level }', 'swaps': 'swaps: when write(swaps) { print swaps }',
              'seen': 'seen: when current->seen > 0 { print current->seen }',
              'text': 'text: when write(text[0]) { print text[0] }'}
COPYING = """
  la a0, __data_start
  la a1, __data_load
  la a2, __data_size
  call memcpy
  la a0, __bss_start
  li a1, 0
  la a2, __bss_end
  sub a2, a2, a0
  call memset
"""


def flash_tree():
    """target-cc for programs whose .data lies in ROM until start-up code copies it."""
    tree = os.path.join(WORK, 'tree')
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ('scripts', 'interface', 'examples/target'):
        os.makedirs(os.path.join(tree, folder))
        for name in os.listdir(os.path.join(common.ROOT, folder)):
            path = os.path.join(common.ROOT, folder, name)
            if os.path.isfile(path):
                shutil.copy(path, os.path.join(tree, folder))
    target = os.path.join(tree, 'examples/target')
    with open(os.path.join(target, 'link.ld'), encoding='utf-8') as stream:
        script = stream.read()
    script = script.replace('    *(.data .data.*)', '    __data_start = .;\n    *(.data .data.*)')
    script = re.sub(r'(\.sdata\.\*\)\n    \. = ALIGN\(8\);\n  \}) > ram :data', r'\1 > ram AT> rom :data\n  __data_load = LOADADDR(.data);\n'
                    r'  __data_size = SIZEOF(.data);', script)
    with open(os.path.join(target, 'link.ld'), 'w', encoding='utf-8') as stream:
        stream.write(script)
    with open(os.path.join(target, 'crt0.S'), encoding='utf-8') as stream:
        code = stream.read()
    code = re.sub(r'  la s0, __bss_start.*?\.Lcleared:\n', COPYING, code, flags=re.DOTALL)
    with open(os.path.join(target, 'crt0.S'), 'w', encoding='utf-8') as stream:
        stream.write(code)
    return os.path.join(tree, 'scripts/target-cc')


def watch(program, *arguments):
    watched = common.watch(program, *arguments)
    if watched.code or not watched.summary:
        raise Failure(f'exit {watched.code}: {watched.err}')
    return watched


def check_events(program):
    watched = watch(program, *[argument for text in STATEMENTS.values() for argument in ('-e', text)])
    told = [line.split(' ') for line in '\n'.join(watched.console).split('\n') if line]
    expected = [(word, int(value)) for word, value in told]
    found = [(hit['statement'], *hit['values'].values()) for hit in watched.hits]
    found = [(word, ord(value) if isinstance(value, str) else value) for word, value in found]
    if expected != found:
        raise Failure(f'the program says {expected}, earshot {found}')
    if watched.summary['unknown']:
        raise Failure(f'unknown: {watched.summary["unknown"]}')
    paths = [hit['path'][0] for hit in watched.hits]
    if not set(paths) <= {'main', 'prepare', 'prepare_more'}:
        raise Failure(f'paths begin with {paths}')


def check_values(program):
    """What start-up code leaves is known, and is what it was before the first event."""
    watched = watch(program, '-e', 'a: when write(level) { print old(level), level }', '-e', 'b: when enter(main) { print swaps, quiet, level }',
                    '-e', 'c: when swaps % 16 == 0', '-e', 'd: when quiet unchanged for 20us { print quiet }')
    found = [(hit['statement'], *hit['values'].values()) for hit in watched.hits if hit['statement'] != 'd']
    expected = [('a', 7, 8), ('c', 16), ('b', 16, 0, 8), ('a', 8, 9), ('c', 32)]
    if sorted(found) != sorted(expected):
        raise Failure(f'expected {expected}, found {found}')
    lasting = [(hit['cycle'], hit['values']) for hit in watched.hits if hit['statement'] == 'd']
    if lasting != [(200, {'quiet': 0})]:
        raise Failure(f'quiet unchanged: {lasting}')


def check_start_up_option(program):
    """--start-up makes it events again."""
    watched = watch(program, '--start-up', '-e', 's: when write(swaps) { print swaps }')
    values = [hit['values']['swaps'] for hit in watched.hits]
    if values[0] != 0 or values[-3:] != [16, 31, 32]:
        raise Failure(f'with --start-up: {values}')


def main():
    os.makedirs(WORK, exist_ok=True)
    checks = []
    for kind, compiler in {'plain': common.TARGET_CC, 'flash': flash_tree()}.items():
        for level in ('-O0', '-Og', '-O2'):
            program = os.path.join(WORK, f'{kind}{level}.elf')
            must([compiler, level, 'tests/e2e/start_up.c', '-o', program])
            checks += [(f'{kind} {level}, {check.__name__}', functools.partial(check, program))
                       for check in (check_events, check_values, check_start_up_option)]
    common.run_checks(checks)


if __name__ == '__main__':
    os.chdir(common.ROOT)
    main()
