/* Lists of tasks as FreeRTOS has them, by its names, and one switch to another task: what is in which list is told by the source. */
#include <stdint.h>

#include "target.h"

typedef struct list_item {
    uint32_t xItemValue;
    struct list_item *pxNext, *pxPrevious;
    void *pvOwner;
    struct list *pxContainer;
} list_item;

typedef struct mini_item {
    uint32_t xItemValue;
    struct list_item *pxNext, *pxPrevious;
} mini_item;

typedef struct list {
    volatile uint32_t uxNumberOfItems;
    list_item *pxIndex;
    mini_item xListEnd;
} list;

typedef struct tskTaskControlBlock {
    uint32_t *pxTopOfStack;
    list_item xStateListItem, xEventListItem;
    char pcTaskName[8];
} block;

block *volatile pxCurrentTCB;
static volatile int32_t xSchedulerRunning;
static list pxReadyTasksLists[3], xDelayedTaskList1, xDelayedTaskList2, xPendingReadyList, xSuspendedTaskList,
    xTasksWaitingTermination;
static list queue;
static block first, other, slow, late, woken, held, waiting, ended, unlisted;
static uint32_t stack[256] __attribute__((aligned(16)));
volatile unsigned looks;

__attribute__((naked, noinline)) static void swap(__attribute__((unused)) uint32_t **save,
                                                  __attribute__((unused)) uint32_t *load)
{
    __asm__ volatile("addi sp, sp, -16\n\tsw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw sp, 0(a0)\n\tmv sp, a1\n\t"
                     "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\taddi sp, sp, 16\n\tret");
}

static void clear(list *which)
{
    which->xListEnd.pxNext = which->xListEnd.pxPrevious = (list_item *)&which->xListEnd;
    which->pxIndex = (list_item *)&which->xListEnd;
}

static void put(list *which, list_item *item)
{
    item->pxNext = which->xListEnd.pxNext;
    item->pxPrevious = (list_item *)&which->xListEnd;
    which->xListEnd.pxNext->pxPrevious = item;
    which->xListEnd.pxNext = item;
    item->pxContainer = which;
    which->uxNumberOfItems++;
}

static void create(block *task, const char *name, list *which)
{
    for (unsigned i = 0; i + 1 < sizeof task->pcTaskName && name[i]; i++)
        task->pcTaskName[i] = name[i];
    task->xStateListItem.pvOwner = task->xEventListItem.pvOwner = task;
    put(which, &task->xStateListItem);
}

__attribute__((noinline)) void look(void)
{
    looks++;
}

static void run_other(void)
{
    look();
    pxCurrentTCB = &first;
    swap(&other.pxTopOfStack, first.pxTopOfStack);
}

int main(void)
{
    list *const lists[] = {&pxReadyTasksLists[0], &pxReadyTasksLists[1],     &pxReadyTasksLists[2],
                           &xDelayedTaskList1,    &xDelayedTaskList2,        &xPendingReadyList,
                           &xSuspendedTaskList,   &xTasksWaitingTermination, &queue};
    for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
        clear(lists[i]);
    create(&first, "first", &pxReadyTasksLists[2]);
    pxCurrentTCB = &first;
    create(&other, "other", &pxReadyTasksLists[1]);
    create(&slow, "slow", &xDelayedTaskList1);
    create(&late, "late", &xDelayedTaskList2);
    create(&woken, "woken", &xPendingReadyList);
    create(&held, "held", &xSuspendedTaskList);
    create(&waiting, "waiting", &xSuspendedTaskList);
    put(&queue, &waiting.xEventListItem);
    create(&ended, "ended", &xTasksWaitingTermination);
    (void)unlisted;
    look();
    xSchedulerRunning = 1;
    other.pxTopOfStack = stack + 252;
    other.pxTopOfStack[0] = (uint32_t)(uintptr_t)run_other;
    look();
    pxCurrentTCB = &other;
    swap(&first.pxTopOfStack, other.pxTopOfStack);
    look();
    return 0;
}
