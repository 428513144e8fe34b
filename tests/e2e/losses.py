#!/usr/bin/python3
"""What is lost is told: each hit that the firmware counted is shown or counted as lost, and where that is not so, earshot says it."""
import functools
import os
import sys

import common
import frames
from common import Failure

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
THERMOSTAT = os.path.join(common.EXAMPLES, 'thermostat-O0.elf')
STATEMENTS = ['-e', 'busy: when write(plant.steps) { print temp, mode; count steps }', '-e', 'silent: when write(temp) { count temps }',
              '-e', 'calls: when enter(clamp) { print temp }']


def expect(condition, text):
    if not condition:
        raise Failure(text)


@functools.cache
def recording():
    """Returns (what was watched, the frames that the probe sent)."""
    path = os.path.join(WORK, 'losses.stream')
    live = common.watch(THERMOSTAT, *STATEMENTS, '--record', path)
    expect(live.code == 0 and len(live.hits) > 50, f'exit {live.code}, {len(live.hits)} hits: {live.err}')
    with open(path, 'rb') as stream:
        data = stream.read()
    os.unlink(path)
    return live, [words for words, _ in frames.decode(data)]


def replay(data):
    path = os.path.join(WORK, 'losses-changed.stream')
    with open(path, 'wb') as stream:
        stream.write(data)
    found = common.watch(THERMOSTAT, *STATEMENTS, '--probe', f'file:{path}')
    os.unlink(path)
    return found


def places(sent, kind):
    return [i for i, words in enumerate(sent) if frames.kind(words) == kind]


def whole():
    live, sent = recording()
    found = replay(frames.renumbered(sent))
    expect(found.code == 0 and common.difference(live.hits, found.hits) is None, f'exit {found.code}: {found.err}')
    expect(found.summary['statements'] == live.summary['statements'] and found.summary['counters'] == live.summary['counters'],
           f'{found.summary}')


def vanished(count, unaccounted):
    """Hits are missing (or, below 0, come twice) and no number jumps: nothing but an error of earshot's can do that."""
    live, sent = recording()
    at = places(sent, frames.HIT)[20:20 + abs(count)]
    repeat = {True: 0, False: 2}[count > 0]
    found = replay(frames.renumbered([words for i, words in enumerate(sent) for _ in range(repeat if i in at else 1)]))
    expect(len(found.hits) == len(live.hits) - count, f'{len(found.hits)} hits')
    expect(found.code == 3 and 'do not add up' in found.err, f'exit {found.code}: {found.err}')
    expect(found.summary.get('unaccounted') == unaccounted, f'{found.summary}')


def lost():
    """The same with a jump: that is a loss, and adds up."""
    live, sent = recording()
    at = places(sent, frames.HIT)[20:23]
    found = replay(b''.join(frames.encode(words) for i, words in enumerate(sent) if i not in at))
    expect(found.code == 0 and found.summary['lost'] == 3 and 'unaccounted' not in found.summary, f'exit {found.code}: {found.summary}')
    expect(len(found.hits) == len(live.hits) - 3, f'{len(found.hits)} hits')


def wrapped():
    """So many frames are lost that their numbers come again: the link tells of fewer than are missing, the firmware's count of all."""
    live, sent = recording()
    counts = places(sent, frames.COUNTERS)
    expect(len(counts) == 1, f'{len(counts)} frames of counters')
    at = places(sent, frames.HIT)[20]
    changed = [list(words) for i, words in enumerate(sent) if i != at]
    changed[counts[0] - 1][2 + 2] += 65536   # after two counters, the total of `busy`
    found = replay(b''.join(frames.encode(words) for words in changed))
    expect(found.code == 0 and found.summary['lost'] == 65537, f'exit {found.code}: {found.summary} {found.err}')
    expect(found.summary['statements']['busy'] == live.summary['statements']['busy'] + 65536, f'{found.summary}')


def figures_lost():
    """Without the frame that says how often statements were true, nothing is shown in its place."""
    live, sent = recording()
    at = places(sent, frames.COUNTERS)
    found = replay(b''.join(frames.encode(words) for i, words in enumerate(sent) if i not in at))
    expect(found.code == 0 and found.summary.get('incomplete') is True and found.summary['lost'] == 1, f'exit {found.code}: {found.summary}')
    expect(found.summary['statements']['busy'] == live.summary['statements']['busy'], f'{found.summary}')
    expect(found.summary['counters']['steps'] is None, f'{found.summary}')


def earlier_run():
    """Frames of an earlier run stand before those of this one."""
    live, sent = recording()
    first = places(sent, frames.HELLO)[0]
    hits = places(sent, frames.HIT)
    old = [[words[0] & 0xFFFF | 700 + i << 16, *words[1:]] for i, words in enumerate(sent[k] for k in hits[50:60])]
    found = replay(b''.join(frames.encode(words) for words in sent[:first] + old + sent[first:]))
    expect(found.code == 0 and common.difference(live.hits, found.hits[-len(live.hits):]) is None, f'exit {found.code}: {found.err}')
    expect(found.summary['statements'] == live.summary['statements'], f'{found.summary}')


CHECKS = [('whole', whole), ('a hit vanished', lambda: vanished(1, 1)), ('three hits vanished', lambda: vanished(3, 3)),
          ('a hit came twice', lambda: vanished(-1, -1)), ('lost on the link', lost), ('more lost than numbers tell', wrapped),
          ('counters lost', figures_lost), ('frames of an earlier run', earlier_run)]


def main():
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    passed = failed = 0
    for name, check in CHECKS:
        try:
            check()
            passed += 1
        except Failure as failure:
            failed += 1
            print(f'{name}: {failure}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
