/* Ways back that are no returns: longjmp out of a recursion, and two coroutines that change stacks by hand. How often
 * each is called stands in the text of profiles.py. */
#include <setjmp.h>
#include <stdint.h>

#define KEPT __attribute__((noinline))

volatile uint32_t seen[4];
static jmp_buf back;

KEPT static void dive(uint32_t depth)
{
    seen[0]++;
    if (depth == 0)
        longjmp(back, 1);
    dive(depth - 1);
    seen[0]++; /* so that the call is not the last thing */
}

KEPT static void after(void)
{
    seen[1]++;
}

/* --- coroutines: what a switch keeps lies on the stack that is left --- */

#define WORDS 256
static uint32_t stacks[2][WORDS];
static uint32_t *left[3]; /* stack pointers: of main, ping, pong */

__attribute__((naked, noinline)) static void change(uint32_t **from, uint32_t **to)
{
    (void)from, (void)to;
    __asm__ volatile(
        "addi sp, sp, -64\n\tsw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw s1, 8(sp)\n\tsw s2, 12(sp)\n\tsw s3, 16(sp)\n\t"
        "sw s4, 20(sp)\n\tsw s5, 24(sp)\n\tsw s6, 28(sp)\n\tsw s7, 32(sp)\n\tsw s8, 36(sp)\n\tsw s9, 40(sp)\n\t"
        "sw s10, 44(sp)\n\tsw s11, 48(sp)\n\tsw sp, 0(a0)\n\tlw sp, 0(a1)\n\tlw ra, 0(sp)\n\tlw s0, 4(sp)\n\t"
        "lw s1, 8(sp)\n\tlw s2, 12(sp)\n\tlw s3, 16(sp)\n\tlw s4, 20(sp)\n\tlw s5, 24(sp)\n\tlw s6, 28(sp)\n\t"
        "lw s7, 32(sp)\n\tlw s8, 36(sp)\n\tlw s9, 40(sp)\n\tlw s10, 44(sp)\n\tlw s11, 48(sp)\n\taddi sp, sp, 64\n\t"
        "ret");
}

KEPT static void work(uint32_t by)
{
    seen[2] += by;
}

static void ping(void)
{
    for (;;) {
        work(1);
        change(&left[1], &left[2]);
    }
}

static void pong(void)
{
    for (uint32_t i = 0;; i++) {
        work(100);
        work(200);
        change(&left[2], i % 4 == 3 ? &left[0] : &left[1]);
    }
}

static void prepare(unsigned which, void (*body)(void))
{
    left[which] = stacks[which - 1] + WORDS - 16;
    left[which][0] = (uint32_t)(uintptr_t)body;
}

int main(void)
{
    for (volatile uint32_t i = 0; i < 10; i++) {
        if (setjmp(back) == 0)
            dive(i);
        after();
    }
    prepare(1, ping);
    prepare(2, pong);
    for (unsigned i = 0; i < 3; i++) {
        change(&left[0], &left[1]);
        after();
    }
    return 0;
}
