#!/usr/bin/python3
"""groups.py: statements in groups, of which each has a probe in software of its own, tell byte by byte what one probe tells that has them all: hits
with their order, values, paths and times, the console, counters, verdicts and figures. Groups are made small (EARSHOT_GROUP_STATEMENTS) over all
examples, statements of the benchmarks' workload and generated programs of all sorts."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

import generate  # of tests/oracle, whose folder common.py adds to the path  # pylint: disable=wrong-import-position
import generate_events  # pylint: disable=wrong-import-position
import generate_parts  # pylint: disable=wrong-import-position
import generate_paths  # pylint: disable=wrong-import-position
import generate_places  # pylint: disable=wrong-import-position
import generate_pointers  # pylint: disable=wrong-import-position
import generate_reads  # pylint: disable=wrong-import-position
import generate_tasks  # pylint: disable=wrong-import-position
import generate_times  # pylint: disable=wrong-import-position
import generate_truth  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/groups-work')
EXAMPLES = [(name, [f'{name}.watch', 'locals.watch']) for name in ('thermostat', 'recursion', 'interrupts', 'nested')] + [('tasks', ['tasks.watch'])]
SORTS = {'values': generate, 'events': generate_events, 'parts': generate_parts, 'paths': generate_paths,
         'places': generate_places, 'pointers': generate_pointers, 'reads': generate_reads, 'tasks': generate_tasks, 'times': generate_times,
         'truth': generate_truth}
CORES = os.path.join(common.ROOT, 'tests/cores')
GROUPS = [(1, ['--jobs', '2']), (3, ['--jobs', '1'])]   # statements of a group at most; in parts, by two threads
SEEDS = int(os.environ.get('ES_SEEDS', '1'))
FIRST = int(os.environ.get('EARSHOT_SEED', '1'))
REFUSED = re.compile(r':(\d+):\d+: error:')
APART = re.compile(r'by (\d+) probes')
WALL = re.compile(r'"wall_seconds":[0-9.e+-]+')


def fixed(text):
    """A run's lines without what no two runs have in common: how long it took; and how often locals could not be followed, which groups count each
    for itself, so that the most of them is told (docs/replay.md, "Any number of statements")."""
    lines = WALL.sub('', text).splitlines()
    for number, line in enumerate(lines):
        summary = json.loads(line) if line.startswith('{"event":"summary"') else {}
        if summary.get('unknown', 0) != sum(summary.get('unknown_statements', {}).values()):
            lines[number] = line.replace(f'"unknown":{summary["unknown"]},', '')
    return lines


def read(recording, program, path, group=None, more=()):
    if group:
        os.environ['EARSHOT_GROUP_STATEMENTS'] = str(group)
    else:
        os.environ.pop('EARSHOT_GROUP_STATEMENTS', None)
    return common.run([common.EARSHOT, 'read', recording, program, '-s', path, '--json', *more])


def write(path, statements, kept):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(text if number in kept else '' for number, text in enumerate(statements, 1)) + '\n')


def one_probe(recording, program, path, statements, most):
    """The run with those of the statements that one probe can have together."""
    kept = [number for number, text in enumerate(statements, 1) if text.strip()][:most]
    while kept:
        write(path, statements, kept)
        code, out, err = read(recording, program, path)
        apart = APART.search(err)
        if apart:   # it would take several
            kept = kept[:len(kept) * 2 // 3]
            continue
        wrong = {int(number) for number in REFUSED.findall(err)} if code == 2 else set()
        if not wrong & set(kept):
            return code, out, err
        kept = [number for number in kept if number not in wrong]
    return None


def same(sources, statements, name, level, most=40):
    program, recording, path = (os.path.join(WORK, f'{name}{level}{end}') for end in ('.elf', '.inputs', '.watch'))
    must([common.TARGET_CC, level, '-fwrapv', *sources, '-o', program])
    must([common.EARSHOT, 'record', '--inputs', recording, program])
    wanted = one_probe(recording, program, path, statements, most)
    if not wanted:
        return 0, 0
    if wanted[0] not in (0, 1):
        raise Failure(f'{path}: exit {wanted[0]}: {wanted[2]}')
    lines, apart = fixed(wanted[1]), 0
    for group, more in GROUPS:
        code, out, err = read(recording, program, path, group, more)
        found = APART.search(err)
        apart += int(found.group(1)) if found else 0
        others = fixed(out)
        for number, (want, got) in enumerate(zip(lines + [None], others + [None])):
            if want != got:
                raise Failure(f'{path}: groups of {group}: line {number}: {got}, of one probe: {want}')
        if code != wanted[0]:
            raise Failure(f'{path}: groups of {group}: exit {code}, of one probe: {wanted[0]}: {err}')
    return sum('"event":"hit"' in line for line in lines), apart


def example(name, files, level):
    folder = os.path.join(common.ROOT, 'examples', name)
    statements = []
    for file in files:
        with open(os.path.join(folder, file), encoding='utf-8') as text:
            statements += text.read().split('\n')
    return same([os.path.join(folder, each) for each in sorted(os.listdir(folder)) if each.endswith('.c')], statements, name, level)


def generated(sort, seed, level):
    source, statements, *_ = SORTS[sort].make(seed)
    path = os.path.join(WORK, f'{sort}{seed}.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(source)
    head = ['tasks current'] if sort == 'tasks' else []   # what is known of stacks that are switched by hand hangs on what else is watched
    return same([path], head + statements, f'{sort}{seed}', level)


def of_inlined(level):
    """Copies that begin and end among what registers do; returns from handlers that are the second half of an event."""
    statements = [f'{what}({name}) {{ print path }}' for name in ('several', 'twice', 'early', 'nests', 'calls', 'looping') for what in ('enter', 'leave')]
    statements += ['enter(twice) then leave(early) { print elapsed }', 'enter(calls) and leave(twice)', 'write(out) { print out }']
    return same(['-w', os.path.join(common.ROOT, 'tests/shadow/programs/inlined.c')], statements, 'inlined', level)


def ends_of_handlers(level):
    statements = ['leave(isr) { print level }', 'enter(search) and leave(isr)', 'enter(search)', 'write(level) and leave(isr) { print level }']
    nested = same([os.path.join(common.ROOT, 'examples/nested/nested.c')], statements, 'handlers', level)
    # get is inlined: it begins at an instruction
    statements = ['enter(timer_isr) then leave(timer_isr) { print elapsed }', 'enter(get) then leave(timer_isr) { print elapsed }', 'leave(timer_isr)']
    other = same([os.path.join(common.ROOT, 'examples/interrupts/interrupts.c')], statements, 'inlined-handlers', level)
    return nested[0] + other[0], nested[1] + other[1]


def workload(level):
    statements = []
    for name in ('workload.watch', 'workload_locals.watch'):
        with open(os.path.join(CORES, name), encoding='utf-8') as file:
            statements += [text for text in file.read().split('\n') if text and text[0] != '#']
    return same(['-w', '-I' + CORES, '-DROUNDS=1', '-DSEED=1', os.path.join(CORES, 'workload.c')], statements, 'workload', level)


def expect(condition, *what):
    if not condition:
        raise Failure(' '.join(map(str, what))[:2000])


def of_thermostat(statements, *more, group=None):
    program, recording, path = (os.path.join(WORK, f'many{end}') for end in ('.elf', '.inputs', '.watch'))
    if not os.path.exists(recording):
        folder = os.path.join(common.ROOT, 'examples/thermostat')
        must([common.TARGET_CC, '-O0', *sorted(os.path.join(folder, each) for each in os.listdir(folder) if each.endswith('.c')), '-o', program])
        must([common.EARSHOT, 'record', '--inputs', recording, program])
    write(path, statements, range(1, len(statements) + 1))
    code, out, err = read(recording, program, path, group, more)
    return common.Watched([path], code, out, err)


def many():
    """More than one probe can hold, against what the same statements tell a hundred at a time."""
    statements = [f'a{number}: when temp > {60 + number % 40} {{ print temp, alarms }}' for number in range(400)]
    watched = of_thermostat(statements)
    expect(APART.search(watched.err) and watched.code == 0, watched.code, watched.err)
    hits, counted = [], {}
    for first in range(0, 400, 100):
        part = of_thermostat(statements[first:first + 100])
        expect(not APART.search(part.err), part.err)
        hits += [(hit['cycle'], int(hit['statement'][1:]), json.dumps(hit)) for hit in part.hits]
        counted.update(part.summary['statements'])
    expect([json.dumps(hit) for hit in watched.hits] == [hit[2] for hit in sorted(hits)], len(watched.hits), len(hits))
    expect(watched.summary['statements'] == counted and watched.summary['hits'] == len(hits) > 1000, watched.summary)
    few = of_thermostat(statements, '-n', '7')
    expect(few.hits == watched.hits[:7] and 'incomplete' not in few.summary, few.summary)
    by_itself(watched, statements)
    return len(hits), 0


def by_itself(watched, statements):
    """Of a live target, whose probe cannot hold them: the replay is chosen, and said; or refused, where the user says so."""
    program, path = (os.path.join(WORK, f'many{end}') for end in ('.elf', '.watch'))
    write(path, statements, range(1, len(statements) + 1))
    live = common.Watched([path], *common.run([common.EARSHOT, 'watch', program, '-s', path, '--json', '-n', '50']))
    expect('evaluated on the replay, as the probe cannot do it: the statements need' in live.err and APART.search(live.err), live.err)
    told = [(hit['cycle'], hit['statement'], hit['values']) for hit in live.hits]
    expect(len(told) == 50 and [each[1:] for each in told] == [(hit['statement'], hit['values']) for hit in watched.hits[:50]], told)
    code, _, err = common.run([common.EARSHOT, 'watch', program, '-s', path, '--probe-only'])
    expect(code == 2 and 'the probe has' in err and 'replay' not in err, code, err)


def dependent():
    counting = of_thermostat(['when write(temp) { count all }'] * 1000)
    once = of_thermostat(['when write(temp) { count all }'])
    expect(APART.search(counting.err) and counting.summary['counters']['all'] == 1000 * once.summary['counters']['all'] > 0, counting.summary)
    # one shows what others count: they are in one group as long as that has room for them
    shown = ['when write(temp) { count all }'] * 20 + ['when write(mode) { print all }']
    together = of_thermostat(shown, group=1)
    expect(together.code == 0 and together.hits and not APART.search(together.err), together.err)
    for too_many in 600, 3000:
        refused = of_thermostat(['when write(temp) { count all; print temp }'] * too_many + ['when write(mode) { print all }'])
        expect(refused.code == 2 and f'{too_many + 1} statements have to be in one group' in refused.err, refused.err)
        expect("probe" not in refused.err, refused.err)
    return len(together.hits), 0


def wrong():
    statements = [f'when temp > {number} {{ print temp }}' for number in range(1500)]
    statements[1234] = 'when tempo > 3 { print temp }'
    refused = of_thermostat(statements)
    expect(refused.code == 2 and ':1235:6: error' in refused.err, refused.code, refused.err)
    return 0, 0


def cases():
    yield 'many', many
    yield 'dependent', dependent
    yield 'wrong', wrong
    for name, files in EXAMPLES:
        for level in ('-O0', '-O2'):
            yield f'{name} {level}', lambda name=name, files=files, level=level: example(name, files, level)
    for level in ('-O1', '-O2'):
        yield f'inlined {level}', lambda level=level: of_inlined(level)
        yield f'handlers {level}', lambda level=level: ends_of_handlers(level)
    yield 'workload -Os', lambda: workload('-Os')
    for seed in range(FIRST, FIRST + SEEDS):
        for number, sort in enumerate(SORTS):
            level = ('-O0', '-Og', '-O2')[(number + seed) % 3]
            yield f'{sort} {seed} {level}', lambda sort=sort, seed=seed, level=level: generated(sort, seed, level)


def main():
    os.makedirs(WORK, exist_ok=True)
    passed = failed = hits = apart = 0
    for title, case in cases():
        try:
            more, probes = case()
            hits += more
            apart += probes
            passed += 1
            if '-v' in sys.argv:
                print(title, more, probes, flush=True)
        except Failure as failure:
            failed += 1
            print(f'FAILED {title}: {failure}', file=sys.stderr)
    print(f'{hits} hits the same of one probe and of groups, by {apart} probes')
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or hits == 0 or apart < 2 * passed


if __name__ == '__main__':
    sys.exit(main())
