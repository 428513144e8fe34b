#!/usr/bin/python3
"""What is lost is told. Each hit that the firmware counted is shown or counted as lost, and where that is not so, earshot says it. Gaps
enclose the times of what was lost: hits that are missing, by the truth of what the target did, lie in gaps, and none outside."""
import functools
import os
import random

import common
import frames
from common import Failure

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
THERMOSTAT = os.path.join(common.EXAMPLES, 'thermostat-O0.elf')
OVER_BOARD = os.path.join(common.BUILD, 'tests/e2e/over-board')
ROUNDS = 8000   # of flood.c
NOWHERE = 0xFFFFFFFF
STATEMENTS = ('-e', 'busy: when write(plant.steps) { print temp, mode; count steps }', '-e', 'silent: when write(temp) { count temps }',
              '-e', 'calls: when enter(clamp) { print temp }')
DEADLINES = ('-e', 'busy: when write(plant.steps) { print temp }', '-e', 'late: when mode unchanged for 3ms { print mode }',
             '-e', 'held: when temp > 40 for 500us { print temp }')


def expect(condition, text):
    if not condition:
        raise Failure(text)


@functools.cache
def recording(statements=STATEMENTS):
    """Returns (what was watched, the frames that the probe sent)."""
    path = os.path.join(WORK, 'losses.stream')
    live = common.watch(THERMOSTAT, *statements, '--record', path)
    expect(live.code == 0 and len(live.hits) > 50, f'exit {live.code}, {len(live.hits)} hits: {live.err}')
    with open(path, 'rb') as stream:
        data = stream.read()
    os.unlink(path)
    return live, [words for words, _ in frames.decode(data)]


def replay(data, statements=STATEMENTS):
    path = os.path.join(WORK, 'losses-changed.stream')
    with open(path, 'wb') as stream:
        stream.write(data)
    found = common.watch(THERMOSTAT, *statements, '--probe', f'file:{path}')
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


def misses(expected, hits):
    there = {(hit['cycle'], hit['statement']) for hit in hits}
    return [hit['cycle'] for hit in expected if (hit['cycle'], hit['statement']) not in there]


def encloses(gap, time):
    return gap['cycle'] <= time and (gap['last_cycle'] is None or time <= gap['last_cycle'])


def enclosed(times, gaps):
    outside = [time for time in times if not any(encloses(gap, time) for gap in gaps)]
    expect(not outside, f'{len(outside)} of {len(times)} lost hits are outside of all gaps: at {outside[:5]}, gaps {gaps[:5]}')


def overload_bus(ratio, statements):
    """The probe is too slow for the target: transactions are lost at its input."""
    base = os.path.join(WORK, f'flood{ratio}')
    common.must([common.TARGET_CC, '-O1', 'tests/e2e/flood.c', '-o', f'{base}.elf'])
    log = common.retire_log(f'{base}.elf', f'{base}.log')
    expected, _ = oracle.hits(Program(f'{base}.elf'), ['\n'.join(statements)], log)
    found = common.watch(f'{base}.elf', '--ratio', ratio, *(part for text in statements for part in ('-e', text)))
    expect(found.code == 0 and found.gaps, f'exit {found.code}, gaps {found.gaps}: {found.err}')
    lost = misses(expected, found.hits)
    expect(lost and len(lost) == len(expected) - len(found.hits), f'{len(expected)} hits, {len(found.hits)} shown, {len(lost)} missing')
    enclosed(lost, found.gaps)
    inside = [hit for hit in found.hits if any(gap['cycle'] <= hit['cycle'] <= gap['last_cycle'] for gap in found.gaps)]
    expect(not inside, f'a hit in a gap of the bus: {inside[:1]}')
    expect(sum(gap['lost'] for gap in found.gaps) == found.summary['lost'], f'{found.summary}')


