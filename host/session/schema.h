/* From a checked program to what a run of it can tell. */
#ifndef ES_SESSION_SCHEMA_H
#define ES_SESSION_SCHEMA_H

#include "lang/statement.h"
#include "record/record.h"

/* Where in an object's bytes a field of it lies. */
typedef struct es_leaf {
    uint32_t at, size; /* bytes: of the value, or of its bit-field's unit */
    uint8_t bit_offset, bit_size;
    const es_type *type; /* NULL: a byte of memory */
} es_leaf;

/* Of each statement's fields beyond its values, by field index - value_count. Lives as long as the schema. */
typedef struct es_leaves {
    const es_leaf **statements;
    const es_field **references; /* fields of each statement's references, where it has areas; else NULL */
} es_leaves;

/* What hits of the program's statements can tell. The program must outlive it. */
es_schema *es_session_schema(const es_program *program, es_leaves *leaves);

#endif
