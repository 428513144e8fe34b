/* The records of procedures, and where stacks are switched by hand. */
#include "image/tables/procedures.h"

#include <string.h>

#include "image/places/moved.h"
#include "image/plan/position.h"
#include "image/tables/controls.h"
#include "image/tables/start_up.h"
#include "symbols/code.h"

/* NP may be 0. */
static bool may_lose_stack(const image_builder *b)
{
    return b->switch_count || b->limits->running;
}

void es_procedures_controls(image_builder *b)
{
    plan_control *events = es_arena_alloc(b->arena, (b->plan.control_count + 1) * sizeof *events);
    for (size_t i = 0; i < b->procedure_count && !b->plan.untracked; i++) {
        size_t entries = es_position_events(&b->plan, b->procedures[i]->low, b->procedures[i], events);
        if (entries)
            b->control_of[i].enter_at = es_controls_write(b, events, entries);
        size_t exits = es_position_exits(&b->plan, b->procedures[i], events);
        if (exits)
            b->control_of[i].leave_at = es_controls_write(b, events, exits);
    }
}

void es_procedures_write(image_builder *b)
{
    const firmware_routines *routines = &b->routines;
    for (size_t i = 0; i < b->procedure_count; i++) {
        struct es_mi_procedure *record = &b->control_of[i];
        uint16_t at = es_layout_procedure(b, b->procedures[i]);
        uint32_t called = b->ppat.count == 0 ? routines->called
                          : record->column   ? routines->called_in_tree
                                             : routines->called_outside;
        if (record->enter_at || record->leave_at || record->frame_at)
            called = routines->called_to_do;
        if (may_lose_stack(b) && b->ppat.count) /* NP may be 0 */
            called = routines->called_to_do;
        if (record->column & ES_MI_COLUMN_BY_SITE)
            called = routines->called_by_site;
        if (may_lose_stack(b) && record->frame_at) /* what cannot be watched is counted */
            called = routines->called_framed;
        record->size = b->procedures[i]->high - b->procedures[i]->low;
        if (b->procedures[i]->is_interrupt)
            record->size |= ES_MI_SIZE_INTERRUPT;
        if (b->start_up && es_start_up_copies(b->procedures[i]))
            record->size |= ES_MI_SIZE_COPIES;
        if (es_moving_of(&b->plan, i)->leads) {
            record->size |= ES_MI_SIZE_FRAMES;
            called = routines->called_framed;
        }
        b->code.see = NULL; /* the same two words of all procedures */
        es_ir_begin(&b->code, at - 8u);
        es_ir_call(&b->code, ES_IR_A0,
                   b->plan.tells_at ? routines->returned_and_told
                   : b->ppat.count  ? routines->returned_in_tree
                                    : routines->returned,
                   0, 0, 0);
        es_ir_call(&b->code, ES_IR_A0, called, 0, 0, 0);
        es_ir_finish(&b->code);
        memcpy(es_layout_at(b, at - 8u), b->code.words, 8);
        memcpy(es_layout_at(b, at), record, sizeof *record);
    }
}

void es_procedures_switches(image_builder *b)
{
    es_switch *found;
    size_t count = b->plan.program->task || b->plan.untracked ? 0 : es_symbols_switches(b->symbols, b->arena, &found);
    b->switches = es_arena_alloc(b->arena, (count + 1) * sizeof *b->switches);
    for (size_t i = 0; i < count; i++)
        if (found[i].address % es_symbols_isa(b->symbols)->smallest == 0 &&
            found[i].address - b->limits->window_base < b->limits->window_size)
            b->switches[b->switch_count++] = found[i];
}

uint16_t es_procedures_switches_header(const image_builder *b)
{
    uint16_t flags = may_lose_stack(b) ? ES_MI_SWITCHES_ANY : 0;
    for (size_t i = 0; flags && i < b->plan.control_count; i++)
        if (b->plan.controls[i].leave)
            flags |= ES_MI_SWITCHES_LEAVES;
    if (flags && b->plan.frame_count)
        flags |= ES_MI_SWITCHES_LOCALS;
    return flags;
}
