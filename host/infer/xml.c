/* State machines of Trace Compass: patterns in XML with `fsm` elements. Conditions are `test` elements that
 * transitions name, assignments `action` elements. The attribute of a scenario that is compared with, or set from,
 * fields of events is its key; other attributes are variables. What has no meaning here (segments, views,
 * attributes outside of the scenario) is left out; a condition on it is not known. */
#include <stdlib.h>
#include <string.h>

#include "infer/machine.h"
#include "net/formats/pnml_tree.h"

typedef struct reader {
    es_infer_model *model;
    es_infer_machine *machine;
    es_arena *arena;
    es_pnml_tree tree;
    const es_pnml_node *handler, *pattern, *fsm;
    const char *key;     /* the attribute that is; NULL: none */
    const char *initial; /* of the fsm: its state */
    es_infer_test tests[ES_INFER_TESTS_MAX];
    es_infer_update updates[ES_INFER_VARIABLES_MAX];
    uint32_t test_count, update_count, key_field;
    bool unknown; /* part of the condition has no meaning here */
    es_error *err;
} reader;

static const es_pnml_node *named(const es_pnml_node *parent, const char *element, const char *id)
{
    for (const es_pnml_node *n = es_pnml_child(parent, element); n; n = es_pnml_next(n)) {
        const char *is = es_pnml_attribute_of(n, "id");
        if (is && strcmp(is, id) == 0)
            return n;
    }
    return NULL;
}

static const char *value_of(const es_pnml_node *node)
{
    const char *value = es_pnml_attribute_of(node, "value");
    return value ? value : "";
}

/* Names like $CPU_OUT stand for what a definedValue says. */
static const char *defined(const reader *r, const char *value)
{
    if (*value != '$')
        return value;
    const es_pnml_node *parents[] = {r->pattern, r->tree.root};
    for (unsigned p = 0; p < 2; p++)
        for (const es_pnml_node *n = es_pnml_child(parents[p], "definedValue"); n; n = es_pnml_next(n)) {
            const char *name = es_pnml_attribute_of(n, "name");
            if (name && strcmp(name, value + 1) == 0)
                return value_of(n);
        }
    return value;
}

/* The attribute of the scenario that a list of stateAttribute elements names, or NULL. */
static const char *scenario_attribute(const es_pnml_node *parent)
{
    const es_pnml_node *first = es_pnml_child(parent, "stateAttribute"), *second = first ? es_pnml_next(first) : NULL;
    if (!second || strcmp(value_of(first), "#CurrentScenario") != 0 || es_pnml_next(second))
        return NULL;
    return value_of(second);
}

static bool field_operand(reader *r, const es_pnml_node *at, const char *name, es_infer_operand *operand)
{
    uint32_t field = es_infer_field_number(&r->model->words, name, strlen(name), true);
    *operand = (es_infer_operand){.source = ES_INFER_FIELD, .index = field};
    return field != ES_INFER_NONE ||
           es_pnml_fail(&r->tree, at, r->err, "there are too many fields: at most %u", ES_INFER_FIELDS_MAX);
}

static bool variable_operand(reader *r, const es_pnml_node *at, const char *name, es_infer_operand *operand)
{
    uint32_t variable = es_infer_variable(r->model, r->machine, name);
    *operand = (es_infer_operand){.source = ES_INFER_VARIABLE, .index = variable};
    return variable != ES_INFER_NONE ||
           es_pnml_fail(&r->tree, at, r->err, "there are too many attributes of the scenario: at most %u",
                        ES_INFER_VARIABLES_MAX);
}

/* A stateValue. *meant: it has a meaning here. */
static bool value_operand(reader *r, const es_pnml_node *node, es_infer_operand *operand, bool *meant)
{
    const char *type = es_pnml_attribute_of(node, "type"), *value = defined(r, value_of(node));
    *operand = (es_infer_operand){0};
    *meant = true;
    if (!type)
        type = "string";
    if (strcmp(type, "eventField") == 0)
        return field_operand(r, node, value, operand);
    const char *attribute = strcmp(type, "query") == 0 ? scenario_attribute(node) : NULL;
    if (attribute)
        return variable_operand(r, node, attribute, operand);
    if (strcmp(type, "long") == 0 || strcmp(type, "int") == 0) {
        char *end;
        long long number = strtoll(value, &end, 0);
        if (end == value || *end)
            return es_pnml_fail(&r->tree, node, r->err, "'%s' is no number", value);
        operand->value = es_infer_number_value(number);
        return true;
    }
    *meant = strcmp(type, "string") == 0;
    operand->value = es_infer_text_value(&r->model->words, value, strlen(value));
    return true;
}

