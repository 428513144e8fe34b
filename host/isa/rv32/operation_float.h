/* Instructions of floating point as exact operations. */
#ifndef ES_ISA_RV32_OPERATION_FLOAT_H
#define ES_ISA_RV32_OPERATION_FLOAT_H

#include "isa/rv32/operation.h"

/* word: of an opcode of floating point. */
es_rv32_operation es_rv32_float_operation(uint32_t word, unsigned extensions);

#endif
