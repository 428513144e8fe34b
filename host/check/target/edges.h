/* The graph's edges: what can follow an instruction. */
#ifndef ES_CHECK_EDGES_H
#define ES_CHECK_EDGES_H

#include "check/target/builder.h"

/* The edges of this procedure are wanted. */
void es_check_reach(es_check_builder *b, size_t procedure);
void es_check_add_edge(es_check_builder *b, es_check_edge edge);
/* All of a procedure, from its entry on. */
void es_check_add_edges(es_check_builder *b, size_t number);

#endif
