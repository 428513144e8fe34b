#include "infer/program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/paths/calls.h"
#include "infer/contexts.h"
#include "record/path.h"
#include "symbols/symbols.h"

#define PATHS_KEPT 4096u /* paths of events that are looked up once */

typedef struct known_path {
    es_infer_value path, calls;
    bool used, known;
} known_path;

struct es_infer_program {
    es_infer_model *model;
    const es_procedure *procedures[ES_INFER_CALLS_MAX + 1];
    uint32_t enter[ES_INFER_CALLS_MAX + 1], leave[ES_INFER_CALLS_MAX + 1]; /* events */
    es_infer_calls calls;
    es_infer_stack *stacks;
    es_infer_context contexts[ES_INFER_STATES_MAX];
    uint32_t context_count, depth, path_field, flags_field, calls_field;
    es_symbols *symbols;
    es_infer_event event; /* with what its path says */
    es_infer_value values[ES_INFER_FIELDS_MAX];
    es_text_buffer name;
    known_path paths[PATHS_KEPT];
};

bool es_infer_is_program(const char *path)
{
    char magic[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool is = fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
    (void)fclose(file);
    return is;
}

/* "enter_" and the procedure's name as a statement may be called. */
static void name_event(es_text_buffer *out, const char *what, const es_procedure *procedure)
{
    es_text_clear(out);
    es_text_format(out, "%s_", what);
    for (const char *at = procedure->name; *at; at++)
        es_text_add(out, isalnum((unsigned char)*at) ? at : "_", 1);
}

static uint32_t event_of(es_infer_program *p, const char *what, const es_procedure *procedure, bool add)
{
    name_event(&p->name, what, procedure);
    return es_infer_event_number(&p->model->words, p->name.text, p->name.length, add);
}

static bool find_procedures(es_infer_program *p, const char *path, es_error *err)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(p->symbols, &all);
    for (size_t i = 0; i < count; i++) {
        uint32_t enter = event_of(p, "enter", all[i], false), leave = event_of(p, "leave", all[i], false);
        if (enter == ES_INFER_NONE)
            continue;
        for (uint32_t k = 1; k <= p->calls.count; k++)
            if (p->enter[k] == enter)
                return es_fail(err, ES_USAGE, "%s: the event %s may be of %s and of %s", path,
                               es_infer_event_name(&p->model->words, enter), p->procedures[k]->name, all[i]->name);
        if (p->calls.count == ES_INFER_CALLS_MAX)
            return es_fail(err, ES_USAGE,
                           "%s: the trace has the calls of more than %u procedures: make it of fewer of them", path,
                           ES_INFER_CALLS_MAX);
        p->calls.count++;
        p->procedures[p->calls.count] = all[i];
        p->enter[p->calls.count] = enter;
        p->leave[p->calls.count] = leave;
    }
    return p->calls.count || es_fail(err, ES_USAGE,
                                     "the trace has no event enter_f, f being a procedure of %s: `earshot infer "
                                     "--statements %s` prints the statements to watch",
                                     path, path);
}

/* --- who calls whom, past those that the trace does not have ---------------------------------------------------- */

typedef struct walk {
    size_t *stack, count;
    bool *seen;
} walk;

static void reach(walk *w, size_t procedure)
{
    if (w->seen[procedure])
        return;
    w->seen[procedure] = true;
    w->stack[w->count++] = procedure;
}

/* The trace's procedures that a call of `from` may lead to, with others between. */
static uint64_t callees_of(const es_infer_program *p, const call_graph *graph, walk *w, size_t from)
{
    uint64_t found = 0;
    memset(w->seen, 0, graph->count * sizeof *w->seen);
    w->count = 0;
    for (size_t i = 0; from < graph->count && i < graph->edge_counts[from]; i++)
        reach(w, graph->edges[from][i].callee);
    for (size_t i = 0; i < graph->count; i++)
        if (graph->procedures[i]->is_interrupt)
            reach(w, i);
    while (w->count) {
        size_t at = w->stack[--w->count];
        uint32_t number = 1;
        while (number <= p->calls.count && p->procedures[number] != graph->procedures[at])
            number++;
        if (number <= p->calls.count) {
            found |= UINT64_C(1) << number;
            continue;
        }
        for (size_t i = 0; i < graph->edge_counts[at]; i++)
            reach(w, graph->edges[at][i].callee);
    }
    return found;
}

