/* For a bus of 8 bits: variables of all widths, arguments and locals on the stack, and an interrupt that comes between the bytes of others' calls. */
#include <stdbool.h>

#include "target.h"

#define TICKS 12u
#define PERIOD 900u /* clocks between two ticks */

struct pair {
    uint8_t first;
    int16_t second;
};

volatile uint8_t byte;
volatile int16_t half;
volatile int32_t whole;
volatile uint64_t wide;
volatile float real;
volatile bool odd;
volatile uint32_t ticks;
struct pair pairs[3];
uint32_t *pointer;
uint32_t pointed[2];

static void tell(uint32_t tick)
{
    pointed[tick & 1] = tick * 0x01010101u;
}

__attribute__((interrupt("machine"), aligned(4))) static void timer_isr(void)
{
    uint32_t tick = ticks + 1;

    ticks = tick;
    tell(tick);
    target_timer_at(tick < TICKS ? target_cycles() + PERIOD : UINT64_MAX);
}

static int32_t mix(int32_t deep, int32_t value)
{
    int32_t mixed = value ^ deep << 8;

    if (deep == 0)
        return mixed;
    return mix(deep - 1, mixed + 1);
}

int main(void)
{
    target_timer_at(target_cycles() + PERIOD);
    target_interrupts_on(timer_isr);
    for (int32_t round = 0; ticks < TICKS; round++) {
        byte = (uint8_t)(round * 37);
        half = (int16_t)(round * -259);
        whole = mix(3, round);
        wide += 0x100000001u;
        real = (float)round / 4;
        odd = round & 1;
        pairs[round % 3].first = (uint8_t)round;
        pairs[round % 3].second = (int16_t)-round;
        pointer = &pointed[round & 1];
    }
    return whole & 0x7f;
}
