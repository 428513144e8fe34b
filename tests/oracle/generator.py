"""What the generators of programs share: choices by chance, and what each does when it is run as a command."""
import os
import sys


class Chooser:
    """Chooses by `random`, a generator that its heir makes of the seed: the same seed always chooses the same."""

    random = None

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, items):
        return items[self.random.randrange(len(items))]


def main(name, make, head=lambda seed: ''):
    """generate_NAME.py SEED [DIRECTORY]: writes what make(seed) returns, (C source, statements or None, -O level). head(seed): what goes
    before the statements."""
    if len(sys.argv) not in (2, 3) or not sys.argv[1].isdigit():
        sys.exit(f'usage: {os.path.basename(sys.argv[0])} SEED [DIRECTORY]')
    seed, directory = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else '.'
    source, statements, level = make(seed)
    files = [('c', source)] + ([] if statements is None else [('watch', head(seed) + '\n'.join(statements) + '\n')])
    for ending, text in files:
        with open(os.path.join(directory, f'{name}{seed}.{ending}'), 'w', encoding='utf-8') as stream:
            stream.write(text)
    print(f'{name} {seed}: compile with {level} -fwrapv')
