/* The generator of a statement's monitor IR: what is at work, and which registers its routines may use
 * (interface/image.h). */
#ifndef ES_IMAGE_LOWER_GENERATOR_H
#define ES_IMAGE_LOWER_GENERATOR_H

#include "image/firmware.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

typedef struct generator {
    image_plan *plan;
    plan_statement *statement;
    size_t number;  /* of the statement, in hits */
    size_t handler; /* among the plan's */
    const es_probe_limits *limits;
    const firmware_routines *routines;
    es_ir_code *code;
    unsigned unknown; /* label: a value is not known */
    bool checks_old;  /* false when the evaluation has made sure that old values are known */
    bool reads;       /* phantom memory is read */
    /* the code is that of a deadline that has passed (of several parts: one of them); NULL: that of an event */
    const plan_deadline *late;
    const plan_deadline *note; /* the code is that of its note */
    es_ir_reg due;             /* ... of several parts: bits of those that have passed now */
    bool decides;              /* ... whose condition is evaluated; else what is shown at it */
} generator;

unsigned es_codegen_register(generator *g, unsigned depth);

/* Where code finds HIT_FLAGS and HIT_OLD of the store that made an event: when it is not the hit's alone, in RAM. */
typedef struct codegen_store {
    es_ir_reg base;
    int32_t flags, old;
} codegen_store;

static inline codegen_store es_codegen_store(const image_plan *plan)
{
    return plan->store ? (codegen_store){ES_IR_RAM_BASE, (int32_t)(plan->store + PLAN_STORE_FLAGS),
                                         (int32_t)(plan->store + PLAN_STORE_OLD)}
                       : (codegen_store){ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS, (int32_t)ES_REG_HIT_OLD};
}

/* Loads the frame cell of a procedure. */
void es_codegen_cell(generator *g, const es_procedure *procedure, es_ir_reg rd);

/* Puts a bit of a0 into the sign of t6. */
void es_codegen_event(generator *g, int bit);

/* A value in registers: `high` of 64 bits only. */
typedef struct codegen_pair {
    es_ir_reg low, high;
} codegen_pair;

/* Registers that a value takes. */
static inline unsigned codegen_width(enum es_value_type type)
{
    return type == ES_VALUE_32 || type == ES_VALUE_FLOAT ? 1 : 2;
}

#endif
