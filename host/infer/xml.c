/* State machines of Trace Compass: patterns in XML with `fsm` elements. Conditions are `test` elements that
 * transitions name, assignments `action` elements. The attribute of a scenario that is compared with, or set from,
 * fields of events is its key; other attributes are variables. What has no meaning here (segments, views,
 * attributes outside of the scenario) is left out; a condition on it is not known. */
#include <string.h>

#include "infer/xml.h"

typedef es_infer_xml reader;

static const es_pnml_node *named(const es_pnml_node *parent, const char *element, const char *id)
{
    for (const es_pnml_node *n = es_pnml_child(parent, element); n; n = es_pnml_next(n)) {
        const char *is = es_pnml_attribute_of(n, "id");
        if (is && strcmp(is, id) == 0)
            return n;
    }
    return NULL;
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

static bool add_action(reader *r, const es_pnml_node *action)
{
    for (const es_pnml_node *n = es_pnml_child(action, "stateChange"); n; n = es_pnml_next(n)) {
        const char *attribute = es_infer_xml_attribute(n);
        const es_pnml_node *value = es_pnml_child(n, "stateValue");
        es_infer_operand variable, from;
        bool meant;
        if (!attribute || !value)
            continue;
        if (!es_infer_xml_operand(r, value, &from, &meant))
            return false;
        if (r->key && strcmp(attribute, r->key) == 0 && from.source == ES_INFER_FIELD) {
            r->key_field = r->key_field == ES_INFER_NONE ? from.index : r->key_field;
            continue;
        }
        if (!meant)
            continue;
        if (!es_infer_xml_variable(r, n, attribute, &variable))
            return false;
        if (r->update_count < ES_INFER_VARIABLES_MAX)
            r->updates[r->update_count++] = (es_infer_update){variable.index, from};
    }
    return true;
}

/* What stands for the transition's conditions in each event that it takes. */
typedef struct prepared {
    const es_pnml_node *node;
    uint32_t from, to, key_field, test_count, update_count;
    es_infer_test tests[ES_INFER_TESTS_MAX];
    const es_infer_update *updates;
} prepared;

/* An event that no precondition lets through is not the machine's. Where several do, each with a condition, the event
 * would need one of them to hold. */
static bool add_preconditions(reader *r, const char *event, bool *passes)
{
    const es_pnml_node *with = NULL;
    *passes = !es_pnml_child(r->fsm, "precondition");
    for (const es_pnml_node *n = es_pnml_child(r->fsm, "precondition"); n; n = es_pnml_next(n)) {
        if (!es_infer_xml_names(es_pnml_attribute_of(n, "event"), event))
            continue;
        *passes = true;
        if (!es_pnml_attribute_of(n, "cond"))
            return true;
        if (with)
            return es_pnml_fail(&r->tree, n, r->err,
                                "more than one <precondition> with a condition is for the event '%s': make them one",
                                event);
        with = n;
    }
    return !with || each_name(r, with, "cond", "test", es_infer_xml_test);
}

/* May the fsm have several scenarios at a time? With one state it does not matter. */
static bool may_be_several(const reader *r)
{
    const char *multiple = es_pnml_attribute_of(r->fsm, "multiple");
    return r->machine->state_count > 1 && (!multiple || strcmp(multiple, "false") != 0);
}

static bool add_event(reader *r, const prepared *p, uint32_t event)
{
    bool passes;
    memcpy(r->tests, p->tests, p->test_count * sizeof *r->tests);
    r->test_count = p->test_count;
    r->key_field = p->key_field;
    if (!add_preconditions(r, es_infer_event_name(&r->model->words, event), &passes))
        return false;
    if (!passes)
        return true;
    if (r->key_field == ES_INFER_NONE && may_be_several(r))
        return es_pnml_fail(
            &r->tree, p->node, r->err,
            "which scenario is the event for? No <test> compares an attribute of the scenario with a field "
            "of it, and no <action> sets %s%s%s: if there is one at a time only, its <fsm> says "
            "multiple=\"false\"",
            r->key ? "'" : "one by which they are told apart", r->key ? r->key : "", r->key ? "'" : "");
    es_infer_test *tests = es_arena_alloc(r->model->arena, (r->test_count + 1) * sizeof *tests);
    memcpy(tests, r->tests, r->test_count * sizeof *tests);
    bool only_key = r->test_count == 1 && tests[0].op == ES_INFER_EQ && tests[0].left.source == ES_INFER_CONSTANT;
    uint32_t role = es_infer_role_of(r->model, r->machine, event, r->key_field);
    es_infer_transition made = {.from = (uint16_t)p->from,
                                .to = (uint16_t)p->to,
                                .role = (uint16_t)role,
                                .tests = tests,
                                .updates = p->updates,
                                .test_count = only_key ? 0 : r->test_count,
                                .update_count = p->update_count,
                                .line = p->node->line};
    return (role != ES_INFER_NONE && es_infer_transition_add(r->model, r->machine, &made)) ||
           es_pnml_fail(&r->tree, p->node, r->err, "there are too many events or transitions");
}

/* Events that are named, and those that the trace has of a name with `*`, or of none, which stands for all. */
static bool add_events(reader *r, const prepared *p, const char *names)
{
    for (const char *at = names; at && *at; at += strcspn(at, "|"), at += *at == '|') {
        size_t length = strcspn(at, "|");
        if (!memchr(at, '*', length) && es_infer_event_number(&r->model->words, at, length, true) == ES_INFER_NONE)
            return es_pnml_fail(&r->tree, p->node, r->err, "there are too many events");
    }
    for (uint32_t event = 0; event < es_infer_event_count(&r->model->words); event++)
        if (es_infer_xml_names(names, es_infer_event_name(&r->model->words, event)) && !add_event(r, p, event))
            return false;
    return true;
}

static bool add_transition(reader *r, const es_pnml_node *node, uint32_t from)
{
    const char *target = es_pnml_attribute_of(node, "target");
    if (!target)
        return es_pnml_fail(&r->tree, node, r->err, "a <transition> has a target");
    if (named(r->fsm, "final", target)) /* where a scenario ends, the key's next one begins */
        target = r->initial;
    uint32_t to = es_infer_state(r->model, r->machine, target, false);
    if (to == ES_INFER_NONE)
        return es_pnml_fail(&r->tree, node, r->err, "there is no <state> or <final> '%s'", target);
    r->test_count = r->update_count = 0;
    r->key_field = ES_INFER_NONE;
    if (!each_name(r, node, "cond", "test", es_infer_xml_test) || !each_name(r, node, "action", "action", add_action))
        return false;
    es_infer_update *updates = es_arena_alloc(r->model->arena, (r->update_count + 1) * sizeof *updates);
    memcpy(updates, r->updates, r->update_count * sizeof *updates);
    prepared p = {node, from, to, r->key_field, r->test_count, r->update_count, {{0}}, updates};
    memcpy(p.tests, r->tests, r->test_count * sizeof *p.tests);
    return add_events(r, &p, es_pnml_attribute_of(node, "event"));
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
    const es_pnml_node *first_transition = element ? es_pnml_child(element, "transition") : NULL;
    if (es_pnml_attribute_of(first_transition, "cond") || es_pnml_attribute_of(first_transition, "event"))
        return es_pnml_fail(&r->tree, first_transition, r->err,
                            "an <initial> that waits for an event or a condition is an <initialState>");
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
        return es_pnml_fail(&r->tree, fsm, r->err, "the fsm has no transitions, or the trace none of their events");
    es_infer_machine_finish(r->model, r->machine);
    return true;
}

static bool add_patterns(reader *r, const es_pnml_node *parent)
{
    for (r->pattern = es_pnml_child(parent, "pattern"); r->pattern; r->pattern = es_pnml_next(r->pattern)) {
        r->handler = es_pnml_child(r->pattern, "patternHandler");
        r->key = es_infer_xml_key(r->handler);
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
