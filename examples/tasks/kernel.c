#include "kernel.h"

#include "target.h"

/* What an interrupt saves on the stack of the task that it interrupts. */
#define SAVED_WORDS 32u
#define SAVED_RA 1u
#define SAVED_MEPC 0u

struct task *volatile current;
static struct task *last_created;
static uint32_t slice_length;

/* Where a task's body returns to. */
static void task_end(void)
{
    current->ready = false;
    for (;;)
        target_wait();
}

void task_create(struct task *task, const char *name, void (*body)(void))
{
    task->name = name;
    task->ready = true;
    task->sp = task->stack + TASK_STACK_WORDS - SAVED_WORDS;
    task->sp[SAVED_MEPC] = (uint32_t)(uintptr_t)body;
    task->sp[SAVED_RA] = (uint32_t)(uintptr_t)task_end;
    task->next = last_created;
    last_created = task;
}

static void choose_next(void)
{
    struct task *task = current->next;
    while (!task->ready && task != current)
        task = task->next;
    task->switches++;
    current = task;
}

/* Called on the interrupted task's stack; what it returns is the stack to go on with. */
__attribute__((used)) static uint32_t *kernel_tick(uint32_t *sp)
{
    current->sp = sp;
    choose_next();
    target_timer_at(target_cycles() + slice_length);
    return current->sp;
}

/* Saves all registers but gp and tp, which are the same for all, lets kernel_tick choose, and restores those of its choice. */
__attribute__((naked, aligned(4))) static void timer_isr(void)
{
    __asm__ volatile("addi sp, sp, -128\n\t"
                     "sw x1, 4(sp)\n\tsw x5, 20(sp)\n\tsw x6, 24(sp)\n\tsw x7, 28(sp)\n\tsw x8, 32(sp)\n\tsw x9, 36(sp)\n\t"
                     "sw x10, 40(sp)\n\tsw x11, 44(sp)\n\tsw x12, 48(sp)\n\tsw x13, 52(sp)\n\tsw x14, 56(sp)\n\tsw x15, 60(sp)\n\t"
                     "sw x16, 64(sp)\n\tsw x17, 68(sp)\n\tsw x18, 72(sp)\n\tsw x19, 76(sp)\n\tsw x20, 80(sp)\n\tsw x21, 84(sp)\n\t"
                     "sw x22, 88(sp)\n\tsw x23, 92(sp)\n\tsw x24, 96(sp)\n\tsw x25, 100(sp)\n\tsw x26, 104(sp)\n\tsw x27, 108(sp)\n\t"
                     "sw x28, 112(sp)\n\tsw x29, 116(sp)\n\tsw x30, 120(sp)\n\tsw x31, 124(sp)\n\t"
                     "csrr t0, mepc\n\tsw t0, 0(sp)\n\t"
                     "mv a0, sp\n\t"
                     "call kernel_tick\n\t"
                     "mv sp, a0\n\t"
                     "lw t0, 0(sp)\n\tcsrw mepc, t0\n\t"
                     "lw x1, 4(sp)\n\tlw x5, 20(sp)\n\tlw x6, 24(sp)\n\tlw x7, 28(sp)\n\tlw x8, 32(sp)\n\tlw x9, 36(sp)\n\t"
                     "lw x10, 40(sp)\n\tlw x11, 44(sp)\n\tlw x12, 48(sp)\n\tlw x13, 52(sp)\n\tlw x14, 56(sp)\n\tlw x15, 60(sp)\n\t"
                     "lw x16, 64(sp)\n\tlw x17, 68(sp)\n\tlw x18, 72(sp)\n\tlw x19, 76(sp)\n\tlw x20, 80(sp)\n\tlw x21, 84(sp)\n\t"
                     "lw x22, 88(sp)\n\tlw x23, 92(sp)\n\tlw x24, 96(sp)\n\tlw x25, 100(sp)\n\tlw x26, 104(sp)\n\tlw x27, 108(sp)\n\t"
                     "lw x28, 112(sp)\n\tlw x29, 116(sp)\n\tlw x30, 120(sp)\n\tlw x31, 124(sp)\n\t"
                     "addi sp, sp, 128\n\t"
                     "mret");
}

void kernel_run(struct task *main_task, uint32_t slice)
{
    main_task->name = "main";
    main_task->ready = true;
    main_task->next = last_created;
    struct task *task = last_created; /* close the round */
    while (task->next)
        task = task->next;
    task->next = main_task;
    current = main_task;
    slice_length = slice;
    target_timer_at(target_cycles() + slice_length);
    target_interrupts_on(timer_isr);
}
