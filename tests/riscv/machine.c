/* machine PROGRAM.elf...: runs programs of riscv-tests, made with env/riscv_test.h, on host/machine, as fast as it can
 * and once more instruction by instruction; both have to pass, by the same number of instructions and with the same
 * registers. Prints what fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "probe_defs.h"
#include "sim.h"
#include "symbols/code.h"

enum { EXIT = 0x10000004u, MOST = 1000000 };

typedef struct test {
    const char *path;
    es_symbols *symbols;
    es_machine *machine;
    bool over;
    uint32_t code;
    unsigned long told; /* instructions that the listener was told */
} test;

static void end(test *t, uint32_t code)
{
    t->over = true;
    t->code = code;
    es_machine_stop_soon(t->machine);
}

static void on_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)size;
    if (address == EXIT)
        end(context, unknown ? UINT32_MAX : value);
}

static void on_access(void *context, const es_machine_access *access)
{
    test *t = context;
    t->told += access->kind == ES_KIND_FETCH;
}

static void add_region(test *t, uint32_t base, uint32_t size, bool writable)
{
    es_error err;
    if (!es_machine_region(t->machine, base, size, writable, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
}

static bool load_elf(test *t)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(t->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_machine_poke(t->machine, segments[i].address, segments[i].bytes, NULL, segments[i].size))
            return false;
    return true;
}

static bool begin(test *t)
{
    es_error err = {0};
    t->symbols = es_symbols_open(t->path, &err);
    if (t->symbols) {
        es_machine_options options = {.isa = es_symbols_isa(t->symbols),
                                      .arch = es_symbols_arch(t->symbols),
                                      .reset_pc = es_symbols_entry(t->symbols),
                                      .processor = ES_PROCESSOR_STANDARD,
                                      .outside = {.write = on_write, .context = t}};
        t->machine = es_machine_new(&options, &err);
    }
    if (!t->machine) {
        printf("%s: %s\n", t->path, err.text);
        return false;
    }
    add_region(t, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false);
    add_region(t, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true);
    return load_elf(t);
}

static bool run(test *t, bool listens)
{
    es_machine_listener listener = {.access = on_access, .context = t};
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    if (listens)
        es_machine_listen(t->machine, &listener);
    while (!t->over && stop <= ES_MACHINE_ASKED && es_machine_fetches(t->machine) < MOST)
        stop = es_machine_run(t->machine, MOST);
    if (!t->over)
        printf("%s: stops at 0x%08x after %llu instructions: %s\n", t->path, es_machine_pc(t->machine),
               (unsigned long long)es_machine_fetches(t->machine),
               stop > ES_MACHINE_ASKED ? es_machine_reason(t->machine) : "it does not end");
    else if (t->code)
        printf("%s: case %u fails\n", t->path, t->code);
    return t->over && t->code == 0;
}

static void free_test(test *t)
{
    es_machine_free(t->machine);
    es_symbols_close(t->symbols);
}

static bool passes(const char *path, unsigned long *instructions)
{
    test fast = {.path = path}, told = {.path = path};
    bool good = begin(&fast) && begin(&told) && run(&fast, false) && run(&told, true);
    if (good) {
        es_machine_registers a, b;
        es_machine_get(fast.machine, &a);
        es_machine_get(told.machine, &b);
        good = memcmp(&a, &b, sizeof a) == 0 && es_machine_fetches(fast.machine) == told.told;
        if (!good)
            printf("%s: the two engines differ\n", path);
        *instructions += told.told;
    }
    free_test(&fast);
    free_test(&told);
    return good;
}

int main(int argc, char **argv)
{
    unsigned long instructions = 0;
    int passed = 0;
    for (int i = 1; i < argc; i++)
        passed += passes(argv[i], &instructions);
    printf("%lu instructions\n%d passed, %d failed\n", instructions, passed, argc - 1 - passed);
    return passed != argc - 1;
}
