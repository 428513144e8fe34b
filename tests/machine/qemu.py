#!/usr/bin/python3
"""qemu.py: what instructions make of random operands, in qemu-riscv32 and on the machine, by both of its engines.

Each case leaves words in a table, which the program writes as it is."""
import os
import random
import subprocess
import sys

BUILD = os.environ.get('EARSHOT_BUILD', 'build')
CROSS = os.environ.get('CROSS', 'riscv64-unknown-elf-')
SEED = int(os.environ.get('EARSHOT_SEED', '1'))
CASES = int(os.environ.get('EARSHOT_CASES', '60'))  # of each instruction
MADE = os.path.join(BUILD, 'tests/machine/qemu.made')
RUN = os.path.join(BUILD, 'tests/machine/run_linux')

EDGES = (0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x55555555, 0xFFFF0000, 0x8000, 0x80, 0x01000000)
START = '  .text\n  .globl _start\n_start:\n  .option norelax\n  la s0, table\n'
END = '  la a1, table\n  sub a2, s0, a1\n  li a0, 1\n  li a7, 64\n  ecall\n  li a0, 0\n  li a7, 93\n  ecall\n'


class Cases:
    """Assembly of cases, and what each is."""

    def __init__(self, name):
        self.dice = random.Random(f'{SEED} {name}')
        self.text, self.names = [], []

    def word(self):
        return self.dice.choice(EDGES) if self.dice.random() < .4 else self.dice.getrandbits(32)

    def add(self, name, lines, results):
        self.text += lines
        for i, result in enumerate(results):
            self.text.append(f'sw {result}, {4 * i}(s0)')
            self.names.append(f'{name} ({result})')
        self.text.append(f'addi s0, s0, {4 * len(results)}')

    def program(self):
        body = ''.join(f'  {line}\n' for line in self.text)
        return START + body + END + f'  .bss\n  .balign 8\ncell: .space 16\ntable: .space {4 * len(self.names) + 64}\n'


def of_integers(cases, arch):
    """Bit manipulation, multiplication, atomics."""
    registers = ['add', 'sub', 'sll', 'slt', 'sltu', 'xor', 'srl', 'sra', 'or', 'and', 'mul', 'mulh', 'mulhsu', 'mulhu', 'div', 'divu', 'rem', 'remu']
    if 'zba' in arch:
        registers += ['sh1add', 'sh2add', 'sh3add', 'andn', 'orn', 'xnor', 'max', 'maxu', 'min', 'minu', 'rol', 'ror', 'bclr', 'bext', 'binv', 'bset',
                      'clmul', 'clmulh', 'clmulr']
        single = ['clz', 'ctz', 'cpop', 'sext.b', 'sext.h', 'zext.h', 'orc.b', 'rev8']
        shifts = ['rori', 'bclri', 'bexti', 'binvi', 'bseti', 'slli', 'srai']
    else:
        registers += ['pack', 'packh']
        single, shifts = ['brev8', 'zip', 'unzip', 'rev8'], ['rori', 'srli']
    for name in registers:
        for _ in range(CASES):
            a, b = cases.word(), cases.word()
            cases.add(f'{name} of 0x{a:08x}, 0x{b:08x}', [f'li a0, {a}', f'li a1, {b}', f'{name} a2, a0, a1'], ['a2'])
    for name in single + shifts:
        for _ in range(CASES):
            a, amount = cases.word(), cases.dice.randrange(32)
            cases.add(f'{name} of 0x{a:08x}, {amount}', [f'li a0, {a}', f'{name} a2, a0' + (f', {amount}' if name in shifts else '')], ['a2'])
    for name in ['swap', 'add', 'xor', 'and', 'or', 'min', 'max', 'minu', 'maxu']:
        for _ in range(CASES):
            a, b = cases.word(), cases.word()
            cases.add(f'amo{name} of 0x{a:08x}, 0x{b:08x}',
                      [f'li a0, {a}', f'li a1, {b}', 'la a3, cell', 'sw a0, 0(a3)', f'amo{name}.w a2, a1, (a3)', 'lw a4, 0(a3)'], ['a2', 'a4'])
    for _ in range(CASES):
        a = cases.word()
        cases.add('lr, sc', [f'li a0, {a}', 'la a3, cell', 'lr.w a1, (a3)', 'sc.w a2, a0, (a3)', 'lw a4, 0(a3)'], ['a1', 'a2', 'a4'])
        cases.add('sc', [f'li a0, {a}', 'la a3, cell', 'sc.w a2, a0, (a3)', 'snez a2, a2'], ['a2'])


def built(name, arch, text):
    path = os.path.join(MADE, name)
    with open(path + '.S', 'w', encoding='ascii') as file:
        file.write(text)
    subprocess.run([CROSS + 'gcc', f'-march={arch}', '-mabi=ilp32', '-nostdlib', '-static', path + '.S', '-o', path], check=True)
    return path


def output(command, **more):
    done = subprocess.run(command, capture_output=True, timeout=300, check=False, env={**os.environ, **more})
    if done.returncode:
        return f'{" ".join(command)} ended with {done.returncode}: {done.stderr.decode(errors="replace").strip()}'
    return done.stdout


def check(name, arch, cpu, make):
    """The cases of one program. Returns what is wrong, or ''."""
    cases = Cases(name)
    make(cases, arch)
    path = built(name, arch, cases.program())
    there = output(['qemu-riscv32', '-cpu', 'rv32,' + cpu, path])
    if not isinstance(there, bytes) or len(there) != 4 * len(cases.names):
        return f'qemu: {there if isinstance(there, str) else len(there)}'
    for more in {}, {'FAST': '1'}:
        here = output([RUN, path, arch], **more)
        if not isinstance(here, bytes):
            return here
        for i, what in enumerate(cases.names):
            one, other = (int.from_bytes(all_[4 * i:4 * i + 4], 'little') for all_ in (here, there))
            if one != other:
                return f'{what}: 0x{one:08x} here, 0x{other:08x} in qemu (EARSHOT_SEED={SEED})'
        if len(here) != len(there):
            return f'{len(here)} bytes here, {len(there)} in qemu'
    print(f'{name}: {len(cases.names)} words')
    return ''


def main():
    os.makedirs(MADE, exist_ok=True)
    checks = [('integers', 'rv32imac_zicsr_zba_zbb_zbc_zbs', 'zba=true,zbb=true,zbc=true,zbs=true', of_integers),
              ('cryptography', 'rv32ima_zicsr_zbkb', 'zbkb=true', of_integers)]
    wrong = [f'FAIL {each[0]}: {why}' for each in checks if (why := check(*each))]
    print('\n'.join(wrong + [f'{len(checks) - len(wrong)} passed, {len(wrong)} failed']))
    return bool(wrong)


sys.exit(main())
