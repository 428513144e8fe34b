/* Statements that nobody has written, whose hits a recording's calls are. */
#ifndef ES_PROF_RECORD_STATEMENTS_H
#define ES_PROF_RECORD_STATEMENTS_H

#include "prof/code.h"
#include "record/record.h"

/* Those that are of no procedure: `interrupt`, ... Each `..._end` follows its beginning. */
enum es_prof_statement {
    ES_PROF_INTERRUPT,
    ES_PROF_INTERRUPT_END,
    ES_PROF_EXCEPTION,
    ES_PROF_EXCEPTION_END,
    ES_PROF_RUNS,    /* a stack goes on */
    ES_PROF_UNWOUND, /* an activation has ended without a return */
    ES_PROF_RESET,
    ES_PROF_OF_PROCEDURES
};

/* Fills an empty schema: with those, and enter_f and leave_f of each procedure f. Returns, by procedure, the number of
 * the statement of its entry; the next one is of its end. The list is the schema's arena's. */
const uint32_t *es_prof_statements(es_schema *schema, const es_prof_code *code, uint64_t hz);

#endif
