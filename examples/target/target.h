/* Devices of the reference target (docs/target.md) for programs in C. */
#ifndef TARGET_H
#define TARGET_H

#include <stdint.h>

#include "probe_defs.h"

#define TARGET_REGISTER(offset) (*(volatile uint32_t *)(ES_TARGET_IO_BASE + (offset)))

/* Ends the run with this exit code; 0 means success. Returning from main does the same. */
_Noreturn void _exit(int code);

/* Writes a string to the console. printf does it too, at the cost of some 10 KiB of ROM. */
void target_puts(const char *text);

/* Writes a number in decimal to the console. */
void target_put_int(int32_t value);

static inline void target_put_char(char c)
{
    TARGET_REGISTER(ES_TARGET_IO_CONSOLE) = (uint8_t)c;
}

/* Next 32 random bits; the sequence depends on the seed of the run alone. */
static inline uint32_t target_random(void)
{
    return TARGET_REGISTER(ES_TARGET_IO_RANDOM);
}

/* Bus clocks since the start. */
static inline uint64_t target_cycles(void)
{
    uint32_t low = TARGET_REGISTER(ES_TARGET_IO_CYCLE); /* latches the high half */
    return (uint64_t)TARGET_REGISTER(ES_TARGET_IO_CYCLEH) << 32 | low;
}

/* The timer interrupt is pending while the cycle count is at `cycle` or beyond; UINT64_MAX: never. */
static inline void target_timer_at(uint64_t cycle)
{
    TARGET_REGISTER(ES_TARGET_IO_TIMECMPH) = UINT32_MAX; /* no interrupt between the two halves */
    TARGET_REGISTER(ES_TARGET_IO_TIMECMP) = (uint32_t)cycle;
    TARGET_REGISTER(ES_TARGET_IO_TIMECMPH) = (uint32_t)(cycle >> 32);
}

/* The same for the alarm, which is the external interrupt. Where both are pending, it goes first. */
static inline void target_alarm_at(uint64_t cycle)
{
    TARGET_REGISTER(ES_TARGET_IO_ALARMH) = UINT32_MAX;
    TARGET_REGISTER(ES_TARGET_IO_ALARM) = (uint32_t)cycle;
    TARGET_REGISTER(ES_TARGET_IO_ALARMH) = (uint32_t)(cycle >> 32);
}

/* Sources of interrupts: bits of mie and mip; the position of the bit is what mcause says in a handler. */
#define TARGET_TIMER (1u << 7)
#define TARGET_ALARM (1u << 11)

/* Lets the timer interrupt call `handler`, a function with __attribute__((interrupt("machine"), aligned(4))): mtvec holds
 * multiples of 4 only. */
static inline void target_interrupts_on(void (*handler)(void))
{
    __asm__ volatile("csrw mtvec, %0\n\tcsrs mie, %1\n\tcsrsi mstatus, 8" : : "r"(handler), "r"(1 << 7) : "memory");
}

/* Keeps interrupts out. Returns what target_interrupts_restore needs. */
static inline uint32_t target_interrupts_off(void)
{
    uint32_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
    return before;
}

static inline void target_interrupts_restore(uint32_t before)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(before & 8) : "memory");
}

/* Lets these sources interrupt, too. */
static inline void target_interrupts_enable(uint32_t sources)
{
    __asm__ volatile("csrs mie, %0" : : "r"(sources) : "memory");
}

/* In a handler: the source that it was called for. */
static inline uint32_t target_source(void)
{
    uint32_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    return 1u << (cause & 15);
}

/* The DMA device of the target with shared memory writes `words` words from `to` on: copies of those from `from` on, or,
 * with NULL, random ones of its own. A word takes `clocks` clocks, 2 to 257. At the end it interrupts, as the alarm
 * does, if `interrupts`. */
static inline void target_dma_begin(void *to, const void *from, uint32_t words, unsigned clocks, int interrupts)
{
#define TARGET_DMA(offset) (*(volatile uint32_t *)(ES_TARGET_DMA_BASE + (offset)))
    __asm__ volatile("" : : : "memory"); /* what the program has stored there before is stored */
    TARGET_DMA(ES_TARGET_DMA_SOURCE) = (uint32_t)(uintptr_t)from;
    TARGET_DMA(ES_TARGET_DMA_DESTINATION) = (uint32_t)(uintptr_t)to;
    TARGET_DMA(ES_TARGET_DMA_CONTROL) = (from == 0) | (interrupts != 0) << 1 | (clocks - 2) << 8;
    TARGET_DMA(ES_TARGET_DMA_COUNT) = words;
}

/* Words that are still to come. When there are none, all are in memory. */
static inline uint32_t target_dma_left(void)
{
    uint32_t left = TARGET_DMA(ES_TARGET_DMA_COUNT);
    __asm__ volatile("" : : : "memory"); /* what is read from there is read after it */
    return left;
}

/* In the handler: it does not interrupt any more. True if it did. */
static inline int target_dma_done(void)
{
    uint32_t done = TARGET_DMA(ES_TARGET_DMA_DONE);
    TARGET_DMA(ES_TARGET_DMA_DONE) = 0;
    __asm__ volatile("" : : : "memory");
    return done != 0;
}

/* What a handler must have again to return. */
struct target_nesting {
    uint32_t mepc, mstatus, mie;
};

/* In a handler: from here to target_nesting_end, with what this returns, the handler itself may be interrupted, by these
 * sources. Its own one is among them only when it is not pending any more. */
static inline struct target_nesting target_nesting_begin(uint32_t sources)
{
    struct target_nesting before;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus\n\tcsrrw %2, mie, %3\n\tcsrsi mstatus, 8"
                     : "=&r"(before.mepc), "=&r"(before.mstatus), "=&r"(before.mie)
                     : "r"(sources)
                     : "memory");
    return before;
}

static inline void target_nesting_end(struct target_nesting before)
{
    __asm__ volatile("csrci mstatus, 8\n\tcsrw mie, %2\n\tcsrw mepc, %0\n\tcsrw mstatus, %1"
                     :
                     : "r"(before.mepc), "r"(before.mstatus), "r"(before.mie)
                     : "memory");
}

/* Sleeps until an interrupt is pending. */
static inline void target_wait(void)
{
    __asm__ volatile("wfi" : : : "memory");
}

#endif
