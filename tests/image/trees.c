#include "trees.h"

#include <string.h>

#include "base/arena.h"

const es_type tree_int = {.kind = ES_TYPE_INT, .name = "int", .size = 4, .is_signed = true};
const es_type tree_uint = {.kind = ES_TYPE_INT, .name = "unsigned", .size = 4};
const es_type tree_short = {.kind = ES_TYPE_INT, .name = "short", .size = 2, .is_signed = true};
const es_type tree_ushort = {.kind = ES_TYPE_INT, .name = "unsigned short", .size = 2};
const es_type tree_schar = {.kind = ES_TYPE_CHAR, .name = "signed char", .size = 1, .is_signed = true};
const es_type tree_uchar = {.kind = ES_TYPE_CHAR, .name = "unsigned char", .size = 1};

static es_arena *arena(void)
{
    static es_arena *only;
    if (!only)
        only = es_arena_new();
    return only;
}

static es_expr *node(es_expr expr)
{
    es_expr *copy = es_arena_alloc(arena(), sizeof *copy);
    *copy = expr;
    return copy;
}

es_expr *tree_const(uint32_t value)
{
    return node((es_expr){.kind = ES_EXPR_CONST, .value = value, .is_signed = true});
}

es_expr *tree_ref(size_t index)
{
    return node((es_expr){.kind = ES_EXPR_REFERENCE, .index = index, .is_signed = true});
}

es_expr *tree_old(size_t index)
{
    return node((es_expr){.kind = ES_EXPR_OLD, .index = index, .is_signed = true});
}

es_expr *tree_write(size_t index)
{
    return node((es_expr){.kind = ES_EXPR_WRITE, .index = index, .is_signed = true});
}

es_expr *tree_enter(const es_procedure *procedure)
{
    return node((es_expr){.kind = ES_EXPR_ENTER, .procedure = procedure, .is_signed = true});
}

es_expr *tree_leave(const es_procedure *procedure)
{
    return node((es_expr){.kind = ES_EXPR_LEAVE, .procedure = procedure, .is_signed = true});
}

es_expr *tree_unary(enum es_op op, es_expr *lhs)
{
    return node((es_expr){.kind = ES_EXPR_UNARY, .op = op, .lhs = lhs, .is_signed = true});
}

es_expr *tree_binary(enum es_op op, es_expr *lhs, es_expr *rhs)
{
    return node(
        (es_expr){.kind = ES_EXPR_BINARY, .op = op, .lhs = lhs, .rhs = rhs, .is_signed = true, .operand_signed = true});
}

es_reference tree_static(const es_type *type, uint32_t address)
{
    return (es_reference){.text = "x", .type = type, .address = address, .size = (uint8_t)type->size};
}

es_reference tree_through(const es_type *type, size_t base, int32_t offset)
{
    return (es_reference){.text = "p->x",
                          .type = type,
                          .size = (uint8_t)type->size,
                          .address = (uint32_t)offset,
                          .via = true,
                          .base = base};
}

es_reference tree_local(const es_type *type, const es_procedure *frame, int32_t offset)
{
    return (es_reference){
        .text = "local", .type = type, .frame = frame, .address = (uint32_t)offset, .size = (uint8_t)type->size};
}

void tree_action(es_statement *statement, es_action action)
{
    statement->actions = es_arena_grow(arena(), statement->actions, statement->action_count, sizeof action);
    statement->actions[statement->action_count++] = action;
}

es_statement *tree_statement(es_program *program, es_expr *predicate, const es_reference *references, size_t count,
                             int prints)
{
    es_statement *old = program->statement_count ? program->statements : NULL;
    program->statements = es_arena_grow(arena(), old, program->statement_count, sizeof *program->statements);
    es_statement *statement = &program->statements[program->statement_count++];
    *statement = (es_statement){.name = "s",
                                .text = "",
                                .source = {"-e", 1, 1},
                                .predicate = predicate,
                                .reference_count = count,
                                .predicate_count = count};
    statement->references = es_arena_alloc(arena(), (count + 1) * sizeof *references);
    if (count)
        memcpy(statement->references, references, count * sizeof *references);
    if (prints < 0)
        return statement;
    es_action print = {.kind = ES_ACTION_PRINT,
                       .item_count = (size_t)prints,
                       .items = es_arena_alloc(arena(), ((size_t)prints + 1) * sizeof(es_print_item))};
    for (int i = 0; i < prints; i++)
        print.items[i] = (es_print_item){.name = "x", .index = (size_t)i};
    tree_action(statement, print);
    return statement;
}

bool tree_names(const es_expr *expr, size_t reference)
{
    if (!expr)
        return false;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_AGE ||
        expr->kind == ES_EXPR_WRITE)
        return expr->index == reference;
    return tree_names(expr->condition, reference) || tree_names(expr->lhs, reference) ||
           tree_names(expr->rhs, reference);
}

void tree_count(es_statement *statement, es_program *program, size_t counter)
{
    tree_action(statement, (es_action){.kind = ES_ACTION_COUNT, .counter = counter});
    if (counter >= program->counter_count)
        program->counter_count = counter + 1;
}
