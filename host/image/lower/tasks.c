#include "image/lower/tasks.h"

#include "image/firmware.h"
#include "image/lower/place.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "ir/ir.h"

void es_tasks_written(es_ir_code *code, const firmware_routines *routines, const es_reference *task)
{
    enum es_ir_op op = task->size == 4 ? ES_IR_LOAD : task->size == 2 ? ES_IR_LOAD_HALF : ES_IR_LOAD_BYTE;
    es_ir_load(code, op, ES_IR_A0, ES_IR_HIT, (int32_t)(ES_REG_HIT_NEW + (task->address & 3)));
    if (plan_is_turned(task) && task->size > 1)
        es_place_turn(code, ES_IR_A0, task->size, false);
    es_routine_call(code, routines, ROUTINE_task_written);
}
