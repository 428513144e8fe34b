/* The current-task pointer: the routine after its word's statements. */
#ifndef ES_IMAGE_LOWER_TASKS_H
#define ES_IMAGE_LOWER_TASKS_H

#include "image/firmware.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Code of the routine of the pointer, `task`. */
void es_tasks_written(es_ir_code *code, const firmware_routines *routines, const es_reference *task);

#endif
