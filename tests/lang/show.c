#include "show.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "fake_symbols.h"
#include "lang/statement.h"

static const char *const op_names[] = {"-", "~", "!", "+", "-", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};

static void add_reference(es_text_buffer *out, const es_reference *r)
{
    if (r->frame)
        es_text_format(out, "%s@%d:%u", r->frame->name, (int)r->address, r->size);
    else
        es_text_format(out, "@%x:%u", (unsigned)r->address, r->size);
    if (r->bit_size)
        es_text_format(out, ".%u+%u", r->bit_offset, r->bit_size);
    if (r->type->is_signed)
        es_text_add(out, "s", 1);
}

static void add_expr(es_text_buffer *out, const es_statement *statement, const es_expr *e)
{
    switch (e->kind) {
    case ES_EXPR_CONST:
        if (e->is_signed)
            es_text_format(out, "%d", (int)e->value);
        else
            es_text_format(out, "%uu", (unsigned)e->value);
        break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
    case ES_EXPR_WRITE:
        es_text_format(out, "%s", e->kind == ES_EXPR_OLD ? "old:" : e->kind == ES_EXPR_WRITE ? "write:" : "");
        add_reference(out, &statement->references[e->index]);
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
        es_text_format(out, "%s:%s", e->kind == ES_EXPR_ENTER ? "enter" : "leave", e->procedure->name);
        break;
    case ES_EXPR_UNARY:
        es_text_format(out, "(%s%s ", op_names[e->op], e->is_signed ? "" : "u");
        add_expr(out, statement, e->lhs);
        es_text_add(out, ")", 1);
        break;
    case ES_EXPR_BINARY: {
        bool compares = e->op >= ES_OP_EQ && e->op <= ES_OP_GE;
        es_text_format(out, "(%s%s ", op_names[e->op], (compares ? e->operand_signed : e->is_signed) ? "" : "u");
        add_expr(out, statement, e->lhs);
        es_text_add(out, " ", 1);
        add_expr(out, statement, e->rhs);
        es_text_add(out, ")", 1);
        break;
    }
    default:
        break;
    }
}

static void add_statement(es_text_buffer *out, const es_program *program, const es_statement *statement)
{
    add_expr(out, statement, statement->predicate);
    for (size_t a = 0; a < statement->action_count; a++) {
        const es_action *action = &statement->actions[a];
        if (action->kind == ES_ACTION_COUNT) {
            es_text_format(out, " | count %s", program->counters[action->counter]);
            continue;
        }
        es_text_format(out, " | print");
        for (size_t i = 0; i < action->item_count; i++) {
            es_text_format(out, " %s=%s", action->items[i].name, action->items[i].old ? "old:" : "");
            add_reference(out, &statement->references[action->items[i].index]);
        }
    }
}

static const char *parse(const char *text, bool all)
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
        for (size_t i = 0; i < (all ? program.statement_count : 1); i++) {
            if (all)
                es_text_format(&out, "%s%s: ", i ? "\n" : "", program.statements[i].name);
            add_statement(&out, &program, &program.statements[i]);
        }
        es_program_free(&program);
    }
    snprintf(result, sizeof result, "%s", out.text);
    es_text_free(&out);
    return result;
}

const char *show(const char *text)
{
    return parse(text, false);
}

const char *show_all(const char *text)
{
    return parse(text, true);
}
