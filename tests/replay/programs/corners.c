/* What a replay can stumble over: exceptions that handlers answer, wfi, polls of mip, counters that there are not, code
 * that the program writes itself, interrupts of two sources with one handler, accesses of bytes and halves outside of
 * memory. */
#include "target.h"

#define ROUNDS 60u

volatile uint32_t traps, ecalls, illegals, breaks, timers, alarms, sum;
static uint32_t code[4] __attribute__((aligned(16)));

/* Instructions are little endian, whatever data are. */
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define INSN(word) __builtin_bswap32(word)
#define INSN_HALF(half) __builtin_bswap16(half)
#else
#define INSN(word) (word)
#define INSN_HALF(half) (half)
#endif

static void on_exception(uint32_t cause)
{
    uint32_t mepc;
    __asm__ volatile("csrr %0, mepc" : "=r"(mepc));
    traps++;
    if (cause == 11)
        ecalls++;
    if (cause == 2)
        illegals++;
    if (cause == 3)
        breaks++;
    uint16_t first = INSN_HALF(*(volatile uint16_t *)mepc);
    mepc += (first & 3) == 3 ? 4 : 2;
    __asm__ volatile("csrw mepc, %0" ::"r"(mepc));
}

__attribute__((interrupt("machine"), aligned(4))) void handler(void)
{
    uint32_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (!(cause >> 31)) {
        on_exception(cause);
    } else if ((cause & 15) == 7) {
        timers++;
        target_timer_at(target_cycles() + 700 + (target_random() & 1023));
    } else {
        alarms++;
        target_alarm_at(target_cycles() + 900 + (target_random() & 2047));
    }
}

/* li a0, number; ret: written, fenced and called. */
static uint32_t call_written(uint32_t number)
{
    code[0] = INSN(number << 20 | 10u << 7 | 0x13);
    code[1] = INSN(0x00008067);
    __asm__ volatile("fence.i" ::: "memory");
    uint32_t (*written)(void) = (uint32_t(*)(void))code;
    return written();
}

static uint32_t poll_pending(void)
{
    uint32_t pending, polls = 0;
    do {
        __asm__ volatile("csrr %0, mip" : "=r"(pending));
        polls++;
    } while (!(pending & 0x80) && polls < 300);
    return pending & 0x80 ? 1 : 0;
}

static uint32_t read_counter(void)
{
    uint32_t value = 77;
    __asm__ volatile("csrr %0, mcycle" : "+r"(value)); /* an exception here: value stays */
    return value;
}

int main(void)
{
    target_timer_at(target_cycles() + 1000);
    target_alarm_at(target_cycles() + 1500);
    __asm__ volatile("csrw mtvec, %0\n csrw mie, %1\n csrsi mstatus, 8" ::"r"(handler), "r"(0x880));
    for (uint32_t i = 0; i < ROUNDS; i++) {
        __asm__ volatile("ecall" ::: "memory");
        __asm__ volatile(".word 0xFFFFFFFF" ::: "memory");
        __asm__ volatile("ebreak" ::: "memory");
        sum += call_written(i & 1023);
        sum += read_counter();
        __asm__ volatile("csrci mstatus, 8");
        sum += poll_pending();
        __asm__ volatile("csrsi mstatus, 8");
        if (i % 3 == 0)
            __asm__ volatile("wfi");
        sum += *(volatile uint8_t *)(ES_TARGET_IO_BASE + ES_TARGET_IO_RANDOM + 1);
        sum += (uint32_t) * (volatile int16_t *)(ES_TARGET_IO_BASE + ES_TARGET_IO_RANDOM + 2);
        sum += *(volatile uint16_t *)(ES_TARGET_IO_BASE + ES_TARGET_IO_CYCLE);
    }
    __asm__ volatile("csrci mstatus, 8");
    target_puts("corners: ");
    target_put_int((int32_t)sum);
    target_puts("\n");
    return !(traps == 4 * ROUNDS && ecalls == ROUNDS && illegals == 2 * ROUNDS && breaks == ROUNDS && timers && alarms);
}
