/* Monitor IR that loads the value of a reference, as it is or as it was before the event. */
#ifndef ES_IMAGE_LOWER_LOAD_H
#define ES_IMAGE_LOWER_LOAD_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"

/* Loads the (old) value of a reference; one of 64 bits into rd and `high`, else `high` is free to use. */
void es_codegen_reference(generator *g, size_t index, bool old, es_ir_reg rd, es_ir_reg high);

#endif
