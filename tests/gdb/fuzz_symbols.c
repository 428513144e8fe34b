/* The program that the fuzzer's recording is of has no symbols, and nothing else may ask for them. */
#include <stdlib.h>

#include "lang/statement.h"
#include "symbols/symbols.h"

bool es_program_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err)
{
    (void)symbols, (void)texts, (void)count, (void)program, (void)err;
    abort();
}

bool es_program_kernel(const es_symbols *symbols, es_program *program)
{
    (void)symbols, (void)program;
    abort();
}

void es_program_free(es_program *program)
{
    (void)program;
    abort();
}

const es_variable *es_symbols_variable_at(const es_symbols *symbols, uint32_t address)
{
    (void)symbols, (void)address;
    abort();
}

size_t es_symbols_segments(const es_symbols *symbols, const es_segment **segments)
{
    (void)symbols, (void)segments;
    abort();
}

size_t es_symbols_find(const es_symbols *symbols, const es_procedure *procedure, const char *name,
                       const es_variable **found, size_t max)
{
    (void)symbols, (void)procedure, (void)name, (void)found, (void)max;
    abort();
}

size_t es_symbols_switches(const es_symbols *symbols, es_arena *arena, es_switch **switches)
{
    (void)symbols, (void)arena, (void)switches;
    abort();
}
