"""Programs full of branches, many of which are never taken: what coverage is compared on. The same source compiles here and for the target."""
import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.functions = 0

    def put(self, depth, text):
        self.lines.append('    ' * depth + text)

    def value(self):
        r = self.random
        return r.choice(['x', 'y', 'g', str(r.randint(0, 40)), f'(x + {r.randint(1, 9)})', f'(y ^ {r.randint(1, 9)})', f'table[x & {r.choice([1, 3, 7])}]'])

    def condition(self):
        r = self.random
        one = f'{self.value()} {r.choice(["<", ">", "==", "!="])} {self.value()}'
        return one if r.random() < .7 else f'{one} {r.choice(["&&", "||"])} {self.value()} > {r.randint(0, 60)}'

    def statement(self, depth, loops):
        r = self.random
        kind = r.choice(['set', 'set', 'set', 'if', 'if', 'else', 'switch', 'for', 'while', 'do', 'call', 'choice', 'return', 'break', 'goto'])
        if depth > 4 or kind == 'set':
            self.put(depth, f'{r.choice(["x", "y", "g", "table[y & 7]"])} = {self.value()} {r.choice(["+", "-", "^", "|"])} {self.value()};')
        elif kind in ('if', 'else'):
            self.put(depth, f'if ({self.condition()}) {{')
            self.block(depth + 1, loops)
            if kind == 'else':
                self.put(depth, '} else {')
                self.block(depth + 1, loops)
            self.put(depth, '}')
        elif kind == 'switch':
            self.put(depth, f'switch ({self.value()} & 7) {{')
            for case in sorted(r.sample(range(8), r.randint(2, 6))):
                self.put(depth, f'case {case}:')
                self.block(depth + 1, False)
                if r.random() < .7:
                    self.put(depth + 1, 'break;')
            self.put(depth, 'default:')
            self.put(depth + 1, 'y++;')
            self.put(depth, '}')
        elif kind == 'for':
            self.put(depth, f'for (int i{depth} = 0; i{depth} < ({self.value()} & 3); i{depth}++) {{')
            self.block(depth + 1, True)
            self.put(depth, '}')
        elif kind in ('while', 'do'):
            self.put(depth, f'n{depth} = {self.value()} & 3;')
            self.put(depth, f'while (n{depth}-- > 0) {{' if kind == 'while' else 'do {')
            self.block(depth + 1, True)
            self.put(depth, '}' if kind == 'while' else f'}} while (n{depth}-- > 0);')
        elif kind == 'call' and self.functions:
            self.put(depth, f'g += f{r.randrange(self.functions)}({self.value()}, {self.value()});')
        elif kind == 'choice':
            self.put(depth, f'y = {self.condition()} ? {self.value()} : {self.value()};')
        elif kind == 'return' and r.random() < .5:
            self.put(depth, f'if ({self.condition()})')
            self.put(depth + 1, f'return {self.value()};')
        elif kind == 'break' and loops:
            self.put(depth, f'if ({self.condition()})')
            self.put(depth + 1, r.choice(['break;', 'continue;']))
        elif kind == 'goto':
            self.put(depth, f'if ({self.condition()})')
            self.put(depth + 1, 'goto out;')
        else:
            self.put(depth, 'g++;')

    def block(self, depth, loops):
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, loops)

    def function(self, number):
        self.put(0, f'{self.random.choice(["static ", "", "__attribute__((noinline)) "])}int f{number}(int x, int y)')
        self.put(0, '{')
        self.put(1, 'int ' + ', '.join(f'n{depth} = 0' for depth in range(1, 6)) + ';')
        for _ in range(self.random.randint(3, 7)):
            self.statement(1, False)
        self.put(1, 'if (n1 + n2 + n3 + n4 + n5 > 100)')
        self.put(2, 'g = 1;')
        self.put(1, 'goto out;')
        self.put(0, 'out:')
        self.put(1, 'return x + y;')
        self.put(0, '}')
        self.put(0, '')


def make(seed):
    maker = Maker(seed)
    maker.lines += ['volatile int g;', 'int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};', '']
    for number in range(maker.random.randint(3, 6)):
        maker.function(number)
        maker.functions = number + 1
    maker.lines += ['int main(void)', '{']
    for _ in range(4):
        maker.put(1, f'g += f{maker.random.randrange(maker.functions)}({maker.random.randint(0, 30)}, {maker.random.randint(0, 30)});')
    return '\n'.join(maker.lines + ['    return 0;', '}', ''])
