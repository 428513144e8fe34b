/* Of what C lays out and assembly reads. Checked in state.c. */
#ifndef ES_FIRMWARE_OFFSETS_H
#define ES_FIRMWARE_OFFSETS_H

#define STATE_ROOT_JUMP 32 /* es.root_jump */
#define HEADER_TASKS_AT 88 /* es_mi_header.tasks_at */

/* Sites of activations that nobody waits for (state.h), as signed numbers. */
#define SITE_ROOT_JUMP_SIGNED (-13)
#define SITE_TASK_SIGNED (-9)

#endif
