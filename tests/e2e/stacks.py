#!/usr/bin/python3
"""stacks.py: how much of each stack was in use, as the log of retired instructions says of the very program, and as the program says of stacks that
it painted itself; with tasks, in what it tells beside other statements, from a trace."""
import json
import os
import sys

from elftools.elf.elffile import ELFFile

import common
from common import Failure, must
import oracle

WORK = os.path.join(common.BUILD, 'tests/e2e/stacks-work')
STACKS = ('-e', 'stack', '-e', 'stack first_task.stack, second_task.stack')
NAMES = ('stack', 'first_task_stack', 'second_task_stack')
LEVELS = ('-O0', '-O2')


def build(seed, level, paints):
    os.makedirs(WORK, exist_ok=True)
    program = os.path.join(WORK, f'stacks{seed}{level}{paints}.elf')
    must([common.TARGET_CC, level, '-w', '-Iexamples/tasks', f'-DSEED={seed}u', f'-DPAINTS={paints}', 'tests/e2e/stacks.c', 'examples/tasks/kernel.c',
          '-o', program])
    return program


def symbols(program):
    with open(program, 'rb') as stream:
        return {symbol.name: symbol['st_value'] for symbol in ELFFile(stream).get_section_by_name('.symtab').iter_symbols()}


def statistics(command):
    code, out, err = common.run([common.EARSHOT, *command])
    lines = [json.loads(line) for line in out.splitlines()]
    if code:
        raise Failure(f'exit {code}: {err}')
    return {line['statement']: line for line in lines if line['event'] == 'statistic'}, lines


def used(program, *arguments):
    """{stack: its statistic}, all lines"""
    found, lines = statistics(['watch', '--json', program, *STACKS, *arguments])
    if not set(NAMES) <= set(found):
        raise Failure(f'only {list(found)}')
    for line in found.values():
        if line['used'] + line['free'] != line['size']:
            raise Failure(f'{line}')
    return found, lines


def stacks_of(program):
    """{stack: (first byte, end)}; a task's stack is the last of its control block: five words, and up to a multiple of 16."""
    at = symbols(program)
    return {'stack': (at['__heap_end'], at['__stack_top']), 'first_task_stack': (at['first_task'] + 32, at['first_task'] + 32 + 1024),
            'second_task_stack': (at['second_task'] + 32, at['second_task'] + 32 + 1024)}


def check_retired(seed, level):
    program = build(seed, level, 0)
    log = common.retire_log(program, os.path.join(WORK, 'retired.log'), '--at', str(symbols(program)['main']))
    ranges, truth, running = stacks_of(program), {}, False
    for kind, lanes, _, pc, address, _, _, time, _ in oracle.RECORD.iter_unpack(log):
        running |= kind == oracle.AT
        if kind != oracle.STORE or not running:
            continue
        for name, (low, end) in ranges.items():
            if low <= address < end and end - address > truth.get(name, (0,))[0]:
                truth[name] = (end - address, time)
    found, lines = used(program, '--task', 'current')
    told = {name: found[name]['used'] for name in NAMES}
    if told != {name: truth[name][0] for name in NAMES} or not 128 < told['first_task_stack'] <= 1024:
        raise Failure(f'{told}, but stores say {truth}')
    if lines[-1]['counters'] != {f'{name}_used': told[name] for name in NAMES} or any(line['event'] == 'hit' for line in lines):
        raise Failure(f'{lines[-1]}')
    tasks = [found[name].get('task') for name in NAMES]
    if tasks[1:] != ['first', 'second']:
        raise Failure(f'tasks: {tasks}')
    paths = [found[name]['path'] for name in NAMES[1:]]
    if level == '-O0' and not all('work > deep' in path or 'timer_isr' in path for path in paths):
        raise Failure(f'paths: {paths}')
    return f'{told}, {lines[-1]["hits"]} hits'


def check_painted(seed, level):
    program = build(seed, level, 1)
    found, lines = used(program)
    counted = {line['text'].split()[0]: int(line['text'].split()[1]) for line in lines if line['event'] == 'console'}
    if counted != {name: found[name]['used'] for name in NAMES} or counted['stack'] > 4096:
        raise Failure(f'{[found[name]["used"] for name in NAMES]}, but the program says {counted}')
    return f'{counted}, lost: {lines[-1]["lost"]}'


