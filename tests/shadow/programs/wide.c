/* 64-bit integers, floats made of integers, structs that are passed and returned by value. */
#include "note.h"

typedef struct point {
    int16_t x, y;
} point;
typedef struct span {
    uint32_t low, high;
} span;

volatile int32_t in = 1234567;
volatile uint8_t shift = 5;
int64_t sum;
float last;

OWN int64_t scale(int64_t value, int32_t by)
{
    int64_t product = value * by;
    int64_t rest = product % 1000;
    NOTE(rest);
    product -= rest;
    return product >> shift;
}

OWN point turn(point p, int quarter)
{
    while (quarter-- > 0) {
        NOTE(quarter);
        int16_t x = p.x;
        p.x = (int16_t)-p.y;
        p.y = x;
        NOTE(x);
    }
    return p;
}

OWN span widen(span s, uint32_t by)
{
    uint32_t low = s.low > by ? s.low - by : 0;
    NOTE(low);
    s.low = low;
    s.high += by;
    return s;
}

OWN uint32_t bits_of(float f)
{
    union {
        float f;
        uint32_t bits;
    } u = {f};
    uint32_t exponent = u.bits >> 23 & 255;
    NOTE(exponent);
    return exponent;
}

OWN float mean(const int32_t *values, int count)
{
    float total = 0;
    for (int i = 0; i < count; i++)
        total += (float)values[i];
    return total / (float)count;
}

int main(void)
{
    int32_t values[5];
    point p = {3, -4};
    span s = {100, 200};
    for (int i = 0; i < 5; i++) {
        values[i] = in / (i + 1);
        int64_t scaled = scale((int64_t)in << 12, i * 7 - 10);
        sum += scaled;
        p = turn(p, i & 3);
        s = widen(s, (uint32_t)(p.x & 31));
        uint32_t mixed = s.low ^ (uint32_t)scaled;
        NOTE(mixed);
    }
    last = mean(values, 5);
    return (int)(bits_of(last) & 1);
}
