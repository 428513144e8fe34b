/* Comparisons of a variable with a number that is out of its range. */
#include <inttypes.h>

#include "lang/typing_inside.h"

#define BITS_MAX 62u /* of variables that are looked at: their ranges and all that is beyond are int64_t */

/* What an integer can be by its size; _Bool too, as more than 0 and 1 may be in the memory. */
static bool find_range(const es_reference *reference, int64_t *least, int64_t *most)
{
    const es_type *type = reference->type;
    unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
    if (!type || bits > BITS_MAX ||
        (type->kind != ES_TYPE_INT && type->kind != ES_TYPE_CHAR && type->kind != ES_TYPE_ENUM &&
         type->kind != ES_TYPE_BOOL))
        return false;
    *least = type->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    *most = (INT64_C(1) << (type->is_signed ? bits - 1 : bits)) - 1;
    return true;
}

void es_warn_of_range(es_parser *parser, enum es_op op, const es_node *lhs, const es_node *rhs,
                      const es_expr *converted, bool as_signed)
{
    bool right = rhs->expr.kind == ES_EXPR_CONST;
    const es_expr *variable = right ? &lhs->expr : &rhs->expr;
    int64_t least, most, constant;
    if (converted->kind != ES_EXPR_CONST || (variable->kind != ES_EXPR_REFERENCE && variable->kind != ES_EXPR_OLD) ||
        (converted->type != ES_VALUE_32 && converted->type != ES_VALUE_64))
        return;
    const es_reference *reference = &parser->statement->references[variable->index];
    if (!find_range(reference, &least, &most) || (least < 0 && !as_signed))
        return; /* a negative number that is compared as an unsigned one is a large one */
    if (converted->type == ES_VALUE_32)
        constant = as_signed ? (int32_t)converted->value : (int64_t)converted->value;
    else if (!as_signed && converted->constant.wide > INT64_MAX)
        constant = INT64_MAX;
    else
        constant = (int64_t)converted->constant.wide;
    op = right ? op : es_op_turned(op);
    bool above = (op == ES_OP_GT && constant >= most) || ((op == ES_OP_GE || op == ES_OP_EQ) && constant > most);
    bool below = (op == ES_OP_LT && constant <= least) || ((op == ES_OP_LE || op == ES_OP_EQ) && constant < least);
    if (above || below)
        es_parser_warn(parser, es_arena_format(parser->arena, "%.*s is never true: %s is at %s %" PRId64,
                                               (int)(rhs->end - lhs->start), lhs->start, reference->text,
                                               above ? "most" : "least", above ? most : least));
}
