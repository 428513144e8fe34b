#include "gdb/tasks.h"

#include <inttypes.h>
#include <string.h>

#include "base/endian.h"

bool es_gdb_tasks_init(es_gdb_tasks *tasks, const es_symbols *symbols, const char *variable, es_error *err)
{
    memset(tasks, 0, sizeof *tasks);
    tasks->symbols = symbols;
    es_program program;
    if (symbols && variable) {
        es_text_buffer line = {0};
        es_text_format(&line, "tasks %s\nwhen write(%s)", variable, variable); /* there has to be a statement */
        bool good = es_program_parse(symbols, &(es_text){"--task", line.text}, 1, &program, err);
        es_text_free(&line);
        if (!good)
            return false;
        tasks->program = program;
    } else if (symbols && es_program_kernel(symbols, &program)) {
        tasks->program = program;
    }
    const es_variable *started[1];
    if (tasks->program.task && strcmp(tasks->program.task->text, "pxCurrentTCB") == 0 &&
        es_symbols_find(symbols, NULL, "xSchedulerRunning", started, 1) && started[0]->place == ES_PLACE_STATIC)
        tasks->started = started[0]; /* before, it names the task that will be the first */
    return true;
}

void es_gdb_tasks_free(es_gdb_tasks *tasks)
{
    if (tasks->program.arena)
        es_program_free(&tasks->program);
}

const es_member *es_gdb_member(const es_type *type, const char *name)
{
    for (size_t i = 0; type && type->kind == ES_TYPE_STRUCT && i < type->member_count; i++)
        if (type->members[i].name && strcmp(type->members[i].name, name) == 0)
            return &type->members[i];
    return NULL;
}

bool es_gdb_number_at(const es_machine *machine, uint32_t address, uint32_t size, uint32_t *value)
{
    uint8_t bytes[4], unknown[4];
    if (size > sizeof bytes || !es_machine_peek(machine, address, bytes, unknown, size))
        return false;
    for (uint32_t i = 0; i < size; i++)
        if (unknown[i])
            return false;
    *value = (uint32_t)es_endian_get(bytes, size, es_machine_big_endian(machine));
    return true;
}

static bool own_name(es_text_buffer *out, const es_gdb_tasks *tasks, const es_machine *machine, uint32_t block)
{
    const es_task_name *name = &tasks->program.task_name;
    uint32_t at = block + name->offset, size = name->size;
    if (!size || (name->pointer && !es_gdb_number_at(machine, at, 4, &at)))
        return false;
    size_t before = out->length;
    for (uint32_t i = 0, c; i < (name->pointer ? 32 : size); i++) {
        if (!es_gdb_number_at(machine, at + i, 1, &c) || (c && (c < ' ' || c > '~'))) {
            out->length = before;
            return false;
        }
        if (!c)
            break;
        es_text_add(out, &(char){(char)c}, 1);
    }
    return out->length > before;
}

static bool are_numbered(const es_gdb_tasks *tasks)
{
    return tasks->program.task->type->kind != ES_TYPE_POINTER;
}

uint32_t es_gdb_tasks_current(const es_gdb_tasks *tasks, const es_machine *machine)
{
    const es_reference *task = tasks->program.task;
    uint32_t value, started;
    if (!task || !es_gdb_number_at(machine, task->address, task->size, &value))
        return ES_GDB_NO_TASK;
    if (tasks->started &&
        (!es_gdb_number_at(machine, tasks->started->address, tasks->started->type->size, &started) || !started))
        return ES_GDB_NO_TASK;
    return are_numbered(tasks) ? value + 2 : value;
}

void es_gdb_task_name(es_text_buffer *out, const es_gdb_tasks *tasks, const es_machine *machine, uint32_t task)
{
    if (are_numbered(tasks)) {
        es_text_format(out, "%" PRIu32, task - 2);
        return;
    }
    if (own_name(out, tasks, machine, task))
        return;
    const es_variable *variable = es_symbols_variable_at(tasks->symbols, task);
    if (variable)
        es_text_format(out, "%s", variable->name);
    else
        es_text_format(out, "0x%08" PRIx32, task);
}
