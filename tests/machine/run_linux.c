/* run_linux PROGRAM ARCH: runs a program for Linux's RV32 that knows write and exit alone, as qemu-riscv32 does. Prints
 * what it writes, and ends with its exit code; 125 where it cannot be executed. FAST=1: without a listener. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

enum { CANNOT = 125, STACK = 0x70000000, STACK_SIZE = 0x10000, HANDLER = 0x60000000, CALL_WRITE = 64, CALL_EXIT = 93 };
enum {
    SP = 2,
    A0 = 10,
    A1 = 11,
    A2 = 12,
    A7 = 17,
    MTVEC = 0x305,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MSTATUS = 0x300,
    CALL = 11
};

static int cannot(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return CANNOT;
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*size);
        if (bytes && fread(bytes, 1, *size, file) != *size)
            *size = 0;
    }
    if (file)
        fclose(file);
    return bytes;
}

/* All segments in one region, of zeros where there are none. */
static bool load(es_machine *machine, const uint8_t *bytes)
{
    const Elf32_Ehdr *header = (const void *)bytes;
    const Elf32_Phdr *segments = (const void *)(bytes + header->e_phoff);
    uint32_t low = UINT32_MAX, high = 0;
    es_error err;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        uint32_t end = segments[i].p_vaddr + segments[i].p_memsz;
        if (segments[i].p_type != PT_LOAD)
            continue;
        low = segments[i].p_vaddr < low ? segments[i].p_vaddr : low;
        high = end > high ? end : high;
    }
    low &= ~4095u, high = (high + 4095) & ~4095u;
    uint8_t *zeros = low < high ? calloc(1, high - low) : NULL;
    if (!zeros || !es_machine_region(machine, low, high - low, true, &err))
        return false;
    es_machine_poke(machine, low, zeros, NULL, high - low);
    free(zeros);
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD)
            es_machine_poke(machine, segments[i].p_vaddr, bytes + segments[i].p_offset, NULL, segments[i].p_filesz);
    return es_machine_region(machine, STACK, STACK_SIZE, true, &err) &&
           es_machine_region(machine, HANDLER, 4096, false, &err);
}

/* A call of the system; false: the program ends. */
static bool call(es_machine *machine, int *status)
{
    es_machine_registers registers;
    uint32_t from, unknown;
    es_machine_get(machine, &registers);
    es_machine_control(machine, MEPC, &from, &unknown);
    *status = (int)registers.x[A0] & 0xFF;
    if (registers.x[A7] == CALL_EXIT)
        return false;
    if (registers.x[A7] != CALL_WRITE) {
        *status = cannot("a call of the system", "is neither write nor exit");
        return false;
    }
    uint8_t *bytes = malloc(registers.x[A2] + 1), *hidden = malloc(registers.x[A2] + 1);
    if (bytes && hidden && es_machine_peek(machine, registers.x[A1], bytes, hidden, registers.x[A2]))
        fwrite(bytes, 1, registers.x[A2], stdout);
    free(bytes);
    free(hidden);
    registers.x[A0] = registers.x[A2];
    registers.x_unknown[A0] = 0;
    registers.pc = from + 4;
    es_machine_set(machine, &registers);
    return true;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    es_error err;
    int status = 0;
    if (argc != 3)
        return cannot(argv[0], "PROGRAM ARCH");
    uint8_t *bytes = read_file(argv[1], &size);
    if (!bytes || size < sizeof(Elf32_Ehdr))
        return cannot(argv[1], "cannot be read");
    const Elf32_Ehdr *header = (const void *)bytes;
    es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                  .arch = argv[2],
                                  .reset_pc = header->e_entry,
                                  .known_at_reset = true,
                                  .misaligned = true};
    es_machine *machine = es_machine_new(&options, &err);
    if (!machine || !load(machine, bytes))
        return cannot(argv[1], "cannot be loaded");
    es_machine_registers registers;
    es_machine_get(machine, &registers);
    registers.x[SP] = STACK + STACK_SIZE - 256;
    es_machine_set(machine, &registers);
    es_machine_set_control(machine, MTVEC, HANDLER, 0);
    es_machine_set_control(machine, MSTATUS, 0x3800, 0); /* floating point is on */
    es_machine_mark(machine, HANDLER, true);
    if (!getenv("FAST"))
        es_machine_listen(machine, &(es_machine_listener){.context = NULL});
    enum es_machine_stop stop;
    do {
        uint32_t cause = 0, unknown;
        stop = es_machine_run(machine, UINT64_MAX);
        es_machine_control(machine, MCAUSE, &cause, &unknown);
        if (stop == ES_MACHINE_MARK && cause != CALL) {
            uint32_t at = 0;
            es_machine_control(machine, MEPC, &at, &unknown);
            fprintf(stderr, "cause %u at 0x%08x\n", cause, at);
            return CANNOT;
        }
    } while (stop == ES_MACHINE_MARK && call(machine, &status));
    if (stop != ES_MACHINE_MARK)
        status = cannot(argv[1], es_machine_reason(machine));
    es_machine_free(machine);
    free(bytes);
    return status;
}
