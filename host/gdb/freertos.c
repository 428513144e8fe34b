#include "gdb/freertos.h"

#include <string.h>

typedef struct listing {
    const es_gdb_tasks *tasks;
    const es_machine *machine;
    const es_type *block;
    es_gdb_listed *listed;
    size_t count;
} listing;

/* A list as debug information has it: offsets in it, and in its items. */
typedef struct list_shape {
    uint32_t count, end, end_next, next, owner;
} list_shape;

static bool shape_of(const es_type *list, list_shape *shape)
{
    const es_member *count = es_gdb_member(list, "uxNumberOfItems"), *end = es_gdb_member(list, "xListEnd");
    const es_member *first = end ? es_gdb_member(end->type, "pxNext") : NULL;
    const es_type *item = first && first->type->kind == ES_TYPE_POINTER ? first->type->of : NULL;
    const es_member *next = es_gdb_member(item, "pxNext"), *owner = es_gdb_member(item, "pvOwner");
    if (!count || !first || !next || !owner)
        return false;
    *shape = (list_shape){count->offset, end->offset, first->offset, next->offset, owner->offset};
    return true;
}

static bool word_at(const listing *l, uint32_t address, uint32_t *value)
{
    return es_gdb_number_at(l->machine, address, 4, value);
}

/* A task in the list of the suspended may wait for something without a limit. */
static bool waits(const listing *l, uint32_t task)
{
    const es_member *item = es_gdb_member(l->block, "xEventListItem"),
                    *notify = es_gdb_member(l->block, "ucNotifyState");
    const es_member *container = item ? es_gdb_member(item->type, "pvContainer") : NULL;
    if (item && !container)
        container = es_gdb_member(item->type, "pxContainer");
    uint32_t value;
    if (container && word_at(l, task + item->offset + container->offset, &value) && value)
        return true;
    uint32_t count = notify && notify->type->kind == ES_TYPE_ARRAY ? notify->type->count : notify ? 1 : 0;
    for (uint32_t i = 0; i < count; i++)
        if (es_gdb_number_at(l->machine, task + notify->offset + i, 1, &value) && value == 1)
            return true;
    return false;
}

static void add(listing *l, uint32_t task, const char *state)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->listed[i].task == task)
            return;
    if (l->count < ES_GDB_LISTED_MOST && task)
        l->listed[l->count++] = (es_gdb_listed){task, state ? state : waits(l, task) ? "blocked" : "suspended"};
}

/* What is not as a list is ends it. */
static void add_list(listing *l, uint32_t list, const list_shape *shape, const char *state)
{
    uint32_t count, item, owner, end = list + shape->end;
    if (!word_at(l, list + shape->count, &count) || !word_at(l, end + shape->end_next, &item))
        return;
    for (uint32_t i = 0; i < count && i < ES_GDB_LISTED_MOST && item != end; i++) {
        if (!word_at(l, item + shape->owner, &owner))
            return;
        add(l, owner, state);
        if (!word_at(l, item + shape->next, &item))
            return;
    }
}

size_t es_gdb_freertos_tasks(const es_gdb_tasks *tasks, const es_machine *machine, es_gdb_listed *listed)
{
    static const struct {
        const char *name, *state;
    } lists[] = {
        {"pxReadyTasksLists", "ready"},   {"xPendingReadyList", "ready"}, {"xDelayedTaskList1", "blocked"},
        {"xDelayedTaskList2", "blocked"}, {"xSuspendedTaskList", NULL},   {"xTasksWaitingTermination", "deleted"},
    };
    const es_reference *task = tasks->program.task;
    listing l = {.tasks = tasks, .machine = machine, .listed = listed};
    if (!task || strcmp(task->text, "pxCurrentTCB") != 0 || task->type->kind != ES_TYPE_POINTER)
        return 0;
    l.block = task->type->of;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const es_variable *list[1];
        list_shape shape;
        if (!es_symbols_find(tasks->symbols, NULL, lists[i].name, list, 1) || list[0]->place != ES_PLACE_STATIC)
            continue;
        bool many = list[0]->type->kind == ES_TYPE_ARRAY;
        const es_type *type = many ? list[0]->type->of : list[0]->type;
        if (!shape_of(type, &shape))
            continue;
        for (uint32_t k = 0; k < (many ? list[0]->type->count : 1); k++)
            add_list(&l, list[0]->address + k * type->size, &shape, lists[i].state);
    }
    return l.count;
}
