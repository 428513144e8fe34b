/* Interrupts of the timer at all places of a computation, exceptions, and what handlers read and store of control registers:
 * for processors with a timer interrupt. No wfi, which SERV has not. VECTORED: mtvec is a table of jumps, as Ibex wants it. */
#include "target.h"

#define ROUNDS 400u
#define CAUSE_CALL 11u
#ifdef NO_STATUS /* what is read of mstatus is not stored: SERV loses its MIE at times */
#define KEEPS_STATUS 0
#else
#define KEEPS_STATUS 1
#endif

static volatile uint32_t timers, calls, others, sum, seen[4];

__attribute__((interrupt("machine"), aligned(4), used)) static void handler(void)
{
    uint32_t cause, at, status;
    __asm__ volatile("csrr %0, mcause\n\tcsrr %1, mepc\n\tcsrr %2, mstatus" : "=r"(cause), "=r"(at), "=r"(status));
    seen[0] = cause;
    seen[1] = at;
    seen[2] = KEEPS_STATUS ? status & 8 : 0;
    if (cause >> 31) {
        timers++;
        target_timer_at(target_cycles() + 150 + (target_random() & 255));
        return;
    }
    calls += cause == CAUSE_CALL;
    others += cause != CAUSE_CALL;
    at += 4; /* ecall has no short form */
    __asm__ volatile("csrw mepc, %0" ::"r"(at));
}

#ifdef VECTORED
/* Exceptions, and interrupts by their causes: of each a jump. */
__attribute__((naked, aligned(256), used)) static void table(void)
{
    __asm__ volatile(".option push\n.option norvc\n.rept 32\n j handler\n.endr\n.option pop");
}
#define HANDLER ((uint32_t)table | 1)
#else
#define HANDLER ((uint32_t)handler)
#endif

static uint32_t mixed(uint32_t x)
{
    for (unsigned i = 0; i < 6; i++)
        x = (x << 5 | x >> 27) ^ (x + 0x9E3779B9u);
    return x;
}

int main(void)
{
    uint32_t x = 1, before;
    target_timer_at(target_cycles() + 300);
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mscratch, %0\n\tcsrw mie, %1\n\tcsrsi mstatus, 8" ::"r"(HANDLER),
                     "r"(TARGET_TIMER)
                     : "memory");
    for (uint32_t i = 0; i < ROUNDS; i++) {
        x = mixed(x + target_random());
        before = target_interrupts_off();
        sum += x & 0xFFFF;
        target_interrupts_restore(KEEPS_STATUS ? before : 8);
        if ((i & 7) == 0)
            __asm__ volatile("ecall" ::: "memory");
        __asm__ volatile("csrr %0, mscratch" : "=r"(before));
        seen[3] = before;
    }
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
    target_puts("interrupted: ");
    target_put_int((int32_t)sum);
    target_puts("\n");
    return !(timers && calls == ROUNDS / 8 && !others);
}
