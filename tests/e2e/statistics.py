#!/usr/bin/python3
"""statistics.py: hist, stats and count as actions say of a run what can be computed from its hits; what they are shown as."""
import collections
import math
import re
import sys

import common
from common import Failure

PROGRAM = f'{common.EXAMPLES}/thermostat-O0.elf'
VALUES = {   # statement's event -> (value as printed, key of hits, what is said of it)
    'enter(control) then leave(control)': ('elapsed', 'elapsed_ns'),
    'write(plant.zone[0].reading)': ('plant.zone[0].reading', 'plant.zone[0].reading'),
    'write(plant.heat[1])': ('old(plant.heat[1])', 'old(plant.heat[1])'),
}
LIMIT = ['-t', '20ms']


def told(*statements, extra=()):
    """{(statement, statistic): the last object of it} of a run, and all objects in order."""
    code, out, err = common.run([common.EARSHOT, 'watch', '--json', PROGRAM, *LIMIT, *extra, *(word for text in statements for word in ('-e', text))])
    lines = [common.json.loads(line) for line in out.splitlines()]
    if code or any(line['event'] == 'hit' for line in lines):
        raise Failure(f'exit {code}, or hits that are not to be shown: {err}')
    found = [line for line in lines if line['event'] == 'statistic']
    return {(line['statement'], line['statistic']): line for line in found if line['last']}, found


def nearest(values, percent):
    return sorted(values)[max(math.ceil(percent / 100 * len(values)) - 1, 0)]


def same_stats(group, values):
    if (group['n'], group['min'], group['max']) != (len(values), min(values), max(values)):
        raise Failure(f'{group}: {len(values)} values from {min(values)} to {max(values)}')
    if abs(group['mean'] - sum(values) / len(values)) > 1e-9 * abs(sum(values)):
        raise Failure(f'{group}: mean {sum(values) / len(values)}')
    for percent in (50, 90, 99, 99.9):
        want = nearest(values, percent)
        if abs(group[f'p{percent}'] - want) > abs(want) / 256:
            raise Failure(f'{group}: {percent} %: {want}')


def same_ranges(group, values):
    want = collections.Counter()
    for value in values:
        power = abs(value).bit_length() - 1
        want[(0, 0) if not value else (2**power, 2**(power + 1)) if value > 0 else (-2**(power + 1), -2**power)] += 1
    if {(low, high): n for low, high, n in group['ranges']} != want:
        raise Failure(f'{group["ranges"]}, not {want}')


def check_values(event):
    item, key = VALUES[event]
    hits = common.watch(PROGRAM, *LIMIT, '-e', f'{event} {{ print {item}, mode }}').hits
    last, _ = told(f's: {event} {{ stats({item}); hist({item}); stats({item}) by mode; hist({item}) by path }}')
    values = [hit['values'][key] for hit in hits]
    same_stats(last['s', f'stats({item})']['groups'][0], values)
    same_ranges(last['s', f'hist({item})']['groups'][0], values)
    for name, of in ((f'stats({item}) by mode', lambda hit: hit['values']['mode']), (f'hist({item}) by path', lambda hit: ' > '.join(hit['path']))):
        groups = {group['key']: group for group in last['s', name]['groups']}
        apart = collections.defaultdict(list)
        for hit in hits:
            apart[of(hit)].append(hit['values'][key])
        if set(groups) != set(apart):
            raise Failure(f'{name}: {set(groups)}, not {set(apart)}')
        for group, inside in apart.items():
            (same_stats if name.startswith('stats') else same_ranges)(groups[group], inside)
    return f'{len(hits)} values'


def check_counts():
    hits = common.watch(PROGRAM, *LIMIT, '-e', 'write(plant) { print mode }').hits
    last, _ = told('s: write(plant) { count by place top 2; count by path; count by mode }')
    places = collections.Counter(f'{hit["file"].split("/")[-1]}:{hit["line"]}' for hit in hits)
    order = sorted(places.items(), key=lambda pair: (-pair[1], pair[0]))
    top = last['s', 'count by place']
    if [(group['key'], group['n']) for group in top['groups']] != order[:2] or top['groups_left_out'] != len(order) - 2:
        raise Failure(f'{top}, not {order}')
    for name, of in (('count by path', lambda hit: ' > '.join(hit['path'])), ('count by mode', lambda hit: hit['values']['mode'])):
        want = collections.Counter(map(of, hits))
        if {group['key']: group['n'] for group in last['s', name]['groups']} != want:
            raise Failure(f'{last["s", name]}, not {want}')


