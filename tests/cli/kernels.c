/* Tasks of a small kernel that names things as a usual one does: KERNEL says which. Each task prints what it writes to work's n. */
#include <stdint.h>

#include "target.h"

#define FREERTOS 1
#define ZEPHYR 2
#define THREADX 3
#define RT_THREAD 4
#define RT_THREAD_CPU 5
#define UCOS_II 6
#define UCOS_III 7
#define NOT_A_POINTER 8

#define LENGTH 12

#if KERNEL == FREERTOS
struct tskTaskControlBlock { uint32_t *sp; uint8_t priority; char pcTaskName[LENGTH]; };
typedef struct tskTaskControlBlock block;
block *volatile pxCurrentTCB;
#define CURRENT pxCurrentTCB
#define NAME pcTaskName
#define IS_ARRAY 1
#elif KERNEL == ZEPHYR
struct k_thread { uint32_t *sp; char name[LENGTH]; };
typedef struct k_thread block;
struct z_kernel { struct { uint32_t nested; char *irq_stack; block *current; } cpus[1]; };
struct z_kernel _kernel;
#define CURRENT _kernel.cpus[0].current
#define NAME name
#define IS_ARRAY 1
#elif KERNEL == THREADX
typedef struct { uint32_t *sp; const char *tx_thread_name; } block;
block *_tx_thread_current_ptr;
#define CURRENT _tx_thread_current_ptr
#define NAME tx_thread_name
#elif KERNEL == RT_THREAD
typedef struct { char name[LENGTH]; uint8_t type; uint32_t *sp; } block;
block *rt_current_thread;
#define CURRENT rt_current_thread
#define NAME name
#define IS_ARRAY 1
#elif KERNEL == RT_THREAD_CPU
typedef struct { struct { void *list; char name[LENGTH]; } parent; uint32_t *sp; } block;
static struct { uint32_t ticks; block *current_thread; } _cpu;
#define CURRENT _cpu.current_thread
#define NAME parent.name
#define IS_ARRAY 1
#elif KERNEL == UCOS_II
typedef struct { uint32_t *sp; uint8_t *OSTCBTaskName; } block;
block *OSTCBCur;
#define CURRENT OSTCBCur
#define NAME OSTCBTaskName
#elif KERNEL == UCOS_III
typedef struct { uint32_t *sp; char *NamePtr; } block;
block *OSTCBCurPtr;
#define CURRENT OSTCBCurPtr
#define NAME NamePtr
#else
typedef struct { uint32_t *sp; } block;
static block *running;
float pxCurrentTCB;
#define CURRENT running
#endif

_Alignas(16) static uint32_t heap[1024]; /* so control blocks are no variables */
static uint32_t taken;
static block *blocks[3];
static unsigned at;

static void *take(uint32_t words)
{
    taken += words;
    return heap + taken - words;
}

__attribute__((naked, noinline)) static void swap(__attribute__((unused)) uint32_t **save, __attribute__((unused)) uint32_t *load)
{
    __asm__ volatile("addi sp, sp, -16\n\tsw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw sp, 0(a0)\n\tmv sp, a1\n\t"
                     "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\taddi sp, sp, 16\n\tret");
}

static void next(void)
{
    block *before = blocks[at];
    at = (at + 1) % 3;
    CURRENT = blocks[at];
    swap(&before->sp, blocks[at]->sp);
}

static void work(const char *name, int n)
{
    n *= 2;
    target_puts(name);
    target_put_char(' ');
    target_put_int(n);
    target_put_char('\n');
    next();
    n++;
    target_puts(name);
    target_put_char(' ');
    target_put_int(n);
    target_put_char('\n');
}

static void ping(void)
{
    for (int i = 0;; i++)
        work("ping", i);
}

static void pong(void)
{
    for (int i = 100;; i++)
        work("pong", i);
}

static block *create(const char *name, void (*body)(void))
{
    block *made = take((sizeof *made + 3) / 4);
#ifdef IS_ARRAY
    for (unsigned i = 0; i < LENGTH; i++)
        made->NAME[i] = *name ? *name++ : 0;
#elif defined NAME
    made->NAME = (void *)(uintptr_t)name;
#endif
    (void)name;
    take(256 - taken % 4);
    made->sp = heap + taken - 4;
    made->sp[0] = (uint32_t)(uintptr_t)body;
    return made;
}

int main(void)
{
    blocks[0] = create("main", 0);
    blocks[1] = create("ping", ping);
    blocks[2] = create("pong", pong);
    CURRENT = blocks[0];
    for (int i = 0; i < 3; i++)
        work("main", 1000 + i);
    return 0;
}