def time_of(hits):
    """flood.c writes 8 values of n at equal distances, again and again: when each was written, from two hits of a round and two rounds."""
    at = {hit['values']['n']: hit['cycle'] for hit in hits if hit['path'] != []}   # without start-up code's clearing
    step = next(at[n + 1] - at[n] for n in at if n % 8 < 7 and n + 1 in at)
    first, last = min(at), max(n for n in at if n % 8 == min(at) % 8)
    turn = (at[last] - at[first]) // (last // 8 - first // 8)

    def time(n):
        return at[first] + (n // 8 - first // 8) * turn + (n % 8 - first % 8) * step
    expect(all(time(n) == at[n] for n in at), 'the hits are not at equal distances')
    return at, time


def overload_link():
    """A board's serial line is too slow: the firmware drops hits, and then transactions are lost, too."""
    command = [OVER_BOARD, os.path.join(common.BUILD, 'tests/e2e/board/flood.elf'), '--json', '-e', 'write(n) { print n }']
    found = common.Watched(command, *common.run(command))
    expect(found.code == 0 and found.summary, f'exit {found.code}: {found.err}')
    at, time = time_of(found.hits)
    lost = {n: time(n) for n in range(ROUNDS) if n not in at}
    enclosed(lost.values(), found.gaps)
    bus = [gap for gap in found.gaps if gap['what'] == 'bus']
    dropped = [gap for gap in found.gaps if gap['what'] == 'events']
    expect(bus and dropped and len(bus) + len(dropped) == len(found.gaps), f'{len(bus)} and {len(dropped)} gaps')
    dropped_surely = [when for when in lost.values() if not any(encloses(gap, when) for gap in bus)]
    for gap in dropped:   # of two gaps of the bus that could not be told in time, the firmware makes one
        least, most = (sum(encloses(gap, when) for when in times) for times in (dropped_surely, lost.values()))
        expect(least <= gap['lost'] <= most, f'{least} to {most} hits are missing in {gap}')
    expect(found.summary['hits'] == len(found.hits) + sum(gap['lost'] for gap in dropped), f'{found.summary}, {len(found.hits)} hits')


def endless_overload():
    """Hits never cease, so the firmware has no idle pass: the run ends all the same, with its closing figures."""
    command = [OVER_BOARD, os.path.join(common.BUILD, 'tests/e2e/board/endless.elf'), '--json', '--for', '10ms', '-e', 'n >= 0']
    found = common.Watched(command, *common.run(command))
    expect(found.code == 0 and found.summary and 'incomplete' not in found.summary, f'exit {found.code}: {found.summary} {found.err}')
    expect(found.summary['lost'] and found.hits and found.summary['hits'] >= len(found.hits), f'{found.summary}, {len(found.hits)} hits')


def lost_pieces():
    """Frames are lost anywhere on the link, in pieces of a random length."""
    live, sent = recording()
    hits = places(sent, frames.HIT)
    for number in range(20):
        chance = random.Random(int(os.environ.get('EARSHOT_SEED', '1')) * 1000 + number)
        gone = set()
        for _ in range(chance.choice([1, 1, 2, 5])):
            first = chance.randrange(hits[0], len(sent) - 2)
            gone.update(range(first, min(first + chance.choice([1, 2, 3, 20, 300]), len(sent) - 2)))
        gone = {i for i in gone if frames.kind(sent[i]) != frames.RESPONSE}
        found = replay(b''.join(frames.encode(words) for i, words in enumerate(sent) if i not in gone))
        lost = misses(live.hits, found.hits)
        expect(found.summary['lost'] == len(gone), f'{number}: {len(gone)} frames are gone, {found.summary}')
        expect(len(lost) == sum(frames.kind(sent[i]) == frames.HIT for i in gone), f'{number}: {len(lost)} hits')
        enclosed(lost, found.gaps)


def end_lost():
    """No hit comes after what was lost: the gap has no end, and says so."""
    live, sent = recording()
    last = places(sent, frames.HIT)[-1]
    found = replay(b''.join(frames.encode(words) for i, words in enumerate(sent) if i != last))
    expect(found.gaps == [{'event': 'gap', 'cycle': live.hits[-2]['cycle'], 'last_cycle': None, 'lost': 1, 'what': 'link'}], f'{found.gaps}')


def deadlines_lost():
    """A deadline's hit is told later than it was, with other hits in between."""
    live, sent = recording(DEADLINES)
    late = [i for i in places(sent, frames.HIT) if sent[i][4] == NOWHERE]
    before = [next(k for k in range(i - 1, 0, -1) if frames.kind(sent[k]) == frames.HIT) for i in late]
    expect(any(frames.time(sent[i]) < frames.time(sent[k]) for i, k in zip(late, before)), 'no deadline was told late')
    for gone in [[i] for i in late] + [[k] for k in before] + [[k, i] for i, k in zip(late, before)]:
        found = replay(b''.join(frames.encode(words) for i, words in enumerate(sent) if i not in gone), DEADLINES)
        lost = misses(live.hits, found.hits)
        expect(len(lost) == len(gone) == found.summary['lost'], f'{gone}: {len(lost)} hits, {found.summary}')
        enclosed(lost, found.gaps)


CHECKS = [('whole', whole), ('a hit vanished', lambda: vanished(1, 1)), ('three hits vanished', lambda: vanished(3, 3)),
          ('a hit came twice', lambda: vanished(-1, -1)), ('lost on the link', lost), ('more lost than numbers tell', wrapped),
          ('counters lost', figures_lost), ('frames of an earlier run', earlier_run), ('lost pieces', lost_pieces), ('the end lost', end_lost),
          ('deadlines lost', deadlines_lost),
          ('overloaded bus, 1', lambda: overload_bus('1', ['a: when write(n) { print n }', 'b: when enter(call) { print n }'])),
          ('overloaded bus, 2', lambda: overload_bus('2', ['a: when n % 3 == 0 { print }', 'b: when write(m) { print n, m }'])),
          ('overloaded bus, 3', lambda: overload_bus('3', ['a: when write(n) && n > old(n) { print n, old(n) }'])),
          ('overloaded line', overload_link), ('overloaded for ever', endless_overload)]


def main():
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    common.run_checks(CHECKS)


if __name__ == '__main__':
    main()
