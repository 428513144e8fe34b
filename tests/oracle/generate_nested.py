#!/usr/bin/python3
"""generate_nested.py SEED [DIRECTORY]: a random C program whose interrupt handlers are interrupted, and statements about it.

The calls are those of generate_paths.py; a timer and an alarm, which comes at random times near the timer's, are handled by one handler that
asks for the cause, or by two that let each other, or also themselves, interrupt. The same seed always makes the same program.
"""
import random

import generate_paths
import generator


class Generator(generate_paths.Generator):
    INTERRUPTS = 100
    WORK = '3'
    START = ['target_cycles', 'target_timer_at', 'target_interrupts_enable', 'target_interrupts_on']

    def handlers(self, names):
        self.kind = self.pick(['one', 'two', 'two'])
        self.deepest = self.random.randrange(2, 6)   # handlers at once, at most
        self.most = self.random.randrange(20, 90)
        self.lines += ['volatile int ticks, alarms, nested;', '']
        if self.kind == 'one':
            self.handler('isr', names, True)
            return
        self.lines += ['__attribute__((interrupt("machine"), aligned(4))) void alarm_isr(void);', '']
        self.handler('isr', names, False)
        self.handler('alarm_isr', names, False)

    def next_times(self, source):
        """C statements that set the sources' next times, and their calls."""
        counter = 'ticks' if source == 'TARGET_TIMER' else 'alarms'
        alarm = f'target_alarm_at({counter} < {self.most} ? target_cycles() + {self.random.randrange(20, 400)} + (target_random() & 255) : ~0ull);'
        timer = f'target_timer_at({counter} < {self.most} ? target_cycles() + {self.random.randrange(300, 2500)} + (target_random() & 511) : ~0ull);'
        calls = ['target_cycles', 'target_random', 'target_timer_at', 'target_cycles', 'target_random', 'target_alarm_at']
        if source == 'TARGET_TIMER':   # after it, an alarm that may come before the handler has ended
            return ['    ticks++;', f'    {timer}', f'    {alarm}'], calls
        if self.chance(50):
            return ['    alarms++;', f'    {alarm}'], calls[3:]
        return ['    alarms++;', '    target_alarm_at(~0ull);'], ['target_alarm_at']

    def handler(self, name, names, both):
        """A handler, of one source or of both, that lets itself be interrupted while it does its work."""
        source = 'TARGET_TIMER' if name == 'isr' else 'TARGET_ALARM'
        lines, calls = self.next_times(source)
        self.lines += [f'__attribute__((interrupt("machine"), aligned(4))) void {name}(void)', '{', '    nested++;']
        if both:
            other, more = self.next_times('TARGET_ALARM')
            self.lines += ['    if (target_source() == TARGET_TIMER) {'] + lines + ['    } else {'] + other + ['    }']
            calls = ['target_source'] + calls + more
        else:
            self.lines += lines
        sources, ending = 'TARGET_TIMER | TARGET_ALARM', ['    target_nesting_end(nesting);']
        if not both:   # isr takes whatever has come, alarm_isr only the alarm
            sources = self.pick([sources, 'TARGET_ALARM', 'TARGET_ALARM'] + ['TARGET_TIMER'] * (name == 'alarm_isr'))
            inner = 'alarm_isr' if sources == 'TARGET_ALARM' and self.chance(70) else 'isr'
            self.lines += ['    void *before;', '    __asm__ volatile("csrr %0, mtvec" : "=r"(before));',
                           f'    __asm__ volatile("csrw mtvec, %0" : : "r"({inner}));']
            ending.append('    __asm__ volatile("csrw mtvec, %0" : : "r"(before));')
        self.lines.append(f'    struct target_nesting nesting = target_nesting_begin(nested < {self.deepest} ? {sources} : 0);')
        callees = [self.pick(names) for _ in range(self.random.randrange(0, 3))]
        self.body(name, callees, True, ending + ['    nested--;'])
        self.calls[name] = calls + ['target_nesting_begin'] + self.calls[name] + ['target_nesting_end']
        self.isrs.append(name)

    def start_interrupts(self):
        self.lines += ['    target_timer_at(target_cycles() + 500);', '    target_interrupts_enable(TARGET_ALARM);', '    target_interrupts_on(isr);']

    def path(self, exact=False):
        """Half of them are about handlers that have interrupted others."""
        if exact or self.chance(50):
            return super().path(exact)
        outer, inner = self.pick(self.isrs), self.pick(self.isrs)
        steps, name = [outer, '*', inner], inner
        if outer == inner and self.chance(50):
            steps = [f'{outer}[{self.random.randrange(1, 4)}]']
        if self.chance(30):
            steps = ['main', '*'] + steps
        if self.chance(50):
            callees = [callee for _, callee in self.callees(inner) if callee]
            if callees:
                name = self.pick(callees)
                steps += [name]
        if len(steps) == 1:
            steps = ['main', '*'] + steps
        return ':'.join(steps), name

    def of_handler(self):
        name = self.pick(self.isrs)
        path = self.pick([name, name, f'{name}[{self.random.randrange(1, 4)}]', f'main:*:{name}[{self.random.randrange(1, 3)}]',
                          f'{self.pick(self.isrs)}:*:{name}'])
        return f'{path}\\{self.pick(self.locals[name])}'

    def local_term(self):
        """What an interrupt cut off has its locals only from the stores at its beginning on: events here are what comes later."""
        roll = self.random.randrange(100)
        local = self.of_handler() if self.chance(70) else self.local()
        if roll < 30:
            return f'{local} > {self.random.randrange(60)}'
        if roll < 50:
            return f'{local} != old({local})'
        if roll < 60:
            return f'write({local})'
        return f'write(g{self.random.randrange(3)}) && {self.of_handler()} != {self.random.randrange(9)}'

    def statements(self):
        made = []
        for i in range(self.random.randrange(8, 16)):
            term = self.local_term() if self.chance(50) else self.term()
            also = f', {self.of_handler()}' if term.startswith('write(g') and self.chance(30) else ''
            made.append(f's{i}: when {term} {{ print {self.pick(["g0", "g1", "g0, g2", "nested"])}{also} }}')
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    made.random = random.Random(f'nested {seed}')
    source = made.make_program()
    return source, made.statements(), '-O0'


if __name__ == '__main__':
    generator.main('nested', make)
