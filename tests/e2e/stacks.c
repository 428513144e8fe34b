/* Two tasks and main, each on a stack that is painted before it is used, and how much of the paint is left in the end, as kernels tell it. */
#include "kernel.h"
#include "target.h"

#define APART __attribute__((noinline, noclone))

struct task main_task, first_task, second_task;
extern uint32_t __heap_end[], __stack_top[];
volatile unsigned state = SEED, done;

APART static unsigned number(void)
{
    return state = state * 1664525u + 1013904223u, state >> 24;
}

/* Arrays on the way down, of which not every word is written. */
APART static unsigned deep(unsigned left)
{
    volatile unsigned some[12];
    some[left % 12] = left;
    return left ? deep(left - 1) + some[left % 12] : number();
}

/* The same word of the stack again and again, faster than the probe takes hits. */
APART static void hammer(void)
{
    volatile unsigned same;
    for (unsigned i = 0; i < 400; i++) {
        same = i, same = i, same = i, same = i;
        same = i, same = i, same = i, same = i;
    }
}

static void work(unsigned most)
{
    hammer();
    for (unsigned i = 0; i < 6; i++)
        state += deep(number() % most);
    done++;
}

static void first(void)
{
    work(7);
}

static void second(void)
{
    work(3);
}

static void paint_words(uint32_t *from, const uint32_t *to, uint32_t with)
{
    for (volatile uint32_t *at = from; at < to; at++)
        *at = with;
}

static void paint_bytes(uint32_t *from, const uint32_t *to, uint8_t with)
{
    for (volatile uint8_t *at = (uint8_t *)from; at < (const uint8_t *)to; at++)
        *at = with;
}

static void tell(const char *name, const uint32_t *from, const uint32_t *to, uint32_t with)
{
    const uint32_t *at = from;
    while (at < to && *at == with)
        at++;
    target_puts(name);
    target_puts(" ");
    target_put_int((int32_t)((const char *)to - (const char *)at));
    target_puts("\n");
}

static void paint_all(void)
{
    paint_words(first_task.stack, first_task.stack + TASK_STACK_WORDS, 0xA5A5A5A5u);
    paint_bytes(second_task.stack, second_task.stack + TASK_STACK_WORDS, 0xAA);
    paint_words(__heap_end, (uint32_t *)__builtin_frame_address(0) - 64, 0xCDCDCDCDu); /* below all that is in use */
}

int main(void)
{
    if (PAINTS)
        paint_all();
    task_create(&first_task, "first", first);
    task_create(&second_task, "second", second);
    kernel_run(&main_task, 700);
    state += deep(20);
    while (done < 2)
        target_wait();
    target_interrupts_off();
    tell("first_task_stack", first_task.stack, first_task.stack + TASK_STACK_WORDS, 0xA5A5A5A5u);
    tell("second_task_stack", second_task.stack, second_task.stack + TASK_STACK_WORDS, 0xAAAAAAAAu);
    tell("stack", __heap_end, __stack_top, 0xCDCDCDCDu);
    return 0;
}
