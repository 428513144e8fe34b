#!/usr/bin/python3
"""cover.py: which lines ran, as gcov says of the same source compiled for this machine, and as the log of retired instructions says of the very
program; beside other statements, from traces, of several runs; as lcov and genhtml read it."""
import json
import os
import sys

from elftools.elf.elffile import ELFFile

import common
from common import Failure, must
import generate_branches
import oracle

WORK = os.path.join(common.BUILD, 'tests/e2e/cover-work')
CASES = ((1, '-O0'), (2, '-O0'), (3, '-O0'), (4, '-O0'), (5, '-O0'), (6, '-O0'), (1, '-O2'), (5, '-O2'), (9, '-Og'))
# What the optimiser has moved before the branch that decides about it: the instruction runs, so its line counts as run.
MOVED = {(5, '-O2'): {219}}
NAMES = ('interrupts', 'nested', 'recursion', 'tasks', 'thermostat')
EXAMPLES = [(f'{name}-{level}', 'control.c' if name == 'thermostat' else f'{name}.c') for name in NAMES for level in ('O0', 'Og', 'O2')]


def read_lcov(path):
    """{file: {line: count}}, {file: {function: count}}; sums are as they should be."""
    lines, functions, file, sums = {}, {}, None, {}
    with open(path, encoding='utf-8') as stream:
        for text in stream:
            key, _, rest = text.strip().partition(':')
            if key == 'SF':
                file, sums = rest, {}
                lines[file], functions[file] = {}, {}
            elif key == 'DA':
                line, count = map(int, rest.split(','))
                lines[file][line] = count
            elif key == 'FNDA':
                count, name = rest.split(',', 1)
                functions[file][name] = int(count)
            elif key in ('LF', 'LH', 'FNF', 'FNH'):
                sums[key] = int(rest)
            elif key == 'end_of_record':
                found = [len(lines[file]), sum(lines[file].values()), len(functions[file]), sum(functions[file].values())]
                if [sums[name] for name in ('LF', 'LH', 'FNF', 'FNH')] != found:
                    raise Failure(f'{path}: {sums}, not {found}')
    return lines, functions


def lines_of(lines, name):
    """Of the file with this name."""
    found = [counts for file, counts in lines.items() if os.path.basename(file) == name]
    if len(found) != 1:
        raise Failure(f'{name} is not one of {list(lines)}')
    return found[0]


def cover(program, pattern, *arguments):
    """What lcov gets, and the run."""
    info = os.path.join(WORK, f'{os.path.basename(program)}.info')
    watched = common.watch(program, '-e', f'cover {pattern}', '--lcov', info, *arguments)
    if watched.code or watched.summary is None:
        raise Failure(f'exit {watched.code}: {watched.err}')
    return read_lcov(info), watched


def ran(counts):
    return {line for line, count in counts.items() if count}


# --- the same source, compiled for this machine ------------------------------------------------------------------------------------------------

def native_lines(folder, name):
    """{line: count} as gcov says."""
    for file in os.listdir(folder):
        if file.endswith(('.gcda', '.gcno')):
            os.unlink(os.path.join(folder, file))
    native = os.path.join(folder, 'native')
    must(['gcc', '-O0', '-fwrapv', '-w', '--coverage', os.path.join(folder, name), '-o', native])
    must([native])
    data = [os.path.join(folder, file) for file in os.listdir(folder) if file.endswith('.gcda')]
    counts = {}
    for file in json.loads(must(['gcov', '--json-format', '--stdout', *data]))['files']:
        for line in file['lines'] if os.path.basename(file['file']) == name else ():
            counts[line['line_number']] = counts.get(line['line_number'], 0) + line['count']
    return counts


def check_native(seed, level):
    folder = os.path.join(WORK, f'{seed}{level}')
    os.makedirs(folder, exist_ok=True)
    source, name = generate_branches.make(seed), f'branches{seed}.c'
    path, program = os.path.join(folder, name), os.path.join(folder, f'branches{seed}.elf')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(source)
    native = native_lines(folder, name)
    must([common.TARGET_CC, level, '-fwrapv', '-w', path, '-o', program])
    (lines, _), _ = cover(program, name)
    ours, texts = lines_of(lines, name), [''] + source.split('\n')
    both = set(native) & set(ours)
    too_many, too_few = (ran(ours) - ran(native)) & both, (ran(native) - ran(ours)) & both
    if too_many != MOVED.get((seed, level), set()) or (level == '-O0' and too_few):
        raise Failure(f'ran here only: {sorted(too_many)}, natively only: {sorted(too_few)}')
    odd = [texts[line] for line in set(ours) - both if texts[line] not in ('{', '}')]   # gcov counts a procedure's ends for its head
    if level == '-O0' and (odd or not 10 < len(ran(ours)) < len(ours) / 2):
        raise Failure(f'{odd}, {len(ran(ours))} of {len(ours)} lines')
    retired(program, name, ours)
    return f'{len(both)} lines of both, {len(ran(ours) & both)} ran'