static bool add_test(reader *r, const es_pnml_node *at, es_infer_test test)
{
    if (r->test_count == ES_INFER_TESTS_MAX)
        return es_pnml_fail(&r->tree, at, r->err, "a condition has at most %u parts", ES_INFER_TESTS_MAX);
    r->tests[r->test_count++] = test;
    return true;
}

static enum es_infer_op operator_of(const es_pnml_node *node)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    const char *name = es_pnml_attribute_of(node, "operator");
    for (unsigned i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (enum es_infer_op)i;
    return ES_INFER_EQ;
}

/* A comparison with something that is not known. */
static bool add_unknown(reader *r, const es_pnml_node *at)
{
    es_infer_test test = {.op = ES_INFER_EQ};
    return variable_operand(r, at, "(not known)", &test.left) && add_test(r, at, test);
}

static bool is_key(const reader *r, const es_infer_operand *operand)
{
    return r->key && operand->source == ES_INFER_VARIABLE && strcmp(r->machine->variables[operand->index], r->key) == 0;
}

/* The event's field stands on the left, a constant on the right. */
static void turn(es_infer_test *test)
{
    static const enum es_infer_op turned[] = {ES_INFER_EQ, ES_INFER_NE, ES_INFER_GT,
                                              ES_INFER_GE, ES_INFER_LT, ES_INFER_LE};
    es_infer_operand left = test->left;
    if (left.source != ES_INFER_CONSTANT && (left.source == ES_INFER_FIELD || test->right.source != ES_INFER_FIELD))
        return;
    *test = (es_infer_test){.op = turned[test->op], .left = test->right, .right = left};
}

/* Two values; or a field or an attribute, and a value. */
static bool add_condition(reader *r, const es_pnml_node *node)
{
    const es_pnml_node *field = es_pnml_child(node, "field"), *value = es_pnml_child(node, "stateValue");
    const es_pnml_node *second = value ? es_pnml_next(value) : NULL;
    const char *name = es_pnml_attribute_of(field, "name"), *attribute = scenario_attribute(node);
    es_infer_test test = {.op = operator_of(node)};
    bool meant = value != NULL && (second || name || attribute), also = true;
    if (!meant)
        return add_unknown(r, node);
    if (second ? !value_operand(r, value, &test.left, &meant)
        : name ? !field_operand(r, node, name, &test.left)
               : !variable_operand(r, node, attribute, &test.left))
        return false;
    if (!value_operand(r, second ? second : value, &test.right, &also))
        return false;
    if (!meant || !also)
        return add_unknown(r, node);
    turn(&test);
    const es_infer_operand *other = is_key(r, &test.left) ? &test.right : &test.left;
    if ((is_key(r, &test.left) || is_key(r, &test.right)) && other->source == ES_INFER_FIELD &&
        test.op == ES_INFER_EQ) {
        r->key_field = other->index; /* it is which scenario the event is for */
        return add_test(r, node, (es_infer_test){.op = ES_INFER_EQ});
    }
    return add_test(r, node, test);
}

/* All children of an `if`, an `and`, an `or` or a `not`. */
static bool add_conditions(reader *r, const es_pnml_node *parent, unsigned depth)
{
    enum es_infer_op join = strcmp(parent->name, "or") == 0 ? ES_INFER_OR : ES_INFER_AND;
    uint32_t count = 0;
    for (const es_pnml_node *n = parent->children; n; n = n->next) {
        bool group = strcmp(n->name, "and") == 0 || strcmp(n->name, "or") == 0 || strcmp(n->name, "not") == 0;
        if (!group && strcmp(n->name, "condition") != 0)
            continue;
        if (depth > ES_INFER_TESTS_MAX)
            return es_pnml_fail(&r->tree, n, r->err, "the condition is nested too deep");
        if (!(group ? add_conditions(r, n, depth + 1) : add_condition(r, n)) ||
            (count++ && !add_test(r, n, (es_infer_test){.op = join})))
            return false;
    }
    if (!count)
        return es_pnml_fail(&r->tree, parent, r->err, "<%s> has no condition", parent->name);
    return strcmp(parent->name, "not") != 0 || add_test(r, parent, (es_infer_test){.op = ES_INFER_NOT});
}

/* Calls for each of the names in "a:b". */
static bool each_name(reader *r, const es_pnml_node *transition, const char *attribute, const char *element,
                      bool (*call)(reader *r, const es_pnml_node *at))
{
    const char *names = es_pnml_attribute_of(transition, attribute);
    while (names && *names) {
        size_t length = strcspn(names, ":");
        const char *name = es_arena_copy(r->arena, names, length);
        const es_pnml_node *node = named(r->handler, element, name);
        if (!node && *name != '#' && *name)
            return es_pnml_fail(&r->tree, transition, r->err, "there is no <%s> '%s'", element, name);
        if (node && !call(r, node))
            return false;
        names += length + (names[length] == ':');
    }
    return true;
}

