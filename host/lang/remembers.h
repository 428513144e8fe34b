/* Whether what a statement tells depends on more of the past than the calls that have not returned. */
#ifndef ES_LANG_REMEMBERS_H
#define ES_LANG_REMEMBERS_H

#include "lang/statement.h"

/* The first statement that cannot be evaluated from the middle of a run on as if from its start, with memory and call
 * path as they are there: *what it keeps, in words ("counts"). NULL: there is none. Errs towards there being one. */
const es_statement *es_program_remembers(const es_program *program, const char **what);

#endif