# --- the program's own instructions ------------------------------------------------------------------------------------------------------------

def begins(program, name):
    """{(line, address)}: a statement of the line begins with that instruction, which is its own, in a procedure's code."""
    with open(program, 'rb') as stream:
        elf = ELFFile(stream)
        dwarf, last, statements, code = elf.get_dwarf_info(), {}, set(), []
        for symbol in elf.get_section_by_name('.symtab').iter_symbols():
            if symbol['st_info']['type'] == 'STT_FUNC' and symbol['st_size']:
                code.append(range(symbol['st_value'], symbol['st_value'] + symbol['st_size']))
        for unit in dwarf.iter_CUs():
            table = dwarf.line_program_for_CU(unit)
            files = table['file_entry']
            base = 0 if table['version'] >= 5 else 1
            for entry in table.get_entries():
                state = entry.state
                if state and not state.end_sequence:
                    last[state.address] = (os.path.basename(files[state.file - base].name.decode()), state.line)
                    statements |= {(state.address, last[state.address])} if state.is_stmt else set()
    return {(line, address) for address, (file, line) in last.items()
            if line and file == name and (address, (file, line)) in statements and any(address in body for body in code)}


def retired(program, name, ours):
    wanted = begins(program, name)
    addresses = sorted({address for _, address in wanted})
    log = common.retire_log(program, os.path.join(WORK, 'retired.log'), *(word for address in addresses for word in ('--at', str(address))))
    seen = {pc for kind, _, _, pc, *_ in oracle.RECORD.iter_unpack(log) if kind == oracle.AT}
    truth = {line: 0 for line, _ in wanted}
    for line, address in wanted:
        truth[line] |= address in seen
    if truth != ours:
        raise Failure(f'{[(line, truth.get(line), ours.get(line)) for line in sorted(set(truth) | set(ours)) if truth.get(line) != ours.get(line)]}')
    return len(seen)


def check_example(name, file):
    program = os.path.join(common.EXAMPLES, f'{name}.elf')
    (lines, functions), watched = cover(program, file)
    ours = lines_of(lines, file)
    told = retired(program, file, ours)
    statement = watched.summary['statements']['cover']
    if statement != told or len(watched.hits) or watched.summary['unknown']:
        raise Failure(f'{statement} hits, {told} places: {watched.summary}')
    return f'{len(ran(ours))} of {len(ours)} lines, {sum(map(sum, (f.values() for f in functions.values())))} functions'


# --- beside other statements -------------------------------------------------------------------------------------------------------------------

def check_beside(name, file, statements):
    """Neither changes the other."""
    program, limit = os.path.join(common.EXAMPLES, f'{name}.elf'), ['-t', '15ms']
    (alone, _), first = cover(program, file, *limit)
    without = common.watch(program, '-s', statements, *limit)
    (lines, _), beside = cover(program, file, '-s', statements, *limit)
    told = [run.summary['statements']['cover'] for run in (first, beside)]   # places that are told by others, too, come once
    if lines != alone or told[0] != told[1]:
        raise Failure(f'{lines}, alone {alone}; {told} hits')
    strip = lambda hits: [{key: hit[key] for key in common.COMPARED if key in hit} for hit in hits]   # noqa: E731
    if strip(beside.hits) != strip(without.hits):
        raise Failure(f'{len(beside.hits)} hits, without coverage {len(without.hits)}')
    twice, _ = cover(program, file, '-e', f'cover {file}', '-e', 'cover *', *limit)
    if any(twice[0].get(key) != counts for key, counts in alone.items()):
        raise Failure('three statements on the same lines tell something else')
    return f'{len(beside.hits)} hits as without'


# --- where else it is told ---------------------------------------------------------------------------------------------------------------------

def check_trace():
    program, trace = os.path.join(common.EXAMPLES, 'thermostat-O0.elf'), os.path.join(WORK, 'trace')
    must(['rm', '-rf', trace])
    (lines, functions), _ = cover(program, 'control.c', '-t', '15ms', '--out', trace)
    info = os.path.join(WORK, 'trace.info')
    must([common.EARSHOT, 'export', trace, '--format', 'lcov', '-o', info])
    if read_lcov(info) != (lines, functions):
        raise Failure('the trace says something else than the run')
    told = [json.loads(line) for line in must([common.EARSHOT, 'read', '--json', trace]).splitlines()]
    file = [line for line in told if line['event'] == 'statistic'][-1]['files'][0]
    counts = lines_of(lines, 'control.c')
    if file['lines_ran'] != len(ran(counts)) or file['lines'] != len(counts) or set(file['not_run']) != set(counts) - ran(counts):
        raise Failure(f'{file}')
    summary = must(['lcov', '--summary', info])
    if f'({len(ran(counts))} of {len(counts)} lines)' not in summary or '(4 of 4 functions)' not in summary:
        raise Failure(summary)
    must(['genhtml', '-q', '-o', os.path.join(WORK, 'html'), info])
    if not os.path.exists(os.path.join(WORK, 'html', 'index.html')):
        raise Failure('genhtml made no page')


