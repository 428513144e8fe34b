/* Which variable a name means where the program stands: the rules of C's scopes, as debuggers have them. */
#ifndef ES_WHY_VARIABLE_H
#define ES_WHY_VARIABLE_H

#include "symbols/symbols.h"
#include "symbols/values.h"

/* Finds the variable that a name, C's or C++'s, means before the instruction at pc. Without qualifier: the local of the
 * innermost block; else the file-scope variable, of the code's own file where several have one; else what is static in
 * the one procedure that has it. qualifier: a procedure (f, file.c\f), or a part of a file's path; NULL: none.
 * *value: where a local is; NULL for one of static storage (ES_PLACE_STATIC), which lies at its address.
 * NULL: there is none, it has no value there, or several are meant (ES_USAGE; the message lists them). */
const es_variable *es_why_variable(const es_symbols *symbols, uint32_t pc, const char *qualifier, const char *name,
                                   const es_value **value, es_error *err);

#endif
