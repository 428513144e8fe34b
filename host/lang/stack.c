/* stack, stack worker_stack, idle_stack: a statement for each stack, which tells how much of it was in use. */
#include <ctype.h>
#include <string.h>

#include "lang/parser.h"
#include "lang/place.h"

static const char hint[] = "stack, for the main stack; stack worker_stack, idle_stack for arrays that tasks run on";

static bool ends(const es_parser *parser, const es_token *ahead)
{
    return ahead->kind == ES_TOKEN_END_OF_TEXT || es_token_is_sign(ahead, ';') ||
           ahead->source.line != parser->token.source.line;
}

bool es_at_stack(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    if (!es_token_is(&parser->token, "stack"))
        return false;
    bool named = ahead.kind == ES_TOKEN_NAME && !ends(parser, &ahead);
    if (es_names_variable(parser, "stack")) /* `stack becomes 3` is about that */
        return named && es_names_variable(parser, es_arena_copy(parser->arena, ahead.start, ahead.length));
    return named || ends(parser, &ahead);
}

/* --- names ------------------------------------------------------------------------------------------------------ */

/* Up to the next , or ; of what names a stack, or the line's end. */
static size_t length_of(const char *from)
{
    return strcspn(from, ",;#\r\n");
}

/* "worker_stack" of "worker.stack" */
static const char *identifier_of(es_parser *parser, const char *from, size_t length)
{
    char *name = es_arena_alloc(parser->arena, length + 1);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        bool good = isalnum((unsigned char)from[i]) || from[i] == '_';
        if (good)
            name[kept++] = from[i];
        else if (kept && name[kept - 1] != '_')
            name[kept++] = '_';
    }
    while (kept && name[kept - 1] == '_')
        kept--;
    name[kept] = 0;
    return name;
}

static const char *counter_of(es_parser *parser, const char *identifier)
{
    return es_arena_format(parser->arena, "%s_used", identifier);
}

static void add_counter(es_parser *parser, const char *name)
{
    if (es_names_counter(parser, name))
        return;
    parser->counters = es_arena_grow(parser->arena, parser->counters, parser->counter_count, sizeof *parser->counters);
    parser->counters[parser->counter_count++] = name;
}

void es_stack_counters(es_parser *parser, const es_token *token, const es_token *next)
{
    if (!es_token_is(token, "stack") || es_token_is_sign(next, ':'))
        return;
    if (next->kind != ES_TOKEN_NAME || next->source.line != token->source.line) {
        add_counter(parser, "stack_used");
        return;
    }
    for (const char *at = next->start;; at++) {
        size_t length = length_of(at);
        add_counter(parser, counter_of(parser, identifier_of(parser, at, length)));
        at += length;
        if (*at != ',')
            return;
    }
}

/* --- stacks ----------------------------------------------------------------------------------------------------- */

static bool value_of_any(const es_symbols *symbols, const char *const *names, uint32_t *value)
{
    for (; *names; names++)
        if (es_symbols_value(symbols, *names, value))
            return true;
    return false;
}

/* As linker scripts tell it. */
static bool find_main(es_parser *parser, es_span from, es_stack *stack)
{
    static const char *const tops[] = {"_estack", "__StackTop", "_stack_top", "__stack_end", "_stack_end", NULL};
    static const char *const bottoms[] = {"__stack_bottom", "_stack_bottom", "__StackLimit", "__stack_limit",
                                          "_stack_limit",   "__stack_start", "_stack_start", NULL};
    static const char *const sizes[] = {"__stack_room",    "__stack_size", "_stack_size", "__STACK_SIZE",
                                        "_Min_Stack_Size", "__StackSize",  NULL};
    uint32_t top, size;
    const char *where =
        "define __stack_bottom in the linker script, or name the arrays: stack worker_stack, idle_stack";
    if (!es_symbols_stack_top(parser->symbols, &top) && !value_of_any(parser->symbols, tops, &top))
        return es_parser_fail_from(parser, from, "define __stack_top and __stack_bottom in the linker script",
                                   "no symbol of the program says where the main stack begins");
    if (!value_of_any(parser->symbols, bottoms, &stack->low)) {
        if (!value_of_any(parser->symbols, sizes, &size))
            return es_parser_fail_from(parser, from, where,
                                       "no symbol of the program says where the main stack ends, or how large it is");
        stack->low = top - size;
    }
    stack->name = "main";
    stack->size = top - stack->low;
    return top > stack->low ||
           es_parser_fail_from(parser, from, where, "by its symbols the main stack is from 0x%08x to 0x%08x",
                               (unsigned)stack->low, (unsigned)top);
}