static bool add_test_element(reader *r, const es_pnml_node *test)
{
    const es_pnml_node *condition = es_pnml_child(test, "if");
    bool more = r->test_count > 0;
    if (!condition)
        return es_pnml_fail(&r->tree, test, r->err, "a <test> has an <if>");
    return add_conditions(r, condition, 0) && (!more || add_test(r, test, (es_infer_test){.op = ES_INFER_AND}));
}

static bool add_action(reader *r, const es_pnml_node *action)
{
    for (const es_pnml_node *n = es_pnml_child(action, "stateChange"); n; n = es_pnml_next(n)) {
        const char *attribute = scenario_attribute(n);
        const es_pnml_node *value = es_pnml_child(n, "stateValue");
        es_infer_operand variable, from;
        bool meant;
        if (!attribute || !value)
            continue;
        if (!value_operand(r, value, &from, &meant))
            return false;
        if (r->key && strcmp(attribute, r->key) == 0 && from.source == ES_INFER_FIELD) {
            r->key_field = r->key_field == ES_INFER_NONE ? from.index : r->key_field;
            continue;
        }
        if (!meant)
            continue;
        if (!variable_operand(r, n, attribute, &variable))
            return false;
        if (r->update_count < ES_INFER_VARIABLES_MAX)
            r->updates[r->update_count++] = (es_infer_update){variable.index, from};
    }
    return true;
}

static bool is_field(const es_pnml_node *value)
{
    const char *type = es_pnml_attribute_of(value, "type");
    return type && strcmp(type, "eventField") == 0;
}

/* The scenario's attribute that a condition compares with a field, or NULL. */
static const char *compared_with_field(const es_pnml_node *condition)
{
    const es_pnml_node *value = es_pnml_child(condition, "stateValue"), *second = value ? es_pnml_next(value) : NULL;
    if (second)
        return is_field(second) ? scenario_attribute(value) : is_field(value) ? scenario_attribute(second) : NULL;
    return is_field(value) ? scenario_attribute(condition) : NULL;
}

/* An attribute of the scenario that tests compare with a field of events tells which scenario they are for. */
static const char *find_key(const es_pnml_node *handler)
{
    for (const es_pnml_node *t = es_pnml_child(handler, "test"); t; t = es_pnml_next(t)) {
        const es_pnml_node *list[64] = {es_pnml_child(t, "if")};
        for (unsigned count = 1; count;) {
            const es_pnml_node *n = list[--count];
            if (!n)
                continue;
            const char *key = strcmp(n->name, "condition") == 0 ? compared_with_field(n) : NULL;
            if (key)
                return key;
            for (const es_pnml_node *child = n->children; child && count < 64; child = child->next)
                list[count++] = child;
        }
    }
    return NULL;
}

static bool add_transition(reader *r, const es_pnml_node *node, uint32_t from)
{
    const char *event = es_pnml_attribute_of(node, "event"), *target = es_pnml_attribute_of(node, "target");
    if (!event || !target)
        return es_pnml_fail(&r->tree, node, r->err, "a <transition> has an event and a target");
    if (strchr(event, '*'))
        return es_pnml_fail(&r->tree, node, r->err, "the event '%s' stands for any: name events one by one", event);
    if (named(r->fsm, "final", target)) /* where a scenario ends, the key's next one begins */
        target = r->initial;
    uint32_t to = es_infer_state(r->model, r->machine, target, false);
    if (to == ES_INFER_NONE)
        return es_pnml_fail(&r->tree, node, r->err, "there is no <state> or <final> '%s'", target);
    r->test_count = r->update_count = 0;
    r->key_field = ES_INFER_NONE;
    if (!each_name(r, node, "cond", "test", add_test_element) || !each_name(r, node, "action", "action", add_action))
        return false;
    es_infer_test *tests = es_arena_alloc(r->model->arena, (r->test_count + 1) * sizeof *tests);
    es_infer_update *updates = es_arena_alloc(r->model->arena, (r->update_count + 1) * sizeof *updates);
    memcpy(tests, r->tests, r->test_count * sizeof *tests);
    memcpy(updates, r->updates, r->update_count * sizeof *updates);
    bool only_key = r->test_count == 1 && tests[0].op == ES_INFER_EQ && tests[0].left.source == ES_INFER_CONSTANT;
    while (event) {
        size_t length = strcspn(event, "|");
        uint32_t number = es_infer_event_number(&r->model->words, event, length, true);
        uint32_t role =
            number == ES_INFER_NONE ? ES_INFER_NONE : es_infer_role_of(r->model, r->machine, number, r->key_field);
        es_infer_transition made = {.from = (uint16_t)from,
                                    .to = (uint16_t)to,
                                    .role = (uint16_t)role,
                                    .tests = tests,
                                    .updates = updates,
                                    .test_count = only_key ? 0 : r->test_count,
                                    .update_count = r->update_count,
                                    .line = node->line};
        if (role == ES_INFER_NONE || !es_infer_transition_add(r->model, r->machine, &made))
            return es_pnml_fail(&r->tree, node, r->err, "there are too many events or transitions");
        event = event[length] ? event + length + 1 : NULL;
    }
    return true;
}

