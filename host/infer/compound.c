#include "infer/compound.h"

#include <stdio.h>

#include "image/lower/compound_steps.h"
#include "symbols/symbols.h"

#define STATEMENTS_BYTES ((size_t)16 << 20)
#define NS 1000000000u
#define NOW ((uint64_t)1 << 40) /* of an event that is tried; before it, all is long enough */
#define STATES_MAX 256u

/* The statements of a file. */
typedef struct file {
    es_symbols *symbols;
    es_text_buffer text;
    es_program program;
    bool parsed;
} file;

static void close_file(file *f)
{
    if (f->parsed)
        es_program_free(&f->program);
    es_symbols_close(f->symbols);
    es_text_free(&f->text);
}

static bool open_file(file *f, const char *path, const char *program, es_error *err)
{
    f->symbols = es_symbols_open(program, err);
    if (!f->symbols || !es_text_read_file(&f->text, path, STATEMENTS_BYTES, err))
        return false;
    f->parsed = es_program_parse(f->symbols, &(es_text){path, f->text.text ? f->text.text : ""}, 1, &f->program, err);
    return f->parsed;
}

static bool cannot(const es_statement *s, es_error *err, const char *why)
{
    return es_fail(err, ES_USAGE, "%s:%u: %s: %s", s->source.file, s->source.line, s->name, why);
}

/* Two conditions that one event may make true at once would be two events here. */
static bool are_apart(const es_statement *s, const es_condition *a, const es_condition *b)
{
    for (size_t i = 0; i < a->trigger_count; i++)
        for (size_t k = 0; k < b->trigger_count; k++) {
            const es_trigger *one = &a->triggers[i], *other = &b->triggers[k];
            if (one->kind != other->kind)
                continue;
            bool access = one->kind == ES_TRIGGER_WRITE || one->kind == ES_TRIGGER_READ;
            const es_reference *refs = s->references;
            if (access ? refs[one->index].frame == refs[other->index].frame &&
                             refs[one->index].address < refs[other->index].address + refs[other->index].size &&
                             refs[other->index].address < refs[one->index].address + refs[one->index].size
                       : one->kind == ES_TRIGGER_AT || one->procedure == other->procedure)
                return false;
        }
    return true;
}

static bool has_cycles(const es_event_tree *tree)
{
    return tree->kind != ES_EVENT_WHEN &&
           ((tree->within.count && tree->within.cycles) || has_cycles(tree->first) || has_cycles(tree->second));
}

/* Begins a statement's steps, if it can be followed by hits of its parts. */
static bool begin_steps(es_compound_steps *steps, const es_statement *s, es_error *err)
{
    if (has_cycles(s->event))
        return cannot(s, err, "a lifetime in cycles cannot be held against times: write it in us or ms");
    if (!es_compound_steps_begin(steps, s, NS, err))
        return false;
    const compound_event *event = steps->event;
    for (size_t i = 0; i < event->leaf_count; i++)
        for (size_t k = 0; k < i; k++)
            if (!are_apart(s, event->leaves[i], event->leaves[k]))
                return cannot(s, err, "one event may make two of its parts true, which hits do not tell apart");
    if (steps->limited > 1)
        return cannot(s, err, "more than one of its parts have a `within`");
    if (steps->limited && (steps->times > ES_INFER_VARIABLES_MAX || steps->within <= (uint64_t)2 * steps->times))
        return cannot(s, err, "it has too many parts for its `within`, or that is too short");
    return true;
}

/* --- states and transitions ------------------------------------------------------------------------------------- */

typedef struct maker {
    es_infer_model *model;
    es_infer_machine *machine;
    const es_compound_steps *steps;
    const es_statement *statement;
    uint32_t flags[STATES_MAX]; /* by state */
    bool occurred[STATES_MAX];
    uint32_t variables[ES_INFER_VARIABLES_MAX];
    uint32_t count;
    bool too_many;
} maker;

static void name_part(const maker *m, const compound_node *node, es_text_buffer *out)
{
    if (node->kind != ES_EVENT_WHEN) {
        es_text_format(out, "(");
        name_part(m, node->first, out);
        es_text_format(out, node->kind == ES_EVENT_THEN ? " then " : node->kind == ES_EVENT_AND ? " and " : " or ");
        name_part(m, node->second, out);
        es_text_format(out, ")");
        return;
    }
    const char *between = "";
    for (size_t i = 0; i < m->steps->event->leaf_count; i++)
        if (node->leaves & 1u << i) {
            es_text_format(out, "%s%s", between, m->steps->event->leaves[i]->text);
            between = " or ";
        }
}

