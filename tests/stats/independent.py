#!/usr/bin/python3
"""independent.py: host/stats beside sorted lists, whole numbers without bound and the mean of Python's statistics."""
import fractions
import math
import os
import random
import statistics
import subprocess
import sys

TOLD = os.path.join(os.environ.get('EARSHOT_BUILD', 'build'), 'tests/stats/told')
PERCENTS = [0, 1, 25, 50, 90, 99, 99.9, 100]
DRAW = {
    'int': lambda r: r.choice([r.randint(-300, 300), r.randint(-1 << 63, (1 << 63) - 1) >> r.randrange(64), r.choice([-1 << 63, (1 << 63) - 1])]),
    'uint': lambda r: r.choice([r.randrange(300), r.getrandbits(64) >> r.randrange(64), (1 << 64) - 1]),
    'real': lambda r: r.choice([r.gauss(0, 1), r.lognormvariate(0, 8), -r.random() * 1e9, 0.0, r.uniform(1e15, 1e16) * r.choice([1, -1])]),
}


def nearest(ordered, percent):
    return ordered[max(math.ceil(percent / 100 * len(ordered)) - 1, 0)]


def check(kind, seed):
    """None, or what is wrong."""
    rng = random.Random(f'{kind}{seed}')
    values = {}
    lines = []
    for _ in range(rng.choice([1, 7, 100, 5000])):
        key = f'k{rng.randrange(rng.choice([1, 3, 40]))}'
        value = DRAW[kind](rng)
        values.setdefault(key, []).append(value)
        lines.append(f'{key} {value!r}')
    told = subprocess.run([TOLD, kind], input='\n'.join(lines), capture_output=True, text=True, check=True).stdout.split('\n')
    order = sorted(values, key=lambda key: (-len(values[key]), key))
    if [line.split()[0] for line in told if line] != order:
        return f'keys {told}, not {order}'
    for line in filter(None, told):
        key, count, least, most, mean, *percentiles = line.split()
        have, number = sorted(values[key]), float if kind == 'real' else int
        if (int(count), number(least), number(most)) != (len(have), have[0], have[-1]):
            return f'{line}: {len(have)} values from {have[0]} to {have[-1]}'
        want = statistics.mean(map(fractions.Fraction, have))
        if abs(fractions.Fraction(float(mean)) - want) > abs(want) * fractions.Fraction(1, 1 << 51) + fractions.Fraction(1, 10**20):
            return f'{line}: mean {float(want)}'
        for percent, found in zip(PERCENTS, percentiles):
            want = nearest(have, percent)
            if abs(number(found) - want) > abs(want) / 256 + (0 if kind != 'real' else 2**-64):
                return f'{line}: {percent} %: {found}, not {want}'
    return None


def main():
    failed = 0
    for kind in DRAW:
        for seed in range(30):
            wrong = check(kind, seed)
            if wrong:
                print(f'{kind} {seed}: {wrong}')
                failed += 1
    print(f'{3 * 30 - failed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
