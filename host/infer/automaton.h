/* A machine out of a complete stretch of a trace: where a scenario is, is known by its last event; events after
 * which the same ones may come lead to one state. */
#ifndef ES_INFER_AUTOMATON_H
#define ES_INFER_AUTOMATON_H

#include "infer/machine.h"

#define ES_INFER_LEARNED_EVENTS_MAX 512u

typedef struct es_infer_automaton es_infer_automaton;

/* `key`: the field that scenarios have as their key; ES_INFER_NONE: there is one for all. At most so many keys; 0:
 * 4 Mi. */
es_infer_automaton *es_infer_automaton_new(uint32_t key, uint32_t scenarios_max);
void es_infer_automaton_free(es_infer_automaton *automaton); /* NULL is fine */

/* Fails with ES_USAGE when there are too many names of events or keys. */
bool es_infer_automaton_event(es_infer_automaton *automaton, const es_infer_event *event, es_error *err);

/* After a loss, nothing follows anything. */
void es_infer_automaton_gap(es_infer_automaton *automaton);

/* Adds the machine "learned". Fails with ES_USAGE when there were no two events of a key, or there are too many
 * states. */
bool es_infer_automaton_finish(es_infer_automaton *automaton, es_infer_model *model, es_error *err);

#endif
