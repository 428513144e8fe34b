#include "gdb/threadx.h"

#include <string.h>

/* By tx_thread_state: TX_READY, TX_COMPLETED, TX_TERMINATED, TX_SUSPENDED; what is more waits for something. */
static const char *state_of(uint32_t number)
{
    static const char *const states[] = {"ready", "ended", "ended", "suspended"};
    return number < sizeof states / sizeof *states ? states[number] : "blocked";
}

size_t es_gdb_threadx_tasks(const es_gdb_tasks *tasks, const es_machine *machine, es_gdb_listed *listed)
{
    const es_reference *task = tasks->program.task;
    const es_variable *created[1];
    if (!task || strcmp(task->text, "_tx_thread_current_ptr") != 0 || task->type->kind != ES_TYPE_POINTER ||
        !es_symbols_find(tasks->symbols, NULL, "_tx_thread_created_ptr", created, 1) ||
        created[0]->place != ES_PLACE_STATIC)
        return 0;
    const es_member *next = es_gdb_member(task->type->of, "tx_thread_created_next");
    const es_member *state = es_gdb_member(task->type->of, "tx_thread_state");
    uint32_t first, at, number;
    size_t count = 0;
    if (!next || !state || !es_gdb_number_at(machine, created[0]->address, 4, &first))
        return 0;
    for (at = first; at && count < ES_GDB_LISTED_MOST;) { /* a ring */
        if (!es_gdb_number_at(machine, at + state->offset, state->type->size, &number))
            break;
        listed[count++] = (es_gdb_listed){at, state_of(number)};
        if (!es_gdb_number_at(machine, at + next->offset, 4, &at) || at == first)
            break;
    }
    return count;
}
