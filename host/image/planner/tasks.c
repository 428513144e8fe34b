#include "image/planner/tasks.h"

#include <string.h>

#include "image/image.h"
#include "image/places/pointers.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

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
    size_t handler = es_plan_add_handler(plan, (plan_handler){.purpose = PLAN_TASK});
    es_plan_add_writes(plan, (plan_write){.handler = handler}, task);
    return true;
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

task_sizes es_tasks_sizes(const image_plan *plan)
{
    task_sizes sizes = {.pointers = local_pointers(plan, false)};
    for (size_t i = 0; i < plan->frame_count; i++)
        sizes.frames += !plan->frames[i].moves;
    sizes.cfas = sizes.frames < plan->frame_count ? plan->task_places : 0;
    sizes.lives = sizes.pointers || local_pointers(plan, true) ? (uint16_t)(1 + plan->task_places) : 0;
    sizes.marks = plan->marks_shift ? (uint32_t)plan->task_places << plan->marks_shift : 0;
    sizes.flow = (uint32_t)(sizeof(struct es_mi_flow) + 4 * (sizes.frames + sizes.cfas + sizes.lives) +
                            (size_t)ES_MI_ACTIVATION_SIZE * plan->task_places + sizes.marks);
    return sizes;
}

uint32_t es_tasks_place(image_plan *plan, uint32_t at)
{
    if (!plan->program->task)
        return at;
    plan->flows = at;
    return at + TASKS_KEPT * es_tasks_sizes(plan).flow;
}
