"""Made up programs of procedures that call each other, most of them inlined: for inlined.py. NATIVE, they print their entries and ends."""
HEAD = """#include <stdint.h>
#ifdef NATIVE
#include <stdio.h>
#define INLINED static __attribute__((noinline))
#define PLAIN __attribute__((no_instrument_function))
#else
#define INLINED static inline __attribute__((always_inline))
#endif
#define OWN static __attribute__((noinline))
#define OUT(value) (out = (value))
volatile int32_t input = 3, out;
int32_t table[8];
"""
TAIL = """#ifdef NATIVE
PLAIN static void tell(const char *what, void *procedure)
{
    static void *const known[] = {%s};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == procedure)
            printf("%%s f%%u 0\\n", what, i);
}
PLAIN void __cyg_profile_func_enter(void *procedure, void *from)
{
    (void)from;
    tell("enter", procedure);
}
PLAIN void __cyg_profile_func_exit(void *procedure, void *from)
{
    (void)from;
    tell("leave", procedure);
}
#endif
"""
SWITCH = "switch ({0} & 7) {{ case 0: a++; break; case 1: a += {1}; break; case 2: OUT(a); break; case 3: a ^= 5; OUT(a + 1); break; " \
         "case 4: table[2] = a; break; default: a--; }}\n"


class Maker:
    def __init__(self, random):
        self.random = random
        self.calls = 0   # left for the procedure at hand

    def value(self, names):
        pick = self.random.choice
        return pick([f"{pick(names)} + {self.random.randint(1, 9)}", f"{pick(names)} ^ {pick(names)}", f"{pick(names)} * 3 - input",
                     f"table[{pick(names)} & 7]", f"{pick(names)} >> 1"])

    def call(self, number, names):
        self.calls -= 1
        return f"f{self.random.randrange(number)}({self.value(names)})"

    def statement(self, number, names, depth):
        pick, what = self.random.choice, self.random.random()
        if what < .25:
            return f"OUT({self.value(names)});\n"
        if what < .4:
            return f"table[{pick(names)} & 7] = {self.value(names)};\n"
        if what < .6 and number and self.calls > 0:
            return f"a += {self.call(number, names)};\n"
        if what < .68 and number and self.calls > 1:
            return f"a += {self.call(number, names)} + {self.call(number, names)};\n"
        if what < .8 and depth < 2:
            otherwise = f" else {{\n{self.block(number, names, depth + 1)}}}" if pick([True, False]) else ""
            return f"if ({pick(names)} & {pick([1, 2, 3])}) {{\n{self.block(number, names, depth + 1)}}}{otherwise}\n"
        if what < .9 and depth < 2:
            index = f"i{depth}"
            return f"for (int32_t {index} = 0; {index} < ({pick(names)} & 3); {index}++) {{\n{self.block(number, names + [index], depth + 1)}}}\n"
        if what < .95:
            return f"if ({pick(names)} == {self.random.randint(0, 5)}) return {self.value(names)};\n"
        if number and self.calls > 0 and depth < 2:
            return SWITCH.format(pick(names), self.call(number, names))
        return f"a += {self.value(names)};\n"

    def block(self, number, names, depth):
        return "".join(self.statement(number, names, depth) for _ in range(self.random.randint(1, 3)))

    def procedure(self, number):
        self.calls = 4
        kind = "OWN" if number == 0 or self.random.random() < .35 else "INLINED"
        text = f"{kind} int32_t f{number}(int32_t n)\n{{\nint32_t a = n;\n"
        if self.random.random() < .7:
            text += f"OUT(n + {number});\n"
        text += self.block(number, ["n", "a"], 0)
        return text + ("OUT(a);\n" if self.random.random() < .6 else "") + "return a & 0xff;\n}\n"


def made_up(random):
    """The program, and its procedures, each before those that it calls."""
    maker = Maker(random)
    count = random.randint(4, 9)
    text = HEAD + "".join(maker.procedure(number) for number in range(count))
    text += "int main(void)\n{\nint32_t a = 0;\nfor (int32_t i = 0; i < 3; i++) {\n"
    text += "".join(f"a += f{random.randrange(count // 2, count)}(a + i);\n" for _ in range(3))
    text += "}\nout = a;\nreturn 0;\n}\n" + TAIL % ", ".join(f"(void *)f{number}" for number in range(count))
    return text, [f"f{number}" for number in reversed(range(count))]
