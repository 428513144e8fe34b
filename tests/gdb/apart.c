/* A kernel that has a stack of its own for interrupts, and that its tasks call by an exception: a timer's interrupt and `ecall` switch. */
#include <stdint.h>

#include "target.h"

#define CONTEXT 32u
#define TIMES 40

struct task {
    uint32_t *sp;
    const char *name;
    struct task *next;
    uint32_t stack[256] __attribute__((aligned(16)));
};

struct task *volatile current;
struct task main_task, one_task, two_task;
uint32_t interrupt_stack[128] __attribute__((aligned(16)));
volatile uint32_t turns;

__attribute__((used)) static void choose(uint32_t cause)
{
    if (cause >> 31)
        target_timer_at(target_cycles() + 900);
    current = current->next;
}

__attribute__((naked, aligned(4))) static void trap(void)
{
    __asm__ volatile(
        "addi sp, sp, -128\n\t"
        "sw x1, 4(sp)\n\tsw x5, 20(sp)\n\tsw x6, 24(sp)\n\tsw x7, 28(sp)\n\tsw x8, 32(sp)\n\tsw x9, 36(sp)\n\t"
        "sw x10, 40(sp)\n\tsw x11, 44(sp)\n\tsw x12, 48(sp)\n\tsw x13, 52(sp)\n\tsw x14, 56(sp)\n\tsw x15, 60(sp)\n\t"
        "sw x16, 64(sp)\n\tsw x17, 68(sp)\n\tsw x18, 72(sp)\n\tsw x19, 76(sp)\n\tsw x20, 80(sp)\n\tsw x21, 84(sp)\n\t"
        "sw x22, 88(sp)\n\tsw x23, 92(sp)\n\tsw x24, 96(sp)\n\tsw x25, 100(sp)\n\tsw x26, 104(sp)\n\tsw x27, "
        "108(sp)\n\t"
        "sw x28, 112(sp)\n\tsw x29, 116(sp)\n\tsw x30, 120(sp)\n\tsw x31, 124(sp)\n\t"
        "csrr a0, mcause\n\tcsrr t0, mepc\n\tbltz a0, 1f\n\taddi t0, t0, 4\n1:\tsw t0, 0(sp)\n\t"
        "lw t0, current\n\tsw sp, 0(t0)\n\tla sp, interrupt_stack + 512\n\t"
        "call choose\n\t"
        "lw t0, current\n\tlw sp, 0(t0)\n\tlw t0, 0(sp)\n\tcsrw mepc, t0\n\t"
        "lw x1, 4(sp)\n\tlw x5, 20(sp)\n\tlw x6, 24(sp)\n\tlw x7, 28(sp)\n\tlw x8, 32(sp)\n\tlw x9, 36(sp)\n\t"
        "lw x10, 40(sp)\n\tlw x11, 44(sp)\n\tlw x12, 48(sp)\n\tlw x13, 52(sp)\n\tlw x14, 56(sp)\n\tlw x15, 60(sp)\n\t"
        "lw x16, 64(sp)\n\tlw x17, 68(sp)\n\tlw x18, 72(sp)\n\tlw x19, 76(sp)\n\tlw x20, 80(sp)\n\tlw x21, 84(sp)\n\t"
        "lw x22, 88(sp)\n\tlw x23, 92(sp)\n\tlw x24, 96(sp)\n\tlw x25, 100(sp)\n\tlw x26, 104(sp)\n\tlw x27, "
        "108(sp)\n\t"
        "lw x28, 112(sp)\n\tlw x29, 116(sp)\n\tlw x30, 120(sp)\n\tlw x31, 124(sp)\n\t"
        "addi sp, sp, 128\n\t"
        "mret");
}

static inline void yield(void)
{
    __asm__ volatile("ecall" : : : "memory");
}

__attribute__((noinline)) static uint32_t work(uint32_t depth, uint32_t value)
{
    uint32_t here = value * 3 + depth;
    if (depth)
        return work(depth - 1, here) + here;
    if (value & 1)
        yield();
    for (uint32_t i = 0; i < 30; i++)
        turns += i;
    return here;
}

static void one(void)
{
    for (uint32_t i = 0;; i++)
        work(i % 4, i);
}

static void two(void)
{
    for (uint32_t i = 7;; i += 3)
        work(i % 3, i);
}

static void create(struct task *task, const char *name, void (*body)(void))
{
    task->name = name;
    task->sp = task->stack + 256 - CONTEXT;
    task->sp[0] = (uint32_t)(uintptr_t)body;
}

int main(void)
{
    main_task.name = "main";
    create(&one_task, "one", one);
    create(&two_task, "two", two);
    main_task.next = &one_task;
    one_task.next = &two_task;
    two_task.next = &main_task;
    current = &main_task;
    target_timer_at(target_cycles() + 900);
    target_interrupts_on(trap);
    for (uint32_t i = 0; i < TIMES; i++)
        work(i % 3, i);
    target_interrupts_off();
    return 0;
}