def check_profile(program, least, limit):
    """Calls, inclusive times and times of their own, as the hits at beginnings and ends say."""
    code, out, err = common.run([common.EARSHOT, 'watch', '--json', program, *limit, '-e', 'profile *'])
    found = {line['statement']: line for line in map(common.json.loads, out.splitlines()) if line['event'] == 'statistic'}
    if not least <= set(found):
        raise Failure(f'{code}: {set(found)}: {err}')
    texts = [f'{kind}_{name}: when {kind}({name}) {{ print }}' for name in found for kind in ('enter', 'leave')]
    calls, inclusive, own, stack = collections.Counter(), collections.Counter(), collections.Counter(), []
    for hit in common.watch(program, *limit, *(word for text in texts for word in ('-e', text))).hits:
        kind, name = hit['statement'].split('_', 1)
        if kind == 'enter':
            calls[name] += 1
            stack.append([name, hit['time_ns'], 0])
            continue
        began, start, inside = stack.pop()
        if began != name:
            raise Failure(f'{name} ends in {began}')
        own[name] += hit['time_ns'] - start - inside
        inclusive[name] += hit['time_ns'] - start if name not in [other for other, _, _ in stack] else 0
        if stack:
            stack[-1][2] += hit['time_ns'] - start
    for name, line in found.items():
        told_of = tuple(line[key] for key in ('calls', 'inclusive_ns', 'self_ns'))
        if told_of != (calls[name], inclusive[name], own[name]):
            raise Failure(f'{name}: {told_of}, not {(calls[name], inclusive[name], own[name])}')
    return f'{sum(calls.values())} calls of {len(found)} procedures'


def check_every():
    """What comes in between grows, and ends as it does without."""
    statement = 's: write(plant.steps) { stats(plant.steps) }'
    last, found = told(statement, extra=['--every', '3ms'])
    counts = [line['groups'][0]['n'] for line in found]
    if len(found) != 7 or [line['last'] for line in found] != [False] * 6 + [True] or counts != sorted(set(counts)):
        raise Failure(f'{len(found)} times: {counts}')
    if last != told(statement)[0]:
        raise Failure('the end differs')


def check_text():
    statements = ['lat: enter(control) then leave(control) { hist(elapsed); stats(elapsed) by path }', 'w: write(mode) { count by mode; print }']
    code, out, err = common.run([common.EARSHOT, 'watch', PROGRAM, *LIMIT, *(word for text in statements for word in ('-e', text))])
    if code or not re.search(r'^lat: hist\(elapsed\)\n  \[65.536.?s, 131.072.?s\)  \d+ \|@{40}\|\n', out, re.M):
        raise Failure(f'exit {code}: {out}{err}')
    if not re.search(r'^ +n +min +mean +p50 +p90 +p99 +p99.9 +max\n  main > control +\d+ ', out, re.M) or not re.search(r'  w +mode=ARMED +main > control', out):
        raise Failure(out)
    if re.search(r'^ .* lat .* main', out, re.M):
        raise Failure('a hit of a statement that only has statistics has a line of its own')


def main():
    return common.run_checks([(f'values of {event}', lambda event=event: check_values(event)) for event in VALUES] +
                             [('profile', lambda: check_profile(PROGRAM, {'control', 'drive', 'clamp'}, LIMIT)),
                              ('profile of recursion', lambda: check_profile(f'{common.EXAMPLES}/recursion-O0.elf', {'sort', 'hanoi', 'fact'}, [])),
                              ('counts', check_counts), ('every', check_every), ('text', check_text)])


if __name__ == '__main__':
    sys.exit(main())
