/* RV32 code of expressions, into the registers that statements' routines may use (interface/image.h). */
#ifndef ES_IMAGE_CODEGEN_H
#define ES_IMAGE_CODEGEN_H

#include "image/firmware.h"
#include "image/plan.h"
#include "ir/ir.h"

typedef struct generator {
    image_plan *plan;
    plan_statement *statement;
    size_t number;
    const es_probe_limits *limits;
    const firmware_routines *routines;
    es_ir_code *code;
    unsigned unknown; /* label: a value is not known */
    bool checks_old;  /* false when the evaluation has made sure that old values are known */
    bool reads;       /* phantom memory is read */
    /* the code is that of a deadline that has passed (of several parts: one of them); NULL: that of an event */
    const plan_deadline *late;
} generator;

unsigned es_codegen_register(generator *g, unsigned depth);

/* The base register and offset for a place in RAM; rd becomes the base when tp does not reach it. */
unsigned es_codegen_ram(es_ir_code *code, const image_plan *plan, uint32_t offset, unsigned rd, int32_t *low);

/* Whether values of a type have a sign. */
bool es_codegen_is_signed(const es_type *type);

/* Loads the frame cell of a procedure. */
void es_codegen_cell(generator *g, const es_procedure *procedure, unsigned rd);

/* Loads the (old) value of a reference; one of 64 bits into rd and `high`, else `high` is free to use. */
void es_codegen_reference(generator *g, size_t index, bool old, unsigned rd, unsigned high);

/* Puts a bit of a0 into the sign of t6. */
void es_codegen_event(generator *g, int bit);

/* The event bit of an enter, leave or at; -1: it never triggers an evaluation of the statement. */
int es_codegen_control_bit(const generator *g, const plan_control *event);

/* Jumps to label when the expression's truth is `when`, else goes on. Registers from `depth` on are free. */
void es_codegen_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when);

/* The expression's value into register `depth`, of 64 bits also into the next one. */
void es_codegen_value(generator *g, const es_expr *expr, unsigned depth);

/* Registers that a value takes. */
static inline unsigned codegen_width(enum es_value_type type)
{
    return type == ES_VALUE_32 || type == ES_VALUE_FLOAT ? 1 : 2;
}

/* A value in registers: `high` of 64 bits only. */
typedef struct codegen_pair {
    unsigned low, high;
} codegen_pair;

/* Both operands of an operator. A constant right one of 0 is register zero. */
void es_codegen_operands(generator *g, const es_expr *expr, unsigned depth, codegen_pair *left, codegen_pair *right);

/* wide.c: integers of 64 bits. The operator's value into register `depth` and the next. */
void es_wide_binary(generator *g, const es_expr *expr, unsigned depth);
void es_wide_unary(generator *g, const es_expr *expr, unsigned depth);
/* Compares left op right; jumps to label when the result is `when`. */
void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                     bool when);

/* A firmware routine on both operands (of floats only the low words), as multiply.c and number.c take them. */
void es_codegen_arithmetic(generator *g, const es_expr *expr, unsigned depth, uint32_t routine, uint32_t what);

/* number.c: float and double. */
void es_number_binary(generator *g, const es_expr *expr, unsigned depth);
void es_number_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when);
void es_number_convert(generator *g, const es_expr *expr, unsigned depth);

/* multiply.c: * / % of 32 bits. The first multiplies register rd, and takes t6. */
void es_multiply_constant(generator *g, unsigned rd, uint32_t factor);
void es_multiply_binary(generator *g, const es_expr *expr, unsigned depth);

#endif
