/* What the soft core does while it watches: clocks per instruction, and clocks per event that the planes let through to
 * it. */
#include <stdio.h>

#include "bench.h"

#define RATIO 16 /* probe clocks per bus clock: enough for the soft core to keep up */

void bench_core(bench *b)
{
    bench_run run;
    bench_start(b, &run, ES_SIM_FT245, RATIO);
    bench_boot(b, &run);
    while (!es_sim_idle(run.sim))
        es_sim_step(run.sim, 1000, 0);
    es_sim_core before = es_sim_core_work(run.sim);
    es_sim_start_target(run.sim);
    while (es_sim_step(run.sim, 10000, 0) == ES_SIM_RUNNING || !es_sim_idle(run.sim))
        bench_listen(&run);
    es_sim_core after = es_sim_core_work(run.sim);
    bench_end(&run);
    uint64_t clocks = after.clocks - before.clocks, instructions = after.instructions - before.instructions;
    uint64_t events = after.events - before.events;
    if (!instructions || !events)
        bench_fail(&(es_error){ES_PROBE, "the soft core had nothing to do"});
    printf("  soft core: %llu events in %llu clocks awake: %.0f clocks and %.1f instructions per event, %.2f clocks "
           "per instruction\n",
           (unsigned long long)events, (unsigned long long)clocks, (double)clocks / (double)events,
           (double)instructions / (double)events, (double)clocks / (double)instructions);
    bench_figure("core_events", (double)events);
    bench_figure("core_clocks_per_event", (double)clocks / (double)events);
    bench_figure("core_clocks_per_instruction", (double)clocks / (double)instructions);
}
