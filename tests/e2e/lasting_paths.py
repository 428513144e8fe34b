"""What lasts while a path does, for lasting.py: a random program of procedures that call each other, directly, through pointers, as tail calls and
recursively, with frames of unknown size and interrupts; and statements about which of them are active.

The order of calls and returns is what the same source prints when it is compiled for this machine. Their times, and those of writes, are those
of plain statements in a run of its own. What should be hit follows from these by what docs/statements.md says, with a stack of letters on which
a path is a regular expression."""
import os
import random
import re

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/lasting-programs')
NAMES = {'m': 'main', 'a': 'fa', 'b': 'fb', 'c': 'fc', 'd': 'fd', 't': 'tail', 'v': 'vary', 'p': 'pause', 'i': 'isr'}
FIRST = {'x': 5, 'y': 2}
HEAD = '''
#ifdef HOST
#include <stdio.h>
#define IN(f) puts("enter " f)
#define OUT(f) puts("leave " f)
#define WAIT(n)
#else
#include "target.h"
#define IN(f)
#define OUT(f)
#define WAIT(n) __asm__ volatile("li t0, %0\\n1: addi t0, t0, -1\\nbnez t0, 1b" : : "i"(n) : "t0")
#endif
#define ALONE __attribute__((noinline, noclone, noipa))
volatile unsigned x = 5, y = 2;
ALONE void fa(unsigned n); ALONE void fb(unsigned n); ALONE void fc(unsigned n); ALONE void fd(unsigned n);
ALONE void tail(unsigned n); ALONE void vary(unsigned n); ALONE unsigned pause(unsigned n);
void (*const volatile called[])(unsigned) = {fa, fb, fc, fd, tail, vary};
ALONE unsigned pause(unsigned n) { IN("pause"); for (unsigned i = 0; i < n; i++) __asm__ volatile("" : "+r"(n)); OUT("pause"); return n; }
'''
ISR = '''
#ifndef HOST
static uint64_t next;
__attribute__((interrupt("machine"), aligned(4))) void isr(void) { next += PERIOD; target_timer_at(next); pause(2); }
#endif
'''


def body(draw, name):
    lines, called = [], False
    for _ in range(draw.randrange(3, 7)):
        step = draw.randrange(10)
        if step < 3:
            lines.append(f'{draw.choice("xy")} = {draw.randrange(8)};')
        elif step < 5:
            lines.append(f'WAIT({draw.choice((3, 20, 60, 150))});')
        elif step < 6:
            lines.append(f'pause({draw.choice((1, 8, 30))});')
        elif step < 8 or not called:
            lines.append(f'if (n) {draw.choice(["fa", "fb", "fc", "fd", "tail", "vary", name])}(n - 1);')
            called = True
        else:
            lines.append(f'if (n) called[{draw.randrange(6)}](n - 1);')
            called = True
    return ' '.join(lines)


def source(draw, interrupts):
    made = [HEAD]
    for name in ('fa', 'fb', 'fc', 'fd'):
        made.append(f'void {name}(unsigned n) {{ IN("{name}"); {body(draw, name)} WAIT(5); OUT("{name}"); }}')
    made.append('void tail(unsigned n) { IN("tail"); WAIT(10); y = n;')
    made.append('#ifdef TAIL')
    made.append('    OUT("tail"); fa(n ? n - 1 : 0); }')
    made.append('#else')
    made.append('    fa(n ? n - 1 : 0); OUT("tail"); }')
    made.append('#endif')
    made.append(f'void vary(unsigned n) {{ IN("vary"); volatile char some[n + 5]; some[n] = 1; {body(draw, "vary")} some[0] = 2; OUT("vary"); }}')
    made.append(ISR.replace('PERIOD', str(draw.choice((1500, 2300, 4100)))))
    made.append('int main(void) { IN("main");')
    if interrupts:
        made += ['#ifndef HOST', 'next = 700; target_timer_at(next); target_interrupts_on(isr);', '#endif']
    for _ in range(16):
        made.append(f'    {draw.choice("xy")} = {draw.randrange(8)}; {draw.choice(["fa", "fb", "fc", "fd", "tail", "vary"])}({draw.randrange(1, 5)}); WAIT(40);')
    made += ['#ifndef HOST', 'target_timer_at(UINT64_MAX);', '#endif', '    OUT("main"); return 0; }', '']
    return '\n'.join(made)


def calls_in(text):
    """Pairs of letters: who calls whom. An interrupt comes in all that may be called."""
    letters, found = {name: letter for letter, name in NAMES.items()}, set()
    for line in text.splitlines():
        caller = re.match(r'(?:ALONE )?(?:void|unsigned|int|.*void) (\w+)\(.*\{', line)
        inside = letters.get(caller.group(1)) if caller else 'm' if line.startswith('    ') and 'WAIT(40)' in line else None
        called = line[caller.end():] if caller else line
        for name, letter in letters.items():
            if inside and re.search(rf'\b{name}\(', called):
                found.add((inside, letter))
        if inside and 'called[' in called:
            found.update((inside, letter) for letter in 'abcdtv')
    return found