/* What the flags say has been seen. */
static void name_seen(const maker *m, const compound_node *node, uint32_t flags, es_text_buffer *out)
{
    if (node->kind == ES_EVENT_WHEN)
        return;
    name_seen(m, node->first, flags, out);
    for (uint32_t side = 0; side < 2 && node->kind != ES_EVENT_OR; side++)
        if (flags & node->flag << side && (side == 0 || node->kind == ES_EVENT_AND)) {
            es_text_format(out, out->length ? ", " : "seen ");
            name_part(m, side ? node->second : node->first, out);
        }
    name_seen(m, node->second, flags, out);
}

/* The state's number; one that is new is looked at later. */
static uint32_t state_of(maker *m, uint32_t flags, bool occurred)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->flags[i] == flags && m->occurred[i] == occurred)
            return i;
    if (m->count == STATES_MAX) {
        m->too_many = true;
        return 0;
    }
    es_text_buffer name = {0};
    if (occurred)
        es_text_format(&name, "%s occurs", m->statement->name);
    es_text_buffer seen = {0};
    name_seen(m, m->steps->event->root, flags, &seen);
    if (seen.length || !occurred)
        es_text_format(&name, "%s%s", occurred ? ", " : "", seen.length ? seen.text : "nothing seen");
    uint32_t number = es_infer_state(m->model, m->machine, name.text, true);
    es_text_free(&seen);
    es_text_free(&name);
    m->too_many |= number != m->count;
    m->flags[m->count] = flags;
    m->occurred[m->count] = occurred;
    return m->count++;
}

/* What becomes of a state at an event, with all that was seen as fresh as it can be, but for those times (bits) that
 * are too long ago. */
static bool try_event(const maker *m, uint32_t flags, size_t leaf, uint64_t old, es_compound_state *after)
{
    *after = (es_compound_state){.flags = flags};
    for (uint32_t i = 0; i < m->steps->times; i++)
        after->began[i] = NOW - 1 - i - (old >> i & 1 ? 2 * m->steps->within : 0);
    return es_compound_steps_run(m->steps, after, 1u << leaf, NOW);
}

static bool is_same(const es_compound_state *a, bool a_occurred, const es_compound_state *b, bool b_occurred)
{
    return a->flags == b->flags && a_occurred == b_occurred;
}

/* $began1 = (time), or another's, for those that the event has changed. */
static void add_updates(const maker *m, es_infer_transition *t, const es_compound_state *after, uint64_t old)
{
    es_infer_update *updates = es_arena_alloc(m->model->arena, ES_INFER_VARIABLES_MAX * sizeof *updates);
    for (uint32_t i = 0; m->steps->limited && i < m->steps->times; i++) {
        uint64_t value = after->began[i];
        es_infer_operand from = {.source = ES_INFER_TIME};
        if (value != NOW) {
            from.source = ES_INFER_VARIABLE;
            for (uint32_t k = 0; k < m->steps->times; k++)
                if (value == NOW - 1 - k - (old >> k & 1 ? 2 * m->steps->within : 0))
                    from.index = m->variables[k];
            if (from.index == m->variables[i])
                continue;
        }
        updates[t->update_count++] = (es_infer_update){m->variables[i], from};
    }
    t->updates = updates;
}

/* (time) <= $began1 + within and ..., of the times on which it depends whether what was seen has expired. */
static void add_tests(const maker *m, es_infer_transition *t, uint64_t decide)
{
    es_infer_test *tests = es_arena_alloc(m->model->arena, (size_t)2 * ES_INFER_VARIABLES_MAX * sizeof *tests);
    for (uint32_t i = 0; i < m->steps->times; i++) {
        if (!(decide >> i & 1))
            continue;
        tests[t->test_count] = (es_infer_test){
            ES_INFER_LE,
            {.source = ES_INFER_TIME},
            {.source = ES_INFER_VARIABLE, .index = m->variables[i], .value = (es_infer_value)m->steps->within}};
        if (t->test_count++)
            tests[t->test_count++].op = ES_INFER_AND;
    }
    t->tests = tests;
}

