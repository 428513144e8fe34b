/* Conditions of transitions: do they hold, what do they say. */
#include <string.h>

#include "infer/machine.h"

static bool stack_value(const es_infer_operand *operand, es_infer_value stack, es_infer_value *value)
{
    uint32_t top = 0;
    int64_t rest = 0;
    if (operand->source == ES_INFER_PUSHED)
        return es_infer_stack_push(operand->stacks, stack, (uint32_t)operand->value, value);
    if (!es_infer_stack_pop(operand->stacks, stack, &top, &rest))
        return false;
    *value = operand->source == ES_INFER_TOP ? top : rest;
    return true;
}

/* Of a variable, a stack or the time. */
static bool other_value(const es_infer_operand *operand, const es_infer_event *event, const es_infer_value *variables,
                        uint32_t known, es_infer_value *value)
{
    if (operand->source == ES_INFER_TIME) {
        if (!event)
            return false;
        *value = es_infer_number_value(event->time);
        return true;
    }
    if (!(known >> operand->index & 1))
        return false;
    *value = variables[operand->index];
    return operand->source == ES_INFER_VARIABLE || stack_value(operand, *value, value);
}

static inline bool value_of(const es_infer_operand *operand, const es_infer_event *event,
                            const es_infer_value *variables, uint32_t known, es_infer_value *value)
{
    if (operand->source == ES_INFER_CONSTANT) {
        *value = operand->value;
        return true;
    }
    if (operand->source != ES_INFER_FIELD) {
        if (!other_value(operand, event, variables, known, value))
            return false;
        if (operand->source >= ES_INFER_PUSHED) /* a stack's `value` is no distance */
            return true;
    } else {
        if (!event || !(event->present >> operand->index & 1))
            return false;
        *value = event->values[operand->index];
    }
    if (operand->value && !es_infer_is_text(*value))
        *value = es_infer_number_value((int64_t)((uint64_t)*value + (uint64_t)operand->value));
    return true;
}

static inline bool compare(enum es_infer_op op, es_infer_value left, es_infer_value right)
{
    if (op == ES_INFER_EQ || op == ES_INFER_NE)
        return (left == right) == (op == ES_INFER_EQ);
    if (es_infer_is_text(left) || es_infer_is_text(right))
        return false;
    switch (op) {
    case ES_INFER_LT: return left < right;
    case ES_INFER_LE: return left <= right;
    case ES_INFER_GT: return left > right;
    case ES_INFER_GE: return left >= right;
    default: return false;
    }
}

static inline enum es_infer_truth try_test(const es_infer_test *test, const es_infer_event *event,
                                           const es_infer_value *variables, uint32_t known)
{
    es_infer_value left, right;
    if (!value_of(&test->left, event, variables, known, &left) ||
        !value_of(&test->right, event, variables, known, &right))
        return ES_INFER_UNKNOWN;
    return compare(test->op, left, right) ? ES_INFER_TRUE : ES_INFER_FALSE;
}

static enum es_infer_truth join(enum es_infer_op op, enum es_infer_truth left, enum es_infer_truth right)
{
    enum es_infer_truth decides = op == ES_INFER_AND ? ES_INFER_FALSE : ES_INFER_TRUE;
    if (left == decides || right == decides)
        return decides;
    if (left == ES_INFER_UNKNOWN || right == ES_INFER_UNKNOWN)
        return ES_INFER_UNKNOWN;
    return left;
}

