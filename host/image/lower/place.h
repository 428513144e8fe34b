/* Places: where what a statement refers to lies, in static storage, in a frame, at what a pointer points to, or as an
 * element whose index is computed. Whatever kind it is, code does four things with it: it asks whether it exists, finds
 * its address, loads its value, and loads its value as of before the event. */
#ifndef ES_IMAGE_LOWER_PLACE_H
#define ES_IMAGE_LOWER_PLACE_H

#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* What is used of the statement's references, by index: sets of these. LATER: it is enough that its activation is
 * there. Where that has its frame may be learned by its first stores only (tables/moving.h). */
enum { PLACE_VALUE = 1, PLACE_OLD = 2, PLACE_LATER = 4 };

/* What an expression uses, with what leads to it; shown: and what the statement's actions show. */
const uint8_t *es_place_used(generator *g, const es_expr *expr, bool shown);

/* Code: jumps to `no` unless all that is used exists (NULL: all that the statement refers to): its activation is there,
 * and its frame known; the pointer that leads to it points to something, and for its old value did so before; the stack
 * holds it now. Elements' indices are another matter: es_element_find. Uses t6. */
void es_place_check(generator *g, const uint8_t *used, unsigned no);

/* Where the first byte of a value lies in phantom memory: so many bytes from a register. */
typedef struct place_address {
    es_ir_reg base;
    uint32_t offset;
} place_address;

/* Code: where references[index] lies; `before`: where the pointer to it led before the event. It is for a load from
 * word number `word` of the value, and leads out of phantom memory when that is not written yet in its activation. */
place_address es_place_address(generator *g, size_t index, bool before, unsigned word);

/* Code: turns the lowest `bytes` of a register round, 2 or 4 of them; those above may be anything of 2. as_signed: of
 * what they are then, of 2. */
void es_place_turn(es_ir_code *code, es_ir_reg rd, unsigned bytes, bool as_signed);

/* Code: its value (high: of 64 bits only), or its value before the event; in code of a deadline, as of then. */
codegen_pair es_place_value(generator *g, size_t index, bool old);

#endif
