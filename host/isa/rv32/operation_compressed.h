/* Instructions of 16 bits as exact operations. */
#ifndef ES_ISA_RV32_OPERATION_COMPRESSED_H
#define ES_ISA_RV32_OPERATION_COMPRESSED_H

#include "isa/rv32/operation.h"

/* half: not the lower half of one of 32 bits. */
es_rv32_operation es_rv32_compressed_operation(uint32_t half, unsigned extensions);

#endif