enum es_infer_truth es_infer_holds(const es_infer_transition *transition, const es_infer_event *event,
                                   const es_infer_value *variables, uint32_t known)
{
    if (transition->test_count == 1) /* as most conditions */
        return try_test(transition->tests, event, variables, known);
    enum es_infer_truth stack[ES_INFER_TESTS_MAX + 1];
    stack[0] = ES_INFER_UNKNOWN;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < transition->test_count; i++) {
        const es_infer_test *test = &transition->tests[i];
        if (test->op == ES_INFER_NOT) {
            if (depth > 0 && stack[depth - 1] != ES_INFER_UNKNOWN)
                stack[depth - 1] = stack[depth - 1] == ES_INFER_TRUE ? ES_INFER_FALSE : ES_INFER_TRUE;
        } else if (test->op == ES_INFER_AND || test->op == ES_INFER_OR) {
            if (depth < 2)
                return ES_INFER_UNKNOWN; /* no parser makes such conditions */
            depth--;
            stack[depth - 1] = join(test->op, stack[depth - 1], stack[depth]);
        } else if (depth && stack[depth - 1] == ES_INFER_TRUE && i + 1 < transition->test_count &&
                   test[1].op == ES_INFER_OR) {
            i++; /* true or anything */
        } else {
            stack[depth++] = try_test(test, event, variables, known);
        }
    }
    return depth ? stack[depth - 1] : ES_INFER_TRUE;
}

void es_infer_assign(const es_infer_transition *transition, const es_infer_event *event, es_infer_value *variables,
                     uint32_t *known)
{
    for (uint32_t i = 0; i < transition->update_count; i++) {
        const es_infer_update *update = &transition->updates[i];
        es_infer_value value;
        if (value_of(&update->from, event, variables, *known, &value)) {
            variables[update->variable] = value;
            *known |= 1u << update->variable;
        } else {
            *known &= ~(1u << update->variable);
        }
    }
}

/* --- as text --------------------------------------------------------------------------------------------------- */

/* A name as it stands in the text format: in quotes where it is not a word. */
static void add_name(es_text_buffer *out, const char *name)
{
    bool word = *name &&
                strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.:") == strlen(name) &&
                !(*name >= '0' && *name <= '9');
    static const char *const reserved[] = {"and", "or",      "not",   "if",      "do", "on",
                                           "in",  "machine", "state", "initial", "key"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        word = word && strcmp(name, reserved[i]) != 0;
    if (word) {
        es_text_format(out, "%s", name);
        return;
    }
    es_text_add(out, "\"", 1);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            es_text_add(out, "\\", 1);
        es_text_add(out, *name == '\n' ? " " : name, 1);
    }
    es_text_add(out, "\"", 1);
}

static void add_operand(const es_infer_model *model, const es_infer_machine *machine, const es_infer_operand *operand,
                        es_text_buffer *out)
{
    if (operand->source == ES_INFER_CONSTANT && es_infer_is_text(operand->value)) {
        const char *text = es_infer_value_text(&model->words, operand->value);
        es_text_add(out, "'", 1);
        for (; *text; text++) {
            if (*text == '\'' || *text == '\\')
                es_text_add(out, "\\", 1);
            es_text_add(out, *text == '\n' ? " " : text, 1);
        }
        es_text_add(out, "'", 1);
        return;
    }
    if (operand->source == ES_INFER_CONSTANT) {
        es_text_int(out, operand->value);
        return;
    }
    if (operand->source == ES_INFER_FIELD) {
        add_name(out, es_infer_field_name(&model->words, operand->index));
    } else if (operand->source == ES_INFER_TIME) {
        es_text_format(out, "(time)");
    } else {
        es_text_add(out, "$", 1);
        es_text_format(out, "%s", machine->variables[operand->index]);
    }
    if (operand->source == ES_INFER_TOP || operand->source == ES_INFER_POPPED) {
        es_text_format(out, operand->source == ES_INFER_TOP ? ".top" : ".popped");
        return;
    }
    if (operand->source == ES_INFER_PUSHED) {
        es_text_format(out, ".pushed");
        return;
    }
    if (operand->value)
        es_text_format(
            out, " %c %llu", operand->value < 0 ? '-' : '+',
            (unsigned long long)(operand->value < 0 ? 0 - (uint64_t)operand->value : (uint64_t)operand->value));
}

