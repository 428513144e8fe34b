/* Comparisons of 32 bits, and the firmware's routines on two operands. */
#include "image/lower/arithmetic.h"

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_codegen_compare(es_ir_code *code, enum es_op op, bool is_signed, es_ir_reg left, es_ir_reg right,
                        unsigned label, bool when)
{
    enum es_ir_op less = is_signed ? ES_IR_IF_LESS : ES_IR_IF_BELOW;
    enum es_ir_op not_less = is_signed ? ES_IR_IF_NOT_LESS : ES_IR_IF_NOT_BELOW;
    switch (op) {
    case ES_OP_EQ: es_ir_branch(code, when ? ES_IR_IF_EQ : ES_IR_IF_NE, left, right, label); break;
    case ES_OP_NE: es_ir_branch(code, when ? ES_IR_IF_NE : ES_IR_IF_EQ, left, right, label); break;
    case ES_OP_LT: es_ir_branch(code, when ? less : not_less, left, right, label); break;
    case ES_OP_GE: es_ir_branch(code, when ? not_less : less, left, right, label); break;
    case ES_OP_GT: es_ir_branch(code, when ? less : not_less, right, left, label); break;
    default: es_ir_branch(code, when ? not_less : less, right, left, label); break; /* LE */
    }
}

codegen_pair es_codegen_results(generator *g, const es_expr *expr)
{
    codegen_pair out = {es_ir_new(g->code), ES_IR_ZERO};
    es_ir_copy(g->code, out.low, ES_IR_T1);
    if (codegen_width(expr->type) == 2)
        es_ir_copy(g->code, out.high = es_ir_new(g->code), ES_IR_T2);
    return out;
}

codegen_pair es_codegen_arithmetic(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right,
                                   enum image_routine function, uint32_t what)
{
    es_ir_code *code = g->code;
    if (expr->type == ES_VALUE_64 && expr->op != ES_OP_MUL)
        es_ir_branch(code, ES_IR_IF_EQ, es_ir_make(code, ES_IR_OR, right.low, right.high), ES_IR_ZERO, g->unknown);
    es_ir_copy(code, ES_IR_T1, right.low);
    es_ir_copy(code, ES_IR_T2, right.high);
    es_routine_call(code, g->routines, ROUTINE_operand);
    es_ir_copy(code, ES_IR_T1, left.low);
    es_ir_copy(code, ES_IR_T2, left.high);
    es_routine_compute(code, g->routines, function, what);
    return es_codegen_results(g, expr);
}
