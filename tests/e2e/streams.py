#!/usr/bin/python3
"""The probe's byte stream: the same hits at a board's clock ratio, over USB and from a recording; damage loses hits, told as lost."""
import functools
import os
import random

import common
from common import Failure

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
VIRTUAL_PROBE = [os.path.join(common.ROOT, 'scripts/virtual-probe'), '--interrupt']
THERMOSTAT = os.path.join(common.EXAMPLES, 'thermostat-O0.elf')
INTERRUPTS = os.path.join(common.EXAMPLES, 'interrupts-O2.elf')
RECURSION = os.path.join(common.EXAMPLES, 'recursion-Og.elf')
# Statements whose hits are many, nested and of changing paths.
BUSY = ['-e', 'when write(plant.steps) { print plant.steps, temp, mode; count steps }',
        '-e', 'when enter(clamp) || leave(clamp) { print temp }', '-s', 'examples/thermostat/thermostat.watch']
DAMAGES = 30
RATIO = '16'


def expect(condition, text):
    if not condition:
        raise Failure(text)


def same_hits(one, other, what):
    wrong = common.difference(one.hits, other.hits)
    expect(wrong is None, f'{what}: {wrong} ("oracle" is {" ".join(one.command)})')


def at_fixed_ratio(program, statements):
    elastic = common.watch(program, '-s', statements)
    fixed = common.watch(program, '-s', statements, '--ratio', RATIO)
    expect(elastic.hits and elastic.code == 0 and fixed.code == 0, f'no hits, or exit {elastic.code}, {fixed.code}: {fixed.err}')
    expect(elastic.summary['lost'] == fixed.summary['lost'] == 0, f'lost: {elastic.summary["lost"]}, {fixed.summary["lost"]}')
    same_hits(elastic, fixed, f'--ratio {RATIO}')
    for key in ('cycles', 'exit_code', 'counters', 'statements'):
        expect(elastic.summary[key] == fixed.summary[key], f'--ratio {RATIO}: {key} differ')


def over_usb(program, statements, count):
    """The first hits through libftdi1, libusb and a virtual FT2232H, as from a board."""
    simulated = common.watch(program, '-s', statements)
    command = [*VIRTUAL_PROBE, program, '--', common.EARSHOT, 'watch', program, '--probe', 'ftdi', '-s', statements, '--json', '--loaded', '--count',
               str(count)]
    found = common.Watched(command, *common.run(command))
    expect(found.code == 0 and found.summary and found.summary['lost'] == 0, f'exit {found.code}: {found.summary} {found.err}')
    wrong = common.difference(simulated.hits[:count], found.hits)
    expect(wrong is None and len(found.hits) == count, f'{len(found.hits)} hits; {wrong}')


def over_usb_to_the_end(program, statements):
    """A whole job: all hits and the closing figures of a run through libftdi1, libusb and a virtual FT2232H."""
    simulated = common.watch(program, '-s', statements)
    command = [*VIRTUAL_PROBE, program, '--', common.EARSHOT, 'watch', program, '--probe', 'ftdi', '-s', statements, '--json', '--loaded']
    found = common.Watched(command, *common.run(command))
    expect(found.code == 0 and found.summary, f'exit {found.code}: {found.err}')
    same_hits(simulated, found, 'USB')
    expect(found.hits, 'no hits')
    ended = f'the target exited with {simulated.summary["exit_code"]} after {simulated.summary["cycles"]} clocks'
    expect(ended in found.err, f'not {ended!r}: {found.err}')
    for key in ('hits', 'counters', 'statements', 'unknown'):
        expect(simulated.summary[key] == found.summary[key], f'USB: {key}: {simulated.summary[key]}, then {found.summary[key]}')
    expect(found.summary['lost'] == 0 and not found.gaps, f'lost {found.summary["lost"]}, gaps {found.gaps}')
    expect(found.summary.get('incomplete') is not True, 'the closing figures are missing')


@functools.cache
def record():
    """Runs the busy statements once; returns (what was watched, the recorded bytes)."""
    path = os.path.join(WORK, 'live.stream')
    live = common.watch(THERMOSTAT, *BUSY, '--record', path)
    expect(live.code == 0 and len(live.hits) > 50, f'exit {live.code}, {len(live.hits)} hits: {live.err}')
    with open(path, 'rb') as stream:
        data = stream.read()
    os.unlink(path)
    return live, data


def replay(name, data):
    """Watches a recording of these bytes.."""
    path = os.path.join(WORK, f'{name}.stream')
    with open(path, 'wb') as stream:
        stream.write(data)
    found = common.watch(THERMOSTAT, *BUSY, '--probe', f'file:{path}')
    os.unlink(path)
    return found


def replayed():
    live, data = record()
    again = replay('whole', data)
    same_hits(live, again, 'replay')
    expect(again.code == 0 and again.summary['lost'] == 0, f'exit {again.code}, lost {again.summary["lost"]}: {again.err}')
    for key in ('hits', 'counters', 'statements', 'unknown'):
        expect(live.summary[key] == again.summary[key], f'replay: {key} differ')


