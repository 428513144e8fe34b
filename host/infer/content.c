#include "infer/content.h"

#include <string.h>

/* Values of a field: the most frequent ones, by the rule of Misra and Gries. */
typedef struct tally {
    es_infer_value values[ES_INFER_VALUES_MAX];
    uint64_t counts[ES_INFER_VALUES_MAX], total;
    uint32_t count;
} tally;

struct es_infer_contents {
    const es_infer_model *model;
    es_arena *arena;
    tally ***tallies; /* [machine][transition * fields + field]; NULL: none */
    uint32_t fields;
};

es_infer_contents *es_infer_contents_new(const es_infer_model *model)
{
    es_arena *arena = es_arena_new();
    es_infer_contents *contents = es_arena_alloc(arena, sizeof *contents);
    contents->model = model;
    contents->arena = arena;
    contents->fields = es_infer_field_count(&model->words);
    contents->tallies = es_arena_alloc(arena, (model->machine_count + 1) * sizeof(tally **));
    for (uint32_t m = 0; m < model->machine_count; m++)
        contents->tallies[m] = es_arena_alloc(
            arena, ((size_t)model->machines[m].transition_count * contents->fields + 1) * sizeof(tally *));
    return contents;
}

void es_infer_contents_free(es_infer_contents *contents)
{
    if (!contents)
        return;
    es_arena *arena = contents->arena;
    es_arena_free(arena);
}

static void count_value(tally *t, es_infer_value value)
{
    t->total++;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->values[i] == value) {
            t->counts[i]++;
            return;
        }
    if (t->count < ES_INFER_VALUES_MAX) {
        t->values[t->count] = value;
        t->counts[t->count++] = 1;
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (--t->counts[i]) {
            t->values[kept] = t->values[i];
            t->counts[kept++] = t->counts[i];
        }
    t->count = kept;
}

void es_infer_contents_learn(es_infer_contents *contents, const es_infer_step *step)
{
    if (step->doubt || step->transition == ES_INFER_NO_TRANSITION)
        return;
    tally **tallies = contents->tallies[step->machine_number] + (size_t)step->transition * contents->fields;
    for (uint64_t left = step->event->present; left; left &= left - 1) {
        uint32_t field = (uint32_t)__builtin_ctzll(left);
        if (field == step->machine->roles[step->role].key)
            continue;
        if (!tallies[field])
            tallies[field] = es_arena_alloc(contents->arena, sizeof(tally));
        count_value(tallies[field], step->event->values[field]);
    }
}

/* Is the value possible, when nothing else of the event is known? */
static bool is_possible(const es_infer_transition *t, uint32_t field, es_infer_value value)
{
    es_infer_value values[ES_INFER_FIELDS_MAX];
    values[field] = value;
    es_infer_event event = {.present = UINT64_C(1) << field, .values = values};
    return es_infer_holds(t, &event, NULL, 0) != ES_INFER_FALSE;
}

/* Values that the condition compares the field with, when no other one is possible. */
static uint32_t fixed_values(const es_infer_transition *t, uint32_t field, es_infer_value values[ES_INFER_VALUES_MAX])
{
    uint32_t count = 0;
    es_infer_value other = INT64_C(0x5EED0BADF00D); /* a number that no condition names; moved on where one does */
    bool mentioned = false;
    for (uint32_t i = 0; i < t->test_count; i++) {
        const es_infer_test *test = &t->tests[i];
        if (test->op > ES_INFER_GE || test->left.source != ES_INFER_FIELD || test->left.index != field)
            continue;
        mentioned = true;
        other += test->right.source == ES_INFER_CONSTANT && test->right.value == other;
        if (test->right.source != ES_INFER_CONSTANT || !is_possible(t, field, test->right.value) ||
            count == ES_INFER_VALUES_MAX)
            continue;
        bool have = false;
        for (uint32_t k = 0; k < count; k++)
            have |= values[k] == test->right.value;
        if (!have)
            values[count++] = test->right.value;
    }
    return mentioned && !is_possible(t, field, other) && !is_possible(t, field, -other) ? count : 0;
}

static void sort_by_probability(es_infer_content *c)
{
    for (uint32_t i = 1; i < c->count; i++)
        for (uint32_t k = i; k > 0 && c->probabilities[k] > c->probabilities[k - 1]; k--) {
            double p = c->probabilities[k];
            es_infer_value v = c->values[k];
            c->probabilities[k] = c->probabilities[k - 1];
            c->values[k] = c->values[k - 1];
            c->probabilities[k - 1] = p;
            c->values[k - 1] = v;
        }
}

bool es_infer_content_of(const es_infer_contents *contents, uint32_t machine_number, uint32_t transition,
                         es_infer_value key, uint32_t field, es_infer_content *content)
{
    const es_infer_machine *machine = &contents->model->machines[machine_number];
    const es_infer_transition *t = &machine->transitions[transition];
    const tally *seen = contents->tallies[machine_number][(size_t)transition * contents->fields + field];
    *content = (es_infer_content){.field = field};
    if (machine->roles[t->role].key == field) {
        content->values[content->count++] = key;
        content->probabilities[0] = 1;
        return content->fixed = true;
    }
    content->count = fixed_values(t, field, content->values);
    content->fixed = content->count > 0;
    uint64_t total = seen ? seen->total : 0, told = 0;
    if (content->fixed) { /* each as often as it was seen, and half a time more */
        for (uint32_t i = 0; i < content->count; i++) {
            double count = 0.5;
            for (uint32_t k = 0; seen && k < seen->count; k++)
                count += seen->values[k] == content->values[i] ? (double)seen->counts[k] : 0;
            content->probabilities[i] = count;
            content->other += count;
        }
        for (uint32_t i = 0; i < content->count; i++)
            content->probabilities[i] /= content->other;
        content->other = 0;
    } else if (total) {
        for (uint32_t k = 0; k < seen->count; k++) {
            content->values[k] = seen->values[k];
            content->probabilities[k] = (double)seen->counts[k] / ((double)total + 1);
            told += seen->counts[k];
        }
        content->count = seen->count;
        content->other = 1 - (double)told / ((double)total + 1);
    }
    sort_by_probability(content);
    return content->count > 0 && content->other < 0.5;
}
