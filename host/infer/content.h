/* What was in lost events: values that a transition's condition fixes, or that the trace has shown with it. */
#ifndef ES_INFER_CONTENT_H
#define ES_INFER_CONTENT_H

#include "infer/check.h"

#define ES_INFER_VALUES_MAX 16u /* of a field, that are kept apart */

typedef struct es_infer_content {
    uint32_t field;
    uint32_t count;
    es_infer_value values[ES_INFER_VALUES_MAX]; /* most likely first */
    double probabilities[ES_INFER_VALUES_MAX];
    double other; /* that it is none of these */
    bool fixed;   /* by the condition, or the scenario's key: nothing else is possible */
} es_infer_content;

typedef struct es_infer_contents es_infer_contents;

es_infer_contents *es_infer_contents_new(const es_infer_model *model); /* the model must outlive it */
void es_infer_contents_free(es_infer_contents *contents);              /* NULL is fine */

/* Takes a step (es_infer_check_options.step) into account. */
void es_infer_contents_learn(es_infer_contents *contents, const es_infer_step *step);

/* What is known of a field of an event that took the transition of the scenario with that key. False: nothing. */
bool es_infer_content_of(const es_infer_contents *contents, uint32_t machine, uint32_t transition, es_infer_value key,
                         uint32_t field, es_infer_content *content);

#endif
