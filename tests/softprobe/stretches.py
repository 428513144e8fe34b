#!/usr/bin/python3
"""stretches.py [--examples]: `earshot read RECORDING --from T --to T` has the hits that the whole read has in [from, to), with all that is told about each:
values, paths, places, times. --examples: of these alone, as for another target."""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/stretches-work')
LONG = os.path.join(common.BUILD, 'tests/replay/long')
FOREVER = os.path.join(common.BUILD, 'tests/replay/forever-O2.elf')
SEED = int(os.environ.get('EARSHOT_SEED', '1'))
STRETCHES = int(os.environ.get('EARSHOT_STRETCHES', '2'))   # of each set of statements

# The last words: whether statements can begin near the stretch.
SETS = [
    ('thermostat-O0', 'middle', ['write(mode) { print mode, old(mode), alarms }', 'at(control.c:50) { print alarms }', 'enter(clamp) || leave(sense)',
                                 'alarms becomes 3', 'alarms > 2 && write(alarms) || mode becomes ARMED', 'enter(main:control:*:clamp)',
                                 'write(alarms) { print backtrace }', 'write(mode) { hist(alarms) }', 'write(plant.zone[0].reading)']),
    ('thermostat-O0', 'start', ['enter(control) { count rounds }', 'write(mode) { print rounds }']),
    ('thermostat-O0', 'start', ['write(temp) { print temp, hottest }', 'temp > 40 && hottest > 60']),
    ('thermostat-O0', 'start', ['enter(sense) then leave(sense) && elapsed > 1us { print elapsed }', 'mode unchanged for 2ms', 'write(alarms) { print age(mode) }']),
    ('thermostat-O2', 'middle', ['write(mode) { print mode, temp, reg(a0), reg(sp) }', 'leave(sense) { print result(sense) }']),
    ('thermostat-O2', 'either', ['write(control\\next) { print control\\next, old(control\\next), control\\hottest }', 'leave(sense) { print sense\\index, result(sense) }']),
    ('thermostat-O2', 'start', ['write(mode) { print mode, stackdepth }']),
    ('nested-Og', 'either', ['enter(search) { print search\\key, reg(a0) }', 'leave(search) && result(search) > 3 { print result(search), path }']),
    ('recursion-O2', 'either', ['enter(fact) { print fact\\n }', 'leave(fact) { print result(fact) }']),
    ('thermostat-O2', 'middle', ['write(mode) { print mode }', 'write(alarms)']),
    ('recursion-O0', 'either', ['enter(fact[3])', 'write(depth) { print depth }', 'leave(*:fact[2])']),
    ('recursion-O2', 'either', ['write(depth) { print depth, old(depth) }']),
    ('interrupts-O2', 'either', ['write(ticks) { print ticks }', 'enter(main)']),
    ('interrupts-O0', 'either', ['write(ticks) { print ticks }', 'ticks % 7 == 3 { print ticks; count seven }']),
    ('nested-O2', 'either', ['write(alarms) { print alarms, ticks, level }', 'write(level) { print level }', 'enter(record)']),
    ('tasks-O2', 'either', ['write(produced)', 'enter(filter) || leave(consumer)']),
    ('jumps-O0', 'either', ['write(other) { print other, backtrace }', 'enter(down[150])', 'leave(*:tree:tree)', 'enter(*:isr:leaf)', 'enter(*:down:down:isr)']),
    ('jumps-O2', 'middle', ['write(other) { print other, path }', 'write(depth) { print depth, old(depth) }', 'enter(main:*:leaf)', 'leave(isr)']),
    ('jumps-O2-DLONGJMP', 'start', ['write(other) { print other, path }', 'write(depth) { print depth, old(depth) }', 'leave(down)']),
]


def expect(condition, *what):
    if not condition:
        raise Failure(' '.join(map(str, what)))


def recorded(name):
    program, path = os.path.join(common.EXAMPLES, name + '.elf'), os.path.join(WORK, name + '.inputs')
    if name.startswith('jumps'):
        program, level = os.path.join(WORK, name + '.elf'), ['-' + word for word in name.split('-')[1:]]
        must(['scripts/target-cc', *level, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'jumps.c'), '-o', program])
    if not os.path.exists(path):
        must([common.EARSHOT, 'record', '--inputs', path, program])
    return program, path


def read(program, path, statements, *arguments):
    words = [word for text in statements for word in ('-e', text)]
    command = [common.EARSHOT, 'read', '--json', path, program, *words, *arguments]
    return common.Watched(command, *common.run(command))


