#include "session/task.h"

#include <string.h>

#include "base/endian.h"

#define BYTES ((size_t)4 * ES_TASK_NAME_WORDS)

/* A name that is shown has an end, or fills its place, and steers no terminal. */
static bool add_name(es_text_buffer *out, const uint8_t *bytes, size_t count, size_t size)
{
    size_t length = 0;
    for (; length < count && bytes[length]; length++)
        if (bytes[length] < ' ' || bytes[length] == 0x7F)
            return false;
    if (!length || (length == count && count < size))
        return false;
    es_text_add(out, (const char *)bytes, length);
    return true;
}

/* The bytes of a constant: nothing but those is sure to be what the file has. */
static bool add_constant(es_text_buffer *out, const es_symbols *symbols, uint32_t address, size_t size)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = address - segments[i].address, left = segments[i].size - offset;
        if (!segments[i].writable && offset < segments[i].size)
            return add_name(out, segments[i].bytes + offset, left < size ? left : size, size);
    }
    return false;
}

/* What the control block holds: the probe has sent the words in which it lies. */
static bool add_own_name(es_text_buffer *out, const es_symbols *symbols, const es_program *program,
                         const es_event *event)
{
    const es_task_name *name = &program->task_name;
    uint8_t bytes[BYTES];
    size_t at = (event->task & 3) + (name->offset & 3), known = 0;
    if (!name->size || !event->task_name_count)
        return false;
    memcpy(bytes, event->task_name, 4 * event->task_name_count);
    while (known < event->task_name_count && !(event->task_name_unknown >> known & 1))
        known++;
    if (4 * known <= at)
        return false;
    size_t left = 4 * known - at;
    uint32_t pointer;
    if (!name->pointer)
        return add_name(out, bytes + at, left < name->size ? left : name->size, name->size);
    if (left < sizeof pointer)
        return false;
    pointer = (uint32_t)es_endian_get(bytes + at, sizeof pointer, es_symbols_big_endian(symbols));
    return add_constant(out, symbols, pointer, BYTES);
}

bool es_task_text(es_text_buffer *out, const es_symbols *symbols, const es_program *program, const es_event *event)
{
    if (program->task->type->kind != ES_TYPE_POINTER) {
        es_text_format(out, "%u", (unsigned)event->task);
        return true;
    }
    if (!event->task)
        return false;
    if (add_own_name(out, symbols, program, event))
        return true;
    const es_variable *variable = es_symbols_variable_at(symbols, event->task);
    if (variable)
        es_text_format(out, "%s", variable->name);
    else
        es_text_format(out, "0x%08x", (unsigned)event->task);
    return true;
}

bool es_task_default(es_text_buffer *out, const es_program *program)
{
    if (program->kernel)
        es_text_format(out, "%s says which task runs, as in %s (--task VARIABLE: another; --task none: none)",
                       program->task->text, program->kernel);
    return program->kernel;
}
