#!/usr/bin/python3
"""generate_tasks.py SEED [DIRECTORY]: a random C program of two to four tasks for the reference target, and statements about it.

The same seed always makes the same program. There are four kernels: tasks are taken from the processor by a timer, main being one of them
or not, the timer's handler with a stack of its own or not; they yield by a function that swaps stacks; or the timer's handler calls such a
function.
"""
import random

import generator

COMMON = '''#include "target.h"
#include <stdalign.h>
#include <stdbool.h>

struct task {
    uint32_t *sp;
    struct task *next;
    bool over;
    void (*body)(void);
    alignas(16) uint32_t stack[256];
};

struct task *volatile current;
volatile int g0, g1, g2, left, rounds;
struct cell { int v; short s[2]; } cells[4];
TASKS
static uint32_t slice = SLICE;

static void choose_next(void)
{
    struct task *to = current->next;
    while (to->over && to != current)
        to = to->next;
    current = to;
}
'''

SAVED = [1] + list(range(5, 32))

ISR = '''
__attribute__((used)) static uint32_t *kernel_tick(uint32_t *sp)
{
    current->sp = sp;
    rounds++;
    if (rounds % MODULO != 0)
        choose_next();
    else
        CHOOSE_OTHER;
    target_timer_at(target_cycles() + slice + rounds % 7 * STEP);
    return current->sp;
}

static void other_way(void)
{
    g2++;
    choose_next();
}

__attribute__((naked, aligned(4))) static void timer_isr(void)
{
    __asm__ volatile("addi sp, sp, -128\\n\\t" SAVE "csrr t0, mepc\\n\\tsw t0, 0(sp)\\n\\tmv a0, sp\\n\\tcall kernel_tick\\n\\tmv sp, a0\\n\\t"
                     "lw t0, 0(sp)\\n\\tcsrw mepc, t0\\n\\t" LOAD "addi sp, sp, 128\\n\\tmret");
}

static void task_end(void)
{
    uint32_t before = target_interrupts_off();
    current->over = true;
    left--;
    target_interrupts_restore(before);
    for (;;)
        target_wait();
}

static void task_create(struct task *task, void (*body)(void))
{
    task->sp = task->stack + 256 - 32;
    task->sp[0] = (uint32_t)(uintptr_t)body;
    task->sp[1] = (uint32_t)(uintptr_t)task_end;
}
'''

SWITCH = '''
__attribute__((naked, noinline)) static void switch_to(uint32_t **save, uint32_t *load)
{
    __asm__ volatile("addi sp, sp, -64\\n\\tsw ra, 0(sp)\\n\\t" KEEP "sw sp, 0(a0)\\n\\tmv sp, a1\\n\\tlw ra, 0(sp)\\n\\t" FIND
                     "addi sp, sp, 64\\n\\tret");
}

static void task_create(struct task *task, void (*body)(void))
{
    task->body = body;
    task->sp = task->stack + 256 - 16;
    task->sp[0] = (uint32_t)(uintptr_t)BEGIN;
}
'''

YIELD = '''
static void yield(void)
{
    struct task *before = current;
    choose_next();
    g2++;
    if (current != before)
        switch_to(&before->sp, current->sp);
}

static void pass(void)
{
    g1++;
    yield();
}

static void task_end(void)
{
    current->over = true;
    left--;
    for (;;)
        yield();
}
'''

IN_HANDLER = '''
static void task_end(void)
{
    uint32_t before = target_interrupts_off();
    current->over = true;
    left--;
    target_interrupts_restore(before);
    for (;;)
        target_wait();
}

static void task_begin(void)
{
    __asm__ volatile("csrsi mstatus, 8");
    current->body();
    task_end();
}

__attribute__((used)) static void kernel_tick(void)
{
    struct task *before = current;
    rounds++;
    target_timer_at(target_cycles() + slice + rounds % 7 * STEP);
    choose_next();
    if (current != before)
        switch_to(&before->sp, current->sp);
    g2++;
}

__attribute__((naked, aligned(4))) static void timer_isr(void)
{
    __asm__ volatile("addi sp, sp, -128\\n\\t" SAVE "csrr t0, mepc\\n\\tsw t0, 0(sp)\\n\\tcall kernel_tick\\n\\t"
                     "lw t0, 0(sp)\\n\\tcsrw mepc, t0\\n\\t" LOAD "addi sp, sp, 128\\n\\tmret");
}
'''


