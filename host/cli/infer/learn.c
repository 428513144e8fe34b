/* earshot infer --learn: a machine out of a complete trace. */
#include <stdio.h>
#include <string.h>

#include "cli/infer/private.h"
#include "infer/automaton.h"

static bool take_event(void *context, const es_infer_event *event, es_error *err)
{
    return es_infer_automaton_event(context, event, err);
}

static bool take_loss(void *context, const es_infer_loss *loss, es_error *err)
{
    (void)loss, (void)err;
    es_infer_automaton_gap(context);
    return true;
}

bool es_infer_learn_machine(const es_infer_request *q, es_error *err)
{
    es_infer_model *model = es_infer_model_new();
    uint32_t key = q->key ? es_infer_field_number(&model->words, q->key, strlen(q->key), true) : ES_INFER_NONE;
    es_infer_automaton *automaton = es_infer_automaton_new(key, q->scenarios_max);
    es_infer_sink sink = {automaton, take_event, take_loss};
    model->words.open = true;
    bool good = es_infer_read(q->trace, &model->words, &sink, err) && es_infer_automaton_finish(automaton, model, err);
    if (good) {
        es_text_buffer out = {0};
        es_infer_write(model, &out);
        fwrite(out.text, 1, out.length, stdout);
        es_text_free(&out);
    }
    es_infer_automaton_free(automaton);
    es_infer_model_free(model);
    return good;
}
