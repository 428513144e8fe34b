/* A timer interrupt fills a ring buffer, the main loop empties it. When the main loop is busy for too long, items are dropped. */
#include <stdbool.h>

#include "target.h"

#define PLACES 8u /* a power of two */
#define TICKS 200u
#define PERIOD 1000u /* clocks between two ticks */

struct sample {
    uint32_t tick;
    uint16_t value;
};

struct ring {
    struct sample place[PLACES];
    uint8_t head; /* the interrupt's: next place to fill */
    uint8_t tail; /* the main loop's: next place to empty */
};

volatile struct ring ring;
volatile uint32_t ticks;
volatile uint16_t dropped;
uint32_t received;
uint32_t missing;
uint32_t sum;
uint64_t next_tick;

static bool put(uint16_t value)
{
    uint8_t head = ring.head;
    if ((uint8_t)(head - ring.tail) == PLACES)
        return false;
    ring.place[head % PLACES].tick = ticks;
    ring.place[head % PLACES].value = value;
    ring.head = (uint8_t)(head + 1);
    return true;
}

static bool get(struct sample *sample)
{
    uint8_t tail = ring.tail;
    if (tail == ring.head)
        return false;
    sample->tick = ring.place[tail % PLACES].tick;
    sample->value = ring.place[tail % PLACES].value;
    ring.tail = (uint8_t)(tail + 1);
    return true;
}

__attribute__((interrupt("machine"), aligned(4))) void timer_isr(void)
{
    next_tick += PERIOD;
    target_timer_at(ticks + 1 < TICKS ? next_tick : UINT64_MAX);
    if (!put((uint16_t)(target_random() & 0xFFF)))
        dropped++;
    ticks++;
}

/* Work on one sample. Some samples take so long that the ring runs full meanwhile. */
static uint32_t work(uint16_t value)
{
    uint32_t mixed = value;
    for (uint32_t i = 0; i < (value & 15u); i++)
        mixed = mixed << 1 ^ mixed >> 3 ^ i;
    if (value > 0xFC0) {
        uint64_t until = target_cycles() + 12 * PERIOD;
        while (target_cycles() < until)
            continue;
    }
    return mixed;
}

int main(void)
{
    next_tick = target_cycles() + PERIOD;
    target_timer_at(next_tick);
    target_interrupts_on(timer_isr);

    uint32_t expected = 0;
    while (received + dropped < TICKS) {
        struct sample sample;
        if (!get(&sample)) {
            target_wait();
            continue;
        }
        if (sample.tick != expected)
            missing += sample.tick - expected;
        expected = sample.tick + 1;
        sum += work(sample.value);
        received++;
    }
    target_puts("interrupts: received ");
    target_put_int((int32_t)received);
    target_puts(", dropped ");
    target_put_int(dropped);
    target_puts("\n");
    return !(ticks == TICKS && received + dropped == TICKS && missing <= dropped);
}