static void find_calls(es_infer_program *p, bool tasks)
{
    static const automaton no_paths;
    es_arena *arena = es_arena_new();
    call_graph graph;
    es_calls_make(&graph, p->symbols, arena, &no_paths, tasks);
    walk w = {.stack = es_arena_alloc(arena, (graph.count + 1) * sizeof *w.stack),
              .seen = es_arena_alloc(arena, (graph.count + 1) * sizeof *w.seen)};
    p->calls.callees[0] = callees_of(p, &graph, &w, graph.start);
    for (uint32_t i = 1; i <= p->calls.count; i++)
        p->calls.callees[i] = callees_of(p, &graph, &w, es_calls_index(&graph, p->procedures[i]));
    es_arena_free(arena);
}

/* --- the machine ------------------------------------------------------------------------------------------------ */

static void name_context(es_infer_program *p, const es_infer_context *context, es_text_buffer *out)
{
    es_text_clear(out);
    if (!context->count && !context->cut)
        es_text_format(out, "(none)");
    else if (context->cut)
        es_text_format(out, "...");
    for (uint32_t i = 0; i < context->count; i++)
        es_text_format(out, "%s%s", i || context->cut ? " > " : "", p->procedures[context->calls[i]]->name);
}

static es_infer_value value_of(es_infer_program *p, const es_infer_context *context)
{
    name_context(p, context, &p->name);
    return es_infer_text_value(&p->model->words, p->name.text, p->name.length);
}

/* `calls == 'main > f'` of the context that is active during the event; of returns from one that is cut also that
 * $outside, the stack of where the calls came from, has `to` on it. */
static bool add(es_infer_program *p, es_infer_machine *machine, uint32_t from, uint32_t to, uint32_t role,
                bool is_return)
{
    const es_infer_context *seen = &p->contexts[is_return ? from : to];
    uint32_t outside = es_infer_variable(p->model, machine, "outside");
    es_infer_test *tests = es_arena_alloc(p->model->arena, 3 * sizeof *tests);
    es_infer_update *update = es_arena_alloc(p->model->arena, sizeof *update);
    tests[0] =
        (es_infer_test){ES_INFER_EQ, {.source = ES_INFER_FIELD, .index = p->calls_field}, {.value = value_of(p, seen)}};
    tests[1] =
        (es_infer_test){ES_INFER_EQ, {.source = ES_INFER_TOP, .index = outside, .stacks = p->stacks}, {.value = to}};
    tests[2].op = ES_INFER_AND;
    *update = (es_infer_update){.variable = outside}; /* not cut: nothing is on it */
    if (seen->cut)
        update->from = (es_infer_operand){is_return ? ES_INFER_POPPED : ES_INFER_PUSHED, outside, from, p->stacks};
    return es_infer_transition_add(p->model, machine,
                                   &(es_infer_transition){.from = (uint16_t)from,
                                                          .to = (uint16_t)to,
                                                          .role = (uint16_t)role,
                                                          .tests = tests,
                                                          .test_count = is_return && seen->cut ? 3 : 1,
                                                          .updates = update,
                                                          .update_count = 1});
}

/* The call of `callee` in a context, and all returns from it that may lead back there. */
static bool add_call(es_infer_program *p, es_infer_machine *machine, uint32_t from, uint8_t callee, uint32_t key)
{
    es_infer_context entered = es_infer_context_enter(&p->contexts[from], callee, p->depth);
    uint32_t to = es_infer_context_number(p->contexts, p->context_count, &entered);
    uint32_t enter = es_infer_role_of(p->model, machine, p->enter[callee], key);
    if (!add(p, machine, from, to, enter, false))
        return false;
    if (p->leave[callee] == ES_INFER_NONE)
        return true;
    return add(p, machine, to, from, es_infer_role_of(p->model, machine, p->leave[callee], key), true);
}

