/* References: [procedure\ or file\] name, members, elements, down to one scalar of 1, 2 or 4 bytes. */
#include <string.h>

#include "lang/parser.h"

/* A place on the way from a variable to a scalar. */
struct place {
    const es_type *type;
    uint32_t address;   /* or offset from the CFA */
    uint8_t bit_offset, bit_size;
};

/* The member called name, looked for in anonymous structs and unions too; adds its offset to the place. */
static bool find_member(const es_type *type, const char *name, struct place *place)
{
    for (size_t i = 0; i < type->member_count; i++) {
        const es_member *member = &type->members[i];
        struct place inside = {member->type, place->address + member->offset, member->bit_offset, member->bit_size};
        bool found = member->name ? strcmp(member->name, name) == 0
                                  : member->type && member->type->kind == ES_TYPE_STRUCT && find_member(member->type, name, &inside);
        if (found) {
            *place = inside;
            return true;
        }
    }
    return false;
}

static const char *list_members(es_parser *parser, const es_type *type)
{
    const char *list = NULL;
    for (size_t i = 0; i < type->member_count && i < 12; i++)
        if (type->members[i].name)
            list = list ? es_arena_format(parser->arena, "%s, %s", list, type->members[i].name)
                        : es_arena_format(parser->arena, "it has %s", type->members[i].name);
    return list && type->member_count > 12 ? es_arena_format(parser->arena, "%s, ...", list) : list;
}

static const char *type_name(const es_type *type)
{
    return type->name ? type->name : type->kind == ES_TYPE_STRUCT ? "struct" : type->kind == ES_TYPE_ARRAY ? "array" : "?";
}

/* The text from `start` to the last token taken, without blanks and comments. */
static const char *text_since(es_parser *parser, const char *start)
{
    const char *end = parser->previous_end;
    char *text = es_arena_alloc(parser->arena, (size_t)(end - start) + 1);
    size_t length = 0;
    for (const char *at = start; at < end; at++) {
        if (*at == '"') { /* a file's name is kept as it is */
            do
                text[length++] = *at++;
            while (*at != '"');
        } else if (*at == '#') {
            at += strcspn(at, "\n");
        }
        if (at < end && !strchr(" \t\r\n\f\v", *at))
            text[length++] = *at;
    }
    return text;
}

static bool parse_member(es_parser *parser, es_span from, struct place *place)
{
    const char *whole = text_since(parser, from.start);
    if (place->type->kind == ES_TYPE_POINTER)
        return es_parser_fail(parser, "the pointer's own value is: p != NULL",
                              "%s is a pointer, and following pointers is not available in this version", whole);
    if (place->type->kind != ES_TYPE_STRUCT)
        return es_parser_fail(parser, NULL, "%s is no struct but %s", whole, type_name(place->type));
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, list_members(parser, place->type), "expected the name of a member");
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    if (!find_member(place->type, name, place))
        return es_parser_fail(parser, list_members(parser, place->type), "%s has no member '%s'", type_name(place->type), name);
    es_parser_take(parser);
    return true;
}

static bool parse_element(es_parser *parser, es_span from, struct place *place)
{
    const char *whole = text_since(parser, from.start);
    if (place->type->kind == ES_TYPE_POINTER)
        return es_parser_fail(parser, "the pointer's own value is: p != NULL",
                              "%s is a pointer, and following pointers is not available in this version", whole);
    if (place->type->kind != ES_TYPE_ARRAY)
        return es_parser_fail(parser, NULL, "%s is no array but %s", whole, type_name(place->type));
    if (parser->nesting == ES_LANG_NESTING_MAX)
        return es_parser_fail(parser, NULL, "more than %d levels of parentheses and prefix operators", ES_LANG_NESTING_MAX);
    parser->nesting++;
    es_parser_take(parser);
    es_node *index = es_parse_expression(parser);
    parser->nesting--;
    if (!index)
        return false;
    if (index->expr.kind != ES_EXPR_CONST)
        return es_parser_fail_node(parser, index, "write one element by its number: a[2]",
                                   "an index has to be a constant in this version");
    const es_type *array = place->type;
    uint32_t value = index->expr.value;
    if (array->count == 0 || !array->of)
        return es_parser_fail_node(parser, index, "watch the array in the file that defines it", "the size of %s is not known", whole);
    if (index->expr.is_signed && value >> 31)
        return es_parser_fail_node(parser, index, NULL, "index %d is outside of %s, which has elements 0 to %u", (int)value, whole,
                                   (unsigned)array->count - 1);
    if (value >= array->count)
        return es_parser_fail_node(parser, index, NULL, "index %u is outside of %s, which has elements 0 to %u", (unsigned)value,
                                   whole, (unsigned)array->count - 1);
    if (!es_parser_at_sign(parser, ']'))
        return es_parser_fail_after_expression(parser, "]");
    es_parser_take(parser);
    *place = (struct place){array->of, place->address + value * array->of->size, 0, 0};
    return true;
}

