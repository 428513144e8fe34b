/* Results of earshot infer as JSON Lines. */
#include <stdio.h>

#include "base/json.h"
#include "cli/infer/private.h"

static void add_value(es_json *json, const es_infer_model *model, es_infer_value value)
{
    if (es_infer_is_text(value))
        es_json_string(json, es_infer_value_text(&model->words, value));
    else
        es_json_int(json, value);
}

static double rounded(double p)
{
    return (double)(int64_t)(p * 1e6 + 0.5) / 1e6;
}

static void add_contents(es_json *json, const es_infer_model *model, const es_infer_contents *contents,
                         const es_infer_result *r, const es_infer_passed *p)
{
    es_json_key(json, "fields");
    es_json_begin(json, '{');
    for (uint32_t field = 0; field < es_infer_field_count(&model->words); field++) {
        es_infer_content c;
        if (!es_infer_content_of(contents, r->machine_number, p->transition, r->key, field, &c))
            continue;
        es_json_key(json, es_infer_field_name(&model->words, field));
        es_json_begin(json, '{');
        es_json_put_bool(json, "fixed", c.fixed);
        es_json_key(json, "values");
        es_json_begin(json, '[');
        for (uint32_t i = 0; i < c.count; i++) {
            es_json_begin(json, '[');
            add_value(json, model, c.values[i]);
            es_json_double(json, rounded(c.probabilities[i]));
            es_json_end(json, ']');
        }
        es_json_end(json, ']');
        es_json_end(json, '}');
    }
    es_json_end(json, '}');
}

static void add_passed(es_json *json, const es_infer_model *model, const es_infer_contents *contents,
                       const es_infer_result *r, const es_infer_passed *p)
{
    const es_infer_transition *t = &r->machine->transitions[p->transition];
    es_json_begin(json, '{');
    es_json_put_string(json, "type", p->lost ? "inferred" : "observed");
    es_json_put_string(json, "event", es_infer_event_name(&model->words, r->machine->roles[t->role].event));
    es_json_put_string(json, "from", r->machine->states[t->from]);
    es_json_put_string(json, "to", r->machine->states[t->to]);
    es_json_put_int(json, "time", p->time);
    if (p->lost) {
        es_json_put_int(json, "low", p->low);
        es_json_put_int(json, "high", p->high);
        add_contents(json, model, contents, r, p);
    }
    es_json_end(json, '}');
}

void es_infer_print_json(const es_infer_model *model, const es_infer_contents *contents, const es_infer_result *r)
{
    es_text_buffer out = {0};
    es_json json = {.out = &out};
    es_json_begin(&json, '{');
    es_json_put_string(&json, "type", "stretch");
    es_json_put_string(&json, "machine", r->machine->name);
    es_json_key(&json, "key");
    add_value(&json, model, r->key);
    es_json_put_string(&json, "why", r->told ? "uncertain" : "inconsistent");
    es_json_put_string(&json, "from", r->machine->states[r->from]);
    es_json_put_string(&json, "to", r->machine->states[r->to]);
    es_json_put_bool(&json, "from_certain", r->from_certain);
    es_json_put_bool(&json, "to_certain", r->to_certain);
    es_json_put_int(&json, "begin", r->begin);
    es_json_put_int(&json, "end", r->end);
    es_json_put_bool(&json, "too_long", r->too_long);
    es_json_key(&json, "alternatives");
    es_json_begin(&json, '[');
    for (uint32_t i = 0; i < r->alternative_count; i++) {
        const es_infer_alternative *a = &r->alternatives[i];
        es_json_begin(&json, '{');
        es_json_key(&json, "probability");
        if (a->probability >= 0)
            es_json_double(&json, rounded(a->probability));
        else
            es_json_null(&json);
        es_json_put_int(&json, "lost", a->lost);
        es_json_key(&json, "events");
        es_json_begin(&json, '[');
        for (uint32_t k = 0; k < a->count; k++)
            add_passed(&json, model, contents, r, &a->passed[k]);
        es_json_end(&json, ']');
        es_json_end(&json, '}');
    }
    es_json_end(&json, ']');
    es_json_key(&json, "other");
    es_json_double(&json, rounded(r->other));
    es_json_end(&json, '}');
    es_text_format(&out, "\n");
    fwrite(out.text, 1, out.length, stdout);
    es_text_free(&out);
}