/* An array at a fixed place. */
static bool take_array(es_parser *parser, es_span from, es_stack *stack)
{
    es_statement scratch = {0}, *outer = parser->statement;
    es_place p = {0};
    parser->statement = &scratch;
    bool good = es_parse_place(parser, &from, &p);
    parser->statement = outer;
    if (!good)
        return false;
    stack->name = p.at.text;
    if (p.at.via || p.at.frame || p.at.subscript_count || p.range_count)
        return es_parser_fail_from(parser, from, hint, "%s has no fixed place", stack->name);
    if (p.type->kind != ES_TYPE_ARRAY)
        return es_parser_fail_from(parser, from, hint, "%s is no array", stack->name);
    if (!p.type->size)
        return es_parser_fail_from(parser, from, "name it as the file that defines it does: kernel.c:worker_stack",
                                   "the size of %s is not known", stack->name);
    stack->low = p.at.address;
    stack->size = p.type->size;
    return true;
}

/* Its statement is called as the counter is, unless another one is. */
static bool add_statement(es_parser *parser, es_span from, es_stack *stack, const char *identifier,
                          bool (*parse)(es_parser *parser))
{
    es_program *program = parser->program;
    const char *counter = counter_of(parser, identifier);
    if (stack->low % 4 || stack->size % 4)
        return es_parser_fail_from(parser, from, "align it: _Alignas(16)",
                                   "the stack %s does not begin and end at a multiple of 4", stack->name);
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_stack *other = es_statement_stack(&program->statements[i]);
        if (other && stack->low < other->low + other->size && other->low < stack->low + stack->size)
            return es_parser_fail_from(parser, from, hint, "the stacks %s and %s overlap", other->name, stack->name);
    }
    add_counter(parser, counter);
    stack->counter = es_counter(parser, counter);
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_stack *other = es_statement_stack(&program->statements[i]);
        if (other && other->counter == stack->counter)
            return es_parser_fail_from(parser, from, hint, "the stacks %s and %s would have the same counter %s",
                                       other->name, stack->name, counter);
    }
    parser->stack = stack;
    bool good = es_parse_made(parser, es_arena_format(parser->arena, "at(stack) { stack %s }", counter), parse);
    parser->stack = NULL;
    if (!good)
        return false;
    es_statement *made = &program->statements[program->statement_count - 1];
    made->text = strcmp(identifier, "stack") == 0 ? "stack" : es_arena_format(parser->arena, "stack %s", stack->name);
    if (es_statement_named(parser, identifier, program->statement_count - 1) != ES_NO_NAME)
        return true;
    made->name = identifier;
    return true;
}

bool es_parse_stack(es_parser *parser, bool (*parse)(es_parser *parser))
{
    es_span from = es_parser_here(parser);
    unsigned line = parser->token.source.line;
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME || parser->token.source.line != line) {
        es_stack *stack = es_arena_alloc(parser->arena, sizeof *stack);
        return find_main(parser, from, stack) && add_statement(parser, from, stack, "stack", parse);
    }
    for (;; es_parser_take(parser)) {
        es_stack *stack = es_arena_alloc(parser->arena, sizeof *stack);
        const char *text = parser->token.start;
        es_span here = es_parser_here(parser);
        if (parser->token.kind != ES_TOKEN_NAME)
            return es_parser_fail(parser, hint, "expected an array that is a stack");
        if (!take_array(parser, here, stack) ||
            !add_statement(parser, here, stack, identifier_of(parser, text, length_of(text)), parse))
            return false;
        if (!es_parser_at_sign(parser, ','))
            return true;
    }
}