static bool add_states(reader *r, const es_pnml_node *fsm, const char *element)
{
    for (const es_pnml_node *n = es_pnml_child(fsm, element); n; n = es_pnml_next(n)) {
        const char *id = es_pnml_attribute_of(n, "id");
        if (!id)
            return es_pnml_fail(&r->tree, n, r->err, "<%s> has no id", element);
        if (es_infer_state(r->model, r->machine, id, true) == ES_INFER_NONE)
            return es_pnml_fail(&r->tree, n, r->err, "there are too many states: at most %u", ES_INFER_STATES_MAX);
    }
    return true;
}

/* Where scenarios begin: a state of its own, or one that is named, or the first. */
static bool find_initial(reader *r)
{
    const es_pnml_node *first = es_pnml_child(r->fsm, "state"), *element = es_pnml_child(r->fsm, "initial");
    r->initial = es_pnml_attribute_of(r->fsm, "initial");
    if (es_pnml_child(r->fsm, "initialState")) {
        r->initial = "initialState";
        return es_infer_state(r->model, r->machine, r->initial, true) != ES_INFER_NONE ||
               es_pnml_fail(&r->tree, r->fsm, r->err, "there are too many states: at most %u", ES_INFER_STATES_MAX);
    }
    if (!r->initial && element)
        r->initial = es_pnml_attribute_of(es_pnml_child(element, "transition"), "target");
    if (!r->initial)
        r->initial = es_pnml_attribute_of(first, "id");
    if (!r->initial)
        return es_pnml_fail(&r->tree, r->fsm, r->err, "the fsm has no states");
    return es_infer_state(r->model, r->machine, r->initial, false) != ES_INFER_NONE ||
           es_pnml_fail(&r->tree, r->fsm, r->err, "there is no <state> '%s'", r->initial);
}

static bool add_transitions(reader *r, const es_pnml_node *state, const char *name)
{
    uint32_t from = es_infer_state(r->model, r->machine, name, false);
    for (const es_pnml_node *t = es_pnml_child(state, "transition"); t; t = es_pnml_next(t))
        if (!add_transition(r, t, from))
            return false;
    return true;
}

static bool add_machine(reader *r, const es_pnml_node *fsm)
{
    const char *id = es_pnml_attribute_of(fsm, "id");
    r->fsm = fsm;
    r->machine = es_infer_machine_add(r->model, id ? id : "fsm");
    if (!r->machine)
        return es_pnml_fail(&r->tree, fsm, r->err, "there are too many machines: at most %u", ES_INFER_MACHINES_MAX);
    if (!add_states(r, fsm, "state") || !find_initial(r) ||
        !add_transitions(r, es_pnml_child(fsm, "initialState"), r->initial))
        return false;
    for (const es_pnml_node *n = es_pnml_child(fsm, "state"); n; n = es_pnml_next(n))
        if (!add_transitions(r, n, es_pnml_attribute_of(n, "id")))
            return false;
    if (!r->machine->transition_count)
        return es_pnml_fail(&r->tree, fsm, r->err, "the fsm has no transitions");
    es_infer_machine_finish(r->model, r->machine);
    return true;
}

static bool add_patterns(reader *r, const es_pnml_node *parent)
{
    for (r->pattern = es_pnml_child(parent, "pattern"); r->pattern; r->pattern = es_pnml_next(r->pattern)) {
        r->handler = es_pnml_child(r->pattern, "patternHandler");
        r->key = find_key(r->handler);
        for (const es_pnml_node *n = es_pnml_child(r->handler, "fsm"); n; n = es_pnml_next(n))
            if (!add_machine(r, n))
                return false;
    }
    return true;
}

bool es_infer_parse_xml(es_infer_model *model, const char *file, const char *text, size_t length, es_error *err)
{
    reader r = {.model = model, .arena = es_arena_new(), .err = err};
    uint32_t before = model->machine_count;
    bool good = es_pnml_parse(file, text, length, r.arena, &r.tree, err);
    good = good && add_patterns(&r, r.tree.root);
    for (const es_pnml_node *n = good ? es_pnml_child(r.tree.root, "callstack") : NULL; good && n; n = es_pnml_next(n))
        good = add_patterns(&r, n);
    if (good && model->machine_count == before)
        good =
            es_pnml_fail(&r.tree, r.tree.root, err, "there is no <pattern> with a <patternHandler> that has an <fsm>");
    es_arena_free(r.arena);
    return good;
}