static bool make_machine(es_infer_program *p, const char *path, uint32_t key, es_error *err)
{
    es_infer_machine *machine = es_infer_machine_add(p->model, "calls");
    if (!machine)
        return es_fail(err, ES_USAGE, "at most %u machines", ES_INFER_MACHINES_MAX);
    for (uint32_t i = 0; i < p->context_count; i++) {
        name_context(p, &p->contexts[i], &p->name);
        (void)es_infer_state(p->model, machine, p->name.text, true);
    }
    for (uint32_t i = 0; i < p->context_count; i++) {
        const es_infer_context *c = &p->contexts[i];
        for (uint64_t left = p->calls.callees[c->count ? c->calls[c->count - 1] : 0]; left; left &= left - 1)
            if (!add_call(p, machine, i, (uint8_t)__builtin_ctzll(left), key))
                return es_fail(err, ES_USAGE, "%s: more than %u calls and returns between the states", path,
                               ES_INFER_TRANSITIONS_MAX);
    }
    es_infer_machine_finish(p->model, machine);
    return true;
}

static bool prepare(es_infer_program *p, const char *path, const char *key, es_error *err)
{
    es_infer_words *words = &p->model->words;
    uint32_t key_field = key ? es_infer_field_number(words, key, strlen(key), true) : ES_INFER_NONE;
    p->path_field = es_infer_field_number(words, "path", 4, true);
    p->flags_field = es_infer_field_number(words, "flags", 5, true);
    p->calls_field = es_infer_field_number(words, ES_INFER_CALLS_FIELD, strlen(ES_INFER_CALLS_FIELD), true);
    if (p->path_field == ES_INFER_NONE || p->flags_field == ES_INFER_NONE || p->calls_field == ES_INFER_NONE ||
        (key && key_field == ES_INFER_NONE))
        return es_fail(err, ES_USAGE, "machines look at more than %u fields", ES_INFER_FIELDS_MAX);
    p->symbols = es_symbols_open(path, err);
    if (!p->symbols || !find_procedures(p, path, err))
        return false;
    find_calls(p, key != NULL);
    p->context_count = es_infer_contexts_make(&p->calls, p->contexts, ES_INFER_STATES_MAX, &p->depth);
    if (!p->context_count)
        return es_fail(err, ES_USAGE, "%s: even by the innermost call alone there are more than %u states", path,
                       ES_INFER_STATES_MAX);
    return make_machine(p, path, key_field, err);
}

es_infer_program *es_infer_program_add(es_infer_model *model, const char *path, const char *key, uint32_t *depth,
                                       es_error *err)
{
    es_infer_program *p = es_malloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->model = model;
    p->stacks = es_infer_stack_new(model->arena);
    if (!prepare(p, path, key, err)) {
        es_infer_program_free(p);
        return NULL;
    }
    *depth = 0;
    for (uint32_t i = 0; i < p->context_count; i++)
        if (p->contexts[i].cut)
            *depth = p->depth;
    return p;
}

void es_infer_program_free(es_infer_program *p)
{
    if (!p)
        return;
    es_symbols_close(p->symbols);
    es_text_free(&p->name);
    free(p);
}

const char *es_infer_program_endless(const es_infer_program *p, uint32_t number)
{
    bool any = false;
    for (uint32_t i = 1; i <= p->calls.count; i++)
        any |= p->leave[i] != ES_INFER_NONE;
    for (uint32_t i = 1; any && i <= p->calls.count; i++)
        if (p->leave[i] == ES_INFER_NONE && number-- == 0)
            return p->procedures[i]->name;
    return NULL;
}

const char *es_infer_program_stranger(const es_infer_program *p, uint32_t number)
{
    uint32_t count = es_infer_event_count(&p->model->words);
    for (uint32_t event = 0; event < count; event++) {
        const char *name = es_infer_event_name(&p->model->words, event);
        bool known = strncmp(name, "enter_", 6) != 0;
        for (uint32_t i = 1; i <= p->calls.count; i++)
            known |= p->enter[i] == event;
        if (!known && number-- == 0)
            return name;
    }
    return NULL;
}

