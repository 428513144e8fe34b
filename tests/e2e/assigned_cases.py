"""Programs for assigned.py that assign values of several words or bytes in the ways in which compilers split them."""
import collections

# torn: how many assignments may be torn, and so counted instead of shown. values: what is assigned, where a run here cannot tell
Case = collections.namedtuple('Case', 'name source event printed levels torn values')
LEVELS = ('-O0', '-Og', '-O2')


def case(name, source, event, printed, levels=LEVELS, torn=0, values=None):
    return Case(name, source, event, printed, levels, torn, values)


NEGATED = '''
double v = 1;
KEPT void flip(void) { v = -v; SAW("%.17g", v); }
KEPT void setv(double x) { v = x; SAW("%.17g", v); }
int main(void) { flip(); setv(2.0); setv(4.0); flip(); setv(8.5); flip(); flip(); setv(-3.25); return 0; }
'''
ONE_BIT = '''
uint64_t a[4] = {1, 2, 3, 4};
KEPT void set(int k, uint64_t x) { a[k] = x; if (k == 1) SAW("%llu", (unsigned long long)a[1]); }
KEPT void top(int k) { a[k] |= 1ll << 62; if (k == 1) SAW("%llu", (unsigned long long)a[1]); }
KEPT void low(int k) { a[k] |= 7; if (k == 1) SAW("%llu", (unsigned long long)a[1]); }
int main(void)
{
    for (int i = 0; i < 3; i++) {
        set(1, 0x100000005ull * i); top(1); set(0, 9); top(0); set(1, 0x300000007ull + i); low(1); top(2); set(1, 5);
    }
    return 0;
}
'''
FIELDS = '''
struct { uint32_t lead : 24; uint64_t e : 40; uint32_t tail : 24; uint32_t f : 8; } b = {1, 2, 3, 4};
KEPT void set_e(uint64_t x) { b.e = x; SAW("%llu", (unsigned long long)b.e); }
KEPT void set_lead(unsigned x) { b.lead = x; SAW("%llu", (unsigned long long)b.e); }
KEPT void both(uint64_t x) { b.lead = 5; SAW("%llu", (unsigned long long)b.e); __asm__ volatile("" : : : "memory"); b.e = x; SAW("%llu", (unsigned long long)b.e); }
int main(void)
{
    set_e(0x1200000034ull); set_e(0x5600000078ull); both(0x9a000000bcull); set_e(0xde000000f0ull); set_e(0x0102030405ull);
    return 0;
}
'''
TOGGLED = '''
uint64_t hb;
KEPT void beat(void) { hb ^= 1; SAW("%llu", (unsigned long long)hb); }
int main(void) { for (int i = 0; i < 200; i++) beat(); hb = 0x700000000ull; SAW("%llu", (unsigned long long)hb); beat(); return 0; }
'''
FRAME = '''
union { uint32_t whole; uint8_t byte[4]; } frame;
KEPT void put(uint32_t x)
{
    for (int i = 0; i < 4; i++)
        frame.byte[i] = (uint8_t)(x >> 8 * i);
    SAW("%u", frame.whole);
}
KEPT void lone(uint8_t x) { frame.byte[2] = x; SAW("%u", frame.whole); }
int main(void)
{
    for (uint32_t i = 0; i < 5; i++)
        put(0x01020304u * (i + 1));
    lone(0x77);
    for (uint32_t i = 0; i < 5; i++)
        put(0x11020304u * (i + 1));
    lone(0x78);
    lone(0x79);
    put(5);
    return 0;
}
'''
STRAIGHT = '''
union { uint32_t whole; uint8_t byte[4]; } frame;
KEPT void put(uint32_t x)
{
    frame.byte[0] = (uint8_t)x;
    frame.byte[1] = (uint8_t)(x >> 8);
    frame.byte[2] = (uint8_t)(x >> 16);
    frame.byte[3] = (uint8_t)(x >> 24);
    SAW("%u", frame.whole);
}
KEPT void lone(uint8_t x) { frame.byte[1] = x; SAW("%u", frame.whole); }
int main(void)
{
    put(0x11223344); lone(9); put(0x55667788); put(0x01020304); lone(8); lone(7); put(0);
    return 0;
}
'''
PACKED = '''
struct __attribute__((packed)) record { uint8_t tag; uint32_t value; uint16_t check; double d; } r, other = {1, 2, 3, 4.5};
KEPT void set(struct record *to, uint32_t x) { to->value = x; SAW("%u", r.value); }
KEPT void low(struct record *to, uint8_t x) { to->value = (to->value & ~0xFFu) | x; SAW("%u", r.value); }
KEPT void all(struct record *to, const struct record *from) { *to = *from; SAW("%u", r.value); }
int main(void)
{
    set(&r, 0x12345678); low(&r, 0x9a); set(&r, 0x11111111); all(&r, &other); set(&r, 7); low(&r, 8); set(&r, 0x80000000u);
    return 0;
}
'''
COPIED = '''
struct pair { int64_t x, y; } p, q = {1, 2};
uint64_t v = 7;
KEPT void copy(void *to, const void *from, unsigned size) { memcpy(to, from, size); }
KEPT void set(uint64_t x) { v = x; SAW("%llu", (unsigned long long)v); }
KEPT void put(uint64_t x) { copy(&v, &x, 8); SAW("%llu", (unsigned long long)v); }
KEPT void high(uint32_t x) { copy((char *)&v + 4, &x, 4); SAW("%llu", (unsigned long long)v); }
int main(void)
{
    set(0x100000002ull); put(0x300000004ull); high(9); put(0x500000006ull); set(0x700000008ull); high(1); set(2); put(3);
    return 0;
}
'''
HALVES = '''
volatile uint64_t v;
KEPT void up(uint64_t *to) { *to += 1; SAW("%llu", (unsigned long long)v); }
KEPT void shift(uint64_t *to) { *to <<= 32; SAW("%llu", (unsigned long long)v); }
KEPT void clear(uint64_t *to) { *to &= 0xffffffffull; SAW("%llu", (unsigned long long)v); }
KEPT void which(uint64_t *to, int c) { if (c) *to = 0x100000001ull; else *to = ~0ull; SAW("%llu", (unsigned long long)v); }
int main(void)
{
    uint64_t *to = (uint64_t *)&v;
    which(to, 0); up(to); which(to, 1); shift(to); up(to); clear(to); which(to, 0); clear(to); up(to); shift(to); which(to, 1);
    return 0;
}
'''
LOCALS = '''
volatile int sink;
KEPT void use(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
KEPT void work(uint64_t x)
{
    uint64_t v = x; SAW("%llu", (unsigned long long)v);
    use(&v);
    v |= 1ull << 40; SAW("%llu", (unsigned long long)v);
    use(&v);
    v = x * 3; SAW("%llu", (unsigned long long)v);
    use(&v);
    v ^= 1; SAW("%llu", (unsigned long long)v);
    use(&v);
}
int main(void) { work(5); work(0x123456789abcull); work(1ull << 63); return 0; }
'''
SHARED_END = '''
uint64_t v;
volatile int g;
#ifdef __riscv
/* what a compiler makes of the code below when it lets branches share their ends: the end has one branch's place in the source */
__attribute__((naked)) void pick(int c, uint32_t x, uint32_t y)
{
    __asm__(".option push\\n .option norelax\\n lui a5, %hi(v)\\n addi a5, a5, %lo(v)\\n"
            "li a4, 3\\n bge a4, a0, 1f\\n"
            ".loc 1 15 5\\n sw a1, 0(a5)\\n"
            "2: .loc 1 15 5\\n sw a2, 4(a5)\\n ret\\n"
            "1: .loc 1 17 5\\n sltz a4, a0\\n bnez a4, 3f\\n not a1, a1\\n sw a1, 0(a5)\\n j 2b\\n"
            "3: .loc 1 19 5\\n slli a1, a1, 1\\n sw a1, 0(a5)\\n j 2b\\n .option pop");
}
__attribute__((naked)) void through(uint64_t *p, int c, uint32_t x, uint32_t y)
{
    __asm__("li a4, 3\\n bge a4, a1, 1f\\n"
            ".loc 1 25 5\\n sw a3, 4(a0)\\n"
            "2: .loc 1 25 5\\n sw a2, 0(a0)\\n ret\\n"
            "1: .loc 1 27 5\\n not a3, a3\\n mv a4, a0\\n sw a3, 4(a4)\\n j 2b");
}
#else
void pick(int c, uint32_t x, uint32_t y)
{
    v = c > 3 ? (uint64_t)y << 32 | x : c >= 0 ? (uint64_t)y << 32 | (uint32_t)~x : (uint64_t)y << 32 | x << 1;
    SAW("%llu", (unsigned long long)v);
}
void through(uint64_t *p, int c, uint32_t x, uint32_t y)
{
    *p = c > 3 ? (uint64_t)y << 32 | x : (uint64_t)~y << 32 | x;
    SAW("%llu", (unsigned long long)v);
}
#endif
int main(void)
{
    for (int i = 0; i < 4; i++) {
        pick(5, 100 + i, 200 + i); pick(2, 300 + i, 400 + i); pick(-1, 500 + i, 600 + i); pick(1, 700 + i, 800 + i);
        through((uint64_t *)&v, 9, 10 + i, 20 + i); through((uint64_t *)&v, 1, 30 + i, 40 + i);
    }
    return 0;
}
'''
SHARED_BY_COMPILER = '''
volatile uint64_t v;
volatile int g;
KEPT __attribute__((optimize("no-tree-tail-merge"))) void pick(int c, uint32_t x, uint32_t y)
{
    if (c > 3) {
        v = (uint64_t)y << 32 | x;
        g = 7; g = 8; g = 9;
    } else {
        v = (uint64_t)y << 32 | (uint32_t)~x;
        g = 7; g = 8; g = 9;
    }
    SAW("%llu", (unsigned long long)v);
}
int main(void)
{
    for (int i = 0; i < 5; i++) {
        pick(5, 100 + i, 200 + i); pick(2, 300 + i, 400 + i); pick(0, 1, 2);
        v = (uint64_t)i << 33 | 1; SAW("%llu", (unsigned long long)v);
    }
    return 0;
}
'''
# one assignment whose second store a condition leaves out: its first one is counted as torn whether the other comes or not
LEFT_OUT = '''
uint64_t v;
#ifdef __riscv
__attribute__((naked)) void some(int c, uint32_t x, uint32_t y)
{
    __asm__(".option push\\n .option norelax\\n lui a5, %hi(v)\\n addi a5, a5, %lo(v)\\n"
            ".loc 1 15 5\\n sw a1, 0(a5)\\n beqz a0, 1f\\n sw a2, 4(a5)\\n 1: ret\\n .option pop");
}
#else
void some(int c, uint32_t x, uint32_t y)
{
    v = (c ? (uint64_t)y << 32 : v >> 32 << 32) | x;
    SAW("%llu", (unsigned long long)v);
}
#endif
KEPT void set(uint64_t x) { v = x; SAW("%llu", (unsigned long long)v); }
int main(void)
{
    for (int i = 0; i < 4; i++) {
        set(5); some(1, 100 + i, 200 + i); some(0, 300 + i, 400 + i); some(1, 7 + i, 8 + i); some(0, 1, 2); set(1ull << 40);
    }
    return 0;
}
'''
# main and a handler assign to one variable; what each assigns has the same number in both halves
INTERRUPTED = '''
uint64_t v;
volatile uint32_t ticks;
uint64_t next;
KEPT void copy(void *to, const void *from, unsigned size) { memcpy(to, from, size); }
KEPT void set(uint64_t x) { v = x; }
KEPT void put(uint64_t x) { copy(&v, &x, sizeof x); }
KEPT void turn(void) { v ^= 1ull << 63; }
__attribute__((interrupt("machine"), aligned(4))) void tick(void)
{
    uint32_t n = 0x40000000u | ++ticks;
    next += PERIOD;
    target_timer_at(ticks < 150 ? next : UINT64_MAX);
    HANDLED((uint64_t)n << 32 | n);
}
int main(void)
{
    next = target_cycles() + 100;
    target_timer_at(next);
    target_interrupts_on(tick);
    for (uint32_t i = 1; i <= 600; i++)
        MAIN((uint64_t)i << 32 | i);
    return 0;
}
'''


