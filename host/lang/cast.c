/* Casts to pointers, on the way to what they point to: ((struct msg *)q)->v, *(uint16_t *)p. */
#include <string.h>

#include "lang/place.h"

static bool at_qualifier(const es_token *token)
{
    return es_token_is(token, "const") || es_token_is(token, "volatile");
}

bool es_at_pointer_cast(const es_parser *parser)
{
    es_error ignored;
    es_parser ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    unsigned words = 0, stars = 0;
    if (!es_parser_at_sign(&ahead, '('))
        return false;
    es_parser_take(&ahead);
    for (; ahead.token.kind == ES_TOKEN_NAME; words++)
        es_parser_take(&ahead);
    for (; es_parser_at_sign(&ahead, '*') || (stars && at_qualifier(&ahead.token)); stars++)
        es_parser_take(&ahead);
    return words > 0 && stars > 0 && es_parser_at_sign(&ahead, ')');
}

/* C's own numbers, where the program's debug information has them under other names. */
static const es_type *number_named(es_parser *parser, const char *name)
{
    static const es_type numbers[] = {
        {.kind = ES_TYPE_CHAR, .name = "char", .size = 1},
        {.kind = ES_TYPE_CHAR, .name = "unsigned char", .size = 1},
        {.kind = ES_TYPE_CHAR, .name = "signed char", .size = 1, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "int8_t", .size = 1, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "uint8_t", .size = 1},
        {.kind = ES_TYPE_INT, .name = "short", .size = 2, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "int16_t", .size = 2, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "unsigned short", .size = 2},
        {.kind = ES_TYPE_INT, .name = "uint16_t", .size = 2},
        {.kind = ES_TYPE_INT, .name = "int", .size = 4, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "long", .size = 4, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "int32_t", .size = 4, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "unsigned", .size = 4},
        {.kind = ES_TYPE_INT, .name = "unsigned int", .size = 4},
        {.kind = ES_TYPE_INT, .name = "unsigned long", .size = 4},
        {.kind = ES_TYPE_INT, .name = "uint32_t", .size = 4},
        {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "int64_t", .size = 8, .is_signed = true},
        {.kind = ES_TYPE_INT, .name = "unsigned long long", .size = 8},
        {.kind = ES_TYPE_INT, .name = "uint64_t", .size = 8},
        {.kind = ES_TYPE_FLOAT, .name = "float", .size = 4, .is_signed = true},
        {.kind = ES_TYPE_FLOAT, .name = "double", .size = 8, .is_signed = true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            es_type *type = es_arena_alloc(parser->arena, sizeof *type);
            *type = numbers[i];
            type->big_endian = es_symbols_big_endian(parser->symbols);
            return type;
        }
    return NULL;
}

/* Takes (TYPE *...); NULL with an error when there is no such type. */
static const es_type *parse_type(es_parser *parser)
{
    const char *name = NULL;
    es_parser_take(parser);
    es_span from = es_parser_here(parser);
    for (; parser->token.kind == ES_TOKEN_NAME; es_parser_take(parser))
        if (!at_qualifier(&parser->token))
            name = name ? es_arena_format(parser->arena, "%s %s", name, es_parser_token_text(parser))
                        : es_parser_token_text(parser);
    bool ambiguous = false, is_void = name && strcmp(name, "void") == 0;
    const es_type *type = name && !is_void ? es_symbols_type(parser->symbols, name, &ambiguous) : NULL;
    if (!type && name)
        type = number_named(parser, name);
    if (ambiguous) {
        es_parser_fail_from(parser, from, NULL,
                            "'%s' is ambiguous: files of the program have different types of this name", name);
        return NULL;
    }
    if (!type && !is_void) {
        es_parser_fail_from(parser, from, "as the program has it: (struct msg *)q, (msg_t *)q, (uint16_t *)q",
                            "there is no type '%s' that a variable of the program has", name ? name : "");
        return NULL;
    }
    for (const char *star = " *"; !es_parser_at_sign(parser, ')'); es_parser_take(parser)) {
        if (!es_parser_at_sign(parser, '*'))
            continue;
        es_type *pointer = es_arena_alloc(parser->arena, sizeof *pointer);
        const char *text = es_arena_format(parser->arena, "%s%s", type ? es_type_text(type) : "void", star);
        *pointer = (es_type){.kind = ES_TYPE_POINTER,
                             .name = text,
                             .size = 4,
                             .of = type,
                             .big_endian = es_symbols_big_endian(parser->symbols)};
        type = pointer;
        star = "*";
    }
    es_parser_take(parser);
    return type;
}

bool es_parse_cast_place(es_parser *parser, es_place_parser *parse, es_place *p)
{
    es_span operand;
    const es_type *type = parse_type(parser);
    if (!type || !es_parser_nest(parser) || !parse(parser, &operand, p))
        return false;
    parser->nesting--;
    const char *text = p->at.text;
    if (!es_place_scalar(parser, operand, text, p))
        return false;
    bool address = p->type->kind == ES_TYPE_POINTER || (p->type->kind == ES_TYPE_INT && p->type->size == 4);
    if (!address || p->at.bit_size)
        return es_parser_fail_from(parser, operand, NULL, "%s is no pointer but %s", text, es_type_text(p->type));
    if (type->big_endian != p->type->big_endian) { /* what it is stored as stays */
        es_type *stored = es_arena_alloc(parser->arena, sizeof *stored);
        *stored = *type;
        stored->big_endian = p->type->big_endian;
        type = stored;
    }
    p->type = type;
    return true;
}