/* --- events ----------------------------------------------------------------------------------------------------- */

static const char *text_of(const es_infer_program *p, const es_infer_event *event, uint32_t field)
{
    bool is = (event->present >> field & 1) && es_infer_is_text(event->values[field]);
    return is ? es_infer_value_text(&p->model->words, event->values[field]) : "";
}

/* A path with a gap in it, or of a hit that may have been none, says nothing. */
static bool is_path_good(const es_infer_program *p, const es_infer_event *event)
{
    static const char *const bad[] = {"path_cut", "path_unknown", "uncertain"};
    const char *flags = text_of(p, event, p->flags_field);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (strstr(flags, bad[i]))
            return false;
    return *text_of(p, event, p->path_field);
}

bool es_infer_program_doubts(const es_infer_program *p, const es_infer_event *event)
{
    const char *flags = text_of(p, event, p->flags_field);
    return strstr(flags, "path_unknown") || strstr(flags, "uncertain");
}

/* The state that a path leads to; false: it is none of them, or not known. */
static bool calls_of(es_infer_program *p, es_infer_value path, es_infer_value *calls)
{
    es_infer_context context = {.count = 0};
    es_path_part part;
    es_text_buffer name = {0};
    const char *at = es_infer_value_text(&p->model->words, path);
    bool good = *at && strcmp(at, "?") != 0 && strcmp(at, "-") != 0;
    while (good && es_path_next(&at, &name, &part)) {
        uint32_t i = 1;
        while (i <= p->calls.count && (!part.name || strcmp(p->procedures[i]->name, part.name) != 0))
            i++;
        if (i <= p->calls.count)
            context = es_infer_context_enter(&context, (uint8_t)i, p->depth);
    }
    es_text_free(&name);
    if (!good || es_infer_context_number(p->contexts, p->context_count, &context) == p->context_count)
        return false;
    *calls = value_of(p, &context);
    return true;
}

const es_infer_event *es_infer_program_see(es_infer_program *p, const es_infer_event *event)
{
    if (!is_path_good(p, event))
        return event;
    es_infer_value path = event->values[p->path_field];
    known_path *known = &p->paths[((uint64_t)path * UINT64_C(0x9E3779B97F4A7C15) >> 32) % PATHS_KEPT];
    if (!known->used || known->path != path) {
        *known = (known_path){.path = path, .used = true};
        known->known = calls_of(p, path, &known->calls);
    }
    if (!known->known)
        return event;
    for (uint64_t left = event->present; left; left &= left - 1)
        p->values[__builtin_ctzll(left)] = event->values[__builtin_ctzll(left)];
    p->event = *event;
    p->event.values = p->values;
    p->values[p->calls_field] = known->calls;
    p->event.present |= UINT64_C(1) << p->calls_field;
    return &p->event;
}

/* --- statements ------------------------------------------------------------------------------------------------- */

bool es_infer_program_statements(const char *path, es_text_buffer *out, es_error *err)
{
    es_symbols *symbols = es_symbols_open(path, err);
    const es_procedure *const *all;
    es_text_buffer name = {0};
    if (!symbols)
        return false;
    size_t count = es_symbols_procedures(symbols, &all);
    for (size_t i = 0; i < count; i++) {
        if (!all[i]->has_debug || all[i]->low == all[i]->high || es_symbols_procedure_in_library(symbols, all[i]))
            continue;
        name_event(&name, "enter", all[i]);
        es_text_format(out, "%s: when enter(%s) { print }\n", name.text, all[i]->name);
        name_event(&name, "leave", all[i]);
        es_text_format(out, "%s: when leave(%s) { print }\n", name.text, all[i]->name);
    }
    es_text_free(&name);
    es_symbols_close(symbols);
    return out->length || es_fail(err, ES_USAGE, "%s: no debug information of any procedure: compile it with -g", path);
}
