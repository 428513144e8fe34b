/* Inside of the making of expression nodes: what its files share. */
#ifndef ES_LANG_TYPING_INSIDE_H
#define ES_LANG_TYPING_INSIDE_H

#include "lang/parser.h"

static inline es_span node_span(const es_node *node)
{
    return (es_span){node->expr.source, node->start};
}

static inline bool node_is_number(const es_node *node)
{
    return node->expr.type == ES_VALUE_FLOAT || node->expr.type == ES_VALUE_DOUBLE;
}

static inline bool constant_truth(const es_expr *constant)
{
    switch (constant->type) {
    case ES_VALUE_32: return constant->value != 0;
    case ES_VALUE_64: return constant->constant.wide != 0;
    case ES_VALUE_TIME: return constant->constant.time.count != 0;
    default: return constant->constant.number != 0;
    }
}

static inline uint64_t constant_integer(const es_expr *constant)
{
    return constant->type == ES_VALUE_64 ? constant->constant.wide : constant->value;
}

/* A constant of a type with the bits of a 64-bit number. */
es_node *es_node_typed(es_parser *parser, es_span span, uint64_t value, enum es_value_type type, bool is_signed);

/* Whether an expression of this depth is too large: then says so of `length` characters at `source`. */
bool es_node_too_large(es_parser *parser, es_source source, size_t length, unsigned depth);

/* lhs op rhs of operands that have been converted; folded when both are constants. as_signed: how it takes them. NULL
 * on errors, which it tells at `sign`. */
es_node *es_node_made(es_parser *parser, const es_token *sign, enum es_op op, es_node *lhs, es_node *rhs,
                      bool as_signed);

/* Warns of lhs op rhs, a comparison, when it compares a variable with a number that the variable can never come to.
 * lhs, rhs: as they were before conversions; converted: the one of them that is a constant, after them; as_signed: how
 * they are compared. */
void es_warn_of_range(es_parser *parser, enum es_op op, const es_node *lhs, const es_node *rhs,
                      const es_expr *converted, bool as_signed);

#endif
