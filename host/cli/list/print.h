/* What can be watched of a program, as text and as JSON Lines on stdout. */
#ifndef ES_CLI_LIST_PRINT_H
#define ES_CLI_LIST_PRINT_H

#include "cli/list/entries.h"
#include "lang/statement.h"

/* `members`: structs and arrays with all that is in them. program: whose kernel's tasks can be told apart, if it has
 * one. */
void es_list_text(const es_entries *entries, const es_program *program, bool members);
void es_list_json(const es_entries *entries, const es_program *program, bool members);

#endif
