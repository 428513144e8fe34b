/* A small preemptive kernel: every task has a stack of its own, and a timer interrupt goes round between those that are ready. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#define TASK_STACK_WORDS 256u

struct task {
    uint32_t *sp;       /* while it does not run: where its registers are */
    const char *name;
    struct task *next;  /* round of all tasks */
    bool ready;
    uint32_t switches;  /* how often it was chosen */
    alignas(16) uint32_t stack[TASK_STACK_WORDS]; /* as the calling convention asks for */
};

/* The task that runs: what a debugger, or a probe, looks at to tell the tasks apart. */
extern struct task *volatile current;

/* Makes a task that will run `body`; when that returns, the task is not ready any more. Before kernel_run. */
void task_create(struct task *task, const char *name, void (*body)(void));

/* Runs all tasks, each for `slice` clocks at a time; main is one of them. Comes back at once, as the first. */
void kernel_run(struct task *main_task, uint32_t slice);

#endif
