#!/usr/bin/python3
"""earshot probes: all that there are, as they are, without touching them; and what is plugged in and out, told to all who listen."""
import json
import os
import signal
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', name) for name in ('e2e', 'support', 'daemon')]
import common  # noqa: E402
from bench import Daemon  # noqa: E402
from common import Failure  # noqa: E402
from virtual import Virtual  # noqa: E402

PROGRAM = os.path.join(common.EXAMPLES, 'thermostat-O0.elf')
SERIAL = os.path.join(common.ROOT, 'tests/transport/serial.umockdev')
os.environ['ASAN_OPTIONS'] = 'verify_asan_link_order=0'  # umockdev-run preloads a library, which is no mistake
KEYS = ['event', 'probe', 'kind', 'serial', 'board', 'port', 'device', 'state', 'trouble', 'remedy', 'gateware']
SIMULATION = {'event': 'probe', 'probe': 'sim', 'kind': 'sim', 'serial': None, 'board': 'the simulated target and probe', 'port': None,
              'device': None, 'state': 'free', 'trouble': None, 'remedy': None, 'gateware': None}
NOBODY = 65534


def expect(condition, text):
    if not condition:
        raise Failure(text)


def run(environment, *arguments, before=()):
    done = subprocess.run([*before, common.EARSHOT, 'probes', *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=common.TIMEOUT, check=False)
    return done.returncode, done.stdout, done.stderr


def probes(virtual, *arguments):
    """{option: what is said of it} of all but the simulation, which is always first."""
    code, out, err = run(virtual.env, '--json', *arguments)
    lines = [json.loads(line) for line in out.splitlines()]
    expect(code == 0 and lines, f'exit {code}: {err}')
    for line in lines:
        expect(list(line) == KEYS, f'keys: {list(line)}')
    return {line['probe']: line for line in lines if line['probe'] != 'sim'}


def only_the_simulation():
    code, out, err = run(None, '--json', before=['umockdev-run', '--'])
    expect(code == 0 and [json.loads(line) for line in out.splitlines()] == [SIMULATION], f'exit {code}: {out} {err}')
    code, out, err = run(None, before=['umockdev-run', '--'])
    expect(code == 0 and out.split() == ['sim', 'the', 'simulated', 'target', 'and', 'probe:', 'free'], f'exit {code}: {out} {err}')


def looking_touches_nothing():
    with Virtual(PROGRAM, '--serial', 'LEFT', '--serial', 'RIGHT') as virtual:
        found = probes(virtual)
        expect(list(found) == ['ftdi:LEFT', 'ftdi:RIGHT'], f'{found}')
        left = found['ftdi:LEFT']
        expect((left['serial'], left['board'], left['port'], left['state'], left['gateware']) ==
               ('LEFT', 'Earshot Virtual FT2232H', '1-1', 'free', None), f'{left}')
        expect(left['device'].startswith('/dev/bus/usb/001/'), left['device'])
        status = virtual.status('LEFT')
        expect(not status['fifo'] and status['most_in_flight'] == 0 and status['to_probe'] == 0, f'{status}')
        expect(list(probes(virtual, 'ftdi:RIGHT')) == ['ftdi:RIGHT'] and len(probes(virtual, 'ftdi')) == 2, 'chosen ones')
        code, out, err = run(virtual.env, 'ftdi:NONE')
        expect(code == 3 and not out and 'no such probe as ftdi:NONE' in err, f'exit {code}: {out} {err}')
        code, out, err = run(virtual.env, '--bogus')
        expect(code == 2, f'exit {code}: {err}')


def asked_for_their_gateware():
    with Virtual(PROGRAM, '--serial', 'LEFT', '--serial', 'RIGHT') as virtual:
        virtual.tell('@RIGHT stall')
        found = probes(virtual, '--ask')
        gateware = found['ftdi:LEFT']['gateware']
        expect(gateware == {'id': '0x45530002', 'version': 2, 'bus_bits': 32, 'window_base': 0, 'window_size': 1 << 18, 'memory_size': 1 << 16, 'monitor': True,
                            'recorder': True, 'fifo_depth': 4096, 'taps': 1, 'fetches': 'executed', 'compressed': True, 'marks_only': False,
                            'reads': True, 'outputs': True, 'time': True}, f'{gateware}')
        right = found['ftdi:RIGHT']
        expect(right['state'] == 'silent' and right['gateware'] is None and 'takes no bytes' in right['trouble'], f'{right}')
        expect(virtual.status('LEFT')['monitors'] == 0 and virtual.status('LEFT')['resets'] == 0, 'the target was disturbed')
    with Virtual(PROGRAM, '--kind', 'bulk') as virtual:
        found = probes(virtual, '--ask')
        expect(found['usb:SIM1']['gateware']['version'] == 2 and found['usb:SIM1']['board'] == 'Earshot Virtual bulk device', f'{found}')


def other_gateware():
    """A probe that answers, but is built from another version: its identification is shown, nothing is loaded, and everybody is told the same."""
    told = 'its identification is 0x45530001, expected 0x45530002'
    remedy = 'Load the bitstream that belongs to this earshot'
    for kind, option in ('ft2232h', 'ftdi:SIM1'), ('bulk', 'usb:SIM1'):
        with Virtual(PROGRAM, '--kind', kind, '--gateware', '0x45530001') as virtual:
            one = probes(virtual)[option]
            expect(one['state'] == 'free' and one['gateware'] is None, f'not asked: {one}')
            one = probes(virtual, '--ask')[option]
            expect(one['state'] == 'wrong' and one['gateware'] == {'id': '0x45530001'} and told in one['trouble'] and remedy in one['trouble'], f'{one}')
            code, out, err = run(virtual.env, '--ask', option)
            lines = out.splitlines()
            expect(code == 0 and lines[0].endswith(': wrong') and told in lines[1] and len(lines) == 2, f'exit {code}: {out} {err}')
            watch = [common.EARSHOT, 'watch', PROGRAM, '--probe', option, '-e', 'when temp > 80', '--loaded']
            done = subprocess.run([*watch, '--no-daemon'], env=virtual.env, capture_output=True, text=True, timeout=common.TIMEOUT, check=False)
            expect(done.returncode == 3 and told in done.stderr and remedy in done.stderr and not done.stdout, f'{done}')
            with Daemon(environment=virtual.env) as daemon:
                there = subprocess.run([*watch, f'--daemon={daemon.socket}'], capture_output=True, text=True, timeout=common.TIMEOUT, check=False)
                expect((there.returncode, there.stdout, there.stderr) == (3, '', done.stderr), f'{there}')
            status = virtual.status()
            expect(status['monitors'] == 0 and status['resets'] == 0 and virtual.wait(lambda s: not s['claimed']), f'{status}')
    with Virtual(PROGRAM, '--gateware', '0xdeadbeef') as virtual:
        one = probes(virtual, '--ask')['ftdi:SIM1']
        expect(one['state'] == 'wrong' and one['gateware'] == {'id': '0xdeadbeef'} and '0xdeadbeef, expected' in one['trouble'], f'{one}')
    with Virtual(PROGRAM, '--no-clock') as virtual:
        one = probes(virtual, '--ask')['ftdi:SIM1']
        expect(one['state'] == 'free' and one['gateware']['time'] is False and one['gateware']['reads'], f'{one}')
        out = run(virtual.env, '--ask', 'ftdi')[1]
        expect(', 64 KiB of memory, recorder of inputs, compressed instructions, reads, outputs, no clock that can be compared with other probes\'\n' in out, out)


def what_is_in_the_way():
    with Virtual(PROGRAM, '--kernel-driver') as virtual:
        one = probes(virtual)['ftdi:SIM1']
        expect(one['state'] == 'kernel' and 'ftdi_sio' in one['trouble'] and 'takes the interface' in one['remedy'], f'{one}')
        words = [common.EARSHOT, 'watch', PROGRAM, '--probe', 'ftdi', '-e', 'when temp > 80', '--loaded']
        with subprocess.Popen(words, env=virtual.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as host:
            expect(virtual.wait(lambda status: status['claimed']), 'the kernel\'s driver does not give way')
            one = probes(virtual, '--ask')['ftdi:SIM1']
            expect(one['state'] == 'busy' and f'earshot (process {host.pid})' in one['trouble'] and one['gateware'] is None and
                   'virtual-probe' not in one['trouble'], f'{one}')
            second = subprocess.run(words, env=virtual.env, capture_output=True, text=True, check=False)
            expect(second.returncode == 3 and f'earshot (process {host.pid})' in second.stderr, f'{second}')
            host.terminate()
        expect(probes(virtual)['ftdi:SIM1']['state'] == 'free', 'still not free')
    with Virtual(PROGRAM, '--serial', 'TWIN', '--serial', 'TWIN') as virtual:
        out = run(virtual.env)[1]
        expect(out.count('another probe has the same serial number') == 2, out)


def without_permission():
    """Said before anything is tried, with what to do."""
    with Virtual(PROGRAM) as virtual:
        folder = virtual.env['UMOCKDEV_DIR']
        node = probes(virtual)['ftdi:SIM1']['device']
        os.chmod(folder, 0o777)   # who listens has a socket of his own there
        os.chmod(folder + node, 0)
        before = ['setpriv', f'--reuid={NOBODY}'] if os.geteuid() == 0 else []
        code, out, err = run(virtual.env, '--json', '--ask', before=before)
        one = json.loads(out.splitlines()[-1])
        expect(code == 0 and one['state'] == 'forbidden' and one['serial'] == 'SIM1' and node in one['trouble'], f'exit {code}: {one} {err}')
        expect('70-earshot.rules' in one['remedy'] and 'udevadm' in one['remedy'], f'{one}')


def serial_devices():
    code, out, err = run(None, '--json', before=['umockdev-run', '--device', SERIAL, '--'])
    lines = [json.loads(line) for line in out.splitlines()]
    expect(code == 0 and len(lines) == 2, f'exit {code}: {out} {err}')
    one = lines[1]
    expect((one['probe'], one['serial'], one['board'], one['port'], one['device'], one['state']) ==
           ('uart:/dev/serial/by-id/usb-1BitSquared_iCEBreaker-if01-port0', 'ib7Qz', '1BitSquared iCEBreaker V1.0e', '1-4', '/dev/ttyUSB1',
            'free'), f'{one}')
    code, out, err = run(None, '--json', 'uart:/dev/ttyUSB1', before=['umockdev-run', '--device', SERIAL, '--'])
    expect(code == 0 and json.loads(out)['device'] == '/dev/ttyUSB1', f'exit {code}: {out} {err}')


def comings_and_goings():
    """Two listeners, so that none takes the other's messages."""
    signal.alarm(common.TIMEOUT)   # nothing else ends it when a line does not come
    with Virtual(PROGRAM) as virtual:
        words = [common.EARSHOT, 'probes', '--watch', '--json', 'ftdi']
        watchers = [subprocess.Popen(words, env=virtual.env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        try:
            for watcher in watchers:
                expect(json.loads(watcher.stdout.readline())['event'] == 'probe', 'the first line')
            for command, event in (('unplug', 'unplugged'), ('plug', 'plugged'), ('unplug', 'unplugged')):
                virtual.tell(command)
                for watcher in watchers:
                    line = json.loads(watcher.stdout.readline())
                    expect((line['event'], line['probe']) == (event, 'ftdi:SIM1'), f'{command}: {line}')
        finally:
            for watcher in watchers:
                watcher.terminate()
                watcher.communicate(timeout=common.TIMEOUT)
    signal.alarm(0)


if __name__ == '__main__':
    common.run_checks([(check.__name__, check) for check in (
        only_the_simulation, looking_touches_nothing, asked_for_their_gateware, other_gateware, what_is_in_the_way, without_permission,
        serial_devices, comings_and_goings)])
