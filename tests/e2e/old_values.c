/* Values and what they were before, of what is narrow or found at run time. Compiled for the host it prints them. */
#ifdef HOST
#include <stdio.h>
#define SET(statement, place, to) \
    do { \
        long long was = (place); \
        (place) = (to); \
        printf(statement " %lld %lld\n", (long long)(place), was); \
    } while (0)
#else
#define SET(statement, place, to) (place) = (to)
#endif

typedef struct {
    unsigned low : 5;
    int mid : 9;
    unsigned high : 18;
} fields;
typedef struct {
    signed char level;
    short reading;
} sensor;
typedef struct __attribute__((packed)) {
    unsigned char first, second;
} pair;

typedef struct {
    int count;
    long long ticks : 40;
    int tag : 20;
} meter;
typedef struct {
    int kind;
    long long total;
} account;

volatile unsigned char bytes[8];
volatile short shorts[6];
volatile sensor sensors[3];
volatile pair pairs[5];
union {
    fields as;
    unsigned word;
} volatile table[4];
volatile meter meters[3];
volatile long long wide[6];
volatile account accounts[2][3];
volatile unsigned at, row, started;
volatile meter *volatile m;
volatile unsigned char *volatile p;
volatile short *volatile q;
volatile sensor *volatile s;
volatile pair *volatile r;

int main(void)
{
    unsigned seed = SEED;
    p = bytes, q = shorts, s = sensors, r = pairs, m = meters;
    for (int i = 0; i < 8; i++)
        bytes[i] = 10 * i;
    for (int i = 0; i < 6; i++)
        shorts[i] = -100 * i;
    for (int i = 0; i < 3; i++)
        sensors[i].level = -i, sensors[i].reading = 1000 * i;
    for (int i = 0; i < 5; i++)
        pairs[i].first = i, pairs[i].second = 200 + i;
    for (int i = 0; i < 4; i++)
        table[i].word = 0x12345678u * i;
    for (int i = 0; i < 3; i++)
        meters[i].count = i, meters[i].ticks = -5000000000ll * i, meters[i].tag = 77 * i;
    for (int i = 0; i < 6; i++)
        wide[i] = 1ll << 6 * i, accounts[i % 2][i / 2].total = -wide[i];
    started = 1; /* from here on all of them are known */
    p = bytes + 1, q = shorts + 1, s = sensors + 1, r = pairs + 1, m = meters + 1;
    for (int i = 0; i < 160; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned value = seed >> 8 & 0xFFFF, which = seed >> 18 & 0xFF;
        switch (seed >> 27) {
        case 16: m = meters + which % 3; break;
        case 17:
        case 18: SET("ticks", m->ticks, -(long long)seed * 100); break;
        case 19:
        case 20:
        case 21:
            at = which % 6;
            SET("wide", wide[at], (long long)seed * seed);
            break;
        case 22:
        case 23:
            at = which % 3, row = which / 3 % 2;
            SET("total", accounts[row][at].total, wide[which % 6] - (int)seed);
            break;
        case 24: m->count = value; break;
        case 25: wide[at ? 0 : 1] = seed; break; /* not the one that at means */
        case 0: p = bytes + which % 8; break;
        case 1: q = shorts + which % 6; break;
        case 2: s = sensors + which % 3; break;
        case 3: r = pairs + which % 5; break;
        case 4:
        case 5: SET("byte", *p, (unsigned char)value); break;
        case 6:
        case 7: SET("short", *q, (short)value); break;
        case 8:
        case 9: SET("reading", s->reading, (short)value); break;
        case 10: SET("level", s->level, (signed char)value); break;
        case 11:
        case 12: SET("second", r->second, (unsigned char)value); break;
        default: {
            int was = table[at = which % 4].as.mid;
            table[at].word = seed; /* a whole word at once */
#ifdef HOST
            printf("mid %d %d\n", (int)table[at].as.mid, was);
#else
            (void)was;
#endif
        }
        }
    }
    return 0;
}
