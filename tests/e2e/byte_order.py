#!/usr/bin/python3
"""byte_order.py: values of both orders of bytes are those that the same source prints where it runs natively.

With --big: of a big-endian program, on the target that runs such ones. With --replay: as the replay has them."""
import os
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]

import common
from common import Failure

SOURCE = os.path.join(common.ROOT, 'tests/e2e/byte_order.c')
BIG = '--big' in sys.argv[1:]
REPLAY = '--replay' in sys.argv[1:]   # optimised, and what is not about the probe's own parts
if BIG:
    common.EARSHOT = os.path.join(common.BUILD, 'cores/reference-data-big/earshot')
SCALARS = ('version', 'length', 'address', 'flags', 'offset', 'delta', 'level', 'balance', 'ratio', 'exact', 'total', 'mode', 'small', 'on',
           'list[1]', 'list[2]', 'wide', 'narrow')
PACKED = ('first', 'word', 'half', 'total', 'bits')
NAMES = {'mode': {'OFF': 0, 'ARMED': 0x102, 'FIRED': 0x30405}, 'small': {'LOW': 0, 'HIGH': 300}}


def native():
    """What the source tells where it runs natively: {name: values in their order}."""
    told = {}
    for name, value in common.native_prints(SOURCE):
        told.setdefault(name, []).append(number(name, value))
    return told


def number(name, value):
    if isinstance(value, str):
        value = NAMES[name.rsplit('.', 1)[-1]][value]
    return common.single(float(value)) if name.endswith('ratio') else float(value)


def without_repeats(values):
    """Compilers write the whole byte of a bit-field: its neighbours are written with the values that they have, first 0."""
    return [value for i, value in enumerate(values) if value != (values[i - 1] if i else 0)]


def is_bits(name):
    return name.rsplit('.', 1)[-1] in ('flags', 'offset', 'delta', 'wide', 'narrow', 'bits')


def watch_all(program, statements, *more):
    """One run of several statements: the hits of each."""
    each = [word for statement in statements for word in ('-e', statement)]
    watched = common.watch(program, *each, *more, **({'side': '--replay'} if REPLAY else {}))
    if watched.code or not watched.summary or watched.summary['lost']:
        raise Failure(f'{statements}: exit {watched.code}\n{watched.err}')
    return [[hit for hit in watched.hits if hit['statement'] == f's{number + 1}'] for number in range(len(statements))]


def watch(program, statement, *more):
    return watch_all(program, [statement], *more)[0]


def shown(hits, name):
    return [number(name, hit['values'][name]) for hit in hits]


def check(what, want, got):
    if is_bits(what):
        want, got = without_repeats(want), without_repeats(got)
    if len(want) < 2 or want != got:
        raise Failure(f'{what}:\n  native:  {want}\n  earshot: {got}')


def assignments(program, told, names):
    """Each variable by itself: its writes and their values, what it was before, and a statement about its value."""
    statements = [text for name in names for text in (f'write({name}) {{ print {name}, old({name}) }}', f'{name} == {name} {{ print {name} }}')]
    seen = watch_all(program, statements)
    for number_of, name in enumerate(names):
        want, own, same = told[name], seen[2 * number_of], seen[2 * number_of + 1]
        check(name, want, shown(own, name))
        if not is_bits(name):
            check(f'old({name})', want[:-1], [number(name, hit['values'][f'old({name})']) for hit in own[1:]])
        check(name, want, shown(same, name))