static bool add_transition(maker *m, uint32_t from, uint32_t role, const es_compound_state *after, bool occurred,
                           uint64_t decide, uint64_t old)
{
    es_infer_transition t = {.from = (uint16_t)from, .role = (uint16_t)role};
    t.to = (uint16_t)state_of(m, after->flags, occurred);
    add_tests(m, &t, decide);
    add_updates(m, &t, after, old);
    return !m->too_many && es_infer_transition_add(m->model, m->machine, &t);
}

static bool add_event(maker *m, uint32_t from, size_t leaf, uint32_t role)
{
    es_compound_state fresh, expired, some;
    uint64_t all = m->steps->times < 64 ? ((uint64_t)1 << m->steps->times) - 1 : UINT64_MAX, decide = 0;
    bool occurs = try_event(m, m->flags[from], leaf, 0, &fresh);
    bool late = try_event(m, m->flags[from], leaf, all, &expired);
    for (uint32_t i = 0; m->steps->limited && i < m->steps->times; i++) {
        bool with = try_event(m, m->flags[from], leaf, (uint64_t)1 << i, &some);
        if (!is_same(&some, with, &fresh, occurs))
            decide |= (uint64_t)1 << i;
    }
    return add_transition(m, from, role, &fresh, occurs, decide, 0) &&
           (!decide || add_transition(m, from, role, &expired, late, 0, all));
}

static uint32_t event_of(es_infer_model *model, const es_statement *s, size_t leaf)
{
    es_text_buffer name = {0};
    es_text_format(&name, "%s_%zu", s->name, leaf + 1);
    uint32_t event = es_infer_event_number(&model->words, name.text, name.length, true);
    es_text_free(&name);
    return event;
}

static bool add_states(maker *m, es_error *err)
{
    m->machine = es_infer_machine_add(m->model, m->statement->name);
    if (!m->machine)
        return es_fail(err, ES_USAGE, "at most %u machines", ES_INFER_MACHINES_MAX);
    for (uint32_t i = 0; m->steps->limited && i < m->steps->times; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "began%u", i + 1);
        m->variables[i] = es_infer_variable(m->model, m->machine, name);
    }
    m->machine->initial = state_of(m, 0, false);
    for (uint32_t i = 0; i < m->count; i++)
        for (size_t leaf = 0; leaf < m->steps->event->leaf_count; leaf++) {
            uint32_t event = event_of(m->model, m->statement, leaf);
            uint32_t role =
                event == ES_INFER_NONE ? ES_INFER_NONE : es_infer_role_of(m->model, m->machine, event, ES_INFER_NONE);
            if (role == ES_INFER_NONE || !add_event(m, i, leaf, role))
                return cannot(m->statement, err, "it has too many states, or events");
        }
    es_infer_machine_finish(m->model, m->machine);
    return true;
}

static bool make_machine(es_infer_model *model, const es_statement *s, es_error *err)
{
    es_compound_steps steps = {0};
    maker *m = es_arena_alloc(model->arena, sizeof *m);
    *m = (maker){.model = model, .steps = &steps, .statement = s};
    bool good = begin_steps(&steps, s, err) && add_states(m, err);
    es_compound_steps_end(&steps);
    return good;
}

bool es_infer_compound_add(es_infer_model *model, const char *path, const char *program, es_error *err)
{
    file f = {0};
    bool good = open_file(&f, path, program, err), any = false;
    for (size_t i = 0; good && i < f.program.statement_count; i++) {
        if (!es_compound_is(&f.program.statements[i]))
            continue;
        any = true;
        good = make_machine(model, &f.program.statements[i], err);
    }
    if (good && !any)
        good = es_fail(err, ES_USAGE, "%s: none of its statements has events joined by then, and, or", path);
    close_file(&f);
    return good;
}

bool es_infer_compound_statements(const char *path, const char *program, es_text_buffer *out, es_error *err)
{
    file f = {0};
    bool good = open_file(&f, path, program, err);
    for (size_t i = 0; good && i < f.program.statement_count; i++) {
        const es_statement *s = &f.program.statements[i];
        es_compound_steps steps = {0};
        if (!es_compound_is(s))
            continue;
        good = begin_steps(&steps, s, err);
        for (size_t leaf = 0; good && steps.event && leaf < steps.event->leaf_count; leaf++)
            es_text_format(out, "%s_%zu: when %s { print }\n", s->name, leaf + 1, steps.event->leaves[leaf]->text);
        es_compound_steps_end(&steps);
    }
    if (good && !out->length)
        good = es_fail(err, ES_USAGE, "%s: none of its statements has events joined by then, and, or", path);
    close_file(&f);
    return good;
}
