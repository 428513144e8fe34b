#!/usr/bin/python3
"""compare.py [--seeds N] [--SORT N] | --SORT-seed S: earshot's hits against the oracle's, all of them and in order.

First the examples and quiet.c at every level of optimisation, then N generated programs of each sort (SORTS) from EARSHOT_SEED on
(default 1), every other one for RV32IMC, the rest for RV32I. With --seed, --parts-seed and so on only that one.
What is needed to see a difference again stays in the build folder and is printed.
"""
import argparse
import collections
import os
import re
import sys
import time

import common
from common import Failure, must
import jobs as budget

import generate  # of tests/oracle, whose folder common.py adds to the path
import generate_events
import generate_nested
import generate_parts
import generate_paths
import generate_places
import generate_pointers
import generate_reads
import generate_spills
import generate_tasks
import generate_times
import language
import lives
import oracle
import unnamed
from program import Program
from tokens import NoCode

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
MOST_HITS = 500    # of one program; statements that would give more are left out
# statements over locals: only where they can be observed
EXAMPLES = [('thermostat', ['thermostat.watch', 'locals.watch'], {'locals.watch': ['-O0']}),
            ('recursion', ['recursion.watch', 'locals.watch'], {'locals.watch': ['-O0']}),
            ('interrupts', ['interrupts.watch', 'locals.watch'], {'locals.watch': ['-O0']}),
            ('nested', ['nested.watch', 'locals.watch'], {'nested.watch': ['-O0'], 'locals.watch': ['-O0']}),
            ('tasks', ['tasks.watch'], {'tasks.watch': ['-O0']})]


def log_of(program, known, *statements):
    """The log of a run, with what these files' statements need."""
    texts = []
    known.calls_alone = set()   # where the oracle notes procedures of which it is in doubt where inlined copies begin
    for name in statements:
        with open(name, encoding='utf-8') as stream:
            texts.append(stream.read())
    name = os.path.basename(program) + ''.join(os.path.basename(name) for name in statements)
    return common.retire_log(program, os.path.join(WORK, f'{name}.log'), *oracle.places(known, texts))


def answer(known, text, log):
    """What the oracle says of a run: (hits, summary, procedures of which the debug information leaves in doubt where inlined copies begin).
    The log of a program is always the same, so that it is asked once."""
    known.answers = getattr(known, 'answers', {})
    if text not in known.answers:
        known.calls_alone = set()   # where the oracle notes the doubtful ones
        known.answers[text] = (*oracle.hits(known, [text], log), known.calls_alone)
    return known.answers[text]


def compare(program, known, statements, log, console=None):
    """Watches a program and asks the oracle, who knows it as `known`. Raises Failure on any difference, also to the lines that it is to print on its
    console, if these are given; returns the number of hits."""
    with open(statements, encoding='utf-8') as stream:
        text = stream.read()
    expected, summary, doubtful = answer(known, text, log)
    watched = common.watch(program, '-s', statements)
    if ' for ' in text:   # deadlines are noticed later than they are, where that makes no difference
        for found in (expected, watched.hits):
            found.sort(key=lambda hit: (hit['cycle'], hit['statement']))
    wrong = f'refused: {watched.err}' if watched.code == 2 else common.difference(expected, watched.hits)
    wrong = wrong or common.check_summary(watched, summary)
    if console is not None and watched.console != console:
        wrong = wrong or f'the console has {watched.console}, not {console}'
    silent = [name for name in doubtful if f'enter({name}) is not true for inlined copies' not in watched.err]
    wrong = wrong or (silent and f'nothing says that enter() of these is true for calls alone: {silent}')
    if wrong:
        log_command = f'{common.RETIRE_LOG} {program} /tmp/retire.log'
        raise Failure(f'{wrong}\n  {" ".join(watched.command)}\n  {log_command} && '
                      f'tests/oracle/oracle.py {program} /tmp/retire.log -s {statements}'
                      f'\n  earshot: exit {watched.code} {watched.err.strip()[:1000]}')
    return len(expected)


