/* What may stand on the probe's shadow stack when a procedure of the program is the innermost one: how many
 * activations, which of them have something to do when they are left, and NP, the state of all paths that statements
 * name. */
#ifndef ES_CHECK_STACKS_H
#define ES_CHECK_STACKS_H

#include "check/events/checker.h"

/* Before all below; after es_checker_find_depth. */
void es_checker_find_stacks(checker *c);

/* NPs that there may be: in procedure p; before it is called (or a handler comes); at the return of p, which was called
 * by the instruction `call`. Ends with 0; a list of 0 alone: any. Valid until the next call of one of these. */
const uint32_t *es_checker_nodes_in(checker *c, size_t p);
const uint32_t *es_checker_nodes_before(checker *c, size_t p);
const uint32_t *es_checker_nodes_behind(checker *c, const es_check_node *call, size_t p);

/* For es_check_situation.to_do_below, when there are at most `depth` activations and p is the innermost one or has just
 * been called. CHECK_NONE: any procedure. */
uint64_t es_checker_to_do(const checker *c, size_t p, uint32_t depth);

#endif
