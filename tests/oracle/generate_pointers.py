#!/usr/bin/python3
"""generate_pointers.py SEED [DIRECTORY]: a random C program of lists on the heap and in arrays for the reference target, with pointers into
them that move, alias each other, dangle, or point nowhere, and statements that follow them.

The same seed always makes the same program. In half of the programs freed nodes are written to through pointers that were left behind, but
never where the allocator keeps its own data: there all blocks have one size.
"""
import random
import re

import generator

HEAD = r'''#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
    short s;
    unsigned char c;
    signed char d;
    unsigned low : 5;
    int high : 9;
    long long w;
    int a[3];
    struct node *other;
    float f;
};
struct box {
    struct node *first;
    int n;
    struct node inner;
    short *sp;
};
short row[12], *sp = row + 1;
struct node pool[4], *head, *cur, *alias = &pool[1];
struct box box = {&pool[0], .sp = row}, *bp = &box;
struct node **pp = &cur;
char text[24] = "what it points to moves", *cp = text + 3;
int cells[8], *ip = cells, g, fuel, i, n;
short at[4];
struct node *row_of[5] = {pool, pool + 1};

#define OK(p, align) ((unsigned)(p) - 0x20000u < 0x18000u && ((unsigned)(p) & ((align) - 1)) == 0)
'''