def example(name, level, statements):
    program = os.path.join(common.EXAMPLES, f'{name}{level}.elf')
    known = Program(program)
    return compare(program, known, statements, log_of(program, known, statements))


def quiet(level):
    """Calls that the probe does not track, among those that it must."""
    base = os.path.join(WORK, f'quiet{level}')
    must([common.TARGET_CC, *common.TARGET_FLAGS, level, '-fwrapv', 'tests/e2e/quiet.c', '-o', f'{base}.elf'])
    known, statements = Program(f'{base}.elf'), 'tests/e2e/quiet.watch'
    return compare(f'{base}.elf', known, statements, log_of(f'{base}.elf', known, statements))


def walk():
    """Pointers among the locals of a recursive procedure."""
    base = os.path.join(WORK, 'walk')
    must([common.TARGET_CC, *common.TARGET_FLAGS, '-O0', 'tests/e2e/walk.c', '-o', f'{base}.elf'])
    known, statements = Program(f'{base}.elf'), 'tests/e2e/walk.watch'
    return compare(f'{base}.elf', known, statements, log_of(f'{base}.elf', known, statements))


def elements():
    """Those with a variable index are what the oracle says of each element while the index is its own."""
    base, total = os.path.join(WORK, 'elements'), 0
    must([common.TARGET_CC, *common.TARGET_FLAGS, '-O0', 'tests/e2e/elements.c', '-o', f'{base}.elf'])
    log = common.retire_log(f'{base}.elf', f'{base}.log')
    known = Program(f'{base}.elf')

    def plain(hits):
        return sorted((hit['cycle'], sorted((re.sub(r'\[.*?\]', '', name), value) for name, value in hit['values'].items())) for hit in hits)

    for array, count, index in (('bytes', 6, 'at'), ('shorts', 5, 'at'), ('words', 4, 'at'), ('main\\locals', 4, '(at & 3)')):
        for form in ('X > 7 { print X }', 'X != old(X) { print X, old(X) }', 'write(rounds) && old(X) != 1 { print old(X) }',
                     'write(X) || write(rounds) { print old(X), rounds }', 'write(X) && (old(X) & 1) == 0 { print old(X) }'):
            condition, actions = form.replace('X', f'{array}[{index}]').split('{')
            watched = common.watch(f'{base}.elf', '-e', f'when {condition} {{{actions}')
            each = []
            for k in range(count):
                condition, actions = form.replace('X', f'{array}[{k}]').split('{')
                each.append(f's{k}: when {index} == {k} && ({condition}) {{{actions}')
            expected, _ = oracle.hits(known, ['\n'.join(each)], log)
            if plain(expected) != plain(watched.hits):
                raise Failure(f'{form}: {array}[{index}] has {len(watched.hits)} hits, its elements {len(expected)}\n  {watched.err}')
            total += len(expected)
        for condition in ('X > 7', 'X != 3 && rounds > 1', 'X == 0 || rounds < 3'):
            watched = common.watch(f'{base}.elf', '-e', f'when {condition.replace("X", f"{array}[{index}]")} for 3us {{ print {array}[{index}], rounds }}')
            each = [f's{k}: when {index} == {k} && ({condition.replace("X", f"{array}[{k}]")}) for 3us {{ print {array}[{k}], rounds }}'
                    for k in range(count)]
            expected, _ = oracle.hits(known, ['\n'.join(each)], log)
            if plain(expected) != plain(watched.hits):
                raise Failure(f'{condition} for 3us: {array}[{index}] has {len(watched.hits)} hits, its elements {len(expected)}\n  {watched.err}')
            total += len(expected)
    return total


def among_themselves(statements):
    """Statements without actions that refer to others than these."""
    names = {statement.split(':', maxsplit=1)[0] for statement in statements}
    return [re.sub(r'; (?:enable|disable) (\w+)', lambda m: m.group() if m.group(1) in names else '', s) for s in statements]


