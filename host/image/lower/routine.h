/* The code of handlers. That of a statement evaluates its predicate, counts, sends its hit.
 *
 * In: a0 event bits, when the statement tells events apart; s11 what was completed in parts, when it takes an
 * old value; ra where to go on. interface/image.h says what the other registers hold. An evaluation that met unknown
 * memory is counted. Nothing is evaluated while a frame that it needs does not exist. */
#ifndef ES_IMAGE_LOWER_ROUTINE_H
#define ES_IMAGE_LOWER_ROUTINE_H

#include "image/firmware.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "ir/ir.h"

/* Generates it into *code (emptied first; code->base is where it will stand). plan->ram_at must be final. Fails with
 * ES_USAGE when an expression needs too many registers or the hit has too many values. */
bool es_routine_write(image_plan *plan, size_t number, const es_probe_limits *limits, const firmware_routines *routines,
                      es_ir_code *code, es_error *err);

/* The same of a deadline, by its number: what is done when its time is over. */
bool es_routine_late(image_plan *plan, size_t deadline, const es_probe_limits *limits,
                     const firmware_routines *routines, es_ir_code *code, es_error *err);

#endif
