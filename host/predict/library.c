#include "predict/library.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

static const es_predict_function functions[] = {
    {"thread_create", ES_PREDICT_FORK},      {"thread_exit", ES_PREDICT_END},
    {"thread_join", ES_PREDICT_JOIN},        {"mutex_lock", ES_PREDICT_LOCK},
    {"mutex_unlock", ES_PREDICT_UNLOCK},     {"condition_wait", ES_PREDICT_WAIT},
    {"condition_signal", ES_PREDICT_SIGNAL}, {"condition_broadcast", ES_PREDICT_BROADCAST},
    {"barrier_wait", ES_PREDICT_BARRIER},    {"semaphore_wait", ES_PREDICT_ACQUIRE},
    {"semaphore_post", ES_PREDICT_RELEASE},  {"queue_send", ES_PREDICT_PUT},
    {"queue_receive", ES_PREDICT_GET},       {"thread_yield", ES_PREDICT_YIELD},
};

static bool variable(const es_symbols *symbols, const char *name, uint32_t *address, uint32_t *size, es_error *err)
{
    const es_variable *found[8];
    size_t count = es_symbols_find(symbols, NULL, name, found, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        if (found[i]->place == ES_PLACE_STATIC) {
            *address = found[i]->address;
            if (size)
                *size = found[i]->type ? found[i]->type->size : 4;
            return true;
        }
    return es_fail(err, ES_USAGE,
                   "the program has no variable '%s', so it does not have the threads of examples/threads: what its "
                   "threads ask of its kernel is not known (docs/predict.md, \"Libraries\")",
                   name);
}

bool es_predict_library_find(const es_symbols *symbols, es_predict_library *library, es_error *err)
{
    *library = (es_predict_library){0};
    if (es_symbols_big_endian(symbols))
        return es_fail(err, ES_USAGE,
                       "this is a big-endian program, whose threads are not predicted: compile it without "
                       "-mbig-endian");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        library->functions[functions[i].kind] = es_symbols_procedure_named(symbols, functions[i].name);
    library->fork_priority = es_symbols_procedure_named(symbols, "thread_create_priority");
    library->ready_function = es_symbols_procedure_named(symbols, "thread_ready");
    const es_procedure *trap = es_symbols_procedure_named(symbols, "thread_trap");
    if (trap && trap->high >= trap->low + 4) {
        library->interrupted = es_symbols_procedure_named(symbols, "thread_interrupted");
        library->trap_return = trap->high - 4;
        library->slices[0] = library->interrupted;
        library->slices[1] = es_symbols_procedure_named(symbols, "scheduler");
        library->slices[2] = es_symbols_procedure_named(symbols, "kernel_start");
    }
    if (!library->functions[ES_PREDICT_FORK])
        return es_fail(err, ES_USAGE,
                       "the program has no function thread_create: it has no threads, or they are not those of "
                       "examples/threads (docs/predict.md, \"Libraries\")");
    uint32_t size;
    if (!variable(symbols, "running", &library->running, &library->running_size, err) ||
        !variable(symbols, "cores", &library->cores, &library->cores_size, err) ||
        !variable(symbols, "ready", &library->ready, NULL, err) ||
        !variable(symbols, "threads", &library->threads, &size, err))
        return false;
    const es_variable *v = es_symbols_variable_at(symbols, library->threads);
    bool array = v && v->type && v->type->kind == ES_TYPE_ARRAY && v->type->of && v->type->of->size;
    const es_variable *barge, *counts;
    library->barges = es_symbols_find(symbols, NULL, "threads_barge", &barge, 1) > 0;
    if (es_symbols_find(symbols, NULL, "ready_counts", &counts, 1) && counts->place == ES_PLACE_STATIC)
        library->ready_counts = counts->address;
    library->searches[0] = es_symbols_procedure_named(symbols, "list_wait");
    library->searches[1] = library->searches[0] ? es_symbols_procedure_named(symbols, "thread_block") : NULL;
    const es_variable *latency;
    library->look = es_symbols_procedure_named(symbols, "late_look");
    library->arrives = es_symbols_procedure_named(symbols, "queue_arrives");
    library->ready_here = es_symbols_procedure_named(symbols, "thread_ready_here");
    library->late = library->look && library->arrives && library->ready_here &&
                    es_symbols_find(symbols, NULL, "threads_latency", &latency, 1) && latency->place == ES_PLACE_STATIC;
    library->latency = library->late ? latency->address : 0;
    library->priority = ES_PREDICT_NONE;
    for (size_t i = 0; array && v->type->of->kind == ES_TYPE_STRUCT && i < v->type->of->member_count; i++)
        if (v->type->of->members[i].name && strcmp(v->type->of->members[i].name, "priority") == 0)
            library->priority = v->type->of->members[i].offset;
    const es_variable *list = es_symbols_variable_at(symbols, library->ready);
    library->ready_count = list && list->type && list->type->kind == ES_TYPE_ARRAY ? list->type->count : 0;
    library->thread_size = array ? v->type->of->size : size;
    library->thread_count = array && size >= v->type->of->size ? size / v->type->of->size : 1;
    return true;
}

bool es_predict_library_event(const es_predict_library *library, uint32_t address, enum es_predict_kind *kind)
{
    if (library->fork_priority && library->fork_priority->low == address) {
        *kind = ES_PREDICT_FORK;
        return true;
    }
    for (unsigned i = 0; i < ES_PREDICT_KINDS; i++)
        if (library->functions[i] && library->functions[i]->low == address) {
            *kind = i;
            return true;
        }
    return false;
}

char *es_predict_name_of(const es_symbols *symbols, uint32_t address)
{
    const es_variable *const *variables;
    const es_variable *best = NULL;
    size_t count = es_symbols_variables(symbols, &variables);
    for (size_t i = 0; i < count; i++) {
        const es_variable *v = variables[i];
        if (v->place == ES_PLACE_STATIC && !v->shadow && v->type && address >= v->address &&
            address - v->address < v->type->size && (!best || v->type->size < best->type->size))
            best = v;
    }
    if (!best)
        return NULL;
    size_t room = strlen(best->name) + 24;
    char *name = es_malloc(room);
    const es_type *type = best->type;
    uint32_t at = address - best->address;
    if (type->kind == ES_TYPE_ARRAY && type->of && type->of->size && at % type->of->size == 0)
        snprintf(name, room, "%s[%u]", best->name, (unsigned)(at / type->of->size));
    else if (at)
        snprintf(name, room, "%s+%u", best->name, (unsigned)at);
    else
        snprintf(name, room, "%s", best->name);
    return name;
}