def cut(data, chance):
    """Takes a piece out of the middle."""
    at = chance.randrange(len(data) * 4 // 10, len(data) * 8 // 10)
    return data[:at] + data[at + chance.randrange(20, 400):]


def flip(data, chance):
    """Turns single bits over, a few or many."""
    damaged = bytearray(data)
    for _ in range(chance.choice([1, 1, 3, 20])):
        at = chance.randrange(len(data) * 4 // 10, len(data) * 9 // 10)
        damaged[at] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def overwrite(data, chance):
    """Puts other bytes in place of some: what a USB buffer that was overrun leaves."""
    at = chance.randrange(len(data) * 4 // 10, len(data) * 8 // 10)
    length = chance.randrange(1, 300)
    return data[:at] + bytes(chance.randrange(256) for _ in range(length)) + data[at + length:]


def check_damaged(live, found, what):
    """Every hit that is told must be one of the true ones, in their order; its path may be unknown."""
    expect(found.code == 0, f'{what}: exit {found.code}: {found.err}')
    expect(found.summary is not None, f'{what}: no summary')
    true = iter(map(common.same_place, live.hits))
    for part in map(common.same_place, found.hits):
        for known in true:
            if part == known or part == {**known, 'path': None}:
                break
        else:
            raise Failure(f'{what}: a hit that never was: {part}')
    expect(len(found.hits) < len(live.hits) or found.summary['lost'] > 0, f'{what}: nothing lost')
    expect(found.summary['lost'] > 0, f'{what}: {len(live.hits) - len(found.hits)} hits are missing, but lost is 0')
    expect(any(gap['what'] == 'link' for gap in found.gaps), f'{what}: no gap on the link: {found.gaps}')
    there = {(hit['cycle'], hit['statement']) for hit in found.hits}
    outside = [hit['cycle'] for hit in live.hits if (hit['cycle'], hit['statement']) not in there and
               not any(gap['cycle'] <= hit['cycle'] <= gap['last_cycle'] for gap in found.gaps)]
    expect(not outside, f'{what}: lost outside of all gaps, at {outside[:5]}: {found.gaps}')
    last = common.same_place(live.hits[-1])
    expect(found.hits and found.hits[-1]['cycle'] == last['cycle'], f'{what}: not in step again at the end')


def damaged():
    """Yields one check per damaged recording."""
    live, data = record()
    base = int(os.environ.get('EARSHOT_SEED', '1'))
    for number in range(DAMAGES):
        chance = random.Random(base * 1000 + number)
        way = (cut, flip, overwrite)[number % 3]

        def check(way=way, chance=chance, number=number):
            check_damaged(live, replay(f'damaged{number}', way(data, chance)), f'{way.__name__} {number}')
        yield f'damaged {number}', check


def cut_short():
    """A recording that ends in the middle of a frame: what was whole is told, and that the end is missing."""
    live, data = record()
    found = replay('short', data[:len(data) * 2 // 3 + 1])
    expect(found.code == 0 and 0 < len(found.hits) < len(live.hits), f'exit {found.code}, {len(found.hits)} hits')
    expect(common.difference(live.hits[:len(found.hits)], found.hits) is None, 'other hits than in the run')
    expect(found.summary.get('incomplete') is True, 'the summary does not say that it is incomplete')


def junk():
    """Files that are no recording at all: wrong input, told as such."""
    chance = random.Random(7)
    for number, data in enumerate((b'', b'\0' * 5000, bytes(chance.randrange(256) for _ in range(100000)), b'\xff' * 5000)):
        found = replay('junk', data)
        expect(found.code == 2 and not found.hits and not found.summary, f'junk {number}: exit {found.code}, {len(found.hits)} hits')
        expect('is not a recording of a run: no firmware reports in it' in found.err, f'junk {number}: {found.err!r}')


def main():
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    os.environ['ASAN_OPTIONS'] = 'verify_asan_link_order=0'  # umockdev-wrapper preloads a library, which is no mistake
    checks = [('ratio, thermostat', lambda: at_fixed_ratio(THERMOSTAT, 'examples/thermostat/thermostat.watch')),
              ('ratio, recursion', lambda: at_fixed_ratio(RECURSION, 'examples/recursion/recursion.watch')),
              ('ratio, interrupts', lambda: at_fixed_ratio(INTERRUPTS, 'examples/interrupts/interrupts.watch')),
              ('USB, recursion', lambda: over_usb(RECURSION, 'examples/recursion/recursion.watch', 12)),
              ('USB, interrupts', lambda: over_usb(INTERRUPTS, 'examples/interrupts/interrupts.watch', 8)),
              ('USB, thermostat to its end', lambda: over_usb_to_the_end(THERMOSTAT, 'examples/thermostat/thermostat.watch')),
              ('replay', replayed), ('cut short', cut_short), ('junk', junk)]
    try:
        checks += damaged()
    except Failure as failure:
        checks.append(('recording', lambda failure=failure: expect(False, str(failure))))
    common.run_checks(checks)


if __name__ == '__main__':
    main()
