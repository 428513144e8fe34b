/* The machine against the model of tests/cpu, which is written from the manual's listing: random instructions, each in a
 * random state, with data of either order. Both engines: one machine has a listener, the other not. */
#include "../cpu/rv32_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/rv32c_model.h"
#include "draw.h"
#include "machine/machine.h"

#ifndef EVERY
#define EVERY 5000
#endif
enum { CODE = 0x40000000, CODE_SIZE = 0x4000, SETTLED = 0x341, CONTROLS = 7 };

static const unsigned controls[CONTROLS] = {0x300, 0x304, 0x305, 0x340, 0x341, 0x342, 0x343};

typedef struct subject {
    es_machine *machine;
    rv32 *model;
} subject;

static uint32_t draw32(void)
{
    return draw(UINT32_MAX);
}

/* Addresses are those of the model's memory, modulo its size. */
static bool read_outside(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    uint8_t bytes[4] = {0};
    es_machine_peek(((subject *)context)->machine, address % RV32_MEM_SIZE, bytes, NULL, size);
    *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    *unknown = 0;
    return true;
}

static void write_outside(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    (void)unknown;
    es_machine_poke(((subject *)context)->machine, address % RV32_MEM_SIZE, bytes, NULL, size);
}

static bool read_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    (void)number;
    *value = ((subject *)context)->model->mip;
    *unknown = 0;
    return true;
}

static uint32_t interesting(void)
{
    static const uint32_t edges[] = {0, 1, 2, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80000001, 0x55555555, 0x8000};
    return draw(3) ? draw32() : edges[draw(sizeof edges / sizeof *edges)];
}

static uint32_t random_word(void)
{
    if (draw(16) == 0)
        return draw32();
    if (draw(3) == 0) {
        const rv32c_insn *insn = rv32c_table(draw((uint32_t)rv32c_table_size));
        return (insn->match | (draw32() & ~insn->mask & 0xFFFF)) & 0xFFFF;
    }
    const rv32_insn *insn = &rv32_table[draw((uint32_t)rv32_table_size)];
    uint32_t word = insn->match | (draw32() & ~insn->mask);
    static const uint32_t numbers[] = {0x300, 0x301, 0x304, 0x305, 0x310, 0x340, 0x341,
                                       0x342, 0x343, 0x344, 0xF11, 0xF14, 0xB00};
    if (insn->format == RV32_Z && draw(4))
        word = (word & 0xFFFFF) | numbers[draw(sizeof numbers / sizeof *numbers)] << 20;
    return word;
}

static void set_state(subject *it, uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    const rv32 *model = it->model;
    es_machine_registers registers = {.pc = model->pc};
    for (unsigned i = 0; i < 32; i++)
        registers.x[i] = model->x[i];
    es_machine_set(it->machine, &registers);
    es_machine_poke(it->machine, model->pc, bytes, NULL, 4);
}

static bool same(const char *what, uint32_t here, uint32_t there, uint32_t word)
{
    if (here != there)
        printf("instruction 0x%08x: %s is 0x%08x, in the model 0x%08x\n", word, what, here, there);
    return here == there;
}

static bool same_state(const subject *it, uint32_t word)
{
    const rv32 *model = it->model;
    const uint32_t there[CONTROLS] = {model->mstatus, model->mie, model->mtvec, model->mscratch, model->mepc,
                                      model->mcause,  0};
    es_machine_registers registers;
    es_machine_get(it->machine, &registers);
    bool good = same("pc", registers.pc, model->pc, word);
    for (unsigned i = 0; i < 32 && good; i++)
        good = same("a register", registers.x[i] | registers.x_unknown[i], model->x[i], word);
    for (unsigned i = 0; i < CONTROLS && good; i++) {
        uint32_t value = 0, unknown = 0;
        es_machine_control(it->machine, controls[i], &value, &unknown);
        good = same("a control register", value | unknown, there[i] | (controls[i] == 0x300 ? 0x1800 : 0), word);
    }
    return good;
}

