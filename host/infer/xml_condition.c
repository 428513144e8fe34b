/* Conditions of Trace Compass's XML: `test` elements, and the values in them. */
#include <stdlib.h>
#include <string.h>

#include "infer/xml.h"

const char *es_infer_xml_value(const es_pnml_node *node)
{
    const char *value = es_pnml_attribute_of(node, "value");
    return value ? value : "";
}

/* Names like $CPU_OUT stand for what a definedValue says. */
static const char *defined(const es_infer_xml *r, const char *value)
{
    if (*value != '$')
        return value;
    const es_pnml_node *parents[] = {r->pattern, r->tree.root};
    for (unsigned p = 0; p < 2; p++)
        for (const es_pnml_node *n = es_pnml_child(parents[p], "definedValue"); n; n = es_pnml_next(n)) {
            const char *name = es_pnml_attribute_of(n, "name");
            if (name && strcmp(name, value + 1) == 0)
                return es_infer_xml_value(n);
        }
    return value;
}

const char *es_infer_xml_attribute(const es_pnml_node *parent)
{
    const es_pnml_node *first = es_pnml_child(parent, "stateAttribute"), *second = first ? es_pnml_next(first) : NULL;
    if (!second || strcmp(es_infer_xml_value(first), "#CurrentScenario") != 0 || es_pnml_next(second))
        return NULL;
    return es_infer_xml_value(second);
}

static bool field_operand(es_infer_xml *r, const es_pnml_node *at, const char *name, es_infer_operand *operand)
{
    uint32_t field = es_infer_field_number(&r->model->words, name, strlen(name), true);
    *operand = (es_infer_operand){.source = ES_INFER_FIELD, .index = field};
    return field != ES_INFER_NONE ||
           es_pnml_fail(&r->tree, at, r->err, "there are too many fields: at most %u", ES_INFER_FIELDS_MAX);
}

bool es_infer_xml_variable(es_infer_xml *r, const es_pnml_node *at, const char *name, es_infer_operand *operand)
{
    uint32_t variable = es_infer_variable(r->model, r->machine, name);
    *operand = (es_infer_operand){.source = ES_INFER_VARIABLE, .index = variable};
    return variable != ES_INFER_NONE ||
           es_pnml_fail(&r->tree, at, r->err, "there are too many attributes of the scenario: at most %u",
                        ES_INFER_VARIABLES_MAX);
}

bool es_infer_xml_operand(es_infer_xml *r, const es_pnml_node *node, es_infer_operand *operand, bool *meant)
{
    const char *type = es_pnml_attribute_of(node, "type"), *value = defined(r, es_infer_xml_value(node));
    *operand = (es_infer_operand){0};
    *meant = true;
    if (!type)
        type = "string";
    if (strcmp(type, "eventField") == 0)
        return field_operand(r, node, value, operand);
    const char *attribute = strcmp(type, "query") == 0 ? es_infer_xml_attribute(node) : NULL;
    if (attribute)
        return es_infer_xml_variable(r, node, attribute, operand);
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

static bool add_test(es_infer_xml *r, const es_pnml_node *at, es_infer_test test)
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
static bool add_unknown(es_infer_xml *r, const es_pnml_node *at)
{
    es_infer_test test = {.op = ES_INFER_EQ};
    return es_infer_xml_variable(r, at, "(not known)", &test.left) && add_test(r, at, test);
}

static bool is_key(const es_infer_xml *r, const es_infer_operand *operand)
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
static bool add_condition(es_infer_xml *r, const es_pnml_node *node)
{
    const es_pnml_node *field = es_pnml_child(node, "field"), *value = es_pnml_child(node, "stateValue");
    const es_pnml_node *second = value ? es_pnml_next(value) : NULL;
    const char *name = es_pnml_attribute_of(field, "name"), *attribute = es_infer_xml_attribute(node);
    es_infer_test test = {.op = operator_of(node)};
    bool meant = value != NULL && (second || name || attribute), also = true;
    if (!meant)
        return add_unknown(r, node);
    if (second ? !es_infer_xml_operand(r, value, &test.left, &meant)
        : name ? !field_operand(r, node, name, &test.left)
               : !es_infer_xml_variable(r, node, attribute, &test.left))
        return false;
    if (!es_infer_xml_operand(r, second ? second : value, &test.right, &also))
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
static bool add_conditions(es_infer_xml *r, const es_pnml_node *parent, unsigned depth)
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

bool es_infer_xml_test(es_infer_xml *r, const es_pnml_node *test)
{
    const es_pnml_node *condition = es_pnml_child(test, "if");
    bool more = r->test_count > 0;
    if (!condition)
        return es_pnml_fail(&r->tree, test, r->err, "a <test> has an <if>");
    return add_conditions(r, condition, 0) && (!more || add_test(r, test, (es_infer_test){.op = ES_INFER_AND}));
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
        return is_field(second)  ? es_infer_xml_attribute(value)
               : is_field(value) ? es_infer_xml_attribute(second)
                                 : NULL;
    return is_field(value) ? es_infer_xml_attribute(condition) : NULL;
}

const char *es_infer_xml_key(const es_pnml_node *handler)
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
