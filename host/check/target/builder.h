/* What builds the graph of program.h: between its files, and for no others. */
#ifndef ES_CHECK_BUILDER_H
#define ES_CHECK_BUILDER_H

#include "check/target/program.h"

enum { CHECK_RESTS_MAX = 256 }; /* jumps into the middle of procedures that are followed */

typedef struct es_check_builder {
    es_check_program *program;
    const es_check_timing *timing;
    const es_call_site *calls;
    size_t call_count;
    const uint32_t *code_words;
    size_t code_word_count;
    size_t *worklist; /* procedures that are reached, and whose edges are not there yet */
    size_t work;
} es_check_builder;

/* Why the program cannot be followed, with the place; the first one counts. */
void es_check_flaw(es_check_builder *b, uint32_t address, const char *why);
/* CHECK_NONE: none begins there. */
size_t es_check_procedure_starting_at(const es_check_program *program, uint32_t address);
size_t es_check_node_at(const es_check_program *program, const es_check_procedure *procedure, uint32_t address);
/* The instructions of a procedure. */
void es_check_add_nodes(es_check_builder *b, size_t number);

#endif