# --- paths -------------------------------------------------------------------------------------

class Path:
    """A path as a condition: its text, and a regular expression of the stacks whose innermost activation it denotes."""

    def __init__(self, draw, calls):
        """calls: pairs of letters, who calls whom."""
        steps, text, before, self.pattern = draw.choice((1, 1, 1, 2, 2, 3)), [], '', '.*'
        for number in range(steps):
            letter = draw.choice('abcdtvpi' if number else 'mabcdtvp')
            if number and (draw.random() < 0.3 or (before, letter) not in calls):
                text.append('*')
                self.pattern += '.*'
            nest = draw.randrange(2, 4) if draw.random() < 0.25 and letter != 'm' and (not number or text[-1] == '*') else 1
            text.append(NAMES[letter] + (f'[{nest}]' if nest > 1 else ''))
            if nest > 1:   # the innermost one that stands so deep, counted from where the path's gap begins
                self.pattern = self.pattern[:-2] + f'(?:[^{letter}]*{letter}){{{nest}}}'
            elif letter == 'm':
                self.pattern = 'm'
            else:
                self.pattern += letter
            before = letter
        self.exact = draw.random() < 0.5
        self.text = ('path == ' if self.exact else '' if len(text) > 1 else '*:') + ':'.join(text)
        self.compiled = re.compile(self.pattern)

    def is_true(self, stack):
        if self.exact:
            return bool(self.compiled.fullmatch(stack))
        return any(self.compiled.fullmatch(stack[:end]) for end in range(1, len(stack) + 1))


class Condition:
    """text; is_true(stack, values); variables: writes to these are its events, paths: changes of these."""

    def __init__(self, text, is_true, variables, paths):
        self.text, self.is_true, self.variables, self.paths = text, is_true, variables, paths


def of_path(draw, calls):
    path = Path(draw, calls)
    return Condition(path.text, lambda stack, values: path.is_true(stack), set(), [path])


def of_value(draw):
    name, bound = draw.choice('xy'), draw.randrange(6)
    return Condition(f'{name} > {bound}', lambda stack, values: values[name] > bound, {name}, [])


def denied(one):
    return Condition(f'!({one.text})', lambda stack, values: not one.is_true(stack, values), one.variables, one.paths)


def joined(draw, one, other):
    word = draw.choice(('&&', '&&', '||'))
    def is_true(stack, values):
        both = one.is_true(stack, values), other.is_true(stack, values)
        return all(both) if word == '&&' else any(both)
    return Condition(f'({one.text}) {word} ({other.text})', is_true, one.variables | other.variables, one.paths + other.paths)


def condition(draw, calls):
    made = of_path(draw, calls)
    if draw.random() < 0.25:
        made = denied(made)
    if draw.random() < 0.6:
        other = of_value(draw) if draw.random() < 0.7 else of_path(draw, calls)
        made = joined(draw, *((made, other) if draw.random() < 0.5 else (other, made)))
    return made


# --- what should be hit ------------------------------------------------------------------------

class Run:
    """changes: [(time, stack, values)], as they are from a time on; written: {time: name}."""

    def __init__(self, events, end):
        stack, values = '', dict(FIRST)
        self.changes, self.end, self.written = [(0, '', dict(FIRST))], end, {}
        letters = {name: letter for letter, name in NAMES.items()}
        for time, what, which in events:
            if what == 'enter':
                stack += letters[which]
            elif what == 'leave':
                if stack[-1:] != letters[which]:
                    raise Failure(f'{which} is left at {time}, but {stack} are active')
                stack = stack[:-1]
            else:
                values[what] = which
                self.written.setdefault(time, set()).add(what)
            if self.changes[-1][0] == time:
                self.changes.pop()
            self.changes.append((time, stack, dict(values)))

    def before(self, time):
        return [change for change in self.changes if change[0] < time][-1]

    def lasts(self, of, clocks):
        """(times at which `of` had been true for so long, values then)."""
        found, since, truths = [], None, [path.is_true('') for path in of.paths]
        for time, stack, values in self.changes[1:] + [(float('inf'), '', {})]:
            now = [path.is_true(stack) for path in of.paths]
            if time != float('inf') and now == truths and not self.written.get(time, set()) & of.variables:
                continue
            truths = now
            if since is not None and since + clocks <= min(time, self.end):
                found.append(since + clocks)
                since = float('inf')   # once
            true = time != float('inf') and of.is_true(stack, values)
            since = None if not true else time if since is None else since
        return [(time, self.before(time)[2]) for time in found]

    def stays(self, name, clocks, of):
        """Where x had been unchanged for so long while `of` was true."""
        times, value = [0], FIRST[name]
        for time, _, values in self.changes:
            if values[name] != value:
                times.append(time)
                value = values[name]
        moments = [time + clocks for time, later in zip(times, times[1:] + [float('inf')]) if time + clocks <= min(later, self.end)]
        states = [(moment, self.before(moment)) for moment in moments]
        return [(moment, values) for moment, (_, stack, values) in states if of.is_true(stack, values)]


