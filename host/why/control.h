/* Which branches decide whether an instruction is executed: control dependence, in the sense of Ferrante, Ottenstein
 * and Warren (1987), over the code of one procedure at a time. */
#ifndef ES_WHY_CONTROL_H
#define ES_WHY_CONTROL_H

#include "symbols/symbols.h"

typedef struct es_why_control es_why_control;

es_why_control *es_why_control_new(const es_symbols *symbols);
void es_why_control_free(es_why_control *control);

/* Addresses of the branches, and jumps through tables, of the same procedure that decide about the instruction:
 * ascending, valid as long as `control`. 0: whenever the procedure runs and comes back, the instruction is executed,
 * or nothing is known of its code (*known false). */
size_t es_why_deciders(es_why_control *control, uint32_t pc, const uint32_t **deciders, bool *known);

#endif
