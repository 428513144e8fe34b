/* Jump tables: of addresses, `jr table[index]`; of distances, `jr base + table[index]`, as compilers make them for code
 * that may lie anywhere (libgcc). */
#ifndef ES_CHECK_TABLE_H
#define ES_CHECK_TABLE_H

#include "check/target/program.h"

/* The places to which the jump at node `from` (jalr without link) leads by a table, in *targets, which are the
 * arena's. 0: it is none, or its length is not seen in the code before it. */
size_t es_check_table_targets(const es_check_program *program, size_t from, uint32_t **targets);

#endif