def interrupted(main, handled, period):
    return (f'#define MAIN(x) {main}\n#define HANDLED(x) {handled}\n#define PERIOD {period}\n' + INTERRUPTED)


# name, source, levels. At -O0 turn() reads and assigns both halves, mixed as they may be
BETWEEN = [(f'{main}-{handled}', interrupted(f'{main}(x)', f'{handled}(x)' if handled != 'turn' else 'turn()', period),
            ('-O2',) if handled == 'turn' else ('-O0', '-O2'))
           for main in ('set', 'put') for handled, period in (('set', 397), ('put', 793), ('turn', 397))]

CASES = [
    case('negated', NEGATED, 'write(v)', 'v'),
    case('one-bit', ONE_BIT, 'write(a[1])', 'a[1]'),
    case('fields', FIELDS, 'write(b.e)', 'b.e'),
    case('toggled', TOGGLED, 'write(hb)', 'hb'),
    case('frame', FRAME, 'write(frame.whole)', 'frame.whole'),
    case('straight', STRAIGHT, 'write(frame.whole)', 'frame.whole'),
    case('packed', PACKED, 'write(r.value)', 'r.value'),
    case('copied', COPIED, 'write(v)', 'v'),
    case('halves', HALVES, 'write(v)', 'v'),
    case('shared-end', SHARED_END, 'write(v)', 'v', ('-O2',)),
    case('shared-by-compiler', SHARED_BY_COMPILER, 'write(v)', 'v', ('-Os', '-O2')),
    case('left-out', LEFT_OUT, 'write(v)', 'v', ('-O2',), 16),
    case('locals', LOCALS, 'write(work\\v)', 'work\\v'),
]
