#!/usr/bin/python3
"""many_bench.py: what statements on the replay cost, by how many there are: seconds of processor time before the first event, and from then on
millions of instructions and thousands of evaluations each second, of one long recording. An evaluation is a write to a statement's variable."""
import os
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


if __name__ == '__main__':
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