def check_once():
    """A word is one hit on the bus, if it is not painted: one that is written again and again fills no queue. Told is what is deeper only."""
    _, lines = used(build(1, '-O0', 1))
    if not 3 <= lines[-1]['hits'] <= 300:
        raise Failure(f'{lines[-1]}')
    for level in LEVELS:
        _, lines = used(build(1, level, 0))
        if lines[-1]['lost']:
            raise Failure(f'{level}: {lines[-1]}')


def check_others():
    """Beside statements on static variables and calls, which are told as without."""
    program = build(2, '-O0', 1)
    other = ('-e', 'enter(deep) { count deeps }', '-e', 'done == 2', '-e', 'first_task_stack_used > 300 && write(done)')
    alone = common.watch(program, *other[:4])
    beside = common.watch(program, *other, *STACKS)
    if alone.code or beside.code or alone.summary['counters']['deeps'] != beside.summary['counters']['deeps']:
        raise Failure(f'{alone.summary}, {beside.summary}: {alone.err}{beside.err}')
    if [hit['cycle'] for hit in alone.hits if hit['statement'] == 's2'] != [hit['cycle'] for hit in beside.hits if hit['statement'] == 's2']:
        raise Failure('other hits')
    if not [hit for hit in beside.hits if hit['statement'] == 's3']:
        raise Failure('the counter cannot be read')


def check_trace():
    trace = os.path.join(WORK, 'trace')
    program = build(3, '-O0', 1)
    must(['rm', '-rf', trace])
    told, _ = used(program, '--out', trace)
    read, _ = statistics(['stats', '--json', trace])
    for name in NAMES:
        if any(told[name].get(key) != read[name].get(key) for key in ('size', 'used', 'free', 'path', 'place', 'time_ns')):
            raise Failure(f'{told[name]}, but {read[name]}')


def check_test():
    program = build(1, '-O0', 1)
    most = used(program)[0]['first_task_stack']['used']
    for limit, code in ((most, 0), (most - 1, 1)):
        done = common.run([common.EARSHOT, 'test', program, '-e', 'stack first_task.stack', '-e',
                           f'limit: expect never write(done) && first_task_stack_used > {limit}'])
        if done[0] != code:
            raise Failure(f'{limit}: exit {done[0]}: {done[1]}{done[2]}')


def check_text():
    program = build(1, '-O0', 1)
    code, out, err = common.run([common.EARSHOT, 'watch', program, '-e', 'stack first_task.stack'])
    if code or 'bytes used at most (' not in out or 'deepest at ' not in out or out.count('first_task_stack') > 3:
        raise Failure(f'exit {code}: {out}{err}')


def check_refused():
    program = build(1, '-O0', 0)
    for elf, text, wanted in ((program, 'stack nothing', 'nothing'), (program, 'stack done', 'done is no array'),
                              (program, 'stack first_task.stack, first_task.stack', 'overlap'),
                              (program, 'stack first_task.stack, 3', 'expected an array'),
                              (program, 'stack first_task.stack; first_task.stack[3] > 7', 'lies in the stack first_task.stack'),
                              (program, 'stack; tell\\with == 1', 'in a run of its own'), (program, 'stack; deep\\left > 3', 'in a run of their own')):
        code, _, err = common.run([common.EARSHOT, 'watch', '--probe-only', elf, '-e', text])
        if code != 2 or wanted not in err:
            raise Failure(f'{text}: exit {code}: {err}')
    # what one probe cannot arm for both, two on the replay can
    depths, word = 'stack first_task.stack', 'first_task.stack[3] > 7'
    alone = [common.watch(program, '-e', text, side='--replay') for text in (depths, word)]
    both = common.watch(program, '-e', f'{depths}; {word}', side=None)
    figures = [run.summary[key] for key in ('counters', 'statements') for run in alone]
    if 'by 2 probes in software' not in both.err or [{**figures[0], **figures[1]}, sum(sorted(figures[2].values()))] != [
            both.summary['counters'], both.summary['statements']['first_task_stack']] or alone[1].summary['hits'] not in both.summary['statements'].values():
        raise Failure(f'{both.err}: {both.summary}, alone {[each.summary for each in alone]}')


def main():
    runs = [(seed, level) for seed in (1, 2, 3) for level in LEVELS]
    return common.run_checks([(f'retired {seed} {level}', lambda seed=seed, level=level: check_retired(seed, level)) for seed, level in runs] +
                             [(f'painted {seed} {level}', lambda seed=seed, level=level: check_painted(seed, level)) for seed, level in runs] +
                             [('once', check_once), ('others', check_others), ('trace', check_trace), ('test', check_test), ('text', check_text),
                              ('refused', check_refused)])


if __name__ == '__main__':
    sys.exit(main())
