/* Results of earshot infer as text. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/infer/private.h"

void es_infer_add_time(es_text_buffer *out, int64_t ns)
{
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    es_text_format(out, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000, size % 1000000000);
}

static void add_value(es_text_buffer *out, const es_infer_model *model, es_infer_value value)
{
    if (es_infer_is_text(value))
        es_text_format(out, "'%s'", es_infer_value_text(&model->words, value));
    else
        es_text_int(out, value);
}

/* FIELD=VALUE where there is one, FIELD={A 0.7, B 0.2} where there are several. */
static void add_content(es_text_buffer *out, const es_infer_model *model, const es_infer_content *c)
{
    es_text_format(out, " %s=", es_infer_field_name(&model->words, c->field));
    if (c->count == 1 && c->fixed) {
        add_value(out, model, c->values[0]);
        return;
    }
    es_text_format(out, "{");
    for (uint32_t i = 0; i < c->count && i < 4; i++) {
        es_text_format(out, i ? ", " : "");
        add_value(out, model, c->values[i]);
        es_text_format(out, " %.2f", c->probabilities[i]);
    }
    es_text_format(out, c->count > 4 || !c->fixed ? ", ...}" : "}");
}

static void add_passed(es_text_buffer *out, const es_infer_model *model, const es_infer_contents *contents,
                       const es_infer_result *r, const es_infer_passed *p)
{
    const es_infer_transition *t = &r->machine->transitions[p->transition];
    es_text_format(out, p->lost ? "    ~ " : "      ");
    es_infer_add_time(out, p->time);
    es_text_format(out, "  %s  %s -> %s", es_infer_event_name(&model->words, r->machine->roles[t->role].event),
                   r->machine->states[t->from], r->machine->states[t->to]);
    if (p->lost) {
        es_text_format(out, "  [");
        es_infer_add_time(out, p->low);
        es_text_format(out, " .. ");
        es_infer_add_time(out, p->high);
        es_text_format(out, "]");
        for (uint32_t field = 0; field < es_infer_field_count(&model->words); field++) {
            es_infer_content content;
            if (es_infer_content_of(contents, r->machine_number, p->transition, r->key, field, &content))
                add_content(out, model, &content);
        }
    }
    es_text_format(out, "\n");
}

void es_infer_print_text(const es_infer_model *model, const es_infer_contents *contents, const es_infer_result *r)
{
    es_text_buffer out = {0};
    es_infer_add_time(&out, r->begin);
    es_text_format(&out, " .. ");
    es_infer_add_time(&out, r->end);
    es_text_format(&out, "  %s", r->machine->name);
    if (r->machine->roles[r->machine->transitions[0].role].key != ES_INFER_NONE) {
        es_text_format(&out, " ");
        add_value(&out, model, r->key);
    }
    es_text_format(&out, ": %s%s -> %s%s, %s\n", r->from_certain ? "" : "~", r->machine->states[r->from],
                   r->to_certain ? "" : "~", r->machine->states[r->to],
                   r->told ? "uncertain after a loss" : "inconsistent");
    if (r->too_long)
        es_text_format(&out, "  more may be lost than can be inferred\n");
    else if (!r->alternative_count)
        es_text_format(&out, "  no path of the machine leads there\n");
    for (uint32_t i = 0; i < r->alternative_count; i++) {
        const es_infer_alternative *a = &r->alternatives[i];
        if (a->probability >= 0)
            es_text_format(&out, "  %.3f  ", a->probability);
        else
            es_text_format(&out, "  paper  ");
        if (a->lost)
            es_text_format(&out, "%" PRIu32 " lost\n", a->lost);
        else
            es_text_format(&out, "nothing lost\n");
        for (uint32_t k = 0; k < a->count; k++)
            add_passed(&out, model, contents, r, &a->passed[k]);
    }
    if (r->alternative_count && r->other >= 0.0005 && r->alternatives[0].probability >= 0)
        es_text_format(&out, "  %.3f  something else\n", r->other);
    fwrite(out.text, 1, out.length, stdout);
    es_text_free(&out);
}

static void print_totals_json(const es_infer_totals *t, const es_infer_counts *c, bool hidden)
{
    printf("{\"type\":\"summary\",\"events\":%" PRIu64 ",\"steps\":%" PRIu64 ",\"certain\":%" PRIu64
           ",\"uncertain\":%" PRIu64 ",\"inconsistent\":%" PRIu64 ",\"foreign\":%" PRIu64 ",\"scenarios\":%" PRIu64
           ",\"losses_told\":%" PRIu64 ",\"events_told_lost\":%" PRIu64 ",\"hidden\":%s",
           t->events, t->steps, t->verdicts[ES_INFER_CERTAIN], t->verdicts[ES_INFER_UNCERTAIN],
           t->verdicts[ES_INFER_INCONSISTENT], t->verdicts[ES_INFER_FOREIGN], t->scenarios, t->gaps, t->lost,
           hidden ? "true" : "false");
    if (c)
        printf(",\"segments\":%" PRIu64 ",\"inferred\":%" PRIu64 ",\"too_long\":%" PRIu64 ",\"unsolved\":%" PRIu64
               ",\"inferred_events\":%" PRIu64,
               c->segments, c->solved, c->too_long, c->unsolved, c->lost);
    puts("}");
}

void es_infer_summary(es_text_buffer *out, const es_infer_totals *t, const es_infer_counts *c)
{
    es_text_format(
        out, "%" PRIu64 " %s, %" PRIu64 " %s: %" PRIu64 " certain, %" PRIu64 " uncertain, %" PRIu64 " inconsistent",
        t->events, es_plural(t->events, "event", "events"), t->scenarios,
        es_plural(t->scenarios, "scenario", "scenarios"), t->verdicts[ES_INFER_CERTAIN],
        t->verdicts[ES_INFER_UNCERTAIN], t->verdicts[ES_INFER_INCONSISTENT]);
    if (t->verdicts[ES_INFER_FOREIGN])
        es_text_format(out, ", %" PRIu64 " foreign", t->verdicts[ES_INFER_FOREIGN]);
    es_text_format(out, "; the trace tells %" PRIu64 " %s", t->gaps, es_plural(t->gaps, "loss", "losses"));
    if (t->lost)
        es_text_format(out, " of %" PRIu64 " %s", t->lost, es_plural(t->lost, "event", "events"));
    es_text_format(out, "\n");
    if (!c)
        return;
    es_text_format(out, "%" PRIu64 " %s between certain states inferred: most likely %" PRIu64 " %s lost", c->solved,
                   es_plural(c->solved, "stretch", "stretches"), c->lost,
                   es_plural(c->lost, "event was", "events were"));
    if (c->too_long)
        es_text_format(out, "; %" PRIu64 " too long to infer", c->too_long);
    if (c->unsolved)
        es_text_format(out, "; %" PRIu64 " without a certain state after or a path", c->unsolved);
    es_text_format(out, "\n");
}

void es_infer_print_totals(const es_infer_totals *t, const es_infer_counts *c, bool hidden, bool json)
{
    es_text_buffer out = {0};
    if (json) {
        print_totals_json(t, c, hidden);
        return;
    }
    es_infer_summary(&out, t, c);
    fwrite(out.text, 1, out.length, stdout);
    es_text_free(&out);
}