def check_text():
    out = must([common.EARSHOT, 'watch', os.path.join(common.EXAMPLES, 'thermostat-O0.elf'), '-t', '15ms', '-e', 'cover control.c'])
    for wanted in ('cover: cover control.c\n', 'control.c: 33 of 37 lines ran (89.2 %), 4 of 4 functions\n    not: 21, 28-30, 54\n'):
        if wanted not in out:
            raise Failure(out)


def check_several():
    """Of several runs: what ran in any of them."""
    info, programs = os.path.join(WORK, 'several.info'), [os.path.join(common.EXAMPLES, f'{name}-O0.elf') for name in ('recursion', 'nested')]
    must([common.EARSHOT, 'test', *programs, '-t', '15ms', '--seeds', '1,2', '-e', 'cover main', '-e', 'expect eventually enter(main)', '--lcov', info])
    lines, functions = read_lcov(info)
    if len(lines) != 2 or any(names != {'main': 1} for names in functions.values()):
        raise Failure(f'{functions}')


def check_board():
    """A slow link, a small FIFO: no line too many; none too few, unless a loss is told."""
    program, info = os.path.join(common.BUILD, 'tests/e2e/board/thermostat-O0.elf'), os.path.join(WORK, 'board.info')
    command = [os.path.join(common.BUILD, 'tests/e2e/over-board'), program, '--json', '--loaded', '-e', 'cover control.c', '--lcov', info]
    board = common.Watched(command, *common.run(command))
    if board.code or not board.summary:
        raise Failure(f'exit {board.code}: {board.err}')
    (usual, _), _ = cover(os.path.join(common.EXAMPLES, 'thermostat-O0.elf'), 'control.c')
    usual, ours = lines_of(usual, 'control.c'), lines_of(read_lcov(info)[0], 'control.c')
    lost = board.summary['lost'] > 0
    if set(usual) != set(ours) or not ran(ours) <= ran(usual) or (ran(ours) != ran(usual) and not lost):
        raise Failure(f'{ours}, without a board {usual}, {board.summary["lost"]} lost')
    with open(info, encoding='utf-8') as stream:
        if lost != ('TN:with_losses\n' in stream) or lost != ('lines that ran may be among those that did not' in board.err):
            raise Failure(f'{board.summary["lost"]} lost: {board.err}')
    return f'{len(ran(ours))} of {len(ran(usual))} lines that ran, {board.summary["lost"]} transactions lost'


def check_refused():
    program, info = os.path.join(common.EXAMPLES, 'thermostat-O0.elf'), os.path.join(WORK, 'none.info')
    for arguments, wanted in ((['-e', 'cover nothing.c'], 'is called nothing.c'), (['-e', 'temp > 200', '--lcov', info], 'no statement says which lines ran'),
                              (['-e', 'cover control.c', '--lcov', '/nowhere/x'], '/nowhere/x: cannot be written')):
        code, _, err = common.run([common.EARSHOT, 'watch', program, '-t', '1ms', *arguments])
        if code == 0 or wanted not in err:
            raise Failure(f'{arguments}: exit {code}: {err}')


def main():
    os.makedirs(WORK, exist_ok=True)
    beside = [('thermostat-O0', 'control.c', 'examples/thermostat/locals.watch'), ('thermostat-O2', 'control.c', 'examples/thermostat/thermostat.watch'),
              ('recursion-O0', 'recursion.c', 'examples/recursion/locals.watch'), ('interrupts-O0', 'interrupts.c', 'examples/interrupts/locals.watch'),
              ('tasks-O0', 'tasks.c', 'examples/tasks/tasks.watch')]
    return common.run_checks([(f'generated {seed} {level}', lambda seed=seed, level=level: check_native(seed, level)) for seed, level in CASES] +
                             [(name, lambda name=name, file=file: check_example(name, file)) for name, file in EXAMPLES] +
                             [(f'{one[0]} beside other statements', lambda one=one: check_beside(*one)) for one in beside] +
                             [('trace', check_trace), ('text', check_text), ('several runs', check_several), ('on a board', check_board), ('refused', check_refused)])


if __name__ == '__main__':
    sys.exit(main())
