#include "image/tables/tasks.h"

#include <string.h>

#include "base/endian.h"
#include "image/plan/plan.h"
#include "image/planner/tasks.h"
#include "image/tables/layout.h"
#include "lang/statement.h"

/* The pointer's word in the program file; what no byte is loaded to is cleared by start-up code. */
static uint32_t first_word(const image_builder *b, uint32_t address)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(b->symbols, &segments);
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++)
        if (address >= segments[i].address && segments[i].size >= 4 &&
            address - segments[i].address <= segments[i].size - 4)
            memcpy(&word, segments[i].bytes + (address - segments[i].address), sizeof word);
    return word;
}

/* Words in which the name lies when the control block begins with one. */
static uint16_t name_words(const es_task_name *name)
{
    return name->size && name->offset <= UINT16_MAX ? (uint16_t)((name->offset % 4 + name->size + 3) / 4) : 0;
}

uint16_t es_tasks_write(image_builder *b)
{
    const image_plan *plan = &b->plan;
    const es_reference *task = plan->program->task;
    if (!task)
        return 0;
    struct es_mi_task_frame *frames = es_arena_alloc(b->arena, (plan->frame_count + 1) * sizeof *frames);
    size_t count = 0;
    for (size_t i = 0; i < plan->frame_count; i++)
        if (!plan->frames[i].moves)
            frames[count++] = (struct es_mi_task_frame){
                (uint16_t)(plan->ram_at + plan->frames[i].cell),
                b->control_of[es_layout_procedure_index(b, plan->frames[i].procedure)].frame_at};
    task_sizes sizes = es_tasks_sizes(plan);
    struct es_mi_tasks tasks = {
        .flow_count = TASKS_KEPT,
        .flow_bytes = (uint16_t)sizes.flow,
        .flows_at = (uint16_t)(plan->ram_at + plan->flows),
        .places = plan->task_places,
        .frame_count = (uint16_t)count,
        .frames_at = (uint16_t)es_layout_put(b, frames, count * sizeof *frames),
        .cfas = sizes.cfas,
        .lives = sizes.lives,
        .marks = (uint16_t)(sizes.flow - sizes.marks),
        .marks_shift = (uint16_t)plan->marks_shift,
        .pointers = sizes.pointers,
        .name_at = (uint16_t)(plan->program->task_name.offset & ~3u),
        .name_words = name_words(&plan->program->task_name),
    };
    uint32_t word = first_word(b, task->address & ~3u) >> task->address % 4 * 8;
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    tasks.first = (uint32_t)es_endian_get(bytes, task->size, plan_is_turned(task));
    return (uint16_t)es_layout_put(b, &tasks, sizeof tasks);
}