class Generator(generator.Chooser):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.level = self.pick(['-O0', '-O0', '-O0', '-Og', '-O2'])
        self.dangling = self.chance(50)
        self.reading, self.in_compound = 0, False

    def number(self, end=30):
        return self.random.randrange(end)

    # --- the program ---------------------------------------------------------------------------------

    def node(self):
        """A pointer to a node, maybe a wild one."""
        return self.pick(['head', 'cur', 'alias', 'box.first', 'bp->first', 'pool[2].next', 'pool[3].other', '(*pp)'])

    def target(self):
        roll = self.number(100)
        if roll < 30:
            return f'&pool[{self.number(4)}]'
        if roll < 85:
            return self.node()
        if roll < 90:
            return '&box.inner'
        return self.pick(['0', '0', '(void *)0x3FFF0', '(void *)0x10000000', f'(void *)((char *)&pool[{self.number(3)}] + 2)', '(void *)0xFFFFFFF0'])

    def change(self, pointer):
        field = self.pick(['value', 'value', 'value', 's', 'c', 'd', 'low', 'high', 'w', f'a[{self.number(3)}]', 'f'])
        return f'{pointer}->{field} {self.pick(["=", "+=", "+="])} {self.number()};'

    def through(self):
        pointer = self.node()
        if pointer in ('head',) or not self.dangling:
            pointer = 'head'
            return f'if (head) {self.change(pointer)}'
        return f'if (OK({pointer}, 4)) {self.change(pointer)}'

    def move(self):
        variable = self.pick(['cur', 'cur', 'alias', 'alias', 'box.first', 'bp->first', f'pool[{self.number(4)}].next',
                              f'pool[{self.number(4)}].other', '*pp', 'box.inner.next'])
        roll = self.number(100)
        if roll < 8:
            return f'memcpy(&{variable}, &{self.pick(["cur", "alias", "head"])}, 4);'
        if roll < 25:
            source = self.node()
            return f'if (OK({source}, 4)) {variable} = {source}->{self.pick(["next", "other"])};'
        return f'{variable} = {self.target()};'

    def small(self):
        return self.pick([
            f'*cp = {self.number(100)};', 'cp++;', f'cp = text + {self.number(20) + 1};', f'cp[1] = {self.number(100)};', f'cp[-1] += {self.number(3)};',
            f'*sp = {self.number()};', f'sp = row + {self.number(9)};', f'sp[2] = {self.number()};', 'sp = box.sp;', f'box.sp = row + {self.number(9)};',
            f'ip = &cells[{self.number(7)}];', 'ip = &g;', f'ip = &pool[{self.number(4)}].value;', f'if (OK(ip, 4)) *ip += {self.number(9)};',
            f'cells[{self.number(8)}] = {self.number()};', f'memset(row, {self.number(3)}, {self.number(20)});', f'row[{self.number(12)}] = {self.number()};',
            'ip = (int *)0x3FFFF;', 'cp = 0; cp = text + 2;', f'text[{self.number(24)}] = {self.number(100)};', 'sp = 0; sp = row;',
            'ip = head ? &head->value : 0;', f'bp = {self.pick(["&box", "&box", "0; bp = &box", "(struct box *)((char *)&box + 1); bp = &box"])};'])

    def structure(self):
        return self.pick([f'push({self.number()});', f'push({self.number()});', 'pop();', 'pop();', f'pool[{self.number(4)}] = pool[{self.number(4)}];',
                          f'pp = {self.pick(["&cur", "&alias", "&box.first", "&pool[1].next", "0; pp = &cur"])};',
                          f'if (head) head->other = {self.target()};', 'if (head && head->next) { cur = head->next; alias = cur; }',
                          f'memset(&pool[{self.number(4)}], 0, sizeof *pool);', f'box.n += {self.number()};', f'box.inner.value = {self.number()};',
                          f'g += {self.number(5)};'] + ([] if self.dangling else ['grow();', 'other_size();']))

    def index(self):
        """Changes what indices are made of."""
        return self.pick([f'i = {self.number(4)};', f'i = {self.number(4)};', 'i++;', f'n = {self.number(3)};', f'at[{self.number(4)}] = {self.number(4)};',
                          f'i = {self.pick(["-1", "99999", "0x40000000"])}; i = {self.number(3)};', f'row_of[{self.number(5)}] = {self.target()};',
                          'for (i = 0; i < 3; i++) pool[i].value += i;', f'at[i & 3] = {self.number(3)};', f'memset(&i, 0, {self.pick([1, 4, 4])});',
                          f'for (n = 0; n < 3; n++) cells[n] = {self.number()};', f'pool[n & 3].a[i & 1] = {self.number()};',
                          f'if (OK(row_of[i & 3], 4)) row_of[i & 3]->value = {self.number()};', f'steps(&pool[{self.number(2)}], {self.number(3)});'])

    def local(self):
        return self.pick([f'visit({self.target()}, {self.number(9)});', 'walk();', f'visit({self.node()}, {self.number(9)});', 'scope();'])

    def step(self):
        roll = self.number(100)
        return (self.through() if roll < 26 else self.move() if roll < 46 else self.small() if roll < 60 else self.structure() if roll < 76
                else self.index() if roll < 89 else self.local())

    def make_program(self):
        lines = [HEAD, 'static void push(int k)', '{', '    struct node *n = malloc(sizeof *n);',
                 '    n->next = head;', '    n->value = k;', '    n->c = k;', '    n->s = -k;', '    n->other = 0;', '    head = n;', '}', '',
                 'static void pop(void)', '{', '    struct node *n = head;', '    if (!n)', '        return;', '    head = n->next;', '    free(n);', '}', '',
                 'static void visit(struct node *n, int k)', '{', '    struct node *m = n;', '    short *q = row + k;', '    if (!OK(n, 4))', '        return;',
                 '    *q = k;' if not self.dangling else '    n->value ^= k; *q = k;', '    m = n->next;', '    if (OK(m, 4))',
                 '        g += m->value;', '    q++;', '    *q += 1;', '}', '',
                 'static void walk(void)', '{', '    for (struct node *it = head; it; it = it->next)', '        it->value++;', '}', '',
                 'static void scope(void)', '{', '    int x = 1, *q = &x;', '    ip = &x;', '    *q = 5;', '    x++;', '    *ip += 2;', '    q = cells;', '    *q = x;', '    ip = q + 1;',
                 '}', '',
                 'static void steps(struct node *from, int count)', '{', '    short *q = row;', '    for (int k = 0; k < count; k++) {', '        from[k].value = k + count;',
                 '        from->a[k] += k;', '        q[k + 1] = k;', '    }', '}', '',
                 'static int *array;',
                 'static void grow(void)', '{', f'    array = realloc(array, {self.pick([8, 40, 64])} + (fuel & 15) * 4);', '    array[0] = fuel; array[1]++;', '    ip = array;', '}', '',
                 'static void other_size(void)', '{', '    short *block = malloc(6 + (fuel & 3) * 8);', '    box.sp = sp = block;', '    sp[0] = fuel; sp[2] = 7;',
                 '    if (fuel & 1) { free(block); sp = row; box.sp = row; }', '}', '']
        parts = self.random.randrange(3, 6)
        for part in range(parts):
            lines += [f'__attribute__((noinline)) static void part{part}(void)', '{']
            lines += [f'    {self.step()}' for _ in range(self.random.randrange(6, 14))]
            lines += ['}', '']
        lines += ['int main(void)', '{', '    push(1); visit(&pool[0], 2); steps(pool, 2); walk(); scope(); pop();', f'    for (fuel = 0; fuel < {self.random.randrange(3, 7)}; fuel++) {{']
        calls = list(range(parts)) + [self.number(parts) for _ in range(self.random.randrange(3))]
        self.random.shuffle(calls)
        lines += [f'        part{part}();' for part in calls]
        lines += ['    }', '    return g & 63;', '}']
        return '\n'.join(lines) + '\n'

    # --- statements ------------------------------------------------------------------------------------

    GLOBAL = ['head->value', 'head->next->value', 'head->next->next->value', 'cur->value', 'cur->next->s', 'alias->w', 'alias->c', 'alias->d', 'cur->low',
              'alias->high', 'head->other->value', 'pool[1].next->value', 'pool[2].other->a[1]', 'box.first->value', 'bp->first->value', 'bp->inner.value',
              'bp->sp[1]', 'pp[0]->value', '*pp', '*cp', 'cp[1]', 'cp[-1]', '*sp', 'sp[2]', '*ip', 'ip[1]', 'head->a[2]', 'bp->first->next->c', 'alias->value',
              'cur->other->s', 'pool[3].other->value', 'box.inner.next->value', 'alias->next->other->value', 'cur->f', 'head->s', 'head->c', 'bp->n']
    INDEXED = ['ip[i]', 'ip[i]', 'cur->a[i]', 'alias->a[i & 1]', 'alias[i].value', 'cp[i]', 'cp[i - n]', 'sp[i]', 'row_of[i]->value', 'row_of[i]->s', 'row_of[n]->next->value',
               'ip[at[n]]', 'alias[n].a[i]', 'bp->sp[i]', 'alias[i].next->value', 'ip[bp->n & 3]', 'head->a[n]', 'box.first[i].w', 'alias[-i].c', 'alias[i].high',
               'ip[i ? n : 1]', 'pp[i]->value', 'ip[cur->c & 3]', 'row_of[at[i]]->value', 'ip[i % 3]']
    INDEXED_LOCAL = ['steps\\from[steps\\k].value', 'steps\\from->a[steps\\k]', 'steps\\q[steps\\k + 1]', 'ip[steps\\k]', 'row_of[steps\\k]->value', 'steps\\from[i].value']
    LOCAL = ['visit\\n->value', 'visit\\m->s', '*visit\\q', 'walk\\it->value', 'walk\\it->next->value', '*scope\\q', 'visit\\n->next->value', 'visit\\m->next->c',
             'push\\n->value', 'pop\\n->value']
    OLD = ['head->value', 'cur->value', 'alias->value', 'head->next->value', 'bp->first->value', 'cur->s', 'alias->c', 'pool[1].next->value', 'alias->next->value',
           'ip[i]', 'alias[i].value', 'row_of[i]->value', 'cur->low', 'bp->n', '*ip', 'head->next->next', 'cur->next', 'box.first->next->s', 'pp[0]->value']
    WIDE = ['alias->w', 'cur->w', 'alias[i].w', 'box.first->w']
    PLAIN = ['g', 'box.n', 'pool[1].value', 'pool[0].s', 'cells[0]', 'cells[3]', 'pool[2].c', 'row[2]', 'pool[0].next']

    def reference(self):
        if self.chance(35):
            return self.pick(self.INDEXED_LOCAL if self.level == '-O0' and self.chance(25) else self.INDEXED)
        return self.pick(self.LOCAL if self.level == '-O0' and self.chance(25) else self.GLOBAL)

    def compare(self, reference):
        if reference in ('*pp', 'pool[0].next'):
            return f'{reference} {self.pick(["!=", "=="])} NULL'
        return f'{reference} {self.pick([">", "<", "!=", "==", ">="])} {self.number(25)}'

    @staticmethod
    def whole(reference):
        """What a member is a part of, where that is found without a variable index."""
        found = re.fullmatch(r'(\w+(?:\\\w+)?)->\w+', reference)
        return f'*{found[1]}' if found else re.sub(r'^(\w+)\[\d+\]\.\w+$', r'\1', reference)

    def term(self):
        roll, r = self.number(100), self.reference()
        if roll < 45:
            return self.compare(r)
        if roll < 60:
            return f'write({self.whole(r) if self.chance(40) else r})'
        if roll < 68:
            return f'write({r}) && {self.compare(self.pick(self.PLAIN))}'
        if roll < 78:
            return f'{self.compare(r)} && {self.compare(self.reference())}'
        if roll < 84:
            return f'{self.compare(r)} || {self.compare(self.pick(self.PLAIN))}'
        if roll < 90:
            return f'write({self.pick(self.PLAIN)}) && {self.compare(r)}'
        if roll < 100 and self.chance(60):
            r = self.pick(self.OLD + self.WIDE)
            return self.pick([f'{r} != old({r})', f'{r} > old({r})', f'{r} == {self.number(20)} && old({r}) != {r}', f'write(g) && old({r}) < 9 || {r} != old({r})'])
        if roll < 98 and self.chance(self.reading):
            r, other = f'read({r})', self.reference()
            return self.pick([r, r, f'{r} && {self.compare(self.pick(self.PLAIN))}', f'({r} || write({self.pick(self.PLAIN)})) && {self.compare(other)}', f'{r} || read({other})',
                              f'{r} && {self.compare(other)}', f'{r} || read(g) || read(pool[1].value)'])
        if roll < 95:
            return f'write({r}) || write({self.reference()})'
        plain = self.pick(self.PLAIN[:-1])
        return f'{plain} != old({plain}) && {self.compare(r)}'

    def statements(self):
        made = []
        for i in range(self.random.randrange(6, 12)):
            term = self.compare(self.pick(self.PLAIN)) if self.chance(12) else self.term()
            count = f'; count n{self.number(2)}' if self.chance(30) else ''
            if self.chance(10):
                term += f' && n0 < {self.random.randrange(1, 40)}'
                count += '; count n0' if '; count n0' not in count else ''
            if self.chance(18):
                self.in_compound = True
                parts = [self.pick([f'write({self.reference()})', self.term(), f'{self.pick(["enter", "leave"])}(part{self.number(3)})',
                                    self.compare(self.reference())]) for _ in range(self.pick([2, 2, 3]))]
                term = parts[0] + ''.join(f' {self.pick(["then", "then", "and", "or"])} {p}' for p in parts[1:])
                count = ''
                self.in_compound = False
            printed = self.pick(['', '', ' g', f' {self.reference()}', f' {self.pick(self.PLAIN)}'])
            if self.chance(25):
                printed = f' old({self.pick(self.OLD + self.WIDE)}), g'
            elif self.chance(10):
                printed = f' old({self.pick(["g", "box.n", "pool[1].value", "pool[1].w"])}), {self.pick(self.OLD)}'
            if self.chance(15):
                count += f'; snapshot *{self.pick(["head", "cur", "alias", "box.first", "pool[1].next", "bp", "sp", "ip"])}'
            made.append(f's{i}: when {term} {{ print{printed}{count} }}')
        return made


def make(seed):
    """Returns (C source, list of statements, -O level)."""
    made = Generator(seed)
    source = made.make_program()
    return source, made.statements(), made.level


if __name__ == '__main__':
    generator.main('pointers', make)
