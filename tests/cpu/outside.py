#!/usr/bin/python3
"""outside.py: what programs leave on the reference target is what they leave elsewhere. Random instructions are compared with
qemu-riscv32, compiled C of each instruction set and optimisation with the same C on this machine."""
import os
import random
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../e2e')]

import common
from common import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, 'programs')
MADE = os.path.join(common.BUILD, 'tests/cpu/outside.made')
RUN_BARE = os.path.join(common.BUILD, 'tests/cpu/run_bare')
CROSS = os.environ.get('CROSS', 'riscv64-unknown-elf-')
SEED = int(os.environ.get('SEED', '1'))
BODIES, STEPS = 24, 400
SETS = ('rv32i_zicsr', 'rv32im_zicsr', 'rv32ic_zicsr', 'rv32imc_zicsr_zifencei', 'rv32emc_zicsr')

# Registers that the random instructions use, and those of them that compressed ones can all name.
FEW = ['s0', 'a0', 'a1', 'a2', 'a3', 'a4', 'a5']
POOL = FEW + ['ra', 't0', 't1', 't2', 'a6', 'a7', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 't3', 't4']
MEMORY, BASE, COUNT, SPARE = 's1', 's11', 's10', 't6'  # memory's middle, the code's first address, rounds of a loop, an address
EDGES = (0, 1, 2, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x55555555, 0xFFFF0000, 0x8000)
REGISTER = ['add', 'sub', 'sll', 'slt', 'sltu', 'xor', 'srl', 'sra', 'or', 'and']
DIVIDING = ['mul', 'mulh', 'mulhsu', 'mulhu', 'div', 'divu', 'rem', 'remu']
IMMEDIATE = ['addi', 'slti', 'sltiu', 'xori', 'ori', 'andi']
LOADS = {'lb': 1, 'lbu': 1, 'lh': 2, 'lhu': 2, 'lw': 4}
STORES = {'sb': 1, 'sh': 2, 'sw': 4}


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != status:
        raise Failure(f'{" ".join(command)} ended with {done.returncode}: {done.stderr}')
    return done.stdout


