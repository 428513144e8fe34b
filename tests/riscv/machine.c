/* machine PROGRAM...: runs programs of riscv-tests on host/machine, as fast as it can and once more instruction by
 * instruction; both have to pass, by the same number of instructions and with the same registers. PROGRAM.hex (Intel):
 * made for riscv-tests' own environment at 0x80000000, which says how a test ends at 0x80001000; PROGRAM.elf: for
 * env/riscv_test.h. Prints what fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "probe_defs.h"
#include "sim.h"
#include "symbols/code.h"

enum { HOST = 0x80001000u, EXIT = 0x10000004u, MOST = 1000000, MHARTID = 0xF14, MISA = 0x301 };

typedef struct test {
    const char *path;
    es_symbols *symbols;
    es_machine *machine;
    bool over, host; /* host: ends as riscv-tests' own environment has it */
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

/* Records of data (00), of the upper half of addresses (04) and the end. */
static bool load_hex(test *t)
{
    FILE *file = fopen(t->path, "re");
    char line[600];
    uint32_t upper = 0;
    bool ended = false;
    while (file && !ended && fgets(line, sizeof line, file)) {
        unsigned count, address, kind;
        if (sscanf(line, ":%2x%4x%2x", &count, &address, &kind) != 3)
            continue;
        uint8_t bytes[256];
        for (unsigned i = 0; i < count; i++) {
            unsigned byte;
            if (sscanf(line + 9 + 2 * i, "%2x", &byte) != 1)
                return false;
            bytes[i] = (uint8_t)byte;
        }
        if (kind == 4)
            upper = (uint32_t)(bytes[0] << 24 | bytes[1] << 16);
        else if (kind == 0 && !es_machine_poke(t->machine, upper + address, bytes, NULL, count))
            return false;
        ended = kind == 1;
    }
    return file && fclose(file) == 0 && ended;
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
    bool hex = strstr(t->path, ".hex") != NULL;
    const char *arch = hex ? "rv32imafdc_zicsr_zifencei" : NULL;
    if (!hex && !(t->symbols = es_symbols_open(t->path, &err))) {
        printf("%s: %s\n", t->path, err.text);
        return false;
    }
    t->host = hex;
    es_machine_options options = {.isa = hex ? es_isa_of_simulated_target() : es_symbols_isa(t->symbols),
                                  .arch = hex ? arch : es_symbols_arch(t->symbols),
                                  .reset_pc = hex ? 0x80000000u : es_symbols_entry(t->symbols),
                                  .known_at_reset = hex,
                                  .processor = ES_PROCESSOR_STANDARD,
                                  .outside = {.write = on_write, .context = t}};
    t->machine = es_machine_new(&options, &err);
    if (!t->machine) {
        printf("%s: %s\n", t->path, err.text);
        return false;
    }
    if (hex) { /* which core it is, and what it has */
        es_machine_set_control(t->machine, MHARTID, 0, 0);
        es_machine_set_control(t->machine, MISA, 0x4000112D, 0);
        add_region(t, 0x80000000u, 0x20000, true);
        return load_hex(t);
    }
    add_region(t, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, true); /* fence_i changes its code */
    add_region(t, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true);
    return load_elf(t);
}

/* The word that riscv-tests' own environment writes: 1 when it has passed, else twice the case's number and 1. */
static void look_at_host(test *t)
{
    uint8_t bytes[4], unknown[4];
    if (!t->host || !es_machine_peek(t->machine, HOST, bytes, unknown, 4))
        return;
    uint32_t word = (uint32_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16) | (uint32_t)bytes[3] << 24;
    if (word)
        end(t, word == 1 ? 0 : word >> 1);
}

static bool run(test *t, bool listens)
{
    es_machine_listener listener = {.access = on_access, .context = t};
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    if (listens)
        es_machine_listen(t->machine, &listener);
    while (!t->over && stop <= ES_MACHINE_ASKED && es_machine_fetches(t->machine) < MOST) {
        stop = es_machine_run(t->machine, es_machine_fetches(t->machine) + 100);
        look_at_host(t);
    }
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
