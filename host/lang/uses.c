/* Which constructs beyond the smallest statements a statement uses, and where first. */
#include <stdlib.h>

#include "lang/parser.h"

typedef struct user {
    es_parser *parser;
    bool *seen; /* by reference */
} user;

static bool before(const es_source *a, const es_source *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static void note(es_parser *parser, enum es_feature feature, es_source source, size_t length, const char *what)
{
    es_statement *statement = parser->statement;
    es_feature_use use = {feature, source, length, what};
    if (!(statement->features >> feature & 1)) {
        es_feature_use *uses = es_arena_grow(parser->arena, (void *)statement->uses, statement->use_count, sizeof use);
        uses[statement->use_count++] = use;
        statement->uses = uses;
        statement->features |= UINT64_C(1) << feature;
        return;
    }
    for (size_t i = 0; i < statement->use_count; i++) {
        es_feature_use *known = (es_feature_use *)&statement->uses[i];
        if (known->feature == feature && before(&source, &known->source))
            *known = use;
    }
}

static void walk(user *u, const es_expr *expr);

static void note_path(user *u, const es_path *path, es_source source, size_t length)
{
    if (!path)
        return;
    note(u->parser, ES_FEATURE_PATH, source, length, NULL);
    for (size_t i = 0; i < path->count; i++)
        if (path->steps[i].kind == ES_STEP_NESTED)
            note(u->parser, ES_FEATURE_NESTED, source, length, NULL);
}

/* The path alone tells where the frame is: every activation on the way is named. */
static bool fixes_frame(const es_path *path)
{
    for (size_t i = 0; path && i < path->count; i++)
        if (path->steps[i].kind != ES_STEP_NAME && path->steps[i].kind != ES_STEP_CALL)
            return false;
    return path != NULL;
}

static void note_place(user *u, const es_reference *r, const struct es_spot *spot)
{
    es_parser *parser = u->parser;
    note_path(u, r->path, spot->source, spot->length);
    if (r->frame && ((r->frame->is_recursive && !fixes_frame(r->path)) || r->frame->is_interrupt))
        note(parser, r->frame->is_interrupt ? ES_FEATURE_INTERRUPT : ES_FEATURE_RECURSIVE, spot->source, spot->length,
             spot->feature_text);
    if (r->frame && !r->via && r->variable && r->variable->life)
        note(parser, ES_FEATURE_LIFE, spot->source, spot->length, NULL);
    if (r->via)
        note(parser, ES_FEATURE_POINTER, spot->source, spot->length, NULL);
    if (r->subscript_count)
        note(parser, ES_FEATURE_INDEX, spot->source, spot->length, NULL);
    if (r->size == 8)
        note(parser, r->bit_size ? ES_FEATURE_MISALIGNED : ES_FEATURE_WIDE, spot->source, spot->length, NULL);
    uint32_t align = r->size > 4 ? 4 : r->size;
    if (align && r->address % align)
        note(parser, ES_FEATURE_MISALIGNED, spot->source, spot->length, NULL);
    for (size_t i = 0; i < r->subscript_count; i++)
        walk(u, r->subscripts[i].index);
}

static void note_reference(user *u, size_t index)
{
    if (u->seen[index])
        return;
    u->seen[index] = true;
    const es_reference *r = &u->parser->statement->references[index];
    note_place(u, r, &u->parser->spots[index]);
    if (r->via)
        note_reference(u, r->base);
}

static void note_members(user *u, const es_expr *expr)
{
    const es_statement *statement = u->parser->statement;
    for (size_t i = 0; i < es_expr_members(statement, expr); i++)
        note_reference(u, es_expr_member(statement, expr, i));
}

static bool is_number(const es_expr *expr)
{
    return expr && (expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE);
}

static void walk(user *u, const es_expr *expr)
{
    if (!expr)
        return;
    const es_node *node = (const es_node *)expr;
    es_source source = expr->source;
    size_t length = node->end > node->start ? (size_t)(node->end - node->start) : 1;
    es_parser *parser = u->parser;
    if (expr->type == ES_VALUE_64)
        note(parser, ES_FEATURE_WIDE, source, length, NULL);
    if (is_number(expr))
        note(parser, ES_FEATURE_FLOAT, source, length, NULL);
    switch (expr->kind) {
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD: note_reference(u, expr->index); break;
    case ES_EXPR_WRITE: note_members(u, expr); break;
    case ES_EXPR_READ:
        note(parser, ES_FEATURE_READ, source, length, NULL);
        note_members(u, expr);
        break;
    case ES_EXPR_UNCHANGED:
        note(parser, ES_FEATURE_UNCHANGED, source, length, NULL);
        note_reference(u, expr->index);
        break;
    case ES_EXPR_AGE:
        note(parser, ES_FEATURE_AGE, source, length, NULL);
        note_reference(u, expr->index);
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE: note_path(u, expr->path, source, length); break;
    case ES_EXPR_AT:
        note(parser, ES_FEATURE_AT, source, length, NULL);
        note_path(u, expr->path, source, length);
        break;
    case ES_EXPR_ACTIVE:
        note(parser, ES_FEATURE_SUBSTATE, source, length, NULL);
        for (size_t i = 0; i < expr->path->count; i++)
            if (expr->path->steps[i].kind == ES_STEP_NESTED)
                note(parser, ES_FEATURE_NESTED, source, length, NULL);
        break;
    case ES_EXPR_ELAPSED: note(parser, ES_FEATURE_ELAPSED, source, length, NULL); break;
    case ES_EXPR_COUNTER: note(parser, ES_FEATURE_COUNTER, source, length, NULL); break;
    case ES_EXPR_CHOICE: note(parser, ES_FEATURE_CHOICE, source, length, NULL); break;
    case ES_EXPR_UNARY:
    case ES_EXPR_BINARY:
        if (is_number(expr))
            note(parser, ES_FEATURE_FLOAT_SUM, source, length, NULL);
        else if (expr->kind == ES_EXPR_BINARY && expr->op == ES_OP_MUL)
            note(parser, ES_FEATURE_MULTIPLY, source, length, NULL);
        else if (expr->kind == ES_EXPR_BINARY && (expr->op == ES_OP_DIV || expr->op == ES_OP_REM))
            note(parser, ES_FEATURE_DIVIDE, source, length, NULL);
        break;
    default: break;
    }
    walk(u, expr->condition);
    walk(u, expr->lhs);
    walk(u, expr->rhs);
}

/* Where a joined event stands: at the start of its first condition. */
static void walk_event(user *u, const es_event_tree *event)
{
    if (event->kind == ES_EVENT_WHEN) {
        const es_node *node = (const es_node *)event->condition->expr;
        if (event->condition->holds_for.count)
            note(u->parser, ES_FEATURE_FOR, node->expr.source, (size_t)(node->end - node->start), NULL);
        walk(u, event->condition->expr);
        return;
    }
    const es_event_tree *last = event->second, *first = event->first;
    while (first->kind != ES_EVENT_WHEN)
        first = first->first;
    while (last->kind != ES_EVENT_WHEN)
        last = last->second;
    const es_node *node = (const es_node *)first->condition->expr;
    size_t length = (size_t)(((const es_node *)last->condition->expr)->end - node->start);
    note(u->parser,
         event->kind == ES_EVENT_THEN  ? ES_FEATURE_THEN
         : event->kind == ES_EVENT_AND ? ES_FEATURE_AND
                                       : ES_FEATURE_OR,
         node->expr.source, length, NULL);
    if (event->within.count)
        note(u->parser, ES_FEATURE_WITHIN, node->expr.source, length, NULL);
    walk_event(u, event->first);
    walk_event(u, event->second);
}

static const struct {
    enum es_action_kind kind;
    enum es_feature feature;
} action_features[] = {{ES_ACTION_SET, ES_FEATURE_SET},           {ES_ACTION_DECREMENT, ES_FEATURE_SET},
                       {ES_ACTION_ENABLE, ES_FEATURE_ENABLE},     {ES_ACTION_DISABLE, ES_FEATURE_ENABLE},
                       {ES_ACTION_SNAPSHOT, ES_FEATURE_SNAPSHOT}, {ES_ACTION_TRIGGER, ES_FEATURE_TRIGGER},
                       {ES_ACTION_STOP, ES_FEATURE_STOP},         {ES_ACTION_HALT, ES_FEATURE_HALT}};

static void walk_action(user *u, const es_action *action)
{
    es_parser *parser = u->parser;
    size_t word = 0;
    if (action->kind >= ES_ACTION_SET) {
        static const uint8_t lengths[] = {3, 9, 6, 7, 8, 7, 4, 4, 5};
        word = lengths[action->kind - ES_ACTION_SET];
    }
    for (size_t i = 0; i < sizeof action_features / sizeof *action_features; i++)
        if (action_features[i].kind == action->kind)
            note(parser, action_features[i].feature, action->source, word, NULL);
    for (size_t i = 0; i < action->item_count; i++) {
        const es_print_item *item = &action->items[i];
        if (item->kind == ES_ITEM_VALUE || item->kind == ES_ITEM_AGE)
            note_reference(u, item->index);
        enum es_feature feature = item->kind == ES_ITEM_AGE       ? ES_FEATURE_AGE
                                  : item->kind == ES_ITEM_ELAPSED ? ES_FEATURE_ELAPSED
                                                                  : ES_FEATURE_PRINT;
        /* what the condition has too is told there: a bare print repeats it */
        if (item->kind != ES_ITEM_VALUE && item->kind != ES_ITEM_WHICH && item->kind != ES_ITEM_BACKTRACE &&
            !(parser->statement->features >> feature & 1))
            note(parser, feature, action->source, 5, NULL);
    }
    if (action->snapshot && action->snapshot->place.text) {
        struct es_spot spot = {action->source, word, NULL};
        note_place(u, &action->snapshot->place, &spot);
        if (action->snapshot->place.via)
            note_reference(u, action->snapshot->place.base);
    }
}

static int by_place(const void *a, const void *b)
{
    const es_feature_use *x = a, *y = b;
    if (before(&x->source, &y->source) || before(&y->source, &x->source))
        return before(&x->source, &y->source) ? -1 : 1;
    return (int)x->feature - (int)y->feature;
}

void es_find_uses(es_parser *parser)
{
    es_statement *statement = parser->statement;
    user u = {parser, es_arena_alloc(parser->arena, statement->reference_count + 1)};
    if (statement->expect)
        note(parser, ES_FEATURE_EXPECT, statement->source, 0, NULL);
    if (statement->disabled)
        note(parser, ES_FEATURE_ENABLE, statement->source, 0, NULL);
    walk_event(&u, statement->event);
    for (size_t i = 0; i < statement->action_count; i++)
        walk_action(&u, &statement->actions[i]);
    if (statement->use_count)
        qsort((void *)statement->uses, statement->use_count, sizeof *statement->uses, by_place);
}
