#include "show.h"
#include "required.h"

#include <stdio.h>
#include <string.h>

#include "fake_symbols.h"

static const char *const op_names[] = {
    "-", "~", "!", "+", "-", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "*", "/", "%"};

static void add_expr(es_text_buffer *out, const es_statement *statement, const es_expr *e);

static void add_path(es_text_buffer *out, const es_path *path)
{
    es_text_add(out, "<", 1);
    for (size_t i = 0; i < path->count; i++) {
        const es_step *step = &path->steps[i];
        es_text_format(out, "%s%s", i ? ">" : "", step->kind == ES_STEP_ANY ? "*" : step->procedure->name);
        if (step->kind == ES_STEP_CALL)
            es_text_format(out, "#%x", (unsigned)step->site);
        if (step->kind == ES_STEP_NESTED)
            es_text_format(out, "[%u]", step->nest);
    }
    es_text_add(out, ">", 1);
}

static void add_reference(es_text_buffer *out, const es_statement *statement, const es_reference *r)
{
    if (r->path)
        add_path(out, r->path);
    if (r->via) {
        add_reference(out, statement, &statement->references[r->base]);
        es_text_format(out, "->%d:%u", (int)r->address, r->size);
    } else if (r->frame) {
        es_text_format(out, "%s@%d:%u", r->frame->name, (int)r->address, r->size);
    } else {
        es_text_format(out, "@%x:%u", (unsigned)r->address, r->size);
    }
    for (size_t i = 0; i < r->subscript_count; i++) {
        es_text_add(out, "[", 1);
        add_expr(out, statement, r->subscripts[i].index);
        es_text_format(out, "*%u<%u]", (unsigned)r->subscripts[i].stride, (unsigned)r->subscripts[i].count);
    }
    if (r->bit_size)
        es_text_format(out, ".%u+%u", r->bit_offset, r->bit_size);
    if (r->type && r->type->is_signed)
        es_text_add(out, "s", 1);
}

static void add_time(es_text_buffer *out, es_duration time)
{
    es_text_format(out, "%llu%s", (unsigned long long)time.count, time.cycles ? "cycles" : "ns");
}

static const char *type_letter(enum es_value_type type)
{
    static const char *const letters[] = {"", "q", "f", "d", "t"};
    return letters[type];
}

static void add_constant(es_text_buffer *out, const es_expr *e)
{
    switch (e->type) {
    case ES_VALUE_32: es_text_format(out, e->is_signed ? "%d" : "%uu", (int)e->value); break;
    case ES_VALUE_64: es_text_format(out, e->is_signed ? "%lldq" : "%lluuq", (long long)e->constant.wide); break;
    case ES_VALUE_TIME: add_time(out, e->constant.time); break;
    default: es_text_format(out, "%.17g%s", e->constant.number, type_letter(e->type)); break;
    }
}

static void add_operator(es_text_buffer *out, const es_expr *e)
{
    bool compares = e->kind == ES_EXPR_BINARY && e->op >= ES_OP_EQ && e->op <= ES_OP_GE;
    enum es_value_type type = compares ? e->lhs->type : e->type;
    bool is_signed = compares ? e->operand_signed : e->is_signed;
    es_text_format(out, "(%s%s%s ", op_names[e->op], is_signed || type == ES_VALUE_TIME ? "" : "u", type_letter(type));
}

static void add_event_word(es_text_buffer *out, const es_statement *statement, const es_expr *e)
{
    static const struct {
        enum es_expr_kind kind;
        const char *word;
    } words[] = {{ES_EXPR_OLD, "old:"},
                 {ES_EXPR_WRITE, "write:"},
                 {ES_EXPR_READ, "read:"},
                 {ES_EXPR_AGE, "age:"},
                 {ES_EXPR_REFERENCE, ""}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].kind == e->kind)
            es_text_format(out, "%s", words[i].word);
    if (e->area) {
        es_text_format(out, "%s*%zu", statement->areas[e->area - 1].text, statement->areas[e->area - 1].count);
        return;
    }
    add_reference(out, statement, &statement->references[e->index]);
}

