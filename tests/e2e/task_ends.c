/* A task that returns from its first procedure, again and again, and each time an interrupt that switches tasks comes a
 * little later: also between the return and the first instruction of the procedure that ends tasks. What the program
 * prints says in how many rounds that happened, and how often the task came to its end. */
#include "target.h"

#include <stdio.h>
#include <unistd.h>

#define ROUNDS 240

struct task {
    uint32_t *sp;
    volatile int over;
    uint32_t stack[128];
};

static struct task keeper, worker;
struct task *volatile current;
volatile int rounds, switches, cut, ended, work;
static volatile int slice;

static void task_end(void);

/* The stack pointer to go on with. */
__attribute__((used)) static uint32_t *tick(uint32_t *sp)
{
    current->sp = sp;
    if (current == &worker) {
        cut += sp[0] == (uint32_t)(uintptr_t)task_end; /* where it was interrupted */
        current = &keeper;
        switches++;
        target_timer_at(UINT64_MAX);
    } else {
        current = &worker;
        target_timer_at(target_cycles() + (uint32_t)slice);
    }
    return current->sp;
}

#define EACH(insn) \
    insn " x1, 4(sp)\n\t" insn " x5, 8(sp)\n\t" insn " x6, 12(sp)\n\t" insn " x7, 16(sp)\n\t" insn \
         " x8, 20(sp)\n\t" insn " x9, 24(sp)\n\t" insn " x10, 28(sp)\n\t" insn " x11, 32(sp)\n\t" insn \
         " x12, 36(sp)\n\t" insn " x13, 40(sp)\n\t" insn " x14, 44(sp)\n\t" insn " x15, 48(sp)\n\t" insn \
         " x16, 52(sp)\n\t" insn " x17, 56(sp)\n\t" insn " x18, 60(sp)\n\t" insn " x19, 64(sp)\n\t" insn \
         " x20, 68(sp)\n\t" insn " x21, 72(sp)\n\t" insn " x22, 76(sp)\n\t" insn " x23, 80(sp)\n\t" insn \
         " x24, 84(sp)\n\t" insn " x25, 88(sp)\n\t" insn " x26, 92(sp)\n\t" insn " x27, 96(sp)\n\t" insn \
         " x28, 100(sp)\n\t" insn " x29, 104(sp)\n\t" insn " x30, 108(sp)\n\t" insn " x31, 112(sp)\n\t"

__attribute__((naked, aligned(4))) static void timer_isr(void)
{
    __asm__ volatile("addi sp, sp, -128\n\t" EACH(
        "sw") "csrr t0, mepc\n\tsw t0, 0(sp)\n\tmv a0, sp\n\tcall tick\n\t"
              "mv sp, a0\n\tlw t0, 0(sp)\n\tcsrw mepc, t0\n\tli t0, 0x1880\n\tcsrs mstatus, t0\n\t" EACH(
                  "lw") "addi sp, sp, 128\n\tmret");
}

static void task_end(void)
{
    ended++;
    current->over = 1;
    for (;;)
        target_wait();
}

static void body(void)
{
    work += 3;
    work ^= rounds;
}

static void task_create(struct task *task, void (*first)(void))
{
    task->over = 0;
    task->sp = task->stack + 128 - 32;
    task->sp[0] = (uint32_t)(uintptr_t)first;
    task->sp[1] = (uint32_t)(uintptr_t)task_end;
}

int main(void)
{
    current = &keeper;
    target_interrupts_on(timer_isr);
    for (rounds = 0; rounds < ROUNDS; rounds++) {
        task_create(&worker, body);
        for (slice = FIRST_SLICE + rounds; !worker.over; slice = 2000) {
            int before = switches;
            target_timer_at(target_cycles() + 60);
            while (switches == before)
                ;
        }
    }
    printf("cut %d ended %d\n", cut, ended);
    return 0;
}
