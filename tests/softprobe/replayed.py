#!/usr/bin/python3
"""replayed.py: statements on a recording of a target's inputs tell what they tell of the target itself: values, paths, places, tasks, all but
the exact clock, which a recording knows to a heartbeat."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/recordings')
RUNS = [('thermostat', 'O0', 'thermostat'), ('thermostat', 'O2', 'thermostat'), ('recursion', 'O0', 'locals'), ('interrupts', 'O2', 'interrupts'),
        ('nested', 'O0', 'nested'), ('tasks', 'O0', 'tasks')]
TIMES = ('cycle', 'time_ns')
HEARTBEAT = 2 ** 13   # clocks from one to the next


DONE = set()


def recorded(name, level):
    program, path = os.path.join(common.EXAMPLES, f'{name}-{level}.elf'), os.path.join(WORK, f'{name}-{level}.inputs')
    if path not in DONE:
        must([common.EARSHOT, 'record', '--inputs', path, program])
        DONE.add(path)
    return program, path


def without_times(hits):
    return [{key: value for key, value in hit.items() if key not in TIMES} for hit in hits]


def expect(condition, *what):
    if not condition:
        raise Failure(' '.join(map(str, what)))


def same(name, level, file):
    return alike(name, level, '-s', os.path.join(common.ROOT, 'examples', name, f'{file}.watch'))


def alike(name, level, *arguments):
    program, path = recorded(name, level)
    target, replay = common.watch(program, *arguments), common.watch(program, *arguments, '--probe', f'file:{path}')
    expect(target.hits and target.code == replay.code, target.code, replay.code, replay.err)
    expect(without_times(target.hits) == without_times(replay.hits), f'{len(target.hits)} and {len(replay.hits)} hits differ')
    expect(target.console == replay.console, target.console, replay.console)
    off = [(hit['cycle'], other['cycle']) for hit, other in zip(target.hits, replay.hits) if abs(other['cycle'] - hit['cycle']) > HEARTBEAT]
    expect(not off, 'more than a heartbeat off:', off[:3])
    for key in 'hits', 'lost', 'exit_code', 'statements', 'counters', 'unknown':
        expect(target.summary[key] == replay.summary[key], key, target.summary[key], replay.summary[key])
    return len(target.hits)


def of_another_program():
    _, path = recorded('recursion', 'O2')
    watched = common.watch(os.path.join(common.EXAMPLES, 'recursion-O0.elf'), '-e', 'when write(depth)', '--probe', f'file:{path}')
    expect(watched.code == 2 and 'another program' in watched.err, watched.code, watched.err)
    return 1


def cut():
    """What is there is told, and that it ends."""
    program, path = recorded('thermostat', 'O0')
    with open(path, 'rb') as stream:
        recording = stream.read()
    for size in 100, len(recording) // 2, len(recording) - 3:
        with open(f'{path}.cut', 'wb') as stream:
            stream.write(recording[:size])
        watched = common.watch(program, '-e', 'when write(temp) { print temp }', '--probe', f'file:{path}.cut')
        expect(watched.code == (2 if size == 100 else 0) and ('cut' in watched.err or size == 100 or watched.hits), size, watched.code, watched.err)
    return 1


def counted_and_halted():
    program, path = recorded('thermostat', 'O0')
    five = common.watch(program, '-e', 'when write(temp) { print temp }', '--count', '5', '--probe', f'file:{path}')
    expect(len(five.hits) == 5 and five.code == 0, five.code, five.err)
    halted = common.watch(program, '-e', 'when temp > 80 { print temp; halt }', '--allow-halt', '--probe', f'file:{path}')
    expect(len(halted.hits) == 1 and 'was halted at' in halted.err, halted.code, halted.err)
    return 1


def main():
    os.makedirs(WORK, exist_ok=True)
    checks = [(' '.join(run), lambda run=run: same(*run)) for run in RUNS]
    # each call's time, also where the probe's time wraps
    checks += [('calls', lambda: alike('thermostat', 'O2', '-e', 'in: enter(sense)', '-e', 'out: leave(sense)'))]
    checks += [('another program', of_another_program), ('cut', cut), ('count and halt', counted_and_halted)]
    return common.run_checks(checks)


if __name__ == '__main__':
    sys.exit(main())
