/* The kernel of the threads: the ready queue, blocking, and the scheduler that every core runs. */
#include "kernel.h"

#include "target.h"

static thread main_thread, cores[ES_TARGET_CORES], threads[THREADS_MAX];
_Alignas(16) uint32_t core_stacks[ES_TARGET_CORES][CORE_STACK / 4];

/* The threads' stacks lie where other programs have their heap: nobody has to clear them. */
extern char __heap_start[], __heap_end[];
static uint32_t *stacks;

#if THREADS_BARGE
__attribute__((used)) const uint8_t threads_barge = 1; /* for who reads the program */
#endif

thread *volatile running[ES_TARGET_CORES];
#include "ready.h" /* the lists of those that are ready */
static thread_list unused;
#if THREADS_LATE
#define idle SHARED(ES_TARGET_SHARED_LISTEN) /* the target knows whom its timer has woken */
#else
static uint32_t idle; /* a bit for each core that sleeps, or is about to */
#endif

static unsigned core_number(void)
{
    return SHARED(ES_TARGET_SHARED_SELF) & 0xFF;
}

unsigned thread_cores(void)
{
    return SHARED(ES_TARGET_SHARED_SELF) >> 8;
}

thread *thread_self(void)
{
#if THREADS_INTERRUPTED
    uint32_t before = target_interrupts_off(); /* it could go on on another core in between */
    thread *self = running[core_number()];
    target_interrupts_restore(before);
    return self;
#else
    return running[core_number()];
#endif
}

/* --- lists ------------------------------------------------------------------------------------------------------------------- */

void list_append(thread_list *list, thread *which)
{
    which->next = 0;
    if (list->first)
        list->last->next = which;
    else
        list->first = which;
    list->last = which;
}

#if THREADS_LAST_FIRST
void list_wait(thread_list *list, thread *which)
{
    if (!list->first)
        list->last = which;
    which->next = list->first;
    list->first = which;
}
#elif THREADS_BEST_FIRST
void list_wait(thread_list *list, thread *which)
{
    thread **at = &list->first;
    while (*at && (*at)->priority <= which->priority)
        at = &(*at)->next;
    if (!*at)
        list->last = which;
    which->next = *at;
    *at = which;
}
#endif

thread *list_take(thread_list *list)
{
    thread *first = list->first;
    if (first)
        list->first = first->next;
    return first;
}

/* --- switching --------------------------------------------------------------------------------------------------------------- */

static void prepare(thread *which, uint32_t *stack_end, void (*begin)(void))
{
    which->sp = stack_end - SWITCH_FRAME / 4;
    which->sp[0] = (uint32_t)(uintptr_t)begin;
}

/* The running thread stops, with the kernel, which its core's scheduler then has. */
#if THREADS_INTERRUPTED
KEPT /* who comes from a thread that was interrupted comes the same way */
#endif
    static void
    to_scheduler(void)
{
    unsigned core = core_number();
    thread *self = running[core];
    running[core] = &cores[core];
    MAY_NOT_STOP(core);
    thread_switch(self, &cores[core]);
}

KEPT void thread_block(thread_list *where)
{
    list_wait(where, thread_self());
    to_scheduler();
    INTERRUPTS_ON();
}

KEPT void thread_ready(thread *which)
{
    ready_append(which);
    uint32_t sleeping = idle;
    uint32_t bell = sleeping & -sleeping; /* of the lowest core */
#if THREADS_PREEMPTIVE
    bell = bell_for(which, bell);
#endif
    if (bell) {
#if !THREADS_LATE
        idle = sleeping & ~bell;
#endif
        BELL = bell;
    }
}

/* --- the scheduler: what a core does when it runs no thread ------------------------------------------------------------------ */

#if THREADS_LATE
#include "late.h" /* items of queues that are on their way */
#define falls_asleep(core) (idle = 1u << (core))
#else
#define late_look() ((void)0)
#define late_count 0
#define falls_asleep(core) (idle |= 1u << (core))
#endif
#include "interrupts.h" /* slices, and threads that have to stop */

/* Begins with the kernel. */
KEPT __attribute__((noreturn)) static void scheduler(void)
{
    unsigned core = core_number();
    for (;;) {
        late_look();
        thread *next = take_ready(core);
        if (next) {
            running[core] = next;
            MAY_STOP(core, next);
            kernel_release();
            slice_begins();
            thread_switch(&cores[core], next); /* comes back with the kernel */
        } else {
            falls_asleep(core);
            if (idle == (1u << thread_cores()) - 1 && !late_count) {
                target_puts("all threads wait for each other\n");
                _exit(121);
            }
            kernel_release();
            slice_never_ends();
            thread_idle();
            kernel_enter();
        }
    }
}

/* Where cores other than core 0 arrive, woken for the first time (switch.S). */
__attribute__((noreturn)) void core_begin(void)
{
    interrupts_begin();
    kernel_enter();
    scheduler();
}

/* Before main, on core 0; the others sleep. */
__attribute__((constructor)) static void kernel_start(void)
{
    uintptr_t first = ((uintptr_t)__heap_start + 15) & ~(uintptr_t)15;
    if (first + THREADS_MAX * THREADS_STACK > (uintptr_t)__heap_end) {
        target_puts("no memory for THREADS_MAX stacks\n");
        _exit(122);
    }
    stacks = (uint32_t *)first;
    for (unsigned i = 0; i < THREADS_MAX; i++)
        list_append(&unused, &threads[i]);
    prepare(&cores[0], core_stacks[1], scheduler);
    running[0] = &main_thread;
    MAY_STOP(0, &main_thread);
#if !THREADS_LATE
    idle = (1u << thread_cores()) - 2;
#endif
    interrupts_begin();
    slice_begins();
    INTERRUPTS_ON();
}

/* --- threads ----------------------------------------------------------------------------------------------------------------- */

KEPT static void thread_begin(void)
{
    thread *self = thread_self();
    INTERRUPTS_ON();
    self->body(self->argument);
    thread_exit();
}

#if THREADS_PRIORITIES > 1
KEPT thread *thread_create_priority(void (*body)(void *argument), void *argument, unsigned priority)
#else
KEPT thread *thread_create(void (*body)(void *argument), void *argument)
#endif
{
    kernel_enter();
    thread *new = list_take(&unused);
    if (!new) {
        target_puts("more than THREADS_MAX threads\n");
        _exit(120);
    }
    new->body = body;
    new->argument = argument;
    new->joiners = (thread_list){0};
    new->over = false;
#if THREADS_PRIORITIES > 1
    new->priority = (uint8_t)(priority < THREADS_PRIORITIES ? priority : THREADS_PRIORITIES - 1);
#endif
#if THREADS_WORK
    new->home = (uint8_t)core_number();
#endif
    prepare(new, stacks + (new - threads + 1) * (int)(THREADS_STACK / 4), thread_begin);
    thread_ready(new);
    kernel_leave();
    return new;
}

#if THREADS_PRIORITIES > 1
KEPT thread *thread_create(void (*body)(void *argument), void *argument)
{
    return thread_create_priority(body, argument, thread_self()->priority);
}
#endif

KEPT void thread_exit(void)
{
    kernel_enter();
    thread *self = thread_self();
    thread *joiner = list_take(&self->joiners);
    if (joiner) {
        thread_ready(joiner);
        list_append(&unused, self);
    } else {
        self->over = true;
    }
    to_scheduler();
    __builtin_unreachable();
}

KEPT void thread_join(thread *which)
{
    kernel_enter();
    if (which->over) {
        list_append(&unused, which);
        kernel_leave();
    } else {
        thread_block(&which->joiners);
    }
}