def statements(draw, calls):
    """[(text, function of a Run: what should be hit)]"""
    made = []
    for _ in range(14):
        of, clocks = condition(draw, calls), draw.choice((60, 150, 400, 1000, 2500, 6000))
        made.append((f'{of.text} for {clocks} cycles {{ print x, y }}', lambda run, of=of, clocks=clocks: run.lasts(of, clocks)))
    for _ in range(6):
        of, clocks, name = condition(draw, calls), draw.choice((60, 150, 400, 1000)), draw.choice('xy')
        parts = [f'({of.text})', f'{name} unchanged for {clocks} cycles']
        draw.shuffle(parts)
        made.append((f'{" && ".join(parts)} {{ print x, y }}',
                     lambda run, of=of, clocks=clocks, name=name: run.stays(name, clocks, of)))
    return made


# --- runs --------------------------------------------------------------------------------------

def watch(program, texts):
    watched = common.watch(program, *(word for text in texts for word in ('-e', text)))
    if watched.code or not watched.summary or watched.gaps:
        raise Failure(f'{program}: exit {watched.code}: {watched.err}')
    return watched


def events_of(program, native, interrupts):
    """[(time, 'enter' | 'leave', name) or (time, variable, value)] of a run, whose order the native program has said."""
    names = [name for letter, name in NAMES.items() if letter != 'i' or interrupts]
    texts = [f'{verb}_{name}: when {verb}({name}) {{ print }}' for name in names for verb in ('enter', 'leave')]
    watched = watch(program, texts + [f'write_{name}: when write({name}) {{ print {name} }}' for name in 'xy'])
    events = []
    for hit in watched.hits:
        verb, which = hit['statement'].split('_')
        events.append((hit['cycle'], which, hit['values'][which]) if verb == 'write' else (hit['cycle'], verb, which))
    events.sort(key=lambda event: (event[0], event[1] == 'enter'))   # a tail call leaves before it enters
    wanted = [tuple(line.split()) for line in must([native]).splitlines()]
    depth, found = 0, []
    for _, what, which in events:   # without what interrupts did
        depth += (what == 'enter') if which == 'isr' or depth else 0
        if not depth and what in ('enter', 'leave'):
            found.append((what, which))
        depth -= (what == 'leave') if depth else 0
    if found != wanted:
        place = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), min(len(found), len(wanted)))
        raise Failure(f'{program}: call {place} is {found[place:place + 3]}, but the program says {wanted[place:place + 3]}')
    return events, watched.summary['cycles']


def check(seed):
    draw = random.Random(f'paths {seed}')
    level, interrupts = draw.choice(('-O0', '-O1', '-O2')), draw.random() < 0.5
    os.makedirs(WORK, exist_ok=True)
    base = os.path.join(WORK, f'paths{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(text := source(draw, interrupts))
    tail = ['-DTAIL'] if level != '-O0' else []
    must([common.TARGET_CC, level, *tail, *(['-foptimize-sibling-calls'] if tail else []), f'{base}.c', '-o', f'{base}.elf'])
    must(['gcc', '-O1', '-w', '-fno-optimize-sibling-calls', '-DHOST', *tail, f'{base}.c', '-o', f'{base}.native'])
    events, end = events_of(f'{base}.elf', f'{base}.native', interrupts)
    run, made, count = Run(events, end), statements(draw, calls_in(text)), 0
    for first in range(0, len(made), 5):
        some = made[first:first + 5]
        watched = watch(f'{base}.elf', [f's{number}: when {text}' for number, (text, _) in enumerate(some)])
        for number, (text, should) in enumerate(some):
            found = [(hit['cycle'], hit['values']) for hit in watched.hits if hit['statement'] == f's{number}']
            for place, (want, got) in enumerate(zip(should(run) + [None], found + [None])):
                if want != got:
                    raise Failure(f'seed {seed}, {level}: {text}\n  hit {place}: {got}, but the calls and writes of the run say {want}')
            count += len(found)
    return f'{count} hits as the {len(events)} calls, returns and writes of the run say ({level}{", interrupts" if interrupts else ""})'