class Body:
    """Random instructions as a procedure in assembly: (memory, where the registers go to)."""

    def __init__(self, number, dice, compressed):
        self.number, self.dice, self.compressed = number, dice, compressed
        self.labels = 0
        self.text = []

    def line(self, text):
        self.text.append('  ' + text)

    def label(self):
        self.labels += 1
        return f'.Lbody{self.number}_{self.labels}'

    def reg(self):
        return self.dice.choice(POOL)

    def compute(self):
        dice, kind = self.dice, self.dice.randrange(10)
        if kind < 3:
            self.line(f'{dice.choice(REGISTER)} {self.reg()}, {self.reg()}, {self.reg()}')
        elif kind < 5:
            self.line(f'{dice.choice(DIVIDING)} {self.reg()}, {self.reg()}, {self.reg()}')
        elif kind < 7:
            self.line(f'{dice.choice(IMMEDIATE)} {self.reg()}, {self.reg()}, {dice.randrange(-2048, 2048)}')
        elif kind == 7:
            self.line(f'{dice.choice(["slli", "srli", "srai"])} {self.reg()}, {self.reg()}, {dice.randrange(32)}')
        elif kind == 8:
            self.line(f'li {self.reg()}, {dice.choice(EDGES) if dice.random() < .5 else dice.getrandbits(32)}')
        else:
            target = self.reg()
            self.line(f'auipc {target}, {dice.getrandbits(20)}')
            self.line(f'sub {target}, {target}, {BASE}')

    def short(self):
        """An instruction that has 16 bits for certain."""
        dice, few, other = self.dice, self.dice.choice(FEW), self.dice.choice(FEW)
        amount, small = dice.randrange(1, 32), dice.choice([i for i in range(-32, 32) if i])
        self.line(dice.choice([
            f'c.addi {self.reg()}, {small}', f'c.li {self.reg()}, {small}', f'c.lui {self.reg()}, {dice.randrange(1, 32)}',
            f'c.mv {self.reg()}, {self.reg()}', f'c.add {self.reg()}, {self.reg()}', f'c.slli {self.reg()}, {amount}',
            f'c.srli {few}, {amount}', f'c.srai {few}, {amount}', f'c.andi {few}, {small}', f'c.sub {few}, {other}',
            f'c.xor {few}, {other}', f'c.or {few}, {other}', f'c.and {few}, {other}',
            f'c.lw {few}, {4 * dice.randrange(32)}({MEMORY})', f'c.sw {few}, {4 * dice.randrange(32)}({MEMORY})',
            f'c.swsp {self.reg()}, {4 * dice.randrange(32)}(sp)', f'c.lwsp {self.reg()}, {4 * dice.randrange(32)}(sp)',
            'c.nop']))

    def access(self):
        kinds = {**LOADS, **STORES}
        name = self.dice.choice(list(kinds))
        offset = self.dice.randrange(-512 // kinds[name], 508 // kinds[name]) * kinds[name]
        self.line(f'{name} {self.reg()}, {offset}({MEMORY})')

    def some(self, most):
        for _ in range(self.dice.randrange(1, most)):
            self.step(inner=True)

    def forward(self):
        """A branch, jump or call over a few instructions."""
        dice, after, kind = self.dice, self.label(), self.dice.randrange(6)
        short = 'c.' if self.compressed and dice.random() < .5 else ''
        if kind < 2:
            self.line(f'{dice.choice(["beq", "bne", "blt", "bge", "bltu", "bgeu"])} {self.reg()}, {self.reg()}, {after}')
        elif kind == 2:
            self.line(f'{short}{dice.choice(["beqz", "bnez"])} {dice.choice(FEW)}, {after}')
        elif kind == 3:
            self.line(f'{short}j {after}')
        elif kind == 4:
            self.line(f'{short}jal {after}' if short else f'jal ra, {after}')
        else:
            self.line(f'la {SPARE}, {after}')
            self.line(dice.choice([f'jalr ra, {SPARE}', f'jalr ra, 1({SPARE})']))
        self.some(4)
        self.text.append(f'{after}:')
        if kind >= 4:
            self.line(f'sub ra, ra, {BASE}')

    def called(self):
        procedure, after = self.label(), self.label()
        self.line(f'jal ra, {procedure}')
        self.line(f'j {after}')
        self.text.append(f'{procedure}:')
        self.line(f'mv {SPARE}, ra')
        self.line(f'sub ra, ra, {BASE}')
        self.line(f'sw ra, {4 * self.dice.randrange(100)}({MEMORY})')
        self.some(4)
        self.line(f'mv ra, {SPARE}')
        self.line('ret')
        self.text.append(f'{after}:')
        self.line(f'sub ra, ra, {BASE}')

    def loop(self):
        back = self.label()
        self.line(f'li {COUNT}, {self.dice.randrange(1, 6)}')
        self.text.append(f'{back}:')
        self.some(5)
        self.line(f'addi {COUNT}, {COUNT}, -1')
        self.line(f'bnez {COUNT}, {back}')

    def step(self, inner=False):
        kind = self.dice.randrange(20)
        if kind < 3:
            self.access()
        elif kind < 10 and self.compressed:
            self.short()
        elif kind == 19 and not inner:
            self.loop()
        elif kind >= 17 and not inner:
            self.forward()
        elif kind == 16 and not inner:
            self.called()
        else:
            self.compute()

    def assembly(self):
        kept = ['ra'] + [f's{i}' for i in range(12)]
        self.text = ['  .balign 4', f'body{self.number}:']
        self.line('addi sp, sp, -192')
        for i, name in enumerate(kept):
            self.line(f'sw {name}, {128 + 4 * i}(sp)')
        self.line('sw a1, 180(sp)')
        for i in range(32):
            self.line(f'sw zero, {4 * i}(sp)')
        self.line(f'addi {MEMORY}, a0, 512')
        self.line(f'la {BASE}, body{self.number}')
        for name in POOL:
            self.line(f'li {name}, {self.dice.getrandbits(32)}')
        for _ in range(STEPS):
            self.step()
        self.line(f'lw {SPARE}, 180(sp)')
        for i, name in enumerate(POOL):
            self.line(f'sw {name}, {4 * i}({SPARE})')
        for i, name in enumerate(kept):
            self.line(f'lw {name}, {128 + 4 * i}(sp)')
        self.line('addi sp, sp, 192')
        self.line('ret')
        return '\n'.join(self.text) + '\n'


def assembly(compressed):
    dice = random.Random(f'{SEED} {compressed}')
    names = range(BODIES)
    return ('  .text\n  .option norelax\n' + ''.join(Body(i, dice, compressed).assembly() for i in names)
            + '  .section .rodata\n  .balign 4\n  .globl bodies, body_count\nbodies:\n'
            + ''.join(f'  .word body{i}\n' for i in names) + f'body_count: .word {BODIES}\n')


def random_instructions(machine):
    """On the target and in qemu: the same registers and memory after each body."""
    path = os.path.join(MADE, machine)
    with open(path + '.S', 'w', encoding='ascii') as file:
        file.write(assembly('c' in machine.split('_')[0]))
    sources = [os.path.join(PROGRAMS, 'bodies.c'), path + '.S']
    run(['scripts/target-cc', '-O1', f'-march={machine}', '-DON_TARGET', f'-I{PROGRAMS}', *sources, '-o', path + '.elf'])
    run([CROSS + 'gcc', '-O1', f'-march={machine}', '-mabi=ilp32', '-nostdlib', '-ffreestanding', '-static', f'-I{PROGRAMS}',
         os.path.join(PROGRAMS, 'linux.S'), *sources, '-o', path + '.linux'])
    here, there = (run(command).splitlines() for command in ([RUN_BARE, path + '.elf'], ['qemu-riscv32', path + '.linux']))
    if len(there) < BODIES * len(POOL):
        raise Failure(f'qemu printed {len(there)} lines')
    for i, (one, other) in enumerate(zip(here, there)):
        if one != other:
            raise Failure(f'line {i} of {path}.elf: {one.strip()} here, {other.strip()} in qemu (SEED={SEED})')
    if len(here) != len(there):
        raise Failure(f'{path}.elf: {len(here)} lines here, {len(there)} in qemu')


def compiled(machine):
    """Compiled C: the same sums as on this machine."""
    source = os.path.join(PROGRAMS, 'torture.c')
    native = os.path.join(MADE, 'torture')
    run(['gcc', '-O1', '-w', f'-I{PROGRAMS}', source, '-o', native])
    wanted = run([native])
    for option in ('-O0', '-O2', '-Os'):
        path = os.path.join(MADE, f'torture-{machine}{option}.elf')
        run(['scripts/target-cc', option, f'-march={machine}', '-DON_TARGET', f'-I{PROGRAMS}', source, '-o', path])
        got = run([RUN_BARE, path])
        if got != wanted:
            raise Failure(f'{path} prints\n{got}where this machine prints\n{wanted}')


def main():
    os.makedirs(MADE, exist_ok=True)
    checks = [(f'random instructions, {machine}', lambda m=machine: random_instructions(m))
              for machine in ('rv32im_zicsr', 'rv32imc_zicsr')]
    checks += [(f'compiled, {machine}', lambda m=machine: compiled(m)) for machine in SETS]
    common.run_checks(checks)


main()
