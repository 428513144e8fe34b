#include "cli/infer/picture_stretch.h"
#include "cli/infer/private.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 1000
#define HEAD 22
#define LANE 22 /* height of the states */
#define ROW 48  /* of an alternative */
#define LETTER 6

typedef struct drawing {
    es_text_buffer *out;
    const es_infer_model *model;
    const es_infer_contents *contents;
    const es_infer_result *r;
    int64_t begin, end; /* ns at the edges */
} drawing;

static int64_t x_of(const drawing *d, int64_t time)
{
    if (time <= d->begin)
        return ES_INFER_PICTURE_LEFT;
    if (time >= d->end)
        return ES_INFER_PICTURE_LEFT + WIDTH;
    return ES_INFER_PICTURE_LEFT + (int64_t)(((__int128)time - d->begin) * WIDTH / ((__int128)d->end - d->begin));
}

static void put_value(es_text_buffer *out, const es_infer_model *model, es_infer_value value)
{
    if (es_infer_is_text(value))
        es_text_xml_string(out, es_infer_value_text(&model->words, value));
    else
        es_text_int(out, value);
}

/* A state from one time to the next; `certain`: what is on both sides was observed. */
static void put_state(const drawing *d, uint16_t state, int64_t from, int64_t to, bool certain, int64_t y)
{
    int64_t left = x_of(d, from), right = x_of(d, to);
    const char *name = d->r->machine->states[state];
    es_text_format(d->out,
                   "<rect class=\"%s\" x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64 "\" height=\"%d\"><title>",
                   certain ? "certain" : "maybe", left, y, right > left ? right - left : 1, LANE);
    es_text_xml_string(d->out, name);
    es_text_format(d->out, certain ? "</title></rect>" : ", inferred</title></rect>");
    if ((int64_t)strlen(name) * LETTER + 6 < right - left) {
        es_text_format(d->out, "<text class=\"state name\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">", (left + right) / 2,
                       y + 15);
        es_text_xml_string(d->out, name);
        es_text_format(d->out, "</text>");
    }
}

/* What is known of an inferred event's fields, for whoever points at it. */
static void put_contents(const drawing *d, const es_infer_passed *p)
{
    for (uint32_t field = 0; field < es_infer_field_count(&d->model->words); field++) {
        es_infer_content c;
        if (!es_infer_content_of(d->contents, d->r->machine_number, p->transition, d->r->key, field, &c))
            continue;
        es_text_format(d->out, "\n");
        es_text_xml_string(d->out, es_infer_field_name(&d->model->words, field));
        es_text_format(d->out, c.fixed && c.count == 1 ? " = " : " most likely ");
        for (uint32_t i = 0; i < c.count && i < 4; i++) {
            es_text_format(d->out, i ? ", " : "");
            put_value(d->out, d->model, c.values[i]);
            if (c.count > 1 || !c.fixed)
                es_text_format(d->out, " (%.2f)", c.probabilities[i]);
        }
    }
}

static void put_event(const drawing *d, const es_infer_passed *p, bool odd, int64_t y, int64_t *free_from)
{
    const es_infer_transition *t = &d->r->machine->transitions[p->transition];
    const char *name = es_infer_event_name(&d->model->words, d->r->machine->roles[t->role].event);
    int64_t x = x_of(d, p->time), middle = y + LANE + 7, half = (int64_t)strlen(name) * LETTER / 2;
    if (p->lost)
        es_text_format(d->out,
                       "<path class=\"span\" d=\"M%" PRId64 " %" PRId64 "v6m0 -3H%" PRId64
                       "m0 -3v6\"/><path class=\"lost\" d=\"M%" PRId64 " %" PRId64 "l5 5l-5 5l-5 -5z\"><title>",
                       x_of(d, p->low), middle - 3, x_of(d, p->high), x, middle - 5);
    else
        es_text_format(d->out, "<circle class=\"%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"4.5\"><title>",
                       odd ? "odd" : "seen", x, middle);
    es_text_xml_string(d->out, name);
    es_text_format(d->out, "\n");
    es_infer_add_time(d->out, p->time);
    es_text_format(d->out, p->lost ? "\ninferred" : odd ? "\nobserved; it did not fit" : "\nobserved");
    if (p->lost)
        put_contents(d, p);
    es_text_format(d->out, p->lost ? "</title></path>" : "</title></circle>");
    if (x - half > *free_from) { /* where there is room for the name */
        es_text_format(d->out, "<text class=\"name\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">%s", x, middle + 15,
                       p->lost ? "~" : "");
        es_text_xml_string(d->out, name);
        es_text_format(d->out, "</text>");
        *free_from = x + half + LETTER;
    }
    es_text_format(d->out, "\n");
}

