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


SINGLES = (0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 1, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
           0x4F000000, 0xCF000000, 0x4F800000, 0x3F000000, 0x3FC00000, 0x40200000, 0x4EFFFFFF, 0xBF000000)
DOUBLES = (0, 1 << 63, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, (0x7FF0 << 48) + 1, 1, (1 << 63) + 1, 0x000FFFFFFFFFFFFF, 1 << 52, 0x3FF0 << 48, 0xBFF0 << 48,
           0x7FEFFFFFFFFFFFFF, 0x41DFFFFFFFC00000, 0x41E0 << 48, 0xC1E0 << 48, 0x41EFFFFFFFF00000, 0x3FE0 << 48, 0x3FF8 << 48, 0x47EFFFFFF0000000, 0x3690 << 48)
MODES = ('rne', 'rtz', 'rdn', 'rup')
ROUNDED = {'fadd': 2, 'fsub': 2, 'fmul': 2, 'fdiv': 2, 'fsqrt': 1, 'fmadd': 3, 'fmsub': 3, 'fnmsub': 3, 'fnmadd': 3}
PLAIN = ('fsgnj', 'fsgnjn', 'fsgnjx', 'fmin', 'fmax')
COMPARED = ('feq', 'flt', 'fle')


def float_bits(cases, wide):
    dice, size = cases.dice, 64 if wide else 32
    kind = dice.random()
    if kind < .35:
        return dice.choice(DOUBLES if wide else SINGLES)
    if kind < .7:  # of exponents close to each other
        mantissa = 52 if wide else 23
        exponent = (1023 if wide else 127) + dice.randrange(-4, 34)
        bits = dice.getrandbits(mantissa) if dice.random() < .5 else dice.getrandbits(5) << (mantissa - 5)
        return dice.getrandbits(1) << (size - 1) | exponent << mantissa | bits
    return dice.getrandbits(size)


class Registers:
    """How cases of one kind load operands, and take results."""

    def __init__(self, wide, inside):
        self.wide, self.inside, self.suffix = wide, inside, 'd' if wide else 's'

    def operand(self, number):
        return ('a0', 'a2', 'a4')[number] if self.inside else ('fa0', 'fa1', 'fa2')[number]

    def load(self, number, bits):
        low, high = bits & 0xFFFFFFFF, bits >> 32
        if self.inside:
            reg = 'a' + str(2 * number)
            return [f'li {reg}, {low}'] + ([f'li a{2 * number + 1}, {high}'] if self.wide else [])
        if self.wide:
            return ['la t0, cell', f'li t1, {low}', 'sw t1, 0(t0)', f'li t1, {high}', 'sw t1, 4(t0)', f'fld {self.operand(number)}, 0(t0)']
        return [f'li t1, {low}', f'fmv.w.x {self.operand(number)}, t1']

    result = property(lambda self: 's2' if self.inside else 'fa3')

    def take(self, wide):
        if self.inside:
            return [], ['s2', 's3'] if wide else ['s2']
        if wide:
            return ['la t0, cell', 'fsd fa3, 0(t0)', 'lw s2, 0(t0)', 'lw s3, 4(t0)'], ['s2', 's3']
        return (['la t0, cell', 'fsw fa3, 0(t0)', 'lw s2, 0(t0)'], ['s2'])


def of_floats(cases, arch):
    inside = 'finx' in arch
    for wide in (False, True) if ('zdinx' in arch or 'fd' in arch) else (False,):
        of_size(cases, Registers(wide, inside))
    if not inside and 'fd' in arch:  # a single that is none, and what stays of one
        for _ in range(CASES):
            load, bits = Registers(True, False), float_bits(cases, True)
            cases.add(f'fadd.s of 0x{bits:016x}', load.load(0, bits) + ['fadd.s fa3, fa0, fa0', 'la t0, cell', 'fsd fa3, 0(t0)', 'lw s2, 0(t0)', 'lw s3, 4(t0)',
                                                                      'frflags a6', 'fsflags zero'], ['s2', 's3', 'a6'])


