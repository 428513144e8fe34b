/* Expression nodes without operands: constants and references. */
#include "lang/typing_inside.h"

es_node *es_node_new(es_parser *parser, es_span span, enum es_expr_kind kind)
{
    es_node *node = es_arena_alloc(parser->arena, sizeof *node);
    node->expr.kind = kind;
    node->expr.source = span.source;
    node->start = span.start;
    node->end = parser->previous_end;
    node->expr.is_signed = true;
    node->depth = 1;
    return node;
}

es_node *es_node_constant(es_parser *parser, es_span span, uint32_t value, bool is_signed)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.value = value;
    node->expr.is_signed = is_signed;
    return node;
}

es_node *es_node_wide(es_parser *parser, es_span span, uint64_t value, bool is_signed)
{
    es_node *node = es_node_constant(parser, span, (uint32_t)value, is_signed);
    node->expr.type = ES_VALUE_64;
    node->expr.constant.wide = value;
    return node;
}

es_node *es_node_number(es_parser *parser, es_span span, double value, bool is_float)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.type = is_float ? ES_VALUE_FLOAT : ES_VALUE_DOUBLE;
    node->expr.constant.number = value;
    return node;
}

es_node *es_node_time(es_parser *parser, es_span span, es_duration time)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.type = ES_VALUE_TIME;
    node->expr.is_signed = false;
    node->expr.constant.time = time;
    return node;
}

es_node *es_node_reference(es_parser *parser, es_span span, size_t index, bool old)
{
    const es_reference *reference = &parser->statement->references[index];
    const es_type *type = reference->type;
    es_node *node = es_node_new(parser, span, old ? ES_EXPR_OLD : ES_EXPR_REFERENCE);
    node->expr.index = index;
    if (type->kind == ES_TYPE_FLOAT) {
        node->expr.type = reference->size == 8 ? ES_VALUE_DOUBLE : ES_VALUE_FLOAT;
        return node;
    }
    unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
    bool is_pointer = type->kind == ES_TYPE_POINTER;
    bool is_unsigned = is_pointer || (!type->is_signed && type->kind != ES_TYPE_BOOL);
    if (bits > 32)
        node->expr.type = ES_VALUE_64;
    node->expr.is_signed = bits < 32 || !is_unsigned; /* what is narrower than int becomes an int */
    node->pointer = is_pointer ? type : NULL;
    return node;
}

es_node *es_node_typed(es_parser *parser, es_span span, uint64_t value, enum es_value_type type, bool is_signed)
{
    return type == ES_VALUE_64 ? es_node_wide(parser, span, value, is_signed)
                               : es_node_constant(parser, span, (uint32_t)value, is_signed);
}

bool es_node_too_large(es_parser *parser, es_source source, size_t length, unsigned depth)
{
    if (depth <= ES_LANG_DEPTH_MAX)
        return false;
    es_lang_fail(parser->err, parser->lexer.text, source, length, "split the statement in two",
                 "this expression is too large");
    return true;
}