def some_stretches(whole, end, rng):
    """In clocks: at random, and with ends at hits; empty ones; at both ends and beyond."""
    times = [hit['cycle'] for hit in whole.hits] or [end // 2]
    for i in range(STRETCHES):
        first = rng.choice(times) if i % 2 else rng.randrange(1, end)
        yield first, first + rng.choice((1, 7, 500, 30000, end))
    hit = rng.choice(times)
    yield from ((1, end // 3), (max(hit, 2) - 1, hit or 2), (hit or 1, hit + 1), (end - 100, 2 * end))


def moment(clock):
    return f'{clock * 100}ns'   # 10 MHz


def compare(name, begins, statements, rng):
    program, path = recorded(name)
    whole = read(program, path, statements)
    expect(whole.code == 0 and whole.hits, name, statements, whole.code, whole.err)
    total = whole.summary['cycles']
    for first, end in some_stretches(whole, total, rng):
        wanted = [hit for hit in whole.hits if first <= hit['cycle'] < end]
        part = read(program, path, statements, '--from', moment(first), '--to', moment(end))
        expect(part.code == 0 and part.hits == wanted, name, statements, first, end, f'{len(part.hits)} hits, not {len(wanted)}:',
               [pair for pair in zip(part.hits, wanted) if pair[0] != pair[1]][:1], part.err)
        expect(any(word in ' '.join(statements) for word in ('count', 'hist')) or part.summary['hits'] == len(wanted), name, first, end, part.summary['hits'], len(wanted))
        replayed = re.search('replayed ([0-9]+) of', part.err)
        near = replayed and int(replayed[1]) < 3000 + 30000 + (min(end, total) - first) / 2
        expect(begins == 'either' or first < total // 2 or first > total or bool(near) == (begins == 'middle'), name, statements, first, end, part.err)
    return len(whole.hits)


def partition(rng):
    """Stretches that follow each other have each hit once; moments are numbers of instructions, too."""
    program, path = recorded('thermostat-O0')
    statements = ['write(mode) { print mode }', 'enter(clamp)']
    whole = read(program, path, statements)
    cuts = ['start'] + [str(n) for n in sorted(rng.sample(range(1, 346000), 6))] + ['end']
    hits = []
    for first, end in zip(cuts, cuts[1:]):
        hits += read(program, path, statements, '--from', first, '--to', end).hits
    hits += read(program, path, statements, '--from', 'end').hits
    expect(hits == whole.hits, len(hits), len(whole.hits))
    return len(hits)


def exports():
    """What else is made of a read: a trace has the same hits; --for and --count count from the stretch's begin."""
    program, path = recorded('thermostat-O0')
    out = os.path.join(WORK, 'trace')
    must(['rm', '-rf', out])
    statements, stretch = ['write(mode) { print mode }'], ['--from', '20ms', '--to', '30ms']
    hits = read(program, path, statements, *stretch).hits
    must([common.EARSHOT, 'read', path, program, '-e', statements[0], *stretch, '--out', out])
    command = [common.EARSHOT, 'read', '--json', out]
    expect(hits and common.Watched(command, *common.run(command)).hits == hits, 'the trace differs')
    expect(read(program, path, statements, '--from', '20ms', '--for', '10ms').hits == hits, '--for')
    expect(read(program, path, statements, '--from', '20ms', '-n', '3').hits == hits[:3], '--count')
    return 3


def statistics():
    """They are of the stretch alone."""
    program, path = recorded('thermostat-O0')
    stretch = ['--from', '20ms', '--to', '30ms']
    hits = read(program, path, ['write(mode) { print alarms }'], *stretch).hits
    out = must([common.EARSHOT, 'read', '--json', path, program, '-e', 'write(mode) { stats(alarms) }', *stretch])
    told = [json.loads(line) for line in out.splitlines() if '"statistic"' in line]
    expect(len(told) == 1 and f'"n":{len(hits)},' in json.dumps(told[0]).replace(' ', ''), len(hits), told)
    return 1


def expectations():
    """An expectation is judged by the stretch."""
    program, path = recorded('thermostat-O0')
    whole = read(program, path, ['alarms == 2 && write(alarms) { print alarms }'])
    time = whole.hits[0]['cycle']
    for first, end, code in (1, time, 0), (time, time + 1, 1), (time + 1, 2 * time, 0):
        part = read(program, path, ['expect never alarms == 2 && write(alarms)'], '--from', moment(first), '--to', moment(end))
        expect(part.code == code, first, end, part.code, part.err)
    return 3


def far():
    """From the keyframe before it: of a long recording the stretch alone is evaluated. With what hangs on the time before, all is."""
    path = os.path.join(WORK, 'long.inputs')
    if not os.path.exists(path):
        must([LONG, '60000000', path])
    statements = ['when rounds % 512 == 0 && write(rounds) { print rounds, last, old(rounds) }']
    whole = read(FOREVER, path, statements)
    expect(whole.hits, whole.err)
    hz = 10000000
    for number in (len(whole.hits) // 3, len(whole.hits) - 2):
        first, end = whole.hits[number]['cycle'], whole.hits[number + 1]['cycle']
        for more, near in ([], True), (['enter(main) { count mains }'], False):
            part = read(FOREVER, path, statements + more, '--from', moment(first * 10000000 // hz), '--to', moment(end * 10000000 // hz))
            expect(part.hits == [hit for hit in whole.hits if first <= hit['cycle'] < end] and part.hits, first, part.hits, part.err)
            replayed = int(re.search('replayed ([0-9]+) of', part.err)[1])
            expect((replayed < 5000000) == near, replayed, near)
    part = read(FOREVER, path, statements + ['enter(main) { count mains }'], '--from', 'end')
    expect('what is before the stretch is evaluated' in part.err and 'counts' in part.err, part.err)
    return 4


def same_times():
    """The same hits at the same times, whether what a probe sends is replayed as it comes, or a recording of it, in parts or from its start on."""
    number = 0
    for name, statements in (('nested-Og', ['write(level) { print level }', 'enter(record)', 'write(unsafe) { print unsafe }', 'ticks unchanged for 300us']),
                             ('interrupts-O2', ['write(ticks) { print ticks }', 'enter(main)']),
                             ('interrupts-O2', ['work\\i > 0 { print work\\i }']),  # an assignment is told after the heartbeat at an epoch's end
                             ('tasks-O0', ['write(produced)', 'leave(consumer)'])):
        program, path = recorded(name)
        cut = os.path.join(WORK, name + '.cut')
        with open(path, 'rb') as file:
            recording = file.read()
        with open(cut, 'wb') as file:
            file.write(recording[:recording.index(b'LAST')])   # the stream without what was decided: it is replayed when it is read
        live = common.watch(program, '--replay', *[word for text in statements for word in ('-e', text)])
        for what, other in (('recording', read(program, path, statements)), ('one thread', read(program, path, statements, '--jobs', '1')),
                            ('stream', read(program, cut, statements))):
            expect(live.hits and other.hits == live.hits, name, what, len(live.hits), len(other.hits), [pair for pair in zip(live.hits, other.hits) if pair[0] != pair[1]][:1])
        times = [hit['cycle'] for hit in live.hits if hit['path']]   # all but deadlines
        expect(times == sorted(times), name, 'times go back', [pair for pair in zip(times, times[1:]) if pair[0] > pair[1]])
        number += len(live.hits)
    return number


def refused():
    program, path = recorded('thermostat-O0')
    for arguments, words in ((['--from', '5ms', '--to', '5ms'], 'nothing lies between'), (['--from', '9ms', '--to', '5ms'], 'nothing lies between'),
                             (['--from', '9'], None), (['--from', '1h'], 'recording ends at 88.2671 ms'), (['--from', '-1ms'], 'takes a moment'), (['--to', 'soon'], 'takes a moment'),
                             (['--from', '999999999999999999999999'], 'ends at instruction'), (['--from', '1e9s'], 'a time'),
                             (['--to', '99999999999999s'], 'a time')):
        part = read(program, path, ['write(mode)'], *arguments)
        expect(part.code == (2 if words else 0) and (not words or words in part.err), arguments, part.code, part.err)
    part = common.watch(program, '-e', 'write(mode)', '--from', '5ms')
    expect(part.code == 2 and 'recording of inputs' in part.err, part.err)
    return 1


def main():
    os.makedirs(WORK, exist_ok=True)
    rng = random.Random(SEED)
    passed = failed = 0
    examples = '--examples' in sys.argv[1:]   # alone: those are there for each target
    jobs = [lambda one=one: compare(*one, rng) for one in SETS if not (examples and one[0].startswith('jumps'))]
    jobs += [lambda: partition(rng), exports, statistics, expectations, same_times, *([] if examples else [far, refused])]
    for job in jobs:
        try:
            passed += bool(job())
        except Failure as wrong:
            print(f'stretches.py (EARSHOT_SEED={SEED}):', wrong)
            failed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
