/* Runs a program on the reference target alone, without a probe: what it prints, and its exit code as this one's. Ends
 * with 125 where it cannot be run, or stops. */
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"
#include "symbols/symbols.h"

enum { CANNOT = 125, STEP = 1000000, STEPS_MAX = 60 };

static void print(void *context, const char *text, size_t size)
{
    fwrite(text, 1, size, context);
}

static int cannot(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return CANNOT;
}

int main(int argc, char **argv)
{
    es_error err;
    if (argc != 2)
        return cannot(argv[0], "PROGRAM.elf");
    es_symbols *symbols = es_symbols_open(argv[1], &err);
    if (!symbols)
        return cannot(argv[1], err.text);
    es_sim_config config = {.world = ES_SIM_BARE, .seed = 1, .on_console = print, .context = stdout};
    es_sim *sim = es_sim_new(&config, &err);
    if (!sim)
        return cannot(argv[1], err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return cannot(argv[1], "does not fit the target's memory");
    es_sim_start_target(sim);
    enum es_sim_state state = ES_SIM_RUNNING;
    for (unsigned i = 0; i < STEPS_MAX && state == ES_SIM_RUNNING; i++)
        state = es_sim_step(sim, STEP, 0);
    int status = state == ES_SIM_EXITED ? es_sim_exit_code(sim)
                                        : cannot(argv[1], state == ES_SIM_TRAPPED ? es_sim_trap_text(sim) : "runs on");
    es_sim_free(sim);
    es_symbols_close(symbols);
    return status;
}