/* A bit-field's storage: the smallest aligned 1, 2 or 4 bytes that hold it, because that is what compilers write. */
static bool narrow_bit_field(struct place *place, uint8_t *size)
{
    uint32_t first = place->address + place->bit_offset / 8u;
    uint32_t bit = place->bit_offset % 8u;
    for (uint32_t bytes = 1; bytes <= 4; bytes *= 2) {
        uint32_t offset = (first & (bytes - 1)) * 8u + bit;
        if (offset + place->bit_size <= bytes * 8u) {
            place->address = first & ~(bytes - 1);
            place->bit_offset = (uint8_t)offset;
            *size = (uint8_t)bytes;
            return true;
        }
    }
    return false;
}

/* Checks that the place is a scalar that can be watched, and sets *size. */
static bool check_scalar(es_parser *parser, es_span from, const char *text, struct place *place, uint8_t *size)
{
    const es_type *type = place->type;
    switch (type->kind) {
    case ES_TYPE_STRUCT: {
        const char *member = type->member_count && type->members[0].name ? type->members[0].name : "member";
        return es_parser_fail_from(parser, from, es_arena_format(parser->arena, "name a member: %s.%s", text, member),
                                   "%s is a whole %s; a reference is one number", text, type_name(type));
    }
    case ES_TYPE_ARRAY:
        return es_parser_fail_from(parser, from, es_arena_format(parser->arena, "name an element: %s[0]", text),
                                   "%s is a whole array; a reference is one number", text);
    case ES_TYPE_OTHER:
        return es_parser_fail_from(parser, from, NULL, "%s is of type %s, which cannot be watched", text, type_name(type));
    default:
        break;
    }
    if (place->bit_size) {
        if (place->bit_size <= 32 && narrow_bit_field(place, size))
            return true;
        return es_parser_fail_from(parser, from, "keep bit-fields inside one 32-bit word", "bit-field %s crosses a word boundary", text);
    }
    if (type->size != 1 && type->size != 2 && type->size != 4)
        return es_parser_fail_from(parser, from, "a 32-bit (or narrower) copy of it in the program can be watched",
                                   "%s is a %s of %u bytes; this version watches values of 1, 2 and 4 bytes", text, type_name(type),
                                   (unsigned)type->size);
    if (place->address % type->size != 0)
        return es_parser_fail_from(parser, from, "align it: leave out the packed attribute, or move it inside its struct",
                                   "%s is misaligned: %u bytes at an address that is not a multiple of %u", text, (unsigned)type->size,
                                   (unsigned)type->size);
    *size = (uint8_t)type->size;
    return true;
}

