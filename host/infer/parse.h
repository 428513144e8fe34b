/* The two halves of the parser of machines' text format: parse.c has the parts of a line, parse_machine.c whole
 * ones. */
#ifndef ES_INFER_PARSE_H
#define ES_INFER_PARSE_H

#include "infer/machine.h"

typedef struct es_infer_parser {
    es_infer_model *model;
    es_infer_machine *machine; /* that is being read; NULL before the first */
    const char *file, *at, *line_start;
    unsigned line;
    bool failed;
    es_error *err;
    char word[256]; /* the last name or text */
    es_infer_test tests[ES_INFER_TESTS_MAX];
    es_infer_update updates[ES_INFER_VARIABLES_MAX];
    uint32_t test_count, update_count;
} es_infer_parser;

/* Stores the first message, with file, line, column and a caret. Returns false. */
bool es_infer_parse_fail(es_infer_parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool es_infer_is_name(char c);                                  /* may be in a name without quotes */
bool es_infer_parse_end(es_infer_parser *p);                    /* nothing more in this line? */
bool es_infer_parse_take(es_infer_parser *p, const char *sign); /* takes a sign or word, if it is next */
bool es_infer_parse_name(es_infer_parser *p, const char *what); /* takes a name into p->word */
bool es_infer_parse_condition(es_infer_parser *p);              /* into p->tests */
bool es_infer_parse_assignments(es_infer_parser *p);            /* into p->updates */

#endif
