/* The clocks of the target with shared memory, computed from docs/target.md alone: given what each core executed, when each access must have
 * ended. Naive: clock by clock, every port looked at. */
#ifndef CLOCK_MODEL_H
#define CLOCK_MODEL_H

#include "sim.h"

typedef struct core_log {
    es_retired *retired;
    size_t count, room;
} core_log;

void core_log_add(core_log *log, const es_retired *retired);

/* Compares with the clocks of the logs, up to clock `end`. False: `text` says where they differ first. *compared: instructions. */
bool clock_model_agrees(const es_sim_shared *target, const core_log *logs, uint64_t end, uint64_t *compared, char *text,
                        size_t size);

#endif
