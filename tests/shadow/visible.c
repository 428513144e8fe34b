/* visible PROGRAM...: of all pairs of a local variable and an instruction in its scope, weighted by how often the instruction was executed,
 * how many the bus tells, and how many the replay; and of the parameters at the entries of procedures. For docs/optimised.md. */
#include <stdio.h>
#include <stdlib.h>

#include "../softprobe/plain.h"
#include "symbols/values.h"

enum { CODE = ES_TARGET_ROM_SIZE / 2 };
static uint64_t executed[CODE];

static void on_insn(void *context, uint32_t pc)
{
    (void)context;
    executed[pc / 2 % CODE]++;
}

static bool active(const es_value_copy *copy, uint32_t pc)
{
    for (size_t i = 0; i < copy->code_count; i++)
        if (pc >= copy->code[i].low && pc < copy->code[i].high)
            return true;
    return false;
}

static bool on_bus(const es_variable *v, const es_value_copy *copy, uint32_t pc)
{
    if (v->place == ES_PLACE_STATIC)
        return true;
    return v->place == ES_PLACE_FRAME && !copy->inlined &&
           (!v->life || es_life_has(v->life, es_moment_at(copy->procedure, pc, ES_MOMENT_BEFORE)));
}

static void count(const char *path)
{
    es_error err = {0};
    plain target;
    es_symbols *symbols = es_symbols_open(path, &err);
    if (!symbols || !plain_new(&target, symbols, 1, &err)) {
        fprintf(stderr, "%s: %s\n", path, err.text);
        exit(2);
    }
    for (size_t i = 0; i < CODE; i++)
        executed[i] = 0;
    target.also = (es_machine_listener){.insn = on_insn};
    plain_source.advance(&target, NULL, 100000000);
    const es_variable *const *all;
    size_t variables = es_symbols_variables(symbols, &all);
    uint64_t pairs = 0, bus = 0, replay = 0, entries = 0, entries_bus = 0, entries_replay = 0;
    for (size_t i = 0; i < variables; i++) {
        const es_value_copy *copies;
        size_t copy_count = all[i]->procedure && !es_symbols_variable_in_library(all[i])
                                ? es_symbols_value_copies(symbols, all[i], &copies)
                                : 0;
        for (size_t k = 0; k < copy_count; k++)
            for (uint32_t pc = 0; copies[k].procedure && pc < ES_TARGET_ROM_SIZE; pc += 2) {
                if (!executed[pc / 2] || !active(&copies[k], pc))
                    continue;
                const es_value_range *range = es_value_at(&copies[k], pc);
                bool seen = on_bus(all[i], &copies[k], pc), told = seen || (range && !es_value_reason(range->value));
                pairs += executed[pc / 2];
                bus += seen * executed[pc / 2];
                replay += told * executed[pc / 2];
                if (pc != copies[k].procedure->low || copies[k].inlined || !copies[k].parameter)
                    continue;
                /* without optimisation, parameters are on the stack after the prologue, which is where enter() asks */
                uint32_t begin = es_symbols_begin(symbols, copies[k].procedure);
                entries += executed[pc / 2];
                entries_bus += on_bus(all[i], &copies[k], begin) * executed[pc / 2];
                entries_replay += told * executed[pc / 2];
            }
    }
    printf("%s: %.0f -> %.0f %%; parameters at enter %.0f -> %.0f %%\n", path,
           100.0 * (double)bus / (double)(pairs ? pairs : 1), 100.0 * (double)replay / (double)(pairs ? pairs : 1),
           100.0 * (double)entries_bus / (double)(entries ? entries : 1),
           100.0 * (double)entries_replay / (double)(entries ? entries : 1));
    plain_free(&target);
    es_symbols_close(symbols);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        count(argv[i]);
    return 0;
}