void es_infer_condition_text(const es_infer_model *model, const es_infer_machine *machine,
                             const es_infer_transition *transition, es_text_buffer *out)
{
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">=", "and", "or", "not"};
    es_text_buffer stack[ES_INFER_TESTS_MAX + 1] = {0};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < transition->test_count; i++) {
        const es_infer_test *test = &transition->tests[i];
        es_text_buffer made = {0};
        if (test->op == ES_INFER_NOT) {
            es_text_format(&made, "not (%s)", stack[--depth].text);
        } else if (test->op == ES_INFER_AND || test->op == ES_INFER_OR) {
            depth--;
            bool last = i + 1 == transition->test_count;
            es_text_format(&made, last ? "%s %s %s" : "(%s %s %s)", stack[depth - 1].text, ops[test->op],
                           stack[depth].text);
            es_text_free(&stack[depth]);
            depth--;
        } else {
            add_operand(model, machine, &test->left, &made);
            es_text_format(&made, " %s ", ops[test->op]);
            add_operand(model, machine, &test->right, &made);
        }
        es_text_free(&stack[depth]);
        stack[depth++] = made;
    }
    if (depth)
        es_text_add(out, stack[depth - 1].text, stack[depth - 1].length);
    for (uint32_t i = 0; i < depth; i++)
        es_text_free(&stack[i]);
}

static void write_transition(const es_infer_model *model, const es_infer_machine *machine, const es_infer_transition *t,
                             es_text_buffer *out)
{
    es_text_format(out, "  ");
    add_name(out, machine->states[t->from]);
    es_text_format(out, " -> ");
    add_name(out, machine->states[t->to]);
    es_text_format(out, " on ");
    add_name(out, es_infer_event_name(&model->words, machine->roles[t->role].event));
    if (machine->roles[t->role].key != ES_INFER_NONE) {
        es_text_format(out, "[");
        add_name(out, es_infer_field_name(&model->words, machine->roles[t->role].key));
        es_text_format(out, "]");
    }
    if (t->test_count) {
        es_text_format(out, " if ");
        es_infer_condition_text(model, machine, t, out);
    }
    for (uint32_t i = 0; i < t->update_count; i++) {
        es_text_format(out, "%s$%s = ", i ? ", " : " do ", machine->variables[t->updates[i].variable]);
        add_operand(model, machine, &t->updates[i].from, out);
    }
    es_text_format(out, "\n");
}

static void write_exclusive(const es_infer_model *model, const es_infer_machine *machine,
                            const es_infer_exclusive *exclusive, es_text_buffer *out)
{
    es_text_format(out, "  exclusive");
    for (uint32_t s = 0; s < machine->state_count; s++)
        if (es_infer_set_has(&exclusive->states, s)) {
            es_text_format(out, " ");
            add_name(out, machine->states[s]);
        }
    if (exclusive->field != ES_INFER_NONE) {
        es_text_format(out, " by ");
        add_name(out, es_infer_field_name(&model->words, exclusive->field));
    }
    if (exclusive->values)
        es_text_format(out, " of %u", exclusive->values);
    es_text_format(out, "\n");
}

void es_infer_write(const es_infer_model *model, es_text_buffer *out)
{
    for (uint32_t m = 0; m < model->machine_count; m++) {
        const es_infer_machine *machine = &model->machines[m];
        es_text_format(out, "machine ");
        add_name(out, machine->name);
        es_text_format(out, "\n  state");
        for (uint32_t s = 0; s < machine->state_count; s++) {
            es_text_format(out, " ");
            add_name(out, machine->states[s]);
        }
        es_text_format(out, "\n");
        if (machine->initial != ES_INFER_NONE) {
            es_text_format(out, "  initial ");
            add_name(out, machine->states[machine->initial]);
            es_text_format(out, "\n");
        }
        for (uint32_t i = 0; i < machine->exclusive_count; i++)
            write_exclusive(model, machine, &machine->exclusives[i], out);
        for (uint32_t i = 0; i < machine->transition_count; i++)
            write_transition(model, machine, &machine->transitions[i], out);
    }
}
