/* Lines of the text format of machines. */
#include <stdlib.h>
#include <string.h>

#include "infer/parse.h"

typedef struct line_states {
    uint16_t from[ES_INFER_STATES_MAX];
    uint32_t count;
} line_states;

static bool new_machine(es_infer_parser *p)
{
    const char *at = p->at;
    if (!es_infer_parse_name(p, "the machine's name"))
        return false;
    for (uint32_t i = 0; i < p->model->machine_count; i++)
        if (strcmp(p->model->machines[i].name, p->word) == 0)
            return es_infer_parse_fail(p, at, "there is a machine '%s' already", p->word);
    p->machine = es_infer_machine_add(p->model, p->word);
    return p->machine || es_infer_parse_fail(p, at, "there are too many machines: at most %u", ES_INFER_MACHINES_MAX);
}

static bool new_states(es_infer_parser *p)
{
    do {
        const char *at = p->at;
        if (!es_infer_parse_name(p, "a state's name"))
            return false;
        if (es_infer_state(p->model, p->machine, p->word, false) != ES_INFER_NONE)
            return es_infer_parse_fail(p, at, "there is a state '%s' already", p->word);
        if (es_infer_state(p->model, p->machine, p->word, true) == ES_INFER_NONE)
            return es_infer_parse_fail(p, at, "there are too many states: at most %u", ES_INFER_STATES_MAX);
    } while (!es_infer_parse_end(p));
    return true;
}

static bool known_state(es_infer_parser *p, uint32_t *state)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
    const char *at = p->at;
    if (!es_infer_parse_name(p, "a state"))
        return false;
    *state = es_infer_state(p->model, p->machine, p->word, false);
    return *state != ES_INFER_NONE ||
           es_infer_parse_fail(p, at, "there is no state '%s': name it in a line that begins with 'state'", p->word);
}

/* exclusive STATE ... [by FIELD [of N]] */
static bool new_exclusive(es_infer_parser *p)
{
    es_infer_machine *machine = p->machine;
    es_infer_exclusive new = {.field = ES_INFER_NONE};
    bool by = false;
    if (machine->exclusive_count == ES_INFER_EXCLUSIVES_MAX)
        return es_infer_parse_fail(p, p->at, "there are too many such lines: at most %u", ES_INFER_EXCLUSIVES_MAX);
    do {
        while (*p->at == ' ' || *p->at == '\t')
            p->at++;
        const char *at = p->at;
        uint32_t state;
        if (!known_state(p, &state))
            return false;
        if (es_infer_exclusive_of(machine, state) != ES_INFER_NONE || es_infer_set_has(&new.states, state))
            return es_infer_parse_fail(p, at, "the state '%s' is exclusive already", p->word);
        es_infer_set_add(&new.states, state);
        by = es_infer_parse_take(p, "by");
    } while (!by && !es_infer_parse_end(p));
    if (by) {
        if (!es_infer_parse_name(p, "the field of which each value has one scenario"))
            return false;
        new.field = es_infer_field_number(&p->model->words, p->word, strlen(p->word), true);
        if (new.field == ES_INFER_NONE)
            return es_infer_parse_fail(p, p->at, "there are too many fields: at most %u", ES_INFER_FIELDS_MAX);
    }
    if (es_infer_parse_take(p, "of")) {
        while (*p->at == ' ' || *p->at == '\t')
            p->at++;
        char *end;
        unsigned long count = strtoul(p->at, &end, 10);
        if (*p->at < '1' || *p->at > '9' || count > ES_INFER_VALUES_HELD_MAX)
            return es_infer_parse_fail(p, p->at, "here should be how many values there are: 1 to %u",
                                       ES_INFER_VALUES_HELD_MAX);
        p->at = end;
        new.values = (uint32_t)count;
    }
    machine->exclusives[machine->exclusive_count++] = new;
    return true;
}

static bool parse_sources(es_infer_parser *p, line_states *line)
{
    if (es_infer_parse_take(p, "*")) {
        for (uint32_t s = 0; s < p->machine->state_count; s++)
            line->from[line->count++] = (uint16_t)s;
        return true;
    }
    do {
        uint32_t state;
        if (!known_state(p, &state))
            return false;
        if (line->count == ES_INFER_STATES_MAX)
            return es_infer_parse_fail(p, p->at, "there are too many states here");
        line->from[line->count++] = (uint16_t)state;
    } while (es_infer_parse_take(p, ","));
    return true;
}

static bool parse_role(es_infer_parser *p, uint32_t default_key, uint32_t *role)
{
    if (!es_infer_parse_name(p, "an event's name"))
        return false;
    uint32_t key = default_key;
    uint32_t event = es_infer_event_number(&p->model->words, p->word, strlen(p->word), true);
    if (es_infer_parse_take(p, "[")) {
        key = ES_INFER_NONE;
        if (!es_infer_parse_take(p, "]")) {
            if (!es_infer_parse_name(p, "the field that has the key"))
                return false;
            key = es_infer_field_number(&p->model->words, p->word, strlen(p->word), true);
            if (key == ES_INFER_NONE)
                return es_infer_parse_fail(p, p->at, "there are too many fields: at most %u", ES_INFER_FIELDS_MAX);
            if (!es_infer_parse_take(p, "]"))
                return es_infer_parse_fail(p, p->at, "here should be ']'");
        }
    }
    *role = event == ES_INFER_NONE ? ES_INFER_NONE : es_infer_role_of(p->model, p->machine, event, key);
    return *role != ES_INFER_NONE || es_infer_parse_fail(p, p->at, "there are too many events");
}