def comparisons(program, told, names):
    """With constants, ordered and not: what the hardware may decide by itself. A run each, as only a variable that nothing else concerns
    has a filter."""
    for number_of in range(8):
        tests = []
        for name in names:
            values = told[name]
            middle, some = sorted(values)[len(values) // 2], values[7]
            tests.append([(name, f'> {middle:.17g}', lambda v, m=middle: v > m), (name, f'<= {middle:.17g}', lambda v, m=middle: v <= m),
                          (name, f'== {some:.17g}', lambda v, s=some: v == s), (name, f'!= {some:.17g}', lambda v, s=some: v != s)][number_of // 2])
        tests = [test for test in tests if not (test[0].endswith('ratio') and '=' in test[1])]
        seen = watch_all(program, [f'write({name}) && {name} {text} {{ print {name} }}' if number_of % 2 else f'{name} {text} {{ print {name} }}'
                                   for name, text, holds in tests])
        for (name, text, holds), hits in zip(tests, seen):
            want, got = [value for value in told[name] if holds(value)], shown(hits, name)
            if is_bits(name):
                want, got = without_repeats(want), without_repeats(got)
            if got != want:
                raise Failure(f'{name} {text}: native {want}, earshot {got}')


def not_turned(program, told, name):
    """All values but one, which is a value that the variable has, turned round: a filter that took it for that value would drop a hit."""
    text = f'{name}.address'
    values = told[text]
    other = int.from_bytes(int(values[7]).to_bytes(4, 'little'), 'big')
    check(f'{text} != {other}', [value for value in values if value != other], shown(watch(program, f'{text} != {other} {{ print {text} }}'), text))


def together(program, told, name):
    """The whole struct at one moment, as values and as bytes."""
    parts = [part for part in SCALARS if '[' not in part]
    hits = watch(program, f'enter(done) {{ print {", ".join(f"{name}.{part}" for part in parts)}; snapshot {name} }}')
    for part in parts:
        check(f'{name}.{part} at done', told[f'{name}.{part}'], shown(hits, f'{name}.{part}'))
        inside = [number(part, hit['values'][name][part]) for hit in hits]
        check(f'snapshot of {name}.{part}', told[f'{name}.{part}'], inside)
    lists = [[number('', value) for value in hit['values'][name]['list'][1:3]] for hit in hits]
    check(f'{name}.list', [list(pair) for pair in zip(told[f'{name}.list[1]'], told[f'{name}.list[2]'])], lists)
    hits = watch(program, f'enter(done) {{ print {name}.to[0], pointed, *{name}.to }}')
    for text in (f'{name}.to[0]', 'pointed', f'*{name}.to'):
        check(text, told['pointed'], shown(hits, text))


def parts(program, told, name):
    """Which member of a struct was written, and with which value."""
    hits = watch(program, f'write({name}) {{ print }}')
    got = {}
    for hit in hits:
        text = hit['values'][name]
        for part, value in common.parts(text).items():
            got.setdefault(part, []).append(value)
    for part in ('length', 'address', 'balance', 'level', 'list[1]', 'ratio'):
        values = [number(part, value) for value in got[f'{name}.{part}']]
        check(f'{name}.{part} as a part', told[f'{name}.{part}'], values)


def pointers(program, told):
    for text in ('at->length', 'at->balance', 'plain_at->length', 'plain_at->balance', 'plain_at->total'):
        hits = watch(program, f'write({text}) {{ print {text} }}')
        check(text, told[text], shown(hits, text))
        hits = watch(program, f'enter(done) {{ print {text} }}')
        check(f'{text} at done', told[text], shown(hits, text))
    for text in ('many[element].address', 'plain[element].address'):
        hits = watch(program, f'write({text}) {{ print {text} }}')
        check(text, told[text], shown(hits, text))
    hits = watch_all(program, ['write(at->balance) { print old(at->balance) }', 'enter(done) && at->length > 0 { print at->length }'])[1]
    check('at->length at done', told['at->length'], shown(hits, 'at->length'))
    hits = watch(program, 'enter(done) { print ((struct own *)plain_at)->balance }')
    check('a cast', told['plain_at->balance'], shown(hits, '((struct own*)plain_at)->balance'))


def locals_of(program, told):
    for text in ('mine.length', 'mine.balance', 'ours.length', 'ours.offset', 'small'):
        hits = watch(program, f'write(locals\\{text}) {{ print locals\\{text} }}')
        check(text, told[text], shown(hits, f'locals\\{text}'))


def times(program, told):
    """Values that last, and texts."""
    for text in ('other.length', 'own.length', 'other.address', 'pointed', 'other.offset', 'other.total'):
        hits = watch(program, f'{text} unchanged for 50 cycles {{ print {text} }}')
        got = shown(hits, text)
        if not got or any(value not in [0, *told[text]] for value in got):
            raise Failure(f'{text} unchanged: {got}, of {told[text]}')
        limit = sorted(told[text])[10]
        hits = watch(program, f'{text} > {limit:.17g} for 50 cycles {{ print {text} }}')
        if not hits or any(value <= limit for value in shown(hits, text)):
            raise Failure(f'{text} > {limit} for 50 cycles: {shown(hits, text)}')
    hits = watch(program, 'enter(done) { print text, name[0] }')
    if [hit['values']['name[0]'] for hit in hits] != [ord('e'), ord('o')] * 10:
        raise Failure(f"name[0]: {[hit['values']['name[0]'] for hit in hits]}")
    texts = [hit['values']['text'] for hit in hits]
    if [text[0] for text in texts][:7] != list('aaaaaag') or not all(text.endswith('y') or len(text) == 6 for text in texts):
        raise Failure(f'text: {texts}')


def main():
    told = native()
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        for level in ('-O2',) if REPLAY else ('-O0', '-O2'):
            program = os.path.join(folder, f'program{level}.elf')
            common.must([common.TARGET_CC, *(['-mbig-endian', '-march=rv32imc_zicsr'] if BIG else []), level, SOURCE, '-o', program])
            for name in ('own', 'other'):
                for group, run in (('assignments', assignments), ('comparisons', comparisons))[:1 if REPLAY else 2]:
                    members = [f'{name}.{part}' for part in SCALARS]
                    packed = [f'{name}_packed.{part}' for part in PACKED]
                    if (name == 'other') != BIG or level == '-O2':   # written in parts: what is between them is in memory, too
                        members.remove(f'{name}.wide')
                    checks.append((f'{level} {name} {group}', lambda p=program, r=run, m=members + packed: r(p, told, m)))
                if not REPLAY:
                    checks.append((f'{level} {name} not turned', lambda p=program, n=name: not_turned(p, told, n)))
                checks.append((f'{level} {name} together', lambda p=program, n=name: together(p, told, n)))
                checks.append((f'{level} {name} parts', lambda p=program, n=name: parts(p, told, n)))
            checks.append((f'{level} pointers', lambda p=program: pointers(p, told)))
            if not REPLAY:
                checks.append((f'{level} times', lambda p=program: times(p, told)))
            checks.append((f'{level} locals', lambda p=program: locals_of(p, told)))
        common.run_checks(checks)


if __name__ == '__main__':
    main()
