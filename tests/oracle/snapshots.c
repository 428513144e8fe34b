/* Objects of all kinds to be taken as a whole: nested, packed, with bit-fields and unions, local, through pointers that move or lead nowhere. */
#include <stdbool.h>
#include <stdint.h>

struct point { int16_t x, y; };
union both { float number; uint32_t word; uint8_t bytes[4]; };
struct __attribute__((packed)) odd { uint8_t head; uint32_t word; double real; };
enum mode { IDLE, BUSY = 7 };
struct whole {
    unsigned low : 3;
    signed middle : 9;
    bool lid : 1;
    enum mode mode;
    struct point points[3];
    union both both;
    union { int32_t inner; uint8_t parts[4]; struct { uint16_t down : 5, up : 11; int16_t rest; }; };
    struct odd odd;
    struct whole *next;
    int64_t wide;
    char name[6];
};

struct whole first, second;
struct whole *at;
uint8_t *byte;
uint8_t row[9];
volatile int steps, seen;

__attribute__((noipa)) static int work(int n)
{
    struct point here[2];
    volatile struct whole mine = {.low = 5, .name = "mine"};
    here[0].x = (int16_t)n;
    here[0].y = (int16_t)-n;
    here[1] = first.points[n % 3];
    mine.wide = (int64_t)n << 40;
    mine.mode = n & 1 ? BUSY : (enum mode)n;
    steps = n;
    return here[1].y + mine.low + here[0].x;
}

/* When it is entered, its parameter's place still holds what another activation left there. */
__attribute__((noipa)) static int show(const struct point *shown)
{
    steps = -1;
    return shown->x;
}

int main(void)
{
    for (int i = 0; i < 9; i++) {
        struct whole *to = i % 3 ? &first : &second;
        to->low = (unsigned)i;
        to->middle = -i * 20;
        to->lid = i & 1;
        to->points[i % 3] = (struct point){(int16_t)(i * 100), (int16_t)-i};
        to->both.number = (float)i / 3;
        to->odd.word = 0x01020304u * (unsigned)i;
        to->odd.real = i / 7.0;
        to->wide = -(int64_t)i << 33;
        to->name[i % 6] = (char)('a' + i);
        row[i] = (uint8_t)(i * 31);
        byte = i == 4 ? (uint8_t *)0x3FFF8u : i == 5 ? (uint8_t *)0x10000000u : i == 6 ? (uint8_t *)3 : &row[i / 2];
        at = i == 2 ? 0 : to;
        work(i);
        seen = show(to->points);
    }
    return 0;
}
