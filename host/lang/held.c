/* Which locals of optimised code a program's statements name. */
#include "lang/statement.h"

static const es_variable *variable_of(const es_reference *reference)
{
    return reference->variable && reference->variable->life ? reference->variable : NULL;
}

/* Whether a reference before references[index] of statements[number] is to the variable. */
static bool named_before(const es_program *program, size_t number, size_t index, const es_variable *variable)
{
    for (size_t n = 0; n <= number; n++) {
        const es_statement *statement = &program->statements[n];
        for (size_t i = 0; i < (n < number ? statement->reference_count : index); i++)
            if (variable_of(&statement->references[i]) == variable)
                return true;
    }
    return false;
}

const es_variable *es_program_life(const es_program *program, size_t k)
{
    for (size_t n = 0; n < program->statement_count; n++) {
        const es_statement *statement = &program->statements[n];
        for (size_t i = 0; i < statement->reference_count; i++) {
            const es_variable *variable = variable_of(&statement->references[i]);
            if (variable && !named_before(program, n, i, variable) && k-- == 0)
                return variable;
        }
    }
    return NULL;
}
