/* A simulated world with a program in it, and what the tests look at afterwards. */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include "sim.h"

#define WORLD_MAX_CYCLES 5000000u

typedef struct world {
    es_sim *sim;
    char console[4096];
    size_t console_size;
    es_retired *retired; /* with log only */
    size_t retired_count, retired_room;
} world;

/* Loads $(B)/path (an ELF file) into a new world. config needs world, ratio, seed and every_clock only. Fails the test
 * when it cannot. */
world *world_new(const es_sim_config *config, const char *path, bool log);
void world_free(world *w);

/* Steps in chunks until the target ends; fails the test after WORLD_MAX_CYCLES. */
enum es_sim_state world_run(world *w);

#endif
