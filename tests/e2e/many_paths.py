#!/usr/bin/python3
"""many_paths.py: paths that may all exist at once need a state for each set of them, and each state a move for each procedure that paths
name. That is more than the probe's memory holds, unless tables are made dense. What they tell is counted by the program's text."""
import os

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
COUNT = 9   # procedures, each with a path of its own to `leaf`
TOPS = 9    # procedures that main alone calls
RUNS = 60


def masks():
    """Of each run: which procedures are active when leaf is called."""
    return [run * 613 % (1 << COUNT) for run in range(RUNS)]


def chosen(first):
    """Calls the procedure of the lowest bit from `first` on that is set; leaf, when there is none."""
    calls = [f'    if (rest >> {j} & 1) {{\n        p{j}(rest);\n        return;\n    }}\n' for j in range(first, COUNT)]
    return ''.join(calls) + '    leaf();\n'


def program():
    """main calls the first procedure itself, or through one that no path names; so does the first one the next. All of them call another
    such one, so that these move NP, too."""
    text = ['volatile int leaves, entered;\nvoid leaf(void)\n{\n    leaves++;\n}\nvoid note(void)\n{\n    entered++;\n}\n']
    text += [f'void p{i}(unsigned rest);\n' for i in range(COUNT)]
    text.append('void via(unsigned rest)\n{\n' + chosen(0) + '}\nvoid onward(unsigned rest)\n{\n' + chosen(1) + '}\n')
    for i in range(COUNT):
        text.append(f'void p{i}(unsigned rest)\n{{\n    note();\n' + ('    if (rest & 2)\n        onward(rest);\n    else\n    {\n' if i == 0 else '') +
                    chosen(i + 1) + ('    }\n' if i == 0 else '') + '}\n')
    text += [f'void t{i}(void)\n{{\n    leaves += {i};\n}}\n' for i in range(TOPS)]
    text.append('static void direct(unsigned rest)\n{\n' + chosen(0) + '}\n')
    text.append(f'int main(void)\n{{\n    for (unsigned run = 0; run < {RUNS}; run++) {{\n        unsigned mask = run * 613 % {1 << COUNT};\n'
                '        if (run & 1)\n            via(mask);\n        else\n            direct(mask);\n    }\n' + ''.join(f'    t{i}();\n' for i in range(TOPS)) + '    return 0;\n}\n')
    return '\n'.join(text)


def counts_are_right():
    os.makedirs(WORK, exist_ok=True)
    source, binary = os.path.join(WORK, 'many_paths.c'), os.path.join(WORK, 'many_paths.elf')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(program())
    must([common.TARGET_CC, '-O0', source, '-o', binary])
    arguments, wanted = [], {}
    for i in range(COUNT):
        arguments += ['-e', f's{i}: when enter(p{i}:*:leaf) {{ count n{i} }}']
        wanted[f'n{i}'] = sum(mask >> i & 1 for mask in masks())
    for i in range(TOPS):
        arguments += ['-e', f'u{i}: when enter(main:t{i}) {{ count top }}']
    wanted['top'] = TOPS
    arguments += ['-e', f'last: when leave(p{COUNT - 1}:leaf) {{ count direct }}']
    wanted['direct'] = wanted[f'n{COUNT - 1}']  # the last procedure calls nobody else
    watched = common.watch(binary, *arguments)
    if watched.code:
        raise Failure(watched.err)
    told = watched.summary['counters']
    if told != wanted:
        raise Failure(f'counted {told}, by the text of the program {wanted}')


if __name__ == '__main__':
    common.run_checks([('many paths at once', counts_are_right)])
