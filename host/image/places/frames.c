#include "image/places/frames.h"

#include <string.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/places/moved.h"
#include "image/places/slots.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

static void add_frame(image_plan *plan, const es_reference *reference)
{
    if (!reference->frame) { /* static storage; with a path it exists while that is active */
        if (reference->path)
            es_paths_ask(plan, reference->path, AUTOMATON_EXISTS);
        return;
    }
    size_t k = 0;
    while (k < plan->frame_count && plan->frames[k].procedure != reference->frame)
        k++;
    if (k == plan->frame_count) {
        plan->frames = es_arena_grow(plan->arena, plan->frames, plan->frame_count, sizeof *plan->frames);
        plan->frames[plan->frame_count++] = (plan_frame){.procedure = reference->frame,
                                                         .path = reference->path,
                                                         .moves = es_moving_why(plan, reference->frame) != NULL};
        if (plan->frames[k].moves)
            plan->frames[k].slot = es_slots_add(plan);
    }
    plan_frame *frame = &plan->frames[k];
    frame->anywhere |= !reference->path;
    if (!es_paths_same(frame->path, reference->path))
        frame->path = NULL;
    if (reference->path) {
        es_paths_ask(plan, reference->path, AUTOMATON_DENOTES | AUTOMATON_EXISTS);
        plan->paths[es_paths_find(plan, reference->path)].refers = true;
    }
}

void es_plan_add_frames(image_plan *plan, const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        add_frame(plan, &statement->references[i]);
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        add_frame(plan, &es_image_snapshot(statement, k)->place);
}
