#!/usr/bin/python3
"""scripts/virtual-probe: what users run against it finds a probe as on a desk, and it breaks when and how it is told to."""
import functools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', name) for name in ('e2e', 'support')]
import common  # noqa: E402
from common import Failure  # noqa: E402
from virtual import SCRIPT, Virtual  # noqa: E402

PROGRAM = os.path.join(common.EXAMPLES, 'thermostat-O0.elf')
STATEMENTS = ['-s', os.path.join(common.ROOT, 'examples/thermostat/thermostat.watch')]
# Many hits, so that there are many bytes in which something can happen.
BUSY = ['-e', 'when write(plant.steps) { print plant.steps, temp, mode; count steps }', *STATEMENTS]
SEED = int(os.environ.get('EARSHOT_SEED', '1'))


def expect(condition, text):
    if not condition:
        raise Failure(text)


def command(*arguments, serial=None):
    return [common.EARSHOT, 'watch', '--json', '--loaded', '--probe', f'ftdi:{serial}' if serial else 'ftdi', PROGRAM, *arguments]


def watch(virtual, *arguments, serial=None, running=False):
    words = [word for word in command(*arguments, serial=serial) if word != '--loaded' or not running]
    done = subprocess.run(words, env=virtual.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=common.TIMEOUT, check=False)
    return common.Watched(words, done.returncode, done.stdout.decode(), done.stderr.decode())


def to_the_end(options, *arguments):
    """One run, interrupted when the target has ended: the run, and what the server says."""
    words = [SCRIPT, '--interrupt', *options, PROGRAM, '--', *command(*arguments)]
    code, out, err = common.run(words)
    return common.Watched(words, code, out, err)


@functools.cache
def simulation(*arguments):
    return common.watch(PROGRAM, *arguments)


def values(hits):
    """What hits say apart from their time."""
    return [{**common.same_place(hit), 'cycle': None} for hit in hits]