def of_size(cases, registers):
    one, other = registers.suffix, 's' if registers.wide else 'd'
    flags, rounding = ['frflags a6', 'fsflags zero'], cases.dice

    def case(text, count, wide, mode=''):
        bits = [float_bits(cases, registers.wide) for _ in range(count)]
        loads = [line for i, each in enumerate(bits) for line in registers.load(i, each)]
        operands = ', '.join(registers.operand(i) for i in range(count))
        take, results = (registers.take(wide) if wide is not None else ([], ['s2']))
        cases.add(f'{text} {mode} of ' + ', '.join(f'0x{each:x}' for each in bits),
                  loads + [f'{text} {registers.result if wide is not None else "s2"}, {operands}' + (', ' + mode if mode else '')] + flags + take, results + ['a6'])

    for name, count in ROUNDED.items():
        for _ in range(2 * CASES):
            case(f'{name}.{one}', count, registers.wide, rounding.choice(MODES))
    for name in PLAIN:
        for _ in range(CASES):
            case(f'{name}.{one}', 2, registers.wide)
    for name in COMPARED:
        for _ in range(CASES):
            case(f'{name}.{one}', 2, None)
    for _ in range(2 * CASES):
        case(f'fclass.{one}', 1, None)
        case(f'fcvt.w.{one}', 1, None, rounding.choice(MODES + ('rmm',)))
        case(f'fcvt.wu.{one}', 1, None, rounding.choice(MODES + ('rmm',)))
        if registers.wide:
            case('fcvt.s.d', 1, False, rounding.choice(MODES))
        for name in 'w', 'wu':
            word, mode = cases.word(), '' if registers.wide else ', ' + rounding.choice(MODES)
            take, results = registers.take(registers.wide)
            cases.add(f'fcvt.{one}.{name}{mode} of 0x{word:x}', [f'li t1, {word}', f'fcvt.{one}.{name} {registers.result}, t1{mode}'] + flags + take, results + ['a6'])
    if registers.wide:
        narrow = Registers(False, registers.inside)
        for _ in range(CASES):
            bits = float_bits(cases, False)
            take, results = registers.take(True)
            cases.add(f'fcvt.d.s of 0x{bits:x}', narrow.load(0, bits) + [f'fcvt.d.{other} {registers.result}, {registers.operand(0)}'] + flags + take, results + ['a6'])
    for _ in range(CASES):  # by frm
        mode, bits = rounding.randrange(4), [float_bits(cases, registers.wide) for _ in range(2)]
        take, results = registers.take(registers.wide)
        cases.add(f'fdiv.{one} by frm {mode} of 0x{bits[0]:x}, 0x{bits[1]:x}',
                  registers.load(0, bits[0]) + registers.load(1, bits[1])
                  + [f'fsrmi {mode}', f'fdiv.{one} {registers.result}, {registers.operand(0)}, {registers.operand(1)}', 'csrr a6, fcsr', 'fscsr zero'] + take, results + ['a6'])


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


def whole_program(level):
    """A program with pushes and pops of Zcmp, as clang makes them, against the same one without, which qemu executes."""
    def made(arch):
        path = os.path.join(MADE, f'frames-{arch}{level}')
        subprocess.run(['clang-19', '--target=riscv32-unknown-elf', f'-march={arch}', '-mabi=ilp32', level, '-ffreestanding', '-c', 'tests/machine/frames.c',
                        '-o', path + '.o'], check=True)
        subprocess.run([CROSS + 'ld', '-m', 'elf32lriscv', '-static', '-e', '_start', path + '.o', '-o', path], check=True)
        return path
    there, path = output(['qemu-riscv32', made('rv32imc')]), made('rv32imc_zcmp')
    with open(path, 'rb') as file:
        halves = file.read()
    pushes = sum(halves[i] & 3 == 2 and halves[i + 1] in (0xB8, 0xBC, 0xBE) for i in range(0, len(halves), 2))
    if not isinstance(there, bytes) or len(there) != 48 or pushes < 10:
        return f'qemu: {there}, {pushes} pushes and pops'
    for more in {}, {'FAST': '1'}:
        here = output([RUN, path, 'rv32imc_zicsr_zcmp'], **more)
        if here != there:
            return f'frames.c {level}: {here!r} here, {there!r} in qemu'
    print(f'frames.c {level}: {pushes} pushes and pops')
    return ''


def main():
    os.makedirs(MADE, exist_ok=True)
    checks = [('integers', 'rv32imac_zicsr_zba_zbb_zbc_zbs', 'zba=true,zbb=true,zbc=true,zbs=true', of_integers),
              ('cryptography', 'rv32ima_zicsr_zbkb', 'zbkb=true', of_integers),
              ('singles', 'rv32imaf_zicsr', 'd=false', of_floats),
              ('doubles', 'rv32imafdc_zicsr', 'd=true', of_floats),
              ('singles-in-integers', 'rv32ima_zicsr_zfinx', 'f=false,d=false,zfinx=true', of_floats),
              ('doubles-in-integers', 'rv32ima_zicsr_zfinx_zdinx', 'f=false,d=false,zfinx=true,zdinx=true', of_floats)]
    wrong = [f'FAIL {each[0]}: {why}' for each in checks if (why := check(*each))]
    levels = ['-O1', '-O2', '-Oz']
    wrong += [f'FAIL {level}: {why}' for level in levels if (why := whole_program(level))]
    checks += levels
    print('\n'.join(wrong + [f'{len(checks) - len(wrong)} passed, {len(wrong)} failed']))
    return bool(wrong)


sys.exit(main())
