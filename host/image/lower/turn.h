/* Values whose bytes are in another order than the probe's. */
#ifndef ES_IMAGE_LOWER_TURN_H
#define ES_IMAGE_LOWER_TURN_H

#include "ir/ir.h"

/* Code: turns the lowest `bytes` of a register round, 2 or 4 of them; those above may be anything of 2. as_signed: of
 * what they are then, of 2. */
void es_place_turn(es_ir_code *code, es_ir_reg rd, unsigned bytes, bool as_signed);

#endif