static bool same_memory(const subject *it, uint32_t word)
{
    static uint8_t bytes[RV32_MEM_SIZE];
    es_machine_peek(it->machine, 0, bytes, NULL, sizeof bytes);
    for (unsigned i = 0; i < RV32_MEM_SIZE; i++)
        if (bytes[i] != it->model->mem[i])
            return same("memory", bytes[i], it->model->mem[i], word);
    return true;
}

static subject new_subject(subject *context, rv32 *model)
{
    es_error err;
    es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                  .arch = "rv32imc_zicsr_zifencei",
                                  .reset_pc = CODE,
                                  .known_at_reset = true,
                                  .big_endian = model->big,
                                  .processor = ES_PROCESSOR_REFERENCE,
                                  .outside = {read_outside, write_outside, read_control, context}};
    subject it = {es_machine_new(&options, &err), model};
    es_machine_region(it.machine, 0, RV32_MEM_SIZE, true, &err);
    es_machine_region(it.machine, CODE, CODE_SIZE, false, &err);
    es_machine_poke(it.machine, 0, model->mem, NULL, RV32_MEM_SIZE);
    return it;
}

static void random_state(rv32 *model)
{
    for (unsigned i = 1; i < 32; i++)
        if (draw(2) || model->x[i] - (CODE - 0x1000) < CODE_SIZE + 0x2000) /* the model has no code to load */
            model->x[i] = interesting();
    model->pc = CODE + draw(CODE_SIZE - 8) / 2 * 2;
    if (draw(8) == 0)
        model->mip = (draw(2) ? RV32_MTI : 0) | (draw(2) ? RV32_MEI : 0);
}

/* One instruction. False: they differ. */
static bool try(subject subjects[2], rv32 *model, uint32_t word)
{
    rv32_effect effect;
    random_state(model);
    for (unsigned i = 0; i < 2; i++)
        set_state(&subjects[i], word);
    bool interrupted = rv32_irq(model);
    if (interrupted) {
        rv32_interrupt(model);
        for (unsigned i = 0; i < 2; i++)
            es_machine_interrupt(subjects[i].machine, model->mcause, 0);
        return same_state(&subjects[0], word) && same_state(&subjects[1], word);
    }
    rv32 before = *model;
    rv32_step(model, word, &effect);
    bool good = true;
    for (unsigned i = 0; i < 2 && good; i++) {
        enum es_machine_stop stop = es_machine_run(subjects[i].machine, es_machine_fetches(subjects[i].machine) + 1);
        if (effect.halt) {
            good = stop == ES_MACHINE_STRANGE || same("the stop", stop, ES_MACHINE_STRANGE, word);
            *model = before;
        }
        good = good && same_state(&subjects[i], word);
    }
    return good;
}

static bool compare(unsigned tries, bool big)
{
    static rv32 model;
    unsigned done = 0;
    model.big = big;
    model.has = RV32_TRAPS | RV32_COMPRESSED | RV32_MULDIV;
    rv32_reset(&model, CODE);
    for (unsigned i = 0; i < RV32_MEM_SIZE; i++)
        model.mem[i] = (uint8_t)draw(256);
    subject subjects[2];
    for (unsigned i = 0; i < 2; i++)
        subjects[i] = new_subject(&subjects[i], &model);
    es_machine_listen(subjects[0].machine, &(es_machine_listener){.context = NULL});
    bool good = true;
    for (; good && done < tries; done++) {
        uint32_t word = random_word();
        good = try(subjects, &model, word);
        if (good && done % EVERY == 0)
            good = same_memory(&subjects[0], word) && same_memory(&subjects[1], word);
    }
    for (unsigned i = 0; i < 2; i++)
        es_machine_free(subjects[i].machine);
    printf("%u instructions, data %s endian\n", done, big ? "big" : "little");
    return good;
}

int main(void)
{
    const char *seed = getenv("EARSHOT_SEED"), *wanted = getenv("EARSHOT_TRIES");
    unsigned tries = wanted ? (unsigned)strtoul(wanted, NULL, 0) : 200000;
    draw_seed = seed ? (uint32_t)strtoul(seed, NULL, 0) * 2654435761u | 1 : 1;
    int passed = compare(tries, false) + compare(tries / 4, true);
    printf("%d passed, %d failed\n", passed, 2 - passed);
    return passed != 2;
}
