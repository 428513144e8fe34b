#!/usr/bin/python3
"""truth.py [--all]: what the host says of variables in registers is what gdb says. Programs run in qemu, where gdb stops before each of their
instructions a few times; `compare` evaluates the debug information at the same places (host/symbols/values.h), `cells` executes the program on
host/machine with a cell for each local (host/replay/shadow.h), and holds both against gdb, and against what the program itself prints."""
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '../..')
sys.path[:0] = [os.path.join(HERE, '../support')]

import jobs

BUILD = os.environ.get('EARSHOT_BUILD', 'build')
MADE = os.path.join(BUILD, 'tests/shadow')
CROSS = os.environ.get('CROSS', 'riscv64-unknown-elf-')
CONSOLE = ['examples/target/console.c', 'examples/target/exit.c']
PROGRAMS = {name: [f'tests/shadow/programs/{name}.c'] for name in ('filter', 'parser', 'queue', 'wide', 'hash', 'text', 'clones')}
PROGRAMS['structs'] = ['tests/shadow/programs/structs.c', 'tests/shadow/programs/memory.c']
PROGRAMS['registers'] = ['tests/lang/shadow.c']
PROGRAMS['recursion'] = ['examples/recursion/recursion.c', *CONSOLE]
PROGRAMS['thermostat'] = [f'examples/thermostat/{name}.c' for name in ('main', 'control', 'plant')] + CONSOLE
PROGRAMS['torture'] = ['tests/cpu/programs/torture.c']
FLAGS = {'clones': ['-fipa-cp-clone']}   # as at -O3
LEVELS = ('Og', 'O2', 'Os')
SHORT = (('filter', 'O2'), ('parser', 'Os'), ('queue', 'O2'), ('wide', 'Og'), ('text', 'O2'), ('clones', 'O2'))  # of `make test`; gdb takes its time
STOPS = 4000


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **more)


def make(name, level, path):
    command = [CROSS + 'gcc', '-' + level, *FLAGS.get(name, []), '-g', '-march=rv32imc', '-mabi=ilp32', '-nostdlib', '-ffreestanding', '-static', '-fno-builtin-main',
               '-Itests/shadow/programs', '-Itests/cpu/programs', '-Iexamples/target', f'-I{BUILD}/gen', '-isystem',
               os.environ.get('PICOLIBC', '/usr/lib/picolibc/riscv64-unknown-elf') + '/include', 'tests/cpu/programs/linux.S',
               'tests/shadow/device.S', *PROGRAMS[name], '-lgcc', '-Wl,--section-start=.device=0x10000000', '-o', path]
    done = run(command, cwd=ROOT)
    return done.stderr if done.returncode else None


def listens(path):
    """Whether there is somebody at a socket: its file is there a little earlier. To knock would be taken for the one visit that there is to be."""
    with open('/proc/net/unix', encoding='utf-8') as table:
        return any(line.split()[3] == '00010000' and line.rstrip().endswith(path) for line in table)


def record(path, out, each, folder):
    """What gdb says. None, or what went wrong."""
    names, sections, socket = (os.path.join(folder, name) for name in ('names', 'sections', 'socket'))
    with open(names, 'w', encoding='ascii') as file:
        file.write(run([CROSS + 'nm', path]).stdout)
    with open(sections, 'w', encoding='ascii') as file:
        file.write(run([CROSS + 'readelf', '-WS', path]).stdout.replace('[ ', '').replace('[', '').replace(']', ''))
    with subprocess.Popen(['qemu-riscv32', '-g', socket, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as qemu:
        try:
            while not listens(socket) and qemu.poll() is None:
                time.sleep(0.01)
            environment = {**os.environ, 'VALUES_TARGET': socket, 'VALUES_OUT': out, 'VALUES_STOPS': str(STOPS), 'VALUES_EACH': str(each),
                           'VALUES_NAMES': names, 'VALUES_SECTIONS': sections}
            done = run(['gdb-multiarch', '-nx', '-batch', '-x', os.path.join(HERE, 'in_gdb.py'), path], env=environment)
        finally:
            qemu.kill()
    return done.stderr if 'Traceback' in done.stderr or not os.path.exists(out) else None


def check(case):
    name, level, each = case
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, name + '.elf'), os.path.join(folder, 'record')
        problem = make(name, level, path) or record(path, out, each, folder)
        if problem:
            return f'{name} -{level}', False, problem
        good, said = True, ''
        for tool in ('compare', 'cells'):
            done = run([os.path.join(MADE, tool), path, out], cwd=ROOT)
            good &= done.returncode == 0
            lines = done.stdout.splitlines()
            said += '\n'.join('  ' + line for line in ([] if done.returncode == 0 else lines[:20]) + lines[-2 if tool == 'cells' else -1:]) + '\n'
            said += done.stderr
        return f'{name} -{level}', good, said


def main():
    everything = '--all' in sys.argv
    cases = [(name, level, 3) for name in PROGRAMS for level in LEVELS] if everything else [(*case, 1) for case in SHORT]
    passed = 0
    for what, good, said in jobs.spread(check, cases):
        print(f'{what}: {"ok" if good else "FAILED"}\n{said}', end='')
        passed += good
    print(f'{passed} passed, {len(cases) - passed} failed')
    sys.exit(passed != len(cases))


main()