/* Takes `name\` or `file.c\` or `"file name"\`. *qualifier stays NULL when there is none. */
static bool parse_qualifier(es_parser *parser, const char **qualifier, bool *is_file)
{
    *qualifier = NULL;
    if (parser->token.kind == ES_TOKEN_STRING) {
        *qualifier = es_arena_copy(parser->arena, parser->token.start + 1, parser->token.length - 2);
        *is_file = true;
        es_parser_take(parser);
        if (!es_parser_at_sign(parser, '\\'))
            return es_parser_fail(parser, "\"file.c\"\\variable", "expected \\ after a file's name");
    } else {
        /* Names with dots between them and a \ behind are a file's name. */
        es_error ignored;
        es_parser ahead = *parser;
        ahead.lexer.err = &ignored;
        size_t dots = 0;
        es_parser_take(&ahead);
        while (es_parser_at_sign(&ahead, '.')) {
            es_parser_take(&ahead);
            if (ahead.token.kind != ES_TOKEN_NAME)
                return true;
            es_parser_take(&ahead);
            dots++;
        }
        if (!es_parser_at_sign(&ahead, '\\'))
            return true;
        *qualifier = es_arena_copy(parser->arena, parser->token.start, (size_t)(ahead.previous_end - parser->token.start));
        *is_file = dots > 0;
        es_parser_take(parser);
        while (dots-- > 0) {
            es_parser_take(parser);
            es_parser_take(parser);
        }
    }
    es_parser_take(parser); /* the \ */
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "procedure\\variable or file.c\\variable", "expected the name of a variable");
    return true;
}

/* f[k]\x, f[k] and the like: an activation of a recursive procedure. */
static bool refuse_activation(es_parser *parser, const char *name)
{
    const es_variable *variable;
    es_token ahead = es_parser_peek(parser);
    if (ahead.kind != ES_TOKEN_SIGN || ahead.sign != '[' || es_symbols_find(parser->symbols, NULL, name, &variable, 1) > 0 ||
        !es_symbols_procedure_named(parser->symbols, name))
        return false;
    return !es_parser_fail(parser, "enter(f) and leave(f) are", "activations (f[k]\\x) are not available in this version");
}

static size_t add_reference(es_parser *parser, const es_reference *reference)
{
    es_statement *statement = parser->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *known = &statement->references[i];
        if (known->frame == reference->frame && known->address == reference->address && known->size == reference->size &&
            known->bit_offset == reference->bit_offset && known->bit_size == reference->bit_size && known->type == reference->type)
            return i;
    }
    statement->references =
        es_arena_grow(parser->arena, statement->references, statement->reference_count, sizeof *statement->references);
    statement->references[statement->reference_count] = *reference;
    return statement->reference_count++;
}

bool es_parse_reference(es_parser *parser, size_t *index, const char **text)
{
    es_span from = es_parser_here(parser);
    const char *qualifier = NULL;
    bool is_file = false;
    if (!parse_qualifier(parser, &qualifier, &is_file))
        return false;
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    if (!qualifier && refuse_activation(parser, name))
        return false;
    es_parser_take(parser);
    const es_variable *variable = es_resolve_variable(parser, from, qualifier, is_file, name);
    if (!variable || !es_check_observable(parser, from, variable))
        return false;
    bool in_frame = variable->place == ES_PLACE_FRAME;
    struct place place = {variable->type, in_frame ? (uint32_t)variable->cfa_offset : variable->address, 0, 0};
    if (!place.type)
        return es_parser_fail_from(parser, from, NULL, "the type of '%s' is not known", name);
    while (es_parser_at_sign(parser, '.') || es_parser_at_sign(parser, '[')) {
        bool good = es_parser_at_sign(parser, '.') ? parse_member(parser, from, &place) : parse_element(parser, from, &place);
        if (!good)
            return false;
        if (!place.type)
            return es_parser_fail_from(parser, from, NULL, "the type of '%s' is not known", text_since(parser, from.start));
    }
    *text = text_since(parser, from.start);
    if (es_parser_at_sign(parser, ES_SIGN_ARROW))
        return !es_unavailable_infix(parser);
    es_reference reference = {.text = *text, .variable = variable, .type = place.type};
    if (!check_scalar(parser, from, *text, &place, &reference.size))
        return false;
    reference.frame = in_frame ? variable->procedure : NULL;
    reference.address = place.address;
    reference.bit_offset = place.bit_offset;
    reference.bit_size = place.bit_size;
    *index = add_reference(parser, &reference);
    return true;
}