static void add_expr(es_text_buffer *out, const es_statement *statement, const es_expr *e)
{
    switch (e->kind) {
    case ES_EXPR_CONST: add_constant(out, e); break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
    case ES_EXPR_AGE: add_event_word(out, statement, e); break;
    case ES_EXPR_UNCHANGED:
        es_text_format(out, "(unchanged ");
        add_reference(out, statement, &statement->references[e->index]);
        es_text_add(out, " ", 1);
        add_time(out, e->duration);
        es_text_add(out, ")", 1);
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
        es_text_format(out, "%s:%s", e->kind == ES_EXPR_ENTER ? "enter" : "leave", e->path ? "" : e->procedure->name);
        if (e->path)
            add_path(out, e->path);
        break;
    case ES_EXPR_AT:
        es_text_format(out, "at:%s:%u", e->position->file, e->position->line);
        for (size_t i = 0; i < e->position->count; i++)
            es_text_format(out, "%c%x", i ? ',' : '@', (unsigned)e->position->addresses[i]);
        if (e->path)
            add_path(out, e->path);
        break;
    case ES_EXPR_ACTIVE:
        es_text_format(out, "%s:", e->exact ? "exactly" : "in");
        add_path(out, e->path);
        break;
    case ES_EXPR_ELAPSED: es_text_format(out, "elapsed"); break;
    case ES_EXPR_COUNTER: es_text_format(out, "counter:%zu", e->index); break;
    case ES_EXPR_CONVERT:
        es_text_format(out, "(to%s%s ", e->type == ES_VALUE_32 ? "i" : type_letter(e->type), e->is_signed ? "" : "u");
        add_expr(out, statement, e->lhs);
        es_text_add(out, ")", 1);
        break;
    case ES_EXPR_CHOICE:
        es_text_format(out, "(? ");
        add_expr(out, statement, e->condition);
        es_text_add(out, " ", 1);
        add_expr(out, statement, e->lhs);
        es_text_add(out, " ", 1);
        add_expr(out, statement, e->rhs);
        es_text_add(out, ")", 1);
        break;
    case ES_EXPR_UNARY:
    case ES_EXPR_BINARY:
        add_operator(out, e);
        add_expr(out, statement, e->lhs);
        if (e->kind == ES_EXPR_BINARY) {
            es_text_add(out, " ", 1);
            add_expr(out, statement, e->rhs);
        }
        es_text_add(out, ")", 1);
        break;
    }
}

static void add_event(es_text_buffer *out, const es_statement *statement, const es_event_tree *event)
{
    static const char *const words[] = {"", "then", "and", "or"};
    if (event->kind == ES_EVENT_WHEN) {
        es_duration holds = event->condition->holds_for;
        if (holds.count) {
            es_text_format(out, "(for ");
            add_time(out, holds);
            es_text_add(out, " ", 1);
        }
        add_expr(out, statement, event->condition->expr);
        if (holds.count)
            es_text_add(out, ")", 1);
        return;
    }
    es_text_format(out, "(%s ", words[event->kind]);
    add_event(out, statement, event->first);
    es_text_add(out, " ", 1);
    add_event(out, statement, event->second);
    if (event->within.count) {
        es_text_format(out, " within ");
        add_time(out, event->within);
    }
    es_text_add(out, ")", 1);
}

static void add_item(es_text_buffer *out, const es_statement *statement, const es_print_item *item)
{
    es_text_format(out, " %s=", item->name);
    if (item->kind == ES_ITEM_WHICH)
        es_text_format(out, "which:%s", item->name);
    else if (item->kind == ES_ITEM_COUNTER)
        es_text_format(out, "counter:%zu", item->index);
    else if (item->kind == ES_ITEM_ELAPSED)
        es_text_format(out, "elapsed");
    else {
        es_text_format(out, "%s", item->old ? "old:" : item->kind == ES_ITEM_AGE ? "age:" : "");
        add_reference(out, statement, &statement->references[item->index]);
    }
}