def sessions_follow_each_other():
    """Each monitor finds the target as its program file has it; nothing is left of a killed host."""
    simulated = simulation(*STATEMENTS)
    with Virtual(PROGRAM) as virtual:
        for count in 5, 3:
            found = watch(virtual, *STATEMENTS, '--count', str(count))
            expect(found.code == 0 and values(found.hits) == values(simulated.hits[:count]), f'exit {found.code}: {found.hits} {found.err}')
        with subprocess.Popen(command(*STATEMENTS), env=virtual.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as host:
            expect(virtual.wait(lambda status: status['monitors'] == 3), 'the third monitor does not start')
            host.send_signal(signal.SIGKILL)
        expect(virtual.wait(lambda status: not status['claimed']), 'a killed host still has the probe')
        expect(virtual.status()['in_flight'] == 0, 'transfers of a killed host')
        found = watch(virtual, *STATEMENTS, '--count', '4')
        expect(found.code == 0 and values(found.hits) == values(simulated.hits[:4]), f'after a kill: exit {found.code}: {found.hits}')
        expect(virtual.status()['unknown'] == 0, 'requests that the model does not know')


def short_packets_change_nothing():
    """Transfers that end anywhere, so that status bytes stand at any place of what was sent."""
    simulated = simulation(*BUSY)
    found = to_the_end(['--fault-seed', str(SEED), '--fault', 'short 1000000'], *BUSY)
    expect(found.code == 0 and found.summary, f'seed {SEED}: exit {found.code}: {found.err}')
    wrong = common.difference(simulated.hits, found.hits)
    expect(wrong is None and found.summary['lost'] == 0 and not found.gaps, f'seed {SEED}: {wrong}; lost {found.summary["lost"]}')
    return f'{len(found.hits)} hits'


def unplugged_anywhere():
    """The host says so; hits until then are right; plugged in again, the probe is a new one."""
    simulated = simulation(*BUSY)
    chance = random.Random(SEED)
    with Virtual(PROGRAM, '--fault-seed', str(SEED)) as virtual:
        for round_number in range(1, 5):
            after = chance.randrange(0, 9000)
            virtual.tell(f'after {after} unplug')
            found = watch(virtual, *BUSY, '--for', '5s')
            # while it is loaded: a failure; later it is waited for
            told = found.code == 3 or found.code == 0 and found.summary['lost'] and found.summary['incomplete']
            expect(told and 'unplugged' in found.err, f'seed {SEED}: after {after} bytes: exit {found.code}: {found.err}')
            expect(values(found.hits) == values(simulated.hits[:len(found.hits)]), f'seed {SEED}: after {after} bytes: wrong hits')
            expect(not virtual.status()['plugged'], f'seed {SEED}: still plugged in')
            gone = watch(virtual, *BUSY)
            expect(gone.code == 3 and 'no probe found' in gone.err, f'exit {gone.code}: {gone.err}')
            virtual.tell('plug')
            status = virtual.status()
            expect(status['unplugs'] == round_number and virtual.wait(lambda s, n=round_number: s['power_ups'] == n), f'{status}')
        found = watch(virtual, *BUSY, '--count', '20')
        expect(found.code == 0 and values(found.hits) == values(simulated.hits[:20]), f'exit {found.code}: {found.err}')


def damage_is_told():
    """Flipped bits and cut packets: no hit that was not, and what is missing is told as lost."""
    simulated = simulation(*BUSY)
    true = [str(hit) for hit in values(simulated.hits)]
    for fault in 'after 9000 flip 5', 'after 9000 cut 3':
        found = to_the_end(['--fault-seed', str(SEED), '--fault', fault], *BUSY)
        expect(found.code == 0 and found.summary, f'seed {SEED}: {fault}: exit {found.code}: {found.err}')
        remaining = iter(true)
        for hit in values(found.hits):
            if hit['path'] is not None:
                expect(str(hit) in remaining, f'seed {SEED}: {fault}: {hit} is not one of the simulated run, in its order')
        expect(found.summary['lost'] and found.gaps, f'seed {SEED}: {fault}: nothing is told as lost')


def loading_comes_through():
    """Damage to many answers in a row, at any step of loading, and to the firmware's first frame: the run is the same, or what is missing is told."""
    simulated = simulation(*BUSY)
    for fault in 'in 0 cut 8', 'in 0 flip-out 6', 'after 800 cut 12', 'after 1668 flip 1', 'after 1668 cut 2', 'after 1672 cut 1', 'after 800 error 20':
        found = to_the_end(['--fault-seed', '5', '--fault', fault], *BUSY)
        expect(found.code == 0 and found.summary, f'{fault}: exit {found.code}: {found.err}')
        expect(found.summary['statements'] == simulated.summary['statements'], f'{fault}: {found.summary}')
        wrong = common.difference(simulated.hits, found.hits)
        expect(wrong is None or found.summary['lost'], f'{fault}: {wrong}')


def stalls_end():
    simulated = simulation(*BUSY)
    found = to_the_end(['--fault', 'after 9000 stall 700', '--fault', 'late 30'], *BUSY)
    wrong = common.difference(simulated.hits, found.hits)
    lost = found.summary and found.summary['lost']
    expect(found.code == 0 and found.summary and (wrong is None or lost), f'exit {found.code}: {wrong} {found.err}')


def a_probe_that_takes_nothing_may_come_back():
    """Longer than a transfer to it may last: monitoring goes on, and both are said."""
    program = os.path.join(common.BUILD, 'tests/cli/forever.elf')
    words = [common.EARSHOT, 'watch', '--json', '--attach', '--probe', 'ftdi', program, '-e', 'when beat % 256 == 0 { print beat }']
    with Virtual(program, '--power', 'own', '--start', 'now') as virtual, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        def told(text):
            err.seek(0)
            return text in err.read().decode()

        with subprocess.Popen(words, env=virtual.env, stdout=out, stderr=err) as host:
            expect(virtual.wait(lambda status: status['monitors'] == 1), 'no monitor')
            time.sleep(0.5)
            virtual.tell('stall')
            expect(virtual.wait(lambda _: told('stalled')), 'it is not told that it has stalled')
            virtual.tell('go')
            expect(virtual.wait(lambda _: told('answers again')), 'it is not told that it answers again')
            host.send_signal(signal.SIGINT)
            host.wait(timeout=common.TIMEOUT)
        out.seek(0)
        err.seek(0)
        found = common.Watched(words, host.returncode, out.read().decode(), err.read().decode())
        expect(found.code == 0 and found.summary and 'incomplete' not in found.summary, f'exit {found.code}: {found.summary} {found.err}')


def several_at_once():
    simulated = simulation(*STATEMENTS)
    with Virtual(PROGRAM, '--serial', 'LEFT', '--serial', 'RIGHT') as virtual:
        either = watch(virtual, *STATEMENTS)
        expect(either.code == 3 and 'LEFT' in either.err and 'RIGHT' in either.err, f'exit {either.code}: {either.err}')
        hosts = [subprocess.Popen(command(*STATEMENTS, '--count', '4', serial=serial), env=virtual.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) for serial in ('LEFT', 'RIGHT')]
        for host in hosts:
            out, err = host.communicate(timeout=common.TIMEOUT)
            found = common.Watched(host.args, host.returncode, out.decode(), err.decode())
            # each target has random numbers of its own; what is before them is the same
            expect(found.code == 0 and len(found.hits) == 4, f'exit {found.code}: {found.err}')
            expect([hit['statement'] for hit in found.hits[:1]] == [simulated.hits[0]['statement']], f'{found.hits[0]}')
        virtual.tell('@LEFT unplug')
        expect(not virtual.status('LEFT')['plugged'] and virtual.status('RIGHT')['plugged'], 'the wrong one was unplugged')
        expect(watch(virtual, *STATEMENTS, '--count', '1').code == 0, 'the other one does not work')


def goes_on_with_its_own_power():
    """Unplugged with power of its own, the probe keeps its monitor; with USB's, it forgets. The target goes on in both."""
    for power, kept in ('own', True), ('usb', False):
        with Virtual(PROGRAM, '--power', power, '--start', 'once') as virtual:
            expect(watch(virtual, *STATEMENTS, '--count', '1').code == 0, 'no hit')
            clocks = virtual.status()['clocks']
            virtual.tell('replug 200')
            expect(virtual.wait(lambda status: status['plugged'] and status['unplugs'] == 1), 'not plugged in again')
            expect(virtual.wait(lambda status, before=clocks: status['clocks'] > before), f'{power}: the target stands still')
            expect(virtual.wait(lambda status, n=int(not kept): status['power_ups'] == n), f'{power}: {virtual.status()}')
            found = watch(virtual, *STATEMENTS, '--attach', '--for', '1ms', running=True)
            expect(found.code == 0 and virtual.status()['resets'] == 1, f'{power}: exit {found.code}: {found.err}')


def what_was_lost_before_is_not_lost():
    """A monitor that nobody reads still runs when the next one is loaded. What the probe loses until that begins is none of its losses."""
    program, never = os.path.join(common.BUILD, 'tests/cli/forever.elf'), ['-e', 'when beat == 0xFFFFFFFF { print beat }']
    words = [common.EARSHOT, 'watch', '--json', '--attach', '--probe', 'ftdi', program, *never]
    with Virtual(program, '--power', 'own', '--start', 'now') as virtual:
        for number in 1, 2:
            virtual.tell('after 44 stall 300')  # the soft core has just been stopped, and what it has armed has not been cleared
            with subprocess.Popen(words, env=virtual.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as host:
                expect(virtual.wait(lambda status, monitors=number: status['monitors'] == monitors), f'monitor {number} does not start')
                time.sleep(0.3)
                host.send_signal(signal.SIGINT)
                out, err = host.communicate(timeout=common.TIMEOUT)
            found = common.Watched(words, host.returncode, out.decode(), err.decode())
            expect(found.code == 0 and found.summary and found.summary['lost'] == 0, f'run {number}: exit {found.code}: {found.summary} {found.err}')


def reset_on_demand():
    with Virtual(PROGRAM, '--start', 'asked') as virtual:
        with subprocess.Popen(command(*STATEMENTS, '--count', '2'), env=virtual.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as host:
            expect(virtual.wait(lambda status: status['monitors'] == 1), 'no monitor')
            time.sleep(0.2)
            expect(virtual.status()['target'] == 'in reset', 'the target did not wait')
            virtual.tell('in 50 reset')
            out, _ = host.communicate(timeout=common.TIMEOUT)
        expect(host.returncode == 0 and out.count(b'"event":"hit"') == 2, f'exit {host.returncode}: {out}')


def commands_and_options_are_checked():
    with Virtual(PROGRAM) as virtual:
        for line in '', 'bogus', 'flip', 'flip x', 'unplug 3', 'after 5 plug', '@NOBODY unplug', 'in flip 3', 'stall 1 2', 'x' * 300:
            try:
                answer = virtual.tell(line)
            except (ValueError, RuntimeError) as error:
                answer = str(error)
            expect('error' in answer or 'no answer' in answer, f'{line!r}: {answer}')
        done = subprocess.run([SCRIPT, '--tell', 'bogus'], env=virtual.env, capture_output=True, check=False)
        expect(done.returncode == 2 and b"no command 'bogus'" in done.stderr, f'{done}')
    for options, code in ((['--kind', 'x', PROGRAM], 2), (['--serial'], 2), ([], 2), (['--fault', 'bogus', PROGRAM, '--', 'true'], 2),
                          (['none.elf', '--', 'true'], 2), ([PROGRAM, '--', 'sh', '-c', 'exit 7'], 7), ([PROGRAM, '--', '/none'], 127),
                          ([PROGRAM, '--', 'sh', '-c', 'kill -9 $$'], 137)):
        found = common.run([SCRIPT, *options])
        expect(found[0] == code, f'{options}: exit {found[0]}, not {code}: {found[2]}')


if __name__ == '__main__':
    common.run_checks([(check.__name__, check) for check in (
        sessions_follow_each_other, short_packets_change_nothing, unplugged_anywhere, damage_is_told, loading_comes_through, stalls_end,
        a_probe_that_takes_nothing_may_come_back, several_at_once, goes_on_with_its_own_power,
        what_was_lost_before_is_not_lost, reset_on_demand, commands_and_options_are_checked)])
