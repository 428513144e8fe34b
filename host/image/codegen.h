/* RV32 code of statements: see es_mi_statement in interface/image.h for what the routines are handed and give back. */
#ifndef ES_IMAGE_CODEGEN_H
#define ES_IMAGE_CODEGEN_H

#include "image/plan.h"
#include "image/rv32.h"

/* Generate a statement's routines into *code (emptied first). plan->ram_at must be final. `print_at` is the print
 * routine's address, 0 when nothing is to be sent. Fail with ES_USAGE when an expression needs too many registers. */
bool codegen_evaluate(image_plan *plan, size_t number, const es_probe_limits *limits, uint32_t print_at,
                      rv_code *code, es_error *err);
bool codegen_print(image_plan *plan, size_t number, const es_probe_limits *limits, rv_code *code, es_error *err);

#endif
