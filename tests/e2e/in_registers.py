#!/usr/bin/python3
"""in_registers.py: values that optimised code has in registers are those that the same source prints where it runs natively: arguments, results and
locals, in programs whose data are little endian and in ones whose data are big endian."""
import os
import re
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]

import common
from common import Failure

SOURCE = os.path.join(common.ROOT, 'tests/e2e/in_registers.c')
BIG = os.path.join(common.BUILD, 'cores/reference-data-big/earshot')
NAMES = {'OFF': 0, 'ARMED': 0x102, 'FIRED': 0x30405}
ROUNDS = 12
# On the stack with padding, which nobody writes: the probe knows words as a whole or not at all.
PADDED = ('stacked\\k_k.a', 'stacked\\k_k.c', 'stacked\\k_l.c')
LATER = ('byte_of\\b_c', 'byte_of\\b_w')   # from their declarations on


def number(name, value):
    value = NAMES.get(value, value) if isinstance(value, str) else value
    if value is None:   # not known
        return None
    return common.single(float(value)) if name in ('doubled\\d_y', 'single\\f_y', 'result(single)') else float(value)


def native():
    """What the source tells where it runs natively: {procedure: {name: values in their order}}."""
    told = {}
    for name, value in common.native_prints(SOURCE):
        procedure = re.search(r'(\w+)[\\)]', name).group(1)
        told.setdefault(procedure, {}).setdefault(name, []).append(number(name, value))
    return told


def watch(program, earshot, statements):
    """One run of several statements on the replay: the hits of each."""
    each = [word for statement in statements for word in ('-e', statement)]
    before, common.EARSHOT = common.EARSHOT, earshot
    try:
        watched = common.watch(program, *each, '--replay')
    finally:
        common.EARSHOT = before
    if watched.code or not watched.summary or watched.summary['lost']:
        raise Failure(f'{statements}: exit {watched.code}\n{watched.err}')
    return [[hit['values'] for hit in watched.hits if hit['statement'] == f's{place + 1}'] for place in range(len(statements))]


def compare(program, earshot, told, left):
    """Arguments where a procedure is entered, results where it returns."""
    asked = []
    for procedure, names in told.items():
        for event in ('enter', 'leave'):   # constants without a procedure, as they are named
            wanted = [name.split('\\')[-1] if 'nowhere' in name else name for name in names if (name.startswith('result') or name in LATER) == (event == 'leave') and procedure not in left]
            if wanted:
                asked.append((wanted, f'{event}({procedure}) {{ print {", ".join(wanted)} }}'))
    found, wrong = 0, []
    values = {name.split('\\')[-1] if 'nowhere' in name else name: each for names in told.values() for name, each in names.items()}
    for (wanted, statement), hits in zip(asked, watch(program, earshot, [statement for _, statement in asked])):
        for name in wanted:
            want, got = values[name], [number(name, hit[name]) for hit in hits]
            if len(want) != ROUNDS or (got != want and not (name in PADDED and all(one in (None, other) for one, other in zip(got, want)))):
                wrong.append(f'{statement}: {name}\n  native:  {want}\n  earshot: {got}')
            found += len(got)
    if wrong:
        raise Failure('\n'.join(wrong))
    return f'{found} values'


def named(program, earshot, told, big):
    """Registers by name, where a procedure begins: of a pair, the first one has the upper half where data are big endian."""
    hits, = watch(program, earshot, ['enter(wide) { print reg(a0), reg(a1), reg(a2), stackdepth }'])
    values = [(int(x), int(k) & 0xFFFFFFFF) for x, k in zip(told['wide']['wide\\w_x'], told['wide']['wide\\w_k'])]
    want = [(x >> 32, x & 0xFFFFFFFF, k) if big else (x & 0xFFFFFFFF, x >> 32, k) for x, k in values]
    got = [(hit['reg(a0)'], hit['reg(a1)'], hit['reg(a2)']) for hit in hits]
    if got != want or any(hit['stackdepth'] not in range(16, 512, 16) for hit in hits):
        raise Failure(f'registers of wide: {want}, earshot: {hits}')
    return f'{3 * len(got)} values'


def assignments(program, earshot, told):
    """Each value that a local in a register gets, in their order; the compiler may have more in between."""
    names = ('loops\\l_sum', 'loops\\l_half')
    for name, hits in zip(names, watch(program, earshot, [f'write({name}) {{ print {name} }}' for name in names])):
        got = iter([number(name, hit[name]) for hit in hits])
        for value in told['loops'][name]:
            if value not in got:
                raise Failure(f'{name}: {value} is not among {[hit[name] for hit in hits]}, in its place')
    return f'{sum(len(told["loops"][name]) for name in names)} values'


def main():
    told = native()
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        for order, earshot, options in (('little', common.EARSHOT, []), ('big', BIG, ['-mbig-endian'])):
            for level in ('-Og', '-O2', '-Os'):
                program = os.path.join(folder, f'{order}{level}.elf')
                common.must([common.TARGET_CC, *options, level, SOURCE, '-o', program])
                left = ('loops', *(['turned_in'] if level != '-Og' else []))
                checks.append((f'{order} {level}', lambda p=program, e=earshot, f=left: compare(p, e, told, f)))
                checks.append((f'{order} {level} registers', lambda p=program, e=earshot, b=bool(options): named(p, e, told, b)))
                checks.append((f'{order} {level} locals', lambda p=program, e=earshot: assignments(p, e, told)))
        common.run_checks(checks)


if __name__ == '__main__':
    main()