static void put_alternative(const drawing *d, const es_infer_alternative *a, int64_t y)
{
    if (a->probability >= 0) {
        int64_t share = (int64_t)(a->probability * 60 + 0.5);
        es_text_format(d->out,
                       "<rect class=\"rest\" x=\"14\" y=\"%" PRId64
                       "\" width=\"60\" height=\"8\"/><rect class=\"share\" "
                       "x=\"14\" y=\"%" PRId64 "\" width=\"%" PRId64 "\" height=\"8\"/><text x=\"%d\" y=\"%" PRId64
                       "\" class=\"track\">%.3f</text>",
                       y + 7, y + 7, share, ES_INFER_PICTURE_LEFT - 8, y + 15, a->probability);
    } else {
        es_text_format(d->out, "<text x=\"%d\" y=\"%" PRId64 "\" class=\"track\">paper</text>",
                       ES_INFER_PICTURE_LEFT - 8, y + 15);
    }
    int64_t since = d->begin, free_from = INT64_MIN;
    uint16_t state = d->r->from;
    bool inferred = false; /* what began the state was */
    for (uint32_t i = 0; i < a->count; i++) {
        const es_infer_passed *p = &a->passed[i];
        put_state(d, state, since, p->time, !inferred && !p->lost, y);
        since = p->time;
        state = d->r->machine->transitions[p->transition].to;
        inferred = p->lost;
    }
    put_state(d, state, since, d->end, !inferred, y);
    for (uint32_t i = 0; i < a->count; i++) {
        const es_infer_passed *p = &a->passed[i];
        put_event(d, p, !d->r->told && !p->lost && i && a->passed[i - 1].lost, y, &free_from);
    }
}

static void put_head(const drawing *d, int64_t y)
{
    const es_infer_result *r = d->r;
    es_text_format(d->out, "<text class=\"head\" x=\"14\" y=\"%" PRId64 "\">", y);
    es_text_xml_string(d->out, r->machine->name);
    if (r->machine->roles[r->machine->transitions[0].role].key != ES_INFER_NONE) {
        es_text_format(d->out, " ");
        put_value(d->out, d->model, r->key);
    }
    es_text_format(d->out, r->from_certain ? ": " : ": ~");
    es_text_xml_string(d->out, r->machine->states[r->from]);
    es_text_format(d->out, r->to_certain ? " \xE2\x86\x92 " : " \xE2\x86\x92 ~");
    es_text_xml_string(d->out, r->machine->states[r->to]);
    es_text_format(d->out, ", <tspan fill=\"%s\">%s</tspan><tspan class=\"axis\">  ", r->told ? "#b36b00" : "#d32f2f",
                   r->told ? "uncertain after a loss" : "inconsistent");
    es_infer_add_time(d->out, r->begin);
    es_text_format(d->out, " to ");
    es_infer_add_time(d->out, r->end);
    es_text_format(d->out, "%s</tspan></text>\n",
                   r->too_long             ? ": more may be lost than can be inferred"
                   : !r->alternative_count ? ": no path of the machine leads there"
                                           : "");
}

int64_t es_infer_picture_stretch(es_text_buffer *out, const es_infer_model *model, const es_infer_contents *contents,
                                 const es_infer_result *r, int64_t y)
{
    int64_t margin = (r->end - r->begin) / 25 + 1; /* so that events at the ends are seen */
    drawing d = {out, model, contents, r, r->begin - margin, r->end + margin};
    put_head(&d, y + 14);
    for (uint32_t i = 0; i < r->alternative_count; i++)
        put_alternative(&d, &r->alternatives[i], y + HEAD + (int64_t)i * ROW);
    return HEAD + (int64_t)r->alternative_count * ROW + 10;
}
