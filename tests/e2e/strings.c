/* Texts in arrays and where pointers lead to. Compiled for the host it prints at each write to them what is true of them. */
#include <string.h>
#ifdef HOST
#include <stdio.h>
#define SAY(...) printf(__VA_ARGS__)
#else
#define SAY(...)
#endif

struct task {
    int id;
    char name[10];
    const char *state;
};

char name[12];
signed char small[4];
volatile struct task tasks[2], *volatile current;
const char idle[] = "idle", running[] = "run\tning";
const char *volatile state;
volatile int marks;
int was_idle, was_name;

static int same(const volatile char *a, const char *b, unsigned most)
{
    unsigned i = 0;
    while (i < most && b[i] && a[i] == b[i])
        i++;
    return i == most || (!b[i] && !a[i]);
}

static void shown(const volatile char *text, unsigned most)
{
    SAY(" ");
    for (unsigned i = 0; i < most && text[i]; i++)
        SAY("%c", text[i] == '\t' ? '_' : text[i]);
    SAY(".\n");
}

/* after each write to `name` */
static void named(void)
{
    if (same(name, "idle", 12)) {
        SAY("equal");
        shown(name, 12);
        if (!was_name) {
            SAY("becomes");
            shown(name, 12);
        }
    } else {
        SAY("differs");
        shown(name, 12);
    }
    was_name = same(name, "idle", 12);
}

__attribute__((noinline)) static void put(volatile char *to, const char *from)
{
    do {
        *to++ = *from;
        if (to > name && to <= name + sizeof idle) /* what is compared */
            named();
    } while (*from++);
}

static void point(const char *to)
{
    state = to;
    if (to && same(to, "idle", 99))
        SAY("pointed idle.\n");
    SAY("text");
    if (to)
        shown(to, 48);
    else
        SAY(" -\n");
}

int main(void)
{
    unsigned seed = SEED;
    static const char *const words[] = {"idle", "id", "idler", "run\tning", "", "x"};
    for (int round = 0; round < 30; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned n = seed >> 16;
        switch (n % 4) {
        case 0: put(name, words[n / 4 % 6]); break;
        case 1: point(n / 4 % 3 == 0 ? idle : n / 4 % 3 == 1 ? running : 0); break;
        case 2:
            put(tasks[n / 4 % 2].name, words[n / 8 % 6]);
            marks = round;
            if (same(tasks[1].name, "idle", 10) && marks % 2) {
                SAY("marked");
                shown(tasks[1].name, 10);
            }
            break;
        default:
            small[n / 4 % 4] = (signed char)"\xe4"
                                            "bcd"[n / 16 % 4];
            if (same((volatile char *)small,
                     "\xe4"
                     "bcd",
                     4)) /* characters with a sign */
                SAY("full %d\n", 'd');
        }
    }
    return 0;
}
