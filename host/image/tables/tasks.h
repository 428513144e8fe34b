/* The current-task pointer: the table of tasks, struct es_mi_tasks. */
#ifndef ES_IMAGE_TABLES_TASKS_H
#define ES_IMAGE_TABLES_TASKS_H

#include "image/tables/layout.h"

/* Writes the table; the frames are there. Returns its address, 0: no tasks. */
uint16_t es_tasks_write(image_builder *b);

#endif
