/* RV32 code of expressions, into the registers that statements' routines may use (interface/image.h). */
#ifndef ES_IMAGE_CODEGEN_H
#define ES_IMAGE_CODEGEN_H

#include "image/firmware.h"
#include "image/plan.h"
#include "image/rv32.h"

#define CODEGEN_REGISTERS 13 /* for intermediate values */

typedef struct generator {
    image_plan *plan;
    plan_statement *statement;
    size_t number;
    const es_probe_limits *limits;
    const firmware_routines *routines;
    rv_code *code;
    unsigned unknown; /* label: a value is not known */
    bool checks_old;  /* false when the evaluation has made sure that old values are known */
    bool reads;       /* phantom memory is read */
    bool no_register; /* an expression needs more registers than there are */
} generator;

unsigned codegen_register(generator *g, unsigned depth);

/* The base register and offset for a place in RAM; rd becomes the base when tp does not reach it. */
unsigned codegen_ram(rv_code *code, const image_plan *plan, uint32_t offset, unsigned rd, int32_t *low);

/* Loads the frame cell of a procedure. */
void codegen_cell(generator *g, const es_procedure *procedure, unsigned rd);

/* Loads the (old) value of a reference. */
void codegen_reference(generator *g, size_t index, bool old, unsigned rd);

/* The event bit of a procedure's entry or exit; -1: it never triggers an evaluation of the statement. */
int codegen_control_bit(const generator *g, const es_procedure *procedure, bool leave);

/* Jumps to label when the expression's truth is `when`, else goes on. Registers from `depth` on are free. */
void codegen_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when);

#endif
