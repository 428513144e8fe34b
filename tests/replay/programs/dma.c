/* A DMA device against the program: words that it changes while the program reads and writes around them, in pieces and
 * across words; on the stack; code; found by polling the device, by polling memory, and by interrupts, two sources of
 * them, with sleep between. The exit code says whether all copies were right. */
#include <stdint.h>
#include <string.h>

#include "target.h"

#define WORDS 24

static uint32_t from[WORDS], to[WORDS];
static volatile uint32_t flag;
static _Alignas(4) uint8_t bytes[4 * WORDS];
static volatile unsigned ends, ticks;
static uint32_t sum, wrong;
static volatile uint32_t kept[8];

#define KEPT __attribute__((noinline, noclone))

__attribute__((interrupt("machine"), aligned(4))) static void on_interrupt(void)
{
    if (target_source() == TARGET_TIMER) {
        ticks++;
        target_timer_at(target_cycles() + 733);
    } else if (target_dma_done()) {
        ends++;
    }
}

KEPT static void add(uint32_t value)
{
    sum = (sum << 5 | sum >> 27) ^ value;
}

KEPT static void fill(uint32_t seed)
{
    for (unsigned i = 0; i < WORDS; i++)
        from[i] = seed + i * 0x01030507u;
}

/* Read while it comes: each word is the old one or the new one, and which is not known to the program. */
KEPT static void race(unsigned clocks)
{
    memset(to, 0x5A, sizeof to);
    target_dma_begin(to, from, WORDS, clocks, 0);
    do
        for (unsigned i = 0; i < WORDS; i += 5)
            add(((volatile uint32_t *)to)[i]);
    while (target_dma_left());
    for (unsigned i = 0; i < WORDS; i++)
        wrong += to[i] != from[i];
}

/* Without a look at the device: the last word that comes says that all have. */
KEPT static void by_memory(unsigned clocks)
{
    uint32_t message[5] = {0, 0, 0, 0, 0};
    from[4] = 1;
    target_dma_begin(message, from, 5, clocks, 0);
    while (!((volatile uint32_t *)message)[4])
        add(1);
    for (unsigned i = 0; i < 5; i++) {
        wrong += message[i] != from[i];
        add(message[i]);
    }
    target_dma_begin((void *)&flag, from + 4, 1, clocks, 0);
    while (!flag)
        continue;
    flag = 0;
}

/* Single bytes and halves of changed words, and own writes into words that it has changed, before the
 * program has read them. */
KEPT static void in_pieces(void)
{
    memset(bytes, 0, sizeof bytes);
    target_dma_begin(bytes, from, WORDS, 2, 0);
    while (target_dma_left())
        continue;
    for (unsigned i = 0; i < sizeof bytes / 4; i++) {
        volatile uint8_t *at = bytes + 4 * i;
        uint32_t was = from[i];
        switch (i % 6) {
        case 0: wrong += at[1] != (uint8_t)(was >> 8); break;
        case 1: wrong += *(volatile uint16_t *)(at + 2) != (uint16_t)(was >> 16); break;
        case 2:
            at[2] = 0x77; /* the others are the device's */
            wrong += *(volatile uint32_t *)at != ((was & ~0xFF0000u) | 0x770000u);
            break;
        case 3:
            *(volatile uint16_t *)at = 0x1234;
            wrong += at[3] != (uint8_t)(was >> 24);
            add(*(volatile uint32_t *)at);
            break;
        case 4: add(*(volatile int8_t *)(at + 3)); break;
        default: *(volatile uint32_t *)at = i; add(*(volatile uint32_t *)at);
        }
    }
}

/* Code that the device brings: fetches see it, as no store did. */
__asm__("  .text\n  .balign 4\nfirst_code:\n  li a0, 11\n  ret\n  .balign 4\n"
        "second_code:\n  lui a0, 0x12345\n  addi a0, a0, 0x678\n  ret\n  .balign 4\n");
extern const uint32_t first_code[], second_code[];
static uint32_t code[4];

KEPT static void as_code(void)
{
    uint32_t (*volatile run)(void) = (uint32_t(*)(void))(uintptr_t)code;
    for (unsigned round = 0; round < 6; round++) {
        target_dma_begin(code, round & 1 ? second_code : first_code, 3, 2, 0);
        while (target_dma_left())
            continue;
        __asm__ volatile("fence.i" : : : "memory");
        uint32_t got = run();
        wrong += got != (round & 1 ? 0x12345678u : 11);
        add(got);
    }
}

/* Ends come as interrupts, among those of the timer; the program sleeps, works, or overtakes it. */
KEPT static void by_interrupts(void)
{
    target_interrupts_on(on_interrupt);
    target_timer_at(target_cycles() + 100);
    target_interrupts_enable(TARGET_ALARM);
    for (unsigned round = 0; round < 40; round++) {
        unsigned before = ends;
        target_dma_begin(to, round % 3 ? 0 : from, WORDS - round % 7, 2 + round % 11, 1);
        while (ends == before) {
            if (round & 1)
                target_wait();
            else
                add(((volatile uint32_t *)to)[round % WORDS]);
        }
        for (unsigned i = 0; i < WORDS - round % 7; i++) {
            wrong += !(round % 3) && to[i] != from[i];
            add(to[i]);
        }
        kept[round & 7] = to[round % 17];
    }
    target_interrupts_off();
}

int main(void)
{
    fill(0x01020304);
    for (unsigned clocks = 2; clocks < 40; clocks += 7) {
        race(clocks);
        by_memory(clocks);
    }
    in_pieces();
    as_code();
    by_interrupts();
    target_put_int((int32_t)(sum ^ ticks));
    target_puts("\n");
    return wrong > 255 ? 255 : (int)wrong;
}
