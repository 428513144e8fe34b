/* A machine as a whole: options, registers, reset, and how it runs. */
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/code.h"

enum { REGISTERS = 32 };

es_machine *es_machine_new(const es_machine_options *options, es_error *err)
{
    if (!es_rv32_executes(options->isa)) {
        es_fail(err, ES_USAGE, "programs for %s cannot be executed in software", options->isa->name);
        return NULL;
    }
    es_machine *machine = memset(es_malloc(sizeof *machine), 0, sizeof *machine);
    machine->options = *options;
    machine->options.arch = NULL; /* the text is the caller's */
    machine->handlers = es_machine_handlers(options->big_endian);
    machine->has = es_rv32_extensions(options->arch);
    machine->known_page = memset(es_malloc(PAGE_SIZE), 0, PAGE_SIZE);
    for (unsigned i = 0; i < DECODED; i++)
        machine->decoded[i].operation = es_rv32_operation_of(0, machine->has);
    es_machine_forget_ways(machine);
    es_machine_reset(machine);
    return machine;
}

void es_machine_free(es_machine *machine)
{
    if (!machine)
        return;
    es_machine_free_code(machine);
    es_machine_free_memory(machine);
    free(machine->marks);
    free(machine);
}

void es_machine_reset(es_machine *machine)
{
    uint32_t unknown = machine->options.known_at_reset ? 0 : UINT32_MAX;
    es_machine_registers registers = {.pc = machine->options.reset_pc};
    for (unsigned i = 0; i < REGISTERS; i++) {
        registers.x_unknown[i] = i ? unknown : 0;
        registers.f_unknown[i] = unknown ? UINT64_MAX : 0;
    }
    es_machine_set(machine, &registers);
    es_machine_reset_controls(machine);
    machine->fetches = 0;
    machine->hash_sum = machine->hash_sums = 0;
    machine->hash_unknown = machine->zeros = machine->has_assumed = machine->reserved = false;
}

void es_machine_get(const es_machine *machine, es_machine_registers *registers)
{
    registers->pc = machine->pc;
    memcpy(registers->x, machine->x, sizeof registers->x);
    memcpy(registers->x_unknown, machine->x_unknown, sizeof registers->x_unknown);
    memcpy(registers->f, machine->f, sizeof registers->f);
    memcpy(registers->f_unknown, machine->f_unknown, sizeof registers->f_unknown);
}

void es_machine_register(const es_machine *machine, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    *value = reg < 32 ? machine->x[reg] : machine->f[reg - 32];
    *unknown = reg < 32 ? machine->x_unknown[reg] : machine->f_unknown[reg - 32];
}

void es_machine_set(es_machine *machine, const es_machine_registers *registers)
{
    machine->pc = registers->pc & ~1u;
    machine->tainted = 0;
    for (unsigned i = 1; i < REGISTERS; i++) {
        machine->x[i] = registers->x[i] & ~registers->x_unknown[i];
        machine->x_unknown[i] = registers->x_unknown[i];
        machine->tainted |= (uint32_t)(registers->x_unknown[i] != 0) << i;
    }
    for (unsigned i = 0; i < REGISTERS; i++) {
        machine->f[i] = registers->f[i] & ~registers->f_unknown[i];
        machine->f_unknown[i] = registers->f_unknown[i];
    }
}

uint32_t es_machine_pc(const es_machine *machine)
{
    return machine->pc;
}

bool es_machine_big_endian(const es_machine *machine)
{
    return machine->options.big_endian;
}

bool es_machine_in_user_mode(const es_machine *machine)
{
    return machine->user;
}

uint64_t es_machine_fetches(const es_machine *machine)
{
    return machine->fetches;
}

es_machine_hash es_machine_get_hash(const es_machine *machine)
{
    return (es_machine_hash){machine->hash_sum, machine->hash_sums};
}

void es_machine_assume_zeros(es_machine *machine, bool assumed)
{
    machine->zeros = assumed;
    machine->has_assumed = false;
}

bool es_machine_has_assumed(const es_machine *machine)
{
    return machine->has_assumed;
}

bool es_machine_hash_unknown(const es_machine *machine)
{
    return machine->hash_unknown;
}

void es_machine_listen(es_machine *machine, const es_machine_listener *listener)
{
    machine->listens = listener != NULL;
    machine->listener = listener ? *listener : (es_machine_listener){0};
}

bool es_machine_listens(const es_machine *machine, es_machine_listener *listener)
{
    *listener = machine->listener;
    return machine->listens;
}

void es_machine_stop_soon(es_machine *machine)
{
    machine->stop_soon = true;
}

static const enum es_machine_stop stops[] = {
    [STEP_DONE] = ES_MACHINE_UNTIL,      [STEP_WAITS] = ES_MACHINE_WAITS,     [STEP_LATER] = ES_MACHINE_INPUT,
    [STEP_UNKNOWN] = ES_MACHINE_UNKNOWN, [STEP_STRANGE] = ES_MACHINE_STRANGE,
};

enum es_machine_stop es_machine_once(es_machine *machine)
{
    return stops[es_machine_step(machine)];
}

enum es_machine_stop es_machine_run(es_machine *machine, uint64_t fetches)
{
    machine->stop_soon = false;
    for (bool first = true; machine->fetches < fetches;) {
        if (es_machine_is_marked(machine, machine->pc)) {
            if (!first)
                return ES_MACHINE_MARK;
        } else if (!machine->listens) {
            uint64_t before = machine->fetches;
            bool steps = es_machine_run_fast(machine, fetches);
            first = first && machine->fetches == before;
            if (!steps)
                continue;
        }
        enum step step = es_machine_step(machine);
        first = false;
        if (step != STEP_DONE)
            return stops[step];
        if (machine->stop_soon)
            return ES_MACHINE_ASKED;
    }
    return ES_MACHINE_UNTIL;
}