static bool add_transitions(es_infer_parser *p, const line_states *line, uint32_t to, uint32_t role, const char *at)
{
    es_arena *arena = p->model->arena;
    es_infer_test *tests = es_arena_alloc(arena, (p->test_count + 1) * sizeof *tests);
    es_infer_update *updates = es_arena_alloc(arena, (p->update_count + 1) * sizeof *updates);
    memcpy(tests, p->tests, p->test_count * sizeof *tests);
    memcpy(updates, p->updates, p->update_count * sizeof *updates);
    for (uint32_t i = 0; i < line->count; i++)
        if (!es_infer_transition_add(p->model, p->machine,
                                     &(es_infer_transition){.from = line->from[i],
                                                            .to = (uint16_t)to,
                                                            .role = (uint16_t)role,
                                                            .tests = tests,
                                                            .test_count = p->test_count,
                                                            .updates = updates,
                                                            .update_count = p->update_count,
                                                            .line = p->line}))
            return es_infer_parse_fail(p, at, "there are too many transitions: at most %u", ES_INFER_TRANSITIONS_MAX);
    return true;
}

static bool parse_transition(es_infer_parser *p, uint32_t key)
{
    const char *at = p->at;
    line_states line = {.count = 0};
    uint32_t to = 0, role = 0;
    p->test_count = p->update_count = 0;
    if (!parse_sources(p, &line))
        return false;
    if (!es_infer_parse_take(p, "->"))
        return es_infer_parse_fail(p, p->at, "here should be '->': FROM -> TO on EVENT");
    if (!known_state(p, &to))
        return false;
    if (!es_infer_parse_take(p, "on"))
        return es_infer_parse_fail(p, p->at, "here should be 'on' and the event");
    return parse_role(p, key, &role) && (!es_infer_parse_take(p, "if") || es_infer_parse_condition(p)) &&
           (!es_infer_parse_take(p, "do") || es_infer_parse_assignments(p)) && add_transitions(p, &line, to, role, at);
}

static bool parse_line(es_infer_parser *p, uint32_t *key)
{
    const char *at = p->at;
    if (es_infer_parse_take(p, "machine")) {
        *key = ES_INFER_NONE;
        return new_machine(p);
    }
    if (!p->machine)
        return es_infer_parse_fail(p, at, "a machine begins with 'machine NAME'");
    if (es_infer_parse_take(p, "state") || es_infer_parse_take(p, "states"))
        return new_states(p);
    if (es_infer_parse_take(p, "exclusive"))
        return new_exclusive(p);
    if (es_infer_parse_take(p, "initial"))
        return known_state(p, &p->machine->initial);
    if (es_infer_parse_take(p, "key")) {
        if (!es_infer_parse_name(p, "the field that has the key"))
            return false;
        *key = es_infer_field_number(&p->model->words, p->word, strlen(p->word), true);
        return *key != ES_INFER_NONE ||
               es_infer_parse_fail(p, at, "there are too many fields: at most %u", ES_INFER_FIELDS_MAX);
    }
    return parse_transition(p, *key);
}

/* Makes the tables of those that were added, each of which must have transitions. */
static bool finish(es_infer_parser *p, uint32_t first)
{
    if (p->model->machine_count == first)
        return es_fail(p->err, ES_USAGE, "%s:%u:1: error: there is no machine: 'machine NAME' begins one", p->file,
                       p->line);
    for (uint32_t i = first; i < p->model->machine_count; i++) {
        if (!p->model->machines[i].transition_count)
            return es_fail(p->err, ES_USAGE, "%s:%u:1: error: machine '%s' has no transitions", p->file, p->line,
                           p->model->machines[i].name);
        es_infer_machine_finish(p->model, &p->model->machines[i]);
    }
    return true;
}

bool es_infer_parse(es_infer_model *model, const char *file, const char *text, size_t length, es_error *err)
{
    char *copy = es_arena_copy(model->arena, text, length); /* ends with a NUL */
    es_infer_parser p = {.model = model, .file = file, .at = copy, .line_start = copy, .line = 1, .err = err};
    uint32_t first = model->machine_count, key = ES_INFER_NONE;
    if (strncmp(p.at, "\xEF\xBB\xBF", 3) == 0)
        p.line_start = p.at += 3;
    for (;;) {
        if (!es_infer_parse_end(&p)) {
            if (!parse_line(&p, &key))
                return false;
            if (!es_infer_parse_end(&p))
                return es_infer_parse_fail(&p, p.at, "the line should end here");
        }
        if (*p.at == 0)
            break;
        p.line_start = ++p.at;
        p.line++;
    }
    return finish(&p, first);
}
