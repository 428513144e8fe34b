/* Instructions per second of the processor in software, at full speed and with a listener. */
#include "machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "probe_defs.h"
#include "symbols/symbols.h"

enum { ROUNDS = 5 };

static void on_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)size, (void)value, (void)unknown;
    if (address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT)
        es_machine_stop_soon(*(es_machine **)context);
}

static es_machine *machine_for(const es_symbols *symbols, es_machine **place)
{
    es_error err;
    const es_segment *segments;
    es_machine_options options = {
        .isa = es_isa_of_simulated_target(), .arch = es_sim_isa(), .outside = {.write = on_write, .context = place}};
    size_t count = es_symbols_segments(symbols, &segments);
    *place = es_machine_new(&options, &err);
    if (!*place || !es_machine_region(*place, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false, &err) ||
        !es_machine_region(*place, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true, &err))
        bench_fail(&err);
    for (size_t i = 0; i < count; i++)
        es_machine_poke(*place, segments[i].address, segments[i].bytes, NULL, segments[i].size);
    return *place;
}

/* The program to its end, or so many instructions of it. Returns instructions per second of processor time. */
static double once(const es_symbols *symbols, bool told, uint64_t most)
{
    es_machine *machine = machine_for(symbols, &machine);
    if (told)
        es_machine_listen(machine, &(es_machine_listener){.context = NULL});
    double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    enum es_machine_stop stop = es_machine_run(machine, most);
    double used = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (stop != ES_MACHINE_ASKED && stop != ES_MACHINE_UNTIL)
        bench_fail(&(es_error){ES_PROBE, "the processor in software stopped early"});
    double speed = (double)es_machine_fetches(machine) / used;
    es_machine_free(machine);
    return speed;
}

void bench_machine(const char *path)
{
    es_error err;
    es_symbols *symbols = es_symbols_open(path, &err);
    double best = 0, told = 0;
    if (!symbols)
        bench_fail(&err);
    for (unsigned i = 0; i < ROUNDS; i++) {
        double speed = once(symbols, false, UINT64_MAX), slow = once(symbols, true, 2000000);
        best = speed > best ? speed : best;
        told = slow > told ? slow : told;
    }
    es_symbols_close(symbols);
    printf("  processor in software: %.0f million instructions per second, %.0f while it tells each of them\n",
           best / 1e6, told / 1e6);
    bench_figure("machine_instructions_per_second", best);
    bench_figure("machine_told_instructions_per_second", told);
}
