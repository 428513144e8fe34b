/* Programs whose stack pointer does not only go up and down: SHAPE says how. Each write to step's n is told on the console, with the
 * procedures that are active: `main work step 7`. */

#include <setjmp.h>
#include <stdint.h>

#include "target.h"

#define SWAP 1     /* coroutines by a function that keeps its registers on the stack */
#define CONTEXT 2  /* ... in a record, as swapcontext does */
#define JUMP 3     /* ... by longjmp, with jmp_bufs that were made by hand */
#define CALL_ON 4  /* a procedure is called on a stack of its own */
#define HONEST 5   /* longjmp as error handling: one stack */
#define ALLOCA 6   /* arrays of variable length: one stack */
#define HANDLER 7  /* an interrupt handler with a stack of its own */

volatile int g;
_Alignas(16) uint32_t stacks[3][256];
static const char *path;

static void say(const char *who, int n)
{
    target_puts(path);
    target_puts(who);
    target_put_int(n);
    target_put_char('\n');
}

#if SHAPE == SWAP
static uint32_t *saved[3];
static unsigned at;

__attribute__((naked, noinline)) static void swap(__attribute__((unused)) uint32_t **save, __attribute__((unused)) uint32_t *load)
{
    __asm__ volatile("addi sp, sp, -16\n\tsw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw sp, 0(a0)\n\tmv sp, a1\n\t"
                     "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\taddi sp, sp, 16\n\tret");
}

static void give(void)
{
    unsigned before = at;
    at = (at + 1) % 3;
    swap(&saved[before], saved[at]);
}

static void prepare(unsigned which, void (*body)(void))
{
    saved[which] = stacks[which] + 256 - 4;
    saved[which][0] = (uint32_t)(uintptr_t)body;
}
#elif SHAPE == CONTEXT
struct context { uint32_t ra, sp, s0; };
static struct context contexts[3];
struct context *running = &contexts[0];

__attribute__((naked, noinline)) static void switch_context(__attribute__((unused)) struct context *save,
                                                            __attribute__((unused)) struct context *load)
{
    __asm__ volatile("sw ra, 0(a0)\n\tsw sp, 4(a0)\n\tsw s0, 8(a0)\n\tlw ra, 0(a1)\n\tlw sp, 4(a1)\n\tlw s0, 8(a1)\n\tret");
}

static void give(void)
{
    struct context *before = running;
    running = before == &contexts[2] ? &contexts[0] : before + 1;
    switch_context(before, running);
}

static void prepare(unsigned which, void (*body)(void))
{
    contexts[which].sp = (uint32_t)(uintptr_t)(stacks[which] + 256);
    contexts[which].ra = (uint32_t)(uintptr_t)body;
}
#elif SHAPE == JUMP
static jmp_buf jumps[3];
static unsigned at;

static void give(void)
{
    unsigned before = at;
    at = (at + 1) % 3;
    if (!setjmp(jumps[before]))
        longjmp(jumps[at], 1);
}

static void prepare(unsigned which, void (*body)(void))
{
    uint32_t *words = (void *)jumps[which]; /* ra, s0 to s11, sp */
    words[0] = (uint32_t)(uintptr_t)body;
    words[13] = (uint32_t)(uintptr_t)(stacks[which] + 256);
}
#elif SHAPE == CALL_ON
__attribute__((naked, noinline)) static void call_on(__attribute__((unused)) void (*body)(void), __attribute__((unused)) uint32_t *sp)
{
    __asm__ volatile("addi sp, sp, -16\n\tsw ra, 0(sp)\n\tsw s0, 4(sp)\n\tmv s0, sp\n\tmv sp, a1\n\tjalr a0\n\tmv sp, s0\n\t"
                     "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\taddi sp, sp, 16\n\tret");
}
#endif

static void step(int from)
{
    int n = from;
    n += 1;
    say("step ", n);
#if SHAPE <= JUMP
    const char *mine = path;
    give();
    path = mine;
#endif
    n += 1;
    say("step ", n);
    g = n;
}

#if SHAPE <= JUMP
static void ping(void)
{
    path = "ping ";
    for (int i = 0;; i += 2)
        step(i);
}

static void work(int i)
{
    step(i);
}

static void pong(void)
{
    path = "pong work ";
    for (int i = 100;; i += 2)
        work(i);
}

int main(void)
{
    prepare(1, ping);
    prepare(2, pong);
    path = "main ";
    for (int i = 1000; i < 1006; i += 2)
        step(i);
    return 0;
}
#elif SHAPE == CALL_ON
static void guest(void)
{
    path = "main call_on guest ";
    step(100);
}

int main(void)
{
    path = "main ";
    step(0);
    call_on(guest, stacks[0] + 256);
    path = "main ";
    step(10);
    return 0;
}
#elif SHAPE == HONEST
static jmp_buf back;

static void deep(int left)
{
    if (left)
        deep(left - 1);
    else if (g >= 0)
        longjmp(back, 1);
}

int main(void)
{
    path = "main ";
    for (int i = 0; i < 3; i++) {
        if (!setjmp(back))
            deep(i);
        step(10 * i);
    }
    return 0;
}
#elif SHAPE == ALLOCA
__attribute__((noinline)) static int fill(volatile char *bytes, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (char)i;
    return bytes[count - 1];
}

static void arrays(int count)
{
    for (int i = 1; i < count; i++) {
        char own[8 * i];
        g += fill(own, 8 * i);
        path = "main arrays ";
        step(2 * i);
    }
    g += fill(__builtin_alloca(16), 16);
}

int main(void)
{
    arrays(4);
    path = "main ";
    step(100);
    return 0;
}
#else
uint32_t *put_aside;
static volatile int ticks;

static void tick(void)
{
    ticks++;
    target_timer_at(target_cycles() + 700);
}

__attribute__((naked, aligned(4))) static void on_timer(void)
{
    __asm__ volatile("addi sp, sp, -64\n\tsw ra, 0(sp)\n\tsw t0, 4(sp)\n\tsw t1, 8(sp)\n\tsw t2, 12(sp)\n\tsw a0, 16(sp)\n\tsw a1, 20(sp)\n\t"
                     "sw a2, 24(sp)\n\tsw a3, 28(sp)\n\tsw a4, 32(sp)\n\tsw a5, 36(sp)\n\tsw a6, 40(sp)\n\tsw a7, 44(sp)\n\t"
                     "la t0, put_aside\n\tsw sp, 0(t0)\n\tla sp, stacks + 1024\n\tcall %0\n\tla t0, put_aside\n\tlw sp, 0(t0)\n\t"
                     "lw ra, 0(sp)\n\tlw t0, 4(sp)\n\tlw t1, 8(sp)\n\tlw t2, 12(sp)\n\tlw a0, 16(sp)\n\tlw a1, 20(sp)\n\t"
                     "lw a2, 24(sp)\n\tlw a3, 28(sp)\n\tlw a4, 32(sp)\n\tlw a5, 36(sp)\n\tlw a6, 40(sp)\n\tlw a7, 44(sp)\n\t"
                     "addi sp, sp, 64\n\tmret" : : "i"(tick));
}

int main(void)
{
    target_timer_at(target_cycles() + 700);
    target_interrupts_on(on_timer);
    path = "main ";
    for (int i = 0; i < 6; i += 2)
        step(i);
    target_interrupts_off();
    return ticks < 3;
}
#endif