def values(name, level):
    """Values of all types, at any place, in all operations; objects of all types."""
    base = os.path.join(WORK, f'{name}{level}')
    must([common.TARGET_CC, *common.TARGET_FLAGS, level, '-fwrapv', f'tests/oracle/{name}.c', '-o', f'{base}.elf'])
    known, total = Program(f'{base}.elf'), 0
    for file in [name, f'{name}_locals'] if level == '-O0' else [name]:  # locals only where they can be observed
        statements = f'tests/oracle/{file}.watch'
        total += compare(f'{base}.elf', known, statements, log_of(f'{base}.elf', known, statements))
    return total


def with_code(program, statements):
    """Statements without those about lines that have no code."""
    kept = []
    for statement in statements:
        try:
            language.parse(program, [statement])
        except NoCode:
            continue
        kept.append(statement)
    return kept


def lines(head, statements):
    return '\n'.join([*head, *statements]) + '\n'


def choose(program, statements, log, head=()):
    """Statements of a generated program in order, without those that would flood the run. head: what goes before them."""
    statements = among_themselves(statements)
    found, _, _ = answer(program, lines(head, statements), log)
    counts = collections.Counter(hit['statement'] for hit in found)
    chosen, total = [], 0
    for statement in statements:
        hits = counts[statement.split(':', maxsplit=1)[0]]
        if total + hits <= MOST_HITS:
            chosen.append(statement)
            total += hits
    return lines(head, among_themselves(chosen))


TOO_MANY_STATES = 'more than 1024 states'
NEVER_TRUE = re.compile(r':(\d+):(\d+): error: .*would never be true\n(.*)\n( *\^~*)')


def underlined(statement, column, shown, mark):
    """What an error message underlines: the statement's predicate, or one of the events that it is made of. Of a long line it shows the
    begin only; then it is the predicate to its end."""
    if shown.endswith('...') and len(mark) >= len(shown) - len('...'):
        return statement[column:].split('{', maxsplit=1)[0]
    return statement[column:column + len(mark.lstrip())]


def in_groups(base, known, statements, log, at_once):
    """Compares statements, `at_once` (None: all) in a run; where their paths are too many together, one at a time."""
    hits, size = 0, at_once or max(1, len(statements))
    for first in range(0, max(1, len(statements)), size):
        group = statements[first:first + size]
        with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
            stream.write('\n'.join(group) + '\n')
        try:
            hits += compare(f'{base}.elf', known, f'{base}.watch', log)
        except Failure as failure:
            never = NEVER_TRUE.search(str(failure))
            if never:   # rightly so?
                part = underlined(group.pop(int(never.group(1)) - 1), int(never.group(2)) - 1, never.group(3), never.group(4))
                if oracle.hits(known, [f'when {part} {{ print }}'], log)[0]:
                    raise
                hits += in_groups(base, known, among_themselves(group), log, None) if any('when' in line for line in group) else 0
                continue
            if not at_once or TOO_MANY_STATES not in str(failure):
                raise
            if len(group) > 1:
                hits += in_groups(base, known, group, log, 1)
    return hits


def compile_generated(base, level, seed, output=None):
    """Every other program is for RV32I alone, without compressed instructions, unless somebody says for which processor all are."""
    plain = seed % 2 == 0 and not common.TARGET_FLAGS and 'TARGET_CC_MARCH' not in os.environ
    must([common.TARGET_CC, *common.TARGET_FLAGS, *['-march=rv32i_zicsr'] * plain, level, '-fwrapv', '-w', f'{base}.c', '-o',
          output or f'{base}.elf'])


