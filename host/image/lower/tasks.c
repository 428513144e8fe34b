#include "image/lower/tasks.h"

#include <string.h>

#include "image/firmware.h"
#include "image/lower/routines.h"
#include "ir/ir.h"

void es_tasks_written(es_ir_code *code, const firmware_routines *routines)
{
    es_routine_call(code, routines, ROUTINE_task_written);
}
