/* The current-task pointer: the routine after its word's statements. */
#ifndef ES_IMAGE_LOWER_TASKS_H
#define ES_IMAGE_LOWER_TASKS_H

#include "image/firmware.h"
#include "ir/ir.h"

/* Code of the pointer's routine. */
void es_tasks_written(es_ir_code *code, const firmware_routines *routines);

#endif
