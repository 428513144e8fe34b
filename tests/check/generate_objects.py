#!/usr/bin/python3
"""generate_objects.py SEED: a random C program whose pointers move among its own objects and lists, and which computes much between the
events, so that there are promises about it; with statements that follow the pointers, and the locals of recursive procedures.

The same seed always makes the same program.
"""
import random
import sys

HEAD = """struct node { struct node *next; int value; short s; char c; int a[3]; };
struct pair { int first, second; };
struct node left[3], right[2], *l = &left[0], *r, *either = &right[1];
struct pair pairs[4], *p = pairs;
int numbers[6], *n = numbers + 2, total;
short few[5], *f = few;
char text[9], *t = text + 1;
unsigned work = 1;
"""


class Objects:
    def __init__(self, seed):
        self.random = random.Random(f"objects {seed}")
        self.level = self.random.choice(["-O0", "-O0", "-Og", "-O2"])

    def number(self, end):
        return self.random.randrange(end)

    def compute(self, variable="v"):
        """What takes time, and stores to nothing but a local: without a loop, which might run not at all."""
        steps = [f"{variable} = {variable} * {self.number(9) + 3} + {self.number(99)};", f"{variable} ^= {variable} >> {self.number(7) + 1};",
                 f"{variable} -= {variable} << {self.number(5) + 1};", f"{variable} += {self.number(999)};"]
        return " ".join(self.random.choice(steps) for _ in range(self.random.randrange(12, 40)))

    def write(self):
        node = self.random.choice(["l", "either", f"left[{self.number(3)}]", f"right[{self.number(2)}]"])
        field = self.random.choice(["value", "s", "c", f"a[{self.number(3)}]"])
        return self.random.choice([
            f"{node}{'.' if '[' in node else '->'}{field} = v & 31;", f"if (r) r->{field} += v & 3;", f"if (l->next) l->next->{field} = v & 15;",
            f"p->{self.random.choice(['first', 'second'])} = v & 63;", f"*n = v & 31; numbers[{self.number(6)}] += 1;", f"few[{self.number(5)}] = v & 31;",
            "*f += 1;", "t[1] = v & 31;", f"text[{self.number(9)}]++;", "*t = v & 15;"])

    def move(self):
        return self.random.choice([
            f"l = &left[{self.number(3)}];", f"r = v & 1 ? &right[{self.number(2)}] : 0;", f"either = v & 1 ? &left[{self.number(3)}] : &right[0];",
            f"left[{self.number(3)}].next = &left[{self.number(3)}];", "l = l->next ? l->next : &left[1];", f"p = &pairs[{self.number(4)}];",
            f"n = &numbers[{self.number(5)}];", f"f = &few[{self.number(5)}];", f"t = &text[{self.number(7)}];", "right[0].next = 0;"])

    def part(self, name):
        lines = [f"__attribute__((noinline)) static void {name}(void)", "{", "    unsigned v = work;"]
        for _ in range(self.random.randrange(2, 6)):
            lines += ["    " + self.compute(), "    " + (self.move() if self.number(3) == 0 else self.write())]
        return lines + ["    " + self.compute(), "    work = v;", "}"]

    def recursive(self):
        return ["__attribute__((noinline)) static unsigned deep(unsigned k)", "{", "    unsigned v = work + k, u;", "    " + self.compute(), "    u = v & 63;",
                "    if (k) { " + self.compute() + " u += deep(k - 1); }", "    " + self.compute(), "    return v + u;", "}"]

    def program(self):
        parts = [f"part{i}" for i in range(self.random.randrange(2, 5))]
        lines = [HEAD] + [line for name in parts for line in self.part(name)] + self.recursive()
        lines += ["int main(void)", "{", f"    for (int i = 0; i < {self.random.randrange(3, 9)}; i++) {{", "        unsigned v = i;"]
        calls = parts + [self.random.choice(parts) for _ in range(2)] + [f"deep({self.number(4)})"]
        self.random.shuffle(calls)
        lines += [f"        {call if '(' in call else call + '()'}; {self.compute()} work += v & 1;" for call in calls]
        return lines + ["    }", "    return total + (int)(work & 1);", "}"]

    def statements(self):
        def limit():
            return self.number(40)
        tell = self.random.choice(["count c0", "print", "print l->value", "count c1"])
        every = [f"when l->value > {limit()} {{ {tell} }}", "when write(l->next->s) { count c0 }", f"when either->c == {limit()} {{ print either->value }}",
                 f"when r->a[1] < {limit()} {{ count c2 }}", f"when p->second > {limit()} {{ print p->first }}", f"when *n != {limit()} {{ {tell} }}",
                 f"when *f > {limit() % 9} {{ count c3 }}", f"when *t == {limit()} {{ print text[2] }}", f"when n[1] > {limit()} {{ count c4 }}",
                 f"when deep\\u > {limit()} {{ print deep\\u }}", f"when deep\\u < {limit()} && l->value != {limit()} {{ count c5 }}",
                 "when l->value == old(l->value) { count c6 }", "when work != 3 { count c7 }",
                 f"when left[{self.number(3)}].value > {limit()} {{ count c8 }}", f"when numbers[{self.number(6)}] < {limit()} {{ count c9 }}",
                 f"when few[{self.number(5)}] != {limit()} && l->value > {limit()} {{ count c10 }}"]
        self.random.shuffle(every)
        return [f"s{i}: {text}" for i, text in enumerate(every)]


def make(seed):
    made = Objects(seed)
    return "\n".join(made.program()) + "\n", made.statements(), made.level


if __name__ == "__main__":
    source, statements, level = make(int(sys.argv[1]))
    print(source + "\n/* " + level + "\n" + "\n".join(statements) + " */")
