/* The list of tasks as ThreadX has it, by its names: what state each is in, is told by the source. */
#include <stdint.h>

#include "target.h"

typedef struct thread {
    uint32_t id;
    uint32_t *stack_ptr;
    const char *tx_thread_name;
    uint32_t tx_thread_state;
    struct thread *tx_thread_created_next;
} thread;

thread *_tx_thread_current_ptr, *_tx_thread_created_ptr;
static thread threads[6];

__attribute__((noinline)) void look(void)
{
    __asm__ volatile("");
}

int main(void)
{
    static const char *const names[] = {"runs", "waits", "stands", "sleeps", "returned", "stopped"};
    static const uint32_t states[] = {0, 0, 3, 4, 1, 2};
    for (unsigned i = 0; i < 6; i++) {
        threads[i].tx_thread_name = names[i];
        threads[i].tx_thread_state = states[i];
        threads[i].tx_thread_created_next = &threads[(i + 1) % 6];
    }
    _tx_thread_created_ptr = &threads[2];
    look();
    _tx_thread_current_ptr = &threads[0];
    look();
    threads[1].tx_thread_state = 5;
    threads[4].tx_thread_created_next = &threads[0]; /* one is deleted */
    look();
    return 0;
}