def moves(insn, registers, first=4):
    return '"' + ''.join(f'{insn} x{r}, {(4 * r if first is None else first + 4 * i)}(sp)\\n\\t' for i, r in enumerate(registers)) + '"'


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kernel = ('main', 'first', 'yield', 'handler')[seed % 4]
        self.own_stack = random.Random(f'stack {seed}').randrange(2)   # for interrupts
        self.later = random.Random(f'later {seed}')   # of what pointers do
        self.calls, self.locals = {}, {}

    # --- the program ---------------------------------------------------------------------------------

    def procedures(self):
        lines = []
        self.names = [f'p{i}' for i in range(self.random.randrange(3, 6))]
        lines += [f'static void {name}(int n);' for name in self.names] + ['']
        for i, name in enumerate(self.names):
            later = self.names[i + 1:]
            callees = [self.pick(later) for _ in range(self.random.randrange(1, 3))] if later else []
            self.calls[name] = callees
            self.locals[name] = [f'{name}_{k}' for k in range(self.random.randrange(1, 3))]
            lines += [f'static void {name}(int n)', '{']
            lines += [f'    int {local} = n + {self.random.randrange(9)};' for local in self.locals[name]]
            lines += [f'    struct cell *{name}_p = &cells[n & 3];']
            places = self.locals[name] + ['g0', 'g1']
            for callee in callees:
                lines.append(f'    {self.pick(places)} += {self.random.randrange(1, 20)};')
                if self.kernel == 'yield' and self.chance(50):
                    lines.append(f'    {self.pick(["yield", "yield", "pass"])}();')
                if self.chance(30):
                    lines.append(f'    if (g{self.random.randrange(2)} & {self.pick([1, 2, 4])})')
                lines.append(f'    {callee}({self.pick(self.locals[name])} & 15);')
                lines.append('    ' + self.later.choice([f'{name}_p->v += {self.later.randrange(9)};', f'{name}_p->s[n & 1]++;',
                                                         f'{name}_p = &cells[{self.later.randrange(4)}];', f'cells[{self.later.randrange(4)}].v ^= n;']))
            if self.kernel == 'yield' and not callees:
                lines.append('    yield();')
            lines.append(f'    {name}_p->v -= n;')
            lines += [f'    {self.pick(places)} ^= {self.random.randrange(1, 20)};', f'    g0 += {self.locals[name][0]};', '}', '']
        return lines

    def bodies(self):
        lines = []
        self.tasks = [f'body{i}' for i in range(self.random.randrange(2, 5) - (self.kernel == 'main'))]
        for name in self.tasks:
            self.calls[name] = [self.pick(self.names[:2]) for _ in range(self.random.randrange(1, 3))]
            self.locals[name] = [f'{name}_n']
            lines += [f'static void {name}(void)', '{', f'    for (int {name}_n = 0; {name}_n < {self.random.randrange(3, 9)}; {name}_n++) {{']
            lines += [f'        {callee}({name}_n);' for callee in self.calls[name]] + ['    }']
            if self.kernel == 'yield' or (self.kernel != 'handler' and self.chance(40)):
                lines.append('    task_end();')
            lines += ['}', '']
        return lines

    def main(self):
        lines = ['int main(void)', '{', f'    left = {len(self.tasks)};']
        for i, name in enumerate(self.tasks):
            lines.append(f'    task_create(&{name}_task, {name});')
        callee = self.pick(self.names)
        self.calls['main'] = [callee] if self.kernel in ('main', 'handler') else []
        ring = [f'{name}_task' for name in self.tasks] + (['main_task'] if self.kernel != 'first' else [])
        lines += [f'    {a}.next = &{b};' for a, b in zip(ring, ring[1:] + ring[:1])]
        if self.kernel == 'first':
            lines += [f'    current = &{ring[0]};', '    target_timer_at(target_cycles() + 900);',
                      '    __asm__ volatile("csrw mtvec, %0\\n\\tli t0, 128\\n\\tcsrs mie, t0" :: "r"(timer_isr) : "t0");', '    start_first(current->sp);']
        elif self.kernel == 'yield':
            lines += ['    current = &main_task;', '    while (left)', '        pass();']
        else:
            lines += ['    current = &main_task;', '    target_timer_at(target_cycles() + 900);', '    target_interrupts_on(timer_isr);',
                      '    while (left) {', f'        {callee}(left);', '    }', '    target_interrupts_off();']
        lines += ['    return 0;', '}']
        return lines

    def make_program(self):
        tasks = self.procedures(), self.bodies(), self.main()
        text = COMMON.replace('SLICE', str(self.random.randrange(900, 1500)))
        text = text.replace('TASKS', 'struct task main_task' + ''.join(f', {name}_task' for name in self.tasks) + ';')
        if self.kernel in ('main', 'first'):
            text += ISR.replace('CHOOSE_OTHER', 'other_way()')
            if self.own_stack:
                text = text.replace('mv a0, sp\\n\\tcall', 'mv a0, sp\\n\\tla sp, interrupt_stack + 1024\\n\\tcall')
                text = text.replace('volatile int g0', 'alignas(16) uint32_t interrupt_stack[256];\nvolatile int g0')
            text = text.replace('__attribute__((used)) static uint32_t *kernel_tick', 'static void other_way(void);\n\n__attribute__((used)) '
                                'static uint32_t *kernel_tick')
        else:
            text += SWITCH.replace('BEGIN', 'body' if self.kernel == 'yield' else 'task_begin')
            text = text.replace('__attribute__((naked, noinline)) static', 'static void task_begin(void);\n\n__attribute__((naked, noinline)) '
                                'static') if self.kernel == 'handler' else text
            text += YIELD if self.kernel == 'yield' else IN_HANDLER
        if self.kernel == 'first':
            text = text.replace('    left--;\n', '    if (--left == 0)\n        _exit(0);\n').replace('#include "target.h"', '#include "target.h"\n#include <unistd.h>')
            text += ('\n__attribute__((naked, noinline)) static void start_first(uint32_t *sp)\n{\n    __asm__ volatile("mv sp, a0\\n\\tlw t0, 0(sp)\\n\\t"\n'
                     '                     "csrw mepc, t0\\n\\tli t0, 0x1880\\n\\tcsrs mstatus, t0\\n\\t" LOAD "addi sp, sp, 128\\n\\tmret");\n}\n')
        text = text.replace('SAVE', moves('sw', SAVED, None)).replace('LOAD', moves('lw', SAVED, None))
        saved = [8, 9] + list(range(18, 28))
        text = text.replace('KEEP', moves('sw', saved)).replace('FIND', moves('lw', saved))
        text = text.replace('MODULO', str(self.random.randrange(2, 5))).replace('STEP', str(self.random.randrange(3, 90)))
        return text + '\n' + '\n'.join(tasks[0] + tasks[1] + tasks[2]) + '\n'

    # --- statements ----------------------------------------------------------------------------------

    def reached(self):
        found, todo = set(), self.tasks + ['main']
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self.calls[name]
        return found

    def path(self):
        name = self.pick(self.tasks + [n for n in self.names[:2] if n in self.reached()])
        steps = [name]
        while self.calls.get(name) and self.chance(60):
            name = self.pick(self.calls[name])
            steps += ['*'] * self.chance(15) + [name]
        return ':'.join(steps), name

    def local(self):
        path, name = self.path()
        return f'{path if self.chance(40) else name}\\{self.pick(self.locals[name])}'

    def statement(self):
        path, name = self.path()
        kernel = {'yield': ['yield', 'pass', 'switch_to'], 'handler': ['kernel_tick', 'timer_isr', 'switch_to']}.get(
            self.kernel, ['kernel_tick', 'timer_isr', 'other_way'])
        roll = self.random.randrange(100)
        g = f'g{self.random.randrange(3)}'
        if roll < 12:
            return f'write(current) && {path.split(":")[0]}:*:{name}' if ':' in path else 'write(current)'
        if roll < 22:
            return f'{self.pick(["enter", "leave"])}({self.pick(kernel + ["choose_next", "task_end"])})'
        if roll < 40:
            return f'{self.pick(["enter", "leave"])}({path})'
        if roll < 55:
            return f'write({g}) && {path}' if ':' in path else f'write({g})'
        if roll < 65:
            return f'{self.pick(["enter", "leave"])}({name}) && left > {self.random.randrange(3)}'
        if roll < 72:
            return f'enter({self.pick(self.tasks)}) || leave({self.pick(self.tasks)})'
        local = self.local()
        if roll < 85:
            return f'{local} != old({local})' if self.chance(50) else f'write({local})'
        return f'write({g}) && {local} > {self.random.randrange(9)}'

    def statements(self):
        made = []
        for i in range(self.later.randrange(1, 5)):
            path, name = self.path()
            if name not in self.names:
                continue
            place = f'{path if self.later.random() < 0.3 else name}\\{name}_p->{self.later.choice(["v", "v", "s[1]", f"s[{name}_n & 1]"])}'.replace(f'{name}_n', f'{name}\\n')
            made.append(f't{i}: when {self.later.choice([f"write({place})", f"{place} > 3", f"{place} != 0 && write(g0)"])} {{ print {place} }}')
        for i in range(self.random.randrange(8, 15)):
            term = self.statement()
            local = f', {term.split(" ")[0]}' if '\\' in term and term[0] not in 'w(' else ''
            made.append(f's{i}: when {term} {{ print {self.pick(["g0", "g1", "current"])}{local} }}')
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    source = made.make_program()
    return source, made.statements(), '-O0'


if __name__ == '__main__':
    generator.main('tasks', make, lambda seed: 'tasks current\n')
