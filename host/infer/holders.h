/* Who is in states that are exclusive (machine.h): where one scenario certainly is, another one is not. */
#ifndef ES_INFER_HOLDERS_H
#define ES_INFER_HOLDERS_H

#include "infer/check.h"

typedef struct es_infer_holders es_infer_holders;

/* Lives in the arena; NULL: the model has no exclusive states. */
es_infer_holders *es_infer_holders_new(const es_infer_model *model, es_arena *arena);

/* A loss that was told: nothing of what was known of the holders holds on. Where all its events had one value of the
 * field by which states are exclusive, that is so of this value only: what holds by others stays where it is, as long
 * as only events with its own value lead away. */
void es_infer_holders_loss(es_infer_holders *holders, const es_infer_loss *loss);

/* What a step of a scenario shows, before the scenario is moved. It counts after es_infer_holders_event only: of the
 * roles of one event none comes first. */
void es_infer_holders_step(es_infer_holders *holders, const es_infer_step *step, es_infer_scenario *scenario);

/* The value by which a scenario is in the states of an exclusive now, if that is known. */
bool es_infer_holders_value(const es_infer_holders *holders, uint32_t machine, uint32_t exclusive,
                            const es_infer_scenario *scenario, es_infer_value *value);

/* After all steps of an event. Returns how many scenarios must have left their states unseen, because others have come
 * there; they are marked (ousted). */
uint32_t es_infer_holders_event(es_infer_holders *holders, int64_t time);

/* Takes those states out of a set in which the scenario cannot have been when it took the event, because others
 * certainly were there since its own last event or the last loss. Sound only while all losses are told. */
void es_infer_holders_rule_out(const es_infer_holders *holders, uint32_t machine, uint32_t role,
                               const es_infer_scenario *scenario, const es_infer_event *event, es_infer_set *states);

#endif
