#include "image/tasks.h"
#include "image/routines.h"

#include <string.h>

#include "image/pointers.h"

bool es_tasks_plan(image_plan *plan, const es_probe_limits *limits, es_error *err)
{
    const es_reference *task = plan->program->task;
    if (!task)
        return true;
    uint32_t offset = task->address - limits->window_base;
    if (offset >= limits->window_size || task->size > limits->window_size - offset)
        return es_fail(err, ES_USAGE,
                       "%s at 0x%08x, which names the task that runs, lies outside of the probe's "
                       "phantom memory (0x%08x to 0x%08x)",
                       task->text, (unsigned)task->address, (unsigned)limits->window_base,
                       (unsigned)(limits->window_base + limits->window_size - 1));
    size_t number = plan_routines(plan) - 1;
    plan->statements[number] = (plan_statement){.statement = &plan->program->statements[0], .direct = true};
    es_plan_add_writes(plan, (plan_write){.statement = number}, task);
    return true;
}

static size_t fixed_frames(const image_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->frame_count; i++)
        count += !plan->frames[i].moves;
    return count;
}

static uint16_t cfas(const image_plan *plan)
{
    return fixed_frames(plan) < plan->frame_count ? plan->task_places : 0;
}

/* Which pointers are locals of frames with a fixed place, or of such that move. */
static uint32_t local_pointers(const image_plan *plan, bool moving)
{
    uint32_t pointers = 0;
    for (size_t i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].moves == moving)
            pointers |= es_pointers_in_frame(plan, plan->frames[i].procedure);
    return pointers;
}

static uint16_t lives(const image_plan *plan)
{
    return local_pointers(plan, false) || local_pointers(plan, true) ? (uint16_t)(1 + plan->task_places) : 0;
}

static size_t marks(const image_plan *plan)
{
    return plan->marks_shift ? (size_t)plan->task_places << plan->marks_shift : 0;
}

static uint32_t flow_bytes(const image_plan *plan)
{
    return (uint32_t)(sizeof(struct es_mi_flow) + 4 * (fixed_frames(plan) + cfas(plan) + lives(plan)) +
                      (size_t)ES_MI_ACTIVATION_SIZE * plan->task_places + marks(plan));
}

uint32_t es_tasks_place(image_plan *plan, uint32_t at)
{
    if (!plan->program->task)
        return at;
    plan->flows = at;
    return at + TASKS_KEPT * flow_bytes(plan);
}

void es_tasks_written(es_ir_code *code, const firmware_routines *routines)
{
    es_routine_call(code, routines, ROUTINE_task_written);
}

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
    struct es_mi_tasks tasks = {
        .mask = task->size == 4 ? 0xFFFFFFFFu : (1u << task->size * 8u) - 1,
        .shift = (uint16_t)(task->address % 4 * 8),
        .flow_count = TASKS_KEPT,
        .flow_bytes = (uint16_t)flow_bytes(plan),
        .flows_at = (uint16_t)(plan->ram_at + plan->flows),
        .places = plan->task_places,
        .frame_count = (uint16_t)count,
        .frames_at = (uint16_t)es_layout_put(b, frames, count * sizeof *frames),
        .cfas = cfas(plan),
        .lives = lives(plan),
        .marks = (uint16_t)(flow_bytes(plan) - marks(plan)),
        .marks_shift = (uint16_t)plan->marks_shift,
        .pointers = local_pointers(plan, false),
        .name_at = (uint16_t)(plan->program->task_name.offset & ~3u),
        .name_words = name_words(&plan->program->task_name),
    };
    tasks.first = first_word(b, task->address & ~3u) >> tasks.shift & tasks.mask;
    return (uint16_t)es_layout_put(b, &tasks, sizeof tasks);
}
