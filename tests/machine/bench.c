/* bench NAME=PROGRAM.elf...: instructions per second of the processor in software for each program, of the instruction
 * set that it was compiled for: at full speed, and while it tells each of them; and the ratio to the first one's. The
 * programs take turns, and the best of several runs counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine/machine.h"
#include "probe_defs.h"
#include "symbols/code.h"

enum { ROUNDS = 5, PROGRAMS = 16, TOLD = 3000000 };

typedef struct program {
    const char *name;
    es_symbols *symbols;
    uint64_t instructions;
    double fast, told; /* per second */
} program;

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(EXIT_FAILURE);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void on_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)size, (void)value, (void)unknown;
    if (address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT)
        es_machine_stop_soon(*(es_machine **)context);
}

static double once(program *p, bool told)
{
    es_error err;
    es_machine *machine;
    const es_segment *segments;
    size_t count = es_symbols_segments(p->symbols, &segments);
    es_machine_options options = {.isa = es_symbols_isa(p->symbols),
                                  .arch = es_symbols_arch(p->symbols),
                                  .big_endian = es_symbols_big_endian(p->symbols),
                                  .outside = {.write = on_write, .context = &machine}};
    machine = es_machine_new(&options, &err);
    if (!machine || !es_machine_region(machine, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false, &err) ||
        !es_machine_region(machine, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true, &err))
        fail(p->name, err.text);
    for (size_t i = 0; i < count; i++)
        es_machine_poke(machine, segments[i].address, segments[i].bytes, NULL, segments[i].size);
    if (told)
        es_machine_listen(machine, &(es_machine_listener){.context = NULL});
    double start = seconds();
    enum es_machine_stop stop = es_machine_run(machine, told ? TOLD : UINT64_MAX);
    double used = seconds() - start;
    if (stop != ES_MACHINE_ASKED && stop != ES_MACHINE_UNTIL)
        fail(p->name, es_machine_reason(machine));
    uint64_t done = es_machine_fetches(machine);
    p->instructions = told ? p->instructions : done;
    es_machine_free(machine);
    return (double)done / used;
}

int main(int argc, char **argv)
{
    program programs[PROGRAMS] = {{0}};
    int count = argc - 1 < PROGRAMS ? argc - 1 : PROGRAMS;
    for (int i = 0; i < count; i++) {
        es_error err;
        char *path = strchr(argv[i + 1], '=');
        if (!path)
            fail(argv[i + 1], "NAME=PROGRAM.elf");
        *path++ = 0;
        programs[i].name = argv[i + 1];
        programs[i].symbols = es_symbols_open(path, &err);
        if (!programs[i].symbols)
            fail(path, err.text);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            double fast = once(&programs[i], false), told = once(&programs[i], true);
            programs[i].fast = fast > programs[i].fast ? fast : programs[i].fast;
            programs[i].told = told > programs[i].told ? told : programs[i].told;
        }
    printf("instruction set           instructions   million a second   ratio   while each is told\n");
    for (int i = 0; i < count; i++) {
        printf("%-24s %13llu %18.0f %7.2f %20.0f\n", programs[i].name, (unsigned long long)programs[i].instructions,
               programs[i].fast / 1e6, programs[i].fast / programs[0].fast, programs[i].told / 1e6);
        es_symbols_close(programs[i].symbols);
    }
    return EXIT_SUCCESS;
}