static void add_action(es_text_buffer *out, const es_program *program, const es_statement *statement,
                       const es_action *action)
{
    static const char *const words[] = {"print",    "count",   "set",  "decrement", "enable",   "disable",
                                        "snapshot", "trigger", "stop", "halt",      "statistic"};
    es_text_format(out, " | %s", words[action->kind]);
    switch (action->kind) {
    case ES_ACTION_STATISTIC:
        es_text_format(out, " %s", action->statistic->name);
        if (action->statistic->top)
            es_text_format(out, " top %u", action->statistic->top);
        es_text_format(out, " %zd", (ssize_t)action->statistic->value);
        if (action->statistic->by == ES_BY_VALUE)
            es_text_format(out, " %zu", action->statistic->key);
        /* fall through */
    case ES_ACTION_PRINT:
        for (size_t i = 0; i < action->item_count; i++)
            add_item(out, statement, &action->items[i]);
        break;
    case ES_ACTION_COUNT:
    case ES_ACTION_DECREMENT:
    case ES_ACTION_SET:
        es_text_format(out, " %s", program->counters[action->counter]);
        if (action->kind == ES_ACTION_SET)
            es_text_format(out, "=%d", (int)action->value);
        break;
    case ES_ACTION_ENABLE:
    case ES_ACTION_DISABLE: es_text_format(out, " %zu", action->statement); break;
    case ES_ACTION_SNAPSHOT:
        es_text_format(out, " %s=", action->snapshot->name);
        add_reference(out, statement, &action->snapshot->place);
        es_text_format(out, "+%u", (unsigned)action->snapshot->bytes);
        break;
    case ES_ACTION_TRIGGER: es_text_format(out, " %u", action->pin); break;
    case ES_ACTION_STOP:
    case ES_ACTION_HALT: break;
    }
}

void show_statement(es_text_buffer *out, const es_program *program, const es_statement *statement)
{
    static const char *const expects[] = {"", "never ", "eventually ", "within "};
    if (statement->disabled)
        es_text_format(out, "disabled ");
    es_text_format(out, "%s", expects[statement->expect]);
    if (statement->expect == ES_EXPECT_WITHIN) {
        add_time(out, statement->expect_within);
        es_text_add(out, " ", 1);
    }
    add_event(out, statement, statement->event);
    for (size_t a = 0; a < statement->action_count; a++)
        add_action(out, program, statement, &statement->actions[a]);
}

static void add_trigger(es_text_buffer *out, const es_statement *statement, const es_trigger *trigger)
{
    static const char *const words[] = {"write ", "read ", "enter ", "leave ", "at ", "unchanged "};
    es_text_format(out, "%s", words[trigger->kind]);
    if (trigger->kind == ES_TRIGGER_AT)
        es_text_format(out, "%s", trigger->position->text);
    else if (trigger->procedure)
        es_text_format(out, "%s", trigger->path ? trigger->path->text : trigger->procedure->name);
    else
        es_text_format(out, "%s", statement->references[trigger->index].text);
}

void show_last_condition(es_text_buffer *out, const es_statement *statement)
{
    const es_event_tree *event = statement->event;
    while (event->kind != ES_EVENT_WHEN)
        event = event->second;
    for (size_t i = 0; i < event->condition->trigger_count; i++) {
        es_text_format(out, "%s", i ? ", " : "");
        add_trigger(out, statement, &event->condition->triggers[i]);
    }
    for (size_t i = 0; i < event->condition->exists_count; i++)
        es_text_format(out, "%s%s", i ? ", " : " while ", event->condition->exists[i]->text);
}

enum wanted { FIRST, ALL, CONDITION, REQUIRED };

static const char *parse(const char *text, enum wanted wanted, uint64_t features)
{
    static char result[16384];
    es_text_buffer out = {0};
    es_program program;
    es_error err;
    es_text one = {"-e", text};
    if (!es_program_parse(fake_symbols(), &one, 1, &program, &err)) {
        es_text_format(&out, "%s", err.text);
        if (err.code != ES_USAGE)
            es_text_format(&out, " (code %d)", (int)err.code);
    } else {
        if (wanted == CONDITION)
            show_last_condition(&out, &program.statements[0]);
        if (wanted == REQUIRED)
            es_text_format(&out, "%s", required(&program, features, &err) ? "good" : err.text);
        for (size_t i = 0; i < (wanted == ALL ? program.statement_count : wanted == FIRST ? 1 : 0); i++) {
            if (wanted == ALL)
                es_text_format(&out, "%s%s: ", i ? "\n" : "", program.statements[i].name);
            show_statement(&out, &program, &program.statements[i]);
        }
        es_program_free(&program);
    }
    snprintf(result, sizeof result, "%s", out.text ? out.text : "");
    es_text_free(&out);
    return result;
}

const char *show(const char *text)
{
    return parse(text, FIRST, 0);
}

const char *show_all(const char *text)
{
    return parse(text, ALL, 0);
}

const char *show_condition(const char *text)
{
    return parse(text, CONDITION, 0);
}

const char *show_required(const char *text, uint64_t features)
{
    return parse(text, REQUIRED, features);
}
