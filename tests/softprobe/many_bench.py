#!/usr/bin/python3
"""many_bench.py: what statements on the replay cost, by how many there are: seconds of processor time before the first event, and from then on
millions of instructions and thousands of evaluations each second, of one long recording. An evaluation is a write to a statement's variable. And
what paths cost: to begin, and all of a shorter recording with many calls."""
import os
import random
import resource
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/many')
VARIABLES = 50
SOURCE = f"""
int v[{VARIABLES}];
volatile unsigned turns;
static unsigned next(unsigned x) {{ return x * 1664525u + 1013904223u; }}
int main(void)
{{
    unsigned x = 1;
    for (turns = 0; turns < 200000; turns++) {{
        for (int k = 0; k < 50; k++)
            x = next(x);
        if (turns % 4 == 0)
            v[x % {VARIABLES}] = (int)(x >> 8);
    }}
    return 0;
}}
"""


PROCEDURES = 48


def calls_of(chosen):
    """By procedure: up to four of the eight after it."""
    after = [range(i + 1, min(PROCEDURES, i + 9)) for i in range(PROCEDURES)]
    return [sorted(chosen.sample(them, min(4, len(them)))) for them in after]


def source_of(calls):
    """Each procedure calls one of its own at random, and so does main of the first four."""
    lines = ['static unsigned state = 1;', 'volatile unsigned turns, x;',
             'static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }']
    for i in reversed(range(PROCEDURES)):
        cases = ' '.join(f'case {k}: f{called}(); break;' for k, called in enumerate(calls[i]))
        lines.append(f'__attribute__((noinline)) static void f{i}(void) {{ switch (next() % {len(calls[i]) or 1}) {{ {cases or "default:;"} }} x += {i + 1}; }}')
    cases = ' '.join(f'case {k}: f{k}(); break;' for k in range(4))
    lines.append(f'int main(void) {{ for (turns = 0; turns < 3000; turns++) switch (next() % 4) {{ {cases} }} return 0; }}')
    return '\n'.join(lines) + '\n'


def paths_of(chosen, calls, count):
    """So many paths of two to nine calls, each another one."""
    paths = {}
    while len(paths) < count:
        path = [chosen.randrange(4)]
        for _ in range(chosen.randint(1, 8)):
            if calls[path[-1]]:
                path.append(chosen.choice(calls[path[-1]]))
        paths['main:' + ':'.join(f'f{step}' for step in path)] = True
    return list(paths)


def paths():
    chosen = random.Random(7)
    calls = calls_of(chosen)
    source, program, recording, path = (os.path.join(WORK, f'paths{end}') for end in ('.c', '.elf', '.inputs', '.watch'))
    with open(source, 'w', encoding='utf-8') as file:
        file.write(source_of(calls))
    must([common.TARGET_CC, '-O2', source, '-o', program])
    must([common.EARSHOT, 'record', '--inputs', recording, program])
    for count in 100, 1000, 3000, 10000, 20000:
        with open(path, 'w', encoding='utf-8') as file:
            for number, text in enumerate(paths_of(random.Random(8), calls, count)):
                file.write(f'p{number}: when enter({text}) {{ print }}\n')
        read = [common.EARSHOT, 'read', recording, program, '--json', '-s', path]
        _, start = processor_time([*read, '--to', '1us'])
        _, all_of_it = processor_time([*read, '--jobs', '1'])
        print(f'{count:6} paths: {start:5.2f} s to begin, {all_of_it:6.2f} s in all', flush=True)


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = must(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    os.makedirs(WORK, exist_ok=True)
    common.TIMEOUT = 600
    source, program, recording, path = (os.path.join(WORK, f'many{end}') for end in ('.c', '.elf', '.inputs', '.watch'))
    with open(source, 'w', encoding='utf-8') as file:
        file.write(SOURCE)
    must([common.TARGET_CC, '-O2', source, '-o', program])
    must([common.EARSHOT, 'record', '--inputs', recording, program])
    count = [common.EARSHOT, 'read', recording, program, '--json']
    writes = common.json.loads(must([*count, '-e', 'when write(v) { count w }']).splitlines()[-1])['counters']['w']
    end = common.run([*count, '-e', 'when write(v) { count w }'])[2]
    instructions = int(end.split('replayed ')[1].split()[0])
    for statements in 1, 10, 100, 1000, 10000:
        with open(path, 'w', encoding='utf-8') as file:
            for number in range(statements):   # true once in a million writes
                file.write(f'n{number}: when v[{number % VARIABLES}] == {1000 + number} {{ print v[{number % VARIABLES}] }}\n')
        _, start = processor_time([*count, '-s', path, '--to', '1us'])
        _, all_of_it = processor_time([*count, '-s', path, '--jobs', '1'])
        evaluations = writes * statements / VARIABLES
        used = max(all_of_it - start, 1e-3)
        print(f'{statements:6} statements: {start:5.2f} s to begin, then {instructions / used / 1e6:6.1f} M instructions/s, '
              f'{evaluations / used / 1e3:8.0f} k evaluations/s', flush=True)
    paths()


if __name__ == '__main__':
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
