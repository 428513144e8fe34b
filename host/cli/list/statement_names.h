/* Names of statements in a text, found without checking it. */
#ifndef ES_CLI_LIST_STATEMENT_NAMES_H
#define ES_CLI_LIST_STATEMENT_NAMES_H

/* Prints them on stdout, one a line: the words that begin a line, or follow a }, and have a colon and a blank after
 * them. */
void es_print_statement_names(const char *text);

#endif