def generated(seed, generator=generate, at_once=None, head=()):
    """Compares a generated program; at_once: how many statements a run watches; head: what goes before them."""
    source, statements, level = generator.make(seed)
    base = os.path.join(WORK, f'{generator.__name__}{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(source)
    compile_generated(base, level, seed)
    known = Program(f'{base}.elf')
    statements = with_code(known, statements)
    log = common.retire_log(f'{base}.elf', f'{base}.log', *oracle.places(known, among_themselves(statements)))
    hits = in_groups(base, known, choose(known, statements, log, head).splitlines(), log, at_once)
    for ending in ('c', 'elf', 'watch'):
        os.unlink(f'{base}.{ending}')
    return hits


def without_tasks(seed):
    """A program with tasks, of which nobody says what names them."""
    source, statements, level = generate_tasks.make(seed)
    base = os.path.join(WORK, f'unnamed{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(source)
    compile_generated(base, level, seed)
    known = Program(f'{base}.elf')
    log = common.retire_log(f'{base}.elf', f'{base}.log', *oracle.places(known, statements))
    head, *chosen = choose(known, statements, log, ['tasks current']).splitlines()
    with open(f'{base}.watch', 'w', encoding='utf-8') as stream:
        stream.write('\n'.join(chosen) + '\n')
    hits = unnamed.compare(f'{base}.elf', oracle.hits(known, [head, *chosen], log)[0], f'{base}.watch')
    for ending in ('c', 'elf', 'watch'):
        os.unlink(f'{base}.{ending}')
    return hits


def values_of(known, log, observable, others=()):
    """What locals hold when they are read, or they or others are written, and on entry those that are given on the stack; and what they held before
    a write: {((procedure, name), number of the procedure's activation): values}."""
    statements = [f'e{i}: when enter({procedure}) {{ print }}' for i, procedure in enumerate(sorted({pair[0] for pair in observable}))]
    names = {}
    for i, (procedure, local) in enumerate(observable):
        events = [f'write({procedure}\\{local})', *(f'write({other})' for other in others)]
        if known.find(local, procedure).address >= 0:
            events.append(f'enter({procedure})')
        if others:
            events += [f'read({procedure}\\{local})', 'old']
        for k, event in enumerate(events):
            names[f'w{i}_{k}'] = procedure, local
            shown = f'{procedure}\\{local}'
            before = f'w{i}_{k}: when write({shown}) {{ print old({shown}) }}'   # and so before the value that was written
            if event == 'old':
                statements.insert(0, before)
            else:
                statements.append(f'w{i}_{k}: when {event} {{ print {shown} }}')
    counts, found = collections.Counter(), collections.defaultdict(list)
    for hit in oracle.hits(known, ['\n'.join(statements)], log)[0]:
        if hit['statement'][0] == 'e':
            counts[hit['path'][-1]] += 1
        else:
            pair = names[hit['statement']]
            found[pair, counts[pair[0]]] += [value for value in hit['values'].values() if value is not None]  # None: not known
    return found


def spills(seed):
    """Optimised code. What is seen there of a local must be what it is without optimisation, in that order."""
    generator = generate_spills.Generator(seed)
    base = os.path.join(WORK, f'spills{seed}')
    with open(f'{base}.c', 'w', encoding='utf-8') as stream:
        stream.write(generator.make_source())
    compile_generated(base, generator.level, seed)
    known = Program(f'{base}.elf')
    every = [(procedure, name) for procedure, names in generator.locals.items() for name in names]
    copies = collections.Counter(procedure.name for procedure in known.procedures if not procedure.is_part)
    observable = [pair for pair in every if known.find(pair[1], pair[0]) and copies[pair[0]] == 1]   # of several copies none is meant
    if not observable:
        return 0
    statements = generator.about(observable)
    log = common.retire_log(f'{base}.elf', f'{base}.log', *oracle.places(known, statements))
    hits = in_groups(base, known, choose(known, statements, log).splitlines(), log, None)
    compile_generated(base, '-O0', seed, f'{base}-O0.elf')
    plain = Program(f'{base}-O0.elf')
    truth = values_of(plain, common.retire_log(f'{base}-O0.elf', f'{base}-O0.log'), observable)
    for (pair, activation), values in values_of(known, log, observable, generator.globals).items():
        if pair[0] not in generator.recursive and not lives.truth(values, truth[pair, activation]):
            raise Failure(f'{pair[0]}\\{pair[1]}, activation {activation}: {values}, but at -O0 {truth[pair, activation]}')
    for ending in ('.c', '.elf', '.watch', '-O0.elf'):
        os.unlink(f'{base}{ending}')
    return hits


# sort -> (its generator, how many programs a test compares, arguments of generated, what is special about them)
SORTS = {
    'seed': (generate, 200, {}, 'generated programs'),
    'parts': (generate_parts, 60, {}, 'that write in parts'),
    'events': (generate_events, 60, {}, 'with statements about compound events'),
    # many random paths at once may need more states than there are
    'paths': (generate_paths, 60, {'at_once': 3}, 'with paths of activations'),
    'nested': (generate_nested, 60, {'at_once': 3}, 'with interrupts of interrupt handlers'),
    'places': (generate_places, 40, {}, 'with lines that execution comes to'),
    'reads': (generate_reads, 40, {}, 'with reads of variables'),
    'pointers': (generate_pointers, 60, {}, 'with pointers that statements follow'),
    'spills': (generate_spills, 40, {}, 'of optimised code, with locals that the stack holds at times'),
    'tasks': (generate_tasks, 60, {'head': ['tasks current']}, 'with tasks'),
    'unnamed': (unnamed, 12, {}, 'that switch stacks, and nobody says what names the one that runs'),
    'times': (generate_times, 60, generate_times.arguments, 'with what lasts for some time'),
}


def of_sort(sort, seed):
    generator, _, arguments, _ = SORTS[sort]
    if generator is generate_spills:
        return spills(seed)
    if generator is unnamed:
        return without_tasks(seed)
    return generated(seed, generator, **(arguments(seed) if callable(arguments) else arguments))


def option_of(sort):
    return 'seeds' if sort == 'seed' else sort


def count_of(options, sort):
    if options.soak is not None:
        return options.soak if sort == 'seed' else options.soak // 2
    return getattr(options, option_of(sort))


def seed_option_of(sort):
    return 'seed' if sort == 'seed' else f'{sort}_seed'


def attempt(job):
    """Runs a job in a worker. Returns (name, hits, failure)."""
    name, function, arguments = job
    try:
        return name, function(*arguments), None
    except Failure as failure:
        return name, 0, str(failure)
    except Exception as failure:  # pylint: disable=broad-except  # of one program: the others still run
        return name, 0, f'{type(failure).__name__}: {failure}'


def jobs_of_examples():
    for name, files, only in EXAMPLES:
        for level in generate.LEVELS:
            for file in files:
                if level in only.get(file, generate.LEVELS):
                    yield f'{name} {level} {file}', example, (name, level, os.path.join('examples', name, file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    for sort, (_, count, _, special) in SORTS.items():
        what = special if sort == 'seed' else f'generated programs {special}'
        parser.add_argument(f'--{option_of(sort)}', type=int, default=count, help=f'how many {what}')
        parser.add_argument(f'--{seed_option_of(sort).replace("_", "-")}', type=int, help='only this one of them')
    parser.add_argument('--soak', type=int, metavar='N', help='N generated programs, and half as many of each sort')
    options = parser.parse_args()
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    first = int(os.environ.get('EARSHOT_SEED', '1'))
    jobs = [(f'{sort} {seed}', of_sort, (sort, seed)) for sort in SORTS for seed in [getattr(options, seed_option_of(sort))] if seed is not None]
    if not jobs:
        jobs += jobs_of_examples()
        jobs += [(f'{name} {level}', values, (name, level)) for name in ('numbers', 'snapshots') for level in generate.LEVELS]
        jobs += [(f'quiet {level}', quiet, (level,)) for level in generate.LEVELS]
        jobs += [('walk -O0', walk, ()), ('elements -O0', elements, ())]
        jobs += [(f'{sort} {seed}', of_sort, (sort, seed)) for sort in SORTS
                 for seed in range(first, first + count_of(options, sort))]
    start, passed, failed, hits, shown = time.monotonic(), 0, 0, 0, 0
    for name, found, failure in budget.spread(attempt, jobs):
        hits += found
        if failure is None:
            passed += 1
            continue
        failed += 1
        if shown < 20:
            shown += 1
            print(f'{name}: {failure}')
            kind, number = name.split()[:2]
            if kind in SORTS and len(jobs) > 1:
                print(f'  again: make soak SEED={number}' + f' SORT={kind}' * (kind != 'seed'))
    print(f'seeds from {first}; {hits} hits the same in {time.monotonic() - start:.0f} s')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
