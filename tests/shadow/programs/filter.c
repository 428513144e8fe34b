/* Fixed-point filters, as in a motor controller. */
#include "note.h"

enum { TAPS = 8 };
static const int16_t taps[TAPS] = {-120, 340, 2900, 6100, 6100, 2900, 340, -120};
static int16_t line[TAPS];
volatile int32_t adc = 77;
int32_t duty;

static inline int32_t saturate(int32_t value, int32_t limit)
{
    if (value > limit)
        value = limit;
    if (value < -limit)
        value = -limit;
    return value;
}

OWN int32_t fir(int16_t sample)
{
    int32_t sum = 0;
    NOTE(sum);
    for (int i = TAPS - 1; i > 0; i--)
        line[i] = line[i - 1];
    line[0] = sample;
    for (int i = 0; i < TAPS; i++) {
        sum += line[i] * taps[i];
        NOTE(sum);
    }
    int32_t scaled = sum >> 14;
    NOTE(scaled);
    return saturate(scaled, 2000);
}

OWN int32_t regulate(int32_t wanted, int32_t is, int32_t *integral)
{
    int32_t error = wanted - is;
    NOTE(error);
    *integral = saturate(*integral + error, 5000);
    int32_t out = error * 3 + *integral / 4;
    NOTE(out);
    if (out < 0) {
        out = 0;
        NOTE(out);
    }
    return out;
}

int main(void)
{
    int32_t integral = 0;
    for (int round = 0; round < 40; round++) {
        NOTE(round);
        int32_t raw = adc + (round * 37 & 255) - 100;
        NOTE(raw);
        int32_t smooth = fir((int16_t)raw);
        NOTE(smooth);
        duty = regulate(300, smooth, &integral);
    }
    return duty & 1;
}
